import { readdir, readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { fitLexicon } from "../../../database/lexicon/fit.ts";
import { hasOutdatedDocuments, sealRecords } from "../../../database/lexicon/seal.ts";
import { MigrationError, migrate } from "../../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../../database/pglite.ts";
import { restoreOldDatabase } from "../../upgrades/old-database.ts";

const folder = new URL("../../../supabase/migrations/", import.meta.url);

/** A database as it was before the migration `version`, which knows what was applied to it. */
async function databaseBefore(version: string): Promise<Connection> {
  const connection = pgliteConnection(await openPGlite());
  await connection.execute(`
    create schema supabase_migrations;
    create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text)`);
  const names = (await readdir(folder)).filter((name) => name < version).sort();
  for (const name of names) {
    await connection.execute(await readFile(new URL(name, folder), "utf8"));
    await connection.query("insert into supabase_migrations.schema_migrations (version) values ($1)", [
      name.split("_")[0],
    ]);
  }
  return connection;
}

const values = async (connection: Connection) =>
  (
    await queryOne<{ values: Record<string, unknown> }>(
      connection,
      "select jsonb_object_agg(name, value) as values from funding.settings",
    )
  ).values;

test("a database whose settings are out of range and whose vectors are zero comes up to this version", async () => {
  const connection = await databaseBefore("20261122000700");
  const before = await values(connection);
  const wrong = {
    bm25_k1: -2,
    bm25_b: 7,
    bm25_title_weight: 1e-30,
    floor_words: 2.4,
    floor_similarity: { lexicon: -1 },
    fusion_k: "many",
    fusion_keyword_weight: 0,
    fusion_semantic_weight: 0,
    search_candidates: 50_000,
    webhook_backoff_seconds: [5],
  };
  await connection.query(
    "update funding.settings set value = given.value from jsonb_each($1::jsonb) as given(name, value) where settings.name = given.name",
    [JSON.stringify(wrong)],
  );
  await connection.execute(`
    insert into funding.lexicon values ('blorp', 2, array_fill(0, array[384])::extensions.vector);
    update funding.lexicon_fit set documents = 2, dimensions = 2, fitted_at = now();
    select funding.upsert_records('funders', '[{"source": "t", "source_id": "1", "name": "blorp"}]');
    update funding.funders set embedding = array_fill(0, array[384])::extensions.halfvec`);

  await migrate(connection);
  const after = Object.entries(await values(connection)).filter(([name]) => name in before);
  const { floor_similarity, ...mended } = Object.fromEntries(after);
  expect(mended).toEqual({
    ...before,
    floor_similarity: undefined,
    bm25_k1: 0,
    bm25_b: 1,
    bm25_title_weight: 0,
    floor_words: 2,
    // The defaults are others since; the first is mended to what was its default.
    search_candidates: 400,
    vector_index_minimum: 4000,
    fusion_k: 10,
  });
  expect(floor_similarity).toEqual({ lexicon: 0.21, default: 0.25 });
  expect(
    await queryOne(
      connection,
      `select bm25_k1, bm25_b, bm25_title_weight,
              not exists (select from funding.funders_vectors_0 union all select from funding.funders_vectors_1) as has_no_direction,
              (select bool_and(vector is null) from funding.lexicon) as has_no_vectors
       from funding.lexicon_fit, funding.funders`,
    ),
  ).toEqual({ bm25_k1: 0, bm25_b: 1, bm25_title_weight: 0, has_no_direction: true, has_no_vectors: true });
  await connection.execute("select funding.reindex_records()");
  await connection.close();
});

test("an upgrade of which one migration fails changes nothing, and says which", async () => {
  const connection = await databaseBefore("20261122000930");
  const applied = "select array_agg(version order by version) as versions from supabase_migrations.schema_migrations";
  const before = await queryOne(connection, applied);
  const functions =
    "select md5(string_agg(prosrc, '' order by oid)) as hash from pg_proc where pronamespace = 'funding'::regnamespace";
  const functionsBefore = await queryOne(connection, functions);
  // Not the first of those that are missing.
  await connection.execute("create table funding.schema_objects (of_ours text)");
  const error = await migrate(connection).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MigrationError);
  expect(String(error)).toMatch(
    /migration 20261122000940_fingerprint failed: relation "schema_objects" already exists/,
  );
  expect(await queryOne(connection, applied)).toEqual(before);
  expect(await queryOne(connection, functions)).toEqual(functionsBefore);
  await connection.execute("drop table funding.schema_objects");
  expect((await migrate(connection)).length).toBeGreaterThan(1);
  await connection.close();
});

test("an upgrade that Postgres ends because of a deadlock is tried again, from the beginning", async () => {
  const connection = await databaseBefore("20261122000930");
  let tries = 0;
  // The first time, Postgres itself raises the error, in the midst of the transaction.
  const deadlocked: Connection = {
    ...connection,
    transaction: (work) =>
      connection.transaction(async (transaction) => {
        tries += 1;
        let files = 0;
        return work({
          ...transaction,
          execute: (text) =>
            transaction.execute(
              tries === 1 && ++files === 5 ? "do $$ begin raise exception 'x' using errcode = '40P01'; end $$" : text,
            ),
        });
      }),
  };
  const applied = await migrate(deadlocked);
  expect(tries).toBe(2);
  const { count } = await queryOne<{ count: number }>(
    connection,
    "select count(*)::int as count from supabase_migrations.schema_migrations where version = any ($1)",
    [applied],
  );
  expect(count).toBe(applied.length);
  expect(await migrate(connection)).toEqual([]);
  await connection.close();
});

test("of two upgrades at once, the second applies nothing, also after a deadlock", async () => {
  const connection = await databaseBefore("20261122000930");
  let tries = 0;
  let applied: string[] = [];
  const second: Connection = {
    ...connection,
    transaction: async (work) => {
      tries += 1;
      if (tries === 1) throw new MigrationError("20261122000940_fingerprint", { code: "40P01" });
      // The first upgrade is done by the time at which the second has the lock.
      applied = await migrate(connection);
      return connection.transaction(work);
    },
  };
  expect(await migrate(second)).toEqual([]);
  expect(tries).toBe(2);
  expect(applied.length).toBeGreaterThan(1);
  await connection.close();
});

test("an upgrade looks for what is missing when no other one runs, however short its role's lock timeout is", async () => {
  const connection = await databaseBefore("20261124");
  await connection.execute("set lock_timeout = '1s'");
  const locks: unknown[] = [];
  const watched: Connection = {
    ...connection,
    transaction: (work) =>
      connection.transaction((transaction) =>
        work({
          ...transaction,
          async query<Row>(text: string, parameters?: readonly unknown[]) {
            if (text.startsWith("select version from supabase_migrations")) {
              locks.push(
                await queryOne(
                  transaction,
                  `select count(*)::int as held, current_setting('lock_timeout') as lock_timeout from pg_locks
                   where locktype = 'advisory' and (classid::bigint << 32 | objid::bigint) = hashtextextended('funding migrations', 0)`,
                ),
              );
            }
            return transaction.query<Row>(text, parameters);
          },
        }),
      ),
  };
  expect((await migrate(watched)).length).toBeGreaterThan(1);
  expect(locks).toEqual([{ held: 1, lock_timeout: "1s" }]);
  const after = "select from pg_locks where locktype = 'advisory'";
  expect(await connection.query(after)).toEqual([]);
  await connection.close();
});

test("records that the last release indexed are found by filters that it did not know", async () => {
  const connection = pgliteConnection(await openPGlite());
  await restoreOldDatabase(connection);
  await migrate(connection);
  const everything = { opportunity_type: "all", include_archived: true };
  for (const dataset of ["grants", "contracts"]) {
    const { records } = await queryOne<{ records: number }>(
      connection,
      `select count(*)::int as records from funding.${dataset} where source = 'demo'`,
    );
    expect(records).toBeGreaterThan(0);
    for (const [filter, total] of [
      [{ source: "demo" }, records],
      [{ source: "other" }, 0],
      // Nothing is known of their details.
      [{ cost_sharing: false }, 0],
    ] as const) {
      const found = await queryOne<{ total: number }>(
        connection,
        "select funding.bitmap_total($1, $2::jsonb)::int as total",
        [dataset, { ...everything, ...filter }],
      );
      expect(found.total, `${dataset} ${JSON.stringify(filter)}`).toBe(total);
    }
  }
  await connection.close();
});

test("whoever signs in to an account from before there were members is its owner", async () => {
  const connection = await databaseBefore("20261124");
  await connection.execute(`
    insert into funding.accounts (email, auth_user_id) values
      ('ann@example.org', '00000000-0000-4000-8000-000000000001'), ('waiting@example.org', null)`);
  await migrate(connection);
  expect(await connection.query("select email, role, user_id from funding.members")).toEqual([
    { email: "ann@example.org", role: "owner", user_id: "00000000-0000-4000-8000-000000000001" },
  ]);
  expect(await connection.query("select from funding.audit_log where subject_kind = 'member'")).toEqual([]);
  await connection.execute("update funding.accounts set auth_user_id = gen_random_uuid() where auth_user_id is null");
  expect(await connection.query("select email from funding.members order by email")).toEqual([
    { email: "ann@example.org" },
    { email: "waiting@example.org" },
  ]);
  await connection.close();
});

test("tiers that an operator made and nobody can buy are shown to no other account than before", async () => {
  const connection = pgliteConnection(await openPGlite());
  await restoreOldDatabase(connection);
  await connection.execute(`
    insert into funding.tiers (name, api_access, daily_quota) values ('for-acme', true, 5), ('sold', true, 6)
    on conflict do nothing;
    insert into funding.tier_prices (price_id, tier) values ('price_1', 'sold')`);
  await migrate(connection);
  await connection.query("select funding.add_tier('new', true, 7, false)");
  const tiers = await connection.query<{ name: string }>(
    "select name from funding.tiers where is_listed and name in ('free', 'developer', 'for-acme', 'sold', 'new') order by name",
  );
  expect(tiers.map(({ name }) => name)).toEqual(["developer", "free", "new", "sold"]);
  await connection.close();
});

test("subscriptions that came from Stripe follow theirs after an upgrade, and those that an operator set do not", async () => {
  const connection = await databaseBefore("20261124");
  await connection.execute(`
    insert into funding.accounts (id, email) select md5(name)::uuid, name || '@example.org' from unnest(array['paying', 'switched', 'set']) as name;
    insert into funding.subscriptions (account_id, tier, current_period_end, grace) values
      (md5('paying')::uuid, 'developer', '2099-01-01Z', '1 day'), (md5('switched')::uuid, 'developer', '2099-01-01Z', '1 day'),
      (md5('set')::uuid, 'developer', null, '0');
    insert into funding.tier_prices (price_id, tier) values ('price_1', 'developer');
    insert into funding.stripe_customers (id, account_id) select 'cus_' || name, md5(name)::uuid from unnest(array['paying', 'switched', 'set']) as name;
    insert into funding.stripe_subscriptions (id, customer_id, price_ids, status, current_period_end, event_at) values
      ('sub_paying', 'cus_paying', '{price_1}', 'active', '2099-01-01Z', '2026-01-01Z'),
      ('sub_later', 'cus_paying', '{price_1}', 'incomplete_expired', '2026-03-01Z', '2026-02-01Z'),
      ('sub_switched', 'cus_switched', '{price_without_tier}', 'active', '2099-02-01Z', '2026-01-01Z'),
      ('sub_set', 'cus_set', '{price_1}', 'canceled', '2026-01-01Z', '2026-01-01Z')`);
  await migrate(connection);
  const followed = `select split_part(email, '@', 1) as account, stripe_subscription_id as followed
    from funding.subscriptions join funding.accounts on accounts.id = account_id order by email`;
  expect(await connection.query(followed)).toEqual([
    { account: "paying", followed: "sub_paying" },
    { account: "set", followed: null },
    { account: "switched", followed: "sub_switched" },
  ]);
  await connection.execute("select funding.follow_stripe(id) from funding.accounts");
  expect(await connection.query(followed)).toEqual([
    { account: "paying", followed: "sub_paying" },
    { account: "set", followed: null },
  ]);
  await connection.close();
});

describe("records that the last release indexed by its own reading of their words", () => {
  let connection: Connection;
  const outdated = async () => {
    const { count } = await queryOne<{ count: number }>(
      connection,
      `select (select count(*) from funding.grants where lexemes <> funding.record_lexemes(title, description))::int
         + (select count(*) from funding.contracts where lexemes <> funding.record_lexemes(title, description))::int
         + (select count(*) from funding.funders where lexemes <> funding.record_lexemes(name, summary))::int as count`,
    );
    return count;
  };
  const total = async (search: string) => {
    const { answer } = await queryOne<{ answer: { total: number } }>(
      connection,
      "select funding.list('grants', $1::jsonb) as answer",
      [JSON.stringify({ search, opportunity_type: "all", limit: 1, offset: 0 })],
    );
    return answer.total;
  };
  const facts = () =>
    queryOne(
      connection,
      `select (select md5(string_agg((to_jsonb(record) - array['document', 'lexemes', 'posting_number', 'slot'])::text, '' order by id)) from funding.grants as record) as records,
              (select count(*)::int from funding.events) as events, (select count(*)::int from funding.record_changes) as changes,
              funding.data_as_of('grants') as as_of`,
    );

  beforeEach(async () => {
    connection = pgliteConnection(await openPGlite());
    await restoreOldDatabase(connection);
    await connection.execute(`
      select funding.upsert_records('grants', (
        select jsonb_agg(jsonb_build_object('source', 'words', 'source_id', number::text, 'title', 'Zorbine care ' || number,
          'description', case when number % 3 = 0 then 'for HIV/AIDS' else 'for measles' end, 'status', 'open', 'classification', 'opportunity',
          'funder_name', 'Bureau of Zorbine'))
        from generate_series(1, 300) as number))`);
    await migrate(connection);
  });
  afterEach(() => connection.close());

  test("are indexed anew after the upgrade, which is no change of a record", async () => {
    const before = await facts();
    expect(await outdated()).toBeGreaterThanOrEqual(100);
    expect(await total("zorbine HIV")).toBe(0);
    await sealRecords(connection);
    expect(await outdated()).toBe(0);
    expect(await hasOutdatedDocuments(connection)).toBe(false);
    expect({ joined: await total("zorbine HIV/AIDS"), part: await total("zorbine HIV") }).toEqual({
      joined: 100,
      part: 100,
    });
    expect(await facts()).toEqual(before);
  });

  test("are indexed anew before a fit reads them", async () => {
    await fitLexicon(connection, () => undefined, 16);
    expect(await outdated()).toBe(0);
    expect(await connection.query("select document_frequency from funding.lexicon where term = 'hiv/aids'")).toEqual(
      [],
    );
  });
});
