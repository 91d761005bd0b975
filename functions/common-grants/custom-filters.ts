import { customFilters } from "../../shared/catalogue/custom-filters.ts";
import { filterParameters } from "../../shared/catalogue/parameters.ts";
import type { FieldError } from "../../shared/http/problems.ts";
import type { OpportunityFilters } from "../../shared/validation/common-grants.ts";
import { sanitizeName } from "../../shared/validation/errors.ts";
import { isRepeated } from "../../shared/validation/fields.ts";

type CustomFilters = NonNullable<OpportunityFilters["customFilters"]>;
type Operator = CustomFilters[string]["operator"];

export const customFilterNames = Object.keys(customFilters);
const parameters: Record<string, unknown> = filterParameters("grants");

export interface ReadCustomFilters {
  /** Query parameters of `GET /grants-api`, as text: one, or each value of a list. */
  query: Record<string, string | string[]>;
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
    const found: Partial<Record<Operator, string>> | undefined = Object.hasOwn(customFilters, name)
      ? customFilters[name]
      : undefined;
    if (found === undefined) {
      read.errors.push(`${shown} was not applied: the filters are ${customFilterNames.join(", ")}`);
      continue;
    }
    const parameter = found[operator];
    if (parameter === undefined) {
      read.errors.push(`${shown} was not applied: its operators are ${Object.keys(found).join(", ")}`);
      continue;
    }
    const field = `filters.customFilters.${name}.value`;
    const hasCommas = found.in === undefined || isRepeated(parameters[parameter]);
    const wantsList = operator === "in" || operator === "notIn";
    const texts = textsOf(value, wantsList);
    if (texts === undefined || (!hasCommas && texts.some((text) => text.includes(",")))) {
      const items = wantsList ? "a list of texts" : "one text, number or boolean";
      read.filterErrors.push({ parameter: field, message: `must be ${items}${hasCommas ? "" : " without commas"}` });
      continue;
    }
    read.applied[name] = filter;
    const [text] = texts;
    if (text === undefined) {
      read.isNone ||= operator === "in";
      continue;
    }
    read.query[parameter] = wantsList ? texts : text;
    read.fields[parameter] = field;
    // The accepted types themselves are compared; `unrestricted` can be asked for.
    if (parameter === "applicant_type") read.query.include_unrestricted = "false";
  }
  return read;
}

/** Values as texts of a query parameter; undefined where they are none. */
function textsOf(value: unknown, wantsList: boolean): string[] | undefined {
  if (wantsList !== Array.isArray(value)) return undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = items.flatMap((item) => (["string", "number", "boolean"].includes(typeof item) ? [String(item)] : []));
  return texts.length < items.length ? undefined : texts;
}
