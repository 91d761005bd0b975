import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { createFundingClient, type FundingClient } from "../../packages/client/src/client.ts";
import type { MirrorBatch, MirrorPosition } from "../../packages/client/src/collection.ts";
import type { Grant } from "../../packages/client/src/types.ts";
import { bearer, openTestService, type TestService, testBaseUrl } from "../support/service.ts";

let service: TestService;
let key: string;
let client: FundingClient;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  client = createFundingClient({
    baseUrl: testBaseUrl,
    apiKey: key,
    fetch: (input, init) => service.send(new Request(input, init)),
  });
});
afterAll(() => service.close());

const feed = "sort_by=updated_at&order=asc&opportunity_type=all";

interface Answer {
  results: { id: string }[];
  archived?: { id: string; archived_at: string }[];
  pagination: { next: string | null; returned: number; total: number };
  meta: { last_updated_at?: string | null };
}

async function get(path: string): Promise<Answer> {
  const response = await service.fetch(path, { headers: bearer(key) });
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body as Answer;
}

async function load(dataset: string, ...records: object[]): Promise<void> {
  await service.connection.query("select funding.upsert_records($1, $2::jsonb)", [dataset, JSON.stringify(records)]);
}

const grant = (source_id: string, changes: object = {}) => ({
  source: "feed",
  source_id,
  title: `Feed ${source_id}`,
  status: "open",
  classification: "opportunity",
  funder_name: "Feed Office",
  ...changes,
});

async function idOf(source_id: string): Promise<string> {
  const sql = "select funding.record_id('grants', 'feed', $1) as id";
  return (await queryOne<{ id: string }>(service.connection, sql, [source_id])).id;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Reads the feed to its end; returns the batches. */
async function follow(position?: MirrorPosition): Promise<MirrorBatch<Grant>[]> {
  return await collect(client.grants.mirror(position, { limit: 100 }));
}

/** Where the feed ends now. */
async function end(): Promise<MirrorPosition> {
  const last = (await follow()).at(-1);
  if (last === undefined) throw new Error("the demo has grants");
  return last.position;
}

test("funders by when they changed are a feed, with the order said or by default", async () => {
  const [said, byDefault] = [
    await get("/funders-api?sort_by=updated_at&order=asc&limit=1"),
    await get("/funders-api?sort_by=updated_at&limit=1"),
  ];
  expect(byDefault.results).toEqual(said.results);
  expect(said.meta.last_updated_at).toMatch(/^2/);
  expect(byDefault.meta).toMatchObject({ last_updated_at: said.meta.last_updated_at });
});

test("a mark that is kept comes before every later change, also where the clock is set back", async () => {
  const before = await queryOne<{ ms: number }>(
    service.connection,
    "select (extract(epoch from funding.settled_mark()) * 1000)::double precision as ms",
  );
  const { last } = await queryOne<{ last: number }>(
    service.connection,
    "select last_value::double precision as last from funding.change_moments",
  );
  // Later changes are after the latest moment.
  expect(last).toBeGreaterThanOrEqual(before.ms);
});

test("facets beside a record of another dataset are counted anew when that record has changed", async () => {
  await load("grants", grant("compared"));
  const path = `/contracts-api?similar_to=${await idOf("compared")}&facets=status`;
  const versions = () =>
    service.connection.query(
      `select version from funding.pages where dataset = 'contracts' and page::text like '{"status"%' order by 1`,
    );
  await get(path);
  const before = await versions();
  expect(before).toHaveLength(1);
  await load("grants", grant("compared", { title: "Feed of another kind" }));
  await get(path);
  expect(await versions()).not.toEqual(before);
});

describe("the feed", () => {
  test("has every record once, archived ones by their ids, and is a copy of the catalogue", async () => {
    const batches = await follow();
    const records = batches.flatMap((batch) => batch.records);
    const archived = batches.flatMap((batch) => batch.archived);
    const ids = [...records, ...archived].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const listed = await collect(client.grants.iterate({ opportunity_type: "all" }));
    expect(new Map(records.map((record) => [record.id, record]))).toEqual(
      new Map(listed.map((record) => [record.id, record])),
    );
    const all = await client.grants.count({ opportunity_type: "all", include_archived: true });
    expect(archived.length).toBe(all - listed.length);
    expect(archived.length).toBeGreaterThan(0);
  });

  test("goes on from its end with what changed since, and with nothing where nothing did", async () => {
    await load("grants", grant("a"), grant("b"), grant("c"));
    const position = await end();
    expect(await follow(position)).toEqual([]);
    await load("grants", grant("b", { status: "closed" }), grant("c"), grant("d"));
    await service.connection.query("select funding.archive_records('grants', 'feed', '{a}')", []);
    const batches = await follow(position);
    expect(batches).toHaveLength(1);
    expect(batches[0]?.records.map(({ title, status }) => `${title} ${status}`).sort()).toEqual([
      "Feed b closed",
      "Feed d open",
    ]);
    expect(batches[0]?.archived).toEqual([
      { id: await idOf("a"), archived_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) },
    ]);
    expect(await follow(batches[0]?.position)).toEqual([]);
  });

  test("ends before what a writer may still commit, says so on the next request, and leaves out nothing", async () => {
    const position = await end();
    // The lock of a writer whose transaction is open.
    await service.connection.execute(
      "select pg_advisory_lock_shared(funding.change_lock_class() | funding.next_change_ms())",
    );
    await load("grants", grant("late"));
    expect(await follow(position)).toEqual([]);
    const { results, pagination, meta } = await get(`/grants-api?${feed}&limit=100&search=feed`);
    expect(results.map(({ id }) => id)).not.toContain(await idOf("late"));
    expect([pagination.next, typeof meta.last_updated_at]).toEqual([null, "string"]);
    // Other orders have it, and the total does.
    const newest = await get("/grants-api?sort_by=updated_at&opportunity_type=all&limit=1");
    expect(newest.results[0]?.id).toBe(await idOf("late"));
    expect(newest.meta).not.toHaveProperty("last_updated_at");
    await service.connection.execute("select pg_advisory_unlock_all()");
    const batches = await follow(position);
    expect(batches.flatMap(({ records }) => records.map(({ title }) => title))).toEqual(["Feed late"]);
  });

  test("does not wait for other locks", async () => {
    const position = await end();
    await service.connection.execute("select pg_advisory_lock_shared(1), pg_advisory_lock_shared(7, 7)");
    await load("grants", grant("unlocked"));
    expect((await follow(position)).flatMap(({ records }) => records.map(({ title }) => title))).toEqual([
      "Feed unlocked",
    ]);
    await service.connection.execute("select pg_advisory_unlock_all()");
  });

  test("goes on where the server's clock is set back", async () => {
    const position = await end();
    await service.connection.execute(
      "select setval('funding.change_moments', ((extract(epoch from clock_timestamp()) + 3600) * 1000)::bigint)",
    );
    await load("grants", grant("ahead"));
    await load("grants", grant("later"));
    const [batch] = await follow(position);
    expect(batch?.records.map(({ title }) => title)).toEqual(["Feed ahead", "Feed later"]);
    await load("grants", grant("last"));
    expect((await follow(batch?.position)).flatMap(({ records }) => records.map(({ title }) => title))).toEqual([
      "Feed last",
    ]);
    await service.connection.execute("select setval('funding.change_moments', 1)");
    await service.connection.execute("update funding.grants set updated_at = now() where source = 'feed'");
  });

  test("has the grants of a funder that was renamed, which show its name", async () => {
    const funder = { source: "feed", source_id: "f-1", name: "Feed Office", created_at: "2026-01-01T00:00:00Z" };
    await load("funders", funder);
    await load("grants", grant("a"), grant("named"));
    const position = await end();
    const before = (await collect(client.funders.mirror())).at(-1)?.position;
    await load("funders", { ...funder, name: "Feed Agency" });
    const [batch] = await follow(position);
    expect(batch?.records.map(({ title, funder_name }) => `${title}: ${funder_name}`)).toContain(
      "Feed named: Feed Agency",
    );
    const funders = await collect(client.funders.mirror(before));
    expect(funders.flatMap(({ records, archived }) => [...records.map(({ name }) => name), ...archived])).toEqual([
      "Feed Agency",
    ]);
  });

  test("goes on within a batch of one moment, however its pages cut it", async () => {
    const position = await end();
    const many = Array.from({ length: 25 }, (_, index) => grant(`many-${index}`));
    await load("grants", ...many);
    const titles: string[] = [];
    let next: MirrorPosition | undefined = position;
    // As a client that ends after every batch.
    for (let turn = 0; turn < 5 && next !== undefined; turn++) {
      const step = await client.grants.mirror(next, { limit: 10 }).next();
      next = step.value?.position;
      titles.push(...(step.value?.records.map(({ title }) => title) ?? []));
    }
    expect(titles.toSorted()).toEqual(many.map(({ title }) => title).toSorted());
  });
});

describe("archived_as_ids", () => {
  test("gives archived records by their ids in every order, and counts them", async () => {
    const path = "/grants-api?opportunity_type=all&limit=100&sort_by=title";
    const full = await get(`${path}&include_archived=true`);
    const split = await get(`${path}&archived_as_ids=true`);
    expect(split.pagination).toEqual(full.pagination);
    const kept = new Set(split.results.map(({ id }) => id));
    expect(full.results.filter(({ id }) => kept.has(id))).toEqual(split.results);
    expect([...kept, ...(split.archived ?? []).map(({ id }) => id)].sort()).toEqual(
      full.results.map(({ id }) => id).sort(),
    );
    expect(full).not.toHaveProperty("archived");
  });

  test("is refused in CSV", async () => {
    const response = await service.fetch("/grants-api?archived_as_ids=true&format=csv", { headers: bearer(key) });
    expect([response.status, JSON.stringify(await response.json())]).toEqual([
      400,
      expect.stringContaining("archived_as_ids"),
    ]);
  });
});
