// @ts-check
import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const projectFolder = realpathSync(fileURLToPath(new URL("..", import.meta.url)));

/**
 * Resolves a path against the caller's folder. npm runs scripts in the project's folder and passes the caller's folder in
 * `INIT_CWD`. A process whose working directory is another folder was not started by npm: its paths stay as they are.
 *
 * @param {string} path
 * @returns {string}
 */
export function callerPath(path) {
  const folder = process.env.INIT_CWD;
  if (!folder || isAbsolute(path) || realPath(process.cwd()) !== projectFolder) return path;
  return realPath(folder) === projectFolder ? path : resolve(folder, path);
}

/** Absolute path of the data folder: `DATA_DIR`, relative to the caller's folder. @default `.data` */
export function dataFolderPath() {
  return resolve(callerPath(process.env.DATA_DIR || ".data"));
}

/**
 * @param {string} path
 * @returns {string}
 */
function realPath(path) {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
