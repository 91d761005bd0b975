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
      "kind": "select",
      "options": [
        [
          "",
          "any"
        ],
        [
          "open",
          "open"
        ],
        [
          "posted",
          "posted"
        ],
        [
          "closed",
          "closed"
        ],
        [
          "forecasted",
          "forecasted"
        ],
        [
          "upcoming",
          "upcoming"
        ]
      ]
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
      "kind": "date"
    },
    {
      "name": "deadline_before",
      "label": "Deadline before",
      "kind": "date"
    },
    {
      "name": "posted_after",
      "label": "Posted after",
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
      "placeholder": "Department of Agriculture"
    },
    {
      "name": "funder_id",
      "label": "Funder, by id",
      "kind": "text",
      "placeholder": "a record’s UUID"
    },
    {
      "name": "assistance_listing",
      "label": "Assistance listing",
      "kind": "text",
      "placeholder": "10.557"
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
      "placeholder": "grants-gov"
    },
    {
      "name": "updated_after",
      "label": "Changed after",
      "kind": "date"
    },
    {
      "name": "min_expected_awards",
      "label": "Awards, at least",
      "kind": "number",
      "placeholder": "5"
    },
    {
      "name": "include_archived",
      "label": "Include archived records",
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
      "placeholder": "open"
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
      "kind": "date"
    },
    {
      "name": "deadline_before",
      "label": "Deadline before",
      "kind": "date"
    },
    {
      "name": "posted_after",
      "label": "Posted after",
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
      "placeholder": "Department of Agriculture"
    },
    {
      "name": "funder_id",
      "label": "Funder, by id",
      "kind": "text",
      "placeholder": "a record’s UUID"
    },
    {
      "name": "assistance_listing",
      "label": "Assistance listing",
      "kind": "text",
      "placeholder": "10.557"
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
      "placeholder": "grants-gov"
    },
    {
      "name": "updated_after",
      "label": "Changed after",
      "kind": "date"
    },
    {
      "name": "min_expected_awards",
      "label": "Awards, at least",
      "kind": "number",
      "placeholder": "5"
    },
    {
      "name": "include_archived",
      "label": "Include archived records",
      "kind": "check"
    },
    {
      "name": "naics",
      "label": "NAICS code",
      "kind": "text",
      "placeholder": "541511"
    },
    {
      "name": "set_aside",
      "label": "Set-aside",
      "kind": "text",
      "placeholder": "HUBZone"
    }
  ],
  "funders": [
    {
      "name": "updated_after",
      "label": "Changed after",
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
    "source"
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
    "naics",
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
