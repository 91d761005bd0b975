import { createHash } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pgliteConnection } from "../../../database/pglite.ts";
import { createDemoKeys } from "../../../local/demo/keys.ts";
import { dataFolderPath, takeDataFolder } from "../../../local/embedded/data-folder.ts";
import { openEmbedded } from "../../../local/embedded/open.ts";
import { loadRecords } from "../records.ts";
import type { Report } from "../speed-case.ts";

const migrations = fileURLToPath(new URL("../../../supabase/migrations/", import.meta.url));

/**
 * A data folder with so many grants, as `npm start` takes it. It is made once, under `DATA_DIR` (by
 * default `.data`), and again after the migrations changed: 79,700 grants take many minutes.
 *
 * @returns its path.
 */
export async function embeddedFolder(grants: number, report: Report): Promise<string> {
  const path = join(dataFolderPath(), "bench", `${grants}-${await migrationsDigest()}`);
  if (existsSync(path)) {
    report(`embedded: the records are in ${path}`);
    return path;
  }
  report(`embedded: loading ${grants} grants into ${path}, once`);
  const unfinished = `${path}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const folder = takeDataFolder(unfinished);
  try {
    const connection = pgliteConnection(await openEmbedded(folder));
    try {
      await loadRecords(connection, grants, report);
      // What npm start makes on its first start, so that it takes these records for its own.
      writeFileSync(join(unfinished, "demo-keys.json"), JSON.stringify(await createDemoKeys(connection)), {
        mode: 0o600,
      });
    } finally {
      await connection.close();
    }
  } finally {
    folder.release();
  }
  renameSync(unfinished, path);
  return path;
}

async function migrationsDigest(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(migrations)).sort()) hash.update(await readFile(join(migrations, name)));
  return hash.digest("hex").slice(0, 12);
}
