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
import { lexiconModel } from "../shared/embeddings/models.ts";
import {
  collectionOptions,
  collectionsHelp,
  foldersHelp,
  namedCollections,
  requireCollections,
} from "./collections.ts";
import { printStep, runCommand } from "./command.ts";
import { withDatabase } from "./database.ts";
import { adoptModel, requireCallable } from "./embed/collection.ts";
import { UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const fusionsShown = 8;

/** Pairs of `semantic_share` and `floor_keyword` that are tried. The first leaves nothing out. */
const floorsTried: readonly (readonly [number, number])[] = [
  [1, 0],
  [0.25, 0.15],
  [0.16, 0.1],
  [0.16, 0.15],
  [0.16, 0.2],
  [0.1, 0.15],
];

const help = `Finds the floor of semantic search and the fusion of hybrid search that suit collections with judged
queries. Each collection is loaded as grants into a scratch database and the lexicon is fitted on it. The floor is the
similarity that four of five relevant records reach in every collection. The fusion is the one with the best nDCG@10
among those that keep 99 % of the better leg in every collection; among those within 0.001 of the best, the one whose
worst collection loses least. For each collection, left_out is its nDCG@10 by the fusion that is found without it.
The last table tries semantic_share and floor_keyword beside the default floor_similarity: the share of relevant
records among the first hundred that stay, and the median number of results.

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
    requireCollections(positionals, values);
    const { model } = values;
    if (model !== lexiconModel) requireCallable(model);

    const collections: CollectionLegs[] = [];
    for await (const collection of namedCollections(positionals, values)) {
      collections.push(await readCollectionLegs(values["database-url"], collection, model));
    }
    if (collections.length === 0) throw new UsageError("There is no collection to calibrate on.");

    const floors = collections.map((collection) => ({ collection: collection.name, floor: findFloor(collection) }));
    const floor = Math.min(...floors.map((one) => one.floor));
    const { fusions, leftOut } = rankFusions(collections, floor, model === lexiconModel ? "lexicon" : "external");
    print(textTable(floors));
    print(["", `floor_similarity of ${model}: ${floor}`, ""]);
    print(textTable(fusions.slice(0, fusionsShown).map(rounded)));
    print([""]);
    print(textTable(leftOut.map(roundedLeftOut)));
    const [best] = fusions;
    if (best !== undefined) {
      print(["", ...textTable(collections.map((collection) => keptByFloors(collection, best)))]);
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
    const settings = new Map([
      ["floor_similarity", JSON.stringify({ [model]: 0 })],
      ["semantic_share", "1"],
    ]);
    await prepareCollection(connection, collection, { settings, dimensions: defaultDimensions }, printStep);
    const texts = collection.queries.map(({ text }) => text);
    const vectors = model === lexiconModel ? undefined : await adoptModel(connection, model, texts);
    const defaultFloor = await queryValue<number>(
      connection,
      "select coalesce(default_value->$1, default_value->'default') from funding.settings where name = 'floor_similarity'",
      [model],
    );
    const maxCandidates = await queryValue<number>(connection, "select funding.candidates_of('grants', 'hybrid')");
    const queries = await readLegs(connection, collection, vectors);
    return { name: collection.name, queries, defaultFloor, maxCandidates };
  });
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

function keptByFloors(collection: CollectionLegs, fusion: Fusion): Record<string, string | number> {
  const cells = floorsTried.map(([semanticShare, keyword]) => {
    const { share, total } = measureKept(
      collection,
      { similarity: collection.defaultFloor, semanticShare, keyword },
      fusion,
    );
    return [`${semanticShare}, ${keyword}`, `${share.toFixed(4)}, ${total}`];
  });
  return { collection: collection.name, ...Object.fromEntries(cells) };
}

async function storeSettings(
  databaseUrl: string | undefined,
  model: string,
  floor: number,
  { k, sum_weight, semantic_weight, similarity_weight }: Fusion,
): Promise<void> {
  await withDatabase(databaseUrl, (connection) =>
    connection.transaction(async (transaction) => {
      await storeForModel(transaction, "floor_similarity", model, floor);
      await storeForModel(transaction, "fusion_similarity_weight", model, similarity_weight);
      await storeSetting(transaction, "fusion_k", k);
      await storeSetting(transaction, "fusion_sum_weight", sum_weight);
      await storeSetting(transaction, "fusion_keyword_weight", 1);
      await storeSetting(transaction, "fusion_semantic_weight", semantic_weight ?? 1);
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
