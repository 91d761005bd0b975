import type { Collection } from "../bench/relevance/collection.ts";
import { type Measurement, measure, type QueryMeasurement, worstTenth } from "../bench/relevance/measure.ts";
import { modes } from "../bench/relevance/modes.ts";
import { prepareCollection, type Setup } from "../bench/relevance/prepare.ts";
import { withScratchDatabase } from "../bench/relevance/scratch-database.ts";
import { defaultDimensions } from "../database/lexicon/fit.ts";
import { print } from "../local/print.ts";
import {
  collectionOptions,
  collectionsHelp,
  foldersHelp,
  namedCollections,
  requireCollections,
} from "./collections.ts";
import { printStep, runCommand } from "./command.ts";
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
    set: { type: "string", multiple: true, default: [] },
    dimensions: { type: "string", default: String(defaultDimensions) },
    worst: { type: "boolean", default: false },
    json: { type: "string" },
    "database-url": { type: "string" },
  },
  async run({ values, positionals }) {
    requireCollections(positionals, values.judged);
    const setup = {
      settings: parseSettings(values.set),
      dimensions: parseCountBetween("--dimensions", values.dimensions, 16, 384),
    };
    const writeJson = jsonWriter(values.json);
    const measurements: Measurement[] = [];
    const worst: QueryMeasurement[] = [];
    for await (const collection of namedCollections(positionals, values)) {
      const results: QueryMeasurement[] = [];
      measurements.push(
        ...(await measureIn(values["database-url"], collection, setup, (result) => results.push(result))),
      );
      worst.push(...worstTenth(results, "hybrid"));
    }
    print(textTable(measurements));
    if (values.worst) print(["", ...textTable(worst)]);
    await writeJson(measurements);
  },
});

function measureIn(
  databaseUrl: string | undefined,
  collection: Collection,
  setup: Setup,
  note: (result: QueryMeasurement) => void,
): Promise<Measurement[]> {
  return withScratchDatabase(databaseUrl, async (connection) => {
    await prepareCollection(connection, collection, setup, printStep);
    return measure(connection, collection, modes, note);
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
