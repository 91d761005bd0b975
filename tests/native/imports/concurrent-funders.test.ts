import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined) throw new Error("DATABASE_URL must name the native stack's database");

const sessions: pg.Client[] = [];
let watcher: pg.Client;

async function connect(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: DATABASE_URL });
  await session.connect();
  return session;
}

beforeAll(async () => {
  watcher = await connect();
  for (let each = 0; each < 3; each++) sessions.push(await connect());
});
afterAll(async () => {
  for (const source of ["one", "two", "directory"]) {
    await watcher.query("delete from funding.grants where source = $1", [source]);
    await watcher.query("delete from funding.funder_codes where source = $1", [source]);
  }
  await watcher.query("delete from funding.funders where source in ('one', 'two', 'directory')");
  await Promise.all([watcher, ...sessions].map((session) => session.end()));
});

interface Batch {
  dataset: "grants" | "funders";
  records: object[];
}

const load = (session: pg.Client, { dataset, records }: Batch) =>
  session.query("select funding.upsert_records($1, $2::jsonb)", [dataset, JSON.stringify(records)]);

let serial = 0;
const grant = (source: string, funder_name: string, funder_source_id: string | null = null) => ({
  source,
  source_id: String(++serial),
  title: funder_name,
  status: "open",
  funder_name,
  funder_source_id,
});
const listed = (source_id: string, name: string) => ({ source: "directory", source_id, name, created_at: null });

/** Returns once a session waits for another's lock, or is done with its work without. */
async function untilWaiting(session: pg.Client, work: Promise<unknown>): Promise<void> {
  const pid = (session as pg.Client & { processID: number }).processID;
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone) {
    const { rows } = await watcher.query("select cardinality(pg_blocking_pids($1)) > 0 as is_waiting", [pid]);
    if (rows[0]?.is_waiting) return;
  }
}

const fundersOf = async (name: string): Promise<string[]> =>
  (
    await watcher.query("select id from funding.funders where funding.name_key(name) = funding.name_key($1)", [name])
  ).rows.map(({ id }) => id);
const fundersOfGrants = async (name: string): Promise<string[]> =>
  (
    await watcher.query(
      "select distinct funder_id from funding.grants where funding.name_key(title) = funding.name_key($1)",
      [name],
    )
  ).rows.map(({ funder_id }) => funder_id);

const unique = (name: string) => `${name} ${crypto.randomUUID()}`;

test.each<[string, (a: string, b: string) => [Batch, Batch]]>([
  [
    "two sources, in opposite orders",
    (a, b) => [
      { dataset: "grants", records: [grant("one", a), grant("one", b)] },
      { dataset: "grants", records: [grant("two", b.toUpperCase()), grant("two", a.toUpperCase())] },
    ],
  ],
  [
    "two sources, one with codes",
    (a, b) => [
      { dataset: "grants", records: [grant("one", a, `${a} 1`), grant("one", b, `${b} 1`)] },
      { dataset: "grants", records: [grant("two", b), grant("two", a)] },
    ],
  ],
  [
    "an import of grants, then a directory",
    (a, b) => [
      { dataset: "grants", records: [grant("one", a), grant("one", b)] },
      { dataset: "funders", records: [listed(b, b), listed(a, a)] },
    ],
  ],
  [
    "a directory, then an import of grants",
    (a, b) => [
      { dataset: "funders", records: [listed(b, b), listed(a, a)] },
      { dataset: "grants", records: [grant("one", a), grant("one", b)] },
    ],
  ],
])("two imports at once that name the same new funders make each once: %s", async (_, batchesOf) => {
  const [a, b] = [unique("Alpha"), unique("Beta")];
  const [one, other] = sessions as [pg.Client, pg.Client];
  const [first, second] = batchesOf(a, b);
  await one.query("begin");
  await load(one, first);
  const waiting = load(other, second);
  await untilWaiting(other, waiting);
  await one.query("commit");
  await waiting;
  for (const name of [a, b]) {
    const [id, ...more] = await fundersOf(name);
    expect(more).toEqual([]);
    expect(await fundersOfGrants(name)).toEqual([id]);
  }
});

test("two directories at once that list a funder which opportunities named make one each, and both are found again", async () => {
  const name = unique("Alpha");
  const [one, other] = sessions as [pg.Client, pg.Client];
  await load(one, { dataset: "grants", records: [grant("one", name)] });
  const [[made]] = [await fundersOf(name)];
  await one.query("begin");
  await load(one, { dataset: "funders", records: [listed(`${name} 1`, name)] });
  const waiting = load(other, { dataset: "funders", records: [listed(`${name} 2`, name)] });
  await untilWaiting(other, waiting);
  await one.query("commit");
  await waiting;
  const { rows } = await watcher.query("select id, source_id from funding.funders where name = $1 order by source_id", [
    name,
  ]);
  expect(rows).toEqual([
    { id: made, source_id: `${name} 1` },
    { id: expect.any(String), source_id: `${name} 2` },
  ]);
});

/** A batch of some of a few funders, with or without codes, or a directory's. */
const batch = (names: readonly string[]) =>
  fc
    .record({
      source: fc.constantFrom("one", "two", "directory"),
      named: fc.array(fc.tuple(fc.constantFrom(...names), fc.boolean(), fc.constantFrom("x", "y", "z")), {
        minLength: 1,
        maxLength: 6,
      }),
    })
    .map(({ source, named }) => ({ source, named }));

test("whatever three imports bring at once, none is rejected, none is told of a deadlock, and every bare name has one funder", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(
        ...Array.from({ length: 3 }, () =>
          fc.array(batch(["Ann", "Bob", "Cid", "Dan"]), { minLength: 1, maxLength: 4 }),
        ),
      ),
      async (imports) => {
        const run = crypto.randomUUID();
        await Promise.all(
          imports.map(async (batches, index) => {
            const session = sessions[index];
            if (session === undefined) return;
            for (const { source, named } of batches) {
              const records =
                source === "directory"
                  ? [...new Map(named.map(([name]) => [name, listed(`${run} ${name}`, `${name} ${run}`)])).values()]
                  : named.map(([name, isCoded, code]) =>
                      grant(source, `${name} ${run}`, isCoded ? `${run} ${code}` : null),
                    );
              await load(session, { dataset: source === "directory" ? "funders" : "grants", records });
            }
          }),
        );
        const { rows } = await watcher.query(
          "select funding.name_key(name) as name, count(*) from funding.funders where name like $1 group by 1 having count(*) > 1",
          [`%${run}`],
        );
        expect(rows).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
