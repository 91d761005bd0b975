import { BackupError } from "../database/backup/format.ts";
import { RemainsInUseError } from "../database/dropped-schema.ts";
import { DroppedSchemaError, MigrationError, NewerDatabaseError, OutdatedDatabaseError } from "../database/migrate.ts";
import { DataFolderError } from "../local/embedded/data-folder.ts";
import { errorLines, type Lines, print, printError } from "../local/print.ts";
import { HistoryError } from "../status/history-error.ts";
import { DocumentFolderError } from "./documents/folder-error.ts";
import { type Arguments, type OptionsConfig, parseArgs, UsageError } from "./options.ts";

/** A command of the terminal. */
export interface Command<Options extends OptionsConfig> {
  /** Text that `--help` prints. */
  help: string;
  /** Its options besides `--help`. */
  options: Options;
  /** Whether it takes words that are no options. Default: false. */
  allowPositionals?: boolean;
  /**
   * Does the work, and returns the exit status where that is not 0.
   *
   * @throws {UsageError} when the values make no sense: before anything is done.
   */
  run(given: Arguments<Options>): Promise<number | undefined>;
}

/**
 * Runs a command on the words of the command line and sets the exit status: 0 when it is done, 1 when it failed, 2 when
 * it was called wrongly, or the status that the command itself returns.
 */
export async function runCommand<const Options extends OptionsConfig>(command: Command<Options>): Promise<void> {
  try {
    process.exitCode = (await run(command, process.argv.slice(2))) ?? 0;
  } catch (error) {
    process.exitCode = isUsageError(error) ? 2 : 1;
    printError(explain(error));
  }
}

async function run<Options extends OptionsConfig>(
  { help, options, allowPositionals = false, run }: Command<Options>,
  args: string[],
): Promise<number | undefined> {
  const given = parseArgs({ args, allowPositionals, options: { ...options, help: { type: "boolean" } } });
  if (!("help" in given.values)) return run(given as unknown as Arguments<Options>);
  print(help.split("\n"));
  return 0;
}

/** Prints a step of the work on standard error, indented below the line that announced the work. */
export function printStep(step: string): void {
  printError(`  ${step}`);
}

/**
 * Abort signal for Ctrl-C and for a request to end, so that the batch in progress can be finished. Once `release` is called, these end the process
 * again: call it before work that does not look at the signal.
 */
export function abortOnSignals(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // A terminal's Ctrl-C arrives twice, once through local/deno.mjs: the second changes nothing.
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    release() {
      for (const name of names) process.off(name, stop);
    },
  };
}

function explain(error: unknown): Lines {
  if (error instanceof Error && isUsageError(error)) return [error.message, "See --help."];
  const explained = [
    DataFolderError,
    BackupError,
    HistoryError,
    DroppedSchemaError,
    RemainsInUseError,
    DocumentFolderError,
  ];
  if (error instanceof Error && explained.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof OutdatedDatabaseError) {
    return `The database does not have this version's schema (${error.message}): npm run migrate -- --database-url URL brings it up to date.`;
  }
  if (error instanceof NewerDatabaseError)
    return `The database, or the backup, belongs to a newer version of this program: ${error.message}.`;
  if (error instanceof MigrationError) {
    return error.applied === 0
      ? `The database is as it was: ${error.message}`
      : `${error.applied} migrations were applied, and requests go on; an upgrade that is run again goes on there: ${error.message}`;
  }
  if (!(error instanceof Error)) return errorLines(error);
  const { code, syscall, path } = error as { code?: string; syscall?: string; path?: string };
  // Of a file: "ENOENT: no such file or directory, open '/there'".
  if (syscall !== undefined && path !== undefined) return error.message;
  // The database's functions raise PT4xx with messages that are written for people.
  if (code?.startsWith("PT4")) return error.message;
  if (code !== undefined && Object.hasOwn(connectionFailures, code))
    return `${connectionFailures[code]}: ${error.message}`;
  return errorLines(error);
}

/** Reasons why a database cannot be reached, by system error or SQLSTATE. */
const connectionFailures: Record<string, string> = {
  ECONNREFUSED: "No database answers there",
  ENOTFOUND: "There is no such host",
  ETIMEDOUT: "The database does not answer",
  ERR_INVALID_URL: "The database's address must be postgresql://USER:PASSWORD@HOST:PORT/NAME",
  "28P01": "The database refuses the password",
  "28000": "The database refuses the user",
  "3D000": "The server has no such database",
};

/** Whether the caller is to blame: an error of ours, or of node:util's parseArgs, which explains itself. */
function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
}
