import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connection, queryOne } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import { fitLexicon } from "../../lexicon/fit.ts";
import { runs } from "../support/properties.ts";
import { openTestDatabase } from "../support/service.ts";

let connection: Connection;
beforeAll(async () => {
  connection = pgliteConnection(await openTestDatabase());
});
afterAll(() => connection.close());

const numbers = { min: 0, max: 400 };
const change = fc.oneof(
  fc.record({ kind: fc.constant("copy"), from: fc.integer(numbers), count: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constant("reword"), from: fc.integer(numbers), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant("reprice"), from: fc.integer(numbers), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant("archive"), from: fc.integer(numbers), count: fc.integer({ min: 1, max: 10 }) }),
  fc.record({ kind: fc.constant("delete"), from: fc.integer(numbers), count: fc.integer({ min: 1, max: 10 }) }),
  fc.record({ kind: fc.constant("seal"), from: fc.constant(1), count: fc.integer({ min: 10, max: 200 }) }),
  fc.record({ kind: fc.constant("merge"), from: fc.constant(0), count: fc.constant(0) }),
);

/** SQL of each change to the grants. `$1` and `$2` say which ones: some in the order of their ids. */
const statements: Record<string, string> = {
  copy: `insert into funding.grants (id, title, description, amount_min, amount_max, deadline_date, status, classification, states, is_national,
           funder_id, created_at, categories, source, source_id, content_hash)
         select gen_random_uuid(), title || ' zebra', description, amount_min * 2, amount_max * 2, deadline_date + 3, status, classification, states,
           is_national, funder_id, created_at + interval '1 minute', categories, source, gen_random_uuid()::text, content_hash
         from (select * from funding.grants order by id offset $1 limit $2) as copied`,
  reword: `update funding.grants set title = title || ' walrus' where id in (select id from funding.grants order by id offset $1 limit $2)`,
  reprice: `update funding.grants set amount_max = greatest(amount_max, amount_min, 0) + 1000, deadline_date = deadline_date - 1
            where id in (select id from funding.grants order by id offset $1 limit $2)`,
  archive: `update funding.grants set archived_at = case when archived_at is null then now() end
            where id in (select id from funding.grants order by id offset $1 limit $2)`,
  delete: `delete from funding.grants where id in (select id from funding.grants order by id offset $1 limit $2)`,
  seal: "select funding.seal('grants', $1, $2)",
  merge: "select funding.merge_segments('grants'), $1::int, $2::int",
};

const filters = [
  {},
  { opportunity_type: "all", include_archived: true },
  { search: "community" },
  { search: "zebra" },
  { search: "walrus -zebra" },
  { states: ["CA", "TX"], include_national: true },
  { min_amount: 50_000, max_amount: 400_000 },
  { deadline_after: "2026-12-01" },
  { deadline_before: "2027-01-15", search: "education" },
  { status: "open", posted_after: "2020-01-01T00:00:00Z" },
];

/** Totals and pages of the grants, by the segments and by reading each record. */
async function expectListsToBeRight(): Promise<void> {
  for (const filter of filters) {
    const { found, counted } = await queryOne<{ found: number; counted: number }>(
      connection,
      `select funding.bitmap_total('grants', $1::jsonb)::int as found, counted.total::int as counted
       from (${await counting("count(*) as total", filter)}) as counted`,
      [filter],
    );
    expect(found, JSON.stringify(filter)).toBe(counted);
    for (const [sort_by, order, offset] of [
      ["deadline_date", "asc", 0],
      ["amount_max", "desc", 3],
      ["created_at", "asc", 120],
    ]) {
      const parameters = { ...filter, sort_by, order, limit: 20, offset };
      const sorted = `array_agg(record.id order by record.${sort_by} ${order} nulls last, record.id ${order}) as ids`;
      const page = await queryOne<{ total: number; ids: string[] | null; all: string[] | null }>(
        connection,
        `select (found.page).total::int as total, (found.page).ids as ids, sorted.ids as all
         from (select $1::jsonb, funding.bitmap_page('grants', funding.list_request_of('grants', $2)) as page) as found,
              (${await counting(sorted, filter)}) as sorted`,
        [filter, parameters],
      );
      expect(page.total).toBe(counted);
      // Where an index finds the page as soon, the bitmaps leave it to that.
      if (page.ids !== null)
        expect(page.ids, JSON.stringify(parameters)).toEqual(
          (page.all ?? []).slice(Number(offset), Number(offset) + 21),
        );
    }
  }
}

async function counting(columns: string, filter: object): Promise<string> {
  const { condition } = await queryOne<{ condition: string }>(
    connection,
    "select funding.predicate('grants', $1) as condition",
    [filter],
  );
  return `select ${columns} from funding.grants as record where ${condition.replaceAll("$1", "$1::jsonb")}`;
}

const legs = {
  keyword: "funding.keyword_candidates(scope, asked, 1000)",
  semantic: "funding.semantic_candidates(scope, asked, 1000)",
};

/** Records that a leg finds, with their scores, now. */
async function found(leg: keyof typeof legs, search: string, filter: object): Promise<Map<string, number>> {
  const rows = await connection.query<{ id: string; score: number }>(
    `select record.id, found.score from (
       select ${legs[leg]} as ranking
       from (select funding.scope_of('grants', $1) as scope, funding.read_query($2, null) as asked) as read offset 0
     ) as ranked, unnest((ranked.ranking).slots, (ranked.ranking).scores) as found(slot, score)
     join funding.grants as record on record.posting_number = found.slot`,
    [{ ...filter, search, search_mode: "hybrid" }, search],
  );
  return new Map(rows.map(({ id, score }) => [id, score]));
}

/** Both legs find the same, with the same scores, by the segments and by reading each record. */
async function expectLegsToBeRight(): Promise<void> {
  for (const [search, filter] of [
    ["community health", {}],
    ["zebra education", {}],
    ["rural walrus", { states: ["CA", "TX"] }],
    ["school", { min_amount: 10_000, deadline_after: "2026-06-01" }],
  ] as const) {
    for (const leg of ["keyword", "semantic"] as const) {
      const bySegments = await found(leg, search, filter);
      await connection.execute("begin");
      await connection.execute("select funding.drop_segments('grants')");
      const byReading = await found(leg, search, filter);
      await connection.execute("rollback");
      expect([...bySegments.keys()].sort(), `${leg} ${search}`).toEqual([...byReading.keys()].sort());
      for (const [id, score] of bySegments) expect(score).toBeCloseTo(byReading.get(id) ?? -1, 3);
    }
  }
}

test("whatever changes, and however it is sealed and merged, lists and searches find what reading each record finds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 6, maxLength: 14 }), async (changes) => {
      for (const { kind, from, count } of changes) await connection.query(statements[kind] ?? "", [from, count]);
      await expectListsToBeRight();
      await expectLegsToBeRight();
    }),
    { numRuns: runs(20) },
  );
}, 600_000);

test("a fit makes one segment of all", async () => {
  await fitLexicon(connection, () => undefined, 16);
  const { segments, unsealed } = await queryOne<{ segments: number[]; unsealed: number }>(
    connection,
    `select array_agg(distinct segment) as segments, funding.count_unsealed('grants', funding.sealed_end('grants'), 10)::int as unsealed
     from funding.blocks where dataset = 'grants'`,
  );
  expect({ segments, unsealed }).toEqual({ segments: [0], unsealed: 0 });
  await expectListsToBeRight();
  await expectLegsToBeRight();
}, 120_000);

test("slots that are nobody's do not stop sealing", async () => {
  const seal = async () =>
    (await queryOne<{ records: number }>(connection, "select funding.seal('grants', 64, 100) as records")).records;
  while ((await seal()) > 0);
  await connection.query(statements.copy ?? "", [0, 10]);
  await connection.query("select nextval('funding.grants_slots') from generate_series(1, 500)");
  await connection.query(statements.copy ?? "", [0, 70]);
  expect(await seal()).toBe(10);
  expect(await seal()).toBe(70);
  expect(await seal()).toBe(0);
  await expectListsToBeRight();
});

test("a dataset that was emptied is sealed again", async () => {
  await connection.execute(`
    create temporary table kept as select * from funding.grants;
    truncate funding.grants`);
  const { columns } = await queryOne<{ columns: string }>(
    connection,
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = 'funding.grants'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  await connection.execute(`insert into funding.grants (${columns}) select ${columns} from kept`);
  const { records } = await queryOne<{ records: number }>(connection, "select funding.seal('grants') as records");
  expect(records).toBeGreaterThan(64);
  await expectListsToBeRight();
  await expectLegsToBeRight();
});
