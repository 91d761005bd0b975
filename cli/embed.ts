import type { Connection } from "../database/connection.ts";
import { print, printError } from "../local/print.ts";
import { EmbeddingError } from "../shared/embeddings/errors.ts";
import { createProvider } from "../shared/embeddings/models.ts";
import { processPlatform } from "../shared/platform/environment.ts";
import { abortOnSignals, printStep, runCommand } from "./command.ts";
import { withDatabase } from "./database.ts";
import { beginModel, changeOver, readCurrentModel, removeWaitingVectors } from "./embed/change-over.ts";
import { confirmGoingOn } from "./embed/confirm.ts";
import { bulkRetryPolicy, embedAll } from "./embed/embed-all.ts";
import { formatEstimate, readBacklog, sumLacking } from "./embed/estimate.ts";
import { fillVectors } from "./embed/fill.ts";
import { type EmbedCommand, embedOptions, help, parseEmbedCommand } from "./embed/options.ts";
import { embedProgress, formatCount } from "./progress.ts";

/** Exit status when nothing was done, because the user did not confirm. */
const notConfirmed = 2;

const works = {
  lexicon: useLexicon,
  openai: useExternalModel,
  supabase: usePlatformModel,
  "workers-ai": usePlatformModel,
};

await runCommand({
  help,
  options: embedOptions,
  async run(given) {
    const command = parseEmbedCommand(given);
    const work = works[command.provider];
    return withDatabase(command.databaseUrl, (connection) => work(connection, command));
  },
});

async function useLexicon(connection: Connection, { model, isConfirmed }: EmbedCommand): Promise<number> {
  const before = await readCurrentModel(connection);
  if (before === model) {
    print("Search by meaning uses the lexicon already. npm run lexicon fits it to the present records.");
    const removed = await removeWaitingVectors(connection);
    if (removed > 0) print(`Removed vectors of a change that was given up: ${formatCount(removed)}.`);
    return 0;
  }
  print(`lexicon: vectors made in the database, at no cost. The vectors of ${before} will be deleted.`);
  if (!isConfirmed && !(await confirmGoingOn())) return notConfirmed;
  await changeOver(connection, model, printStep);
  print("Search by meaning uses the lexicon.");
  return 0;
}

/** Makes search use a model that runs where the dispatcher does. */
async function usePlatformModel(connection: Connection, { model, isConfirmed }: EmbedCommand): Promise<number> {
  const before = await readCurrentModel(connection);
  const records = (await readBacklog(connection, model)).reduce((sum, dataset) => sum + dataset.records, 0);
  if (before === model) {
    print(`Search by meaning uses ${model} already. The dispatcher embeds new and changed records.`);
    return 0;
  }
  print([
    `${model}: the dispatcher embeds ${formatCount(records)} records (docs/operate/embeddings.md says how fast).`,
    `Search by meaning uses it at once, without the vectors of ${before}, and finds a record when it has its vector.`,
  ]);
  if (!isConfirmed && !(await confirmGoingOn())) return notConfirmed;
  await beginModel(connection, model, printStep);
  print(`Search by meaning uses ${model}. ${formatCount(records)} records wait for the dispatcher.`);
  return 0;
}

async function useExternalModel(connection: Connection, options: EmbedCommand): Promise<number> {
  const { model, price } = options;
  const before = await readCurrentModel(connection);
  const backlog = await readBacklog(connection, model);
  const total = sumLacking(backlog);
  print(formatEstimate(model, backlog, price));
  if (before !== model) print(`Search by meaning uses ${before} until all records are embedded.`);
  const isChange = total > 0 || before !== model;
  if (isChange && !options.isConfirmed && !(await confirmGoingOn())) return notConfirmed;

  let signals = abortOnSignals();
  const progress = embedProgress(total);
  try {
    const provider = createProvider(model, processPlatform);
    // When there is nothing to embed, this call alone shows that the provider will answer for queries.
    if (total === 0 && before !== model) {
      await embedAll(provider, ["funding"], bulkRetryPolicy, signals.signal, progress.pause);
    }
    for (let embedded = 0; ; embedded = progress.done) {
      await fillVectors({
        connection,
        provider,
        model,
        batchSize: options.batchSize,
        concurrency: options.concurrency,
        signal: signals.signal,
        onStored: progress.add,
        onPause: progress.pause,
      });
      progress.end();
      // All vectors are stored, and the change is one transaction: meanwhile a signal ends the process, whatever it waits for.
      signals.release();
      if ((await changeOver(connection, model, printStep)) === 0) break;
      // Records that were added or changed meanwhile take another round. Where a dispatcher has claimed all of them, that one waits.
      if (progress.done === embedded) await new Promise((resolve) => setTimeout(resolve, 1_000));
      signals = abortOnSignals();
    }
  } catch (error) {
    progress.end();
    if (!signals.signal.aborted && !(error instanceof EmbeddingError)) throw error;
    printError(signals.signal.aborted ? "Stopped." : `Stopped: ${(error as EmbeddingError).message}.`);
    const left = sumLacking(await readBacklog(connection, model));
    printError(`${left} records still lack a vector. Run the same command again to continue.`);
    return 1;
  } finally {
    signals.release();
  }
  print(`${progress.done} records embedded. Search by meaning uses ${model}.`);
  return 0;
}
