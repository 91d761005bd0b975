import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealRecords } from "../../database/lexicon/seal.ts";
import { bearer, openTestService, type TestService, testOrigin } from "../support/service.ts";

/** Of the notices of one solicitation every way to read shows the newest current one, and `include_versions=true` the others. */

let service: TestService;
let headers: Record<string, string>;
const ids: Record<string, string> = {};

const notice = (source_id: string, changes: object = {}) => ({
  source: "sam-gov",
  source_id,
  title: "Quixotic Windmill Restoration",
  description: "Restoration of the windmill and its millstones.",
  status: "open",
  classification: "opportunity",
  funder_name: "Department of Windmills",
  deadline_date: "2096-07-01",
  naics: "541310",
  states: ["OH"],
  identifiers: ["WM-26-R-0001"],
  created_at: "2026-03-01T00:00:00Z",
  ...changes,
  details: { opportunity_number: "WM-26-R-0001", agency: ["Department of Windmills", "Mill Office"] },
});

async function load(...records: object[]) {
  await service.connection.query("select funding.upsert_records('contracts', $1::jsonb)", [JSON.stringify(records)]);
}

beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
  await load(
    notice("presolicitation", { title: "Presolicitation: Quixotic Windmill Restoration", naics: "541330" }),
    notice("solicitation", { created_at: "2026-04-01T00:00:00Z" }),
    notice("withdrawn", { created_at: "2026-05-01T00:00:00Z", archived_at: "2026-05-02T00:00:00Z" }),
  );
  const rows = await service.connection.query<{ id: string; source_id: string }>(
    "select id, source_id from funding.contracts where source_id in ('presolicitation', 'solicitation', 'withdrawn')",
  );
  for (const { id, source_id } of rows) ids[source_id] = id;
});
afterAll(() => service.close());

async function get<Body>(path: string, init: RequestInit = {}): Promise<Body> {
  const response = await service.fetch(path, { ...init, headers: { ...headers, ...init.headers } });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Body;
}

interface List {
  results: { id: string }[];
  archived?: { id: string }[];
  pagination: { total: number };
  facets?: Record<string, { value: string; count: number }[]>;
}

const names = (found: readonly { id: string }[]) =>
  found.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id).sort();

// Once from the records, and once from the index.
describe.each([false, true])("with the records in the index: %s", (isSealed) => {
  beforeAll(async () => {
    if (isSealed) {
      await service.connection.query("select funding.seal('contracts', 1, 2000)");
      await sealRecords(service.connection);
    }
  });

  const ways: [way: string, query: string][] = [
    ["the order of a field", "agency=Mill%20Office"],
    ["another order", "agency=Mill%20Office&sort_by=deadline_date&order=asc"],
    ["keywords", "search=quixotic%20windmill"],
    ["ranked keywords", "search=quixotic%20windmill&sort_by=relevance&agency=Mill%20Office"],
    ["meaning", "search=quixotic%20windmill&search_mode=semantic&agency=Mill%20Office"],
    ["both", "search=quixotic%20windmill&search_mode=hybrid&agency=Mill%20Office"],
    ["its number", "search=WM-26-R-0001"],
    ["the feed of changes", "agency=Mill%20Office&sort_by=updated_at&order=asc"],
  ];
  test.each(ways)("a list by %s has the newest current notice, and the others if asked", async (_, query) => {
    const read = async (more: string) => {
      const { results, pagination } = await get<List>(`/contracts-api?${query}${more}`);
      expect(pagination.total).toBe(results.length);
      return names(results);
    };
    expect(await read("")).toEqual(["solicitation"]);
    expect(await read("&include_archived=true")).toEqual(["solicitation"]);
    expect(await read("&include_versions=true")).toEqual(["presolicitation", "solicitation"]);
    expect(await read("&include_versions=true&include_archived=true")).toEqual([
      "presolicitation",
      "solicitation",
      "withdrawn",
    ]);
  });

  test("totals and facets count what the list shows", async () => {
    const count = async (more: string) =>
      get<{ total: number; facets: List["facets"] }>(
        `/contracts-api?agency=Mill%20Office&count_only=true&facets=naics${more}`,
      );
    expect(await count("")).toEqual({ total: 1, facets: { naics: [{ value: "541310", count: 1 }] } });
    expect(await count("&include_versions=true")).toEqual({
      total: 2,
      facets: {
        naics: [
          { value: "541310", count: 1 },
          { value: "541330", count: 1 },
        ],
      },
    });
  });
});

test("CSV, the search in a body and semantic search have the newest current notice", async () => {
  const csv = await service.fetch("/contracts-api?agency=Mill%20Office&format=csv", { headers });
  const lines = (await csv.text()).trim().split("\n");
  expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual([ids.solicitation]);
  const post = (body: object) => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const found = await get<List>("/contracts-api/search", post({ agency: "Mill Office", include_versions: true }));
  expect(names(found.results)).toEqual(["presolicitation", "solicitation"]);
  const meant = await get<{ results: { id: string }[] }>(
    "/semantic-search",
    post({ query: "Quixotic Windmill Restoration", type: "contracts" }),
  );
  expect(names(meant.results)).toContain("solicitation");
  expect(names(meant.results)).not.toContain("presolicitation");
});

test("a tool of MCP finds the newest current notice", async () => {
  const response = await service.fetch("/mcp", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search_contracts", arguments: { search: "quixotic windmill" } },
    }),
  });
  const text = await response.text();
  expect(text).toContain(ids.solicitation);
  expect(text).not.toContain(ids.presolicitation);
});

test("a page of the public catalogue lists the newest current notice", async () => {
  const response = await service.send(
    new Request(`${testOrigin}/funding?dataset=contracts&search=quixotic%20windmill&sort=newest`),
  );
  const text = await response.text();
  expect(text).toContain(ids.solicitation);
  expect(text).not.toContain(ids.presolicitation);
});

test("the page of an earlier notice leads to that of the newest", async () => {
  const open = async (name: string) => {
    const path = `/contracts/${ids[name]}`;
    const moved = await service.send(new Request(`${testOrigin}${path}`, { redirect: "manual" }));
    const response = await service.send(new Request(new URL(moved.headers.get("location") ?? "", testOrigin)));
    expect(response.status).toBe(200);
    return await response.text();
  };
  expect(await open("presolicitation")).toContain(`href="/contracts/${ids.solicitation}"`);
  expect(await open("solicitation")).not.toContain("See the current record");
});

test("CommonGrants has the newest current record of an opportunity", async () => {
  const of = (source_id: string, created_at: string) => ({ ...notice(source_id, { created_at }), source: source_id });
  const details = { opportunity_number: "WM-26-G-0002", agency: ["Department of Windmills"] };
  const copies = [of("one", "2026-03-01T00:00:00Z"), of("two", "2026-04-01T00:00:00Z")].map(
    ({ naics: _, ...copy }) => ({ ...copy, details }),
  );
  await service.connection.query("select funding.upsert_records('grants', $1::jsonb)", [JSON.stringify(copies)]);
  const { items } = await get<{ items: { id: string }[] }>("/common-grants/opportunities/search", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ search: "quixotic windmill" }),
  });
  const [row] = await service.connection.query<{ id: string }>("select id from funding.grants where source = 'two'");
  expect(items.map(({ id }) => id)).toEqual([row?.id]);
});

test("statistics of the funder count the opportunity once", async () => {
  const [row] = await service.connection.query<{ statistics: unknown }>(
    "select funding.statistics_of_funder(funder_id) as statistics from funding.contracts where id = $1",
    [ids.solicitation],
  );
  expect(row?.statistics).toMatchObject({ open_opportunities: { contracts: 1 } });
});

test("suggestions count the newest current notice alone", async () => {
  await service.connection.query("update funding.suggestion_renewal set version = -1, duration = '0'");
  await sealRecords(service.connection);
  const { results } = await get<{ results: { kind: string; records: number }[] }>("/suggest?q=mill%20off&kinds=agency");
  expect(results).toEqual([expect.objectContaining({ kind: "agency", records: 1 })]);
});

test("ids and addresses answer with every version, and its details say what it is the same as", async () => {
  const { results } = await get<List>(`/contracts-api?ids=${Object.values(ids).join(",")}`);
  expect(names(results)).toEqual(["presolicitation", "solicitation", "withdrawn"]);
  const sameAs = async (name: string) => {
    const { details } = await get<{ details: { same_as: unknown } }>(`/contracts-api/${ids[name]}?expand=details`);
    return details.same_as;
  };
  expect(await sameAs("presolicitation")).toEqual([
    { id: ids.solicitation, by: "notice", is_listed: true },
    { id: ids.withdrawn, by: "notice", is_listed: false },
  ]);
  expect(await sameAs("solicitation")).toEqual([
    { id: ids.withdrawn, by: "notice", is_listed: false },
    { id: ids.presolicitation, by: "notice", is_listed: false },
  ]);
  expect(await get(`/contracts-api/${ids.presolicitation}`)).not.toHaveProperty("details");
});

test("a mirror gets every version", async () => {
  const { results, archived } = await get<List>(
    "/contracts-api?agency=Mill%20Office&sort_by=updated_at&order=asc&archived_as_ids=true",
  );
  expect(names(results)).toEqual(["presolicitation", "solicitation"]);
  expect(names(archived ?? [])).toEqual(["withdrawn"]);
});
