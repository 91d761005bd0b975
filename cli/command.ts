import { NewerDatabaseError, OutdatedDatabaseError } from "../database/migrate.ts";
import { DataFolderError } from "../local/embedded/data-folder.ts";

/** The command was called wrongly; the message says what was expected. */
export class UsageError extends Error {}

/**
 * Runs a command to its end and sets the exit status: 0 when it is done, 1 when it failed, 2 when it
 * was called wrongly. `main` may return a status of its own.
 */
export async function runCommand(main: (words: string[]) => Promise<number | undefined>): Promise<void> {
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? 0;
  } catch (error) {
    process.exitCode = isUsageError(error) ? 2 : 1;
    console.error(explain(error));
  }
}

function explain(error: unknown): string {
  if (error instanceof Error && isUsageError(error)) return `${error.message}\nSee --help.`;
  if (error instanceof DataFolderError) return error.message;
  if (error instanceof OutdatedDatabaseError) {
    return `The database does not have this version's schema (${error.message}): npm run migrate -- --database-url URL brings it up to date.`;
  }
  if (error instanceof NewerDatabaseError)
    return `The database belongs to a newer version of this program: ${error.message}.`;
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: string };
  // The database's own words, where they are meant for people.
  if (code?.startsWith("PT4")) return error.message;
  if (code !== undefined && Object.hasOwn(connectionFailures, code))
    return `${connectionFailures[code]}: ${error.message}`;
  return error.stack ?? error.message;
}

/** Why a database cannot be reached, by system error or SQLSTATE. */
const connectionFailures: Record<string, string> = {
  ECONNREFUSED: "No database answers there",
  ENOTFOUND: "There is no such host",
  ETIMEDOUT: "The database does not answer",
  ERR_INVALID_URL: "The database's address must be postgresql://USER:PASSWORD@HOST:PORT/NAME",
  "28P01": "The database refuses the password",
  "28000": "The database refuses the user",
  "3D000": "The server has no such database",
};

/** Ours, or one of node:util's parseArgs, which explains itself. */
function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS");
}
