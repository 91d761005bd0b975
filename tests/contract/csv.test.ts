import { describe, expect, test } from "vitest";
import { csvParseCells, itemsOf, textOf } from "../support/csv-readers.ts";
import { apiClient, idsOf, pathOf, type Query } from "./client.ts";
import { discoverQuery, discoverScope } from "./discover.ts";
import type { CollectionName } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

async function csv(path: string, init?: RequestInit) {
  const response = await target.send(path, init);
  expect(response.status).toBe(200);
  const text = await response.text();
  const [columns = [], ...lines] = csvParseCells(text);
  const rows = lines.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""])));
  return { response, text, rows };
}

/** The first thousand records of a list, or all that it has. */
async function firstRecords(name: CollectionName, query: Query) {
  const pages = [];
  for (let offset = 0; offset < 1_000; offset += 100) {
    pages.push((await client.list(name, { ...query, limit: 100, offset })).results);
  }
  return pages.flat();
}

describe.each(["grants-api", "contracts-api", "funders-api"] as const)("GET /%s as CSV", (name) => {
  test("has the list's records with the list's fields, in its order", async () => {
    const query: Query = name === "funders-api" ? {} : { opportunity_type: "all", include_archived: true };
    const results = await firstRecords(name, query);
    const { response, rows } = await csv(pathOf(name, { ...query, format: "csv" }));
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${name.replace("-api", "")}.csv"`);
    expect(rows.slice(0, results.length).map(({ id }) => id)).toEqual(idsOf(results));
    for (const [index, record] of results.entries()) {
      const row = rows[index] ?? {};
      for (const [field, value] of Object.entries(record)) {
        const cell = row[field] ?? "no such column";
        if (Array.isArray(value)) expect(itemsOf(cell), `${field} of ${record.id}`).toEqual(value);
        else if (typeof value === "string") expect(textOf(cell), `${field} of ${record.id}`).toBe(value);
        else expect(cell, `${field} of ${record.id}`).toBe(value === null ? "" : String(value));
      }
      for (const field of Object.keys(row)) if (!(field in record)) expect(row[field], field).toBe("");
    }
  });

  test("without a limit has all of it, however many pages that takes", async () => {
    const query = name === "funders-api" ? {} : (await discoverScope(client, name)).query;
    const path = `/${name}?${new URLSearchParams({ ...query, format: "csv" })}`;
    const { response, rows } = await csv(path);
    const total = Math.min(await client.count(name, query), 10_000);
    expect(rows).toHaveLength(total);
    expect(Number(response.headers.get("x-total-count"))).toBeGreaterThanOrEqual(total);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(total);
    expect(rows.slice(0, 20).map(({ id }) => id)).toEqual(
      idsOf((await client.list(name, { ...query, limit: 20 })).results),
    );
  });
});

test("a ranked search has its scores, in the last column", async () => {
  const query = { search: await discoverQuery(client, ["grants-api"], "hybrid"), search_mode: "hybrid" };
  const { results } = await client.ranked("grants-api", { ...query, limit: 10 });
  const { rows } = await csv(`/grants-api?${new URLSearchParams({ ...query, format: "csv", limit: "10" })}`);
  expect(rows.map(({ id, relevance_score }) => [id, Number(relevance_score)])).toEqual(
    results.map(({ id, relevance_score }) => [id, relevance_score]),
  );
  expect(Object.keys(rows[0] ?? {}).at(-1)).toBe("relevance_score");
});

test("an empty list is its header line", async () => {
  const { text } = await csv("/funders-api?format=csv&search=nothingofthekind");
  expect(text).toBe("id,name,summary,website,created_at\r\n");
});

describe("the Accept header", () => {
  test.each([
    ["text/csv", "text/csv"],
    ["text/csv;q=0.9, application/json;q=0.5", "text/csv"],
    ["text/csv, */*;q=0.1", "text/csv"],
    ["application/json", "application/json"],
    ["text/csv;q=0.5, application/json", "application/json"],
    ["text/csv, application/json", "application/json"],
    ["text/csv;q=0", "application/json"],
    ["text/html, application/xhtml+xml, */*;q=0.8", "application/json"],
    ["*/*", "application/json"],
  ])("%s is answered with %s", async (accept, type) => {
    const response = await target.send("/grants-api?limit=1", { headers: { Accept: accept } });
    expect(response.headers.get("content-type")).toContain(type);
    expect(response.headers.get("vary")).toContain("Accept");
    await response.body?.cancel();
  });

  test.each(["count_only=true", "facets=status", "archived_as_ids=true&sort_by=updated_at&order=asc"])(
    "asks for CSV, which has no %s",
    async (query) => {
      const response = await target.send(`/grants-api?${query}`, { headers: { Accept: "text/csv" } });
      expect(response.status).toBe(400);
      const { errors } = (await response.json()) as { errors: unknown };
      const message = "cannot be combined with Accept: text/csv, which has records only";
      expect(errors).toEqual([{ parameter: query.split("=")[0], message }]);
    },
  );

  test("gives way to the parameter format", async () => {
    const response = await target.send("/grants-api?limit=1&format=json", { headers: { Accept: "text/csv" } });
    expect(response.headers.get("content-type")).toContain("application/json");
    await response.body?.cancel();
  });
});

test("HEAD has the headers without the rows", async () => {
  const response = await target.send("/grants-api?format=csv", { method: "HEAD" });
  expect(response.headers.get("content-type")).toContain("text/csv");
  expect(await response.text()).toBe("");
});

test.each(["count_only=true", "facets=status"])("%s is not for CSV", async (parameter) => {
  const problem = await client.refused(`/grants-api?format=csv&${parameter}`, 400);
  expect(problem.errors).toEqual([
    { parameter: parameter.split("=")[0], message: "cannot be combined with format=csv, which has records only" },
  ]);
});

test("errors are problem documents, not CSV", async () => {
  const problem = await client.refused("/grants-api?format=csv&limit=0", 400);
  expect(problem.errors?.[0]?.parameter).toBe("limit");
});
