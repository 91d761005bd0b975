import { accessSync, constants, existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { callerPath } from "../local/caller-path.mjs";
import { printableJson } from "../shared/log/printable.ts";
import { UsageError } from "./options.ts";

/**
 * Returns a function that writes a value as JSON to the file that `--json` names, in the caller's folder. Without the
 * option, the function does nothing.
 *
 * @throws {UsageError} when nothing can be written there: before the work, not after it.
 */
export function jsonWriter(given: string | undefined): (value: unknown) => Promise<void> {
  if (given === undefined) return async () => undefined;
  const path = callerPath(given);
  if (!isWritable(path)) throw new UsageError(`--json ${given} cannot be written there.`);
  return (value) => writeFile(path, `${printableJson(value, 2)}\n`);
}

/** Whether a file can be written at a path, or made there. */
export function isWritable(path: string): boolean {
  try {
    accessSync(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
