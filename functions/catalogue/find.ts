import { queryPage } from "../../shared/endpoint/list-query.ts";
import { fail, type Outcome, succeed } from "../../shared/http/problems.ts";
import type { Facets } from "../../shared/responses/lists.ts";
import type { Contract, Grant } from "../../shared/responses/records.ts";
import type { ListParameters } from "../../shared/validation/list.ts";
import { type Listing, listParameters, type Opportunities } from "./listing.ts";
import { bodyOf, type Visit } from "./visit.ts";

/** A record of a list's page: of its fields and details, those that were asked for. */
export type Listed = Grant | Contract;

export interface Found {
  total: number;
  results: Listed[];
  facets: Facets;
}

/** The records of a listing, with its facets: one call. */
export async function find(visit: Visit, listing: Listing): Promise<Outcome<Found>> {
  const read = await listParameters(listing);
  if (!read.ok) return fail(read.problem);
  return succeed(await readPage(visit, listing.dataset, read.value.parameters, read.value.fields));
}

/** A page of a list. */
export async function readPage(
  { query }: Visit,
  dataset: Opportunities,
  parameters: ListParameters,
  fields?: readonly string[],
): Promise<Found> {
  const body = await bodyOf(queryPage(query, `list_${dataset}`, parameters, fields));
  if (!("page" in body)) throw new Error("a list was answered without a page");
  const { results, total, facets } = body.page;
  return { results: JSON.parse(results) as Listed[], total, facets: facets ?? {} };
}

/** Categories of current grants, the most frequent first: those that have a page. */
export async function readTopics({ query }: Visit): Promise<Facets[string]> {
  const parameters = { limit: 1, offset: 0, search_mode: "keyword", count_only: true, facets: ["category"] };
  const body = await bodyOf(queryPage(query, "list_grants", { ...parameters, opportunity_type: "open" }));
  return ("count" in body ? body.count.facets?.category : undefined) ?? [];
}
