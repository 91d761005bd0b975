import { measureWebhooks, type NativeStack } from "../bench/webhooks/index.ts";
import { print } from "../local/print.ts";
import { runCommand } from "./command.ts";
import { parseCount, UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const help = `Measures webhook deliveries a second, beside the requests a second that the receiver takes from a bare client in
the same run; and the time that recording events adds to an import.

usage: npm run bench:webhooks -- [--supabase-url URL --service-key KEY --database-url URL] [options]

options:
  --supabase-url URL    a native stack (tests/native/stack.sh); without its three options only the embedded
  --service-key KEY     one is measured
  --database-url URL
  --events N            deliveries to make (default 4000)
  --records N           records of the imports (default 8000); 0 leaves them out
  --help`;

await runCommand({
  help,
  options: {
    "supabase-url": { type: "string" },
    "service-key": { type: "string" },
    "database-url": { type: "string" },
    events: { type: "string", default: "4000" },
    records: { type: "string", default: "8000" },
  },
  async run({ values }) {
    const { "supabase-url": url, "service-key": serviceKey, "database-url": databaseUrl } = values;
    const records = parseCount("--records", values.records, 0);
    const { rates, costs } = await measureWebhooks(
      parseCount("--events", values.events, 1),
      records,
      requireAllOrNone({ url, serviceKey, databaseUrl }),
    );
    print(textTable(rates));
    if (costs.length > 0) print(["", `an import of ${records} records, medians of 3`, "", ...textTable(costs)]);
  },
});

function requireAllOrNone({ url, serviceKey, databaseUrl }: { [Name in keyof NativeStack]: string | undefined }) {
  if (url === undefined && serviceKey === undefined && databaseUrl === undefined) return undefined;
  if (url === undefined || serviceKey === undefined || databaseUrl === undefined) {
    throw new UsageError("A native stack takes --supabase-url, --service-key and --database-url together.");
  }
  return { url, serviceKey, databaseUrl };
}
