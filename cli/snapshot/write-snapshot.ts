import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { snapshotSettings } from "../../database/backup/write.ts";
import { type Connection, queryOne, queryValue } from "../../database/connection.ts";
import { manifestName, readSnapshots } from "../../local/embedded/snapshot-folder.ts";
import { removeAbandoned, unfinishedName } from "../../local/unfinished.ts";
import { detailFields, recordFields } from "../../shared/catalogue/fields.generated.ts";
import { writeCsv } from "../../shared/csv/write.ts";
import { type Dataset, datasets } from "../../shared/datasets.ts";
import type { Snapshot } from "../../shared/responses/snapshots.ts";
import { Output } from "./output.ts";

/** Records of one query. */
const pageSize = 2_000;
/** A snapshot's id, which is the name of its folder. */
const idPattern = /^\d{4}-\d\d-\d\dT[\d.-]+Z$/;

type Shown = object & { id: string };

export interface SnapshotOptions {
  /** Is told of each dataset that is done. */
  onDataset?(dataset: Dataset, records: number): void;
  /** Set where the connection is to a copy: the original's mark before the copy (`readSettledMark`). Later changes are among the next snapshot's. */
  settledUntil?: string;
  /** The snapshot since which the changes are written. Default: the latest in the folder. */
  previous?: Snapshot | undefined;
}

/**
 * Writes a snapshot of the catalogue into a folder of its own within `folder`: all current records with their details, as JSON Lines and as
 * CSV, and the changes since the last snapshot there, archived records by their ids. All of it is of one moment. The folder gets its name
 * when it is whole, so a run that is ended leaves no half of one; a later run removes its files.
 *
 * @param options see {@link SnapshotOptions}.
 */
export async function writeSnapshot(
  connection: Connection,
  folder: string,
  { onDataset = () => {}, settledUntil, ...options }: SnapshotOptions = {},
): Promise<Snapshot> {
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder, (name) => idPattern.test(name));
  const previous = "previous" in options ? options.previous : (await readSnapshots(folder, 1)).at(-1);
  // Before the transaction, which then sees all that is earlier.
  const settled_until = settledUntil ?? (await readSettledMark(connection));
  // Their order is that of their ids, also where the clock was ahead and is set back.
  const created_at = await queryValue<string>(
    connection,
    "select funding.moment(greatest(funding.wall_clock(), $1::timestamptz + interval '1 ms'))",
    [previous?.created_at ?? null],
  );
  const id = created_at.replaceAll(":", "-");
  const unfinished = join(folder, unfinishedName(id));
  await mkdir(unfinished);
  try {
    const parts: [Dataset, Snapshot["datasets"][Dataset]][] = [];
    await connection.transaction(async (transaction) => {
      await transaction.execute(snapshotSettings);
      for (const dataset of datasets) {
        const part = await writeDataset(transaction, unfinished, dataset, previous);
        parts.push([dataset, part]);
        onDataset(dataset, part.records);
      }
    });
    const manifest: Snapshot = {
      id,
      created_at,
      settled_until,
      previous: previous?.id ?? null,
      datasets: Object.fromEntries(parts) as Snapshot["datasets"],
    };
    await writeFile(join(unfinished, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
    await rename(unfinished, join(folder, id));
    const parent = await open(folder);
    await parent.sync().catch(() => undefined);
    await parent.close();
    return manifest;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the mark up to which a snapshot begun now has every change. Later marks are after it, also where the clock was ahead and is set back. */
export async function readSettledMark(connection: Connection): Promise<string> {
  return queryValue<string>(
    connection,
    // A replica writes nothing, so no mark either.
    `select funding.moment(case when pg_is_in_recovery() then funding.settled_until() else funding.settled_mark() end)`,
  );
}

/**
 * Removes all but the latest snapshots; returns the ids of those that went. A half-removed one is named unfinished, like a
 * half-written one.
 */
export async function keepLatest(folder: string, count: number): Promise<string[]> {
  const former = (await readSnapshots(folder)).slice(0, -count);
  const removed: string[] = [];
  for (const { id } of former) {
    const doomed = join(folder, unfinishedName(id));
    try {
      await rename(join(folder, id), doomed);
    } catch (error) {
      // Another run was first.
      if ((error as { code?: string }).code === "ENOENT") continue;
      throw error;
    }
    await rm(doomed, { recursive: true, force: true });
    removed.push(id);
  }
  return removed;
}

async function writeDataset(
  connection: Connection,
  folder: string,
  dataset: Dataset,
  previous: Snapshot | undefined,
): Promise<Snapshot["datasets"][Dataset]> {
  const data_as_of = await queryValue<string>(connection, "select funding.moment(funding.data_as_of($1))", [dataset]);
  const current = dataset === "funders" ? "true" : "record.archived_at is null";
  const lines = new Output(folder, { name: `${dataset}.jsonl.gz`, format: "jsonl", contents: "records" });
  const table = new Output(folder, { name: `${dataset}.csv.gz`, format: "csv", contents: "records" });
  const written = async function* () {
    for await (const page of readRecords(connection, dataset, current)) {
      await writeLines(lines, page);
      yield page;
    }
  };
  for await (const text of writeCsv([...recordFields[dataset], ...detailFields[dataset]], written()))
    await table.write(text);
  table.records = lines.records;
  const files = [await lines.end(), await table.end()];
  if (previous !== undefined) {
    const changes = new Output(folder, { name: `${dataset}.changes.jsonl.gz`, format: "jsonl", contents: "changes" });
    // The folder is anybody's: a text that is no moment is refused here.
    const since = new Date(previous.settled_until).toISOString();
    for await (const page of readRecords(connection, dataset, `record.updated_at >= '${since}'`)) {
      await writeLines(changes, page);
    }
    files.push(await changes.end());
  }
  return { data_as_of, records: lines.records, files };
}

async function writeLines(output: Output, page: readonly Shown[]): Promise<void> {
  output.records += page.length;
  await output.write(page.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

/** Records that a condition keeps, page by page in the order of their ids: with details, archived ones by their ids. */
async function* readRecords(
  connection: Connection,
  dataset: Dataset,
  condition: string,
): AsyncGenerator<(Shown & { details?: object })[]> {
  const { rendering, details } = await queryOne<{ rendering: string; details: string }>(
    connection,
    "select funding.record_query($1) as rendering, funding.details_expression($1) as details",
    [dataset],
  );
  const whole = `funding.with_member(rendered.body, 'details', ${details})`;
  const body =
    dataset === "funders"
      ? whole
      : `case when record.archived_at is null then ${whole}
           else json_build_object('id', record.id, 'archived_at', funding.moment(record.archived_at)) end`;
  let last: string | undefined;
  for (;;) {
    const rows = await connection.query<{ body: Shown }>(
      `select ${body} as body from funding.${dataset} as record cross join lateral (${rendering}) as rendered
       where ($1::uuid is null or record.id > $1) and ${condition} order by record.id limit ${pageSize}`,
      [last ?? null],
    );
    const page = rows.map((row) => row.body);
    // A CSV without records has its header.
    if (page.length > 0 || last === undefined) yield page;
    if (page.length < pageSize) return;
    last = page.at(-1)?.id;
  }
}
