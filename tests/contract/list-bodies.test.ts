import { describe, expect, test } from "vitest";
import { csvParseCells } from "../support/csv-readers.ts";
import { apiClient, idsOf, pathOf, type Query, readJson } from "./client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

type Body = Record<string, unknown>;

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return target.send(path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
}

/** An answer without what differs from one to the next. */
async function answerOf(response: Response, status = 200): Promise<Body> {
  const { meta, ...body } = (await readJson(response, status, "the request")) as Body & { meta?: Body };
  const { request_id: _, instance: __, ...rest } = body;
  return { ...rest, ...(meta && { meta: { ...meta, response_time_ms: 0 } }) };
}

/** Queries, as a body and in an address. */
const queries: { name: string; body: Body; query: Query }[] = [
  { name: "grants-api", body: {}, query: {} },
  {
    name: "grants-api",
    body: { search: "water", limit: 5, states: ["OH", "PA"], include_national: true, min_amount: 1000 },
    query: { search: "water", limit: 5, states: "OH,PA", include_national: true, min_amount: 1000 },
  },
  {
    name: "contracts-api",
    body: { opportunity_type: "all", sort_by: "title", order: "asc", offset: 3, facets: ["status", "naics"] },
    query: { opportunity_type: "all", sort_by: "title", order: "asc", offset: 3, facets: "status,naics" },
  },
  ...[["deadline_date", "-amount_max"], "deadline_date,-amount_max", ["-title"]].map((sort_by) => ({
    name: "contracts-api",
    body: { sort_by, limit: 30 },
    query: { sort_by: String(sort_by), limit: 30 },
  })),
  { name: "contracts-api", body: { count_only: true }, query: { count_only: true } },
  // Text, as in an address, and a list in it.
  {
    name: "grants-api",
    body: { limit: "2", states: "OH,PA", fields: ["title"] },
    query: { limit: 2, states: "OH,PA", fields: "title" },
  },
  {
    name: "funders-api",
    body: { search: "water & power", expand: ["details"] },
    query: { search: "water & power", expand: "details" },
  },
  // Several values, and some to leave out.
  {
    name: "contracts-api",
    body: {
      naics: ["54", "236220"],
      exclude_status: ["closed", "cancelled"],
      facets: ["naics"],
      opportunity_type: "all",
    },
    query: { naics: "54,236220", exclude_status: "closed,cancelled", facets: "naics", opportunity_type: "all" },
  },
  {
    name: "grants-api",
    body: { category: ["Education", "Natural Resources, Other"], exclude_agency: ["Department of State"], limit: 5 },
    query: { category: ["Education", "Natural Resources, Other"], exclude_agency: ["Department of State"], limit: 5 },
  },
  { name: "grants-api", body: { geography: "Ohio", limit: 3 }, query: { geography: "Ohio", limit: 3 } },
];

describe("POST /{dataset}-api/search", () => {
  test.each(queries)("$body of /$name answers what the address does", async ({ name, body, query }) => {
    const [posted, got] = [await post(`/${name}/search`, body), await target.send(pathOf(name as "grants-api", query))];
    expect(posted.headers.get("deprecation")).toBe(got.headers.get("deprecation"));
    expect(await answerOf(posted)).toEqual(await answerOf(got));
  });

  test("gives ids too many for an address of their own", async () => {
    const known = idsOf((await client.list("grants-api", { limit: 100 })).results);
    const answer = await answerOf(await post("/grants-api/search", { ids: known, fields: ["id"] }));
    expect(answer).toMatchObject({ results: known.map((id) => ({ id })), missing: [] });
  });

  test("takes what an address cannot: a query of more than 16,384 characters", async () => {
    // Each of its characters is nine in an address.
    const search = `${"水".repeat(60)} `.repeat(60).slice(0, 3_600);
    await client.refused(`/grants-api?search=${encodeURIComponent(search)}`, 400);
    expect(await answerOf(await post("/grants-api/search", { search, count_only: true }))).toEqual({ total: 0 });
  });

  test("goes from page to page by the cursor, without a link that an address would be", async () => {
    const query = { sort_by: ["amount_max", "-created_at"], limit: 2 };
    const response = await post("/contracts-api/search", query);
    expect(response.headers.get("link")).not.toContain('rel="next"');
    const first = (await response.json()) as { results: { id: string }[]; pagination: { next: string } };
    const second = (await (
      await post("/contracts-api/search", { ...query, cursor: first.pagination.next })
    ).json()) as typeof first;
    expect(idsOf([...first.results, ...second.results])).toEqual(
      idsOf((await client.list("contracts-api", { sort_by: "amount_max,-created_at", limit: 4 })).results),
    );
  });

  test("answers CSV where it is asked for", async () => {
    for (const response of [
      await post("/funders-api/search", { format: "csv", limit: 3 }),
      await post("/funders-api/search", { limit: 3 }, { accept: "text/csv" }),
    ]) {
      expect(response.headers.get("content-type")).toContain("text/csv");
      expect(csvParseCells(await response.text())).toHaveLength(4);
    }
  });

  test.each<{ body: unknown; parameter: string; message: string }>([
    { body: { limit: 101 }, parameter: "limit", message: "must be an integer from 1 to 100" },
    { body: { limit: [5, 5] }, parameter: "limit", message: "must be given once" },
    { body: { search: "" }, parameter: "search", message: "must not be empty; leave the parameter out instead" },
    ...[null, {}, [], [["OH"]], [null]].map((states) => ({
      body: { states },
      parameter: "states",
      message: "must be text, a number, true or false, or a list of these",
    })),
    { body: { serch: "water" }, parameter: "serch", message: "is not a field of this body; did you mean search?" },
    {
      body: { ids: ["10000000-0000-4000-8000-000000000000"], limit: 5 },
      parameter: "limit",
      message: "cannot be combined with ids, which name the records and their order",
    },
  ])("refuses $body", async ({ body, parameter, message }) => {
    expect(await answerOf(await post("/grants-api/search", body), 400)).toMatchObject({
      errors: [{ parameter, message }],
    });
  });

  test("is strict about the body, and about the address, which has no parameters", async () => {
    expect((await post("/grants-api/search", "[]")).status).toBe(400);
    expect((await post("/grants-api/search", "{", {})).status).toBe(400);
    expect((await post("/grants-api/search", {}, { "content-type": "text/plain" })).status).toBe(415);
    expect((await post("/grants-api/search", { search: "x".repeat(70_000) })).status).toBe(413);
    expect(await answerOf(await post("/grants-api/search?limit=5", {}), 400)).toMatchObject({
      errors: [{ parameter: "limit" }],
    });
  });

  test.each(["GET", "PUT"])("is for POST alone, and not for %s", async (method) => {
    const response = await target.send("/grants-api/search", { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
  });

  test("needs a key, which may be limited to other datasets", async () => {
    const headers = { "content-type": "application/json" };
    const response = await target.send("/grants-api/search", { method: "POST", body: "{}", headers }, "nobody");
    expect(response.status).toBe(401);
  });
});
