import type { Connection } from "../../database/connection.ts";

/** What is in of an API's list, by `lastModifiedAt`. */
export interface Cursor {
  /** All that was modified until then is in. Absent before the first complete run. */
  completeTo?: Date | undefined;
  /** An interrupted run, which goes from new to old: all between these two is in. */
  interrupted?: { newest: Date; oldest: Date } | undefined;
}

interface StoredCursor {
  complete_to: Date | string | null;
  newest: Date | string | null;
  oldest: Date | string | null;
}

export async function readCursor(connection: Connection, source: string, address: string): Promise<Cursor> {
  const [stored] = await connection.query<StoredCursor>(
    "select complete_to, newest, oldest from funding.import_cursors where source = $1 and address = $2",
    [source, address],
  );
  const [completeTo, newest, oldest] = [stored?.complete_to, stored?.newest, stored?.oldest].map((time) =>
    time === null || time === undefined ? undefined : new Date(time),
  );
  return { completeTo, ...(newest && oldest ? { interrupted: { newest, oldest } } : {}) };
}

export async function saveCursor(
  connection: Connection,
  source: string,
  address: string,
  { completeTo, interrupted }: Cursor,
): Promise<void> {
  await connection.query(
    `insert into funding.import_cursors (source, address, complete_to, newest, oldest) values ($1, $2, $3, $4, $5)
     on conflict (source, address) do update
     set complete_to = excluded.complete_to, newest = excluded.newest, oldest = excluded.oldest`,
    [
      source,
      address,
      ...[completeTo, interrupted?.newest, interrupted?.oldest].map((time) => time?.toISOString() ?? null),
    ],
  );
}
