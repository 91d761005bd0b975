import type { HttpRequest } from "../components/code-literals.ts";
import { type Dataset, parametersOf } from "./datasets.ts";
import { type Parameter, valuesOf } from "./parameters.ts";

/** State of the explorer's form: the dataset, and the parameters as text. */
export interface ExplorerForm {
  dataset: Dataset;
  values: Readonly<Record<string, string>>;
}

/** A parameter that is filled in. */
export interface GivenParameter {
  parameter: Parameter;
  value: string;
}

/** Parameters that a single record takes, too. */
const ofRecord = ["expand", "fields"];

/**
 * The parameters of the form's request. Empty ones, and those of other datasets, are left out; beside the id of a single record,
 * all that a list alone takes.
 */
export function givenParameters({ dataset, values }: ExplorerForm): readonly GivenParameter[] {
  const { main, more } = parametersOf[dataset];
  const isSingle = recordIdOf({ dataset, values }) !== undefined;
  return [...main, ...more].flatMap((parameter) => {
    const value = values[parameter.name]?.trim() ?? "";
    const isSent = value !== "" && parameter.name !== "id" && (!isSingle || ofRecord.includes(parameter.name));
    return isSent ? [{ parameter, value }] : [];
  });
}

/** Id of the single record that the form asks for, or undefined for a list. */
export function recordIdOf({ dataset, values }: ExplorerForm): string | undefined {
  return dataset === "semantic" ? undefined : values.id?.trim() || undefined;
}

/** Builds the form's request. */
export function requestFor(form: ExplorerForm, baseUrl: string): HttpRequest {
  const given = givenParameters(form);
  if (form.dataset === "semantic") {
    const body = given.map(({ parameter: { name, kind }, value }) => {
      if (kind === "check") return [name, value === "true"] as const;
      return [name, kind === "number" ? Number(value) : value] as const;
    });
    return { method: "POST", url: `${baseUrl}/semantic-search`, body: Object.fromEntries(body) };
  }
  const id = recordIdOf(form);
  const path = `${form.dataset}-api${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;
  const pairs = given.flatMap(({ parameter, value }) => valuesOf(parameter, value).map((one) => [parameter.name, one]));
  const query = new URLSearchParams(pairs).toString();
  return { method: "GET", url: `${baseUrl}/${path}${query === "" ? "" : `?${query}`}` };
}

/** Parameters of a page, which a file with all records has no use for. */
const ofPage = ["limit", "offset", "cursor", "facets", "archived_as_ids", "count_only"];

/** The form's list as a CSV file: all records that match, up to 10,000. */
export function csvRequestFor({ dataset, values }: ExplorerForm, baseUrl: string): HttpRequest {
  const filters = Object.entries(values).filter(([name]) => name !== "id" && !ofPage.includes(name));
  const { url } = requestFor({ dataset, values: Object.fromEntries(filters) }, baseUrl);
  return { method: "GET", url: `${url}${url.includes("?") ? "&" : "?"}format=csv` };
}
