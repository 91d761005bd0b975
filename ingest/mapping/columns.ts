import { nearest } from "../../shared/validation/suggest.ts";
import { MappingError } from "../errors.ts";
import { listPaths, valuesAt } from "./path.ts";

/**
 * Resolves the right-hand side of a `--map`: one column with this whole name, else several, separated by commas.
 *
 * @throws {MappingError} naming the nearest column when the sample has none of that name.
 */
export function resolveColumns(text: string, sample: readonly Record<string, unknown>[]): string[] {
  const whole = findColumn(text, sample);
  if (whole !== undefined) return [whole];
  return text.split(",").map((part) => {
    const column = findColumn(part.trim(), sample);
    if (column === undefined) throw missingColumn(part.trim(), sample);
    return column;
  });
}

/** Values of a row's column, or of a column whose name differs only in spelling: the files of one import may differ so. */
export function valuesOfColumn(row: Record<string, unknown>, name: string): unknown[] {
  const values = valuesAt(row, name);
  if (values.length > 0) return values;
  const key = toComparable(name);
  const names = name.includes(".") ? listPaths(row) : Object.keys(row);
  const alike = names.find((column) => column !== name && toComparable(column) === key);
  return alike === undefined ? [] : valuesAt(row, alike);
}

/** Whether two names of columns differ in case, spaces and hyphens at most. */
export function isSameColumn(one: string, other: string): boolean {
  return one === other || toComparable(one) === toComparable(other);
}

function findColumn(name: string, sample: readonly Record<string, unknown>[]): string | undefined {
  if (sample.some((row) => valuesAt(row, name).length > 0)) return name;
  return columnNames(sample).find((column) => isSameColumn(column, name));
}

/**
 * Returns which of the mapping's columns a row of a table lacks, as a sentence: a further file may have another header than the first.
 * Undefined where it has all.
 */
export function explainMissingColumn(columns: readonly string[], row: Record<string, unknown>): string | undefined {
  const missing = columns.find((column) => valuesOfColumn(row, column).length === 0);
  return missing === undefined ? undefined : missingColumn(missing, [row]).message;
}

function missingColumn(name: string, sample: readonly Record<string, unknown>[]): MappingError {
  const suggested = nearest(name, suggestedNames(sample));
  const instead =
    suggested === undefined ? `it has ${listColumns(sample)}` : `did you mean ${JSON.stringify(suggested)}?`;
  return new MappingError(`The file has no column ${JSON.stringify(name)}; ${instead}`);
}

/** Lists the columns of the sample for a message, at most 40. */
export function listColumns(sample: readonly Record<string, unknown>[]): string {
  const names = suggestedNames(sample);
  return names.length > 40 ? `${names.slice(0, 40).join(", ")}...` : names.join(", ");
}

/** Names without those that lead through lists: several items have such a value, and most fields take one. */
function suggestedNames(sample: readonly Record<string, unknown>[]): string[] {
  return [...new Set(sample.flatMap((row) => listPaths(row, { isThroughLists: false })))];
}

function columnNames(sample: readonly Record<string, unknown>[]): string[] {
  return [...new Set(sample.flatMap((row) => listPaths(row)))];
}

/** Normalizes a name: case does not matter, and spaces and hyphens are underscores. */
function toComparable(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}
