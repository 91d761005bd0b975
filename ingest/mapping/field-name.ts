import { nearest } from "../../shared/validation/suggest.ts";
import { MappingError } from "../errors.ts";
import { fieldAliases, parsers } from "../fields/parsers.ts";
import type { Dataset } from "../record.ts";

/** The fields of a dataset that a file can fill. */
export function fieldsOf(dataset: Dataset): string[] {
  return Object.keys(parsers[dataset]);
}

/** The field that a column's name means, by the field's own name, or undefined. */
export function fieldOfColumn(dataset: Dataset, column: string): { field: string; isAlias: boolean } | undefined {
  const name = column
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  const fields = parsers[dataset];
  if (Object.hasOwn(fields, name)) return { field: name, isAlias: false };
  const field = Object.hasOwn(fieldAliases, name) ? fieldAliases[name] : undefined;
  return field !== undefined && Object.hasOwn(fields, field) ? { field, isAlias: true } : undefined;
}

/**
 * The field that an option names.
 *
 * @throws {MappingError} naming the nearest field when there is none of that name.
 */
export function fieldNamed(dataset: Dataset, option: string, name: string): string {
  const found = fieldOfColumn(dataset, name);
  if (found !== undefined) return found.field;
  const fields = fieldsOf(dataset);
  const meant = nearest(name, [...fields, ...Object.keys(fieldAliases)]);
  const field = meant === undefined ? undefined : fieldOfColumn(dataset, meant)?.field;
  throw new MappingError(
    `${option} ${name}: ${dataset} have no such field${field === undefined ? `; they have ${fields.join(", ")}` : `; did you mean ${field}?`}`,
  );
}
