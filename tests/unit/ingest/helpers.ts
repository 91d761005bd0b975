import type { Connection } from "../../../database/connection.ts";
import type { Reject } from "../../../ingest/entry-file.ts";
import { type ImportOptions, importRows } from "../../../ingest/import-rows.ts";
import type { MappingRequest } from "../../../ingest/mapping/mapping.ts";
import type { NoteEntry } from "../../../ingest/notes.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import type { ReadRows, Row } from "../../../ingest/read/row.ts";
import { createGenericReader, type GenericFormat, genericMapping } from "../../../ingest/sources/generic.ts";
import { type DatasetCounts, emptySummary, type ImportSummary } from "../../../ingest/summary.ts";

/** Text or bytes as a stream in chunks of `size` bytes, so that every boundary falls somewhere. */
export async function* chunksOf(content: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}

/** The rows of a file, read as one of the generic formats or by a reader, without `unterminated`. */
export async function rowsOf(
  read: GenericFormat | ReadRows,
  content: string | Uint8Array,
  size?: number,
): Promise<Row[]> {
  const reader = typeof read === "string" ? createGenericReader(read).read : read;
  const rows = await all(readFiles([{ chunks: chunksOf(content, size) }], reader));
  return rows.map(({ unterminated: _, ...row }) => row as Row);
}

/** Everything that an iterable gives. (Node 20 has no Array.fromAsync.) */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const result: Item[] = [];
  for await (const item of items) result.push(item);
  return result;
}

type TestOptions = Partial<ImportOptions & MappingRequest & { source: string; records: string }>;

/** Imports a text and gives the counts of its dataset with the rejects and notes. Without a connection it is a dry run. */
export async function importText(
  connection: Connection | undefined,
  format: GenericFormat,
  content: string,
  options: TestOptions = {},
): Promise<Omit<ImportSummary, "records"> & Partial<DatasetCounts> & { rejects: Reject[]; noteEntries: NoteEntry[] }> {
  const rejects: Reject[] = [];
  const noteEntries: NoteEntry[] = [];
  const {
    dataset = "grants",
    maps = [],
    sets = [],
    pads = [],
    statuses = [],
    source = "test",
    dates,
    records: list,
    ...rest
  } = options;
  const request = { dataset, maps, sets, pads, statuses };
  const reader = createGenericReader(format, request, list);
  const readRows = () => readFiles([{ chunks: chunksOf(content, 64 * 1024) }], reader.read);
  const summary = emptySummary();
  await importRows(readRows(), {
    summary,
    prepare: genericMapping(request, source, dates ?? readRows, format),
    readAgain: readRows,
    rejects: { write: async (more) => void rejects.push(...more) },
    notes: { write: async (more) => void noteEntries.push(...more) },
    ...(connection === undefined ? {} : { connect: () => Promise.resolve([connection]) }),
    ...rest,
  });
  const { records, ...counts } = summary;
  return {
    ...counts,
    shapeNotes: [...reader.describe(), ...counts.shapeNotes],
    ...records.get(dataset),
    rejects,
    noteEntries,
  };
}
