import type { Connection } from "../../database/connection.ts";

/** What a source fills of a grant; the rest the database makes of it. */
const columns =
  "id, title, description, amount_min, amount_max, deadline_date, project_end_date, status, classification, geography, states, is_national, funder_id, listing_url, created_at, categories, identifiers, source, source_id, content_hash, archived_at";

/** Writes and reads COPY's files where the database can reach them. */
export interface CopyFiles {
  write(query: string): Promise<void>;
  read(target: string): Promise<void>;
}

/** Seconds that COPY takes for the grants that were imported. */
export interface CopySeconds {
  /** Into a table of the same columns, with no index and no trigger: the least that storing the rows takes. */
  plain: number;
  /** Into the table itself, emptied: with its indexes, and the trigger that indexes the words. */
  intoGrants: number;
}

/** Copies the stored grants out and in again. The database has the same grants afterwards. */
export async function copySeconds(connection: Connection, files: CopyFiles): Promise<CopySeconds> {
  await files.write(`select ${columns} from funding.grants`);
  await connection.execute("create table plain_copy (like funding.grants including defaults including generated)");
  const plain = await secondsOf(() => files.read(`plain_copy (${columns})`));
  await connection.execute("drop table plain_copy; truncate funding.grants; checkpoint");
  const intoGrants = await secondsOf(() => files.read(`funding.grants (${columns})`));
  return { plain, intoGrants };
}

/** A Postgres on this machine reads and writes the file itself. */
export function serverFiles(connection: Connection, path: string): CopyFiles {
  return {
    write: (query) => connection.execute(`copy (${query}) to '${path}'`),
    read: (target) => connection.execute(`copy ${target} from '${path}'`),
  };
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}
