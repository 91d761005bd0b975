import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { datasets } from "../../shared/datasets.ts";

/** A file of a snapshot. */
const file = z.object({
  name: z.string(),
  format: z.enum(["jsonl", "csv"]),
  /** All records, or those that changed since the previous snapshot. */
  contents: z.enum(["records", "changes"]),
  records: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifest = z.object({
  /** Name of its folder. Snapshots sort by it. */
  id: z.string(),
  created_at: z.string(),
  /** Everything that changed before this moment is in it. */
  settled_until: z.iso.datetime(),
  /** The snapshot since which it has the changes; null where there was none. */
  previous: z.string().nullable(),
  datasets: z.record(
    z.enum(datasets),
    z.object({ data_as_of: z.string(), records: z.int().min(0), files: z.array(file) }),
  ),
});

export type SnapshotFile = z.infer<typeof file>;
export type Manifest = z.infer<typeof manifest>;

export const manifestName = "manifest.json";
/** End of the name of a folder that a snapshot is being written to. */
export const unfinishedSuffix = ".unfinished";

/** The finished snapshots of a folder, oldest first. Other files and folders are nobody's business. */
export async function readSnapshots(folder: string): Promise<Manifest[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.endsWith(unfinishedSuffix));
  const read = await Promise.all(
    names.map(async ({ name }) => {
      const text = await readFile(join(folder, name, manifestName), "utf8").catch(() => undefined);
      if (text === undefined) return [];
      try {
        const parsed = manifest.safeParse(JSON.parse(text));
        return parsed.success && parsed.data.id === name ? [parsed.data] : [];
      } catch {
        return [];
      }
    }),
  );
  return read.flat().sort((one, other) => (one.id < other.id ? -1 : 1));
}
