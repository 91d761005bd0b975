import { type Connection, queryValue } from "../database/connection.ts";
import { print, printError } from "../local/print.ts";
import { EmbeddingError } from "../shared/embeddings/errors.ts";
import { createProvider, lexiconModel } from "../shared/embeddings/models.ts";
import { processPlatform } from "../shared/platform/environment.ts";
import { abortOnSignals, printStep, runCommand } from "./command.ts";
import { withDatabase } from "./database.ts";
import {
  adoptBegunModel,
  type BegunChange,
  beginModel,
  changeOver,
  queueLacking,
  readBegunChange,
  readCurrentModel,
  removeWaitingVectors,
} from "./embed/change-over.ts";
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
    if (removed > 0) print(`Removed kept vectors of other models: ${formatCount(removed)}.`);
    await beginModel(connection, null);
    return 0;
  }
  print(`lexicon: vectors made in the database, at no cost. ${await formatKept(connection, before)}`);
  if (!isConfirmed && !(await confirmGoingOn())) return notConfirmed;
  await changeOver(connection, model, printStep);
  print("Search by meaning uses the lexicon.");
  return 0;
}

/** Begins the change to a model that runs where the dispatcher does, says how far it is, or completes it. */
async function usePlatformModel(connection: Connection, { model, isConfirmed }: EmbedCommand): Promise<number> {
  const before = await readCurrentModel(connection);
  if (before === model) {
    const lacking = await queueLacking(connection, model);
    print(`Search by meaning uses ${model} already. The dispatcher embeds new and changed records.`);
    if (lacking > 0)
      print(`${formatCount(lacking)} texts of records that are there lack a vector, and are embedded, too.`);
    return 0;
  }
  if ((await readBegunChange(connection, model)) === undefined) {
    const lacking = sumLacking(await readBacklog(connection, model));
    print(`${model}: the dispatcher embeds ${formatCount(lacking)} texts (docs/operate/embeddings.md says how fast).`);
    print(`Search by meaning uses ${before} until all records are embedded.`);
    if (before !== lexiconModel) print(await formatKept(connection, before));
    if (!isConfirmed && !(await confirmGoingOn())) return notConfirmed;
    await beginModel(connection, model);
  }
  const change = await readBegunChange(connection, model);
  if (change !== undefined && change.waiting > 0) {
    print(formatBegun(model, change));
    return 0;
  }
  if (!(await adoptBegunModel(connection, model, printStep))) {
    print("A record came meanwhile. Run the same command again.");
    return 1;
  }
  print(`Search by meaning uses ${model}.`);
  return 0;
}

/** Says how far a change is that dispatchers make, and how to complete it. */
function formatBegun(model: string, { waiting, embedded, seconds }: BegunChange): string[] {
  const minutes = Math.ceil(((seconds / Math.max(embedded, 1)) * waiting) / 60);
  return [
    `${formatCount(waiting)} texts wait for the dispatcher, ${formatCount(embedded)} have their vector${embedded === 0 ? "" : `: about ${formatCount(minutes)} minutes left`}.`,
    `Search by meaning uses ${model} soon after the last one, or, of a large catalogue, when the same command is run again.`,
  ];
}

/** Says how long going back to a model stays cheap. */
async function formatKept(connection: Connection, model: string): Promise<string> {
  const days = await queryValue<number>(connection, "select funding.setting('former_vector_days')::float8");
  return `The vectors of ${model} are kept for ${days} days: going back costs what has changed by then.`;
}

async function useExternalModel(connection: Connection, options: EmbedCommand): Promise<number> {
  const { model, price } = options;
  const before = await readCurrentModel(connection);
  const backlog = await readBacklog(connection, model);
  const total = sumLacking(backlog);
  print(formatEstimate(model, backlog, price));
  if (before !== model) print(`Search by meaning uses ${before} until all records are embedded.`);
  if (before !== model && before !== lexiconModel) print(await formatKept(connection, before));
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
    printError(`${left} texts still lack a vector. Run the same command again to continue.`);
    return 1;
  } finally {
    signals.release();
  }
  print(`${progress.done} texts embedded. Search by meaning uses ${model}.`);
  return 0;
}
