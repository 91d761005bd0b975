import { type Connection, queryValue } from "./connection.ts";

/** A broken link, with a record that has it. */
export interface BrokenLink {
  dataset: string;
  id: string;
  url: string;
  reason: string;
}

/** Returns addresses of current records that were not checked for so many days, the longest unchecked first. */
export async function dueLinks(connection: Connection, days: number, maximum: number): Promise<string[]> {
  const rows = await connection.query<{ url: string }>("select url from funding.due_links($1, $2) as url", [
    days,
    maximum,
  ]);
  return rows.map(({ url }) => url);
}

/** Stores what was found at addresses. */
export async function noteLinks(
  connection: Connection,
  results: readonly { url: string; result: string; reason: string | null }[],
): Promise<void> {
  await connection.query("select funding.note_links($1::text::jsonb)", [JSON.stringify(results)]);
}

/** Forgets addresses that no current record has; returns their number. */
export function forgetLinks(connection: Connection): Promise<number> {
  return queryValue<number>(connection, "select funding.forget_links()");
}

/** Returns the records whose links failed three times in three weeks. */
export function brokenLinks(connection: Connection): Promise<BrokenLink[]> {
  return connection.query<BrokenLink>("select dataset, id, url, reason from funding.broken_links()");
}
