import type { Collection } from "../bench/relevance/collection.ts";
import { type Measurement, measure, type QueryMeasurement, worstTenth } from "../bench/relevance/measure.ts";
import { modelModes, modes } from "../bench/relevance/modes.ts";
import { loadNotices, readNotices, withNotices } from "../bench/relevance/notices.ts";
import { meansOfParts, measureParts, type PartMeasurement } from "../bench/relevance/parts.ts";
import { prepareCollection, type Setup } from "../bench/relevance/prepare.ts";
import { readFundingSet } from "../bench/relevance/read-collections.ts";
import { withScratchDatabase } from "../bench/relevance/scratch-database.ts";
import { measureBesideNotices, measureNotices, type PlaceMeasurement } from "../bench/relevance/search-in.ts";
import { withTextsInDocuments } from "../bench/relevance/texts-in-documents.ts";
import { defaultDimensions } from "../database/lexicon/fit.ts";
import { callerPath } from "../local/caller-path.mjs";
import { print, printError } from "../local/print.ts";
import {
  collectionOptions,
  collectionsHelp,
  foldersHelp,
  namedCollections,
  requireCollections,
} from "./collections.ts";
import { printStep, runCommand } from "./command.ts";
import { adoptModel, requireCallable } from "./embed/collection.ts";
import { jsonWriter } from "./json-output.ts";
import { parseCountBetween, UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const help = `Measures how well search ranks, on collections with judged queries. Each collection is loaded as
grants into a scratch database, the lexicon is fitted on it, and every query is asked through the
functions that the API calls, and by baselines on the same texts.

usage: npm run relevance -- FOLDER ... [options]

${foldersHelp}

options:
  ${collectionsHelp}
  --model NAME          also an embedding model, openai/NAME or openai/NAME@SIZE, with which every text is embedded: OPENAI_API_KEY,
                        OPENAI_BASE_URL. Its rows come after the others
  --documents           also each collection with its texts as the documents of its records, and the questions over notices whose
                        documents are loaded, among the records of the funding questions: --data
  --parts               what each part of a hybrid search (spelling, feedback, floors ...) brings in nDCG@10, and what it costs in
                        milliseconds: each query with the part and without, in turns. Nothing else is measured
  --set NAME=VALUE      change a setting before the fit; may be repeated
  --dimensions N        dimensions of the fitted space, 16 to 384 (default ${defaultDimensions})
  --worst               also print the worst tenth of each collection's queries in hybrid search
  --json FILE           also write the rows there
  --database-url URL    a server on which scratch databases may be created (default: in memory)
  --help`;

await runCommand({
  help,
  allowPositionals: true,
  options: {
    ...collectionOptions,
    model: { type: "string" },
    documents: { type: "boolean", default: false },
    parts: { type: "boolean", default: false },
    set: { type: "string", multiple: true, default: [] },
    dimensions: { type: "string", default: String(defaultDimensions) },
    worst: { type: "boolean", default: false },
    json: { type: "string" },
    "database-url": { type: "string" },
  },
  async run({ values, positionals }) {
    const { model, documents, parts } = values;
    if (parts && (documents || model !== undefined || values.worst)) {
      throw new UsageError("--parts measures nothing else: leave out --documents, --model and --worst.");
    }
    if (!documents) requireCollections(positionals, values);
    if (model !== undefined) requireCallable(model);
    const setup = {
      settings: parseSettings(values.set),
      dimensions: parseCountBetween("--dimensions", values.dimensions, 16, 384),
    };
    const writeJson = jsonWriter(values.json);
    if (parts) {
      const rows: PartMeasurement[] = [];
      for await (const collection of namedCollections(positionals, values)) {
        rows.push(...(await measurePartsIn(values["database-url"], collection, setup)));
      }
      const all = [...rows, ...meansOfParts(rows)];
      print(textTable(all));
      await writeJson(all);
      return;
    }
    const measurements: Measurement[] = [];
    const worst: QueryMeasurement[] = [];
    const inPlaces: PlaceMeasurement[] = [];
    for await (const collection of namedCollections(positionals, values)) {
      const results: QueryMeasurement[] = [];
      measurements.push(
        ...(await measureIn(values["database-url"], collection, setup, model, (result) => results.push(result))),
      );
      if (documents) inPlaces.push(...(await measureSplit(values["database-url"], collection, setup)));
      worst.push(...worstTenth(results, "hybrid"));
    }
    if (documents) inPlaces.push(...(await measurePlaces(values["database-url"], callerPath(values.data), setup)));
    if (measurements.length > 0) print(textTable(measurements));
    if (inPlaces.length > 0) print([...(measurements.length > 0 ? [""] : []), ...textTable(inPlaces)]);
    if (values.worst) print(["", ...textTable(worst)]);
    await writeJson([...measurements, ...inPlaces]);
  },
});

function measureIn(
  databaseUrl: string | undefined,
  collection: Collection,
  setup: Setup,
  model: string | undefined,
  note: (result: QueryMeasurement) => void,
): Promise<Measurement[]> {
  return withScratchDatabase(databaseUrl, async (connection) => {
    await prepareCollection(connection, collection, setup, printStep);
    const measured = await measure(connection, collection, modes, note);
    if (model === undefined) return measured;
    const texts = collection.queries.map(({ text }) => text);
    const vectors = await adoptModel(connection, model, texts);
    await connection.execute("vacuum analyze");
    const ofTexts = new Map(texts.map((text, index) => [text, vectors[index] ?? []]));
    return [...measured, ...(await measure(connection, collection, modelModes(model, ofTexts), note))];
  });
}

function measurePartsIn(
  databaseUrl: string | undefined,
  collection: Collection,
  setup: Setup,
): Promise<PartMeasurement[]> {
  return withScratchDatabase(databaseUrl, async (connection) => {
    await prepareCollection(connection, collection, setup, printStep);
    return measureParts(connection, collection);
  });
}

/** Measures searches in records and in documents as well, where a collection's texts are the documents of its records. */
function measureSplit(
  databaseUrl: string | undefined,
  collection: Collection,
  setup: Setup,
): Promise<PlaceMeasurement[]> {
  const split = withTextsInDocuments(collection);
  return withScratchDatabase(databaseUrl, async (connection) => {
    await prepareCollection(connection, split, setup, printStep);
    await loadNotices(connection, split);
    return measureBesideNotices(connection, split);
  });
}

/** Measures searches in records, in documents and in both, with the notices among the records of the funding questions. */
async function measurePlaces(databaseUrl: string | undefined, data: string, setup: Setup): Promise<PlaceMeasurement[]> {
  const funding = await readFundingSet(data, printError);
  if (funding === undefined) return [];
  const notices = await readNotices();
  return withScratchDatabase(databaseUrl, async (connection) => {
    await prepareCollection(connection, withNotices(funding, notices), setup, printStep);
    await loadNotices(connection, notices);
    return [...(await measureNotices(connection, notices)), ...(await measureBesideNotices(connection, funding))];
  });
}

function parseSettings(words: string[]): Map<string, string> {
  return new Map(
    words.map((word) => {
      const [, name, value] = /^(\w+)=(.+)$/s.exec(word) ?? [];
      if (name === undefined || value === undefined) throw new UsageError(`--set needs NAME=VALUE, not ${word}.`);
      try {
        JSON.parse(value);
      } catch {
        throw new UsageError(`--set ${name}: the value must be JSON, for example 0.5 or '{"lexicon": 0}'.`);
      }
      return [name, value];
    }),
  );
}
