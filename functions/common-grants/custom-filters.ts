import { filters } from "../../shared/catalogue/filters.ts";
import type { CustomFilter, Filter } from "../../shared/catalogue/rules.ts";
import type { FieldError } from "../../shared/http/problems.ts";
import type { OpportunityFilters } from "../../shared/validation/common-grants.ts";
import { sanitizeName } from "../../shared/validation/errors.ts";

type CustomFilters = NonNullable<OpportunityFilters["customFilters"]>;
type Operator = CustomFilters[string]["operator"];

/** Our own filters: the query parameter of `GET /grants-api` that each is, and the operators that it has. */
const known: Record<string, { parameter: string; operators: readonly Operator[] }> = Object.fromEntries(
  Object.entries<Filter>(filters)
    .flatMap(([parameter, { commonGrants }]) => (isOurs(commonGrants) ? [{ parameter, ...commonGrants }] : []))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, ...rest }) => [name, rest]),
);

/** Whether a filter is ours, and not the protocol's own. */
function isOurs(commonGrants: Filter["commonGrants"]): commonGrants is CustomFilter {
  return typeof commonGrants === "object" && commonGrants !== null;
}

/** Values as the parameters have them, of those that others write in another way. */
const spellings: Readonly<Record<string, (text: string) => string | undefined>> = {
  cost_sharing: (text) => truth.get(text.toLowerCase()),
  // As the field `federalFundingInstruments` has them.
  funding_instrument: (text) => text.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
};

/** What the API of HHS takes for true and false. */
const truth = new Map([
  ...["1", "t", "true", "y", "yes"].map((text) => [text, "true"] as const),
  ...["0", "f", "false", "n", "no"].map((text) => [text, "false"] as const),
]);

export const customFilterNames = Object.keys(known);

export interface ReadCustomFilters {
  /** Query parameters of `GET /grants-api`, as text. */
  query: Record<string, string>;
  /** Field of the request that each of these comes from. */
  fields: Record<string, string>;
  applied: CustomFilters;
  /** Whether no opportunity can meet one of them. */
  isNone: boolean;
  /** Filters that are not applied. */
  errors: string[];
  /** Fields whose values cannot be compared with, for which the request is refused. */
  filterErrors: FieldError[];
}

/** Turns custom filters into parameters of a list of grants. Unknown filters and operators are named, and not applied. */
export function readCustomFilters(filters: CustomFilters): ReadCustomFilters {
  const read: ReadCustomFilters = { query: {}, fields: {}, applied: {}, isNone: false, errors: [], filterErrors: [] };
  for (const [name, filter] of Object.entries(filters)) {
    const { operator, value } = filter;
    const shown = `customFilters.${sanitizeName(name)}`;
    const found = Object.hasOwn(known, name) ? known[name] : undefined;
    if (found === undefined) {
      read.errors.push(`${shown} was not applied: the filters are ${customFilterNames.join(", ")}`);
      continue;
    }
    const { parameter, operators } = found;
    if (!operators.includes(operator)) {
      read.errors.push(`${shown} was not applied: its operators are ${operators.join(", ")}`);
      continue;
    }
    const field = `filters.customFilters.${name}.value`;
    const isList = operators.includes("in");
    const text = textOf(value, operator, isList);
    if (text === undefined) {
      const items = operator === "in" ? "a list of texts" : "one text, number or boolean";
      read.filterErrors.push({ parameter: field, message: `must be ${items}${isList ? " without commas" : ""}` });
      continue;
    }
    read.applied[name] = filter;
    if (text === "" && operator === "in") {
      read.isNone = true;
      continue;
    }
    read.query[parameter] = spellings[parameter]?.(text) ?? text;
    read.fields[parameter] = field;
    // The accepted types themselves are compared; `unrestricted` can be asked for.
    if (parameter === "applicant_type") read.query.include_unrestricted = "false";
  }
  return read;
}

/**
 * Value as text of a query parameter.
 *
 * @param isList whether the parameter is a list, in which commas separate.
 * @returns undefined where it is none.
 */
function textOf(value: unknown, operator: Operator, isList: boolean): string | undefined {
  const items: readonly unknown[] = operator === "in" && Array.isArray(value) ? value : [value];
  const texts = items.flatMap((item) => (["string", "number", "boolean"].includes(typeof item) ? [String(item)] : []));
  if (texts.length < items.length || (operator === "in") !== Array.isArray(value)) return undefined;
  return isList && texts.some((text) => text.includes(",")) ? undefined : texts.join(",");
}
