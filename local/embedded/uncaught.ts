import type { Log } from "../../shared/log/log.ts";

/** Exit status after a fault that a server cannot outlive. */
const faultStatus = 70;

/**
 * Keeps a server running after an error that nothing caught, and logs it: it belongs to one request or one piece of other work, which has ended. The
 * process ends for a fault of the database's WebAssembly alone: its memory may be damaged, and no request could be answered any more.
 */
export function outliveUncaughtErrors(log: Log): void {
  const report = (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
    const isFatal = error instanceof WebAssembly.RuntimeError;
    log.write("error", { function: "server", error: `${isFatal ? "the database failed" : "uncaught"}: ${text}` });
    if (isFatal) Deno.exit(faultStatus);
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
