import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "./data-folder.ts";

/** Password of a data folder's Postgres port: generated at the first use, readable by its owner alone. */
export function loadPostgresPassword(folderPath: string): string {
  const path = join(folderPath, "postgres-password");
  const known = readPassword(path);
  if (known !== undefined) return known;
  // base64url: no character of it needs an escape in a URL.
  const generated = randomBytes(24).toString("base64url");
  writePrivateFile(path, `${generated}\n`);
  return generated;
}

/** Undefined if the file is missing or holds no password that a client could send. */
function readPassword(path: string): string | undefined {
  try {
    return /^([\x21-\x7e]+)\n?$/.exec(readFileSync(path, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
