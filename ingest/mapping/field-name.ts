import { nearest } from "../../shared/validation/suggest.ts";
import { MappingError } from "../errors.ts";
import { fieldAliases, parsers } from "../fields/parsers.ts";
import type { Dataset } from "../record.ts";

/** Lists the fields of a dataset that a file can fill. */
export function listFields(dataset: Dataset): string[] {
  return Object.keys(parsers[dataset]);
}

/** Finds the field of a column's name, which may be an alias. Undefined when there is none. */
export function findField(dataset: Dataset, column: string): { field: string; isAlias: boolean } | undefined {
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
 * Resolves the field in an option.
 *
 * @throws {MappingError} naming the nearest field when there is none of that name.
 */
export function resolveField(dataset: Dataset, option: string, name: string): string {
  const found = findField(dataset, name);
  if (found !== undefined) return found.field;
  const fields = listFields(dataset);
  const suggested = nearest(name, [...fields, ...Object.keys(fieldAliases)]);
  const field = suggested === undefined ? undefined : findField(dataset, suggested)?.field;
  throw new MappingError(
    `${option} ${name}: ${dataset} have no such field${field === undefined ? `; they have ${fields.join(", ")}` : `; did you mean ${field}?`}`,
  );
}
