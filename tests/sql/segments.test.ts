import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Connection, queryOne } from "../../database/connection.ts";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { pgliteConnection } from "../../database/pglite.ts";
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
  fc.record({ kind: fc.constant("merge"), from: fc.constant(0), count: fc.integer({ min: 50, max: 8_000 }) }),
  fc.record({
    kind: fc.constant("clean"),
    from: fc.integer({ min: 64, max: 1_000 }),
    count: fc.integer({ min: 1, max: 60 }),
  }),
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
  merge: "select funding.merge_segments('grants', $2), $1::int",
  clean: "select funding.clean_segments('grants', $2, $1)",
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
  { statuses: ["closed", "upcoming"], deadline_range: { operator: "between", min: "2026-12-01", max: "2027-06-30" } },
  {
    opportunity_type: "awarded",
    posted_range: { operator: "between", min: "0001-01-01T00:00:00Z", max: "2026-03-01T00:00:00Z" },
  },
  { amount_min_range: { operator: "between", min: 10_000, max: 90_000.5 }, search: "community" },
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
     join funding.grants as record on record.slot = found.slot`,
    [{ ...filter, search, search_mode: "hybrid" }, search],
  );
  return new Map(rows.map(({ id, score }) => [id, score]));
}

/** More words than coverage is worked out for. */
const long =
  "community health education school rural water research county training services program youth family zebra";

const legSearches: [search: string, filter: object][] = [
  ["community health", {}],
  ["zebra education", {}],
  ["rural walrus", { states: ["CA", "TX"] }],
  ["school", { min_amount: 10_000, deadline_after: "2026-06-01" }],
  ["community education -health", {}],
  ['"community health" education', { geography: "a" }],
  ["community health", { geography: "ex" }],
  ["community school", { opportunity_type: "all", include_archived: true }],
  [long, {}],
  [long, { states: ["CA", "TX"] }],
  [`${long} -walrus`, { geography: "o" }],
];

/** Both legs find the same, with the same scores, by the segments and by reading each record. */
async function expectLegsToBeRight(): Promise<void> {
  const searches = legSearches.flatMap(([search, filter]) =>
    (["keyword", "semantic"] as const).map((leg) => ({ leg, search, filter })),
  );
  const findAll = async () => {
    const all = [];
    for (const { leg, search, filter } of searches) all.push(await found(leg, search, filter));
    return all;
  };
  const bySegments = await findAll();
  await connection.execute("begin");
  await connection.execute("select funding.drop_segments('grants')");
  const byReading = await findAll();
  await connection.execute("rollback");
  for (const [index, { leg, search }] of searches.entries()) {
    const [one, other] = [bySegments[index] ?? new Map(), byReading[index] ?? new Map()];
    expect([...one.keys()].sort(), `${leg} ${search}`).toEqual([...other.keys()].sort());
    for (const [id, score] of one) expect(score).toBeCloseTo(other.get(id) ?? -1, 3);
  }
}

test("whatever changes, and however it is sealed, merged and cleaned, lists and searches find what reading each record finds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 6, maxLength: 14 }), async (changes) => {
      for (const { kind, from, count } of changes) await connection.query(statements[kind] ?? "", [from, count]);
      await expectListsToBeRight();
      await expectLegsToBeRight();
    }),
    { numRuns: runs(12) },
  );
});

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
});

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

/** Everything of the grants but their slots, and what tells others of a change. */
async function readContent(): Promise<object> {
  return queryOne(
    connection,
    `select (select md5(string_agg((to_jsonb(record) - 'slot')::text, '' order by id)) from funding.grants as record) as records,
            (select jsonb_agg(to_jsonb(known) order by dataset) from funding.data_versions as known) as versions,
            funding.data_as_of('grants') as as_of,
            (select count(*)::int from funding.events) as events,
            (select count(*)::int from funding.record_changes) as changes`,
  );
}

async function readSlots(): Promise<Map<string, number>> {
  const rows = await connection.query<{ id: string; slot: number }>("select id, slot from funding.grants");
  return new Map(rows.map(({ id, slot }) => [id, slot]));
}

test("to move a record to another slot is no change of the data", async () => {
  await connection.execute(`
    with owner as (insert into funding.accounts (id, email) values (gen_random_uuid(), 'owner@example.org') returning id)
    insert into funding.webhook_endpoints (id, account_id, url, events, secret)
    select gen_random_uuid(), id, 'https://example.org', '{grant.created,grant.updated}', '' from owner`);
  const [before, slots] = [await readContent(), await readSlots()];
  const last = Math.max(...slots.values());
  const { moved } = await queryOne<{ moved: number }>(
    connection,
    "select funding.move_records('grants', 1, $1, 300) as moved",
    [last],
  );
  expect(moved).toBe(300);
  expect(await readContent()).toEqual(before);
  const after = await readSlots();
  expect([...after.values()].filter((slot) => slot > last)).toHaveLength(300);
  await expectListsToBeRight();
  await expectLegsToBeRight();
  // A writer's next change counts as a change of content, also in the transaction that moved records.
  await connection.transaction(async (transaction) => {
    await transaction.query("select funding.move_records('grants', 1, $1, 10)", [last]);
    await transaction.query("update funding.grants set updated_at = now() where id = $1", [[...slots.keys()][0]]);
  });
  expect(await readContent()).not.toEqual(before);
});

test("a segment is dropped with its last live record, but for the newest", async () => {
  const segments = async () =>
    (
      await connection.query<{ segment: number }>(
        "select segment from funding.blocks where dataset = 'grants' order by first_slot",
      )
    ).map(({ segment }) => segment);
  const rowsOf = (segment: number | undefined) =>
    queryOne(
      connection,
      `select (select count(*)::int from funding.bitmaps where dataset = 'grants' and block = $1)
            + (select count(*)::int from funding.postings where dataset = 'grants' and block = $1)
            + (select count(*)::int from funding.ranks where dataset = 'grants' and block = $1)
            + (select count(*)::int from funding.segment_values where dataset = 'grants' and segment = $1)
            + (select count(*)::int from funding.segment_slices where dataset = 'grants' and segment = $1) as rows`,
      [segment],
    );
  const sealCopies = async (count: number) => {
    await connection.query(statements.copy ?? "", [0, count]);
    await connection.query("select funding.seal('grants', 1)");
  };
  await connection.query("select funding.seal('grants', 1)");
  await sealCopies(60);
  const dead = (await segments()).at(-1);
  await connection.query("delete from funding.grants where slot >= funding.sealed_end('grants') - 60");
  await connection.query("select funding.drop_dead_segments('grants')");
  expect((await segments()).at(-1)).toBe(dead);
  await sealCopies(30);
  const before = await segments();
  // Too few to merge any.
  const { merged } = await queryOne<{ merged: number }>(
    connection,
    "select funding.merge_segments('grants', 10) as merged",
  );
  expect({ merged, after: await segments() }).toEqual({
    merged: 1,
    after: before.filter((segment) => segment !== dead),
  });
  expect(await rowsOf(dead)).toEqual({ rows: 0 });
  await expectListsToBeRight();
});

test("where records only change, segments and their rows stay as many", async () => {
  const records = 400;
  const [most, mostMerged] = [1_000, 500];
  await connection.execute(
    `delete from funding.grants where id not in (select id from funding.grants order by source_id limit ${records})`,
  );
  await connection.query("select funding.reindex_records()");
  const size = () =>
    queryOne<{ segments: number; slots: number; postings: number; bitmaps: number; retired: number }>(
      connection,
      `select count(distinct segment)::int as segments, sum(size)::int as slots,
              (select count(*)::int from funding.postings where dataset = 'grants') as postings,
              (select count(*)::int from funding.bitmaps where dataset = 'grants') as bitmaps,
              (select count(*)::int from funding.retired_slots where dataset = 'grants') as retired
       from funding.blocks where dataset = 'grants'`,
    );
  let cleaned = 0;
  // Some change fifty times as often as others, so that few segments lose all. Returns the largest sizes seen: between two merges they grow.
  const rewrite = async (times: number) => {
    const largest = await size();
    for (let turn = 0; turn < times * 4; turn++) {
      await connection.query(
        `update funding.grants set amount_max = coalesce(amount_max, 0) + coalesce(amount_min, 0) + 1
         where id in (select id from funding.grants order by random() / (1 + abs(hashtext(source_id)) % 50) limit $1)`,
        [records / 4],
      );
      for (;;) {
        const { result } = await queryOne<{
          result: Record<"sealed" | "merged" | "cleaned", number> & { failures: string[] };
        }>(connection, "select public.seal_records($1, $2) as result", [most, mostMerged]);
        expect(result.failures).toEqual([]);
        cleaned += result.cleaned;
        if (result.sealed + result.merged + result.cleaned === 0) break;
      }
      for (const [name, value] of Object.entries(await size())) {
        const key = name as keyof typeof largest;
        largest[key] = Math.max(largest[key], value);
      }
    }
    return largest;
  };
  const nearest = await found("semantic", "community health", {});
  expect(nearest.size).toBeGreaterThan(0);
  expect(nearest.size).toBeLessThan(records / 2);
  await connection.query("select setseed(0.5)");
  const early = await rewrite(3);
  const late = await rewrite(4);
  expect(cleaned).toBeGreaterThan(0);
  expect(cleaned).toBeLessThan((7 * records * 2) / 3);
  expect(late.slots / records).toBeLessThan(4);
  expect(late.segments).toBeLessThanOrEqual(early.segments + 3);
  expect(late.postings).toBeLessThan(early.postings * 1.5);
  expect(late.bitmaps).toBeLessThan(early.bitmaps * 1.5);
  expect(late.retired).toBeLessThan(1_100);
  // What a search finds by meaning has a floor, for which it reads a sample of the records, however often they changed.
  expect([...(await found("semantic", "community health", {})).keys()].sort()).toEqual([...nearest.keys()].sort());
  await expectListsToBeRight();
  await expectLegsToBeRight();
});

test("where slots run out, records are found and not written, until a fit", async () => {
  const copy = (count: number) => connection.query(statements.copy ?? "", [0, count]);
  await connection.query(
    "select setval('funding.grants_slots', seqmax - 70) from pg_sequence where seqrelid = 'funding.grants_slots'::regclass",
  );
  await copy(70);
  await connection.query("select funding.seal('grants')");
  await expect(copy(1)).rejects.toMatchObject({ code: "2200H" });
  await expectListsToBeRight();
  await expectLegsToBeRight();
  await connection.query("select funding.reindex_records()");
  await copy(70);
  await connection.query("select funding.seal('grants')");
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
