import { measureRetention } from "../bench/retention/index.ts";
import { print, printError } from "../local/print.ts";
import { runCommand } from "./command.ts";
import { parseCount, UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const help = `Simulates months of traffic on a scratch database, with the dispatcher's retention at the end of each day, and prints the
size of every table as the months pass, and how long a batch of retention takes. The clock is moved, not waited for.

usage: npm run bench:retention -- --database-url URL [options]

options:
  --database-url URL    a Postgres on which a scratch database may be created, as its superuser
  --months N            months to simulate (default 15: some twenty minutes; 400 days are over in the fourteenth)
  --requests N          requests a day (default 27400: ten million a year)
  --keys N              keys that send them (default 500)
  --changes N           changes of records a day, a multiple of 100 (default 2000)
  --help`;

await runCommand({
  help,
  options: {
    "database-url": { type: "string" },
    months: { type: "string", default: "15" },
    requests: { type: "string", default: "27400" },
    keys: { type: "string", default: "500" },
    changes: { type: "string", default: "2000" },
  },
  async run({ values }) {
    const url = values["database-url"];
    if (url === undefined) throw new UsageError("--database-url is missing.");
    const traffic = {
      requests: parseCount("--requests", values.requests, 1),
      keys: parseCount("--keys", values.keys, 5),
      changes: parseCount("--changes", values.changes, 100),
    };
    const { sizes, batches } = await measureRetention(
      url,
      parseCount("--months", values.months, 1),
      traffic,
      printError,
    );
    print(textTable(sizes));
    print(["", "batches", "", ...textTable(batches)]);
  },
});
