import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import { MemoryFS, PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { vector } from "@electric-sql/pglite-pgvector";

/** Files of a database by path within its folder. A folder has a path too, and no content. */
type Snapshot = ReadonlyMap<string, Uint8Array | undefined>;

const dataFolder = PGlite.paths.PGDATA;
const walFolder = `${dataFolder}/pg_wal`;

/**
 * Settings of a copy beside PGlite's own. Postgres clears all shared buffers and the next segment of the write-ahead log when it
 * starts: with the defaults, 128 MB and 16 MB, that took a quarter of the time to open a copy. The log of a copy is never needed.
 */
const settings = ["shared_buffers=32MB", "wal_init_zero=off", "full_page_writes=off"];

/** Writes a database to a file, for `openCopy`. A reader finds the old file or the new one, whole. */
export async function dumpDatabase(database: PGlite, path: string): Promise<void> {
  await removeSpentWal(database);
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, serialize(takeSnapshot(database)));
  await rename(unfinished, path);
}

/** Opens a copy, in memory, of a database that `dumpDatabase` wrote. */
export async function openCopy(path: string): Promise<PGlite> {
  return PGlite.create({
    fs: new CopyOnWrite(await snapshotAt(path)),
    extensions: { vector, pg_trgm, unaccent },
    startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])],
  });
}

/** Snapshots that this thread has read, by path. */
const snapshots = new Map<string, Promise<Snapshot>>();

function snapshotAt(path: string): Promise<Snapshot> {
  const snapshot = snapshots.get(path) ?? readFile(path).then((bytes): Snapshot => deserialize(bytes));
  snapshots.set(path, snapshot);
  return snapshot;
}

/**
 * Removes the segments of the write-ahead log that are not needed to start, 16 MB each: half of a snapshot's size.
 */
async function removeSpentWal(database: PGlite): Promise<void> {
  await database.exec("checkpoint");
  const { rows } = await database.query<{ segment: string }>(
    "select redo_wal_file as segment from pg_control_checkpoint()",
  );
  const { FS } = database.Module;
  const segments = FS.readdir(walFolder).filter((name: string) => /^[0-9A-F]{24}$/.test(name));
  for (const name of segments) if (name !== rows[0]?.segment) FS.unlink(`${walFolder}/${name}`);
}

function takeSnapshot(database: PGlite): Snapshot {
  const { FS } = database.Module;
  const snapshot = new Map<string, Uint8Array | undefined>();
  const addFolder = (folder: string): void => {
    for (const name of FS.readdir(dataFolder + folder)) {
      if (name === "." || name === "..") continue;
      const path = `${folder}/${name}`;
      const isFolder = FS.isDir(FS.stat(dataFolder + path).mode);
      snapshot.set(path, isFolder ? undefined : FS.readFile(dataFolder + path));
      if (isFolder) addFolder(path);
    }
  };
  addFolder("");
  return snapshot;
}

/** Members of a file of Emscripten's file system in memory that this module needs. */
interface MemoryFile {
  contents: Uint8Array;
  usedBytes: number;
  stream_ops: { write(stream: { node: MemoryFile }, ...rest: unknown[]): number };
}

/**
 * A database's files in memory: those of a snapshot, which all copies share. A file that is written to is copied first, and most
 * never are.
 */
class CopyOnWrite extends MemoryFS {
  constructor(private readonly snapshot: Snapshot) {
    super();
  }

  override initialSyncFs(): Promise<void> {
    const { FS } = this.pg?.Module ?? {};
    FS.mkdirTree(dataFolder, 0o700);
    for (const [path, content] of this.snapshot) {
      if (content === undefined) FS.mkdir(dataFolder + path, 0o700);
      else share(FS.create(dataFolder + path, 0o600), content);
    }
    return Promise.resolve();
  }
}

function share(file: MemoryFile, content: Uint8Array): void {
  const operations = file.stream_ops;
  file.contents = content;
  file.usedBytes = content.length;
  file.stream_ops = {
    ...operations,
    write(stream, ...rest) {
      if (stream.node.contents === content) stream.node.contents = content.slice();
      return operations.write(stream, ...rest);
    },
  };
}
