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

function findColumn(name: string, sample: readonly Record<string, unknown>[]): string | undefined {
  if (sample.some((row) => valuesAt(row, name).length > 0)) return name;
  const key = toComparable(name);
  return columnNames(sample).find((column) => toComparable(column) === key);
}

function missingColumn(name: string, sample: readonly Record<string, unknown>[]): MappingError {
  const suggested = nearest(name, columnNames(sample));
  const instead =
    suggested === undefined ? `it has ${listColumns(sample)}` : `did you mean ${JSON.stringify(suggested)}?`;
  return new MappingError(`The file has no column ${JSON.stringify(name)}; ${instead}`);
}

/** Lists the columns of the sample for a message, at most 40. */
export function listColumns(sample: readonly Record<string, unknown>[]): string {
  const names = columnNames(sample);
  return names.length > 40 ? `${names.slice(0, 40).join(", ")}...` : names.join(", ");
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
