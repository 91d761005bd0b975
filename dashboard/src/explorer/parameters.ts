import { facetNames, filterFields, orderNames } from "./filters.generated.ts";

/** One parameter of a request, as a field of the form. */
export interface Parameter {
  name: string;
  label: string;
  /** How it is filled in. A `set` is chosen from its options, and sent separated by commas. */
  kind: "text" | "number" | "date" | "check" | "select" | "set";
  /**
   * Type of its value in a client's call. Default: text, a number of `number`, a list of `set`. `names` is a list whose values may have commas: the field
   * separates them by `|`, and a request repeats the parameter.
   */
  type?: "list" | "names" | "boolean";
  /** Values and names. In a select, the empty value leaves the parameter out. */
  options?: readonly (readonly [value: string, name: string])[];
  placeholder?: string;
}

/** Texts that a request has of a parameter. */
export function valuesOf({ type }: Parameter, value: string): string[] {
  if (type !== "names") return [value];
  const names = value.split(/(?<!\|)\|(?!\|)/).map((name) => name.trim().replaceAll("||", "|"));
  return names.filter((name) => name !== "");
}

/** A name as a field has it that separates names by `|`: one of its own is doubled. */
export function nameText(name: string): string {
  return name.replaceAll("|", "||");
}

function choice(name: string, label: string, absent: string, values: readonly string[]): Parameter {
  return { name, label, kind: "select", options: [["", absent], ...values.map((value) => [value, value] as const)] };
}

function set(name: string, label: string, values: readonly string[]): Parameter {
  return { name, label, kind: "set", options: values.map((value) => [value, value] as const) };
}

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
const highlight: Parameter = { name: "highlight", label: "Show where the words are", kind: "check" };
/** Where a search of opportunities looks. */
export const searchIn = choice("search_in", "Search in", "records (default)", ["documents", "all"]);
const passages: Parameter = { name: "passages", label: "Show what documents say", kind: "check" };
const direction = choice("order", "Order", "default", ["asc", "desc"]);
const details: Parameter = { ...choice("expand", "Add", "nothing", ["details"]), type: "list" };
const fields: Parameter = {
  name: "fields",
  label: "Fields",
  kind: "text",
  type: "list",
  placeholder: "title,deadline_at",
};
const ids: Parameter = { name: "ids", label: "Records, by ids", kind: "text", type: "list", placeholder: "UUIDs" };
const countOnly: Parameter = { name: "count_only", label: "Only the total", kind: "check" };
const paging: readonly Parameter[] = [
  limit,
  { name: "offset", label: "Skip", kind: "number", placeholder: "0" },
  { name: "cursor", label: "Cursor", kind: "text", placeholder: "pagination.next" },
];
/** Parameters of a list after its filters. */
function presentation(dataset: "grants" | "contracts"): readonly Parameter[] {
  return [
    searchIn,
    passages,
    similarTo,
    choice("sort_by", "Sort by", "default", orderNames[dataset]),
    direction,
    ...paging,
    details,
    fields,
    recordId,
    ids,
    set("facets", "Facets", facetNames[dataset]),
    choice("facets_mode", "Facets' own filters", "count", ["disjunctive"]),
    choice("facets_sort_by", "Facets by", "count", ["amount"]),
    { name: "archived_as_ids", label: "Archived records by id", kind: "check" },
    countOnly,
    explain,
    highlight,
  ];
}

export const grantParameters = {
  main: [search, searchMode],
  more: [...filterFields.grants, ...presentation("grants")],
};

export const contractParameters = {
  main: [search, searchMode],
  more: [...filterFields.contracts, ...presentation("contracts")],
};

export const funderParameters = {
  main: [{ ...search, placeholder: "rural health" }, searchMode],
  more: [
    similarTo,
    choice("sort_by", "Sort by", "default", orderNames.funders),
    direction,
    ...filterFields.funders,
    ...paging,
    details,
    { ...fields, placeholder: "name,website" },
    recordId,
    ids,
    countOnly,
    explain,
    highlight,
  ],
};

export const semanticParameters = {
  main: [
    { name: "query", label: "Query", kind: "text", placeholder: "cleaning up polluted lakes" } as const,
    choice("type", "Type", "grants and contracts", ["grants", "contracts"]),
  ],
  more: [similarTo, { ...limit, placeholder: "10" }, explain, highlight],
};
