import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MirrorPosition } from "../../../packages/client/src/collection.ts";
import { databaseCollection } from "./database-collection.ts";

const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined) throw new Error("DATABASE_URL must name the native stack's database");

/** A grant with the details of which the test reads one. */
interface Item {
  id: string;
  title: string;
  funder_name: string | null;
  details: { updated_at: string };
}

let writers: pg.Client[];
let reader: pg.Client;

async function connect(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: DATABASE_URL });
  await session.connect();
  return session;
}

beforeAll(async () => {
  reader = await connect();
  writers = await Promise.all([connect(), connect(), connect(), connect(), connect()]);
});
afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.end()));
  await reader.query("delete from funding.grants where source = 'feed-test'");
  await reader.query("delete from funding.funders where source in ('feed-test', 'feed-directory')");
  await reader.query("delete from funding.funder_codes where source = 'feed-test'");
  await reader.end();
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const below = (limit: number) => Math.floor(Math.random() * limit);

/** A writer's transactions: changes of its records and, rarely, of those that all writers change. Some end late, or not at all. */
async function write(writer: pg.Client, own: number, transactions: number): Promise<void> {
  for (let turn = 0; turn < transactions; turn++) {
    await writer.query("begin");
    try {
      for (let batch = below(3); batch >= 0; batch--) {
        const first = below(200);
        const range = below(15) === 0 ? "common" : own;
        const records = Array.from({ length: 1 + below(12) }, (_, index) => ({
          source: "feed-test",
          source_id: `${range}-${first + index}`,
          title: `Version ${crypto.randomUUID()}`,
          status: "open",
          // Imports of one new funder wait for each other.
          funder_name: `Feed Office ${own}`,
        }));
        await writer.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify(records)]);
        if (below(4) === 0) {
          const ids = [`${own}-${below(200)}`, `${own}-${below(200)}`];
          await writer.query("select funding.archive_records('grants', 'feed-test', $1)", [ids]);
        }
        await pause(below(6) === 0 ? below(200) : below(10));
      }
      await writer.query(below(6) === 0 ? "rollback" : "commit");
    } catch (error) {
      // Two writers that wait for each other: one of them begins again.
      if ((error as { code?: string }).code !== "40P01") throw error;
      await writer.query("rollback");
    }
    await pause(below(5));
  }
}

/** Renames the funder of one writer's records: not to the end, since that moves them all in the feed. */
async function rename(writer: pg.Client, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    await pause(150);
    const record = { source: "feed-directory", source_id: "1", name: `Feed Office, once ${turn}`, created_at: null };
    await writer
      .query("select funding.upsert_records('funders', $1::jsonb)", [
        JSON.stringify([turn === 0 ? { ...record, name: "Feed Office 0" } : record]),
      ])
      .catch((error: { code?: string }) => {
        if (error.code !== "40P01") throw error;
      });
  }
}

test("a mirror is the catalogue after writers that commit late, and gets no version twice; reading by time alone misses some", async () => {
  const copy = new Map<string, Item>();
  const archivedCopy = new Map<string, string>();
  const versions = new Set<string>();
  let position: MirrorPosition | undefined;
  const repeated: string[] = [];
  const follow = async () => {
    for await (const batch of databaseCollection<Item>(reader, "grants").mirror(position, {
      source: "feed-test",
      expand: ["details"],
      limit: 17,
    })) {
      for (const record of batch.records) {
        copy.set(record.id, record);
        archivedCopy.delete(record.id);
        const version = `${record.id} ${record.details.updated_at}`;
        if (versions.has(version)) repeated.push(version);
        versions.add(version);
      }
      for (const { id, archived_at } of batch.archived) {
        copy.delete(id);
        archivedCopy.set(id, archived_at);
      }
      position = batch.position;
    }
  };

  // A reader that asks for what is later than the latest that it has seen.
  const naiveCopy = new Map<string, string>();
  let latest = "-infinity";
  const followNaively = async () => {
    const { rows } = await reader.query(
      "select id, title, updated_at::text as at from funding.grants where source = 'feed-test' and updated_at > $1 order by updated_at",
      [latest],
    );
    for (const { id, title, at } of rows) {
      naiveCopy.set(id, title);
      latest = at;
    }
  };

  let isWriting = true;
  const reading = (async () => {
    while (isWriting) {
      await follow();
      await followNaively();
      await pause(below(15));
    }
  })();
  const [renamer, ...others] = writers as [pg.Client, ...pg.Client[]];
  await Promise.all([rename(renamer, 6), ...others.map((writer, own) => write(writer, own, 60))]);
  isWriting = false;
  await reading;
  await follow();
  await followNaively();

  const { rows } = await reader.query(
    "select id, title, archived_at, funding.moment(archived_at) as archived_moment, (select name from funding.funders where funders.id = funder_id) as funder_name from funding.grants where source = 'feed-test'",
  );
  const current = rows.filter(({ archived_at }) => archived_at === null);
  expect(new Map([...copy].map(([id, { title, funder_name }]) => [id, `${title}, ${funder_name}`]))).toEqual(
    new Map(current.map(({ id, title, funder_name }) => [id, `${title}, ${funder_name}`])),
  );
  expect(archivedCopy).toEqual(
    new Map(
      rows
        .filter(({ archived_at }) => archived_at !== null)
        .map(({ id, archived_moment }) => [id, archived_moment] as const),
    ),
  );
  expect(repeated).toEqual([]);
  expect(current.length).toBeGreaterThan(50);
  expect(versions.size).toBeGreaterThan(500);
  // So the writers did commit late.
  expect(rows.filter(({ id, title }) => naiveCopy.get(id) !== title)).not.toEqual([]);
});

test("a funder that a late grant names is in the feed of funders", async () => {
  const names: string[] = [];
  let position: MirrorPosition | undefined;
  const follow = async () => {
    for await (const batch of databaseCollection<{ id: string; name: string }>(reader, "funders").mirror(position)) {
      names.push(...batch.records.map(({ name }) => name));
      position = batch.position;
    }
  };
  const [late, early] = writers as [pg.Client, pg.Client];
  const id = crypto.randomUUID();
  await late.query("begin");
  await pause(20);
  await early.query("select funding.upsert_records('funders', $1::jsonb)", [
    JSON.stringify([{ source: "feed-directory", source_id: id, name: `Early ${id}`, created_at: null }]),
  ]);
  await follow();
  await late.query("select funding.upsert_records('grants', $1::jsonb)", [
    JSON.stringify([{ source: "feed-test", source_id: id, title: "Late", status: "open", funder_name: `Late ${id}` }]),
  ]);
  await follow();
  await late.query("commit");
  await follow();
  expect(names.filter((name) => name.endsWith(id))).toEqual([`Early ${id}`, `Late ${id}`]);
});

test("a writer keeps no lock but the shared one, which ends with its transaction", async () => {
  const [writer] = writers as [pg.Client];
  const locks = async () => {
    const { rows } = await writer.query(
      "select mode, granted from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()",
    );
    return rows;
  };
  await writer.query("begin");
  await writer.query("select funding.change_moment()");
  expect(await locks()).toEqual([{ mode: "ShareLock", granted: true }]);
  await writer.query("rollback");
  expect(await locks()).toEqual([]);
});
