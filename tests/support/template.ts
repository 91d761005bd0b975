import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { loadDemoData } from "../../local/demo/load.ts";
import { dumpDatabase } from "./database-copy.ts";
import { pathOfTemplate, removeOldTemplates, root } from "./template-cache.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Snapshot of a migrated database with demo records and a fitted lexicon. */
    templatePath: string;
    /** Snapshot of a migrated database without records. */
    emptyTemplatePath: string;
    /** The moment that the demo records were dated from, as the run began. */
    templateDate: string;
  }
}

/** The demo records that tests work on: enough for every status, state and topic. */
export const testSize = { seed: 7, grants: 700, contracts: 300, funders: 80 };

/** Files that decide what is in the templates. */
const sources = [
  "supabase/migrations",
  "supabase/schemas",
  "database",
  "ingest",
  "local/demo",
  "shared",
  "tests/support/template.ts",
  "tests/support/database-copy.ts",
  "package-lock.json",
];

/**
 * Makes the databases that test files open copies of, and keeps them for the next run: making them takes some ten seconds.
 */
export default async function setup(project: TestProject): Promise<void> {
  const today = new Date();
  const templatePath = await pathOfTemplate("demo.snapshot", today, sources);
  const emptyTemplatePath = await pathOfTemplate("empty.snapshot", today, sources);
  await removeOldTemplates();
  // The second is written last: if it is there, both are.
  if (!existsSync(templatePath)) await makeTemplates(emptyTemplatePath, templatePath, today);
  project.provide("templateDate", today.toISOString());
  project.provide("templatePath", templatePath);
  project.provide("emptyTemplatePath", emptyTemplatePath);
  await shareCompiledPostgres();
}

async function makeTemplates(emptyTemplatePath: string, templatePath: string, today: Date): Promise<void> {
  const database = await openPGlite();
  const connection = pgliteConnection(database);
  await migrate(connection);
  await dumpDatabase(database, emptyTemplatePath);
  await loadDemoData(connection, { ...testSize, today }, () => undefined);
  await fitLexicon(connection, () => undefined, 128);
  await connection.execute("analyze");
  await dumpDatabase(database, templatePath);
  await database.close();
}

/**
 * Compiles PGlite's Postgres in this thread and keeps it. V8 has one copy of a module a process: every worker thread gets
 * this one with all that was optimised so far, instead of compiling its own.
 */
async function shareCompiledPostgres(): Promise<void> {
  const bytes = await readFile(join(root, "node_modules/@electric-sql/pglite/dist/pglite.wasm"));
  (globalThis as { compiledPostgres?: unknown }).compiledPostgres = await WebAssembly.compile(bytes);
}
