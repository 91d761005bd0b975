import { writeFile } from "node:fs/promises";
import type { Collection } from "../bench/relevance/collection.ts";
import { type Measurement, measure } from "../bench/relevance/measure.ts";
import { modes } from "../bench/relevance/modes.ts";
import { prepare, type Setup } from "../bench/relevance/prepare.ts";
import { defaultPrograms, MissingCollectionError, readCollections } from "../bench/relevance/read-collections.ts";
import { withScratchDatabase } from "../bench/relevance/scratch-database.ts";
import { defaultDimensions } from "../lexicon/fit.ts";
import { callerPath } from "../local/caller-path.ts";
import { runCommand, UsageError } from "./command.ts";
import { outputPath } from "./output-path.ts";
import { parseArgs } from "./parse-args.ts";
import { textTable } from "./table.ts";

const help = `Measures how well search ranks, on collections with judged queries. Each collection is loaded as
grants into a scratch database, the lexicon is fitted on it, and every query is asked through the
functions that the API calls, and of baselines set up on the same texts.

usage: npm run relevance -- FOLDER ... [options]

A folder has corpus.jsonl, queries.jsonl and qrels/*.tsv, as BEIR lays them out.

options:
  --judged              also the judged queries over the federal assistance programmes
  --programs FILE       where those programmes are (default: ../shared/data/grants/assistance-programs.jsonl)
  --set NAME=VALUE      change a setting before the fit; may be repeated
  --dimensions N        dimensions of the fitted space, 16 to 384 (default ${defaultDimensions})
  --json FILE           also write the rows there
  --database-url URL    a server on which scratch databases may be created (default: in memory)
  --help`;

await runCommand(async (words) => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      judged: { type: "boolean", default: false },
      programs: { type: "string", default: defaultPrograms },
      set: { type: "string", multiple: true, default: [] },
      dimensions: { type: "string", default: String(defaultDimensions) },
      json: { type: "string" },
      "database-url": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (positionals.length === 0 && !values.judged) throw new UsageError("Name a folder, or say --judged.");
  const setup = { settings: settingsOf(values.set), dimensions: dimensionsOf(values.dimensions) };

  const json = values.json === undefined ? undefined : outputPath("--json", values.json);
  const measurements: Measurement[] = [];
  try {
    for await (const collection of readCollections(
      positionals.map(callerPath),
      values.judged ? callerPath(values.programs) : undefined,
      console.error,
    )) {
      measurements.push(...(await measureIn(values["database-url"], collection, setup)));
    }
  } catch (error) {
    throw error instanceof MissingCollectionError ? new UsageError(error.message) : error;
  }
  console.log(textTable(measurements));
  if (json !== undefined) await writeFile(json, `${JSON.stringify(measurements, null, 2)}\n`);
  return 0;
});

function measureIn(databaseUrl: string | undefined, collection: Collection, setup: Setup): Promise<Measurement[]> {
  console.error(`${collection.name}: ${collection.documents.length} documents, ${collection.queries.length} queries`);
  return withScratchDatabase(databaseUrl, async (connection) => {
    await prepare(connection, collection, setup, (step) => console.error(`  ${step}`));
    return measure(connection, collection, modes);
  });
}

function settingsOf(words: string[]): Map<string, string> {
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

function dimensionsOf(text: string): number {
  const dimensions = Number(text);
  if (!/^\d+$/.test(text) || dimensions < 16 || dimensions > 384) {
    throw new UsageError("--dimensions must be a whole number from 16 to 384.");
  }
  return dimensions;
}
