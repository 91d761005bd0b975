import * as z from "zod";
import { readPlace } from "../geography/read-place.ts";
import { applicantTypes, fundingInstruments } from "../responses/details.ts";
import { openOpportunities, scopeHint } from "../responses/scope.ts";
import { contractStatus } from "./contract-status.ts";
import {
  amount,
  boolean,
  date,
  directions,
  explain,
  moment,
  oneOf,
  paging,
  searchModes,
  searchText,
  similarTo,
  someOf,
  states,
  text,
} from "./fields.ts";
import { applyCursorOrder, checkListParameters, type Paged } from "./list.ts";
import { setAsideCode } from "./set-aside.ts";

const orders = ["created_at", "updated_at", "deadline_date", "amount_min", "amount_max", "title", "relevance"] as const;

/** Filters that grants and contracts share, in the order of docs/filters.md. */
const opportunityFields = {
  search: searchText()
    .optional()
    .meta({
      description:
        'Words to look for in title and description. `"two words"` is a phrase, `-word` excludes, `or` means either. A number (opportunity, solicitation, assistance listing, NAICS) finds the records that have it, however it is written.',
      examples: ["summer meals"],
    }),
  search_mode: oneOf(searchModes).default("keyword").meta({
    description:
      "`keyword` filters by the words, `semantic` ranks by meaning, `hybrid` fuses both rankings. The last two need `search`.",
  }),
  similar_to: similarTo(),
  explain: explain(),
  opportunity_type: oneOf(["open", "awarded", "all"])
    .default("open")
    .meta({
      description: `\`open\`: ${openOpportunities}. \`awarded\`: money already awarded. \`all\`: both. ${scopeHint}`,
    }),
  category: text()
    .optional()
    .meta({ description: "Full name of a category, in upper or lower case.", examples: ["Education"] }),
  states: states()
    .optional()
    .meta({
      description: "USPS codes. Finds records for any of these states.",
      examples: [["OH", "PA"]],
    }),
  include_national: boolean().default(false).meta({
    description: "With `states`: include national records.",
  }),
  geography: text()
    .optional()
    .meta({
      description: "Text to look for in the record's `geography`. Use `states` instead.",
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
    .meta({
      description: "The deadline is later than this day. The day itself is excluded.",
      examples: ["2026-12-31"],
    }),
  deadline_before: date()
    .optional()
    .meta({
      description: "The deadline is earlier than this day. The day itself is excluded.",
      examples: ["2027-07-01"],
    }),
  posted_after: moment()
    .optional()
    .meta({
      description: "`created_at` is later than this; a day means its first moment in UTC.",
      examples: ["2026-06-10", "2026-06-10T14:00:00Z"],
    }),
  applicant_type: someOf(applicantTypes)
    .optional()
    .meta({
      description:
        "Kinds of applicants, in the values of CommonGrants. Finds records that any of them may apply for, by what their source says. Those that anyone may apply for (`unrestricted`) are found, too.",
      examples: [["government_county", "government_municipal"]],
    }),
  include_unrestricted: boolean().optional().meta({
    description: "With `applicant_type`: `false` leaves out records that anyone may apply for.",
    default: true,
  }),
  agency: text()
    .optional()
    .meta({
      description:
        "Name of an organization as a whole, in upper or lower case, or its id as a funder. Finds what it and all organizations within it publish.",
      examples: ["Department of Agriculture"],
    }),
  funder_id: z
    .guid({ error: "must be a UUID" })
    .optional()
    .meta({ description: "The record's funder, by id.", examples: ["3fcba028-2b9c-8a62-a983-a71781e55569"] }),
  assistance_listing: z
    .string()
    .regex(/^\d{2}\.[0-9A-Za-z]{2,4}$/, { error: "must be the number of an assistance listing, for example 10.557" })
    .transform((number) => number.toUpperCase())
    .optional()
    .meta({ description: "Number of an assistance listing (CFDA number).", examples: ["10.557"] }),
  funding_instrument: someOf(fundingInstruments)
    .optional()
    .meta({ description: "Forms of funding. Finds records with any of them.", examples: [["grant"]] }),
  cost_sharing: boolean().optional().meta({
    description:
      "Whether the applicant has to bring a part of the money. Records whose source does not say are not found.",
  }),
  source: text()
    .optional()
    .meta({ description: "`source` of the record's details.", examples: ["grants-gov"] }),
  updated_after: moment()
    .optional()
    .meta({
      description: "The record changed in this catalogue later than this; a day means its first moment in UTC.",
      examples: ["2026-11-20", "2026-11-20T14:00:00Z"],
    }),
  sort_by: oneOf(orders).optional().meta({
    description:
      "Nulls come last in both directions, and ties are ordered by id. `updated_at` with `order=asc` is a feed that passes over no change. By default, a semantic or hybrid search is sorted by `relevance`, and so is a list with `similar_to`. `relevance` needs one of them or `search`.",
    default: "created_at",
  }),
  order: oneOf(directions).optional().meta({ description: "Direction of `sort_by`.", default: "desc" }),
  include_archived: boolean().default(false).meta({
    description: "Include records that have left the current catalogue.",
  }),
  archived_as_ids: boolean().optional().meta({
    description: "Include records that have left the current catalogue, in `archived`, by their ids alone. Not in CSV.",
    default: false,
  }),
  ...paging(orders),
};

const detailFacets = [
  "status",
  "states",
  "category",
  "applicant_type",
  "agency",
  "assistance_listing",
  "funding_instrument",
  "cost_sharing",
  "source",
] as const;

const grantFields = {
  ...opportunityFields,
  status: oneOf(["open", "posted", "closed", "forecasted", "upcoming"]).optional().meta({
    description: "`open` and `posted` mean the same, as do `upcoming` and `forecasted`.",
  }),
  facets: facets([...detailFacets]),
};

const contractFields = {
  ...opportunityFields,
  status: text()
    .transform(contractStatus)
    .optional()
    .meta({
      description:
        "`open`, `closed`, `upcoming`, `forecasted`, `cancelled`, `awarded`, or a status of a publisher's own, in upper or lower case. `open` and `posted` mean the same, as do `upcoming` and `forecasted`. Publishers' words for these are known: `active` is `open`, `expired` is `closed`, `canceled` is `cancelled`.",
      examples: ["open", "closed"],
    }),
  naics: z
    .string()
    .regex(/^\d{6}$/, { error: "must be a six-digit NAICS code, for example 541511" })
    .optional()
    .meta({ description: "NAICS code of the industry.", examples: ["541511"] }),
  set_aside: text()
    .transform(setAsideCode)
    .optional()
    .meta({
      description: "Set-aside, by its GSA code or a common name, in upper or lower case.",
      examples: ["HUBZone", "8A"],
    }),
  facets: facets([...detailFacets, "naics", "set_aside"]),
};

function facets<const Values extends readonly [string, ...string[]]>(values: Values) {
  return someOf(values)
    .optional()
    .meta({
      description:
        "Fields by which to count the list's records. `facets` of the answer has the hundred most frequent values of each field. A value's count is the total of the list with the field's parameter set to it.",
      examples: [values.slice(0, 2)],
    });
}

/** Query parameters of `GET /grants-api`. */
export const grantList = {
  names: Object.keys(grantFields),
  schema: z.strictObject(grantFields).superRefine(checkListParameters).transform(deriveParameters),
};

/** Query parameters of `GET /contracts-api`. */
export const contractList = {
  names: Object.keys(contractFields),
  schema: z.strictObject(contractFields).superRefine(checkListParameters).transform(deriveParameters),
};

function deriveParameters<Parameters extends Paged & { geography?: string | undefined }>(parameters: Parameters) {
  return addGeographyStates(applyCursorOrder(parameters));
}

/**
 * Adds the states that the deprecated `geography` names. `geography` is free text; where it names states, hybrid search
 * filters by those states rather than by the text.
 *
 * `readPlace`, the place reader, is in shared/geography/read-place.ts; the importer uses it too. A request runs it only here,
 * for `geography`, and in fields.ts, to suggest codes for wrong `states`.
 */
function addGeographyStates<Parameters extends { geography?: string | undefined }>(parameters: Parameters) {
  const states = parameters.geography === undefined ? [] : readPlace(parameters.geography).states;
  return states.length === 0 ? parameters : { ...parameters, geography_states: states };
}
