import { ValueError } from "../errors.ts";
import { withoutDecimalZero } from "../fields/code.ts";
import { dateFields } from "../fields/parsers.ts";
import { addressOfLink, isBlank, unwrapFormula } from "../fields/value.ts";
import { valuesOfColumn } from "./columns.ts";
import { findField } from "./field-name.ts";
import { type Mapping, statusKey } from "./mapping.ts";

/** Values of a row for each field, without blanks, in the order of the columns. */
export type FieldValues = ReadonlyMap<string, readonly unknown[]>;

/** Converts each date of a row, given with its column, to the value for its field. */
export type ConvertDate = (column: string, value: unknown) => unknown;

/** Returns a function that finds a row's values for each field. */
export function createRowMapper(
  mapping: Mapping,
): (row: Record<string, unknown>, convertDate?: ConvertDate) => FieldValues {
  const findByName = matchByName(mapping);
  const hasPage = mapping.dataset !== "funders";
  return (row, convertDate = (_, value) => value) => {
    const values = new Map<string, unknown[]>();
    const convert = (field: string, column: string, value: unknown) =>
      dateFields.has(field) ? convertDate(column, value) : value;
    for (const [field, columns] of mapping.columns) {
      const valuesOf = (column: string) => valuesOfColumn(row, column).filter((value) => !isBlank(value));
      values.set(
        field,
        columns.flatMap((column) => valuesOf(column).map((value) => convert(field, column, value))),
      );
    }
    for (const [field, { column, value }] of findByName(row)) values.set(field, [convert(field, column, value)]);
    const [status] = values.get("status") ?? [];
    const meant = status === undefined ? undefined : mapping.statuses?.get(statusKey(status));
    if (meant !== undefined) values.set("status", [meant]);
    for (const [field, width] of mapping.widths)
      values.set(
        field,
        (values.get(field) ?? []).map((value) => padZeros(value, width)),
      );
    for (const [field, constant] of mapping.constants) {
      if ((values.get(field) ?? []).length === 0 && !excludesConstant(field, values)) values.set(field, [constant]);
    }
    const address = hasPage && (values.get("listing_url") ?? []).length === 0 ? findLink(values) : undefined;
    if (address !== undefined) values.set("listing_url", [address]);
    return values;
  };
}

/**
 * Returns a function that finds the columns of a row that fill the field of their own name. A field's name wins over its
 * alias. Every row is examined, since rows of JSON need not have the same members; every name is resolved once.
 */
function matchByName(
  mapping: Mapping,
): (row: Record<string, unknown>) => Map<string, { column: string; value: unknown }> {
  const known = new Map<string, ReturnType<typeof findField>>();
  const resolveName = (column: string) => {
    if (!known.has(column)) {
      const found = findField(mapping.dataset, column);
      // A constant excludes the column of the field's name. Only a --map column wins over it.
      const isSettled = found === undefined || mapping.columns.has(found.field) || mapping.constants.has(found.field);
      known.set(column, isSettled ? undefined : found);
    }
    return known.get(column);
  };
  return (row) => {
    const values = new Map<string, { column: string; value: unknown }>();
    const named = new Set<string>();
    for (const [column, value] of Object.entries(row)) {
      const found = resolveName(column);
      if (found === undefined || isBlank(value) || named.has(found.field)) continue;
      if (!found.isAlias) named.add(found.field);
      if (!found.isAlias || !values.has(found.field)) values.set(found.field, { column, value });
    }
    return values;
  };
}

/** Whether a row's values exclude a constant: `--set is_national=true` is for the rows that name no place. */
function excludesConstant(field: string, values: FieldValues): boolean {
  return (
    field === "is_national" && ["states", "geography", "place_zip"].some((name) => (values.get(name) ?? []).length > 0)
  );
}

/** Restores the leading zeros of a number, also of one such as "123.0". Other text stays. */
function padZeros(value: unknown, width: number): unknown {
  const text = withoutDecimalZero(shownText(value));
  return /^\d+$/.test(text) ? text.padStart(width, "0") : value;
}

/** Text of a value as a spreadsheet shows it. A formula that cannot be read stays, for its field to refuse. */
function shownText(value: unknown): string {
  const text = String(value).trim();
  try {
    return unwrapFormula(text);
  } catch (error) {
    if (error instanceof ValueError) return text;
    throw error;
  }
}

/** Fields whose value may be a link to the record's page, in the order in which they are looked at. */
const linkedFields = ["source_id", "opportunity_number", "title", "identifiers"];

/** The address of the first of a row's links: `=HYPERLINK("https://...", "HRSA-27-015")` is a number that links to its page. */
function findLink(values: FieldValues): string | undefined {
  return linkedFields
    .flatMap((field) => values.get(field) ?? [])
    .map(addressOfLink)
    .find((address) => address !== undefined && /^https?:/i.test(address));
}
