import { setTimeout as wait } from "node:timers/promises";
import { brokenLinks, dueLinks, forgetLinks, noteLinks } from "../database/links.ts";
import { createNodeTransport } from "../local/embedded/node-transport.ts";
import { print } from "../local/print.ts";
import { variable } from "../shared/platform/environment.ts";
import { release } from "../shared/release.ts";
import { abortOnSignals, runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { checkLinks } from "./links/check-links.ts";
import { parseCountBetween, UsageError } from "./options.ts";

/** Links that one run looks at, at most: a pause of a second lets a host have 604,800 in a week. */
const mostLinks = 200_000;

const help = `Checks the addresses of current grants, contracts and funders: whether somebody who follows one finds anything.
The API says it of a record (fields=link_status,link_checked_at).

usage: npm run links                check what was not checked for six days, the longest unchecked first
       npm run links -- broken      list the records whose links failed three times in three weeks

A host gets one request at a time, as its robots.txt and Retry-After say. No address of a private network is asked.

options:
  --minutes N          end after so long; the next run goes on there. Default: 60
  --days N             leave links that were checked in so many days. Default: 6
  --pause SECONDS      between two requests to a host. Default: 1
  --contact TEXT       a page or an address of yours, for the user agent. Default: PUBLIC_BASE_URL
  ${databaseUrlHelp}
  --help`;

await runCommand({
  help,
  allowPositionals: true,
  options: {
    minutes: { type: "string" },
    days: { type: "string" },
    pause: { type: "string" },
    contact: { type: "string" },
    "database-url": { type: "string" },
  },
  async run({ values, positionals: [action, ...rest] }) {
    if ((action !== undefined && action !== "broken") || rest.length > 0) {
      throw new UsageError("Say nothing, or broken.");
    }
    const minutes = parseCountBetween("--minutes", values.minutes ?? "60", 1, 10_000);
    const days = parseCountBetween("--days", values.days ?? "6", 0, 365);
    const pauseSeconds = parseCountBetween("--pause", values.pause ?? "1", 1, 3_600);
    const contact = values.contact ?? variable("PUBLIC_BASE_URL");
    await withDatabase(values["database-url"], async (connection) => {
      if (action === "broken") {
        for (const { dataset, id, url, reason } of await brokenLinks(connection))
          print(`${dataset} ${id} ${url} ${reason}`);
        return;
      }
      const { signal, release: releaseSignals } = abortOnSignals();
      const end = performance.now() + minutes * 60_000;
      const forgotten = await forgetLinks(connection);
      const { ok, failing, unknown, left } = await checkLinks(await dueLinks(connection, days, mostLinks), {
        transport: createNodeTransport({ allowLoopback: false }),
        allowLoopback: false,
        userAgent: `Funding-Opportunities-Links/${release}${contact === undefined ? "" : ` (+${contact})`}`,
        program: "funding-opportunities-links",
        pauseMs: pauseSeconds * 1_000,
        sleep: (ms) => wait(ms, undefined, { signal }).catch(() => undefined),
        now: () => Date.now(),
        store: (results) => noteLinks(connection, results),
        isOver: () => signal.aborted || performance.now() > end,
      });
      releaseSignals();
      const broken = (await brokenLinks(connection)).length;
      print([
        `checked ${ok + failing + unknown} links: ${ok} answer, ${failing} do not, ${unknown} let no program look`,
        `${left} are left for the next run; ${forgotten} that no record has any more were forgotten`,
        `${broken} records have a link that failed three times in three weeks${broken === 0 ? "" : ": npm run links -- broken"}`,
      ]);
    });
    return undefined;
  },
});
