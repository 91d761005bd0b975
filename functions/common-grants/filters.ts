import type { FieldError } from "../../shared/http/problems.ts";
import { opportunityStatuses } from "../../shared/responses/common-grants.ts";
import type { Grant } from "../../shared/responses/records.ts";
import type { OpportunityFilters } from "../../shared/validation/common-grants.ts";
import { sanitizeName } from "../../shared/validation/errors.ts";
import { readCustomFilters } from "./custom-filters.ts";

/** Parameters of `list_grants` that only this endpoint uses: see `funding.filter_of`. */
export interface GrantConditions {
  /** Stored statuses, of which a grant has one. */
  statuses?: Grant["status"][];
  deadline_range?: Range<string>;
  amount_min_range?: Range<number>;
  amount_max_range?: Range<number>;
  total_funding_range?: Range<number>;
}

interface Range<Bound> {
  operator: "between" | "outside";
  min: Bound;
  max: Bound;
}

/** Filters as conditions of a list of grants. */
export interface ReadFilters {
  conditions: GrantConditions;
  /** Query parameters of `GET /grants-api`, as text: one, or each value of a list. */
  query: Record<string, string | string[]>;
  /** Field of the request that each of these comes from. */
  fields: Record<string, string>;
  /** The filters that are applied. */
  applied: OpportunityFilters;
  /** Filters that are not applied, and filters that no opportunity can meet. */
  errors: string[];
  /** Fields for which the request is refused. */
  filterErrors: FieldError[];
}

/** Stored statuses of each of the protocol's. An awarded project is `custom`, and no opportunity. */
const storedStatuses: Record<(typeof opportunityStatuses)[number], readonly Grant["status"][]> = {
  forecasted: ["forecasted", "upcoming"],
  open: ["open", "posted"],
  closed: ["closed"],
  custom: [],
};

/** Condition that no opportunity meets: it allows no status. */
const matchesNothing: GrantConditions = { statuses: [] };

/** Limit of errors in an answer. */
const mostErrors = 50;

export function readFilters(filters: OpportunityFilters): ReadFilters {
  const { customFilters = {}, ...standard } = filters;
  const { status, closeDateRange, totalFundingAvailableRange, minAwardAmountRange, maxAwardAmountRange } = standard;
  const parts = [
    status && readStatus(status),
    closeDateRange && readDays(closeDateRange),
    totalFundingAvailableRange &&
      readMoney("totalFundingAvailableRange", "total_funding_range", totalFundingAvailableRange),
    minAwardAmountRange && readMoney("minAwardAmountRange", "amount_min_range", minAwardAmountRange),
    maxAwardAmountRange && readMoney("maxAwardAmountRange", "amount_max_range", maxAwardAmountRange),
  ].filter((part) => part !== undefined);
  const custom = readCustomFilters(customFilters);
  const conditions: GrantConditions = Object.assign({}, ...parts.map((part) => part.conditions));
  // If no opportunity can meet one filter, none is found, whatever the others allow.
  const isNone = custom.isNone || parts.some((part) => part.conditions === matchesNothing);
  return {
    conditions: isNone ? { ...conditions, ...matchesNothing } : conditions,
    query: custom.query,
    fields: custom.fields,
    applied: filters.customFilters === undefined ? standard : { ...standard, customFilters: custom.applied },
    errors: [...parts.flatMap((part) => part.errors), ...custom.errors].slice(0, mostErrors),
    filterErrors: custom.filterErrors,
  };
}

interface Part {
  conditions: GrantConditions;
  errors: string[];
}

function readStatus({ operator, value }: NonNullable<OpportunityFilters["status"]>): Part {
  const unknown = [...new Set(value)].filter((name) => !opportunityStatuses.some((status) => status === name));
  const meant = opportunityStatuses.filter((status) => value.includes(status) === (operator === "in"));
  const statuses = meant.flatMap((status) => storedStatuses[status]);
  return {
    conditions: statuses.length === 0 ? matchesNothing : { statuses },
    errors: unknown.map((name) => `status: no opportunity has the status ${sanitizeName(name)}`),
  };
}

function readDays({ operator, value }: NonNullable<OpportunityFilters["closeDateRange"]>): Part {
  const min = value.min.slice(0, 10);
  const max = value.max.slice(0, 10);
  const errors = [
    ...(value.min === min && value.max === max ? [] : ["closeDateRange: days are compared, without the time of day"]),
    ...(min > max ? ["closeDateRange: min is after max"] : []),
  ];
  return { conditions: { deadline_range: { operator, min, max } }, errors };
}

/** Reads a filter of amounts. Ours are US dollars: as the protocol says, a filter in another currency leaves them out. */
function readMoney(
  filter: string,
  parameter: "amount_min_range" | "amount_max_range" | "total_funding_range",
  { operator, value }: NonNullable<OpportunityFilters["minAwardAmountRange"]>,
): Part {
  if (value.min.currency !== "USD" || value.max.currency !== "USD") {
    return { conditions: matchesNothing, errors: [`${filter}: all amounts are in USD`] };
  }
  const min = toNumber(value.min.amount);
  const max = toNumber(value.max.amount);
  return {
    conditions: { [parameter]: { operator, min, max } },
    errors: min > max ? [`${filter}: min is more than max`] : [],
  };
}

/** A decimal number within the range of the stored ones, beyond which there is no amount. */
function toNumber(decimal: string): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(decimal)));
}
