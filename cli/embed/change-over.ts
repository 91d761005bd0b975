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

/** Removes the vectors of models that search does not use: of former ones, and of changes that were given up. @returns their number. */
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
    await giveUpFit(connection, model, report);
  }
  const lacking = await withoutStatementTimeout(connection, async (transaction) => {
    return queryValue<number>(transaction, "select funding.adopt_embedding_model($1)::float8", [model]);
  });
  if (lacking === 0) await forgetFormerFit(connection);
  return lacking;
}

/** A change to a model that dispatchers alone can ask. */
export interface BegunChange {
  /** Texts that wait, and those that have their vector. */
  waiting: number;
  embedded: number;
  /** Since it began. */
  seconds: number;
}

/** Reads the change to a model, if it has begun. */
export async function readBegunChange(connection: Connection, model: string): Promise<BegunChange | undefined> {
  const [change] = await connection.query<BegunChange>(
    `select (select count(*)::float8 from funding.embedding_queue where refusal is null) as waiting,
            (select count(*)::float8 from funding.next_embeddings where model = $1) as embedded,
            extract(epoch from funding.bounded_now() - next_since)::float8 as seconds
     from funding.embedding_state where next_model = $1`,
    [model],
  );
  return change;
}

/**
 * Queues the texts that lack a vector of the model that search uses: those that its provider refused, and the passages of records that were embedded
 * without. Writers wait meanwhile.
 *
 * @returns their number.
 */
export async function queueLacking(connection: Connection, model: string): Promise<number> {
  const lacking = sumLacking(await readBacklog(connection, model));
  if (lacking > 0) {
    await withoutStatementTimeout(connection, async (transaction) => {
      await transaction.execute(
        "lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode",
      );
      await transaction.query("select funding.queue_lacking_vectors()");
    });
  }
  return lacking;
}

/** Begins the change to a model that dispatchers alone can ask; without one, gives up a change that had begun. Writers wait for a moment. */
export async function beginModel(connection: Connection, model: string | null): Promise<void> {
  await withoutStatementTimeout(connection, (transaction) =>
    transaction.query("select funding.begin_embedding_model($1)", [model]),
  );
}

/**
 * Makes search use a model whose change has begun and for which no record waits.
 *
 * @param report called when the change has to wait for others.
 * @returns whether it does: meanwhile a record may have come.
 */
export async function adoptBegunModel(
  connection: Connection,
  model: string,
  report: (step: string) => void,
): Promise<boolean> {
  await giveUpFit(connection, model, report);
  const isAdopted = await withoutStatementTimeout(connection, (transaction) =>
    queryValue<boolean>(transaction, "select funding.adopt_next_model()"),
  );
  if (isAdopted) await forgetFormerFit(connection);
  return isAdopted;
}

/**
 * Gives up a fit that is being made: writers that know of it store its vectors in the tables that the new model is to use. Then gives
 * those tables the size of the model's vectors, in a moment: whoever else uses them must not wait for the whole change.
 */
async function giveUpFit(connection: Connection, model: string, report: (step: string) => void): Promise<void> {
  await withoutStatementTimeout(connection, (transaction) => transaction.query("select funding.forget_fit()"));
  await waitForEarlierWriters(connection, createProgress(report));
  await dropUnusedVectorIndexes(connection);
  await connection.query("select funding.resize_vectors(1 - fit.vectors, $1) from funding.lexicon_fit as fit", [model]);
}
