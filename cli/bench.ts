import { fileURLToPath } from "node:url";
import { addRun, coursesOf, readSpeedHistory, writeSpeedHistory } from "../bench/speed/history.ts";
import { caseNames, measureSpeed, type SpeedOptions } from "../bench/speed/index.ts";
import { fingerprintCode } from "../bench/speed/page/fingerprint.ts";
import { readPublished, replacePublished, writePublished } from "../bench/speed/page/publish.ts";
import type { Findings } from "../bench/speed/speed-case.ts";
import { summarize, summaryCases } from "../bench/speed/summary.ts";
import { withTarget } from "../bench/speed/targets.ts";
import { callerPath } from "../local/caller-path.mjs";
import { print, printError } from "../local/print.ts";
import manifest from "../package.json" with { type: "json" };
import { runCommand } from "./command.ts";
import { jsonWriter } from "./json-output.ts";
import { parseCount, UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

const help = `Measures how fast the service is beside its alternatives. All sides of a case work on the same generated
grants, in one run, taking turns. A missed target is marked NO, and is no error. Scratch databases are made on the server and dropped afterwards;
nothing else there is touched.

usage: npm run bench -- [--database-url URL] [options]

cases:
  list        the whole API and raw PostgREST on the same table, 20 records, with and without
              count=exact; and the parts of the API alone. ratio: requests a second over PostgREST's
              (list_alone, one request at a time: PostgREST's p95 over the side's)
  hybrid      hybrid search and the function of Supabase's hybrid search guide, SQL against SQL.
              ratio: the guide's p95 over the side's
  modes       list, keyword, semantic and hybrid through the API. ratio: p95 over that of a new keyword
              list; every request is new (modes_again: every request is a repetition).
              floor: the SQL of each alone. ratio: p95 over the whole API's (kinds: of each kind of query. ratio:
              p95 over that of common words)
  quota       new hybrid searches of an account with a quota and of one without. ratio: requests a second over
              those without a quota (neighbour: one request at a time, alone and beside 64 of another
              account. ratio: p95 over that alone)
  libraries   LanceDB and Orama with the same records, vectors and filters, and their nDCG on the judged
              collections in ../shared/relevance, if they are there. Installs both outside the checkout,
              240 MB. ratio: LanceDB's p95 over the side's
  growth      the RPCs' SQL on a tenth, three tenths and all of the rows. ratio: p95 over that of a table
              a tenth of the size, or of the smallest (fixed_cost: p50 over that of a table ten times the size);
              and the times computed for ten times the records, and for the most from fewer
  awards      the RPCs' SQL without awards and with 500,000 for 79,700 grants (as many for each of --rows).
              ratio: p95 over that without
  embeddings  the RPCs' SQL while a dispatcher gives all records the vectors of an external model, and while it rests.
              ratio: p95 over that while it rests; and the records a second
  documents   new searches in records, in their documents and in both, with three documents for each of a quarter of
              the grants. ratio: p95 over that in records; and the sizes of the documents' tables
  churn       the RPCs' SQL with 0, 1, 500, 2,500, 10,000 and 40,000 records changed since the fit, and while 20
              a second are written. ratio: p95 over that of a copy as the fit left it (churn_median: p50);
              and recall and totals against reading each record
  replicas    CPU time of the primary's Postgres and PostgREST a request, with hot standbys that are asked in its
              place. ratio: over that without them (regions: one request at a time, with the primary 70 ms
              away. ratio: p50 over that with the primary beside)
  embedded    npm start's stack on its own data folder under .data/bench, which is made once: time to start,
              memory, and each mode. ratio: p95 over a new keyword list's; and one account beside 64 requests of
              another, as quota does
  suggest     GET /suggest of that stack, by what is typed
  embedded-churn  the same as churn, over two copies of that folder
  pages       KB of each page of the dashboard that has a file: it, its scripts and its styles, brotli

options:
  --database-url URL    a Postgres on which scratch databases may be created, as its superuser; without
                        it the cases that need one are skipped, with a message
  --replica-url URL     replicas: a hot standby of that server, as its superuser; may be repeated
  --rows N              grants in the table (default 8000; full size is 79700)
  --summary             one table: each goal of docs/performance.md beside what is measured now, with 79700 grants, ten
                        times as many, and two rounds if --rows and --rounds do not say otherwise: 38 minutes or more
  --history FILE        summary: also add the run to this file, which keeps the last 30, and print their course
  --page FOLDER         summary: also write its tables into FOLDER/performance.md, with figures.json and
                        speed-history.json, from which they and images/speed.svg are made, and print what got worse
                        since the last release. Without --summary: write them anew from these two files, such as a
                        history of --history that was copied to FOLDER/speed-history.json
  --only CASE           run this case; may be repeated
  --tenfold             growth: also ten times the rows
  --connections N       concurrent requests where throughput is measured (default 8)
  --rounds N            measured rounds, after one or two for warming up (default 5)
  --slice MS            milliseconds of each side's turn in a round (default 1000); embedded: shorter ones
                        also take a part of the requests
  --json FILE           also write the rows there
  --help`;

await runCommand({
  help,
  options: {
    only: { type: "string", multiple: true, default: [] },
    summary: { type: "boolean", default: false },
    history: { type: "string" },
    page: { type: "string" },
    rows: { type: "string" },
    connections: { type: "string", default: "8" },
    rounds: { type: "string" },
    slice: { type: "string", default: "1000" },
    tenfold: { type: "boolean", default: false },
    json: { type: "string" },
    "database-url": { type: "string" },
    "replica-url": { type: "string", multiple: true, default: [] },
  },
  async run({ values }) {
    const { summary } = values;
    if (summary && values.only.length > 0) throw new UsageError("--summary runs its own cases: leave out --only.");
    const historyPath = values.history === undefined ? undefined : callerPath(values.history);
    if (historyPath !== undefined && !summary) throw new UsageError("--history needs --summary.");
    // Read first: a file that is something else must not end half an hour's work.
    const history = historyPath === undefined ? undefined : await readSpeedHistory(historyPath);
    const page = values.page === undefined ? undefined : callerPath(values.page);
    if (page !== undefined && values.only.length > 0) throw new UsageError("--page needs --summary, not --only.");
    if (page !== undefined && summary && values["database-url"] === undefined) {
      throw new UsageError("--page shows cases that need a server: --database-url URL.");
    }
    const published = page === undefined ? undefined : await readPublished(page);
    if (page !== undefined && published !== undefined) {
      // Also before a run: a page that cannot be written must not end an hour's work.
      const paths = await writePublished(page, published);
      if (!summary) {
        print(paths);
        return;
      }
    }
    // Taken first: the figures are of the code as it is now.
    const code = page === undefined ? "" : await fingerprintCode(root);
    const options: SpeedOptions = {
      cases: summary ? summaryCases : values.only.length === 0 ? caseNames : values.only.map(parseCase),
      rows: parseCount("--rows", values.rows ?? (summary ? "79700" : "8000"), 1_000),
      connections: parseCount("--connections", values.connections, 1),
      rounds: parseCount("--rounds", values.rounds ?? (summary ? "2" : "5"), 1),
      sliceMs: parseCount("--slice", values.slice, 100),
      tenfold: values.tenfold || summary,
      onlyGoals: summary,
      serverUrl: values["database-url"],
      replicaUrls: values["replica-url"],
    };
    const writeJson = jsonWriter(values.json);
    const found: Findings[] = [];
    try {
      await measureSpeed(options, printError, (findings) => found.push(findings));
    } finally {
      // Findings are printed also when a later case failed.
      const rows = found.flatMap((findings) => findings.rows);
      if (rows.length > 0) print(textTable(rows.map(withTarget)));
      for (const { title, lines } of found.flatMap(({ tables = [] }) => tables)) {
        print(["", title, "", ...textTable(lines)]);
      }
      if (summary) print(["", "goals", "", ...textTable(summarize(found))]);
      await writeJson(rows);
    }
    const run = { at: new Date(), version: manifest.version };
    if (historyPath !== undefined && history !== undefined) {
      const longer = addRun(history, summarize(found), run);
      await writeSpeedHistory(historyPath, longer);
      print(["", "the last runs", "", ...textTable(coursesOf(longer))]);
    }
    if (page !== undefined && published !== undefined) {
      const replaced = replacePublished(published, found, { ...run, code, grants: options.rows });
      print(["", "written", "", ...(await writePublished(page, replaced))]);
      const { worse } = replaced.figures;
      if (worse.length > 0)
        print([
          "",
          "worse, for CHANGELOG.md, each with its reason; figures without a unit are ratios within a run",
          "",
        ]);
      print(worse.map(({ line }) => `- ${line}`));
    }
  },
});

function parseCase(name: string) {
  const known = caseNames.find((candidate) => candidate === name);
  if (known === undefined) throw new UsageError(`--only takes ${caseNames.join(", ")}, not ${name}.`);
  return known;
}
