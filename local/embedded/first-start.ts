import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Connection, queryOne, queryValue } from "../../database/connection.ts";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { isLexiconStale } from "../../database/lexicon/staleness.ts";
import { createDemoKeys, type DemoKeys, demoEmail, demoKeys } from "../demo/keys.ts";
import { type DataFolder, writePrivateFile } from "./data-folder.ts";

/** Dimensions of the demo records' vectors. More would hardly tell such records apart, and would delay the first start. */
const demoDimensions = 64;

/** Records that are loaded before the API answers: a first start is to be quick on a busy machine, too. All funders, since the others refer to them. */
const firstRecords = { grants: 500, contracts: 300 };
/** A request waits for a batch that is loaded beside it: 0.1 s. */
const batchBesideRequests = 100;

/** File in a data folder that says that demo records are still to be loaded. */
const unfinishedMarker = (folder: DataFolder): string => join(folder.path, "demo-unfinished");

/**
 * Returns the demo keys of a data folder. A file of them that is gone or damaged is made again, with new keys. The first start makes them,
 * after loading the first demo records, unless the database has other records. {@link completeDemo} loads the rest.
 *
 * @param report called with each step, which ends with a count where there is one.
 */
export async function prepareDemo(
  folder: DataFolder,
  connection: Connection,
  report: (step: string) => void,
): Promise<DemoKeys> {
  const path = join(folder.path, "demo-keys.json");
  const known = readKeys(path);
  if (known !== undefined) return known;

  const { foreign, loaded } = await queryOne<{ foreign: boolean; loaded: boolean }>(
    connection,
    `select ${foreignRecords} as foreign, exists (select from funding.accounts where email = $1) as loaded`,
    [demoEmail("developer")],
  );
  if (loaded) {
    // The account comes after the records: the keys alone are missing.
    report("making new demo keys, since demo-keys.json is missing or damaged");
  } else if (foreign) {
    report("the database has records already, so no demo records are added (npm run seed adds them)");
    // An interrupted first start may have left it.
    rmSync(unfinishedMarker(folder), { force: true });
  } else {
    // Imported here: later starts do without the generator and its data.
    const { loadDemoData } = await import("../demo/load.ts");
    writePrivateFile(unfinishedMarker(folder), "");
    await loadDemoData(connection, firstRecords, loading(report));
  }
  const keys = await createDemoKeys(connection);
  // This file says that the first records are loaded.
  writePrivateFile(path, JSON.stringify(keys, null, 2));
  return keys;
}

const loading = (report: (step: string) => void) => (dataset: string, records: number) =>
  report(`loading ${records} ${dataset}`);

/** What a first start leaves to {@link completeDemo}, or an earlier one left undone. */
export interface UnfinishedDemo {
  /** Whether records are to be loaded. */
  hasRecords: boolean;
  /** Whether the lexicon is to be fitted. */
  hasFit: boolean;
}

export async function unfinishedDemo(folder: DataFolder, connection: Connection): Promise<UnfinishedDemo> {
  const isUnfitted = await queryValue<boolean>(
    connection,
    `select fitted_at is null and exists (select from funding.grants where source = 'demo')
     from funding.lexicon_fit`,
  );
  const hasRecords = existsSync(unfinishedMarker(folder));
  return { hasRecords, hasFit: hasRecords || isUnfitted };
}

/**
 * Loads the demo records that are missing, and fits the lexicon to all. An import or another command may fit it meanwhile: its fit takes the place of
 * this one.
 */
export async function completeDemo(
  folder: DataFolder,
  connection: Connection,
  unfinished: UnfinishedDemo,
  report: (step: string) => void,
): Promise<void> {
  if (unfinished.hasRecords) {
    const { loadDemoData } = await import("../demo/load.ts");
    await loadDemoData(connection, {}, loading(report), { batchSize: batchBesideRequests });
    rmSync(unfinishedMarker(folder), { force: true });
  }
  if (!unfinished.hasFit) return;
  try {
    await fitLexicon(connection, report, demoDimensions);
    // The tables that the fit does not analyze. Analyzing all, catalogues included, takes half a second.
    await connection.execute("analyze funding.synonyms, funding.funder_codes, funding.data_versions");
    // An import that ended meanwhile left its records to the fit under way.
    if ((await hasForeignRecords(connection)) && (await isLexiconStale(connection)))
      await fitLexicon(connection, report);
    report("search by meaning is ready");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "PT409") throw error;
    report("another fit has begun: search by meaning is ready when that ends");
  }
}

/** Condition: a dataset has records that are no demo records. */
const foreignRecords = `(exists (select from funding.grants where source <> 'demo')
  or exists (select from funding.contracts where source <> 'demo')
  or exists (select from funding.funders where source <> 'demo'))`;

async function hasForeignRecords(connection: Connection): Promise<boolean> {
  return queryValue<boolean>(connection, `select ${foreignRecords}`);
}

function readKeys(path: string): DemoKeys | undefined {
  try {
    return demoKeys.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}
