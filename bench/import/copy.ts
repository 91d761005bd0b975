import type { Connection } from "../../database/connection.ts";
import { readUsage } from "../process-usage.ts";

/** Columns of a grant that a source fills. The database generates the others. */
const columns =
  "id, title, description, amount_min, amount_max, deadline_date, project_end_date, status, classification, geography, states, is_national, funder_id, listing_url, created_at, categories, identifiers, source, source_id, content_hash, archived_at";

/** Files of COPY, at a path that the database can access. */
export interface CopyFiles {
  write(query: string): Promise<void>;
  read(target: string): Promise<void>;
}

export interface CopyRun {
  seconds: number;
  cpuSeconds: number;
}

/** Times of COPY for the grants that were imported. */
export interface CopyRuns {
  /** Into a table with the same columns and no index or trigger: the minimum for storing the rows. */
  plain: CopyRun;
  /** Into the empty table itself, with its indexes and the trigger that indexes the words. */
  intoGrants: CopyRun;
}

/**
 * Copies the stored grants out and in again, so that the database has the same grants afterwards.
 *
 * @param pid process of the database.
 */
export async function measureCopy(connection: Connection, files: CopyFiles, pid: number): Promise<CopyRuns> {
  await files.write(`select ${columns} from funding.grants`);
  await connection.execute("create table plain_copy (like funding.grants including defaults including generated)");
  const plain = await measureRun(pid, () => files.read(`plain_copy (${columns})`));
  await connection.execute("drop table plain_copy; truncate funding.grants; checkpoint");
  const intoGrants = await measureRun(pid, () => files.read(`funding.grants (${columns})`));
  return { plain, intoGrants };
}

/** Files of a Postgres on this machine, which reads and writes them itself. */
export function serverFiles(connection: Connection, path: string): CopyFiles {
  return {
    write: (query) => connection.execute(`copy (${query}) to '${path}'`),
    read: (target) => connection.execute(`copy ${target} from '${path}'`),
  };
}

async function measureRun(pid: number, work: () => Promise<void>): Promise<CopyRun> {
  const started = performance.now();
  const before = await readUsage(pid);
  await work();
  const after = await readUsage(pid);
  return {
    seconds: (performance.now() - started) / 1_000,
    cpuSeconds: (after?.cpuSeconds ?? 0) - (before?.cpuSeconds ?? 0),
  };
}
