import { createHash } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pgliteConnection } from "../../../database/pglite.ts";
import { dataFolderPath } from "../../../local/caller-path.mjs";
import { createDemoKeys } from "../../../local/demo/keys.ts";
import { lockDataFolder } from "../../../local/embedded/data-folder.ts";
import { openEmbedded } from "../../../local/embedded/open.ts";
import { printError } from "../../../local/print.ts";
import { createSpeedKeys, loadRecords } from "../records.ts";
import type { Report } from "../speed-case.ts";

const supabase = fileURLToPath(new URL("../../../supabase/", import.meta.url));

/** Keys of two accounts beside the demo's. */
export const speedKeysFile = "speed-keys.json";

/**
 * Makes a data folder for `npm start` with this number of grants. It is made once, under `DATA_DIR` (default `.data`),
 * and again after the schema changed: 79,700 grants take many minutes.
 *
 * @returns its path.
 */
export async function ensureEmbeddedFolder(grants: number, report: Report): Promise<string> {
  const path = join(dataFolderPath(), "bench", `${grants}-${await hashSchema()}`);
  if (existsSync(join(path, speedKeysFile))) {
    report(`embedded: the records are in ${path}`);
    return path;
  }
  report(`embedded: loading ${grants} grants into ${path}, once`);
  const unfinished = `${path}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const folder = lockDataFolder(unfinished);
  try {
    const connection = pgliteConnection(await openEmbedded(folder, printError));
    try {
      await loadRecords(connection, grants, report);
      // This file marks the records as the demo data of npm start, which otherwise would load its own.
      writeSecret(join(unfinished, "demo-keys.json"), await createDemoKeys(connection));
      writeSecret(join(unfinished, speedKeysFile), await createSpeedKeys(connection));
    } finally {
      await connection.close();
    }
  } finally {
    folder.release();
  }
  rmSync(path, { recursive: true, force: true });
  renameSync(unfinished, path);
  return path;
}

function writeSecret(path: string, keys: object): void {
  writeFileSync(path, JSON.stringify(keys), { mode: 0o600 });
}

async function hashSchema(): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of ["migrations", "schemas"]) {
    const names = await readdir(join(supabase, folder), { recursive: true });
    for (const name of names.filter((one) => one.endsWith(".sql")).sort())
      hash.update(await readFile(join(supabase, folder, name)));
  }
  return hash.digest("hex").slice(0, 12);
}
