import { type CollectionLegs, type Fusion, floorOf, rankFusions } from "../bench/relevance/calibrate.ts";
import type { Collection } from "../bench/relevance/collection.ts";
import { readLegs } from "../bench/relevance/legs.ts";
import { prepare } from "../bench/relevance/prepare.ts";
import { defaultPrograms, MissingCollectionError, readCollections } from "../bench/relevance/read-collections.ts";
import { withScratchDatabase } from "../bench/relevance/scratch-database.ts";
import { type Connection, queryOne } from "../database/connection.ts";
import { defaultDimensions } from "../lexicon/fit.ts";
import { callerPath } from "../local/caller-path.ts";
import type { EmbeddingError } from "../shared/embeddings/errors.ts";
import { lexiconModel, providerOf } from "../shared/embeddings/models.ts";
import type { Vector } from "../shared/embeddings/vector.ts";
import { processPlatform } from "../shared/platform/process.ts";
import { runCommand, UsageError } from "./command.ts";
import { openDatabase } from "./database.ts";
import { changeOver } from "./embed/change-over.ts";
import { embedTexts, patience } from "./embed/embed-texts.ts";
import { defaultBatchSize, defaultConcurrency, fillVectors } from "./embed/fill.ts";
import { parseArgs } from "./parse-args.ts";
import { textTable } from "./table.ts";

const fusionsShown = 8;

const help = `Finds the floor of semantic search and the fusion of hybrid search that suit collections with judged
queries. Each is loaded as grants into a scratch database and the lexicon fitted on it. The floor is the similarity
that four of five relevant records reach in every collection; the fusion keeps 97 % of the better leg
in every collection and has the best nDCG@10; of those within 0.001 of it, the one whose worst collection loses least.

usage: npm run calibrate -- FOLDER ... [options]

A folder has corpus.jsonl, queries.jsonl and qrels/*.tsv, as BEIR lays them out.

options:
  --judged              also the judged queries over the federal assistance programmes
  --programs FILE       where those programmes are (default: ../shared/data/grants/assistance-programs.jsonl)
  --model NAME          the embedding model: lexicon (default) or openai/NAME, with which every text is embedded
  --apply               write what was found into the settings of the service's database
  --to URL              that database (default: $DATABASE_URL, else the embedded one)
  --database-url URL    a server on which scratch databases may be created (default: in memory)
  --help`;

await runCommand(async (words) => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      judged: { type: "boolean", default: false },
      programs: { type: "string", default: defaultPrograms },
      model: { type: "string", default: lexiconModel },
      apply: { type: "boolean", default: false },
      to: { type: "string" },
      "database-url": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (positionals.length === 0 && !values.judged) throw new UsageError("Name a folder, or say --judged.");

  const { model } = values;
  if (model !== lexiconModel && !model.startsWith("openai/")) {
    throw new UsageError("--model must be lexicon or openai/NAME: other models cannot be asked from here.");
  }

  const collections: CollectionLegs[] = [];
  try {
    for await (const collection of readCollections(
      positionals.map(callerPath),
      values.judged ? callerPath(values.programs) : undefined,
      console.error,
    )) {
      console.error(
        `${collection.name}: ${collection.documents.length} documents, ${collection.queries.length} queries`,
      );
      const queries = await withScratchDatabase(values["database-url"], async (connection) => {
        const settings = new Map([["floor_similarity", JSON.stringify({ [model]: 0 })]]);
        await prepare(connection, collection, { settings, dimensions: defaultDimensions }, (step) =>
          console.error(`  ${step}`),
        );
        const vectors = model === lexiconModel ? undefined : await embedCollection(connection, collection, model);
        return readLegs(connection, collection, vectors);
      });
      collections.push({ name: collection.name, queries });
    }
  } catch (error) {
    throw error instanceof MissingCollectionError ? new UsageError(error.message) : error;
  }
  if (collections.length === 0) throw new UsageError("There is no collection to calibrate on.");

  const floors = collections.map((collection) => ({ collection: collection.name, floor: floorOf(collection) }));
  const floor = Math.min(...floors.map((one) => one.floor));
  const fusions = rankFusions(collections, floor);
  console.log(textTable(floors));
  console.log(`\nfloor_similarity of ${model}: ${floor}\n`);
  console.log(textTable(fusions.slice(0, fusionsShown).map(rounded)));
  const [best] = fusions;
  if (values.apply && best !== undefined) await apply(values.to, model, floor, best);
  return 0;
});

/** Gives a scratch database's records the vectors of a model outside the database, and returns those of the queries. */
async function embedCollection(connection: Connection, { queries }: Collection, model: string): Promise<Vector[]> {
  const provider = providerOf(model, processPlatform);
  const signal = new AbortController().signal;
  const report = (error: EmbeddingError, pauseMs: number) =>
    console.error(`  ${error.message}; again in ${pauseMs / 1_000} s`);
  console.error(`  embedding with ${model}`);
  await fillVectors({
    connection,
    provider,
    model,
    batchSize: defaultBatchSize,
    concurrency: defaultConcurrency,
    signal,
    stored: () => undefined,
    paused: report,
  });
  await changeOver(connection, model);
  const vectors: Vector[] = [];
  for (let start = 0; start < queries.length; start += defaultBatchSize) {
    const texts = queries.slice(start, start + defaultBatchSize).map(({ text }) => text);
    vectors.push(...(await embedTexts(provider, texts, patience, signal, report)));
  }
  return vectors;
}

function rounded({ k, keyword_weight, ndcg_10, least_share }: Fusion): Fusion {
  return { k, keyword_weight, ndcg_10: Number(ndcg_10.toFixed(4)), least_share: Number(least_share.toFixed(3)) };
}

async function apply(
  url: string | undefined,
  model: string,
  floor: number,
  { k, keyword_weight }: Fusion,
): Promise<void> {
  const connection = await openDatabase(url);
  try {
    await connection.transaction(async (transaction) => {
      const { floors } = await queryOne<{ floors: Record<string, number> }>(
        transaction,
        "select funding.setting('floor_similarity') as floors",
      );
      await change(transaction, "floor_similarity", { ...floors, [model]: floor });
      await change(transaction, "fusion_k", k);
      await change(transaction, "fusion_keyword_weight", keyword_weight);
      await change(transaction, "fusion_semantic_weight", 1);
    });
    console.log("written into the settings");
  } finally {
    await connection.close();
  }
}

async function change(connection: Connection, name: string, value: unknown): Promise<void> {
  await connection.query("update funding.settings set value = $2::jsonb where name = $1", [
    name,
    JSON.stringify(value),
  ]);
}
