import { beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { apiClient, parse, readJson } from "./client.ts";
import { discoverQuery } from "./discover.ts";
import { expectOrder } from "./order.ts";
import { openContract, openGrant, problemDocument, semanticAnswer } from "./schemas.ts";
import { type Caller, contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const path = "/semantic-search";

function post(
  body: BodyInit,
  headers: Record<string, string> = { "content-type": "application/json" },
  caller?: Caller,
) {
  return target.send(path, { method: "POST", body, headers }, caller);
}

async function search(body: Record<string, unknown>) {
  const text = JSON.stringify(body);
  return parse(semanticAnswer, await readJson(await post(text), 200, text), text);
}

async function refused(response: Response, status: number, request: string) {
  expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  return parse(problemDocument, await readJson(response, status, request), request);
}

describe("POST /semantic-search", () => {
  let query: string;
  beforeAll(async () => {
    query = await discoverQuery(client, ["grants-api", "contracts-api"], "semantic");
  });

  test("finds applyable grants and contracts, each with its fields, its type and its score", async () => {
    for (const type of ["grants", "contracts"]) {
      const { results, meta } = await search({ query, type, limit: 100 });
      expect(new Set(results.map((result) => result.type))).toEqual(new Set([type]));
      expect(meta.search_mode).toBe("semantic");
    }
  });

  test("the best come first, whatever their type, and ties by id", async () => {
    const { results } = await search({ query, limit: 100 });
    expectOrder(results, "relevance", "desc");
    expect(results.length).toBeGreaterThan(10);
  });

  const types: { type: string; name: string; schema: z.ZodType }[] = [
    { type: "grants", name: "grants-api", schema: openGrant },
    { type: "contracts", name: "contracts-api", schema: openContract },
  ];
  test.each(types)(
    "type=$type finds these alone, each the record that its own endpoint gives",
    async ({ type, name, schema }) => {
      const { results } = await search({ query, type, limit: 100 });
      expect(new Set(results.map((result) => result.type))).toEqual(new Set([type]));
      for (const { type: _, relevance_score: __, ...record } of results.slice(0, 3)) {
        expect(parse(schema, await client.json(`/${name}/${record.id}`), name)).toEqual(record);
      }
    },
  );

  test.each(["grants-api", "contracts-api"] as const)("scores are those of semantic search over /%s", async (name) => {
    const { results } = await search({ query, type: name.replace("-api", ""), limit: 20 });
    const listed = await client.ranked(name, { search: query, search_mode: "semantic", limit: 20 });
    const scores = (records: readonly { id: string; relevance_score: number }[]) =>
      records.map(({ id, relevance_score }) => ({ id, relevance_score }));
    expect(results.length).toBeGreaterThan(0);
    expect(scores(results)).toEqual(scores(listed.results));
  });

  test("both types when type is absent: the best of the two together", async () => {
    const limit = 30;
    const [both, grants, contracts] = await Promise.all([
      search({ query, limit }),
      search({ query, limit, type: "grants" }),
      search({ query, limit, type: "contracts" }),
    ]);
    const best = [...grants.results, ...contracts.results].sort(
      (one, other) => other.relevance_score - one.relevance_score || (one.id < other.id ? -1 : 1),
    );
    expect(both.results).toEqual(best.slice(0, limit));
  });

  test("limit is 10 when absent", async () => {
    expect((await search({ query })).results).toHaveLength(10);
  });

  test.each([1, 11, 100])("limit=%i gives the first that many of the same results", async (limit) => {
    const { results } = await search({ query, limit });
    const all = (await search({ query, limit: 100 })).results;
    expect(results).toEqual(all.slice(0, limit));
    expect(results.length).toBeGreaterThanOrEqual(Math.min(limit, 11));
  });

  test("nonsense finds an empty list, and no error", async () => {
    expect((await search({ query: "qzxvwk jjqpzz wqxkv" })).results).toEqual([]);
  });

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON",
  ])("takes the content type %s", async (contentType) => {
    const response = await post(JSON.stringify({ query }), { "content-type": contentType });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  });
});

describe("the body of POST /semantic-search", () => {
  const rows: { body: unknown; names: string[] }[] = [
    { body: {}, names: ["query"] },
    { body: { query: "" }, names: ["query"] },
    { body: { query: "   " }, names: ["query"] },
    { body: { query: null }, names: ["query"] },
    { body: { query: 7 }, names: ["query"] },
    { body: { query: ["water"] }, names: ["query"] },
    { body: { query: "water", type: "funders" }, names: ["type"] },
    { body: { query: "water", type: "grant" }, names: ["type"] },
    { body: { query: "water", type: "" }, names: ["type"] },
    { body: { query: "water", type: null }, names: ["type"] },
    { body: { query: "water", type: ["grants", "contracts"] }, names: ["type"] },
    { body: { query: "water", limit: 0 }, names: ["limit"] },
    { body: { query: "water", limit: -1 }, names: ["limit"] },
    { body: { query: "water", limit: 101 }, names: ["limit"] },
    { body: { query: "water", limit: 1.5 }, names: ["limit"] },
    { body: { query: "water", limit: "10" }, names: ["limit"] },
    { body: { query: "water", limit: true }, names: ["limit"] },
    { body: { query: "water", offset: 10 }, names: ["offset"] },
    { body: { query: "water", status: "open" }, names: ["status"] },
    { body: { type: "funders", limit: 0 }, names: ["limit", "query", "type"] },
  ];
  test.each(rows)("$body is refused, naming $names", async ({ body, names }) => {
    const problem = await refused(await post(JSON.stringify(body)), 400, JSON.stringify(body));
    expect(problem.errors?.map(({ parameter }) => parameter).sort()).toEqual(names);
  });

  test.each([
    { typed: "querry", meant: "query" },
    { typed: "limits", meant: "limit" },
    { typed: "types", meant: "type" },
  ])("the unknown field $typed is refused and $meant suggested", async ({ typed, meant }) => {
    const problem = await refused(await post(JSON.stringify({ query: "water", [typed]: "x" })), 400, typed);
    expect(problem.errors).toEqual([
      { parameter: typed, message: expect.stringMatching(new RegExp(`\\b${meant}\\b`)) },
    ]);
  });

  test.each(["", "{", "{query: 'water'}", '{"query": "water",}', "null", "[]", '"water"', "7", "[[[[[["])(
    "%j is not a JSON object and is refused",
    async (body) => {
      expect((await refused(await post(body), 400, body)).status).toBe(400);
    },
  );

  test("bytes that are not UTF-8 are refused", async () => {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode('{"query":"'),
      0xff,
      0xfe,
      ...new TextEncoder().encode('"}'),
    ]);
    expect((await refused(await post(bytes), 400, "invalid UTF-8")).status).toBe(400);
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "text/json",
  ])("the content type %s is 415", async (contentType) => {
    const problem = await refused(await post('{"query":"water"}', { "content-type": contentType }), 415, contentType);
    expect(problem.status).toBe(415);
  });

  test("a body without a content type is 415", async () => {
    await refused(await post(new TextEncoder().encode('{"query":"water"}'), {}), 415, "no content type");
  });

  test("more than 64 KiB is 413, and a body of that size is read", async () => {
    const padded = (bytes: number) => `{"query":"water"${" ".repeat(bytes - 17)}}`;
    expect(padded(100)).toHaveLength(100);
    expect((await post(padded(64 * 1024))).status).toBe(200);
    await refused(await post(padded(64 * 1024 + 1)), 413, "64 KiB and a byte");
    await refused(await post(padded(1024 * 1024)), 413, "1 MiB");
  });

  test("no query parameter is taken", async () => {
    const response = await target.send(`${path}?limit=5`, {
      method: "POST",
      body: '{"query":"water"}',
      headers: { "content-type": "application/json" },
    });
    expect((await refused(response, 400, "?limit=5")).errors?.map(({ parameter }) => parameter)).toEqual(["limit"]);
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE"])("%s is 405, and Allow names POST", async (method) => {
    const response = await target.send(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")?.split(/\s*,\s*/)).toEqual(expect.arrayContaining(["POST", "OPTIONS"]));
    expect(response.headers.get("allow")).not.toMatch(/GET|HEAD/);
  });

  test.each([
    { what: "no JSON", body: "{", headers: { "content-type": "application/json" } },
    { what: "the wrong content type", body: "{}", headers: { "content-type": "text/plain" } },
    { what: "too much", body: " ".repeat(70_000), headers: { "content-type": "application/json" } },
  ])("without a key, $what is 401 first", async ({ what, body, headers }) => {
    await refused(await post(body, headers, "nobody"), 401, what);
  });
});
