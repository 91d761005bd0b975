import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../../database/connection.ts";
import { manifestName } from "../../local/embedded/snapshot-folder.ts";
import type { Snapshot } from "../../shared/responses/snapshots.ts";
import { removedOnSignal } from "../removed-on-signal.ts";
import { type SnapshotOptions, writeSnapshot } from "./write-snapshot.ts";

/** A bucket that snapshots are published to. */
export interface Bucket {
  /** Sends a file. @throws where it was not stored. */
  upload(path: string, file: string, contentType: string): Promise<void>;
  /** Removes files; those that are not there are no error. */
  remove(paths: string[]): Promise<void>;
}

/** Age at which a snapshot that is not complete belongs to a run that is over. */
const abandonedAfter = "1 hour";

/**
 * Writes a snapshot, sends it to a bucket and notes it in `funding.snapshots`, from when on `GET /snapshots` lists it. A run that is ended
 * leaves nothing that is listed; a later run removes the files that it sent.
 *
 * @param location `supabase:BUCKET` or `r2:BUCKET`, as the table names it.
 */
export async function publishSnapshot(
  connection: Connection,
  location: string,
  bucket: Bucket,
  options: Pick<SnapshotOptions, "onDataset"> = {},
): Promise<Snapshot> {
  await removeIncomplete(connection, location, bucket, abandonedAfter);
  const [latest] = await connection.query<{ manifest: Snapshot }>(
    "select manifest from funding.snapshots where location = $1 and is_complete order by id desc limit 1",
    [location],
  );
  const folder = mkdtempSync(join(tmpdir(), "snapshot-"));
  removedOnSignal.add(folder);
  try {
    const manifest = await writeSnapshot(connection, folder, { ...options, previous: latest?.manifest });
    await connection.query("insert into funding.snapshots (location, id, manifest) values ($1, $2, $3)", [
      location,
      manifest.id,
      JSON.stringify(manifest),
    ]);
    for (const name of fileNames(manifest)) {
      const type = name === manifestName ? "application/json" : "application/gzip";
      await bucket.upload(`${manifest.id}/${name}`, join(folder, manifest.id, name), type);
      await noteUpload(connection, location, bucket, manifest, name === manifestName);
    }
    return manifest;
  } finally {
    await rm(folder, { recursive: true, force: true });
    removedOnSignal.delete(folder);
  }
}

/**
 * Notes that a snapshot's file was sent: the snapshot is not abandoned, and with its last file it is complete.
 *
 * @throws when another run took it for abandoned and removed it. Its files are removed again.
 */
async function noteUpload(
  connection: Connection,
  location: string,
  bucket: Bucket,
  snapshot: Snapshot,
  isLast: boolean,
): Promise<void> {
  const noted = await connection.query(
    // Another run that takes it for abandoned may be removing it now.
    `update funding.snapshots set is_complete = $3, changed_at = funding.latest_now()
     where location = $1 and id = $2 and changed_at >= funding.bounded_now() - $4::interval returning id`,
    [location, snapshot.id, isLast, abandonedAfter],
  );
  if (noted.length > 0) return;
  await bucket.remove(pathsOf(snapshot));
  throw new Error(
    `sending a file took more than ${abandonedAfter}, and another run removed the snapshot: nothing was published`,
  );
}

/** Removes all but the latest snapshots of a bucket; returns the ids of those that went. They are no longer listed when their files go. */
export async function keepLatestPublished(
  connection: Connection,
  location: string,
  bucket: Bucket,
  count: number,
): Promise<string[]> {
  const former = await connection.query<{ id: string }>(
    `update funding.snapshots set is_complete = false, changed_at = 'epoch'
     where location = $1 and is_complete and id not in (
       select id from funding.snapshots where location = $1 and is_complete order by id desc limit $2)
     returning id`,
    [location, count],
  );
  await removeIncomplete(connection, location, bucket, abandonedAfter);
  return former.map(({ id }) => id).sort();
}

async function removeIncomplete(connection: Connection, location: string, bucket: Bucket, age: string): Promise<void> {
  const abandoned = await connection.query<{ id: string; manifest: Snapshot }>(
    `select id, manifest from funding.snapshots
     where location = $1 and not is_complete and changed_at < funding.bounded_now() - $2::interval`,
    [location, age],
  );
  for (const { id, manifest } of abandoned) {
    await bucket.remove(pathsOf(manifest));
    await connection.query("delete from funding.snapshots where location = $1 and id = $2", [location, id]);
  }
}

/** Names of a snapshot's files, the manifest last. */
function fileNames({ datasets }: Snapshot): string[] {
  return [...Object.values(datasets).flatMap(({ files }) => files.map(({ name }) => name)), manifestName];
}

/** Paths of a snapshot's files in a bucket. */
const pathsOf = (snapshot: Snapshot) => fileNames(snapshot).map((name) => `${snapshot.id}/${name}`);
