import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Connection } from "../../../database/connection.ts";
import { defaultDimensions } from "../../../lexicon/fit.ts";
import type { Collection } from "../../relevance/collection.ts";
import { queryVector } from "../../relevance/guide.ts";
import { mean, ndcgAt } from "../../relevance/metrics.ts";
import { modes } from "../../relevance/modes.ts";
import { prepare } from "../../relevance/prepare.ts";
import { readCollection } from "../../relevance/read-collection.ts";
import { withScratchDatabase } from "../../relevance/scratch-database.ts";
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

/** Ranks the judged collections with the service and with each library, on the same texts and vectors. */
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
  for (const name of (await readdir(collectionsFolder)).sort()) {
    const collection = await readCollection(join(collectionsFolder, name));
    report(`libraries: ranking ${name}`);
    const found = await withScratchDatabase(serverUrl, async (connection) => {
      await prepare(connection, collection, { settings: new Map(), dimensions: defaultDimensions }, () => undefined);
      const sides = [await ours(connection, collection)];
      for (const [library, build] of Object.entries(builders)) {
        sides.push(await theirs(connection, collection, library, build, load));
      }
      return sides;
    });
    lines.push(...found);
  }
  return lines;
}

/** Ids of the records, best first, and how well they answer the collection's queries. */
type Ranking = (query: string) => Promise<string[]>;

async function ours(connection: Connection, collection: Collection): Promise<RelevanceLine> {
  const [keyword = 0, vector = 0, hybrid = 0] = await eachOf(ourModes, (name) => {
    const mode = modes.find((known) => known.name === name);
    if (mode === undefined) throw new Error(`there is no mode ${name}`);
    return meanNdcg(connection, collection, (query) => mode.ask(connection, query, undefined));
  });
  return { collection: collection.name, side: "ours", keyword, vector, hybrid };
}

async function theirs(
  connection: Connection,
  collection: Collection,
  name: string,
  build: BuildLibrary,
  load: LoadModule,
): Promise<RelevanceLine> {
  const library = await build(load, exportRecords(connection));
  const [keyword = 0, vector = 0, hybrid = 0] = await eachOf(libraryModes, (mode) =>
    meanNdcg(connection, collection, async (text) => {
      const vector = await queryVector(connection, text);
      return vector === null ? [] : library.search(mode, { text, vector: JSON.parse(vector) as number[], filter: "" });
    }),
  );
  await library.close();
  return { collection: collection.name, side: name, keyword, vector, hybrid };
}

async function meanNdcg(connection: Connection, collection: Collection, rank: Ranking): Promise<number> {
  const rows = await connection.query<{ id: string; source_id: string }>("select id, source_id from funding.grants");
  const names = new Map(rows.map(({ id, source_id }) => [id, source_id]));
  const scores = await eachOf(collection.queries, async ({ id, text }) => {
    const found = await rank(text);
    return ndcgAt(
      found.map((record) => names.get(record) ?? record),
      collection.judgements.get(id) ?? new Map(),
      10,
    );
  });
  return Number(mean(scores).toFixed(3));
}

/** One after the other: a database connection answers one question at a time. */
async function eachOf<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
