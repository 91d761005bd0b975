import { dateFields } from "../fields/parsers.ts";
import { isBlank } from "../fields/value.ts";
import { fieldOfColumn } from "./field-name.ts";
import type { Mapping } from "./mapping.ts";
import { valuesAt } from "./path.ts";

/** The values that a row has for each field, none of them blank, in the order of the columns. */
export type FieldValues = ReadonlyMap<string, readonly unknown[]>;

/** Is given every date of a row by its column; returns what its field is to take. */
export type TakeDate = (column: string, value: unknown) => unknown;

/** Makes the function that finds a row's values for each field. */
export function mapper(mapping: Mapping): (row: Record<string, unknown>, takeDate?: TakeDate) => FieldValues {
  const automatic = automaticColumns(mapping);
  return (row, takeDate = (_, value) => value) => {
    const values = new Map<string, unknown[]>();
    const take = (field: string, column: string, value: unknown) =>
      dateFields.has(field) ? takeDate(column, value) : value;
    for (const [field, columns] of mapping.columns) {
      const valuesOf = (column: string) => valuesAt(row, column).filter((value) => !isBlank(value));
      values.set(
        field,
        columns.flatMap((column) => valuesOf(column).map((value) => take(field, column, value))),
      );
    }
    for (const [field, { column, value }] of automatic(row)) values.set(field, [take(field, column, value)]);
    for (const [field, width] of mapping.widths)
      values.set(
        field,
        (values.get(field) ?? []).map((value) => padded(value, width)),
      );
    for (const [field, constant] of mapping.constants) {
      if ((values.get(field) ?? []).length === 0 && !isDecidedByRow(field, values)) values.set(field, [constant]);
    }
    return values;
  };
}

/**
 * The columns of a row that fill the field of their own name; a field's name goes before its alias.
 * Rows of JSON need not have the same members, so each row is looked at, and each name once.
 */
function automaticColumns(
  mapping: Mapping,
): (row: Record<string, unknown>) => Map<string, { column: string; value: unknown }> {
  const known = new Map<string, ReturnType<typeof fieldOfColumn>>();
  const meaningOf = (column: string) => {
    if (!known.has(column)) {
      const found = fieldOfColumn(mapping.dataset, column);
      // A constant alone settles its field: only --map puts a column before it.
      const isSettled = found === undefined || mapping.columns.has(found.field) || mapping.constants.has(found.field);
      known.set(column, isSettled ? undefined : found);
    }
    return known.get(column);
  };
  return (row) => {
    const values = new Map<string, { column: string; value: unknown }>();
    const named = new Set<string>();
    for (const [column, value] of Object.entries(row)) {
      const found = meaningOf(column);
      if (found === undefined || isBlank(value) || named.has(found.field)) continue;
      if (!found.isAlias) named.add(found.field);
      if (!found.isAlias || !values.has(found.field)) values.set(found.field, { column, value });
    }
    return values;
  };
}

/** `--set is_national=true` is for the rows that name no place. */
function isDecidedByRow(field: string, values: FieldValues): boolean {
  return (
    field === "is_national" && ["states", "geography", "place_zip"].some((name) => (values.get(name) ?? []).length > 0)
  );
}

/** A number gets its leading zeros back; any other text stays. */
function padded(value: unknown, width: number): unknown {
  const text = String(value).trim();
  return /^\d+$/.test(text) ? text.padStart(width, "0") : value;
}
