import { createReadStream, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RowDecider } from "../../../../ingest/decide-row.ts";
import type { Reject } from "../../../../ingest/entry-file.ts";
import type { PrepareMapping } from "../../../../ingest/import-rows.ts";
import { readFiles } from "../../../../ingest/read/files.ts";
import { isBroken, type ReadRows } from "../../../../ingest/read/row.ts";
import type { RecordUpdate } from "../../../../ingest/record.ts";
import { namedMapping } from "../../../../ingest/sources/named.ts";
import type { Source } from "../../../../ingest/sources/source.ts";
import { all } from "../helpers.ts";

/** A file of tests/fixtures/sources: records of our own making, in a publisher's format. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../../fixtures/sources/${name}`, import.meta.url));
}

export function fixtureText(name: string): string {
  return readFileSync(fixture(name), "utf8");
}

/** The records that a file's rows become, by dataset and source_id, and the rows that become none. */
export interface ImportedFile {
  read: number;
  grants: Map<string, RecordUpdate<"grants">>;
  contracts: Map<string, RecordUpdate<"contracts">>;
  funders: Map<string, RecordUpdate<"funders">>;
  rejected: Pick<Reject, "source_id" | "reason">[];
  repeated: Pick<Reject, "source_id" | "reason">[];
  /** Values that were left out of a record, as `source_id: field reason`. */
  notes: string[];
}

export function importSourceFile(
  source: Source,
  name: string,
  chunks?: AsyncIterable<Uint8Array>,
): Promise<ImportedFile> {
  return importFile(source.read, namedMapping(source), chunks ?? createReadStream(fixture(name)));
}

/** Decides on every row of files, as one run does that has them in this order. */
export function importSourceFiles(source: Source, names: readonly string[]): Promise<ImportedFile> {
  return importFile(source.read, namedMapping(source), ...names.map((name) => createReadStream(fixture(name))));
}

/** Decides on every row of files, in turn, as an import of that day does. */
export async function importFile(
  read: ReadRows,
  prepare: PrepareMapping,
  ...files: AsyncIterable<Uint8Array>[]
): Promise<ImportedFile> {
  const rows = await all(
    readFiles(
      files.map((chunks) => ({ chunks })),
      read,
    ),
  );
  const mapping = prepare(rows.flatMap((row) => (isBroken(row) ? [] : [row.values])));
  const decider = new RowDecider(mapping);
  const file: ImportedFile = {
    read: rows.length,
    grants: new Map(),
    contracts: new Map(),
    funders: new Map(),
    rejected: [],
    repeated: [],
    notes: [],
  };
  for (const row of rows) {
    if (!isBroken(row)) await mapping.beforeRow?.(row, () => false);
    const decision = await decider.decide(row);
    if (decision.kind !== "records") {
      const { source_id, reason } = decision.reject;
      file[decision.kind].push({ source_id, reason });
      continue;
    }
    for (const { dataset, record } of decision.records) {
      (file[dataset] as Map<string, unknown>).set(record.source_id, record);
    }
    const id = decision.records[0]?.record.source_id;
    file.notes.push(...decision.notes.map(({ field = "row", reason }) => `${id}: ${field} ${reason}`));
  }
  return file;
}
