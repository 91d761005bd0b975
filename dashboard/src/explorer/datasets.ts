/** Endpoint that the explorer sends a request to. */
export type Dataset = "grants" | "contracts" | "funders" | "semantic";

export const datasets: readonly { value: Dataset; name: string }[] = [
  { value: "grants", name: "Grants" },
  { value: "contracts", name: "Contracts" },
  { value: "funders", name: "Funders" },
  { value: "semantic", name: "Semantic" },
];

/** One parameter of a request, as a field of the form. */
export interface Parameter {
  name: string;
  label: string;
  kind: "text" | "number" | "date" | "check" | "select";
  /** Options of a select: values and names. The empty value leaves the parameter out. */
  options?: readonly (readonly [value: string, name: string])[];
  placeholder?: string;
}

function choice(name: string, label: string, absent: string, values: readonly string[]): Parameter {
  return { name, label, kind: "select", options: [["", absent], ...values.map((value) => [value, value] as const)] };
}

const search = { name: "search", label: "Search", kind: "text", placeholder: "summer meals for children" } as const;
const searchMode = choice("search_mode", "Search mode", "keyword (default)", ["semantic", "hybrid"]);
const limit = { name: "limit", label: "Results", kind: "number", placeholder: "20" } as const;
const offset = { name: "offset", label: "Skip", kind: "number", placeholder: "0" } as const;
const direction = choice("order", "Order", "default", ["asc", "desc"]);
const countOnly = { name: "count_only", label: "Only the total", kind: "check" } as const;
const opportunitySort = choice("sort_by", "Sort by", "default", [
  "created_at",
  "updated_at",
  "deadline_date",
  "amount_min",
  "amount_max",
  "title",
  "relevance",
]);

const opportunityFilters: readonly Parameter[] = [
  choice("opportunity_type", "Type", "open (default)", ["awarded", "all"]),
  { name: "states", label: "States", kind: "text", placeholder: "OH,PA" },
  { name: "category", label: "Category", kind: "text", placeholder: "Education" },
  { name: "min_amount", label: "Amount from, $", kind: "number", placeholder: "50000" },
  { name: "max_amount", label: "Amount to, $", kind: "number", placeholder: "250000" },
  { name: "deadline_after", label: "Deadline after", kind: "date" },
  { name: "deadline_before", label: "Deadline before", kind: "date" },
  { name: "posted_after", label: "Posted after", kind: "date" },
  { name: "applicant_type", label: "Who may apply", kind: "text", placeholder: "government_county,individual" },
  { name: "agency", label: "Agency", kind: "text", placeholder: "Department of Agriculture" },
  { name: "assistance_listing", label: "Assistance listing", kind: "text", placeholder: "10.557" },
  choice("cost_sharing", "Cost sharing", "any", ["true", "false"]),
  { name: "updated_after", label: "Changed after", kind: "date" },
];
const opportunityEnd: readonly Parameter[] = [
  opportunitySort,
  direction,
  limit,
  offset,
  choice("expand", "Add", "nothing", ["details"]),
  { name: "include_national", label: "Include national records", kind: "check" },
  { name: "include_archived", label: "Include archived records", kind: "check" },
  countOnly,
];

/** Parameters of each endpoint: the main ones, which are always shown, and the others. */
export const parametersOf: Record<Dataset, { main: readonly Parameter[]; more: readonly Parameter[] }> = {
  grants: {
    main: [search, searchMode],
    more: [
      choice("status", "Status", "any", ["open", "posted", "closed", "forecasted", "upcoming"]),
      ...opportunityFilters,
      ...opportunityEnd,
    ],
  },
  contracts: {
    main: [search, searchMode],
    more: [
      { name: "status", label: "Status", kind: "text", placeholder: "open" },
      ...opportunityFilters,
      { name: "naics", label: "NAICS code", kind: "text", placeholder: "541511" },
      { name: "set_aside", label: "Set-aside", kind: "text", placeholder: "HUBZone" },
      ...opportunityEnd,
    ],
  },
  funders: {
    main: [{ ...search, placeholder: "rural health" }, searchMode],
    more: [
      choice("sort_by", "Sort by", "default", ["name", "created_at", "relevance"]),
      direction,
      limit,
      offset,
      countOnly,
    ],
  },
  semantic: {
    main: [
      { name: "query", label: "Query", kind: "text", placeholder: "cleaning up polluted lakes" },
      choice("type", "Type", "grants and contracts", ["grants", "contracts"]),
    ],
    more: [{ ...limit, placeholder: "10" }],
  },
};
