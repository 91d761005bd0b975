import type { Connection } from "./connection.ts";

/** Returns the addresses of the documents of current opportunities that are not over. */
export async function currentDocuments(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ url: string }>("select url from funding.current_documents() as url");
  return rows.map(({ url }) => url);
}
