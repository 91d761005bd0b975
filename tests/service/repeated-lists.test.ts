import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bearer, openTestService, type TestService } from "../support/service.ts";

interface Answer {
  results: { id: string; title: string; funder_name: string }[];
  pagination: { total: number; returned: number; next: string | null };
  meta: { data_as_of: string };
}

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

const path = "/grants-api?limit=3&sort_by=created_at";

async function asked(query = path, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await service.fetch(query, { headers: { ...bearer(key), ...headers } });
  expect(response.status).toBe(200);
  return response.json() as Promise<Answer>;
}

/** Changes records so that nothing in the database knows, and forgets what the database remembers of lists. */
async function unseen(change: string): Promise<void> {
  await service.connection.execute(
    `set session_replication_role = replica; ${change}; set session_replication_role = origin; truncate funding.pages`,
  );
}

let ids: string[];
beforeEach(async () => {
  ids = (await asked()).results.map(({ id }) => id);
  await service.connection.query("update funding.grants set title = 'First' where id = $1", [ids[0]]);
  expect((await asked()).results[0]?.title).toBe("First");
});

test("a list that has not changed is answered without its records being read again", async () => {
  const before = await asked();
  await unseen(`update funding.grants set title = 'Unseen' where id = '${ids[0]}'`);
  const { meta, ...after } = await asked();
  expect({ ...after, meta: { ...meta, response_time_ms: 0 } }).toEqual({
    ...before,
    meta: { ...before.meta, response_time_ms: 0 },
  });
  expect((await asked(`${path}&offset=0`)).results[0]?.title).toBe("First");
  expect((await asked(`${path}&order=desc`)).results[0]?.title, "another request is another list").toBe("Unseen");
});

test("a query in a body is answered from the cache of the same one in an address", async () => {
  const { results } = await asked(path);
  await unseen(`update funding.grants set title = 'Unseen' where id = '${ids[0]}'`);
  const search = async (body: object) => {
    const response = await service.fetch("/grants-api/search", {
      method: "POST",
      headers: { ...bearer(key), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as Answer).results;
  };
  expect(await search({ sort_by: "created_at", limit: 3 })).toEqual(results);
  expect((await search({ sort_by: "created_at", limit: 3, fields: ["title"] }))[0]).toEqual({
    id: ids[0],
    title: "Unseen",
  });
});

describe.each([
  ["a record", () => `update funding.grants set title = 'Now' where id = '${ids[0]}'`, { title: "Now" }],
  [
    "its funder",
    () =>
      `update funding.funders set name = 'New name' where id = (select funder_id from funding.grants where id = '${ids[0]}')`,
    { funder_name: "New name" },
  ],
])("a list is that of now after a change of %s", (_, change, expected) => {
  test("asked for right after", async () => {
    await service.connection.execute(change());
    expect((await asked()).results[0]).toMatchObject(expected);
    expect((await asked()).results[0]).toMatchObject(expected);
  });
});

test("a record that comes or goes is seen at once, and the total with it", async () => {
  const before = await asked();
  await service.connection.query("update funding.grants set archived_at = now() where id = $1", [ids[0]]);
  const without = await asked();
  expect([without.pagination.total, without.results[0]?.id]).toEqual([before.pagination.total - 1, ids[1]]);
  await service.connection.query("update funding.grants set archived_at = null where id = $1", [ids[0]]);
  const again = await asked();
  expect([again.pagination, again.results]).toEqual([before.pagination, before.results]);
});

test("a ranked search is ranked anew when a setting moves", async () => {
  const search = "/grants-api?limit=3&search_mode=hybrid&search=water+quality";
  const { results } = await asked(search);
  await unseen(`update funding.grants set title = 'Unseen' where id = '${results[0]?.id}'`);
  expect((await asked(search)).results).toEqual(results);
  await service.connection.execute("update funding.settings set value = value where name = 'fusion_k'");
  expect((await asked(search)).results.map(({ title }) => title)).toContain("Unseen");
});

test("data_as_of is read anew each time", async () => {
  const before = await asked();
  await service.connection.execute(
    `insert into funding.imports (source, importer, datasets, file, is_full, as_of, outcome, finished_at)
     values ('test', 'test', '{grants}', 'test', false, '2026-11-19T10:00:00Z', 'completed', now())`,
  );
  const { meta, results } = await asked();
  expect(results).toEqual(before.results);
  expect(meta.data_as_of).toBe("2026-11-19T10:00:00.000Z");
});

test("a list that was remembered is admitted and counted like any other", async () => {
  const metered = await service.newKey("three-requests", 3);
  const statuses: number[] = [];
  for (let request = 0; request < 4; request++) {
    statuses.push((await service.fetch(path, { headers: bearer(metered.key) })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(
    (await service.fetch(path, { headers: bearer(`${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`) })).status,
  ).toBe(401);
});

test("CSV, HEAD and facets of a remembered list are whole", async () => {
  const { results, pagination } = await asked();
  const csv = await service.fetch(path, { headers: { ...bearer(key), accept: "text/csv" } });
  expect((await csv.text()).trim().split("\r\n")).toHaveLength(results.length + 1);
  const head = await service.fetch(path, { method: "HEAD", headers: bearer(key) });
  expect(Number(head.headers.get("content-length"))).toBeGreaterThan(100 * results.length);
  const faceted = `${path}&facets=status`;
  for (const round of [1, 2]) {
    const { facets } = (await asked(faceted)) as Answer & { facets: { status: { count: number }[] } };
    expect(
      facets.status.reduce((sum, { count }) => sum + count, 0),
      `round ${round}`,
    ).toBe(pagination.total);
  }
});
