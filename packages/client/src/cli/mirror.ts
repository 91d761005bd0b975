import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import { createFundingClient } from "../client.ts";
import type { Collection, MirrorPosition } from "../collection.ts";
import type { Credentials } from "./credentials.ts";
import { CommandError, type Io } from "./io.ts";

export const datasets = ["grants", "contracts", "funders"] as const;
export type Dataset = (typeof datasets)[number];

/** What a copy of one dataset holds, and where it goes on. */
interface State {
  position?: MirrorPosition;
  /** Lines of the file, by the ids of their records. */
  lines: Map<string, string>;
}

/**
 * Brings the copy of a dataset in a folder up to date: DATASET.ndjson has a record a line, DATASET.position.json where the feed goes on. The file is
 * replaced as a whole, and the position after it: where that is cut short, the same changes are applied again the next time.
 */
export async function mirror(io: Io, credentials: Credentials, dataset: Dataset, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${dataset}.ndjson`);
  const positionFile = join(folder, `${dataset}.position.json`);
  const state = await readState(file, positionFile);
  const client = createFundingClient({ ...credentials, fetch: io.fetch });
  const collection = client[dataset] as Collection<{ id: string }, { expand?: "details"[] }>;
  let changed = 0;
  let archived = 0;
  for await (const batch of collection.mirror(state.position, { expand: ["details"] })) {
    for (const record of batch.records) state.lines.set(record.id, JSON.stringify(record));
    for (const { id } of batch.archived) if (state.lines.delete(id)) archived++;
    changed += batch.records.length;
    state.position = batch.position;
    if (changed > 0 && changed % 10_000 < batch.records.length) io.say(`${dataset}: ${changed} records so far`);
  }
  await writeLines(file, state.lines.values());
  await writeWhole(positionFile, `${JSON.stringify(state.position)}\n`);
  io.say(`${dataset}: ${changed} new or changed, ${archived} archived, ${state.lines.size} in ${file}`);
}

async function readState(file: string, positionFile: string): Promise<State> {
  const lines = new Map<string, string>();
  const text = await readFile(positionFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  // Without a position, the copy begins anew.
  if (text === undefined) return { lines };
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line !== "") lines.set((JSON.parse(line) as { id: string }).id, line);
    }
    return { position: JSON.parse(text) as MirrorPosition, lines };
  } catch (error) {
    throw new CommandError(
      `${file} is no copy that can go on (${String(error)}): remove ${positionFile} to begin anew.`,
      1,
    );
  }
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const part = `${path}.part`;
  const stream = createWriteStream(part);
  try {
    for (const line of lines) if (!stream.write(`${line}\n`)) await once(stream, "drain");
    stream.end();
    await finished(stream);
    await rename(part, path);
  } catch (error) {
    stream.destroy();
    await rm(part, { force: true });
    throw error;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.part`, text);
  await rename(`${path}.part`, path);
}
