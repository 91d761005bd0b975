import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined) throw new Error("DATABASE_URL must name the native stack's database");

const sessions: pg.Client[] = [];

async function connect(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: DATABASE_URL });
  await session.connect();
  sessions.push(session);
  return session;
}

let one: pg.Client;
let other: pg.Client;
let watcher: pg.Client;

beforeAll(async () => {
  [one, other, watcher] = [await connect(), await connect(), await connect()];
});
afterEach(async () => {
  await one.query("rollback");
  await other.query("rollback");
  await watcher.query("delete from funding.grants where source like 'version %'");
});
afterAll(async () => {
  await watcher.query("delete from funding.funders where source like 'version %'");
  await Promise.all(sessions.map((session) => session.end()));
});

const load = (session: pg.Client, month: number) =>
  session.query("select funding.upsert_records('grants', $1::jsonb)", [
    JSON.stringify([
      {
        source: `version ${month}`,
        source_id: "1",
        title: "Restoration of the Windmill",
        description: "",
        status: "open",
        classification: "opportunity",
        funder_name: "Department of Versions at Once",
        created_at: `2026-0${month}-01T00:00:00Z`,
        details: { opportunity_number: "AT-ONCE-26-0001" },
      },
    ]),
  ]);

/** Source of the version that lists show in the place of each one's. */
async function links() {
  const { rows } = await watcher.query(
    `select record.source, shown.source as shown from funding.grants as record left join funding.grants as shown on shown.id = record.superseded_by
     where record.source like 'version %' order by 1`,
  );
  return rows.map(({ source, shown }) => [source, shown]);
}

test.each([
  [1, 2],
  [2, 1],
])("versions that two imports bring at once are linked: %i before %i", async (first, second) => {
  await load(watcher, 3);
  await one.query("begin");
  await load(one, first);
  const waiting = load(other, second);
  await one.query("commit");
  await waiting;
  expect(await links()).toEqual([
    ["version 1", "version 3"],
    ["version 2", "version 3"],
    ["version 3", null],
  ]);
});

test("an import does not wait for a version that somebody is writing: upkeep links it afterwards", async () => {
  await load(watcher, 1);
  await one.query("begin");
  await one.query("select from funding.grants where source = 'version 1' for update");
  await load(other, 2);
  expect(await links()).toEqual([
    ["version 1", null],
    ["version 2", null],
  ]);
  await one.query("rollback");
  let linked = 0;
  // Sealing and merging go first.
  for (let call = 0; linked === 0 && call < 100; call++) {
    const { rows } = await watcher.query("select public.seal_records() as done");
    ({ linked } = rows[0].done);
  }
  expect(await links()).toEqual([
    ["version 1", "version 2"],
    ["version 2", null],
  ]);
});
