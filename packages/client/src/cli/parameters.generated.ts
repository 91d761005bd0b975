// Written by scripts/cli-parameters.ts from the OpenAPI document: do not edit.

/** A parameter of a list, as an option. */
export interface ListParameter {
  /** Of the option, without its dashes. */
  name: string;
  /** Whether it is true or false. */
  isFlag: boolean;
  /** What it does, in a line. */
  text: string;
  /** Its values, where they are few. */
  choices?: readonly string[];
}

/** Parameters of the lists, by dataset. */
// biome-ignore format: written by a script
export const parameters: Readonly<Record<"grants" | "contracts" | "funders", readonly ListParameter[]>> = {
  "grants": [
    {
      "name": "search-mode",
      "isFlag": false,
      "text": "keyword filters by the words, semantic ranks by meaning, hybrid fuses both rankings",
      "choices": [
        "keyword",
        "semantic",
        "hybrid"
      ]
    },
    {
      "name": "search-in",
      "isFlag": false,
      "text": "Where search looks",
      "choices": [
        "records",
        "documents",
        "all"
      ]
    },
    {
      "name": "similar-to",
      "isFlag": false,
      "text": "Id of a grant, contract or funder"
    },
    {
      "name": "opportunity-type",
      "isFlag": false,
      "text": "open",
      "choices": [
        "open",
        "awarded",
        "all"
      ]
    },
    {
      "name": "status",
      "isFlag": false,
      "text": "open and posted mean the same, as do upcoming and forecasted",
      "choices": [
        "open",
        "posted",
        "closed",
        "forecasted",
        "upcoming"
      ]
    },
    {
      "name": "exclude-status",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of status",
      "choices": [
        "open",
        "posted",
        "closed",
        "forecasted",
        "upcoming"
      ]
    },
    {
      "name": "states",
      "isFlag": false,
      "text": "USPS codes"
    },
    {
      "name": "include-national",
      "isFlag": true,
      "text": "With states"
    },
    {
      "name": "geography",
      "isFlag": false,
      "text": "Text to look for in the record's geography"
    },
    {
      "name": "category",
      "isFlag": false,
      "text": "Full name of a category, in upper or lower case"
    },
    {
      "name": "exclude-category",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of category"
    },
    {
      "name": "min-amount",
      "isFlag": false,
      "text": "US dollars"
    },
    {
      "name": "max-amount",
      "isFlag": false,
      "text": "US dollars"
    },
    {
      "name": "deadline-after",
      "isFlag": false,
      "text": "The deadline is after this day"
    },
    {
      "name": "deadline-before",
      "isFlag": false,
      "text": "The deadline is before this day"
    },
    {
      "name": "closing-within",
      "isFlag": false,
      "text": "Open opportunities whose deadline is from today to so many days from today, both included, where the record's publisher is"
    },
    {
      "name": "posted-after",
      "isFlag": false,
      "text": "created_at is later than this; a day begins in UTC"
    },
    {
      "name": "posted-before",
      "isFlag": false,
      "text": "created_at is earlier than this; a day begins in UTC"
    },
    {
      "name": "applicant-type",
      "isFlag": false,
      "text": "Kinds of applicants, in the values of CommonGrants"
    },
    {
      "name": "include-unrestricted",
      "isFlag": true,
      "text": "With applicant_type"
    },
    {
      "name": "agency",
      "isFlag": false,
      "text": "Name of an organization as a whole, in upper or lower case, a common abbreviation (USDA), or its id as a funder"
    },
    {
      "name": "exclude-agency",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of agency"
    },
    {
      "name": "funder-id",
      "isFlag": false,
      "text": "The record's funder, by id"
    },
    {
      "name": "exclude-funder-id",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of funder_id"
    },
    {
      "name": "assistance-listing",
      "isFlag": false,
      "text": "Number of an assistance listing (CFDA number)"
    },
    {
      "name": "exclude-assistance-listing",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of assistance_listing"
    },
    {
      "name": "funding-instrument",
      "isFlag": false,
      "text": "Forms of funding",
      "choices": [
        "grant",
        "cooperative_agreement",
        "procurement_contract",
        "other"
      ]
    },
    {
      "name": "cost-sharing",
      "isFlag": true,
      "text": "Whether the applicant has to bring a part of the money"
    },
    {
      "name": "source",
      "isFlag": false,
      "text": "source of the record's details"
    },
    {
      "name": "exclude-source",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of source"
    },
    {
      "name": "updated-after",
      "isFlag": false,
      "text": "The record changed in this catalogue later than this; a day begins in UTC"
    },
    {
      "name": "updated-before",
      "isFlag": false,
      "text": "The record changed in this catalogue last before this; a day begins in UTC"
    },
    {
      "name": "first-seen-after",
      "isFlag": false,
      "text": "The record came to this catalogue later than this; a day begins in UTC"
    },
    {
      "name": "first-seen-before",
      "isFlag": false,
      "text": "The record came to this catalogue before this; a day begins in UTC"
    },
    {
      "name": "min-expected-awards",
      "isFlag": false,
      "text": "expected_awards of the record's details is at least this"
    },
    {
      "name": "max-expected-awards",
      "isFlag": false,
      "text": "expected_awards of the record's details is at most this"
    },
    {
      "name": "min-total-funding",
      "isFlag": false,
      "text": "total_funding of the record's details is at least this"
    },
    {
      "name": "max-total-funding",
      "isFlag": false,
      "text": "total_funding of the record's details is at most this"
    },
    {
      "name": "project-start-after",
      "isFlag": false,
      "text": "project_start_date is after this day"
    },
    {
      "name": "project-start-before",
      "isFlag": false,
      "text": "project_start_date is before this day"
    },
    {
      "name": "project-end-after",
      "isFlag": false,
      "text": "project_end_date is after this day"
    },
    {
      "name": "project-end-before",
      "isFlag": false,
      "text": "project_end_date is before this day"
    },
    {
      "name": "recipient",
      "isFlag": false,
      "text": "Name of who received the award, as a whole, in upper or lower case and without regard to punctuation"
    },
    {
      "name": "exclude-recipient",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of recipient"
    },
    {
      "name": "uei",
      "isFlag": false,
      "text": "Unique Entity Identifier of who received the award"
    },
    {
      "name": "exclude-uei",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of uei"
    },
    {
      "name": "recipient-state",
      "isFlag": false,
      "text": "USPS code of the recipient's state"
    },
    {
      "name": "exclude-recipient-state",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of recipient_state"
    },
    {
      "name": "include-archived",
      "isFlag": true,
      "text": "Include records that have left the current catalogue"
    },
    {
      "name": "include-versions",
      "isFlag": true,
      "text": "Include earlier notices of an opportunity, and the same opportunity from other sources"
    },
    {
      "name": "highlight",
      "isFlag": true,
      "text": "Add highlights to each result"
    },
    {
      "name": "passages",
      "isFlag": true,
      "text": "Add passages to each result"
    },
    {
      "name": "sort-by",
      "isFlag": false,
      "text": "Of several (deadline_date,-amount_max; up to three), those with - descend, and the others ascend"
    },
    {
      "name": "order",
      "isFlag": false,
      "text": "Direction of a sort_by of one, without -",
      "choices": [
        "asc",
        "desc"
      ]
    },
    {
      "name": "limit",
      "isFlag": false,
      "text": "Maximum number of records in the answer"
    },
    {
      "name": "ids",
      "isFlag": false,
      "text": "Ids of the records to answer with, in this order, whatever they are"
    },
    {
      "name": "fields",
      "isFlag": false,
      "text": "Fields to answer with; id always comes, and so do scores, explanations and highlights"
    },
    {
      "name": "facets",
      "isFlag": false,
      "text": "Fields by which to count the list's records",
      "choices": [
        "status",
        "states",
        "category",
        "applicant_type",
        "agency",
        "assistance_listing",
        "funding_instrument",
        "cost_sharing",
        "source",
        "recipient",
        "recipient_state"
      ]
    },
    {
      "name": "facets-mode",
      "isFlag": false,
      "text": "disjunctive counts each facet without the filter by its own parameter",
      "choices": [
        "conjunctive",
        "disjunctive"
      ]
    },
    {
      "name": "facets-sort-by",
      "isFlag": false,
      "text": "amount adds to each value of the facets the US dollars of its awards, and puts the values of the most dollars first",
      "choices": [
        "count",
        "amount"
      ]
    }
  ],
  "contracts": [
    {
      "name": "search-mode",
      "isFlag": false,
      "text": "keyword filters by the words, semantic ranks by meaning, hybrid fuses both rankings",
      "choices": [
        "keyword",
        "semantic",
        "hybrid"
      ]
    },
    {
      "name": "search-in",
      "isFlag": false,
      "text": "Where search looks",
      "choices": [
        "records",
        "documents",
        "all"
      ]
    },
    {
      "name": "similar-to",
      "isFlag": false,
      "text": "Id of a grant, contract or funder"
    },
    {
      "name": "opportunity-type",
      "isFlag": false,
      "text": "open",
      "choices": [
        "open",
        "awarded",
        "all"
      ]
    },
    {
      "name": "status",
      "isFlag": false,
      "text": "open, closed, upcoming, forecasted, cancelled, awarded, or a status of a publisher's own, in upper or lower case"
    },
    {
      "name": "exclude-status",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of status"
    },
    {
      "name": "states",
      "isFlag": false,
      "text": "USPS codes"
    },
    {
      "name": "include-national",
      "isFlag": true,
      "text": "With states"
    },
    {
      "name": "geography",
      "isFlag": false,
      "text": "Text to look for in the record's geography"
    },
    {
      "name": "category",
      "isFlag": false,
      "text": "Full name of a category, in upper or lower case"
    },
    {
      "name": "exclude-category",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of category"
    },
    {
      "name": "min-amount",
      "isFlag": false,
      "text": "US dollars"
    },
    {
      "name": "max-amount",
      "isFlag": false,
      "text": "US dollars"
    },
    {
      "name": "deadline-after",
      "isFlag": false,
      "text": "The deadline is after this day"
    },
    {
      "name": "deadline-before",
      "isFlag": false,
      "text": "The deadline is before this day"
    },
    {
      "name": "closing-within",
      "isFlag": false,
      "text": "Open opportunities whose deadline is from today to so many days from today, both included, where the record's publisher is"
    },
    {
      "name": "posted-after",
      "isFlag": false,
      "text": "created_at is later than this; a day begins in UTC"
    },
    {
      "name": "posted-before",
      "isFlag": false,
      "text": "created_at is earlier than this; a day begins in UTC"
    },
    {
      "name": "applicant-type",
      "isFlag": false,
      "text": "Kinds of applicants, in the values of CommonGrants"
    },
    {
      "name": "include-unrestricted",
      "isFlag": true,
      "text": "With applicant_type"
    },
    {
      "name": "agency",
      "isFlag": false,
      "text": "Name of an organization as a whole, in upper or lower case, a common abbreviation (USDA), or its id as a funder"
    },
    {
      "name": "exclude-agency",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of agency"
    },
    {
      "name": "funder-id",
      "isFlag": false,
      "text": "The record's funder, by id"
    },
    {
      "name": "exclude-funder-id",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of funder_id"
    },
    {
      "name": "assistance-listing",
      "isFlag": false,
      "text": "Number of an assistance listing (CFDA number)"
    },
    {
      "name": "exclude-assistance-listing",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of assistance_listing"
    },
    {
      "name": "funding-instrument",
      "isFlag": false,
      "text": "Forms of funding",
      "choices": [
        "grant",
        "cooperative_agreement",
        "procurement_contract",
        "other"
      ]
    },
    {
      "name": "cost-sharing",
      "isFlag": true,
      "text": "Whether the applicant has to bring a part of the money"
    },
    {
      "name": "source",
      "isFlag": false,
      "text": "source of the record's details"
    },
    {
      "name": "exclude-source",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of source"
    },
    {
      "name": "updated-after",
      "isFlag": false,
      "text": "The record changed in this catalogue later than this; a day begins in UTC"
    },
    {
      "name": "updated-before",
      "isFlag": false,
      "text": "The record changed in this catalogue last before this; a day begins in UTC"
    },
    {
      "name": "first-seen-after",
      "isFlag": false,
      "text": "The record came to this catalogue later than this; a day begins in UTC"
    },
    {
      "name": "first-seen-before",
      "isFlag": false,
      "text": "The record came to this catalogue before this; a day begins in UTC"
    },
    {
      "name": "min-expected-awards",
      "isFlag": false,
      "text": "expected_awards of the record's details is at least this"
    },
    {
      "name": "max-expected-awards",
      "isFlag": false,
      "text": "expected_awards of the record's details is at most this"
    },
    {
      "name": "min-total-funding",
      "isFlag": false,
      "text": "total_funding of the record's details is at least this"
    },
    {
      "name": "max-total-funding",
      "isFlag": false,
      "text": "total_funding of the record's details is at most this"
    },
    {
      "name": "project-start-after",
      "isFlag": false,
      "text": "project_start_date is after this day"
    },
    {
      "name": "project-start-before",
      "isFlag": false,
      "text": "project_start_date is before this day"
    },
    {
      "name": "project-end-after",
      "isFlag": false,
      "text": "project_end_date is after this day"
    },
    {
      "name": "project-end-before",
      "isFlag": false,
      "text": "project_end_date is before this day"
    },
    {
      "name": "recipient",
      "isFlag": false,
      "text": "Name of who received the award, as a whole, in upper or lower case and without regard to punctuation"
    },
    {
      "name": "exclude-recipient",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of recipient"
    },
    {
      "name": "uei",
      "isFlag": false,
      "text": "Unique Entity Identifier of who received the award"
    },
    {
      "name": "exclude-uei",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of uei"
    },
    {
      "name": "recipient-state",
      "isFlag": false,
      "text": "USPS code of the recipient's state"
    },
    {
      "name": "exclude-recipient-state",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of recipient_state"
    },
    {
      "name": "include-archived",
      "isFlag": true,
      "text": "Include records that have left the current catalogue"
    },
    {
      "name": "include-versions",
      "isFlag": true,
      "text": "Include earlier notices of an opportunity, and the same opportunity from other sources"
    },
    {
      "name": "naics",
      "isFlag": false,
      "text": "NAICS code of the industry, or its first two to five digits"
    },
    {
      "name": "exclude-naics",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of naics"
    },
    {
      "name": "psc",
      "isFlag": false,
      "text": "Product or service code (PSC), or its beginning"
    },
    {
      "name": "exclude-psc",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of psc"
    },
    {
      "name": "set-aside",
      "isFlag": false,
      "text": "Set-aside, by its GSA code or a common name, in upper or lower case"
    },
    {
      "name": "exclude-set-aside",
      "isFlag": false,
      "text": "Leaves out records that have any of these values, which are those of set_aside"
    },
    {
      "name": "highlight",
      "isFlag": true,
      "text": "Add highlights to each result"
    },
    {
      "name": "passages",
      "isFlag": true,
      "text": "Add passages to each result"
    },
    {
      "name": "sort-by",
      "isFlag": false,
      "text": "Of several (deadline_date,-amount_max; up to three), those with - descend, and the others ascend"
    },
    {
      "name": "order",
      "isFlag": false,
      "text": "Direction of a sort_by of one, without -",
      "choices": [
        "asc",
        "desc"
      ]
    },
    {
      "name": "limit",
      "isFlag": false,
      "text": "Maximum number of records in the answer"
    },
    {
      "name": "ids",
      "isFlag": false,
      "text": "Ids of the records to answer with, in this order, whatever they are"
    },
    {
      "name": "fields",
      "isFlag": false,
      "text": "Fields to answer with; id always comes, and so do scores, explanations and highlights"
    },
    {
      "name": "facets",
      "isFlag": false,
      "text": "Fields by which to count the list's records"
    },
    {
      "name": "facets-mode",
      "isFlag": false,
      "text": "disjunctive counts each facet without the filter by its own parameter",
      "choices": [
        "conjunctive",
        "disjunctive"
      ]
    },
    {
      "name": "facets-sort-by",
      "isFlag": false,
      "text": "amount adds to each value of the facets the US dollars of its awards, and puts the values of the most dollars first",
      "choices": [
        "count",
        "amount"
      ]
    }
  ],
  "funders": [
    {
      "name": "search-mode",
      "isFlag": false,
      "text": "keyword filters by the words, semantic ranks by meaning, hybrid fuses both rankings",
      "choices": [
        "keyword",
        "semantic",
        "hybrid"
      ]
    },
    {
      "name": "similar-to",
      "isFlag": false,
      "text": "Id of a grant, contract or funder"
    },
    {
      "name": "updated-after",
      "isFlag": false,
      "text": "The funder changed in this catalogue later than this; a day begins in UTC"
    },
    {
      "name": "updated-before",
      "isFlag": false,
      "text": "The funder changed in this catalogue last before this; a day begins in UTC"
    },
    {
      "name": "first-seen-after",
      "isFlag": false,
      "text": "The funder came to this catalogue later than this; a day begins in UTC"
    },
    {
      "name": "first-seen-before",
      "isFlag": false,
      "text": "The funder came to this catalogue before this; a day begins in UTC"
    },
    {
      "name": "highlight",
      "isFlag": true,
      "text": "Add highlights to each result"
    },
    {
      "name": "sort-by",
      "isFlag": false,
      "text": "Of several (name,-created_at), those with - descend, and the others ascend"
    },
    {
      "name": "order",
      "isFlag": false,
      "text": "Direction of a sort_by of one, without -",
      "choices": [
        "asc",
        "desc"
      ]
    },
    {
      "name": "limit",
      "isFlag": false,
      "text": "Maximum number of records in the answer"
    },
    {
      "name": "ids",
      "isFlag": false,
      "text": "Ids of the records to answer with, in this order, whatever they are"
    },
    {
      "name": "fields",
      "isFlag": false,
      "text": "Fields to answer with; id always comes, and so do scores, explanations and highlights",
      "choices": [
        "id",
        "name",
        "summary",
        "website",
        "created_at",
        "ein",
        "source",
        "updated_at",
        "first_seen_at",
        "last_seen_at",
        "link_status",
        "link_checked_at"
      ]
    }
  ]
};
