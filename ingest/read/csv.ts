import { InputError } from "../errors.ts";
import { type CsvRecord, CsvRecordReader } from "./csv-records.ts";
import type { Line } from "./lines.ts";
import { type BrokenRow, isBroken, type Row } from "./row.ts";

/**
 * The rows of a CSV file whose first record names the columns. A row with fewer values than columns
 * is blank in the rest; one with more is broken, for its values may stand in the wrong columns.
 * Rows with nothing in them are passed over.
 *
 * @throws {InputError} when the first record is no header.
 */
export async function* readCsvRows(lines: AsyncIterable<Line>): AsyncGenerator<Row> {
  let columns: string[] | undefined;
  for await (const record of readCsvRecords(lines)) {
    if (columns === undefined) columns = columnsOf(record);
    else if (isBroken(record)) yield record;
    else if (record.values.some((value) => value.trim() !== "")) yield rowOf(record, columns);
  }
}

async function* readCsvRecords(lines: AsyncIterable<Line>): AsyncGenerator<CsvRecord | BrokenRow> {
  const reader = new CsvRecordReader();
  try {
    for await (const line of lines) yield* reader.add(line);
  } catch (error) {
    yield* reader.whole();
    throw error;
  }
  yield* reader.end();
}

function rowOf({ line, values }: CsvRecord, columns: string[]): Row {
  const surplus = values.slice(columns.length);
  if (surplus.some((value) => value.trim() !== "")) {
    return {
      line,
      reason: `the row has ${values.length} values for ${columns.length} columns`,
      text: JSON.stringify(values),
    };
  }
  return { line, values: Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ""])) };
}

function columnsOf(record: CsvRecord | BrokenRow): string[] {
  if (isBroken(record)) throw new InputError(`has no CSV header in line ${record.line}: ${record.reason}`);
  const [first = "", ...others] = record.values;
  if (/^\s*[[{]/.test(first)) throw new InputError("begins like JSON; perhaps it is an ndjson file");
  if (/^\s*</.test(first)) throw new InputError("begins like XML or HTML, not with a CSV header");
  if (others.length === 0 && /[\t;]/.test(first)) {
    throw new InputError("is separated by tabs or semicolons; commas are expected");
  }
  return withoutRepeats(record.values.map((name) => name.trim()));
}

/** A second column of the same name gets a number, so that neither hides the other. */
function withoutRepeats(names: string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}
