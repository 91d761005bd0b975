import {
  contractParameters,
  funderParameters,
  grantParameters,
  type Parameter,
  semanticParameters,
} from "./parameters.ts";

/** Endpoint that the explorer sends a request to. */
export type Dataset = "grants" | "contracts" | "funders" | "semantic";

export const datasets: readonly { value: Dataset; name: string }[] = [
  { value: "grants", name: "Grants" },
  { value: "contracts", name: "Contracts" },
  { value: "funders", name: "Funders" },
  { value: "semantic", name: "Semantic" },
];

/** Parameters of a request as parts of the form. */
export interface ParameterGroups {
  /** Those that are always shown. */
  main: readonly Parameter[];
  /** The others, on demand. */
  more: readonly Parameter[];
}

export const parametersOf: Record<Dataset, ParameterGroups> = {
  grants: grantParameters,
  contracts: contractParameters,
  funders: funderParameters,
  semantic: semanticParameters,
};
