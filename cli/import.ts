import type { Connection } from "../database/connection.ts";
import { InputError, MappingError } from "../ingest/errors.ts";
import { readFiles } from "../ingest/read/files.ts";
import { RejectFile } from "../ingest/reject-file.ts";
import { runImport } from "../ingest/run-import.ts";
import { genericMapping, readersByFormat } from "../ingest/sources/generic.ts";
import { namedMapping } from "../ingest/sources/named.ts";
import { emptySummary } from "../ingest/summary.ts";
import { fitLexicon } from "../lexicon/fit.ts";
import { isLexiconStale } from "../lexicon/staleness.ts";
import { variable } from "../shared/platform/environment.ts";
import { runCommand, UsageError } from "./command.ts";
import { openDatabase } from "./database.ts";
import { formatSummary } from "./import/format-summary.ts";
import { help } from "./import/help.ts";
import { ChangedFileError, Input } from "./import/input.ts";
import { type ImportCommand, readOptions } from "./import/options.ts";
import { progressLine } from "./import/progress.ts";
import { watchSignals } from "./import/signals.ts";

/** Exit status when the command was called wrongly, a file that does not exist included. */
const calledWrongly = 2;
/** Exit status when everything that could be imported was, and some rows could not. */
const someRejected = 3;
/** Exit status when everything is imported, but so much would be archived that nothing was. */
const tooManyGone = 4;

await runCommand(async (words) => {
  const options = readOptions(words);
  if (options === "help") {
    console.log(help);
    return 0;
  }
  const signals = watchSignals();
  const rejects = new RejectFile(options.rejectsPath);
  const progress = progressLine(process.stderr);
  const input = new Input(options.paths, "format" in options.kind && options.dates === undefined);
  const today = new Date().toISOString().slice(0, 10);
  const summary = emptySummary();
  let connections: Connection[] = [];
  let isStarted = false;
  try {
    const asOf = await input.asOf();
    isStarted = true;
    const { read, prepare } = readingOf(options, input, today, signals.signal);
    const result = await runImport(readFiles(input.files(signals.signal), read), {
      ...options,
      prepare,
      file: input.label,
      asOf,
      today,
      rejects,
      summary,
      report: progress.report,
      signal: signals.signal,
      ...(options.isDryRun ? {} : { connect: async () => (connections = await openConnections(options.databaseUrl)) }),
    });
    progress.end();
    console.log(formatSummary(summary, options, rejects.exists));
    if (result.outcome === "refused") return fail(result.message, tooManyGone);
    const [connection] = connections;
    if (connection !== undefined && options.isFitting && (await isLexiconStale(connection))) {
      console.error(
        "Many records are new to search by meaning; fitting the lexicon to them (--no-fit leaves this out):",
      );
      await fitLexicon(connection, (step) => console.error(`  ${step}`));
    }
    return summary.rejected > 0 ? someRejected : 0;
  } catch (error) {
    progress.end();
    if (error instanceof MappingError) throw new UsageError(error.message);
    if (summary.read > 0) console.log(formatSummary(summary, options, rejects.exists));
    if (error instanceof ChangedFileError) return fail(error.message);
    if (error instanceof InputError) return fail(`${input.name} ${error.message}.`, isStarted ? 1 : calledWrongly);
    if (summary.read > 0) console.error("The import did not end. Run the same command again to complete it.");
    if (signals.signal.aborted) return fail("Stopped.");
    if (isDiskFull(error)) return fail(`The disk is full: ${error.message}`);
    throw error;
  } finally {
    signals.release();
    await rejects.close();
    await input.close();
    await Promise.all(connections.map((connection) => connection.close()));
  }
});

/** Two connections to a Postgres, which writes two batches as fast as one; the embedded database has one session. */
async function openConnections(databaseUrl: string | undefined): Promise<Connection[]> {
  const first = await openDatabase(databaseUrl);
  const isServer = (databaseUrl ?? variable("DATABASE_URL")) !== undefined;
  return isServer ? [first, await openDatabase(databaseUrl)] : [first];
}

function readingOf({ kind, source, dates }: ImportCommand, input: Input, today: string, signal: AbortSignal) {
  if ("source" in kind) return { read: kind.source.read, prepare: namedMapping(kind.source, today) };
  const read = readersByFormat[kind.format];
  return { read, prepare: genericMapping(kind.request, source, dates ?? (() => readFiles(input.again(signal), read))) };
}

/** The database's disk, or the reject file's. */
function isDiskFull(error: unknown): error is Error {
  return error instanceof Error && ["53100", "ENOSPC"].includes(String((error as { code?: unknown }).code));
}

function fail(message: string, status = 1): number {
  console.error(message);
  return status;
}
