import * as z from "zod";
import { presentation } from "../../shared/catalogue/filters.ts";
import type { Dataset } from "../../shared/datasets.ts";
import { withPlaces } from "../../shared/geography/query-places.ts";
import type { FieldError } from "../../shared/http/problems.ts";
import { funderList } from "../../shared/validation/funders.ts";
import { contractList, grantList } from "../../shared/validation/opportunities.ts";
import { type QueryParameters, readQuery } from "../../shared/validation/query.ts";

/** Parameters of each dataset's list endpoint, which filter its events. */
export const listParameters: Record<Dataset, QueryParameters<z.ZodType<Record<string, unknown>>>> = {
  grants: grantList,
  contracts: contractList,
  funders: funderList,
};

/** A filter as its owner wrote it, and parsed for `funding.predicate`. */
export interface StoredFilter {
  query: string;
  parameters: Record<string, unknown>;
}

const isPresentation = (name: string) => presentation.some((one) => one === name);

/** Whether a parameter of a list filters. The mode of a search does not: a filter has its words. */
export function isFilterParameter(name: string): boolean {
  return !isPresentation(name) && name !== "search_mode";
}

/**
 * Reads a webhook's filter: a query string of the dataset's list endpoint, `states=OH&search=water&min_amount=50000`. An
 * empty one is the endpoint's default list.
 */
export function readFilter(
  dataset: Dataset,
  query: string,
): { ok: true; value: StoredFilter } | { ok: false; errors: FieldError[] } {
  const read = withPlaces(readQuery(query, listParameters[dataset]), query);
  const given = new URLSearchParams(query.replace(/^\?/, ""));
  const errors: FieldError[] = presentation
    .filter((name) => given.has(name))
    .map((parameter) => ({ parameter, message: "orders or pages a list; a filter cannot have it" }));
  if (["semantic", "hybrid"].includes(given.get("search_mode") ?? "")) {
    errors.push({
      parameter: "search_mode",
      message: "must be keyword: which records are nearest depends on all the others, and a filter looks at one",
    });
  }
  if (given.has("similar_to")) {
    errors.push({ parameter: "similar_to", message: "ranks a list; a filter looks at one record" });
  }
  for (const parameter of ["agency", "exclude_agency"]) {
    if (given.getAll(parameter).some((name) => z.guid().safeParse(name).success)) {
      errors.push({
        parameter,
        message: `must be a name; for a funder by its id, use ${parameter.replace("agency", "funder_id")}`,
      });
    }
  }
  if (!read.ok) errors.push(...(read.problem.errors ?? [{ parameter: dataset, message: read.problem.detail }]));
  if (!read.ok || errors.length > 0) return { ok: false, errors };
  const parameters = Object.entries(read.value).filter(([name]) => !isPresentation(name));
  return { ok: true, value: { query: query.replace(/^\?/, ""), parameters: Object.fromEntries(parameters) } };
}
