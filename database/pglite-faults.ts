import type { PGlite } from "@electric-sql/pglite";

/** Postgres ended within a statement, and its memory is as it was then: nothing can be asked of it any more. What was committed is on the disk. */
export class DatabaseFault extends Error {}

/** Exit status by which Postgres hands an error of a statement to PGlite: an ordinary one, after which it goes on. */
const statementFailed = 100;

/** The functions of Postgres that PGlite calls around a statement, and those that it calls after one that failed. */
interface PostgresModule {
  _PostgresMainLoopOnce(): void;
  stackRestore(pointer: number): void;
  _pgl_run_atexit_funcs(): void;
  _PostgresSendReadyForQueryIfNecessary(): void;
  _pgl_pq_flush(): void;
}

/**
 * Makes a statement within which Postgres ends fail with a `DatabaseFault`, and every later one, too. PGlite calls Postgres again and again after
 * whatever it throws. After a panic, such as that of a disk that is full within the write-ahead log, Postgres waits for its own lock for ever, and the
 * process with it.
 *
 * It also refuses to start programs, for `COPY ... PROGRAM`: PGlite throws through Postgres there, which leaves it broken.
 *
 * @param onFault called within the statement.
 */
export function guardAgainstFaults(database: PGlite, onFault: (fault: DatabaseFault) => void): void {
  const postgres = database.Module as unknown as PostgresModule;
  const runOnce = postgres._PostgresMainLoopOnce;
  let fault: DatabaseFault | undefined;
  postgres._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if ((error as { status?: unknown } | null)?.status === statementFailed) throw error;
      fault = new DatabaseFault(`Postgres ended within a statement: ${reasonOf(error)}`, { cause: error });
      const refuse = () => {
        throw fault;
      };
      const ignore = () => undefined;
      // PGlite catches what the loop throws, and not what stackRestore does.
      Object.assign(postgres, { _PostgresMainLoopOnce: refuse, stackRestore: refuse, _pgl_run_atexit_funcs: refuse });
      Object.assign(postgres, { _PostgresSendReadyForQueryIfNecessary: ignore, _pgl_pq_flush: ignore });
      onFault(fault);
      throw fault;
    }
  };
  const runProgram = database.handleExternalCmd.bind(database);
  // A null stream is "the program could not be started". Postgres lists the system's collations by this one, of which PGlite has a file.
  database.handleExternalCmd = (command, mode) => (command.startsWith("locale -a") ? runProgram(command, mode) : 0);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
