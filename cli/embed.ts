import type { Connection } from "../database/connection.ts";
import { EmbeddingError } from "../shared/embeddings/errors.ts";
import { providerOf } from "../shared/embeddings/models.ts";
import { processPlatform } from "../shared/platform/process.ts";
import { runCommand } from "./command.ts";
import { openDatabase } from "./database.ts";
import { changeOver, currentModel } from "./embed/change-over.ts";
import { confirm } from "./embed/confirm.ts";
import { embedTexts, patience } from "./embed/embed-texts.ts";
import { formatEstimate, lackingIn, readBacklog } from "./embed/estimate.ts";
import { fillVectors } from "./embed/fill.ts";
import { help } from "./embed/help.ts";
import { type EmbedCommand, readOptions } from "./embed/options.ts";
import { progressLine } from "./embed/progress.ts";
import { watchSignals } from "./import/signals.ts";

/** Exit status when nothing was done, because nobody said yes. */
const notConfirmed = 2;

const supabaseExplanation = `gte-small runs inside Supabase's edge runtime and nowhere else, so no command on this machine can make its
vectors: a function of the project has to, and this version has none that embeds records yet. Until then:
  npm run embed -- --provider lexicon    search by meaning without a model
  npm run embed -- --provider openai     OpenAI, or gte-small itself on a server of yours that speaks OpenAI's
                                         protocol: OPENAI_BASE_URL and --model say where and what`;

await runCommand(async (words) => {
  const options = readOptions(words);
  if (options === "help") {
    console.log(help);
    return 0;
  }
  if (options.provider === "supabase") {
    console.error(supabaseExplanation);
    return 1;
  }
  const connection = await openDatabase(options.databaseUrl);
  try {
    return await (options.provider === "lexicon" ? useLexicon : useExternalModel)(connection, options);
  } finally {
    await connection.close();
  }
});

async function useLexicon(connection: Connection, { model, isConfirmed }: EmbedCommand): Promise<number> {
  const before = await currentModel(connection);
  if (before === model) {
    console.log("Search by meaning uses the lexicon already. npm run lexicon fits it to the present records.");
    return 0;
  }
  console.log(`lexicon: vectors made in the database, at no cost. The vectors of ${before} go.`);
  if (!(await isAgreed(isConfirmed))) return notConfirmed;
  await changeOver(connection, model);
  console.log("Search by meaning uses the lexicon.");
  return 0;
}

async function useExternalModel(connection: Connection, options: EmbedCommand): Promise<number> {
  const { model, price } = options;
  const before = await currentModel(connection);
  const backlog = await readBacklog(connection, model);
  const total = lackingIn(backlog);
  console.log(formatEstimate(model, backlog, price));
  if (before !== model) console.log(`Search by meaning uses ${before} until all are done.`);
  if ((total > 0 || before !== model) && !(await isAgreed(options.isConfirmed))) return notConfirmed;

  const signals = watchSignals();
  const progress = progressLine(process.stderr, total);
  try {
    const provider = providerOf(model, processPlatform);
    const paused = (error: EmbeddingError, pauseMs: number) => progress.pause(error, pauseMs);
    // Where there is nothing to embed, only this shows that queries will get an answer.
    if (total === 0 && before !== model) await embedTexts(provider, ["funding"], patience, signals.signal, paused);
    do {
      await fillVectors({
        connection,
        provider,
        model,
        batchSize: options.batchSize,
        concurrency: options.concurrency,
        signal: signals.signal,
        stored: (records) => progress.add(records),
        paused,
      });
      progress.end();
      // Records that came or changed meanwhile take another round.
    } while ((await changeOver(connection, model)) > 0);
  } catch (error) {
    progress.end();
    if (!signals.signal.aborted && !(error instanceof EmbeddingError)) throw error;
    console.error(signals.signal.aborted ? "Stopped." : `Stopped: ${(error as EmbeddingError).message}.`);
    const left = lackingIn(await readBacklog(connection, model));
    console.error(`${left} records still lack a vector. Run the same command again to go on.`);
    return 1;
  } finally {
    signals.release();
  }
  console.log(`${progress.done} records embedded. Search by meaning uses ${model}.`);
  return 0;
}

async function isAgreed(isConfirmed: boolean): Promise<boolean> {
  if (isConfirmed) return true;
  if (process.stdin.isTTY && (await confirm("Go on?"))) return true;
  console.error(process.stdin.isTTY ? "Nothing was done." : "Nothing was done: --yes goes on without asking.");
  return false;
}
