import { rmSync } from "node:fs";

/** Files and folders that are removed when the command is ended before it is done. */
export const removedOnSignal = new Set<string>();
for (const [signal, status] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  process.once(signal, () => {
    for (const path of removedOnSignal) rmSync(path, { recursive: true, force: true });
    process.exit(status);
  });
}
