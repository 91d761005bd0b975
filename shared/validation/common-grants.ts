import * as z from "zod";
import { directions, instant, oneOf } from "./fields.ts";
import { isAfterYearZero } from "./storable.ts";

/** Requests of the CommonGrants protocol, version 0.4.0. */

/** Statuses of opportunities in the protocol. */
export const opportunityStatuses = ["forecasted", "open", "closed", "custom"] as const;

/** Statuses of awards in the protocol. */
export const awardStatuses = ["awarded", "completed", "cancelled", "custom"] as const;

/** Limit of records on a page. */
const mostPerPage = 100;
/** The protocol's pages are numbers of 32 bits. */
const lastPage = 2 ** 31 - 1;

/** A whole number from 1. The protocol's document has no maximum, so ours has none either; a larger number is refused. */
function wholeNumber(maximum: number) {
  const error = `must be an integer from 1 to ${maximum}`;
  return z
    .number({ error })
    .min(1, { error })
    .refine((value) => Number.isInteger(value) && value <= maximum, { error })
    .meta({ type: "integer", format: "int32" });
}

/** The same in a query string. */
function wholeNumberText(maximum: number) {
  return z.preprocess(
    (value) => (typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value),
    wholeNumber(maximum),
  );
}

const pageDescription = { description: "The page to return, from 1." };
const pageSizeDescription = { description: `Maximum number of records on a page, up to ${mostPerPage}.` };

const listFields = {
  page: wholeNumberText(lastPage).default(1).meta(pageDescription),
  pageSize: wholeNumberText(mostPerPage).default(mostPerPage).meta(pageSizeDescription),
};

/** Query parameters of `GET /common-grants/opportunities` and `GET /common-grants/awards`. */
export const listPages = { names: Object.keys(listFields), schema: z.strictObject(listFields) };

const organizationFields = {
  ...listFields,
  registry: z.string().optional().meta({
    description: "Registry of an identifier: organizations that have one of it. `org:us:ein` alone is known.",
  }),
  id: z.string().optional().meta({ description: "With `registry`, the identifier: the organization that has it." }),
};

/** Query parameters of `GET /common-grants/orgs`. */
export const organizationPages = {
  names: Object.keys(organizationFields),
  schema: z.strictObject(organizationFields).superRefine(({ id, registry }, context) => {
    if (id === undefined || registry !== undefined) return;
    context.addIssue({
      code: "custom",
      path: ["id"],
      message: "needs registry: the registry that gave the identifier",
    });
  }),
};

export type OrganizationPages = z.infer<typeof organizationPages.schema>;

const profileFields = {
  at: instant().optional().meta({ description: "The organization as it was at this time." }),
};

/** Query parameters of `GET /common-grants/orgs/{orgId}`. */
export const profileParameters = { names: Object.keys(profileFields), schema: z.strictObject(profileFields) };

const searchPageFields = {
  page: wholeNumberText(lastPage).optional(),
  pageSize: wholeNumberText(mostPerPage).optional(),
};

/**
 * Query parameters of the searches. The protocol's document has none, but its makers' client for Python asks for later
 * pages by them, with the first page in the body. So they come before the body's.
 */
export const searchPages = { names: Object.keys(searchPageFields), schema: z.strictObject(searchPageFields) };

/** An object with no other members than these. */
function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `is not a field of the protocol; it may be ${Object.keys(shape).join(", ")}`
        : "must be an object",
  });
}

const dayError = "must be a date (YYYY-MM-DD) or a date-time with its offset (2026-06-10T14:00:00Z)";
const dayOrMoment = z.union(
  [z.iso.date().refine(isAfterYearZero), z.iso.datetime({ offset: true }).refine(isAfterYearZero)],
  { error: dayError },
);
const amount = fields({
  amount: z.string({ error: "must be a decimal number as text" }).regex(/^-?[0-9]+\.?[0-9]*$/, {
    error: "must be a decimal number as text, for example 25000.50",
  }),
  currency: z.string({ error: "must be a currency code" }),
});

function rangeOf<Bound extends z.ZodType>(bound: Bound) {
  return fields({ operator: oneOf(["between", "outside"]), value: fields({ min: bound, max: bound }) });
}

/** The protocol's groups of operators. The last has those of all others. */
const operatorGroups = [
  ["eq", "neq"],
  ["gt", "gte", "lt", "lte"],
  ["in", "notIn"],
  ["like", "notLike"],
  ["between", "outside"],
  ["eq", "neq", "gt", "gte", "lt", "lte", "in", "notIn", "between", "outside", "like", "notLike"],
] as const;
/** Any operator, as alternatives: the protocol's document has them so, and its makers' checker compares the first. */
const anyOperator = z.union(
  operatorGroups.map((group) => z.enum(group)),
  { error: `must be one of ${operatorGroups.at(-1)?.join(", ")}` },
);
const customFilter = fields({
  operator: anyOperator,
  // The allowed values depend on the filter: functions/common-grants/custom-filters.ts.
  value: z.unknown().nonoptional({ error: "must be the value to compare with" }),
});

// `z.record` would pass over a member of this name.
const customFilters = z
  .preprocess(
    (value, context) => {
      if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__")) {
        context.addIssue({ code: "custom", message: "has no filter __proto__" });
      }
      return value;
    },
    z.record(z.string(), customFilter, { error: "must be an object" }),
  )
  .meta({ description: "Further filters, by name: docs/common-grants.md." });

const textList = fields({
  operator: oneOf(["in", "notIn"]),
  value: z.array(z.string({ error: "must be text" }), { error: "must be a list of texts" }),
});

const filterFields = {
  status: textList.meta({
    description: `\`status.value\` is one of these, or none of them: ${opportunityStatuses.join(", ")}.`,
  }),
  closeDateRange: rangeOf(dayOrMoment).meta({
    description: "`keyDates.closeDate.date` is between two days, both included, or outside of them.",
  }),
  totalFundingAvailableRange: rangeOf(amount).meta({ description: "`funding.totalAmountAvailable`, the same." }),
  minAwardAmountRange: rangeOf(amount).meta({ description: "`funding.minAwardAmount`, the same." }),
  maxAwardAmountRange: rangeOf(amount).meta({ description: "`funding.maxAwardAmount`, the same." }),
  customFilters,
};

/** An object whose members may all be absent. */
function optionalFields<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  return fields(
    Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.optional()])) as {
      [Name in keyof Shape]: z.ZodOptional<Shape[Name]>;
    },
  );
}

/** OppFilters of the protocol. */
export const opportunityFilters = optionalFields(filterFields);

/** AwdFilters of the protocol. */
export const awardFilters = optionalFields({
  status: textList.meta({
    description: `\`status.value\` is one of these, or none of them: ${awardStatuses.join(", ")}.`,
  }),
  opportunityId: textList.meta({
    description:
      "Ids of opportunities under whose numbers the award was given, or none of them. Earlier awards of the same programme are not among these: `GET /grants-api/{id}/awards` has them.",
  }),
  awardDateRange: rangeOf(dayOrMoment).meta({
    description: "`keyDates.awardDate.date` is between two days, both included, or outside of them.",
  }),
  awardedAmountRange: rangeOf(amount).meta({ description: "`funding.awardedAmount`, the same." }),
  customFilters,
});

/** OppSortBy of the protocol. */
export const opportunityOrders = [
  "lastModifiedAt",
  "createdAt",
  "title",
  "status.value",
  "keyDates.closeDate",
  "funding.maxAwardAmount",
  "funding.minAwardAmount",
  "funding.totalAmountAvailable",
  "funding.estimatedAwardCount",
  "custom",
] as const;

/** AwdSortBy of the protocol. */
export const awardOrders = [
  "lastModifiedAt",
  "createdAt",
  "title",
  "status.value",
  "keyDates.awardDate",
  "funding.awardedAmount",
  "custom",
] as const;

function sortingBy<const Names extends readonly [string, ...string[]]>(names: Names) {
  return fields({
    sortBy: oneOf(names),
    customSortBy: z
      .string({ error: "must be text" })
      .optional()
      .meta({ description: "With `custom`: `relevance`, which needs `search`." }),
    sortOrder: oneOf(directions).optional().meta({ description: "By default, descending." }),
  })
    .optional()
    .meta({ description: "By default, what was modified last comes first." });
}

const pagination = fields({
  page: wholeNumber(lastPage).default(1).meta(pageDescription),
  pageSize: wholeNumber(mostPerPage).default(mostPerPage).meta(pageSizeDescription),
})
  .optional()
  .meta({ description: "The page of the results." });

const searchFields = {
  search: z
    .string({ error: "must be text" })
    .optional()
    .meta({ description: "Words to look for in title and description.", examples: ["summer meals"] }),
  filters: opportunityFilters.optional().meta({ description: "Opportunities meet all of these." }),
  sorting: sortingBy(opportunityOrders),
  pagination,
};

/** Body of `POST /common-grants/opportunities/search`. */
export const opportunitySearch = { names: Object.keys(searchFields), schema: z.strictObject(searchFields) };

const awardSearchFields = {
  search: searchFields.search,
  filters: awardFilters.optional().meta({ description: "Awards meet all of these." }),
  sorting: sortingBy(awardOrders),
  pagination,
};

/** Body of `POST /common-grants/awards/search`. */
export const awardSearch = { names: Object.keys(awardSearchFields), schema: z.strictObject(awardSearchFields) };

export type AwardSearch = z.infer<typeof awardSearch.schema>;
export type AwardFilters = z.infer<typeof awardFilters>;
export type OpportunitySearch = z.infer<typeof opportunitySearch.schema>;
export type OpportunityFilters = z.infer<typeof opportunityFilters>;
