import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { fitLexicon } from "../../lexicon/fit.ts";
import { loadDemoData } from "../../local/demo/load.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A dump of a migrated database with demo records and a fitted lexicon. */
    templatePath: string;
  }
}

/** The demo records that tests work on: enough for every status, state and topic. */
export const testSize = { seed: 7, grants: 700, contracts: 300, funders: 80 };

/** Makes once, before all tests, the database that each test file then opens a copy of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "funding-tests-"));
  const templatePath = join(folder, "template.tar");
  const database = await openPGlite();
  const connection = pgliteConnection(database);
  await migrate(connection);
  await loadDemoData(connection, testSize, () => undefined);
  await fitLexicon(connection, () => undefined, 128);
  await connection.execute("analyze");
  const dump = await database.dumpDataDir("none");
  await writeFile(templatePath, new Uint8Array(await dump.arrayBuffer()));
  await database.close();
  project.provide("templatePath", templatePath);
  return () => rm(folder, { recursive: true, force: true });
}
