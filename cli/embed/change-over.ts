import { type Connection, queryOne } from "../../database/connection.ts";
import { withoutStatementTimeout } from "../../database/without-statement-timeout.ts";
import { readBacklog, sumLacking } from "./estimate.ts";

/** Returns the model whose vectors search uses. */
export async function readCurrentModel(connection: Connection): Promise<string> {
  const { model } = await queryOne<{ model: string }>(
    connection,
    "select funding.setting('embedding_model')#>>'{}' as model",
  );
  return model;
}

/**
 * Makes search use a model's vectors, in one transaction, and builds the vector indexes for them. Until the indexes are
 * built, searches scan every vector.
 *
 * @returns the number of records that lack a vector; when it is not 0, nothing has changed.
 */
export async function changeOver(connection: Connection, model: string): Promise<number> {
  if ((await readCurrentModel(connection)) !== model) {
    const lacking = model === "lexicon" ? 0 : sumLacking(await readBacklog(connection, model));
    if (lacking > 0) return lacking;
    await connection.query("select funding.drop_vector_indexes()");
  }
  const lacking = await withoutStatementTimeout(connection, async (transaction) => {
    const { lacking } = await queryOne<{ lacking: number }>(
      transaction,
      "select funding.adopt_embedding_model($1)::float8 as lacking",
      [model],
    );
    return lacking;
  });
  await withoutStatementTimeout(connection, (transaction) =>
    transaction.query("select funding.refresh_vector_indexes()"),
  );
  return lacking;
}
