/**
 * Prints whether the time of a refusal reveals the state of a key: never issued, revoked or expired. (`control` was never
 * issued either: it shows how far apart two samples of one kind are.)
 *
 * The handlers run in this process, so that no network hides a difference. Keys are used in random order, equally often,
 * so that other load on the machine affects all of them alike.
 *
 * usage: node local/deno.mjs bench/keys/index.ts [REQUESTS]      on an embedded database of its own
 *        DATABASE_URL=... SUPABASE_URL=... SUPABASE_SECRET_KEY=... node local/deno.mjs bench/keys/index.ts [REQUESTS]
 *
 * REQUESTS is the number for each kind, 5,000 by default. In a named database, accounts are made and deleted again.
 */

import { textTable } from "../../cli/table.ts";
import { print } from "../../local/print.ts";
import { median } from "../statistics.ts";
import { compareTimes } from "./compare.ts";
import { makeKeys } from "./make-keys.ts";
import { withService } from "./service.ts";

const requests = Number(Deno.args[0] ?? 5_000);
if (!(requests >= 1)) throw new Error("usage: npm run bench:keys -- [REQUESTS]");
/** Standard errors below which a difference is not significant. One in a thousand is larger by chance. */
const significance = 3.3;

await withService(async ({ stack, connection, answer }) => {
  const { keys, deleteAccount } = await makeKeys(connection, 50);
  try {
    const kinds = Object.keys(keys);
    const times = new Map(kinds.map((kind) => [kind, [] as number[]]));
    for (const kind of shuffled(kinds.flatMap((kind) => Array.from({ length: requests + 200 }, () => kind)))) {
      const pool = keys[kind] ?? [];
      const key = pool[Math.floor(Math.random() * pool.length)] ?? "";
      const started = performance.now();
      const { status } = await answer(key);
      const elapsed = performance.now() - started;
      if (status !== 401) throw new Error(`a key that is ${kind} is answered ${status}`);
      times.get(kind)?.push(elapsed);
    }
    // The first ones of each kind warm up the caches and the compiler.
    const measured = new Map([...times].map(([kind, all]) => [kind, all.slice(200)]));
    const unknown = measured.get("unknown") ?? [];
    const rows = [...measured].map(([kind, taken]) => {
      const { slowerShare, standardErrors } = compareTimes(taken, unknown);
      return {
        key: kind,
        "median ms": median(taken).toFixed(4),
        "slower than an unknown one": kind === "unknown" ? "" : `${(100 * slowerShare).toFixed(1)} % of pairs`,
        "standard errors from half": kind === "unknown" ? "" : standardErrors.toFixed(1),
        told: kind === "unknown" ? "" : Math.abs(standardErrors) < significance ? "no" : "yes",
      };
    });
    print([`${stack}: ${requests} refusals of each kind, in random order`, "", ...textTable(rows)]);
  } finally {
    await deleteAccount();
  }
});

function shuffled<Item>(items: Item[]): Item[] {
  for (let index = items.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [items[index], items[other]] = [items[other] as Item, items[index] as Item];
  }
  return items;
}
