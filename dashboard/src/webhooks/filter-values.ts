import { filterFields } from "../explorer/filters.generated.ts";
import { type Parameter, searchIn, valuesOf } from "../explorer/parameters.ts";
import type { Dataset } from "./draft.ts";

const search: Parameter = { name: "search", label: "Search", kind: "text", placeholder: "summer meals for children" };

/** Fields of a dataset's filter: its search, where that looks, and the filters of the explorer. */
export function fieldsOf(dataset: Dataset): readonly Parameter[] {
  return [search, ...(dataset === "funders" ? [] : [searchIn]), ...filterFields[dataset]];
}

/** What a query string has for the form's fields, by name; a parameter of names that is repeated is separated by `|`, as in the explorer. */
export function valuesAt(dataset: Dataset, query: string): Record<string, string> {
  const given = new URLSearchParams(query.trim());
  return Object.fromEntries(
    fieldsOf(dataset).flatMap(({ name, type }) => {
      const values = given.getAll(name);
      return values.length === 0 ? [] : [[name, values.join(type === "names" ? " | " : ",")]];
    }),
  );
}

/** Parameters of a query string that the form has no field for. */
export function othersAt(dataset: Dataset, query: string): string[] {
  const known = new Set(fieldsOf(dataset).map(({ name }) => name));
  return [...new Set(new URLSearchParams(query.trim()).keys())].filter((name) => !known.has(name));
}

/** The query string with another value of one field; what the form has no field for stays. */
export function queryWith(dataset: Dataset, query: string, name: string, value: string): string {
  const parameter = fieldsOf(dataset).find((field) => field.name === name);
  const given = new URLSearchParams(query.trim());
  given.delete(name);
  if (parameter !== undefined && value.trim() !== "") {
    for (const one of valuesOf(parameter, value.trim())) given.append(name, one);
  }
  // Commas of a list stay readable.
  return given.toString().replaceAll("%2C", ",");
}
