/** One parameter of a request, as a field of the form. */
export interface Parameter {
  name: string;
  label: string;
  /** How it is filled in. A `set` is chosen from its options, and sent separated by commas. */
  kind: "text" | "number" | "date" | "check" | "select" | "set";
  /** Type of its value in a client's call. Default: text, a number of `number`, a list of `set`. */
  type?: "list" | "boolean";
  /** Values and names. In a select, the empty value leaves the parameter out. */
  options?: readonly (readonly [value: string, name: string])[];
  placeholder?: string;
}

function choice(name: string, label: string, absent: string, values: readonly string[]): Parameter {
  return { name, label, kind: "select", options: [["", absent], ...values.map((value) => [value, value] as const)] };
}

function set(name: string, label: string, values: readonly string[]): Parameter {
  return { name, label, kind: "set", options: values.map((value) => [value, value] as const) };
}

const yesOrNo = (name: string, label: string, absent: string): Parameter => ({
  ...choice(name, label, absent, ["true", "false"]),
  type: "boolean",
});

const search: Parameter = { name: "search", label: "Search", kind: "text", placeholder: "summer meals for children" };
const searchMode = choice("search_mode", "Search mode", "keyword (default)", ["semantic", "hybrid"]);
const limit: Parameter = { name: "limit", label: "Results", kind: "number", placeholder: "20" };
const recordId: Parameter = { name: "id", label: "One record, by id", kind: "text", placeholder: "a record’s UUID" };
const similarTo: Parameter = {
  name: "similar_to",
  label: "Like this record",
  kind: "text",
  placeholder: "a record’s UUID",
};
const explain: Parameter = { name: "explain", label: "Explain the ranking", kind: "check" };
const direction = choice("order", "Order", "default", ["asc", "desc"]);
const details: Parameter = { ...choice("expand", "Add", "nothing", ["details"]), type: "list" };
const countOnly: Parameter = { name: "count_only", label: "Only the total", kind: "check" };
const updatedAfter: Parameter = { name: "updated_after", label: "Changed after", kind: "date" };
const paging: readonly Parameter[] = [
  limit,
  { name: "offset", label: "Skip", kind: "number", placeholder: "0" },
  { name: "cursor", label: "Cursor", kind: "text", placeholder: "pagination.next" },
];
const facets = [
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

const opportunityFilters: readonly Parameter[] = [
  choice("opportunity_type", "Type", "open (default)", ["awarded", "all"]),
  { name: "states", label: "States", kind: "text", type: "list", placeholder: "OH,PA" },
  { name: "category", label: "Category", kind: "text", placeholder: "Education" },
  { name: "min_amount", label: "Amount from, $", kind: "number", placeholder: "50000" },
  { name: "max_amount", label: "Amount to, $", kind: "number", placeholder: "250000" },
  { name: "deadline_after", label: "Deadline after", kind: "date" },
  { name: "deadline_before", label: "Deadline before", kind: "date" },
  { name: "posted_after", label: "Posted after", kind: "date" },
  { name: "applicant_type", label: "Who may apply", kind: "text", type: "list", placeholder: "government_county" },
  yesOrNo("include_unrestricted", "Open to anyone", "included (default)"),
  { name: "agency", label: "Agency", kind: "text", placeholder: "Department of Agriculture" },
  { name: "funder_id", label: "Funder, by id", kind: "text", placeholder: "a funder’s UUID" },
  { name: "assistance_listing", label: "Assistance listing", kind: "text", placeholder: "10.557" },
  { name: "funding_instrument", label: "Instrument", kind: "text", type: "list", placeholder: "grant" },
  yesOrNo("cost_sharing", "Cost sharing", "any"),
  { name: "source", label: "Source", kind: "text", placeholder: "grants-gov" },
  updatedAfter,
];

function opportunityEnd(facetNames: readonly string[]): readonly Parameter[] {
  return [
    similarTo,
    choice("sort_by", "Sort by", "default", [
      "created_at",
      "updated_at",
      "deadline_date",
      "amount_min",
      "amount_max",
      "title",
      "relevance",
    ]),
    direction,
    ...paging,
    details,
    recordId,
    set("facets", "Facets", facetNames),
    { name: "include_national", label: "Include national records", kind: "check" },
    { name: "include_archived", label: "Include archived records", kind: "check" },
    { name: "archived_as_ids", label: "Archived records by id", kind: "check" },
    countOnly,
    explain,
  ];
}

export const grantParameters = {
  main: [search, searchMode],
  more: [
    choice("status", "Status", "any", ["open", "posted", "closed", "forecasted", "upcoming"]),
    ...opportunityFilters,
    ...opportunityEnd(facets),
  ],
};

export const contractParameters = {
  main: [search, searchMode],
  more: [
    { name: "status", label: "Status", kind: "text", placeholder: "open" } as const,
    ...opportunityFilters,
    { name: "naics", label: "NAICS code", kind: "text", placeholder: "541511" } as const,
    { name: "set_aside", label: "Set-aside", kind: "text", placeholder: "HUBZone" } as const,
    ...opportunityEnd([...facets, "naics", "set_aside"]),
  ],
};

export const funderParameters = {
  main: [{ ...search, placeholder: "rural health" }, searchMode],
  more: [
    similarTo,
    choice("sort_by", "Sort by", "default", ["name", "created_at", "updated_at", "relevance"]),
    direction,
    updatedAfter,
    ...paging,
    details,
    recordId,
    countOnly,
    explain,
  ],
};

export const semanticParameters = {
  main: [
    { name: "query", label: "Query", kind: "text", placeholder: "cleaning up polluted lakes" } as const,
    choice("type", "Type", "grants and contracts", ["grants", "contracts"]),
  ],
  more: [similarTo, { ...limit, placeholder: "10" }, explain],
};
