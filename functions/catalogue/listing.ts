import type * as z from "zod";
import { filters } from "../../shared/catalogue/filters.ts";
import { facetNames } from "../../shared/catalogue/parameters.ts";
import type { Filter } from "../../shared/catalogue/rules.ts";
import { partsToRead } from "../../shared/endpoint/list-query.ts";
import { type Outcome, succeed } from "../../shared/http/problems.ts";
import type { ListParameters } from "../../shared/validation/list.ts";
import { contractList, grantList } from "../../shared/validation/opportunities.ts";
import { type QueryParameters, readListQuery } from "../../shared/validation/query.ts";

export type Opportunities = "grants" | "contracts";

export const pageSize = 20;
/** Pages of a list, at most: those that an offset reaches. */
export const maximumPage = 500;

const lists: Readonly<Record<Opportunities, QueryParameters<z.ZodType<ListParameters>>>> = {
  grants: grantList,
  contracts: contractList,
};

/** Orders of a list by the names that addresses have, and what they are in the API. */
const sorts = {
  closing: { label: "Closing soonest", sort_by: "deadline_date", order: "asc" },
  newest: { label: "Newest", sort_by: "created_at", order: "desc" },
  relevance: { label: "Best match", sort_by: "relevance", order: "desc" },
} as const;
export type Sort = keyof typeof sorts;

/** What a visitor looks at: everything that the address of a list says. */
export interface Listing {
  dataset: Opportunities;
  search?: string | undefined;
  /** Values by filter, as the API takes them. */
  chosen: ReadonlyMap<string, readonly string[]>;
  sort: Sort;
  page: number;
  /** Whether opportunities that can no longer be applied for are listed, too. */
  hasPast: boolean;
}

/** Fields of the records of a page. */
const fields = [
  ...["id", "title", "description", "status", "amount_min", "amount_max", "deadline_date", "project_end_date"],
  ...["geography", "funder_id", "funder_name", "created_at", "categories"],
  ...["applicant_types", "agency", "total_funding"],
];

/** Facets in the order in which people decide. Those that a dataset does not have are left out. */
const facetOrder = ["applicant_type", "category", "states", "agency", "set_aside", "funding_instrument", "status"];

export function facetsOf(dataset: Opportunities): string[] {
  const known = facetNames(dataset);
  return facetOrder.filter((name) => known.includes(name));
}

/** Filters of a list that pages have, with their labels: those of the explorer's form. Withdrawn records have no pages. */
export function filterLabels(dataset: Opportunities): ReadonlyMap<string, string> {
  const labelled = Object.entries<Filter>(filters).flatMap(([name, { datasets, label, parameter }]) =>
    label !== undefined && parameter !== undefined && datasets.includes(dataset) && name !== "include_archived"
      ? [[name, label] as const]
      : [],
  );
  return new Map(labelled);
}

/** Orders that a list may have, by name, with their labels. */
export function sortsOf({ search }: Pick<Listing, "search">): { name: Sort; label: string }[] {
  const names: Sort[] = search === undefined ? ["closing", "newest"] : ["relevance", "closing", "newest"];
  return names.map((name) => ({ name, label: sorts[name].label }));
}

/**
 * Reads what an address asks for. Parameters that no list has are passed over: links from elsewhere have some of their own. So are empty ones, which forms
 * send.
 */
export async function readListing(given: URLSearchParams): Promise<Outcome<Listing>> {
  const dataset = given.get("dataset") === "contracts" ? "contracts" : "grants";
  const labels = filterLabels(dataset);
  const kept = new URLSearchParams();
  for (const [name, value] of given) {
    if ((name === "search" || labels.has(name)) && value.trim() !== "") kept.append(name, value);
  }
  const query = await readListQuery(kept.toString(), lists[dataset]);
  if (!query.ok) return query;
  const parsed = query.value;
  const names = [...labels.keys()].filter((name) => kept.has(name));
  const chosen = names.map((name) => [name, valuesOf(name, parsed[name], kept.get(name) ?? "")] as const);
  const { search } = parsed;
  const sort = sortsOf({ search }).find(({ name }) => name === given.get("sort"))?.name;
  return succeed({
    dataset,
    search,
    chosen: new Map(chosen),
    sort: sort ?? defaultSort(search),
    page: readPage(given.get("page")),
    hasPast: given.get("past") === "yes",
  });
}

/** Values of a filter as they are written in an address: of one that takes several, as the lists read them. */
function valuesOf(name: string, parsed: unknown, given: string): string[] {
  const isSeveral =
    Array.isArray(parsed) || (filters as Record<string, Filter>)[name.replace(/^exclude_/, "")]?.several;
  return isSeveral ? [...new Set([parsed].flat().map(String))] : [given.trim()];
}

function readPage(text: string | null): number {
  const page = /^\d{1,4}$/.test(text ?? "") ? Number(text) : 1;
  return Math.min(Math.max(page, 1), maximumPage);
}

function defaultSort(search: string | undefined): Sort {
  return search === undefined ? "closing" : "relevance";
}

/** Path of a list's page. `readListing` reads the same listing from it. */
export function listingPath(listing: Listing): string {
  const { dataset, search, chosen, sort, page, hasPast } = listing;
  const query = new URLSearchParams();
  if (dataset !== "grants") query.set("dataset", dataset);
  if (search !== undefined) query.set("search", search);
  for (const [name, values] of chosen) for (const value of values) query.append(name, value);
  if (hasPast) query.set("past", "yes");
  if (sort !== defaultSort(search)) query.set("sort", sort);
  if (page > 1) query.set("page", String(page));
  const text = query.toString();
  return text === "" ? "/funding" : `/funding?${text}`;
}

/** The listing with a value added, or taken away where it has it, from its first page. */
export function toggled(listing: Listing, name: string, value: string): Listing {
  const values = listing.chosen.get(name) ?? [];
  const others = values.filter((one) => !isSame(one, value));
  const next = others.length < values.length ? others : [...values, value];
  const chosen = new Map(listing.chosen);
  if (next.length === 0) chosen.delete(name);
  else chosen.set(name, next);
  return { ...listing, chosen, page: 1 };
}

/** Names are compared in upper or lower case, as the lists do. */
export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Statuses in which something can be applied for now or later. */
const applicable = ["open", "upcoming"];
/** Filters that say by themselves which statuses are wanted. */
const ofStatus = ["status", "exclude_status", "opportunity_type", "closing_within"];

/** Whether the list leaves out what has ended because the address does not ask for it. */
export function leavesOutPast({ chosen, hasPast }: Listing): boolean {
  return !hasPast && !ofStatus.some((name) => chosen.has(name));
}

/** Parameters of the list in the API, and the fields to leave in its records. */
export async function listParameters(
  listing: Listing,
): Promise<Outcome<{ parameters: ListParameters; fields: readonly string[] }>> {
  const { dataset, search, chosen, sort, page } = listing;
  const { names } = lists[dataset];
  const { sort_by, order } = sorts[sort];
  const query = new URLSearchParams({ limit: String(pageSize), offset: String((page - 1) * pageSize), sort_by, order });
  if (search !== undefined) query.set("search", search);
  for (const [name, values] of chosen) for (const value of values) query.append(name, value);
  if (leavesOutPast(listing)) for (const status of applicable) query.append("status", status);
  query.set("fields", fields.join(","));
  query.set("facets", facetsOf(dataset).join(","));
  // A facet without its own filter keeps the values beside the chosen one.
  if (names.includes("facets_mode")) query.set("facets_mode", "disjunctive");
  const read = await readListQuery(query.toString(), lists[dataset]);
  if (!read.ok) return read;
  const { fields: wanted = fields, ...parameters } = read.value;
  return succeed({ parameters: { ...parameters, expand: partsToRead(dataset, { fields: wanted }) }, fields: wanted });
}
