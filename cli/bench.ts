import { writeFile } from "node:fs/promises";
import { type CaseName, caseNames, measureSpeed, type SpeedOptions } from "../bench/speed/index.ts";
import type { Findings } from "../bench/speed/speed-case.ts";
import { withTarget } from "../bench/speed/targets.ts";
import { runCommand, UsageError } from "./command.ts";
import { countOf } from "./count-of.ts";
import { outputPath } from "./output-path.ts";
import { parseArgs } from "./parse-args.ts";
import { textTable } from "./table.ts";

const help = `Measures how fast the service is beside what people would use instead. All sides of a case work on
the same generated grants, in one run, in turns. Scratch databases are made on the server and dropped
afterwards; nothing else there is touched.

usage: npm run bench -- [--database-url URL] [options]

cases:
  list        the whole API and raw PostgREST on the same table, 20 records, with and without
              count=exact; what the parts do alone. ratio: requests a second over PostgREST's
              (list_alone, one request at a time: PostgREST's p95 over the side's)
  hybrid      hybrid search and the function of Supabase's hybrid search guide, SQL against SQL.
              ratio: the guide's p95 over the side's
  modes       list, keyword, semantic and hybrid through the API. ratio: p95 over that of a new keyword
              list, all of them asked for the first time (modes_again: all asked before).
              floor: the SQL of each alone. ratio: p95 over the whole API's
  libraries   LanceDB and Orama with the same records, vectors and filters, and their nDCG on the judged
              collections in ../shared/relevance, where that is. Installs both outside the checkout,
              240 MB. ratio: LanceDB's p95 over the side's
  growth      the RPCs' SQL on a tenth, three tenths and all of the rows. ratio: p95 over that of a table
              a tenth the size, or of the smallest
  embedded    npm start's stack on a data folder of its own, which is made once, under .data/bench: start,
              memory, and each mode. ratio: p95 over a new keyword list's

options:
  --database-url URL    a Postgres on which scratch databases may be created, as its superuser; without
                        it the cases that need one are named and skipped
  --rows N              grants in the table (default 8000; full size is 79700)
  --only CASE           run this case; may be repeated
  --tenfold             growth: also ten times the rows
  --connections N       requests under way at once where throughput is measured (default 8)
  --rounds N            rounds that count, beside one that warms up (default 5)
  --json FILE           also write the rows there
  --help`;

await runCommand(async (words) => {
  const { values } = parseArgs({
    args: words,
    options: {
      only: { type: "string", multiple: true, default: [] },
      rows: { type: "string", default: "8000" },
      connections: { type: "string", default: "8" },
      rounds: { type: "string", default: "5" },
      tenfold: { type: "boolean", default: false },
      json: { type: "string" },
      "database-url": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const options: SpeedOptions = {
    cases: values.only.length === 0 ? caseNames : values.only.map(caseOf),
    rows: countOf("rows", values.rows, 1_000),
    connections: countOf("connections", values.connections, 1),
    rounds: countOf("rounds", values.rounds, 1),
    sliceMs: 1_000,
    tenfold: values.tenfold,
    serverUrl: values["database-url"],
  };

  const json = values.json === undefined ? undefined : outputPath("--json", values.json);
  const found: Findings[] = [];
  try {
    await measureSpeed(
      options,
      (step) => console.error(step),
      (findings) => found.push(findings),
    );
  } finally {
    await show(found, json);
  }
  return 0;
});

/** Prints what was found, also when a later case failed. */
async function show(found: readonly Findings[], path: string | undefined): Promise<void> {
  const rows = found.flatMap((findings) => findings.rows);
  if (rows.length > 0) console.log(textTable(rows.map(withTarget)));
  for (const { title, lines } of found.flatMap(({ tables = [] }) => tables)) {
    console.log(`\n${title}\n\n${textTable(lines)}`);
  }
  if (path !== undefined) await writeFile(path, `${JSON.stringify(rows, null, 2)}\n`);
}

function caseOf(name: string): CaseName {
  const known = caseNames.find((candidate) => candidate === name);
  if (known === undefined) throw new UsageError(`--only takes ${caseNames.join(", ")}, not ${name}.`);
  return known;
}
