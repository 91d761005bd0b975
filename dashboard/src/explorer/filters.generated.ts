// Written by npm run schema from shared/catalogue/filters.ts.
import type { Dataset } from "../../../shared/datasets.ts";
import type { Parameter } from "./parameters.ts";

/** Fields of the filters of a dataset's list. */
export const filterFields: Record<Dataset, readonly Parameter[]> = {
  "grants": [
    {
      "name": "opportunity_type",
      "label": "Type",
      "kind": "select",
      "options": [
        [
          "",
          "open (default)"
        ],
        [
          "awarded",
          "awarded"
        ],
        [
          "all",
          "all"
        ]
      ]
    },
    {
      "name": "status",
      "label": "Status",
      "kind": "text",
      "type": "list",
      "placeholder": ""
    },
    {
      "name": "exclude_status",
      "label": "Not: status",
      "kind": "text",
      "type": "list",
      "placeholder": ""
    },
    {
      "name": "states",
      "label": "States",
      "kind": "text",
      "type": "list",
      "placeholder": "OH,PA"
    },
    {
      "name": "include_national",
      "label": "Include national records",
      "kind": "check"
    },
    {
      "name": "category",
      "label": "Category",
      "kind": "text",
      "type": "names",
      "placeholder": "Education"
    },
    {
      "name": "exclude_category",
      "label": "Not: category",
      "kind": "text",
      "type": "names",
      "placeholder": "Education"
    },
    {
      "name": "min_amount",
      "label": "Amount from, $",
      "kind": "number",
      "placeholder": "50000"
    },
    {
      "name": "max_amount",
      "label": "Amount to, $",
      "kind": "number",
      "placeholder": "250000"
    },
    {
      "name": "deadline_after",
      "label": "Deadline after",
      "kind": "text",
      "placeholder": "today"
    },
    {
      "name": "deadline_before",
      "label": "Deadline before",
      "kind": "text",
      "placeholder": "today+14d"
    },
    {
      "name": "closing_within",
      "label": "Closing within days",
      "kind": "number",
      "placeholder": "14"
    },
    {
      "name": "posted_after",
      "label": "Posted after",
      "kind": "date"
    },
    {
      "name": "posted_before",
      "label": "Posted before",
      "kind": "date"
    },
    {
      "name": "applicant_type",
      "label": "Who may apply",
      "kind": "text",
      "type": "list",
      "placeholder": "government_county,government_municipal"
    },
    {
      "name": "include_unrestricted",
      "label": "Open to anyone",
      "kind": "select",
      "options": [
        [
          "",
          "true (default)"
        ],
        [
          "true",
          "true"
        ],
        [
          "false",
          "false"
        ]
      ],
      "type": "boolean"
    },
    {
      "name": "agency",
      "label": "Agency",
      "kind": "text",
      "type": "names",
      "placeholder": "Department of Agriculture"
    },
    {
      "name": "exclude_agency",
      "label": "Not: agency",
      "kind": "text",
      "type": "names",
      "placeholder": "Department of Agriculture"
    },
    {
      "name": "funder_id",
      "label": "Funder, by id",
      "kind": "text",
      "type": "list",
      "placeholder": "a record’s UUID"
    },
    {
      "name": "exclude_funder_id",
      "label": "Not: funder, by id",
      "kind": "text",
      "type": "list",
      "placeholder": "a record’s UUID"
    },
    {
      "name": "assistance_listing",
      "label": "Assistance listing",
      "kind": "text",
      "type": "list",
      "placeholder": "10.557,10."
    },
    {
      "name": "exclude_assistance_listing",
      "label": "Not: assistance listing",
      "kind": "text",
      "type": "list",
      "placeholder": "10.557,10."
    },
    {
      "name": "funding_instrument",
      "label": "Instrument",
      "kind": "text",
      "type": "list",
      "placeholder": "grant"
    },
    {
      "name": "cost_sharing",
      "label": "Cost sharing",
      "kind": "select",
      "options": [
        [
          "",
          "any"
        ],
        [
          "true",
          "true"
        ],
        [
          "false",
          "false"
        ]
      ],
      "type": "boolean"
    },
    {
      "name": "source",
      "label": "Source",
      "kind": "text",
      "type": "names",
      "placeholder": "grants-gov"
    },
    {
      "name": "exclude_source",
      "label": "Not: source",
      "kind": "text",
      "type": "names",
      "placeholder": "grants-gov"
    },
    {
      "name": "updated_after",
      "label": "Changed after",
      "kind": "date"
    },
    {
      "name": "updated_before",
      "label": "Changed before",
      "kind": "date"
    },
    {
      "name": "first_seen_after",
      "label": "New after",
      "kind": "date"
    },
    {
      "name": "first_seen_before",
      "label": "New before",
      "kind": "date"
    },
    {
      "name": "min_expected_awards",
      "label": "Awards, at least",
      "kind": "number",
      "placeholder": "5"
    },
    {
      "name": "max_expected_awards",
      "label": "Awards, at most",
      "kind": "number",
      "placeholder": "100"
    },
    {
      "name": "min_total_funding",
      "label": "Total from, $",
      "kind": "number",
      "placeholder": "1000000"
    },
    {
      "name": "max_total_funding",
      "label": "Total to, $",
      "kind": "number",
      "placeholder": "50000000"
    },
    {
      "name": "project_start_after",
      "label": "Project begins after",
      "kind": "date"
    },
    {
      "name": "project_start_before",
      "label": "Project begins before",
      "kind": "date"
    },
    {
      "name": "project_end_after",
      "label": "Project ends after",
      "kind": "date"
    },
    {
      "name": "project_end_before",
      "label": "Project ends before",
      "kind": "date"
    },
    {
      "name": "recipient",
      "label": "Recipient",
      "kind": "text",
      "type": "names",
      "placeholder": "Ohio State University"
    },
    {
      "name": "exclude_recipient",
      "label": "Not: recipient",
      "kind": "text",
      "type": "names",
      "placeholder": "Ohio State University"
    },
    {
      "name": "uei",
      "label": "Recipient, by UEI",
      "kind": "text",
      "type": "list",
      "placeholder": "QZ5ACLXM1PL5"
    },
    {
      "name": "exclude_uei",
      "label": "Not: recipient, by UEI",
      "kind": "text",
      "type": "list",
      "placeholder": "QZ5ACLXM1PL5"
    },
    {
      "name": "recipient_state",
      "label": "Recipient's state",
      "kind": "text",
      "type": "list",
      "placeholder": "OH"
    },
    {
      "name": "exclude_recipient_state",
      "label": "Not: recipient's state",
      "kind": "text",
      "type": "list",
      "placeholder": "OH"
    },
    {
      "name": "include_archived",
      "label": "Include archived records",
      "kind": "check"
    },
    {
      "name": "include_versions",
      "label": "Include other versions",
      "kind": "check"
    }
  ],
  "contracts": [
    {
      "name": "opportunity_type",
      "label": "Type",
      "kind": "select",
      "options": [
        [
          "",
          "open (default)"
        ],
        [
          "awarded",
          "awarded"
        ],
        [
          "all",
          "all"
        ]
      ]
    },
    {
      "name": "status",
      "label": "Status",
      "kind": "text",
      "type": "names",
      "placeholder": "open | closed"
    },
    {
      "name": "exclude_status",
      "label": "Not: status",
      "kind": "text",
      "type": "names",
      "placeholder": "open | closed"
    },
    {
      "name": "states",
      "label": "States",
      "kind": "text",
      "type": "list",
      "placeholder": "OH,PA"
    },
    {
      "name": "include_national",
      "label": "Include national records",
      "kind": "check"
    },
    {
      "name": "category",
      "label": "Category",
      "kind": "text",
      "type": "names",
      "placeholder": "Education"
    },
    {
      "name": "exclude_category",
      "label": "Not: category",
      "kind": "text",
      "type": "names",
      "placeholder": "Education"
    },
    {
      "name": "min_amount",
      "label": "Amount from, $",
      "kind": "number",
      "placeholder": "50000"
    },
    {
      "name": "max_amount",
      "label": "Amount to, $",
      "kind": "number",
      "placeholder": "250000"
    },
    {
      "name": "deadline_after",
      "label": "Deadline after",
      "kind": "text",
      "placeholder": "today"
    },
    {
      "name": "deadline_before",
      "label": "Deadline before",
      "kind": "text",
      "placeholder": "today+14d"
    },
    {
      "name": "closing_within",
      "label": "Closing within days",
      "kind": "number",
      "placeholder": "14"
    },
    {
      "name": "posted_after",
      "label": "Posted after",
      "kind": "date"
    },
    {
      "name": "posted_before",
      "label": "Posted before",
      "kind": "date"
    },
    {
      "name": "applicant_type",
      "label": "Who may apply",
      "kind": "text",
      "type": "list",
      "placeholder": "government_county,government_municipal"
    },
    {
      "name": "include_unrestricted",
      "label": "Open to anyone",
      "kind": "select",
      "options": [
        [
          "",
          "true (default)"
        ],
        [
          "true",
          "true"
        ],
        [
          "false",
          "false"
        ]
      ],
      "type": "boolean"
    },
    {
      "name": "agency",
      "label": "Agency",
      "kind": "text",
      "type": "names",
      "placeholder": "Department of Agriculture"
    },
    {
      "name": "exclude_agency",
      "label": "Not: agency",
      "kind": "text",
      "type": "names",
      "placeholder": "Department of Agriculture"
    },
    {
      "name": "funder_id",
      "label": "Funder, by id",
      "kind": "text",
      "type": "list",
      "placeholder": "a record’s UUID"
    },
    {
      "name": "exclude_funder_id",
      "label": "Not: funder, by id",
      "kind": "text",
      "type": "list",
      "placeholder": "a record’s UUID"
    },
    {
      "name": "assistance_listing",
      "label": "Assistance listing",
      "kind": "text",
      "type": "list",
      "placeholder": "10.557,10."
    },
    {
      "name": "exclude_assistance_listing",
      "label": "Not: assistance listing",
      "kind": "text",
      "type": "list",
      "placeholder": "10.557,10."
    },
    {
      "name": "funding_instrument",
      "label": "Instrument",
      "kind": "text",
      "type": "list",
      "placeholder": "grant"
    },
    {
      "name": "cost_sharing",
      "label": "Cost sharing",
      "kind": "select",
      "options": [
        [
          "",
          "any"
        ],
        [
          "true",
          "true"
        ],
        [
          "false",
          "false"
        ]
      ],
      "type": "boolean"
    },
    {
      "name": "source",
      "label": "Source",
      "kind": "text",
      "type": "names",
      "placeholder": "grants-gov"
    },
    {
      "name": "exclude_source",
      "label": "Not: source",
      "kind": "text",
      "type": "names",
      "placeholder": "grants-gov"
    },
    {
      "name": "updated_after",
      "label": "Changed after",
      "kind": "date"
    },
    {
      "name": "updated_before",
      "label": "Changed before",
      "kind": "date"
    },
    {
      "name": "first_seen_after",
      "label": "New after",
      "kind": "date"
    },
    {
      "name": "first_seen_before",
      "label": "New before",
      "kind": "date"
    },
    {
      "name": "min_expected_awards",
      "label": "Awards, at least",
      "kind": "number",
      "placeholder": "5"
    },
    {
      "name": "max_expected_awards",
      "label": "Awards, at most",
      "kind": "number",
      "placeholder": "100"
    },
    {
      "name": "min_total_funding",
      "label": "Total from, $",
      "kind": "number",
      "placeholder": "1000000"
    },
    {
      "name": "max_total_funding",
      "label": "Total to, $",
      "kind": "number",
      "placeholder": "50000000"
    },
    {
      "name": "project_start_after",
      "label": "Project begins after",
      "kind": "date"
    },
    {
      "name": "project_start_before",
      "label": "Project begins before",
      "kind": "date"
    },
    {
      "name": "project_end_after",
      "label": "Project ends after",
      "kind": "date"
    },
    {
      "name": "project_end_before",
      "label": "Project ends before",
      "kind": "date"
    },
    {
      "name": "recipient",
      "label": "Recipient",
      "kind": "text",
      "type": "names",
      "placeholder": "Ohio State University"
    },
    {
      "name": "exclude_recipient",
      "label": "Not: recipient",
      "kind": "text",
      "type": "names",
      "placeholder": "Ohio State University"
    },
    {
      "name": "uei",
      "label": "Recipient, by UEI",
      "kind": "text",
      "type": "list",
      "placeholder": "QZ5ACLXM1PL5"
    },
    {
      "name": "exclude_uei",
      "label": "Not: recipient, by UEI",
      "kind": "text",
      "type": "list",
      "placeholder": "QZ5ACLXM1PL5"
    },
    {
      "name": "recipient_state",
      "label": "Recipient's state",
      "kind": "text",
      "type": "list",
      "placeholder": "OH"
    },
    {
      "name": "exclude_recipient_state",
      "label": "Not: recipient's state",
      "kind": "text",
      "type": "list",
      "placeholder": "OH"
    },
    {
      "name": "include_archived",
      "label": "Include archived records",
      "kind": "check"
    },
    {
      "name": "include_versions",
      "label": "Include other versions",
      "kind": "check"
    },
    {
      "name": "naics",
      "label": "NAICS code",
      "kind": "text",
      "type": "list",
      "placeholder": "541511,54"
    },
    {
      "name": "exclude_naics",
      "label": "Not: nAICS code",
      "kind": "text",
      "type": "list",
      "placeholder": "541511,54"
    },
    {
      "name": "psc",
      "label": "Product or service code",
      "kind": "text",
      "type": "list",
      "placeholder": "R499,R4"
    },
    {
      "name": "exclude_psc",
      "label": "Not: product or service code",
      "kind": "text",
      "type": "list",
      "placeholder": "R499,R4"
    },
    {
      "name": "set_aside",
      "label": "Set-aside",
      "kind": "text",
      "type": "names",
      "placeholder": "HUBZone | 8A"
    },
    {
      "name": "exclude_set_aside",
      "label": "Not: set-aside",
      "kind": "text",
      "type": "names",
      "placeholder": "HUBZone | 8A"
    }
  ],
  "funders": [
    {
      "name": "updated_after",
      "label": "Changed after",
      "kind": "date"
    },
    {
      "name": "updated_before",
      "label": "Changed before",
      "kind": "date"
    },
    {
      "name": "first_seen_after",
      "label": "New after",
      "kind": "date"
    },
    {
      "name": "first_seen_before",
      "label": "New before",
      "kind": "date"
    }
  ]
};

/** Fields by which the records of a list are counted. */
export const facetNames: Record<Dataset, readonly string[]> = {
  "grants": [
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
  ],
  "contracts": [
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
    "recipient_state",
    "naics",
    "psc",
    "set_aside"
  ],
  "funders": []
};

/** Values of `sort_by`. */
export const orderNames: Record<Dataset, readonly string[]> = {
  "grants": [
    "created_at",
    "updated_at",
    "deadline_date",
    "amount_min",
    "amount_max",
    "title",
    "relevance"
  ],
  "contracts": [
    "created_at",
    "updated_at",
    "deadline_date",
    "amount_min",
    "amount_max",
    "title",
    "relevance"
  ],
  "funders": [
    "name",
    "created_at",
    "updated_at",
    "relevance"
  ]
};
