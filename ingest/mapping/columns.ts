import { nearest } from "../../shared/validation/suggest.ts";
import { MappingError } from "../errors.ts";
import { pathsIn, valuesAt } from "./path.ts";

/**
 * The columns that the right-hand side of a `--map` names: one whose whole name it is, else several
 * with commas between.
 *
 * @throws {MappingError} naming the nearest column when the sample has none of that name.
 */
export function columnsIn(text: string, sample: readonly Record<string, unknown>[]): string[] {
  const whole = columnNamed(text, sample);
  if (whole !== undefined) return [whole];
  return text.split(",").map((part) => {
    const column = columnNamed(part.trim(), sample);
    if (column === undefined) throw missing(part.trim(), sample);
    return column;
  });
}

function columnNamed(name: string, sample: readonly Record<string, unknown>[]): string | undefined {
  if (sample.some((row) => valuesAt(row, name).length > 0)) return name;
  const key = comparable(name);
  return namesIn(sample).find((column) => comparable(column) === key);
}

function missing(name: string, sample: readonly Record<string, unknown>[]): MappingError {
  const meant = nearest(name, namesIn(sample));
  const instead = meant === undefined ? `it has ${shownNames(sample)}` : `did you mean ${JSON.stringify(meant)}?`;
  return new MappingError(`The file has no column ${JSON.stringify(name)}; ${instead}`);
}

/** The columns of the sample for a message, at most 40. */
export function shownNames(sample: readonly Record<string, unknown>[]): string {
  const names = namesIn(sample);
  return names.length > 40 ? `${names.slice(0, 40).join(", ")}...` : names.join(", ");
}

function namesIn(sample: readonly Record<string, unknown>[]): string[] {
  return [...new Set(sample.flatMap((row) => pathsIn(row)))];
}

/** Case, and whether spaces, hyphens or underscores divide words, do not matter. */
function comparable(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
}
