import { type Connection, queryOne } from "../../database/connection.ts";
import { lackingIn, readBacklog } from "./estimate.ts";

/** The model whose vectors search uses. */
export async function currentModel(connection: Connection): Promise<string> {
  const { model } = await queryOne<{ model: string }>(
    connection,
    "select funding.setting('embedding_model')#>>'{}' as model",
  );
  return model;
}

/**
 * Makes search use a model's vectors, in one transaction, and builds the vector indexes for them. While that lasts,
 * searches look at every vector. Returns how many records lack one; when any does, nothing has changed.
 */
export async function changeOver(connection: Connection, model: string): Promise<number> {
  if ((await currentModel(connection)) !== model) {
    const lacking = model === "lexicon" ? 0 : lackingIn(await readBacklog(connection, model));
    if (lacking > 0) return lacking;
    await connection.query("select funding.drop_vector_indexes()");
  }
  const lacking = await unhurried(connection, async (transaction) => {
    const { lacking } = await queryOne<{ lacking: number }>(
      transaction,
      "select funding.adopt_embedding_model($1)::float8 as lacking",
      [model],
    );
    return lacking;
  });
  await unhurried(connection, (transaction) => transaction.query("select funding.refresh_vector_indexes()"));
  return lacking;
}

/** A transaction that a hosted database's statement timeout does not end. */
function unhurried<Result>(
  connection: Connection,
  work: (transaction: Connection) => Promise<Result>,
): Promise<Result> {
  return connection.transaction(async (transaction) => {
    await transaction.execute("set local statement_timeout = 0");
    return work(transaction);
  });
}
