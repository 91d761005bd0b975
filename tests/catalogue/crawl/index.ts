import { join } from "node:path";
import { percentile } from "../../../bench/statistics.ts";
import { runCommand } from "../../../cli/command.ts";
import { UsageError } from "../../../cli/options.ts";
import { openPGlite } from "../../../database/pglite.ts";
import { createGateway } from "../../../local/embedded/gateway.ts";
import { createNodeTransport } from "../../../local/embedded/node-transport.ts";
import { createEmbeddedRuntime } from "../../../local/embedded/runtime.ts";
import { SessionLock } from "../../../local/embedded/session.ts";
import { print, printError } from "../../../local/print.ts";
import { createSecretBox, generateSecretsKey } from "../../../shared/webhooks/secret-box.ts";
import { crawl } from "./crawl.ts";

const help = `Follows the links of the public catalogue over the data folder of an embedded server that is not running, and reads
each page: its status, its size, where its links lead, what it tells search engines.

usage: npm run test:crawl -- DATA_DIR [--pages N]

options:
  --pages N    how many pages (default 5000)
  --help`;

const origin = "http://127.0.0.1:54321";

/** Faults that are printed. */
const printed = 50;

await runCommand({
  help,
  allowPositionals: true,
  options: { pages: { type: "string", default: "5000" } },
  async run({ values, positionals: [folder, ...others] }) {
    if (folder === undefined || others.length > 0) throw new UsageError("name one data folder");
    const maximum = Number(values.pages);
    if (!Number.isInteger(maximum) || maximum < 1) throw new UsageError("--pages must be a number of pages");
    const database = await openPGlite(join(folder, "postgres"));
    try {
      const webhooks = {
        secrets: createSecretBox(generateSecretsKey()),
        transport: createNodeTransport({ allowLoopback: false }),
        dispatchSecret: "none",
        concurrency: 1,
        allowLoopback: false,
      };
      const runtime = createEmbeddedRuntime(new SessionLock(database), origin, webhooks, { CATALOGUE: "on" });
      // No address of a visitor: then visitors have no limit.
      const gateway = createGateway(runtime);
      const { pages, times, largest, faults } = await crawl(gateway, origin, maximum, (count) =>
        printError(`${count} pages`),
      );
      print([
        `${times.length} pages: ${Object.entries(pages)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(", ")}`,
        `milliseconds: p50 ${percentile(times, 0.5).toFixed(0)}, p95 ${percentile(times, 0.95).toFixed(0)}`,
        `largest: ${largest.bytes} bytes of HTML gzipped, ${largest.path}`,
        `faults: ${faults.length}`,
        ...faults.slice(0, printed),
      ]);
      await runtime.settled();
      return faults.length === 0 ? 0 : 1;
    } finally {
      await database.close();
    }
  },
});
