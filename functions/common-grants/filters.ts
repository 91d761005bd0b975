import * as z from "zod";
import type { FieldError } from "../../shared/http/problems.ts";
import { publisherDay } from "../../shared/publisher-day.ts";
import type { Grant } from "../../shared/responses/records.ts";
import {
  type AwardFilters,
  awardStatuses,
  type OpportunityFilters,
  opportunityStatuses,
} from "../../shared/validation/common-grants.ts";
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
  /** Of awards. */
  awarded_amount_range?: Range<number>;
  posted_range?: Range<string>;
  /** Day on which the project has not ended, or has no known end. */
  runs_on?: string;
  /** Opportunities under whose numbers they were given, or none of them. */
  awarded_under?: { operator: "in" | "notIn"; ids: string[] };
  project_end_before?: string;
}

interface Range<Bound> {
  operator: "between" | "outside";
  min: Bound;
  max: Bound;
}

/** Filters as conditions of a list of grants. */
export interface ReadFilters<Filters = OpportunityFilters> {
  conditions: GrantConditions;
  /** Query parameters of `GET /grants-api`, as text: one, or each value of a list. */
  query: Record<string, string | string[]>;
  /** Field of the request that each of these comes from. */
  fields: Record<string, string>;
  /** The filters that are applied. */
  applied: Filters;
  /** Filters that are not applied, and filters that no record can meet. */
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

/** Condition that no record meets: it allows no status. */
const matchesNothing: GrantConditions = { statuses: [] };

/** Limit of errors in an answer. */
const mostErrors = 50;

export function readFilters(filters: OpportunityFilters): ReadFilters {
  const { status, closeDateRange, totalFundingAvailableRange, minAwardAmountRange, maxAwardAmountRange } = filters;
  return combine(filters, [
    status && readStatus(status),
    closeDateRange && readCloseDates(closeDateRange),
    totalFundingAvailableRange &&
      readMoney("totalFundingAvailableRange", "total_funding_range", totalFundingAvailableRange),
    minAwardAmountRange && readMoney("minAwardAmountRange", "amount_min_range", minAwardAmountRange),
    maxAwardAmountRange && readMoney("maxAwardAmountRange", "amount_max_range", maxAwardAmountRange),
  ]);
}

/** Translates filters of awards. An award has ended the day after its project's last one, where publishers are. */
export function readAwardFilters(filters: AwardFilters, today = publisherDay(new Date())): ReadFilters<AwardFilters> {
  const { status, opportunityId, awardDateRange, awardedAmountRange } = filters;
  return combine(filters, [
    status && readAwardStatus(status, today),
    opportunityId && readOpportunities(opportunityId),
    awardDateRange && readAwardDates(awardDateRange),
    awardedAmountRange && readMoney("awardedAmountRange", "awarded_amount_range", awardedAmountRange),
  ]);
}

/** Awards by the ids of their opportunities, whose numbers they name. */
function readOpportunities({ operator, value }: NonNullable<AwardFilters["opportunityId"]>): Part {
  const ids = value.filter((id) => z.guid().safeParse(id).success);
  const others = value.filter((id) => !ids.includes(id));
  return {
    conditions: { awarded_under: { operator, ids } },
    errors: others.map((id) => `opportunityId: no opportunity has the id ${sanitizeName(id)}`),
  };
}

type CustomFilters = OpportunityFilters["customFilters"];

/** The filters of a search, of which those of the protocol were read, together with the custom ones. */
function combine<Filters extends { customFilters?: CustomFilters }>(
  filters: Filters,
  read: readonly (Part | undefined)[],
): ReadFilters<Filters> {
  const parts = read.filter((part) => part !== undefined);
  const custom = readCustomFilters(filters.customFilters ?? {});
  const conditions: GrantConditions = Object.assign({}, ...parts.map((part) => part.conditions));
  // If no record can meet one filter, none is found, whatever the others allow.
  const isNone = custom.isNone || parts.some((part) => part.conditions === matchesNothing);
  return {
    conditions: isNone ? { ...conditions, ...matchesNothing } : conditions,
    query: custom.query,
    fields: custom.fields,
    applied: filters.customFilters === undefined ? filters : { ...filters, customFilters: custom.applied },
    errors: [...parts.flatMap((part) => part.errors), ...custom.errors].slice(0, mostErrors),
    filterErrors: custom.filterErrors,
  };
}

/** A filter as conditions, and what is said about it. */
interface Part {
  conditions: GrantConditions;
  errors: string[];
}

function readStatus({ operator, value }: NonNullable<OpportunityFilters["status"]>): Part {
  const meant = opportunityStatuses.filter((status) => value.includes(status) === (operator === "in"));
  const statuses = meant.flatMap((status) => storedStatuses[status]);
  return {
    conditions: statuses.length === 0 ? matchesNothing : { statuses },
    errors: unknownStatuses(value, opportunityStatuses, "opportunity"),
  };
}

function unknownStatuses(given: readonly string[], known: readonly string[], what: string): string[] {
  const unknown = [...new Set(given)].filter((name) => !known.includes(name));
  return unknown.map((name) => `status: no ${what} has the status ${sanitizeName(name)}`);
}

type DayRange = NonNullable<OpportunityFilters["closeDateRange"]>;

function readCloseDates(range: DayRange): Part {
  const { errors, ...days } = readDays("closeDateRange", range);
  return { conditions: { deadline_range: days }, errors };
}

/** Days of a range, and what is said about it. */
function readDays(filter: string, { operator, value }: DayRange): Range<string> & { errors: string[] } {
  const min = value.min.slice(0, 10);
  const max = value.max.slice(0, 10);
  const errors = [
    ...(value.min === min && value.max === max ? [] : [`${filter}: days are compared, without the time of day`]),
    ...(min > max ? [`${filter}: min is after max`] : []),
  ];
  return { operator, min, max, errors };
}

/** Reads a filter of amounts. Ours are US dollars: as the protocol says, a filter in another currency leaves them out. */
function readMoney(
  filter: string,
  parameter: "amount_min_range" | "amount_max_range" | "total_funding_range" | "awarded_amount_range",
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

function readAwardStatus({ operator, value }: NonNullable<AwardFilters["status"]>, today: string): Part {
  const isMeant = (status: (typeof awardStatuses)[number]) => value.includes(status) === (operator === "in");
  const errors = unknownStatuses(value, awardStatuses, "award");
  const [runs, hasEnded] = [isMeant("awarded"), isMeant("completed")];
  if (runs && hasEnded) return { conditions: {}, errors };
  if (runs) return { conditions: { runs_on: today }, errors };
  return { conditions: hasEnded ? { project_end_before: today } : matchesNothing, errors };
}

function readAwardDates(range: NonNullable<AwardFilters["awardDateRange"]>): Part {
  const { operator, min, max, errors } = readDays("awardDateRange", range);
  const moments = { operator, min: `${min}T00:00:00.000Z`, max: `${max}T23:59:59.999Z` };
  return { conditions: { posted_range: moments }, errors };
}
