import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type DatasetRecord, normalize } from "../../../ingest/normalize/normalize.ts";
import type { Dataset, RecordUpdate } from "../../../ingest/record.ts";
import { isNoRecord, type NoRecord, type RawRow, type Source } from "../../../ingest/sources/source.ts";
import { rowsOf } from "./helpers.ts";

/** The day of the import in these tests. */
export const today = "2026-06-01";

/** The records of a file's rows, in order; for a row that is no record, the reason. */
export async function recordsIn(source: Source, content: string): Promise<(DatasetRecord | NoRecord)[]> {
  const rows = await rowsOf(source.read, content, 64);
  return rows.flatMap((row) => {
    if ("reason" in row) throw new Error(`row ${row.line}: ${row.reason}`);
    return recordsOf(source, row.values);
  });
}

function recordsOf(source: Source, row: RawRow): (DatasetRecord | NoRecord)[] {
  const mapped = source.map(row);
  if (isNoRecord(mapped)) return [mapped];
  return mapped.map((record) => normalize(record, { source: source.name, note: () => undefined }));
}

/** The single record of a dataset in a file. */
export async function recordIn<Name extends Dataset>(
  source: Source,
  dataset: Name,
  content: string,
): Promise<RecordUpdate<Name>> {
  const found = (await recordsIn(source, content)).filter((item) => !("reason" in item) && item.dataset === dataset);
  const [item] = found;
  if (found.length !== 1 || item === undefined || "reason" in item) throw new Error(`${found.length} ${dataset}`);
  return item.record as RecordUpdate<Name>;
}

/** A CSV file of rows that may have different columns. */
export function csvOf(...rows: Record<string, string>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (values: string[]) => values.map((value) => `"${value.replaceAll('"', '""')}"`).join(",");
  return [line(columns), ...rows.map((row) => line(columns.map((column) => row[column] ?? "")))].join("\n");
}

/** Path of a file of real records beside the checkout; undefined where it is missing, and its tests are skipped. */
export function realFile(path: string): string | undefined {
  const file = fileURLToPath(new URL(`../../../../shared/data/${path}`, import.meta.url));
  if (existsSync(file)) return file;
  console.warn(
    `Skipped: there is no ../shared/data/${path}, so tests on real records do not run. tests/fixtures/sources has records of our own.`,
  );
  return undefined;
}
