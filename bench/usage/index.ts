/**
 * Prints how long one account's usage page takes: as this version reads it, and as `BEFORE` does, a file of SQL that replaces functions (from `git show
 * REVISION:supabase/schemas/accounts/usage.sql`). Both are asked in turns, in one database, so that other load on the machine affects both alike.
 *
 * usage: npm run bench:usage -- [--keys N] [--days N] [--rows N] [--before FILE]
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { textTable } from "../../cli/table.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { createAuthTables } from "../../local/auth/tables.ts";
import { print } from "../../local/print.ts";
import { median } from "../statistics.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    keys: { type: "string", default: "500" },
    days: { type: "string", default: "90" },
    /** Rows of a key and day. */
    rows: { type: "string", default: "11" },
    before: { type: "string" },
  },
});
const [keys, days, rows] = [Number(values.keys), Number(values.days), Number(values.rows)];
const rounds = 5;

const user = { user_id: crypto.randomUUID(), session_id: crypto.randomUUID() };
const database = await openPGlite();
const connection = pgliteConnection(database);
await createAuthTables(connection);
await migrate(connection);
await connection.query("insert into auth.users (id, email, email_confirmed_at) values ($1, 'ada@example.org', now())", [
  user.user_id,
]);
await connection.query("insert into auth.sessions (id, user_id) values ($1, $2)", [user.session_id, user.user_id]);
await connection.query("insert into funding.accounts (email, auth_user_id) values ('ada@example.org', $1)", [
  user.user_id,
]);
await connection.query(
  `insert into funding.api_keys (account_id, name, key_hash, display)
   select accounts.id, 'key ' || number, encode(sha256(number::text::bytea), 'hex'), 'fo_live_' || number
   from funding.accounts, generate_series(1, $1::int) as number`,
  [keys],
);
await connection.query(
  `insert into funding.usage (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
   select api_keys.id, (now() at time zone 'UTC')::date - day, (array['grants-api', 'contracts-api', 'grants-api/{id}', 'funders-api'])[1 + number % 4],
          (array[200, 200, 304, 404, 503])[1 + number % 5], (array[5, 7, 10, 15, 22, 33, 50, 75, 110, 170, 250])[1 + number % 11], 1 + number
   from funding.api_keys, generate_series(0, $1::int - 1) as day, generate_series(1, $2::int) as number`,
  [days, rows],
);
await connection.execute("analyze");

async function readMs(): Promise<{ ms: number; answer: string }> {
  const started = performance.now();
  const [found] = await connection.query<{ answer: string }>(
    `select public.get_account_usage($1, $2, (now() at time zone 'UTC')::date - $3::int + 1, (now() at time zone 'UTC')::date)::text as answer`,
    [user.user_id, user.session_id, days],
  );
  return { ms: performance.now() - started, answer: found?.answer ?? "" };
}

const sources = new Map([
  ["now", readFileSync(new URL("../../supabase/schemas/accounts/usage.sql", import.meta.url), "utf8")],
]);
if (values.before !== undefined) sources.set("before", readFileSync(values.before, "utf8"));
const times = new Map([...sources.keys()].map((name) => [name, [] as number[]]));
const answers = new Set<string>();
for (let round = 0; round <= rounds; round++) {
  for (const [name, sql] of sources) {
    await connection.execute(`set search_path = funding, public; ${sql}`);
    const { ms, answer } = await readMs();
    answers.add(answer);
    // The first round warms up.
    if (round > 0) times.get(name)?.push(ms);
  }
}
if (answers.size !== 1) throw new Error("the versions do not answer the same");
print(
  textTable(
    [...times].map(([name, taken]) => ({
      version: name,
      rows: (keys * days * rows).toLocaleString("en-US"),
      "median ms": median(taken).toFixed(0),
      "longest ms": Math.max(...taken).toFixed(0),
    })),
  ),
);
await connection.close();
