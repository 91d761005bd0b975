import { MappingError, ValueError } from "../errors.ts";
import { type DateOrder, dayOf, existsIn, numericDate } from "../fields/date.ts";
import { dateFields, parsers } from "../fields/parsers.ts";
import type { Dataset } from "../record.ts";
import { columnsIn, shownNames } from "./columns.ts";
import { fieldNamed, fieldOfColumn } from "./field-name.ts";

/** What the caller asked for, each as `field=...` in the order given. */
export interface MappingRequest {
  dataset: Dataset;
  /** `field=Column` or `field=Column A,Column B`. */
  maps: readonly string[];
  /** `field=value`. */
  sets: readonly string[];
  /** What comes first in dates that `sets` give in numbers; without it, such a date is refused. */
  dates?: DateOrder | undefined;
  /** `field=width`: identifiers that lost their leading zeros get them back. */
  pads: readonly string[];
}

/** Which columns and constants fill which fields. A field not in `columns` takes the column of its name. */
export interface Mapping {
  dataset: Dataset;
  columns: ReadonlyMap<string, readonly string[]>;
  constants: ReadonlyMap<string, string>;
  widths: ReadonlyMap<string, number>;
}

/**
 * Resolves a request against rows from the beginning of the file.
 *
 * @throws {MappingError} when it names a field or a column that is not there, or a constant that its field refuses.
 */
export function resolveMapping(request: MappingRequest, sample: readonly Record<string, unknown>[]): Mapping {
  const columns = new Map<string, string[]>();
  for (const [field, text] of assignments(request.dataset, "--map", request.maps)) {
    columns.set(field, [...(columns.get(field) ?? []), ...columnsIn(text, sample)]);
  }
  const constants = new Map(
    assignments(request.dataset, "--set", request.sets).map(([field, value]) => [
      field,
      dateFields.has(field) ? dateConstant(field, value, request.dates) : value,
    ]),
  );
  for (const [field, value] of constants) checkConstant(request.dataset, field, value);
  const widths = new Map(
    assignments(request.dataset, "--pad", request.pads).map(([field, width]) => [field, widthOf(field, width)]),
  );
  for (const field of requiredFields[request.dataset]) {
    const isFilled =
      columns.has(field) || constants.has(field) || sample.some((row) => hasColumnFor(request.dataset, field, row));
    // Without this, a forgotten --map would write the whole file to the rejects.
    if (!isFilled)
      throw new MappingError(
        `No column fills ${field}, which every record needs: add --map ${field}=COLUMN, with one of ${shownNames(sample)}.`,
      );
  }
  return { dataset: request.dataset, columns, constants, widths };
}

const requiredFields: Record<Dataset, readonly string[]> = {
  grants: ["title", "funder_name"],
  contracts: ["title", "funder_name"],
  funders: ["name"],
};

function hasColumnFor(dataset: Dataset, field: string, row: Record<string, unknown>): boolean {
  return Object.keys(row).some((column) => fieldOfColumn(dataset, column)?.field === field);
}

function assignments(dataset: Dataset, option: string, texts: readonly string[]): [field: string, value: string][] {
  return texts.map((text) => {
    const equals = text.indexOf("=");
    const value = text.slice(equals + 1).trim();
    if (equals < 1 || value === "")
      throw new MappingError(`${option} ${text}: expected FIELD=..., for example ${option} ${examples[option]}.`);
    return [fieldNamed(dataset, option, text.slice(0, equals)), value];
  });
}

const examples: Record<string, string> = { "--map": "title=Title", "--set": "status=open", "--pad": "source_id=9" };

/** A date that is written in numbers, with the year first, so that it reads the same whatever the columns' order. */
function dateConstant(field: string, value: string, dates: DateOrder | undefined): string {
  const numeric = numericDate(value);
  if (numeric === undefined) return value;
  const possible = (["dmy", "mdy"] as const).filter((order) => existsIn(numeric, order));
  const order = dates ?? (possible.length === 1 ? possible[0] : undefined);
  if (order === undefined && possible.length === 2) {
    throw new MappingError(
      `--set ${field}=${value}: is the day or the month first? Write it as 2026-05-28, or say --dates dmy or --dates mdy.`,
    );
  }
  try {
    return dayOf(value, order) ?? value;
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new MappingError(`--set ${field}: ${error.message}.`);
  }
}

/** A constant that its field refuses would cost every row. */
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

function widthOf(field: string, width: string): number {
  if (!paddedFields.includes(field))
    throw new MappingError(`--pad ${field}: only ${paddedFields.join(", ")} can be padded.`);
  if (!/^[1-9]\d?$/.test(width))
    throw new MappingError(`--pad ${field}=${width}: expected a number of digits from 1 to 99.`);
  return Number(width);
}
