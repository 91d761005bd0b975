import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { openEmptyDatabase } from "../support/service.ts";

/** Functions that delete, expire, close or announce must not read the machine's clock, but the bounded one (clock.sql). */

const machineClock =
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|wall_clock)\(\)|\b(current_timestamp|current_date|current_time|localtimestamp|localtime)\b/i;

/** Effects that stay when a wrong clock is right again. */
const lastingEffect =
  /\bdelete from\b|\btruncate\b|insert into funding\.(events|webhook_deliveries|deadline_notices|digest_mails)\b|state_at\(|set state = 'disabled'|set next_at = /i;

/** Functions of the clocks, behind which the machine's is bounded. */
const clocks = ["wall_clock", "bounded_now", "latest_now", "dispatch_now", "tick", "confirm_clock"];

/** Functions that read the machine's clock where something lasting calls them, and why no wrong clock does harm there. */
const harmless: Record<string, string> = {
  adopt_fit: "dates the fit",
  beat: "dates the heartbeat of replication, which is written anew",
  decide_offered_customer: "dates the refusal of a customer",
  evict_stale: "evicts cached pages, which are made again",
  fit_in_preparation: "dates the fit",
  follow_stripe: "dates the change",
  match_funders: "dates a funder that is new",
  merged_column: "dates a record whose source gives no date",
  next_change_ms: "dates changes, in an order of its own that never goes back",
  record_usage: "dates the use of a key, and usage of a day that the bounded clock bounds",
  remove_from_account: "dates the revocation of a key",
  renew_documents: "dates the data's version",
  abandon_renewal: "says how long a failed attempt took",
  note_renewal: "dates the attempt",
  renew_funder_statistics: "dates the statistics, and makes more of them in a call or fewer",
  renew_version_links: "makes more links in a call or fewer",
  renew_suggestions: "says how long ago they were made, and makes them sooner or later",
  rotate_webhook_secret: "dates the change",
  set_price: "dates the price",
  signed_in_email: "refuses a session that has ended, and lets it in again",
  store_embeddings: "dates the data's version",
  state_at: "opens a record when either clock has come to its posting date; closes none by it",
};

interface Routine {
  name: string;
  body: string;
}

let connection: Connection;
let routines: Map<string, string>;

beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
  const found = await connection.query<Routine>(`
    select routine.proname as name, string_agg(pg_get_functiondef(routine.oid), ' ') as body
    from pg_proc as routine
    where routine.pronamespace in ('funding'::regnamespace, 'public'::regnamespace) and routine.prokind = 'f' and not exists (
      select from pg_depend where classid = 'pg_proc'::regclass and objid = routine.oid and deptype = 'e')
    group by 1`);
  routines = new Map(found.map(({ name, body }) => [name, withoutComments(body)]));
});
afterAll(() => connection.close());

const withoutComments = (body: string) => body.replace(/--.*$/gm, "");

/** A function and all that it calls, but for the clocks. */
function reachedBy(name: string): Set<string> {
  const reached = new Set([name]);
  for (const caller of reached) {
    for (const [, callee = ""] of (routines.get(caller) ?? "").matchAll(/\b(?:funding|public)\.(\w+)\b/g)) {
      if (routines.has(callee) && !clocks.includes(callee)) reached.add(callee);
    }
  }
  return reached;
}

describe("the machine's clock", () => {
  test("is read by no function that deletes, expires, closes or announces, nor by one that it calls", () => {
    const lasting = [...routines].filter(([, body]) => lastingEffect.test(body)).map(([name]) => name);
    expect(lasting).toEqual(
      expect.arrayContaining([
        "prune_table",
        "apply_due_dates",
        "upsert_records",
        "announce_deadlines_of",
        "claim_digest",
      ]),
    );
    const readers = new Map<string, string>();
    for (const name of lasting) {
      for (const reached of reachedBy(name)) {
        if (machineClock.test(routines.get(reached) ?? "")) readers.set(reached, `${reached}, for ${name}`);
      }
    }
    expect([...readers].filter(([name]) => !(name in harmless)).map(([, found]) => found)).toEqual([]);
    expect(Object.keys(harmless).filter((name) => !readers.has(name))).toEqual([]);
  });

  test("is not in a text of ours that deletes rows", () => {
    const found = sourceFiles().flatMap((path) =>
      [...withoutComments(readFileSync(path, "utf8")).matchAll(/\bdelete from\b[^`"]*/gi)]
        .filter(([text]) => machineClock.test(text))
        .map(([text]) => `${path}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  test("decides of no file that goes, but of what a killed run left behind", () => {
    const found = sourceFiles().filter((path) => {
      const text = readFileSync(path, "utf8");
      return /\bmtimeMs\b/.test(text) && /\bDate\.now\(\)/.test(text) && /\b(rm|rmSync|unlink|unlinkSync)\(/.test(text);
    });
    expect(found.map((path) => path.slice(root.length))).toEqual([
      "local/embedded/folder-copy.ts",
      "local/unfinished.ts",
      "status/history-file.ts",
    ]);
  });

  test("dates no row with a retention where it is behind the bounded clock", async () => {
    const dated = await connection.query<{ table_name: string; expression: string | null }>(`
      select rule.table_name, pg_get_expr(given.adbin, given.adrelid) as expression
      from funding.retention() as rule
      join pg_attribute as age on age.attrelid = format('funding.%I', rule.table_name)::regclass and age.attname = rule.age_column
      left join pg_attrdef as given on given.adrelid = age.attrelid and given.adnum = age.attnum
      where given.adbin is not null`);
    expect(dated.length).toBeGreaterThan(5);
    expect(dated.filter(({ expression }) => expression !== "funding.latest_now()")).toEqual([]);
  });
});

const root = fileURLToPath(new URL("../../", import.meta.url));

function sourceFiles(): string[] {
  return ["cli", "database", "functions", "ingest", "local", "shared", "status", "worker"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .sort()
      .map((name) => join(root, folder, name)),
  );
}
