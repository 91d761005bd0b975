import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { callerPath } from "../local/caller-path.ts";
import { UsageError } from "./command.ts";

/**
 * Where an option says that a file is to be written, in the caller's folder.
 *
 * @throws {UsageError} when nothing can be written there: before the work, not after it.
 */
export function outputPath(option: string, given: string): string {
  const path = callerPath(given);
  try {
    accessSync(existsSync(path) ? path : dirname(resolve(path)), constants.W_OK);
  } catch {
    throw new UsageError(`${option} ${given} cannot be written there.`);
  }
  return path;
}
