import type * as z from "zod";
import type { Dataset } from "../datasets.ts";
import { filters } from "./filters.ts";
import type { Filter } from "./rules.ts";

type Filters = typeof filters;

/** Filters that the lists of a dataset have as parameters, with their schemas. */
export type FilterParameters<Of extends Dataset> = {
  [Name in keyof Filters as Of extends Filters[Name]["datasets"][number]
    ? Filters[Name] extends { parameter: unknown }
      ? Name
      : never
    : never]: Filters[Name] extends { parameter: infer Parameter }
    ? Parameter extends z.ZodType
      ? Parameter
      : Of extends keyof Parameter
        ? Parameter[Of]
        : never
    : never;
};

const entries = Object.entries<Filter>(filters);

/** Schemas of the filters of a dataset's lists, by parameter, in their order. */
export function filterParameters<Of extends Dataset>(dataset: Of): FilterParameters<Of> {
  const parameters = entries.flatMap(([name, { datasets, parameter }]) => {
    const schema = parameter !== undefined && "parse" in parameter ? parameter : parameter?.[dataset];
    return datasets.includes(dataset) && schema !== undefined ? [[name, schema]] : [];
  });
  return Object.fromEntries(parameters) as FilterParameters<Of>;
}

/** Fields by which the records of a dataset's lists are counted. */
export function facetNames(dataset: Dataset): [string, ...string[]] {
  const names = entries.flatMap(([name, { datasets, facet }]) =>
    facet !== undefined && datasets.includes(dataset) ? [name] : [],
  );
  return names as [string, ...string[]];
}
