/**
 * Prints the seconds from `npm start` on an empty data folder until the API answers: the first list, the first keyword search, the first search by
 * meaning, and the first page of the dashboard, which is built anew. Also the longest that a list took while the lexicon was fitted.
 *
 * usage: npm run bench:first-start -- [--busy N] [--rounds N]
 *
 * --busy runs N endless loops beside it (0): a busy machine. --rounds is the number of first starts (3).
 */

import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { textTable } from "../../cli/table.ts";
import { print } from "../../local/print.ts";
import { findFreePort, withProcess } from "../speed/http/process.ts";
import { measureFirstStart } from "./measure.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { values } = parseArgs({
  options: { busy: { type: "string", default: "0" }, rounds: { type: "string", default: "3" } },
});
const [busy, rounds] = [Number(values.busy), Number(values.rounds)];
if (!(busy >= 0 && rounds >= 1)) throw new Error("usage: npm run bench:first-start -- [--busy N] [--rounds N]");

print(await beside(busy, measureRounds));

async function measureRounds(): Promise<string[]> {
  const rows = [];
  for (let round = 1; round <= rounds; round++) {
    const folder = await Deno.makeTempDir({ prefix: "funding-first-start-" });
    try {
      // Older than its sources, as in a new checkout.
      await utimes(join(root, "dashboard/dist/index.html"), 0, 0).catch(() => undefined);
      rows.push(await measureFirstStart(root, folder, await findFreePort()));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }
  return textTable(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value.toFixed(1)]))),
  );
}

/** Runs work beside a number of endless loops. */
function beside<Result>(loops: number, work: () => Promise<Result>): Promise<Result> {
  if (loops === 0) return work();
  return withProcess("sh", { args: ["-c", "while :; do :; done"] }, () => beside(loops - 1, work));
}
