import { type Connection, queryOne } from "../database/connection.ts";

/** Returns the table of the grants' vectors that are searched, for SQL: `slot` and `embedding`. It changes with each fit. */
export async function grantVectorsTable(connection: Connection): Promise<string> {
  const { name } = await queryOne<{ name: string }>(
    connection,
    "select funding.vectors_table('grants', vectors) as name from funding.lexicon_fit",
  );
  return `funding.${name}`;
}
