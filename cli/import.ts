import type { Connection } from "../database/connection.ts";
import { createClient } from "../ingest/common-grants/client.ts";
import { importApi } from "../ingest/common-grants/import-api.ts";
import type { RowMapping } from "../ingest/decide-row.ts";
import { EntryFile, type Reject } from "../ingest/entry-file.ts";
import { InputError, MappingError } from "../ingest/errors.ts";
import type { NoteEntry } from "../ingest/notes.ts";
import { readFiles } from "../ingest/read/files.ts";
import { runImport } from "../ingest/run-import.ts";
import { createGenericReader, genericMapping } from "../ingest/sources/generic.ts";
import { namedMapping } from "../ingest/sources/named.ts";
import { emptySummary } from "../ingest/summary.ts";
import { type Lines, print, printError } from "../local/print.ts";
import { variable } from "../shared/platform/environment.ts";
import { abortOnSignals, runCommand } from "./command.ts";
import { openDatabase } from "./database.ts";
import { formatSummary } from "./import/format-summary.ts";
import { help } from "./import/help.ts";
import { indexRecords } from "./import/index-records.ts";
import { ChangedFileError, Input } from "./import/input.ts";
import { type ImportCommand, importOptions, parseImportCommand } from "./import/options.ts";
import { acquireSourceLock, SourceBusyError } from "./import/source-lock.ts";
import { UsageError } from "./options.ts";
import { importProgress } from "./progress.ts";

/** Exit status when the command was called wrongly, also with a file that does not exist. */
const calledWrongly = 2;
/** Exit status when some rows were rejected and the rest are imported. */
const someRejected = 3;
/** Exit status when everything is imported, but nothing was archived because it would have been too much. */
const tooManyGone = 4;

await runCommand({
  help,
  allowPositionals: true,
  options: importOptions,
  run: (given) => importFiles(parseImportCommand(given)),
});

async function importFiles(options: ImportCommand): Promise<number> {
  const signals = abortOnSignals();
  const rejects = new EntryFile<Reject>(options.rejectsPath);
  const notes = new EntryFile<NoteEntry>(options.notesPath);
  const input = new Input(options.paths, "format" in options.kind);
  const summary = emptySummary();
  const progress = importProgress(summary);
  let connections: Connection[] = [];
  const releaseLocks: (() => Promise<void>)[] = [];
  let isStarted = false;
  let describeShape = (): string[] => [];
  const printSummary = () =>
    print(
      formatSummary({ ...summary, shapeNotes: [...describeShape(), ...summary.shapeNotes] }, options, rejects.exists),
    );
  const open = async (sources: Iterable<string>, most: number) => {
    const databaseUrl = options.databaseUrl ?? variable("DATABASE_URL");
    for (const source of sources) {
      const onWait = () => printError(`Another import of ${source} is running: this one waits for its end.`);
      releaseLocks.push(await acquireSourceLock(source, { databaseUrl, signal: signals.signal, onWait }));
    }
    connections = await openConnections(databaseUrl, most);
    return connections;
  };
  const importAddress = async (address: URL) => {
    // One connection, so that the batches are written in the order of the list, and what is in can be said by a time.
    const sources = new Set(["grants-gov", options.source]);
    const [connection] = options.isDryRun ? [] : await open(sources, 1);
    const key = variable("COMMON_GRANTS_API_KEY");
    const getJson = createClient({ key, signal: signals.signal, onWait: printError, onBytes: progress.addBytes });
    return importApi({ ...options, ...reporting, address, connection, getJson });
  };
  const importPaths = async () => {
    const asOf = await input.asOf();
    isStarted = true;
    const { read, prepare, describe, readAgain } = chooseReading(options, input, signals.signal);
    describeShape = describe;
    return runImport(readFiles(input.files(signals.signal), read, progress.addBytes), {
      ...options,
      ...reporting,
      prepare,
      ...(readAgain === undefined ? {} : { readAgain }),
      file: input.label,
      asOf,
      ...(options.isDryRun ? {} : { connect: ({ source }: RowMapping) => open([source], 2) }),
    });
  };
  const reporting = { rejects, notes, summary, report: progress.report, signal: signals.signal };
  try {
    isStarted = options.address !== undefined;
    const result = options.address === undefined ? await importPaths() : await importAddress(options.address);
    progress.end();
    printSummary();
    if (result.outcome === "refused") return fail(result.message.split("\n"), tooManyGone);
    if (result.warning !== undefined) printError(`Warning: ${result.warning}`);
    // All is committed, and a fit may be given up at any point: from here on a signal ends the process, whatever it waits for.
    signals.release();
    const [connection] = connections;
    if (connection !== undefined) {
      if (signals.signal.aborted) {
        return fail("Stopped. All records are in; the dispatcher or the next import indexes them.");
      }
      await indexRecords(connection, options.isFitting);
    }
    return summary.rejected > 0 ? someRejected : 0;
  } catch (error) {
    progress.end();
    if (error instanceof MappingError) {
      throw new UsageError([error.message, ...describeShape().map((sentence) => `${sentence}.`)].join(" "));
    }
    if (summary.read > 0) printSummary();
    if (error instanceof SourceBusyError) return fail(error.message);
    if (error instanceof ChangedFileError) return fail(error.message);
    if (error instanceof InputError)
      return fail(`${options.address?.href ?? input.name} ${error.message}.`, isStarted ? 1 : calledWrongly);
    if (summary.read > 0) printError("The import is incomplete. Run the same command again to complete it.");
    if (signals.signal.aborted) return fail("Stopped.");
    if (isDiskFull(error)) return fail(`The disk is full: ${error.message}`);
    throw error;
  } finally {
    signals.release();
    await rejects.close();
    await notes.close();
    await input.close();
    await Promise.all(connections.map((connection) => connection.close()));
    // Last: without a server, the next import opens the database itself.
    await Promise.all(releaseLocks.map((release) => release()));
  }
}

/** Opens up to two connections to a Postgres, which writes two batches as fast as one. The embedded database has one session. */
async function openConnections(databaseUrl: string | undefined, most: number): Promise<Connection[]> {
  const first = await openDatabase(databaseUrl);
  return databaseUrl === undefined || most === 1 ? [first] : [first, await openDatabase(databaseUrl)];
}

function chooseReading({ kind, source, dates, records }: ImportCommand, input: Input, signal: AbortSignal) {
  if ("source" in kind)
    return { read: kind.source.read, prepare: namedMapping(kind.source), describe: () => [], readAgain: undefined };
  const reader = createGenericReader(kind.format, kind.request, records);
  const { read } = reader;
  const readAgain = () => readFiles(input.again(signal), read);
  const order = dates ?? readAgain;
  return {
    readAgain,
    read,
    prepare: genericMapping(kind.request, source, order, kind.format),
    describe: () => reader.describe(),
  };
}

/** Whether the disk of the database or of the reject file is full. */
function isDiskFull(error: unknown): error is Error {
  return error instanceof Error && ["53100", "ENOSPC"].includes(String((error as { code?: unknown }).code));
}

function fail(message: Lines, status = 1): number {
  printError(message);
  return status;
}
