import * as z from "zod";
import { openOpportunities, scopeHint } from "../responses/scope.ts";
import { contractStatus, isContractStatus } from "../validation/contract-status.ts";
import {
  amount,
  boolean,
  date,
  dayOrToday,
  integer,
  moment,
  naicsCode,
  oneOf,
  pscCode,
  searchModes,
  searchPlaces,
  searchText,
  similarTo,
  someCodes,
  someKnownCodes,
  someNames,
  someOf,
  stateCode,
  states,
  text,
  uei,
} from "../validation/fields.ts";
import { isSetAside, setAsideCode } from "../validation/set-aside.ts";
import { applicantTypes, fundingInstruments } from "./details.ts";
import type { Filter, MeasuredField, ValueField } from "./rules.ts";
import { withTwins } from "./twins.ts";

/**
 * Fields that filters look for values in, by the name of their bitmaps. The values of a detail are found by an index over all details' keys, so another
 * one needs a migration that makes that index anew (docs/database.md).
 */
export const valueFields = {
  status: { values: "array[record.status]", column: "status", form: "status" },
  category: { values: "record.categories", keys: "record.category_keys", column: "categories", form: "lower" },
  source: { values: "array[record.source]", column: "source", form: "exact" },
  applicant_type: {
    values: "array(select jsonb_array_elements_text(record.details->'applicant_types'))",
    path: "$.applicant_types[*]",
    form: "exact",
  },
  agency: {
    values: "array(select distinct jsonb_array_elements_text(record.details->'agency'))",
    path: "$.agency[*]",
    form: "agency",
  },
  assistance_listing: {
    values: "array(select item->>'number' from jsonb_array_elements(record.details->'assistance_listings') as item)",
    path: "$.assistance_listings[*].number",
    form: "exact",
    // An agency's, with the point.
    beginnings: [3],
  },
  funding_instrument: {
    values: "array(select jsonb_array_elements_text(record.details->'funding_instrument'))",
    path: "$.funding_instrument[*]",
    form: "exact",
  },
  cost_sharing: { values: "array[record.details->>'cost_sharing']", path: "$.cost_sharing", form: "exact" },
  psc: { values: "array[record.details->>'psc']", path: "$.psc", form: "exact", beginnings: [1, 2, 3] },
  funder_id: { values: "array[record.funder_id::text]", column: "funder_id", form: "uuid", hasBitmaps: false },
  naics: {
    values: "array[record.naics]",
    column: "naics",
    form: "exact",
    beginnings: [2, 3, 4, 5],
    within: (code) => `record.naics between rpad(${code}, 6, '0') and rpad(${code}, 6, '9')`,
  },
  set_aside: { values: "array[record.set_aside_code]", column: "set_aside_code", form: "upper" },
  recipient: {
    values: "array[record.details->'recipient'->>'name']",
    path: "$.recipient.name",
    form: "agency",
    hasBitmaps: false,
  },
  uei: {
    values: "array[record.details->'recipient'->>'uei']",
    path: "$.recipient.uei",
    form: "exact",
    hasBitmaps: false,
  },
  recipient_state: {
    values: "array[record.details->'recipient'->>'state']",
    path: "$.recipient.state",
    form: "upper",
  },
} satisfies Record<string, ValueField>;

/** Fields that filters compare by size, by name. */
export const measuredFields: Record<string, MeasuredField> = {
  amount_min: { value: "record.amount_min", type: "number", isRanked: true, sortColumn: "amount_min" },
  amount_max: { value: "record.amount_max", type: "number", isRanked: true, sortColumn: "amount_max" },
  deadline_date: { value: "record.deadline_date", type: "day", isRanked: true, sortColumn: "deadline_date" },
  created_at: { value: "record.created_at", type: "moment", isRanked: true, sortColumn: "created_at" },
  expected_awards: {
    value: "(record.details->>'expected_awards')::double precision",
    type: "number",
    isRanked: true,
  },
  total_funding: { value: "(record.details->>'total_funding')::double precision", type: "number", isRanked: true },
  project_start_date: { value: "(record.details->>'project_start_date')::date", type: "day", isRanked: true },
  project_end_date: { value: "record.project_end_date", type: "day", isRanked: true },
};

const opportunities = ["grants", "contracts"] as const;
const contracts = ["contracts"] as const;
const grants = ["grants"] as const;
const funders = ["funders"] as const;
const all = ["grants", "contracts", "funders"] as const;

const opportunityText =
  'Words to look for in title and description. `"two words"` is a phrase, `-word` excludes, `or` means either. A number (opportunity, solicitation, assistance listing, NAICS) finds the records that have it, however it is written.';

function searched(description: string, example = "summer meals") {
  return searchText()
    .optional()
    .meta({ description, examples: [example] });
}

/** Bound of a moment of this catalogue. @param beginning the beginning of its description: "The record changed later than". */
function catalogueMoment(beginning: string) {
  return moment()
    .optional()
    .meta({
      description: `${beginning} this; a day begins in UTC.`,
      examples: ["2026-11-20", "2026-11-20T14:00:00Z"],
    });
}

/** The same for each dataset. */
function catalogueMoments(ending: string) {
  const record = catalogueMoment(`The record ${ending}`);
  return { grants: record, contracts: record, funders: catalogueMoment(`The funder ${ending}`) };
}

/** Bound of a day of awarded projects. */
function projectDay(field: "project_start_date" | "project_end_date", comparison: "after" | "before") {
  return date()
    .optional()
    .meta({
      description: `\`${field}\` is ${comparison} this day. Awarded projects alone have one.`,
      examples: ["2026-07-01"],
    });
}

/** SQL for the amount of an award: obligated, or where its publisher gives one amount, that. */
const awardedAmount = "coalesce((record.details->>'obligated_amount')::double precision, record.amount_max)";

/** Filters in the order of the lists' parameters, without the twins of those that take several values. */
const declared = {
  search: {
    datasets: all,
    commonGrants: { field: "search" },
    parameter: {
      grants: searched(opportunityText),
      contracts: searched(opportunityText),
      funders: searched(
        'Words to look for in name and summary. `"two words"` is a phrase, `-word` excludes. An EIN finds the funder that has it.',
        "rural health",
      ),
    },
    compare: { kind: "own" },
  },
  search_mode: {
    datasets: all,
    commonGrants: null,
    parameter: oneOf(searchModes).default("keyword").meta({
      description:
        "`keyword` filters by the words, `semantic` ranks by meaning, `hybrid` fuses both rankings. The last two need `search`.",
    }),
    compare: { kind: "modifier" },
  },
  search_in: {
    datasets: opportunities,
    commonGrants: null,
    parameter: oneOf(searchPlaces).optional().meta({
      description:
        "Where `search` looks: in `records`, the text of their `documents`, or `all`. The last two rank, by a record's best passage. `documents` ranks by words alone.",
      default: "records",
    }),
    compare: { kind: "modifier" },
  },
  // What the search of a stored filter looks for in documents (supabase/schemas/search/keyword/document_filters.sql).
  passage_search: { datasets: opportunities, compare: { kind: "modifier" } },
  // Ids of the records that have the search as an identifier; absent when the predicate compares identifiers.
  identifier_matches: { datasets: all, compare: { kind: "modifier" } },
  similar_to: { datasets: all, commonGrants: null, parameter: similarTo(), compare: { kind: "modifier" } },
  opportunity_type: {
    datasets: opportunities,
    label: "Type",
    commonGrants: null,
    parameter: oneOf(["open", "awarded", "all"])
      .default("open")
      .meta({
        description: `\`open\`: ${openOpportunities}. \`awarded\`: money already awarded. \`all\`: both. ${scopeHint}`,
      }),
    compare: { kind: "own", isAlways: true },
    bitmaps: "array['classification=' || record.classification]",
  },
  status: {
    datasets: opportunities,
    several: true,
    label: "Status",
    commonGrants: { field: "filters.status" },
    parameter: {
      grants: someCodes(oneOf(["open", "posted", "closed", "forecasted", "upcoming"]))
        .optional()
        .meta({
          description: "`open` and `posted` mean the same, as do `upcoming` and `forecasted`.",
        }),
      contracts: someKnownCodes(text().transform(contractStatus), isContractStatus)
        .optional()
        .meta({
          description:
            "`open`, `closed`, `upcoming`, `forecasted`, `cancelled`, `awarded`, or a status of a publisher's own, in upper or lower case. `open` and `posted` mean the same, as do `upcoming` and `forecasted`. Publishers' words for these are known: `active` is `open`, `expired` is `closed`, `canceled` is `cancelled`.",
          examples: [["open"], ["closed"]],
        }),
    },
    compare: { kind: "value", field: "status" },
    facet: true,
  },
  states: {
    datasets: opportunities,
    label: "States",
    commonGrants: { name: "state" },
    parameter: states()
      .optional()
      .meta({
        description: "USPS codes. Finds records for any of these states.",
        examples: [["OH", "PA"]],
      }),
    compare: { kind: "own" },
    bitmaps:
      "array(select funding.bitmap_name('state', state) from unnest(record.states) as state) || case when record.is_national then 'national' end",
    facet: {
      values: "record.states",
      chosen: "funding.text_array($1->'states')",
      foundByAll: "record.is_national and coalesce(($1->>'include_national')::boolean, false)",
    },
  },
  include_national: {
    datasets: opportunities,
    label: "Include national records",
    commonGrants: null,
    parameter: boolean().default(false).meta({
      description: "With `states`: include national records.",
    }),
    compare: { kind: "modifier" },
  },
  geography: {
    datasets: opportunities,
    commonGrants: null,
    parameter: text()
      .optional()
      .meta({
        description: "Text to look for in the record's `geography`. Use `states` instead.",
        deprecated: true,
        examples: ["Ohio"],
      }),
    compare: { kind: "own" },
  },
  // The states that `geography` names, which validation adds.
  geography_states: { datasets: opportunities, compare: { kind: "modifier" } },
  category: {
    datasets: opportunities,
    several: true,
    label: "Category",
    commonGrants: { name: "category" },
    parameter: someNames()
      .optional()
      .meta({ description: "Full name of a category, in upper or lower case.", examples: [["Education"]] }),
    compare: { kind: "value", field: "category" },
    facet: true,
  },
  min_amount: {
    datasets: opportunities,
    label: "Amount from, $",
    commonGrants: { field: "filters.maxAwardAmountRange" },
    parameter: amount()
      .optional()
      .meta({ description: "US dollars: `amount_max` is at least this.", examples: [50_000] }),
    compare: { kind: "from", field: "amount_max" },
  },
  max_amount: {
    datasets: opportunities,
    label: "Amount to, $",
    commonGrants: { field: "filters.minAwardAmountRange" },
    parameter: amount()
      .optional()
      .meta({ description: "US dollars: `amount_min` is at most this.", examples: [250_000] }),
    compare: { kind: "upto", field: "amount_min" },
  },
  deadline_after: {
    datasets: opportunities,
    label: "Deadline after",
    commonGrants: { field: "filters.closeDateRange" },
    parameter: dayOrToday()
      .optional()
      .meta({
        description: "The deadline is after this day. `today` is the publisher's day.",
        examples: ["2026-12-31", "today"],
      }),
    compare: { kind: "above", field: "deadline_date" },
  },
  deadline_before: {
    datasets: opportunities,
    label: "Deadline before",
    commonGrants: { field: "filters.closeDateRange" },
    parameter: dayOrToday()
      .optional()
      .meta({
        description: "The deadline is before this day. `today` is the publisher's day.",
        examples: ["2027-07-01", "today+14d"],
      }),
    compare: { kind: "below", field: "deadline_date" },
  },
  closing_within: {
    datasets: opportunities,
    label: "Closing within days",
    commonGrants: null,
    parameter: integer(0, 3_650)
      .optional()
      .meta({
        description:
          "Open opportunities whose deadline is from today to so many days from today, both included, where the record's publisher is.",
        examples: [14],
      }),
    compare: { kind: "own" },
  },
  posted_after: {
    datasets: opportunities,
    label: "Posted after",
    commonGrants: { name: "createdAt" },
    parameter: moment()
      .optional()
      .meta({
        description: "`created_at` is later than this; a day begins in UTC.",
        examples: ["2026-06-10", "2026-06-10T14:00:00Z"],
      }),
    compare: { kind: "above", field: "created_at" },
  },
  posted_before: {
    datasets: opportunities,
    label: "Posted before",
    commonGrants: { name: "createdAt" },
    parameter: moment()
      .optional()
      .meta({
        description: "`created_at` is earlier than this; a day begins in UTC.",
        examples: ["2026-11-20", "2026-11-20T14:00:00Z"],
      }),
    compare: { kind: "below", field: "created_at" },
  },
  applicant_type: {
    datasets: opportunities,
    label: "Who may apply",
    commonGrants: { name: "applicantType" },
    parameter: someOf(applicantTypes)
      .optional()
      .meta({
        description:
          "Kinds of applicants, in the values of CommonGrants. Finds records that any of them may apply for, by what their source says. Those that anyone may apply for (`unrestricted`) are found, too.",
        examples: [["government_county", "government_municipal"]],
      }),
    compare: { kind: "own" },
    facet: {
      values: valueFields.applicant_type.values,
      chosen: "funding.text_array($1->'applicant_type')",
      foundByAll:
        "coalesce(record.details->'applicant_types' ? 'unrestricted', false) and coalesce(($1->>'include_unrestricted')::boolean, true)",
    },
  },
  include_unrestricted: {
    datasets: opportunities,
    label: "Open to anyone",
    commonGrants: null,
    parameter: boolean().optional().meta({
      description: "With `applicant_type`: `false` leaves out records that anyone may apply for.",
      default: true,
    }),
    compare: { kind: "modifier" },
  },
  agency: {
    datasets: opportunities,
    several: true,
    label: "Agency",
    commonGrants: { name: "agency" },
    parameter: someNames()
      .optional()
      .meta({
        description:
          "Name of an organization as a whole, in upper or lower case, a common abbreviation (`USDA`), or its id as a funder. Finds what it and all organizations within it publish.",
        examples: [["Department of Agriculture"]],
      }),
    compare: { kind: "value", field: "agency" },
    facet: true,
  },
  funder_id: {
    datasets: opportunities,
    several: true,
    label: "Funder, by id",
    commonGrants: { name: "funderId" },
    parameter: someCodes(z.guid({ error: "must be a UUID" }))
      .optional()
      .meta({ description: "The record's funder, by id.", examples: [["3fcba028-2b9c-8a62-a983-a71781e55569"]] }),
    compare: { kind: "value", field: "funder_id" },
  },
  assistance_listing: {
    datasets: opportunities,
    several: true,
    label: "Assistance listing",
    commonGrants: { name: "assistanceListing" },
    parameter: someCodes(
      z
        .string()
        .regex(/^\d{2}\.([0-9A-Za-z]{2,4})?$/, {
          error: "must be the number of an assistance listing, for example 10.557, or its beginning up to the point",
        })
        .transform((number) => number.toUpperCase()),
    )
      .optional()
      .meta({
        description: "Number of an assistance listing (CFDA number). `10.` finds all of the agency.",
        examples: [["10.557"], ["10."]],
      }),
    compare: { kind: "value", field: "assistance_listing" },
    facet: true,
  },
  funding_instrument: {
    datasets: opportunities,
    label: "Instrument",
    commonGrants: { name: "fundingInstrument" },
    parameter: someOf(fundingInstruments)
      .optional()
      .meta({ description: "Forms of funding. Finds records with any of them.", examples: [["grant"]] }),
    compare: { kind: "value", field: "funding_instrument" },
    facet: true,
  },
  cost_sharing: {
    datasets: opportunities,
    label: "Cost sharing",
    commonGrants: { name: "costSharing" },
    parameter: boolean().optional().meta({
      description:
        "Whether the applicant has to bring a part of the money. Records whose source does not say are not found.",
    }),
    compare: { kind: "value", field: "cost_sharing" },
    facet: true,
  },
  source: {
    datasets: opportunities,
    several: true,
    label: "Source",
    commonGrants: { name: "dataSource" },
    parameter: someNames()
      .optional()
      .meta({ description: "`source` of the record's details.", examples: [["grants-gov"]] }),
    compare: { kind: "value", field: "source" },
    facet: true,
  },
  updated_after: {
    datasets: all,
    label: "Changed after",
    commonGrants: { name: "lastModifiedAt" },
    parameter: catalogueMoments("changed in this catalogue later than"),
    compare: {
      kind: "condition",
      // Answers show milliseconds.
      condition: "record.updated_at >= ($1->>'updated_after')::timestamptz + interval '1 ms'",
      as: "above",
    },
  },
  updated_before: {
    datasets: all,
    label: "Changed before",
    commonGrants: { name: "lastModifiedAt" },
    parameter: catalogueMoments("changed in this catalogue last before"),
    compare: { kind: "condition", condition: "record.updated_at < ($1->>'updated_before')::timestamptz", as: "below" },
  },
  first_seen_after: {
    datasets: all,
    label: "New after",
    commonGrants: null,
    parameter: catalogueMoments("came to this catalogue later than"),
    compare: {
      kind: "condition",
      condition: "record.first_seen_at >= ($1->>'first_seen_after')::timestamptz + interval '1 ms'",
      as: "above",
    },
  },
  first_seen_before: {
    datasets: all,
    label: "New before",
    commonGrants: null,
    parameter: catalogueMoments("came to this catalogue before"),
    compare: {
      kind: "condition",
      condition: "record.first_seen_at < ($1->>'first_seen_before')::timestamptz",
      as: "below",
    },
  },
  min_expected_awards: {
    datasets: opportunities,
    label: "Awards, at least",
    commonGrants: { name: "estimatedAwardCount" },
    parameter: integer(1, 1_000_000)
      .optional()
      .meta({ description: "`expected_awards` of the record's details is at least this.", examples: [5] }),
    compare: { kind: "from", field: "expected_awards" },
  },
  max_expected_awards: {
    datasets: opportunities,
    label: "Awards, at most",
    commonGrants: { name: "estimatedAwardCount" },
    parameter: integer(1, 1_000_000)
      .optional()
      .meta({ description: "`expected_awards` of the record's details is at most this.", examples: [100] }),
    compare: { kind: "upto", field: "expected_awards" },
  },
  min_total_funding: {
    datasets: opportunities,
    label: "Total from, $",
    commonGrants: { field: "filters.totalFundingAvailableRange" },
    parameter: amount()
      .optional()
      .meta({ description: "`total_funding` of the record's details is at least this.", examples: [1_000_000] }),
    compare: { kind: "from", field: "total_funding" },
  },
  max_total_funding: {
    datasets: opportunities,
    label: "Total to, $",
    commonGrants: { field: "filters.totalFundingAvailableRange" },
    parameter: amount()
      .optional()
      .meta({ description: "`total_funding` of the record's details is at most this.", examples: [50_000_000] }),
    compare: { kind: "upto", field: "total_funding" },
  },
  project_start_after: {
    datasets: opportunities,
    label: "Project begins after",
    commonGrants: null,
    parameter: projectDay("project_start_date", "after"),
    compare: { kind: "above", field: "project_start_date" },
  },
  project_start_before: {
    datasets: opportunities,
    label: "Project begins before",
    commonGrants: null,
    parameter: projectDay("project_start_date", "before"),
    compare: { kind: "below", field: "project_start_date" },
  },
  project_end_after: {
    datasets: opportunities,
    label: "Project ends after",
    commonGrants: null,
    parameter: projectDay("project_end_date", "after"),
    compare: { kind: "above", field: "project_end_date" },
  },
  project_end_before: {
    datasets: opportunities,
    label: "Project ends before",
    commonGrants: null,
    parameter: projectDay("project_end_date", "before"),
    compare: { kind: "below", field: "project_end_date" },
  },
  recipient: {
    datasets: opportunities,
    several: true,
    label: "Recipient",
    commonGrants: null,
    parameter: someNames()
      .optional()
      .meta({
        description:
          "Name of who received the award, as a whole, in upper or lower case and without regard to punctuation. Awarded projects alone have one: see `opportunity_type`.",
        examples: [["Ohio State University"]],
      }),
    compare: { kind: "value", field: "recipient" },
    facet: true,
  },
  uei: {
    datasets: opportunities,
    several: true,
    label: "Recipient, by UEI",
    commonGrants: null,
    parameter: someCodes(uei)
      .optional()
      .meta({
        description: "Unique Entity Identifier of who received the award. Awarded projects alone have one.",
        examples: [["QZ5ACLXM1PL5"]],
      }),
    compare: { kind: "value", field: "uei" },
  },
  recipient_state: {
    datasets: opportunities,
    several: true,
    label: "Recipient's state",
    commonGrants: null,
    parameter: someCodes(stateCode)
      .optional()
      .meta({
        description: "USPS code of the recipient's state. `states` are those where the work is done.",
        examples: [["OH"]],
      }),
    compare: { kind: "value", field: "recipient_state" },
    facet: true,
  },
  include_archived: {
    datasets: opportunities,
    label: "Include archived records",
    commonGrants: null,
    parameter: boolean().default(false).meta({
      description: "Include records that have left the current catalogue.",
    }),
    compare: { kind: "own", isAlways: true },
    // Of both filters. A segment of an earlier version has no superseded records: it answers without being made anew.
    bitmaps: [
      "array[case when record.archived_at is null and record.superseded_by is null then 'current' end,",
      "case when record.superseded_by is not null then 'version' end,",
      "case when record.superseded_by is not null and record.archived_at is null then 'current version' end]",
    ].join(" "),
  },
  include_versions: {
    datasets: opportunities,
    label: "Include other versions",
    commonGrants: null,
    parameter: boolean().default(false).meta({
      description:
        "Include earlier notices of an opportunity, and the same opportunity from other sources. By default its newest current record stands for all.",
    }),
    compare: { kind: "own", isAlways: true },
  },
  naics: {
    datasets: contracts,
    several: true,
    label: "NAICS code",
    commonGrants: null,
    parameter: someCodes(naicsCode)
      .optional()
      .meta({
        description:
          "NAICS code of the industry, or its first two to five digits: `54` finds all of the sector, which may be a range (`31-33`, `44-45`, `48-49`).",
        examples: [["541511"], ["54"]],
      }),
    compare: { kind: "value", field: "naics" },
    facet: true,
  },
  psc: {
    datasets: contracts,
    several: true,
    label: "Product or service code",
    commonGrants: null,
    parameter: someCodes(pscCode)
      .optional()
      .meta({
        description: "Product or service code (PSC), or its beginning: `R4` finds all of the group.",
        examples: [["R499"], ["R4"]],
      }),
    compare: { kind: "value", field: "psc" },
    facet: true,
  },
  set_aside: {
    datasets: contracts,
    several: true,
    label: "Set-aside",
    commonGrants: null,
    parameter: someKnownCodes(text().transform(setAsideCode), isSetAside)
      .optional()
      .meta({
        description: "Set-aside, by its GSA code or a common name, in upper or lower case.",
        examples: [["HUBZone"], ["8A"]],
      }),
    compare: { kind: "value", field: "set_aside" },
    facet: true,
  },
  // Of the CommonGrants search alone (functions/common-grants): statuses, and { operator, min, max }.
  statuses: { datasets: grants, compare: { kind: "value", field: "status" } },
  deadline_range: { datasets: grants, compare: { kind: "within", field: "deadline_date" } },
  amount_min_range: { datasets: grants, compare: { kind: "within", field: "amount_min" } },
  amount_max_range: { datasets: grants, compare: { kind: "within", field: "amount_max" } },
  total_funding_range: { datasets: grants, compare: { kind: "within", field: "total_funding" } },
  // Of the awards of CommonGrants: what was awarded, and whether the project has not ended before a day.
  awarded_amount_range: {
    datasets: grants,
    compare: {
      kind: "condition",
      condition: `(${awardedAmount} between ($1->'awarded_amount_range'->>'min')::double precision and ($1->'awarded_amount_range'->>'max')::double precision) = ($1->'awarded_amount_range'->>'operator' is distinct from 'outside')`,
      as: "above",
    },
  },
  runs_on: {
    datasets: grants,
    compare: {
      kind: "condition",
      condition: "coalesce(record.project_end_date >= ($1->>'runs_on')::date, true)",
      as: "above",
    },
  },
  // Awards under the numbers of opportunities: { operator, ids }.
  awarded_under: {
    datasets: grants,
    compare: {
      kind: "condition",
      condition:
        "(record.details ? 'opportunity_number' and upper(record.details->>'opportunity_number') = any ((select funding.award_numbers($1->'awarded_under'->'ids'))::text[])) is not distinct from ($1->'awarded_under'->>'operator' = 'in')",
      as: "above",
    },
  },
  // Of the organizations of CommonGrants: funders by their EIN, and those that have one.
  ein: {
    datasets: funders,
    compare: {
      kind: "condition",
      condition: "(record.source = 'irs-990pf' and record.source_id = $1->>'ein')",
      as: "above",
    },
  },
  has_ein: {
    datasets: funders,
    compare: { kind: "condition", condition: "record.source = 'irs-990pf'", as: "above" },
  },
  // Of the awards of an opportunity's programme (supabase/schemas/lists/awards.sql).
  posted_range: { datasets: grants, compare: { kind: "within", field: "created_at" } },
} satisfies Record<string, Filter>;

/** Every filter. */
export const filters = withTwins(declared);

/** Parameters of a list's order, pages and format, which do not filter. */
export const presentation = [
  "sort_by",
  "order",
  "count_only",
  "limit",
  "offset",
  "cursor",
  "format",
  "facets",
  "facets_mode",
  "facets_sort_by",
  "ids",
  "expand",
  "fields",
  "archived_as_ids",
  "explain",
  "highlight",
  "passages",
] as const;
