import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Connection, queryOne } from "../../database/connection.ts";
import { fitLexicon } from "../../lexicon/fit.ts";
import { createDemoKeys, type DemoKeys } from "../demo/keys.ts";
import { loadDemoData } from "../demo/load.ts";
import type { DataFolder } from "./data-folder.ts";

/** Dimensions for the demo records: they say little that more would tell apart, and a first start is waited for. */
const demoDimensions = 128;

/**
 * The demo keys of a data folder. On its first start the demo records are made first, unless the
 * database has records already; a first start that was cut off is taken up again.
 *
 * @param report is told what is being done, with a trailing count where there is one.
 */
export async function prepareDemo(
  folder: DataFolder,
  connection: Connection,
  report: (step: string) => void,
): Promise<DemoKeys> {
  const path = join(folder.path, "demo-keys.json");
  const known = readKeys(path);
  if (known !== undefined) return known;

  const { foreign } = await queryOne<{ foreign: boolean }>(
    connection,
    `select exists (select from funding.grants where source <> 'demo')
         or exists (select from funding.contracts where source <> 'demo')
         or exists (select from funding.funders where source <> 'demo') as foreign`,
  );
  if (foreign) {
    report("the database has records already, so no demo records are added (npm run seed adds them)");
  } else {
    await loadDemoData(connection, {}, (dataset, records) => report(`loading ${records} ${dataset}`));
    await fitLexicon(connection, report, demoDimensions);
    // What the fit has not analyzed; of all, catalogues included, it takes half a second.
    await connection.execute("analyze funding.synonyms, funding.funder_codes, funding.data_versions");
  }
  const keys = await createDemoKeys(connection);
  // Written whole or not at all: this file is what says that the first start is done.
  writeFileSync(`${path}.new`, JSON.stringify(keys, null, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return keys;
}

function readKeys(path: string): DemoKeys | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as DemoKeys;
  } catch {
    return undefined;
  }
}
