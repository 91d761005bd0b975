import {
  type CollectionLegs,
  type Fusion,
  findFloor,
  type LeftOut,
  measureKept,
  rankFusions,
} from "../bench/relevance/calibrate.ts";
import type { Collection } from "../bench/relevance/collection.ts";
import { readLegs } from "../bench/relevance/legs.ts";
import { prepareCollection } from "../bench/relevance/prepare.ts";
import { withScratchDatabase } from "../bench/relevance/scratch-database.ts";
import { type Connection, queryValue } from "../database/connection.ts";
import { defaultDimensions } from "../database/lexicon/fit.ts";
import { print } from "../local/print.ts";
import type { EmbeddingError } from "../shared/embeddings/errors.ts";
import { createProvider, lexiconModel } from "../shared/embeddings/models.ts";
import type { Vector } from "../shared/embeddings/vector.ts";
import { processPlatform } from "../shared/platform/environment.ts";
import {
  collectionOptions,
  collectionsHelp,
  foldersHelp,
  namedCollections,
  requireCollections,
} from "./collections.ts";
import { printStep, runCommand } from "./command.ts";
import { withDatabase } from "./database.ts";
import { changeOver } from "./embed/change-over.ts";
import { bulkRetryPolicy, embedAll } from "./embed/embed-all.ts";
import { defaultBatchSize, defaultConcurrency, fillVectors } from "./embed/fill.ts";
import { UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const fusionsShown = 8;

/** Floors on the keyword leg that are tried: shares of the greatest score possible. */
const keywordShares = [0, 0.05, 0.1, 0.15, 0.2];

const help = `Finds the floor of semantic search and the fusion of hybrid search that suit collections with judged
queries. Each collection is loaded as grants into a scratch database and the lexicon is fitted on it. The floor is the
similarity that four of five relevant records reach in every collection. The fusion is the one with the best nDCG@10
among those that keep 99 % of the better leg in every collection; among those within 0.001 of the best, the one whose
worst collection loses least. For each collection, left_out is its nDCG@10 by the fusion that is found without it.
The last table tries a floor on records that only their words find, by their score as a share of the greatest possible,
beside the default floor_similarity: the share of relevant records among the first hundred that stay, and the median
number of results.

usage: npm run calibrate -- FOLDER ... [options]

${foldersHelp}

options:
  ${collectionsHelp}
  --model NAME          the embedding model: lexicon (default) or openai/NAME, with which every text is embedded
  --apply               write what was found into the settings of the service's database
  --to URL              that database (default: $DATABASE_URL, else the embedded one)
  --database-url URL    a server on which scratch databases may be created (default: in memory)
  --help`;

await runCommand({
  help,
  allowPositionals: true,
  options: {
    ...collectionOptions,
    model: { type: "string", default: lexiconModel },
    apply: { type: "boolean", default: false },
    to: { type: "string" },
    "database-url": { type: "string" },
  },
  async run({ values, positionals }) {
    requireCollections(positionals, values.judged);
    const { model } = values;
    if (model !== lexiconModel && !model.startsWith("openai/")) {
      throw new UsageError("--model must be lexicon or openai/NAME: other models cannot be called from here.");
    }

    const collections: CollectionLegs[] = [];
    for await (const collection of namedCollections(positionals, values)) {
      collections.push(await readCollectionLegs(values["database-url"], collection, model));
    }
    if (collections.length === 0) throw new UsageError("There is no collection to calibrate on.");

    const floors = collections.map((collection) => ({ collection: collection.name, floor: findFloor(collection) }));
    const floor = Math.min(...floors.map((one) => one.floor));
    const { fusions, leftOut } = rankFusions(collections, floor);
    print(textTable(floors));
    print(["", `floor_similarity of ${model}: ${floor}`, ""]);
    print(textTable(fusions.slice(0, fusionsShown).map(rounded)));
    print([""]);
    print(textTable(leftOut.map(roundedLeftOut)));
    const [best] = fusions;
    if (best !== undefined) {
      print(["", ...textTable(collections.map((collection) => keptAtShares(collection, best)))]);
    }
    if (values.apply && best !== undefined) await storeSettings(values.to, model, floor, best);
  },
});

/** Ranks of both legs on a collection, in a scratch database without a floor. */
async function readCollectionLegs(
  databaseUrl: string | undefined,
  collection: Collection,
  model: string,
): Promise<CollectionLegs> {
  return withScratchDatabase(databaseUrl, async (connection) => {
    const settings = new Map([["floor_similarity", JSON.stringify({ [model]: 0 })]]);
    await prepareCollection(connection, collection, { settings, dimensions: defaultDimensions }, printStep);
    const vectors = model === lexiconModel ? undefined : await embedCollection(connection, collection, model);
    const defaultFloor = await queryValue<number>(
      connection,
      "select coalesce(default_value->$1, default_value->'default') from funding.settings where name = 'floor_similarity'",
      [model],
    );
    return { name: collection.name, queries: await readLegs(connection, collection, vectors), defaultFloor };
  });
}

/** Embeds a scratch database's records with a model from outside the database. Returns the queries' vectors. */
async function embedCollection(connection: Connection, { queries }: Collection, model: string): Promise<Vector[]> {
  const provider = createProvider(model, processPlatform);
  const signal = new AbortController().signal;
  const report = (error: EmbeddingError, pauseMs: number) =>
    printStep(`${error.message}; retrying in ${pauseMs / 1_000} s`);
  printStep(`embedding with ${model}`);
  await fillVectors({
    connection,
    provider,
    model,
    batchSize: defaultBatchSize,
    concurrency: defaultConcurrency,
    signal,
    onStored: () => undefined,
    onPause: report,
  });
  await changeOver(connection, model);
  const vectors: Vector[] = [];
  for (let start = 0; start < queries.length; start += defaultBatchSize) {
    const texts = queries.slice(start, start + defaultBatchSize).map(({ text }) => text);
    vectors.push(...(await embedAll(provider, texts, bulkRetryPolicy, signal, report)).vectors);
  }
  return vectors;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function rounded(fusion: Fusion): Fusion {
  return { ...fusion, ndcg_10: round(fusion.ndcg_10, 4), least_share: round(fusion.least_share, 3) };
}

function roundedLeftOut({ collection, ...figures }: LeftOut): Record<string, string | number> {
  const better = Math.max(figures.keyword, figures.semantic);
  return {
    collection,
    ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, round(value, 4)])),
    of_better_leg: better === 0 ? 1 : round(figures.left_out / better, 3),
  };
}

function keptAtShares(collection: CollectionLegs, fusion: Fusion): Record<string, string | number> {
  const cells = keywordShares.map((least) => {
    const { share, total } = measureKept(collection, collection.defaultFloor, fusion, least);
    return [`from ${least}`, `${share.toFixed(4)}, ${total}`];
  });
  return { collection: collection.name, ...Object.fromEntries(cells) };
}

async function storeSettings(
  databaseUrl: string | undefined,
  model: string,
  floor: number,
  { k, sum_weight, similarity_weight }: Fusion,
): Promise<void> {
  await withDatabase(databaseUrl, (connection) =>
    connection.transaction(async (transaction) => {
      await storeForModel(transaction, "floor_similarity", model, floor);
      await storeForModel(transaction, "fusion_similarity_weight", model, similarity_weight);
      await storeSetting(transaction, "fusion_k", k);
      await storeSetting(transaction, "fusion_sum_weight", sum_weight);
      await storeSetting(transaction, "fusion_keyword_weight", 1);
      await storeSetting(transaction, "fusion_semantic_weight", 1);
    }),
  );
  print("written into the settings");
}

/** Writes a setting that has a value for each model. */
async function storeForModel(connection: Connection, name: string, model: string, value: number): Promise<void> {
  const values = await queryValue<Record<string, number>>(connection, "select funding.setting($1)", [name]);
  await storeSetting(connection, name, { ...values, [model]: value });
}

async function storeSetting(connection: Connection, name: string, value: unknown): Promise<void> {
  await connection.query("update funding.settings set value = $2::jsonb where name = $1", [
    name,
    JSON.stringify(value),
  ]);
}
