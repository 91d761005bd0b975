import * as z from "zod";
import { readPlace } from "../geography/read-place.ts";
import { openOpportunities, scopeHint } from "../responses/scope.ts";
import { inCursorOrder, type Paged } from "./cursor.ts";
import {
  amount,
  boolean,
  date,
  directions,
  moment,
  oneOf,
  paging,
  searchModes,
  searchText,
  someOf,
  states,
  text,
} from "./fields.ts";
import { parametersFit } from "./list.ts";
import { setAsideCode } from "./set-aside.ts";

const orders = ["created_at", "deadline_date", "amount_min", "amount_max", "title", "relevance"] as const;

/** The filters that grants and contracts share, in the order of the published contract. */
const opportunityFields = {
  search: searchText()
    .optional()
    .meta({
      description:
        'Words to look for in title and description. `"two words"` is a phrase, `-word` excludes, `or` means either. A search that is a number (opportunity, solicitation, assistance listing, NAICS) finds the records that have it, however it is written.',
      examples: ["summer meals"],
    }),
  search_mode: oneOf(searchModes).default("keyword").meta({
    description:
      "`keyword` filters by the words, `semantic` ranks by meaning, `hybrid` fuses both rankings. The last two need `search`.",
  }),
  opportunity_type: oneOf(["open", "awarded", "all"])
    .default("open")
    .meta({
      description: `\`open\`: ${openOpportunities}. \`awarded\`: money already awarded. \`all\`: both. ${scopeHint}`,
    }),
  category: text()
    .optional()
    .meta({ description: "A category's whole name, in any case.", examples: ["Education"] }),
  states: states()
    .optional()
    .meta({
      description: "Records for any of these states: comma-separated USPS codes, in either case.",
      examples: [["OH", "PA"]],
    }),
  include_national: boolean().default(false).meta({
    description: "With `states`: national records too.",
  }),
  geography: text()
    .optional()
    .meta({
      description: "A place as people write it, looked for in the record's `geography`. Use `states` instead.",
      deprecated: true,
      examples: ["Ohio"],
    }),
  min_amount: amount()
    .optional()
    .meta({ description: "US dollars: `amount_max` is at least this.", examples: [50_000] }),
  max_amount: amount()
    .optional()
    .meta({ description: "US dollars: `amount_min` is at most this.", examples: [250_000] }),
  deadline_after: date()
    .optional()
    .meta({ description: "The deadline is later than this day; the day itself is outside.", examples: ["2026-12-31"] }),
  deadline_before: date()
    .optional()
    .meta({
      description: "The deadline is earlier than this day; the day itself is outside.",
      examples: ["2027-07-01"],
    }),
  posted_after: moment()
    .optional()
    .meta({
      description: "`created_at` is later than this; a day means its first moment in UTC.",
      examples: ["2026-06-10", "2026-06-10T14:00:00Z"],
    }),
  sort_by: oneOf(orders).optional().meta({
    description:
      "Nulls come last in both directions, ties are ordered by id. A semantic or hybrid search is by `relevance` when this is absent. `relevance` needs `search`.",
    default: "created_at",
  }),
  order: oneOf(directions).optional().meta({ description: "The direction of `sort_by`.", default: "desc" }),
  include_archived: boolean().default(false).meta({
    description: "Records that have left the current catalogue too.",
  }),
  ...paging(orders),
};

const grantFields = {
  ...opportunityFields,
  status: oneOf(["open", "posted", "closed", "forecasted", "upcoming"]).optional().meta({
    description: "`open` and `posted` mean the same, as do `upcoming` and `forecasted`.",
  }),
  facets: facets(["status", "states", "category"]),
};

const contractFields = {
  ...opportunityFields,
  status: text()
    .optional()
    .meta({ description: "A contract's status, as its publisher writes it.", examples: ["open", "closed"] }),
  naics: z
    .string()
    .regex(/^\d{6}$/, { error: "must be a six-digit NAICS code, for example 541511" })
    .optional()
    .meta({ description: "The industry's NAICS code.", examples: ["541511"] }),
  set_aside: text()
    .transform(setAsideCode)
    .optional()
    .meta({ description: "A set-aside by its GSA code or its common name, in any case.", examples: ["HUBZone", "8A"] }),
  facets: facets(["status", "states", "category", "naics", "set_aside"]),
};

function facets<const Values extends readonly [string, ...string[]]>(values: Values) {
  return someOf(values)
    .optional()
    .meta({
      description:
        "Count the list's records by these fields, comma-separated: `facets` of the answer has each field's hundred most frequent values.",
      examples: [values.slice(0, 2)],
    });
}

/** The query parameters of `GET /grants-api`. */
export const grantList = {
  names: Object.keys(grantFields),
  schema: z.strictObject(grantFields).superRefine(parametersFit).transform(completed),
};

/** The query parameters of `GET /contracts-api`. */
export const contractList = {
  names: Object.keys(contractFields),
  schema: z.strictObject(contractFields).superRefine(parametersFit).transform(completed),
};

function completed<Parameters extends Paged & { geography?: string | undefined }>(parameters: Parameters) {
  return withGeographyStates(inCursorOrder(parameters));
}

/**
 * The deprecated `geography` is free text; where it names states, hybrid search filters by those
 * states rather than by the text.
 */
function withGeographyStates<Parameters extends { geography?: string | undefined }>(parameters: Parameters) {
  const named = parameters.geography === undefined ? [] : readPlace(parameters.geography).states;
  return named.length === 0 ? parameters : { ...parameters, geography_states: named };
}
