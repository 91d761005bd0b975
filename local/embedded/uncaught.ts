import type { DatabaseFault } from "../../database/pglite-faults.ts";
import type { Log } from "../../shared/log/log.ts";
import { freeBytes, megabytes, openingBytes } from "./disk-room.ts";

/** Exit status after a fault that a server cannot outlive. */
const faultStatus = 70;

/**
 * Keeps a server running after an error that nothing caught, and logs it: it belongs to one request or one piece of other work, which has ended. The
 * process ends for a fault of WebAssembly alone: the database's memory may be damaged, and no request could be answered any more.
 */
export function outliveUncaughtErrors(log: Log): void {
  const report = (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
    if (error instanceof WebAssembly.RuntimeError) endServer(log, `the database failed: ${text}`);
    log.write("error", { function: "server", error: `uncaught: ${text}` });
  };
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    report(event.error);
  });
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    report(event.reason);
  });
}

/** Ends the server after a fault that it cannot outlive, and logs why. */
export function endServer(log: Log, reason: string): never {
  log.write("error", { function: "server", error: reason });
  Deno.exit(faultStatus);
}

/** Why a server ends after a fault of the database in a folder, and what its owner should do. */
export function databaseFailure(fault: DatabaseFault, folder: string): string {
  const free = freeBytes(folder);
  const advice =
    free < openingBytes
      ? `The disk of ${folder} has ${megabytes(free)} left: free some space, and start again.`
      : "Start again.";
  return `the database failed: ${fault.message}. ${advice} What was committed is there.`;
}
