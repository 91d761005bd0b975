import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Connection } from "../../../database/connection.ts";
import { defaultDimensions } from "../../../database/lexicon/fit.ts";
import type { Collection } from "../../relevance/collection.ts";
import { readQueryVector } from "../../relevance/guide.ts";
import { ndcgAt } from "../../relevance/metrics.ts";
import { modes } from "../../relevance/modes.ts";
import { prepareCollection } from "../../relevance/prepare.ts";
import { readCollection } from "../../relevance/read-collection.ts";
import { withScratchDatabase } from "../../relevance/scratch-database.ts";
import { mean } from "../../statistics.ts";
import type { Report } from "../speed-case.ts";
import { exportRecords } from "./export.ts";
import type { LoadModule } from "./install.ts";
import { type BuildLibrary, libraryModes } from "./library.ts";

const collectionsFolder = fileURLToPath(new URL("../../../../shared/relevance", import.meta.url));
const ourModes = ["keyword", "semantic", "hybrid"];

/** A line of the comparison: means over a collection's queries. */
export interface RelevanceLine {
  collection: string;
  side: string;
  keyword: number;
  vector: number;
  hybrid: number;
}

/** Measures the ranking of the service and of each library on the judged collections, with the same texts and vectors. */
export async function compareRelevance(
  load: LoadModule,
  builders: Readonly<Record<string, BuildLibrary>>,
  serverUrl: string,
  report: Report,
): Promise<RelevanceLine[]> {
  if (!existsSync(collectionsFolder)) {
    report(`SKIPPED nDCG of the libraries: there is no ${collectionsFolder}`);
    return [];
  }
  const lines: RelevanceLine[] = [];
  const entries = await readdir(collectionsFolder, { withFileTypes: true });
  // Other files are about the collections.
  for (const name of entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()) {
    const collection = await readCollection(join(collectionsFolder, name));
    report(`libraries: ranking ${name}`);
    const found = await withScratchDatabase(serverUrl, async (connection) => {
      await prepareCollection(
        connection,
        collection,
        { settings: new Map(), dimensions: defaultDimensions },
        () => undefined,
      );
      const sides = [await measureService(connection, collection)];
      for (const [library, build] of Object.entries(builders)) {
        sides.push(await measureLibrary(connection, collection, library, build, load));
      }
      return sides;
    });
    lines.push(...found);
  }
  return lines;
}

/** Returns the ids of the records for a query, best first. */
type Ranking = (query: string) => Promise<string[]>;

async function measureService(connection: Connection, collection: Collection): Promise<RelevanceLine> {
  const [keyword = 0, vector = 0, hybrid = 0] = await mapInOrder(ourModes, (name) => {
    const mode = modes.find((known) => known.name === name);
    if (mode === undefined) throw new Error(`there is no mode ${name}`);
    return meanNdcg(connection, collection, (query) => mode.search(connection, query, undefined));
  });
  return { collection: collection.name, side: "ours", keyword, vector, hybrid };
}

async function measureLibrary(
  connection: Connection,
  collection: Collection,
  name: string,
  build: BuildLibrary,
  load: LoadModule,
): Promise<RelevanceLine> {
  const library = await build(load, exportRecords(connection));
  const [keyword = 0, vector = 0, hybrid = 0] = await mapInOrder(libraryModes, (mode) =>
    meanNdcg(connection, collection, async (text) => {
      const vector = await readQueryVector(connection, text);
      return vector === null ? [] : library.search(mode, { text, vector: JSON.parse(vector) as number[], filter: "" });
    }),
  );
  await library.close();
  return { collection: collection.name, side: name, keyword, vector, hybrid };
}

async function meanNdcg(connection: Connection, collection: Collection, rank: Ranking): Promise<number> {
  const rows = await connection.query<{ id: string; source_id: string }>("select id, source_id from funding.grants");
  const names = new Map(rows.map(({ id, source_id }) => [id, source_id]));
  const scores = await mapInOrder(collection.queries, async ({ id, text }) => {
    const found = await rank(text);
    return ndcgAt(
      found.map((record) => names.get(record) ?? record),
      collection.judgements.get(id) ?? new Map(),
      10,
    );
  });
  return Number(mean(scores).toFixed(3));
}

/** Maps items one after the other, since a database connection runs one statement at a time. */
async function mapInOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
