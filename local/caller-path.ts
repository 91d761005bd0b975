import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { variable } from "../shared/platform/environment.ts";

const projectFolder = realpathSync(fileURLToPath(new URL("..", import.meta.url)));

/**
 * A path as the caller wrote it, in the folder that the caller is in. npm runs a script in the project's folder, and
 * leaves the caller's in `INIT_CWD`; a process that is in another folder was not started by npm there.
 */
export function callerPath(path: string): string {
  const folder = variable("INIT_CWD");
  if (folder === undefined || isAbsolute(path) || realPath(process.cwd()) !== projectFolder) return path;
  return realPath(folder) === projectFolder ? path : resolve(folder, path);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
