/**
 * Prints whether the time of a refusal tells what a key is: never issued, revoked or expired. (`control` was never
 * issued either: it shows how far apart two samples of one kind are.)
 *
 * The handlers run in this process, so that no network hides a difference. Keys are asked in random order, each as
 * often as the others, so that whatever else the machine does falls on all alike.
 *
 * usage: node local/deno.mjs bench/keys/index.ts [REQUESTS]      on an embedded database of its own
 *        DATABASE_URL=... SUPABASE_URL=... SUPABASE_SECRET_KEY=... node local/deno.mjs bench/keys/index.ts [REQUESTS]
 *
 * REQUESTS is how many of each kind, 5,000 by default. With a database named, accounts are made there and taken away.
 */
import { textTable } from "../../cli/table.ts";
import { compareTimes, median } from "./compare.ts";
import { makeKeys } from "./make-keys.ts";
import { withService } from "./service.ts";

const requests = Number(Deno.args[0] ?? 5_000);
/** Refusals that take longer by less than this many standard errors are no different: one in a thousand would be by chance. */
const significant = 3.3;

await withService(async ({ stack, connection, answer }) => {
  const { keys, takeAway } = await makeKeys(connection, 50);
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
    // The first of each warm up the caches and the compiler.
    const measured = new Map([...times].map(([kind, all]) => [kind, all.slice(200)]));
    const unknown = measured.get("unknown") ?? [];
    const rows = [...measured].map(([kind, taken]) => {
      const { isSlower, standardErrors } = compareTimes(taken, unknown);
      return {
        key: kind,
        "median ms": median(taken).toFixed(4),
        "slower than an unknown one": kind === "unknown" ? "" : `${(100 * isSlower).toFixed(1)} % of pairs`,
        "standard errors from half": kind === "unknown" ? "" : standardErrors.toFixed(1),
        told: kind === "unknown" ? "" : Math.abs(standardErrors) < significant ? "no" : "yes",
      };
    });
    console.log(`${stack}: ${requests} refusals of each kind, in random order\n\n${textTable(rows)}`);
  } finally {
    await takeAway();
  }
});

function shuffled<Item>(items: Item[]): Item[] {
  for (let place = items.length - 1; place > 0; place--) {
    const other = Math.floor(Math.random() * (place + 1));
    [items[place], items[other]] = [items[other] as Item, items[place] as Item];
  }
  return items;
}
