import type { Connection } from "../../../database/connection.ts";
import { type ImportOptions, importRows } from "../../../ingest/import-rows.ts";
import type { Format, Row } from "../../../ingest/read/row.ts";
import { readRows } from "../../../ingest/read/rows.ts";
import type { Reject } from "../../../ingest/reject-file.ts";
import type { ImportSummary } from "../../../ingest/summary.ts";

/** Text or bytes as a stream in chunks of `size` bytes, so that every boundary falls somewhere. */
export async function* chunksOf(content: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size);
}

export async function rowsOf(format: Format, content: string | Uint8Array, size?: number): Promise<Row[]> {
  return await all(readRows(format, chunksOf(content, size)));
}

/** Everything that an iterable gives. (Node 20 has no Array.fromAsync.) */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const result: Item[] = [];
  for await (const item of items) result.push(item);
  return result;
}

/** Imports a text and gives the summary with the rejects. Without a connection it is a dry run. */
export async function importText(
  connection: Connection | undefined,
  format: Format,
  content: string,
  options: Partial<ImportOptions> = {},
): Promise<Omit<ImportSummary, "accepted"> & { rejects: Reject[] }> {
  const rejects: Reject[] = [];
  const { accepted: _, ...summary } = await importRows(readRows(format, chunksOf(content, 64 * 1024)), {
    dataset: "grants",
    maps: [],
    sets: [],
    pads: [],
    source: "test",
    today: "2026-06-01",
    rejects: { write: async (more) => void rejects.push(...more) },
    ...(connection === undefined ? {} : { connect: () => Promise.resolve(connection) }),
    ...options,
  });
  return { ...summary, rejects };
}
