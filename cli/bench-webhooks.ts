import { measureWebhooks, type NativeStack } from "../bench/webhooks/index.ts";
import { runCommand, UsageError } from "./command.ts";
import { countOf } from "./count-of.ts";
import { parseArgs } from "./parse-args.ts";
import { textTable } from "./table.ts";

const help = `Measures webhook deliveries a second, beside what the receiver takes from a client that does nothing else, in the
same run; and what events cost an import.

usage: npm run bench:webhooks -- [--supabase-url URL --service-key KEY --database-url URL] [options]

options:
  --supabase-url URL    a native stack (tests/native/stack.sh); without its three options only the embedded
  --service-key KEY     one is measured
  --database-url URL
  --events N            deliveries to make (default 4000)
  --records N           records of the imports (default 8000); 0 leaves them out
  --help`;

await runCommand(async (words) => {
  const { values } = parseArgs({
    args: words,
    options: {
      "supabase-url": { type: "string" },
      "service-key": { type: "string" },
      "database-url": { type: "string" },
      events: { type: "string", default: "4000" },
      records: { type: "string", default: "8000" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const { "supabase-url": url, "service-key": serviceKey, "database-url": databaseUrl } = values;
  const records = countOf("records", values.records, 0);
  const { rates, costs } = await measureWebhooks(
    countOf("events", values.events, 1),
    records,
    nativeStack({ url, serviceKey, databaseUrl }),
  );
  console.log(textTable(rates));
  if (costs.length > 0) console.log(`\nan import of ${records} records, medians of 3\n\n${textTable(costs)}`);
  return 0;
});

function nativeStack({ url, serviceKey, databaseUrl }: { [Name in keyof NativeStack]: string | undefined }) {
  if (url === undefined && serviceKey === undefined && databaseUrl === undefined) return undefined;
  if (url === undefined || serviceKey === undefined || databaseUrl === undefined) {
    throw new UsageError("A native stack takes --supabase-url, --service-key and --database-url together.");
  }
  return { url, serviceKey, databaseUrl };
}
