import { MappingError, ValueError } from "../errors.ts";
import { type DateOrder, existsIn, parseDay, splitNumericDate } from "../fields/date.ts";
import { dateFields, parsers } from "../fields/parsers.ts";
import type { Dataset } from "../record.ts";
import { isSameColumn, listColumns, resolveColumns } from "./columns.ts";
import { findField, resolveField } from "./field-name.ts";

/** Options of the user, each as `field=...`, in the given order. */
export interface MappingRequest {
  dataset: Dataset;
  /** `field=Column` or `field=Column A,Column B`. */
  maps: readonly string[];
  /** `field=value`. */
  sets: readonly string[];
  /** Order of the numbers in dates of `sets`. Without it, an ambiguous date is refused. */
  dates?: DateOrder | undefined;
  /** `field=width`: restores leading zeros of identifiers. */
  pads: readonly string[];
  /** `word=value`: what a word of the publisher's statuses means. Default: none. */
  statuses?: readonly string[];
}

/** Columns and constants that fill the fields. A field not in `columns` takes the column of its name. */
export interface Mapping {
  dataset: Dataset;
  columns: ReadonlyMap<string, readonly string[]>;
  constants: ReadonlyMap<string, string>;
  widths: ReadonlyMap<string, number>;
  /** Statuses by the publisher's words, as keys of {@link statusKey}. Absent where the request has none. */
  statuses?: ReadonlyMap<string, string>;
}

/**
 * Resolves a request with the first rows of the file.
 *
 * @throws {MappingError} when a field or a column does not exist, or a field refuses its constant.
 */
export function resolveMapping(request: MappingRequest, sample: readonly Record<string, unknown>[]): Mapping {
  const columns = new Map<string, string[]>();
  for (const [field, text] of parseAssignments(request.dataset, "--map", request.maps)) {
    columns.set(field, [...(columns.get(field) ?? []), ...resolveColumns(text, sample)]);
  }
  const constants = new Map(
    parseAssignments(request.dataset, "--set", request.sets).map(([field, value]) => [
      field,
      dateFields.has(field) ? normalizeDate(field, value, request.dates) : value,
    ]),
  );
  for (const [field, value] of constants) checkConstant(request.dataset, field, value);
  const widths = new Map(
    parseAssignments(request.dataset, "--pad", request.pads).map(([field, width]) => [field, parseWidth(field, width)]),
  );
  for (const field of requiredFields[request.dataset]) {
    const isFilled =
      columns.has(field) || constants.has(field) || sample.some((row) => hasColumnFor(request.dataset, field, row));
    // Without this check, a forgotten --map would reject every row.
    if (!isFilled)
      throw new MappingError(
        `No column fills ${field}, which every record needs: add --map ${field}=COLUMN, with one of ${listColumns(sample)}.`,
      );
  }
  const statuses = new Map(
    (request.statuses ?? []).map((text): [string, string] => parseStatusMeaning(request.dataset, text)),
  );
  return { dataset: request.dataset, columns, constants, widths, ...(statuses.size === 0 ? {} : { statuses }) };
}

/** A publisher's word for a status without letter case and spaces around it. */
export function statusKey(word: unknown): string {
  return String(word).trim().replaceAll(/\s+/g, " ").toLowerCase();
}

/** Statuses that a word of a publisher may mean. Archived closes and archives the record. */
const meanings: Readonly<Record<"grants" | "contracts", readonly string[]>> = {
  grants: ["posted", "open", "closed", "forecasted", "upcoming", "archived"],
  contracts: ["open", "closed", "forecasted", "upcoming", "awarded", "cancelled", "archived"],
};

function parseStatusMeaning(dataset: Dataset, text: string): [string, string] {
  const equals = text.lastIndexOf("=");
  const word = statusKey(text.slice(0, equals));
  const value = text
    .slice(equals + 1)
    .trim()
    .toLowerCase();
  if (dataset === "funders") throw new MappingError(`--status ${text}: funders have no status.`);
  if (equals < 1 || word === "" || value === "")
    throw new MappingError(`--status ${text}: expected WORD=VALUE, for example --status "On hold=closed".`);
  if (!meanings[dataset].includes(value))
    throw new MappingError(`--status ${text}: ${dataset} have the statuses ${meanings[dataset].join(", ")}.`);
  return [word, value];
}

export const requiredFields: Record<Dataset, readonly string[]> = {
  grants: ["title", "funder_name"],
  contracts: ["title", "funder_name"],
  funders: ["name"],
};

function hasColumnFor(dataset: Dataset, field: string, row: Record<string, unknown>): boolean {
  return Object.keys(row).some((column) => findField(dataset, column)?.field === field);
}

function parseAssignments(
  dataset: Dataset,
  option: string,
  texts: readonly string[],
): [field: string, value: string][] {
  return texts.map((text) => {
    const equals = text.indexOf("=");
    const value = text.slice(equals + 1).trim();
    if (equals < 1 || value === "")
      throw new MappingError(`${option} ${text}: expected FIELD=..., for example ${option} ${examples[option]}.`);
    return [resolveField(dataset, option, text.slice(0, equals)), value];
  });
}

const examples: Record<string, string> = { "--map": "title=Title", "--set": "status=open", "--pad": "source_id=9" };

/** Rewrites a date in numbers with the year first, so that the order of the columns' dates does not matter. */
function normalizeDate(field: string, value: string, dates: DateOrder | undefined): string {
  const numeric = splitNumericDate(value);
  if (numeric === undefined) return value;
  const possible = (["dmy", "mdy"] as const).filter((order) => existsIn(numeric, order));
  const order = dates ?? (possible.length === 1 ? possible[0] : undefined);
  if (order === undefined && possible.length === 2) {
    throw new MappingError(
      `--set ${field}=${value}: is the day or the month first? Write it as 2026-05-28, or say --dates dmy or --dates mdy.`,
    );
  }
  try {
    return parseDay(value, order) ?? value;
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new MappingError(`--set ${field}: ${error.message}.`);
  }
}

/** Checks a constant here, since one that its field refuses would reject every row. */
function checkConstant(dataset: Dataset, field: string, value: string): void {
  const parse = (parsers[dataset] as Record<string, (values: readonly unknown[]) => unknown>)[field];
  try {
    parse?.([value]);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new MappingError(`--set ${field}: ${error.message}.`);
  }
}

const paddedFields = ["source_id", "funder_source_id", "identifiers"];

function parseWidth(field: string, width: string): number {
  if (!paddedFields.includes(field))
    throw new MappingError(`--pad ${field}: only ${paddedFields.join(", ")} can be padded.`);
  if (!/^[1-9]\d?$/.test(width))
    throw new MappingError(`--pad ${field}=${width}: expected a number of digits from 1 to 99.`);
  return Number(width);
}

/**
 * Finds the columns that no field takes, in the order of the file. The summary lists them, so that a forgotten column is
 * noticed.
 */
export function findUnusedColumns(mapping: Mapping, sample: readonly Record<string, unknown>[]): string[] {
  const mapped = [...mapping.columns.values()].flat();
  const columns = new Set(sample.flatMap((row) => Object.keys(row)));
  return [...columns].filter((column) => {
    if (mapped.some((path) => isSameColumn(path, column) || path.startsWith(`${column}.`))) return false;
    const byName = findField(mapping.dataset, column);
    return byName === undefined || mapping.columns.has(byName.field);
  });
}
