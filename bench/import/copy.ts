import type { Connection } from "../../database/connection.ts";
import { usageOf } from "./process-usage.ts";

/** What a source fills of a grant; the rest the database makes of it. */
const columns =
  "id, title, description, amount_min, amount_max, deadline_date, project_end_date, status, classification, geography, states, is_national, funder_id, listing_url, created_at, categories, identifiers, source, source_id, content_hash, archived_at";

/** Writes and reads COPY's files where the database can reach them. */
export interface CopyFiles {
  write(query: string): Promise<void>;
  read(target: string): Promise<void>;
}

export interface CopyRun {
  seconds: number;
  cpuSeconds: number;
}

/** What COPY takes for the grants that were imported. */
export interface CopyRuns {
  /** Into a table of the same columns, with no index and no trigger: the least that storing the rows takes. */
  plain: CopyRun;
  /** Into the table itself, emptied: with its indexes, and the trigger that indexes the words. */
  intoGrants: CopyRun;
}

/**
 * Copies the stored grants out and in again. The database has the same grants afterwards.
 *
 * @param pid the process that does the work.
 */
export async function copyRuns(connection: Connection, files: CopyFiles, pid: number): Promise<CopyRuns> {
  await files.write(`select ${columns} from funding.grants`);
  await connection.execute("create table plain_copy (like funding.grants including defaults including generated)");
  const plain = await runOf(pid, () => files.read(`plain_copy (${columns})`));
  await connection.execute("drop table plain_copy; truncate funding.grants; checkpoint");
  const intoGrants = await runOf(pid, () => files.read(`funding.grants (${columns})`));
  return { plain, intoGrants };
}

/** A Postgres on this machine reads and writes the file itself. */
export function serverFiles(connection: Connection, path: string): CopyFiles {
  return {
    write: (query) => connection.execute(`copy (${query}) to '${path}'`),
    read: (target) => connection.execute(`copy ${target} from '${path}'`),
  };
}

async function runOf(pid: number, work: () => Promise<void>): Promise<CopyRun> {
  const started = performance.now();
  const before = await usageOf(pid);
  await work();
  const after = await usageOf(pid);
  return {
    seconds: (performance.now() - started) / 1_000,
    cpuSeconds: (after?.cpuSeconds ?? 0) - (before?.cpuSeconds ?? 0),
  };
}
