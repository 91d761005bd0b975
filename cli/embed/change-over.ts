import { type Connection, queryValue } from "../../database/connection.ts";
import { forgetFormerFit } from "../../database/lexicon/adopt.ts";
import { waitForEarlierWriters } from "../../database/lexicon/prepare.ts";
import { createProgress } from "../../database/lexicon/progress.ts";
import { dropUnusedVectorIndexes } from "../../database/lexicon/vector-index.ts";
import { withoutStatementTimeout } from "../../database/without-statement-timeout.ts";
import { readBacklog, sumLacking } from "./estimate.ts";

/** Returns the model whose vectors search uses. */
export async function readCurrentModel(connection: Connection): Promise<string> {
  return queryValue<string>(connection, "select funding.setting('embedding_model')#>>'{}'");
}

/** Removes the vectors of a change of the model that was given up. @returns their number. */
export async function removeWaitingVectors(connection: Connection): Promise<number> {
  return queryValue<number>(
    connection,
    "with removed as (delete from funding.next_embeddings returning 1) select count(*)::float8 as removed from removed",
  );
}

/**
 * Makes search use a model's vectors, in one transaction that stores them and builds their indexes. Readers do not wait;
 * writers wait at its end. A process that ends meanwhile leaves search as it was, or as it is to be.
 *
 * @param report called when the change has to wait for others.
 * @returns the number of records that lack a vector; when it is not 0, nothing has changed.
 */
export async function changeOver(
  connection: Connection,
  model: string,
  report: (step: string) => void = () => undefined,
): Promise<number> {
  if ((await readCurrentModel(connection)) !== model) {
    // Asked before a fit that is being made is given up.
    const lacking = model === "lexicon" ? 0 : sumLacking(await readBacklog(connection, model));
    if (lacking > 0) return lacking;
    await giveUpFit(connection, report);
  }
  const lacking = await withoutStatementTimeout(connection, async (transaction) => {
    return queryValue<number>(transaction, "select funding.adopt_embedding_model($1)::float8", [model]);
  });
  if (lacking === 0) await forgetFormerFit(connection);
  return lacking;
}

/**
 * Makes search use a model that the dispatcher alone can ask, whose vectors no record has yet.
 *
 * @param report called when the change has to wait for others.
 */
export async function beginModel(connection: Connection, model: string, report: (step: string) => void): Promise<void> {
  await giveUpFit(connection, report);
  await withoutStatementTimeout(connection, (transaction) =>
    transaction.query("select funding.begin_embedding_model($1)", [model]),
  );
  await forgetFormerFit(connection);
}

/** Gives up a fit that is being made: writers that know of it store its vectors in the table that the new model is to use. */
async function giveUpFit(connection: Connection, report: (step: string) => void): Promise<void> {
  await withoutStatementTimeout(connection, (transaction) => transaction.query("select funding.forget_fit()"));
  await waitForEarlierWriters(connection, createProgress(report));
  await dropUnusedVectorIndexes(connection);
}
