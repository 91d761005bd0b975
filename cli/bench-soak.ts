import { measureSoak } from "../bench/soak/index.ts";
import { print, printError } from "../local/print.ts";
import { runCommand } from "./command.ts";
import { parseCount, UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const help = `Runs the API for an hour while its data change, and prints whether it stays as it was: times (p50/p95 in milliseconds) and sizes
of each period, totals against counts, and the second half against the first. Searches, writes of single records, imports of a file that
changes and the dispatcher's work go on side by side over a scratch database with generated grants.

usage: npm run bench:soak -- --database-url URL [options]

options:
  --database-url URL    a Postgres on this machine on which a scratch database may be created, as its superuser
  --rows N              grants (default 8000; the published figures are of 79700)
  --minutes N           duration, without loading (default 60)
  --searches N          requests a second: lists, and searches of each kind (default 20)
  --writes N            records a second (default 20)
  --import-every N      minutes between two imports of 2,000 records, of which 250 have changed, 25 are new and 25 gone (default 5)
  --report-every N      minutes of a period (default 5)
  --help

Exit status: 0, or 1 when a total was wrong or a request failed.`;

await runCommand({
  help,
  options: {
    "database-url": { type: "string" },
    rows: { type: "string", default: "8000" },
    minutes: { type: "string", default: "60" },
    searches: { type: "string", default: "20" },
    writes: { type: "string", default: "20" },
    "import-every": { type: "string", default: "5" },
    "report-every": { type: "string", default: "5" },
  },
  async run({ values }) {
    const url = values["database-url"];
    if (url === undefined) throw new UsageError("--database-url is missing.");
    const options = {
      rows: parseCount("--rows", values.rows, 100),
      minutes: parseCount("--minutes", values.minutes, 1),
      searchesPerSecond: parseCount("--searches", values.searches, 1),
      writesPerSecond: parseCount("--writes", values.writes, 1),
      importEveryMinutes: parseCount("--import-every", values["import-every"], 1),
      reportEveryMinutes: parseCount("--report-every", values["report-every"], 1),
    };
    const { times, sizes, trend, wrong } = await measureSoak(url, options, printError);
    print(["times in ms, p50/p95", "", ...textTable(times)]);
    print(["", "tables and memory in MB", "", ...textTable(sizes)]);
    print(["", "second half against the first", "", ...textTable(trend)]);
    if (wrong.length === 0) return 0;
    print(["", "wrong", "", ...wrong]);
    return 1;
  },
});
