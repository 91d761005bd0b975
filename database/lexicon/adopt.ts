import { type Connection, queryValue } from "../connection.ts";
import { vacuum } from "../vacuum.ts";
import { withoutStatementTimeout } from "../without-statement-timeout.ts";
import { datasets } from "./corpus.ts";
import type { Progress } from "./progress.ts";
import { sealRecords, segmentTables } from "./seal.ts";
import { dropUnusedVectorIndexes } from "./vector-index.ts";

/** Puts a fit in force, and deletes the former one. Readers and writers do not wait. */
export async function adoptFit(connection: Connection, fit: string, progress: Progress): Promise<void> {
  progress.step("adopting the new lexicon");
  await withoutStatementTimeout(connection, (transaction) => transaction.query("select funding.adopt_fit($1)", [fit]));
  progress.step("deleting the old one");
  await forgetFormerFit(connection);
  // Records that came while the fit was made are in no segment of it.
  await sealRecords(connection);
  // Cached pages too: without it a table that has reached its bound stays there.
  await vacuum(connection, ["pages", ...datasets]);
}

/** Deletes the lexicon, the segments and the vectors that are not searched, unless another fit is being made of them. */
export async function forgetFormerFit(connection: Connection): Promise<void> {
  const isFitting = await queryValue<boolean>(connection, "select exists (select from funding.next_fit)");
  if (isFitting) return;
  await dropUnusedVectorIndexes(connection);
  await withoutStatementTimeout(connection, (transaction) => transaction.query("select funding.forget_fit(false)"));
  const vectors = datasets.flatMap((dataset) => [0, 1].map((number) => `${dataset}_vectors_${number}`));
  await vacuum(connection, ["lexicon", ...vectors, ...segmentTables]);
}
