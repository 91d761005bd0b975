import type { OrderName } from "../../shared/catalogue/orders.ts";
import { type FieldError, fail, invalidParameters, type Outcome, succeed } from "../../shared/http/problems.ts";
import type { SortInfo } from "../../shared/responses/common-grants.ts";
import type { AwardFilters, OpportunityFilters, OpportunitySearch } from "../../shared/validation/common-grants.ts";
import { fieldErrors, sanitizeName } from "../../shared/validation/errors.ts";
import type { ListParameters } from "../../shared/validation/list.ts";
import { grantList } from "../../shared/validation/opportunities.ts";
import { type ReadFilters, readAwardFilters, readFilters } from "./filters.ts";

/** A page of opportunities or awards: parameters of `list_grants`, and the answer's fields about them. */
export interface ListOfPage {
  parameters: ListParameters;
  page: number;
  pageSize: number;
  sortInfo: SortInfo;
  filterInfo: { filters: object; errors?: string[] };
}

/** A kind of records that the protocol searches among the grants. */
interface SearchKind<Filters> {
  /** Order of a list of grants for each order of the protocol. `custom` is any other of ours. */
  orders: Readonly<Record<string, OrderName>>;
  readFilters(filters: Filters): ReadFilters<Filters>;
  /** Parameters of every list of theirs. */
  query: Readonly<Record<string, string>>;
}

export const opportunities: SearchKind<OpportunityFilters> = {
  orders: {
    lastModifiedAt: "updated_at",
    createdAt: "created_at",
    title: "title",
    "status.value": "status",
    "keyDates.closeDate": "deadline_date",
    "funding.maxAwardAmount": "amount_max",
    "funding.minAwardAmount": "amount_min",
    "funding.totalAmountAvailable": "total_funding",
    "funding.estimatedAwardCount": "expected_awards",
  },
  readFilters,
  query: {},
};

export const awards: SearchKind<AwardFilters> = {
  orders: {
    lastModifiedAt: "updated_at",
    createdAt: "created_at",
    title: "title",
    "keyDates.awardDate": "created_at",
    "funding.awardedAmount": "awarded_amount",
  },
  readFilters: (filters) => readAwardFilters(filters),
  query: { opportunity_type: "awarded" },
};

/** A search of one of these kinds. */
type Search<Filters> = Pick<OpportunitySearch, "search" | "pagination"> & {
  filters?: Filters | undefined;
  sorting?: Sorting | undefined;
};

interface Sorting {
  sortBy: string;
  customSortBy?: string | undefined;
  sortOrder?: "asc" | "desc" | undefined;
}

/** Largest offset that the database takes: `funding.require_bounds`. A page behind it is as empty as one at it. */
export const largestOffset = 1_000_000;

/** Translates a search of the protocol to a list of grants: those of a kind that are current, with their details. */
export async function readSearch<Filters extends object>(
  kind: SearchKind<Filters>,
  { search = "", filters = {} as Filters, sorting, pagination }: Search<Filters>,
): Promise<Outcome<ListOfPage>> {
  const { page, pageSize } = { page: 1, pageSize: 100, ...pagination };
  const { conditions, query, fields, applied, errors, filterErrors } = kind.readFilters(filters);
  const text = search.trim();
  const given = { ...query, ...kind.query, ...(text === "" ? {} : { search: text }) };
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
  const { sort_by, sortInfo } = readSorting(kind.orders, sorting, text !== "");
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
function readSorting(
  orders: Readonly<Record<string, OrderName>>,
  sorting: Sorting | undefined,
  isSearch: boolean,
): { sort_by: string; sortInfo: SortInfo } {
  const { sortBy, customSortBy, sortOrder = "desc" } = sorting ?? { sortBy: "lastModifiedAt" };
  if (sortBy !== "custom") {
    const errors = customSortBy === undefined ? {} : { errors: ["customSortBy was not applied: sortBy is not custom"] };
    const sort_by = orders[sortBy];
    if (sort_by !== undefined) return { sort_by, sortInfo: { sortBy, sortOrder, ...errors } };
    const unsorted = [`${sortBy} was not applied: it follows from the end of the project`];
    return { sort_by: "updated_at", sortInfo: { sortBy: "lastModifiedAt", sortOrder, errors: unsorted } };
  }
  if (customSortBy === "relevance" && isSearch) {
    return { sort_by: "relevance", sortInfo: { sortBy, customSortBy, sortOrder } };
  }
  const reason =
    customSortBy === "relevance"
      ? "relevance needs a search"
      : `${sanitizeName(customSortBy ?? "custom")} is not an order; customSortBy may be relevance`;
  return {
    sort_by: "updated_at",
    sortInfo: { sortBy: "lastModifiedAt", sortOrder, errors: [`custom was not applied: ${reason}`] },
  };
}
