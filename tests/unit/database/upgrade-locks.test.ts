import { afterEach, beforeEach, expect, test } from "vitest";
import type { Connection } from "../../../database/connection.ts";
import { listMigrations, MigrationError, migrateBesideRequests, readMigration } from "../../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../../database/pglite.ts";
import { readSchemaFaults } from "../../../database/schema-faults.ts";
import { hashKey } from "../../../shared/auth/key.ts";
import { readSecrets } from "../../upgrades/fixture.ts";
import { restoreOldDatabase } from "../../upgrades/old-database.ts";

/** Tables that importers and operators alone write: an upgrade may keep them from being written for as long as it takes. */
const writtenByImporters = [
  ...["grants", "contracts", "funders", "funder_codes", "funder_names", "record_changes", "imports", "retired_numbers"],
  ...["lexicon", "lexicon_fit", "bitmaps", "postings", "ranks"],
  ...["settings", "synonyms", "schema_objects"],
];
/** Tables that fits alone use: an upgrade gives up a fit that is under way. */
const ofFits = /^next_/;
/** Tables with a few rows, whatever the service has, or a row for each account. */
const small = [
  "settings",
  "data_versions",
  "schema_objects",
  "tiers",
  "tier_prices",
  "dispatch_clock",
  "accounts",
  "members",
];

/** Locks, weakest first, which differ in what waits for them. */
const blocksWriters = ["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock"];
const blocksReaders = "AccessExclusiveLock";

interface Lock {
  relation: string;
  mode: string;
}

/** What a migration did in an upgrade, by the end of it. */
interface Applied {
  name: string;
  text: string;
  transaction: number;
  /** Tables and types that the database had when its transaction began, with each lock that the transaction holds on it or its indexes. */
  locks: Lock[];
  /** Those of them that the migration read. */
  read: string[];
}

let connection: Connection;

beforeEach(async () => {
  connection = pgliteConnection(await openPGlite());
  await restoreOldDatabase(connection);
});
afterEach(() => connection.close());

/** Tables, their indexes and composite types, each with the name of the table or type. */
const relationsNow = `select pg_class.oid, coalesce(indrelid, pg_class.oid)::regclass::text as relation
  from pg_class left join pg_index on indexrelid = pg_class.oid
  where relnamespace = 'funding'::regnamespace and relkind in ('r', 'c', 'i')`;

/** Upgrades the database as beside requests, and notes what each migration did. */
async function watchUpgrade(): Promise<Applied[]> {
  const names = new Map<string, string>();
  for (const file of await listMigrations()) {
    names.set(await readMigration(file), `${file.version}_${file.name}`);
  }
  const applied: Applied[] = [];
  let transactions = 0;
  await migrateBesideRequests({
    ...connection,
    transaction: (work) =>
      connection.transaction(async (transaction) => {
        transactions += 1;
        await transaction.execute(`create temporary table present on commit drop as ${relationsNow}`);
        const readTables = () =>
          transaction.query<{ relation: string; scans: number }>(
            `select replace(relation, 'funding.', '') as relation, (seq_scan + coalesce(idx_scan, 0))::int as scans from pg_stat_xact_user_tables join present on oid = relid`,
          );
        return work({
          ...transaction,
          async execute(text) {
            const name = names.get(text);
            if (name === undefined) return transaction.execute(text);
            const before = new Map((await readTables()).map(({ relation, scans }) => [relation, scans]));
            await transaction.execute(text);
            applied.push({
              name,
              text,
              transaction: transactions,
              locks: await transaction.query(
                `select distinct replace(present.relation, 'funding.', '') as relation, lock.mode
                 from pg_locks as lock join present on present.oid = lock.relation
                 where lock.pid = pg_backend_pid() and lock.granted order by 1, 2`,
              ),
              read: (await readTables())
                .filter(({ relation, scans }) => scans > (before.get(relation) ?? 0))
                .map(({ relation }) => relation),
            });
          },
        });
      }),
  });
  return applied;
}

/** Names of the tables that a migration locks with `funding.lock_tables`: all of them, or none while somebody holds one. */
function lockedTables(text: string): string[] {
  const [, list = ""] = /funding\.lock_tables\(array\[([^\]]*)\]\)/.exec(text) ?? [];
  return [...list.matchAll(/'(\w+)'/g)].map(([, name = ""]) => name);
}

test("an upgrade locks tables against requests only at the end of a transaction, and for work that does not grow", async () => {
  const faults: string[] = [];
  const applied = await watchUpgrade();
  for (const [index, { name, text, transaction, locks, read }] of applied.entries()) {
    const tables = lockedTables(text);
    const others = applied.filter((one) => one.transaction === transaction);
    const isLast = applied[index + 1]?.transaction !== transaction;
    const buildsIndexesAlone =
      others.length === 1 &&
      text.split(";").every((statement) => /^(\s|--.*\n)*(create (unique )?index\s[^;]*)?$/.test(statement));
    const former = others.findLast((one) => applied.indexOf(one) < index)?.locks ?? [];
    const isNew = ({ relation, mode }: Lock) =>
      !former.some((lock) => lock.relation === relation && lock.mode === mode);
    for (const { relation, mode } of locks.filter(isNew)) {
      const isTable = tables.length === 0 || tables.includes(relation) || !(await isTableNamed(relation));
      if (mode === blocksReaders && !ofFits.test(relation) && !(tables.length > 0 && isTable && isLast)) {
        faults.push(`${name} keeps ${relation} from being read`);
      }
      if (blocksWriters.includes(mode) && !writtenByImporters.includes(relation) && !ofFits.test(relation)) {
        if (!tables.includes(relation) && !buildsIndexesAlone)
          faults.push(`${name} keeps ${relation} from being written`);
      }
    }
    if (tables.length > 0) {
      faults.push(
        ...read.filter((one) => !small.includes(one)).map((one) => `${name} reads ${one} while requests wait`),
      );
    }
  }
  expect(faults).toEqual([]);
  // Regression: requests that were under way called functions of both versions, some of which were gone.
  const functions = applied.find(({ name }) => name.endsWith("_functions"));
  expect(functions?.locks).toContainEqual({ relation: "accounts", mode: blocksReaders });
  expect(applied.filter(({ text }) => lockedTables(text).length > 0).length).toBeGreaterThan(1);
});

async function isTableNamed(relation: string): Promise<boolean> {
  const rows = await connection.query("select from pg_class where oid = to_regclass($1) and relkind = 'r'", [
    `funding.${relation}`,
  ]);
  return rows.length > 0;
}

test("functions of the last release answer as before when an upgrade fails on its way, and the next one goes on there", async () => {
  const secrets = readSecrets();
  const key = await hashKey(secrets.keys.api_key);
  const answers = async () => {
    const given: unknown[] = [];
    for (const [dataset, parameters] of [
      ["grants", { limit: 5, offset: 0 }],
      ["grants", { limit: 5, offset: 0, search: "rural health", search_mode: "hybrid" }],
      ["grants", { limit: 5, offset: 0, status: "open", states: ["OH"], sort_by: "deadline_date", sort_order: "asc" }],
      ["contracts", { limit: 5, offset: 0, search: "repair", search_mode: "keyword" }],
      ["funders", { limit: 5, offset: 0, search: "health" }],
    ] as const) {
      await connection.execute("truncate funding.pages, funding.totals");
      given.push(
        await connection.query(`select public.list_${dataset}($1, $2::jsonb) as answer`, [
          key,
          JSON.stringify(parameters),
        ]),
      );
    }
    // A tag names the version of the data, which new settings change.
    return JSON.parse(JSON.stringify(given, (name, value) => (name === "tag" ? undefined : value)));
  };
  const before = await answers();
  expect(JSON.stringify(before)).toContain("total");
  // Of the migrations in the second transaction.
  await connection.execute("create table funding.blocks (of_ours text)");
  const error = await migrateBesideRequests(connection).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MigrationError);
  expect((error as MigrationError).applied).toBeGreaterThan(1);
  expect(await answers()).toEqual(before);
  await connection.execute(`select public.record_usage('[]'); select public.fan_out_events(100)`);
  await connection.execute("drop table funding.blocks");
  expect((await migrateBesideRequests(connection)).length).toBeGreaterThan(1);
  expect(await readSchemaFaults(connection)).toEqual([]);
  expect(await migrateBesideRequests(connection)).toEqual([]);
});
