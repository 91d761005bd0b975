import type { OrderName } from "../../shared/catalogue/orders.ts";
import { type FieldError, fail, invalidParameters, type Outcome, succeed } from "../../shared/http/problems.ts";
import type { SortInfo } from "../../shared/responses/common-grants.ts";
import type { OpportunityFilters, OpportunitySearch } from "../../shared/validation/common-grants.ts";
import { fieldErrors, sanitizeName } from "../../shared/validation/errors.ts";
import type { ListParameters } from "../../shared/validation/list.ts";
import { grantList } from "../../shared/validation/opportunities.ts";
import { readFilters } from "./filters.ts";

/** A page of opportunities: parameters of `list_grants`, and the answer's fields about them. */
export interface OpportunityList {
  parameters: ListParameters;
  page: number;
  pageSize: number;
  sortInfo: SortInfo;
  filterInfo: { filters: OpportunityFilters; errors?: string[] };
}

/** Order of a list of grants for each order of the protocol. `custom` is any other of ours. */
const orders: Record<Exclude<Sorting["sortBy"], "custom">, OrderName> = {
  lastModifiedAt: "updated_at",
  createdAt: "created_at",
  title: "title",
  "status.value": "status",
  "keyDates.closeDate": "deadline_date",
  "funding.maxAwardAmount": "amount_max",
  "funding.minAwardAmount": "amount_min",
  "funding.totalAmountAvailable": "total_funding",
  "funding.estimatedAwardCount": "expected_awards",
};

type Sorting = NonNullable<OpportunitySearch["sorting"]>;

/** Largest offset that the database takes: `funding.require_bounds`. A page behind it is as empty as one at it. */
const largestOffset = 1_000_000;

/** Translates a search of the protocol to a list of grants: the opportunities that are current, with their details. */
export async function readSearch({
  search = "",
  filters = {},
  sorting,
  pagination,
}: OpportunitySearch): Promise<Outcome<OpportunityList>> {
  const { page, pageSize } = { page: 1, pageSize: 100, ...pagination };
  const { conditions, query, fields, applied, errors, filterErrors } = readFilters(filters);
  const text = search.trim();
  const given = text === "" ? query : { ...query, search: text };
  const parsed = grantList.schema.safeParse(given);
  if (!parsed.success || filterErrors.length > 0) {
    const others = parsed.success ? [] : await withCodes(fieldErrors(parsed.error, given), query.states);
    return fail(
      invalidParameters([
        ...filterErrors,
        ...others.map(({ parameter, message }) => ({ parameter: fields[parameter] ?? parameter, message })),
      ]),
    );
  }
  const { sort_by, sortInfo } = readSorting(sorting, text !== "");
  return succeed({
    parameters: {
      ...parsed.data,
      ...conditions,
      expand: ["details"],
      limit: pageSize,
      offset: Math.min((page - 1) * pageSize, largestOffset),
      sort_by,
      order: sortInfo.sortOrder,
    },
    page,
    pageSize,
    sortInfo,
    filterInfo: { filters: applied, ...(errors.length === 0 ? {} : { errors }) },
  });
}

/** The errors, with codes for the names of states in the place of some. The place reader is loaded for that alone. */
async function withCodes(errors: FieldError[], states: string | string[] | undefined): Promise<FieldError[]> {
  if (states === undefined) return errors;
  const { suggestStates } = await import("../../shared/geography/query-places.ts");
  return suggestStates(errors, [states].flat().join(","));
}

/** The order of a list, and the answer's fields about it. An unknown order is replaced by the usual one. */
function readSorting(sorting: Sorting | undefined, isSearch: boolean): { sort_by: string; sortInfo: SortInfo } {
  const { sortBy, customSortBy, sortOrder = "desc" } = sorting ?? { sortBy: "lastModifiedAt" };
  if (sortBy !== "custom") {
    const errors = customSortBy === undefined ? {} : { errors: ["customSortBy was not applied: sortBy is not custom"] };
    return { sort_by: orders[sortBy], sortInfo: { sortBy, sortOrder, ...errors } };
  }
  if (customSortBy === "relevance" && isSearch) {
    return { sort_by: "relevance", sortInfo: { sortBy, customSortBy, sortOrder } };
  }
  const reason =
    customSortBy === "relevance"
      ? "relevance needs a search"
      : `${sanitizeName(customSortBy ?? "custom")} is not an order; customSortBy may be relevance`;
  return {
    sort_by: orders.lastModifiedAt,
    sortInfo: { sortBy: "lastModifiedAt", sortOrder, errors: [`custom was not applied: ${reason}`] },
  };
}
