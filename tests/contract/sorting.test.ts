import { beforeAll, describe, expect, test } from "vitest";
import { apiClient, idsOf } from "./client.ts";
import { discoverScope, type Scope } from "./discover.ts";
import { expectOrder } from "./order.ts";
import type { Opportunity } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const client = apiClient(contractTarget());

const sortFields = ["created_at", "deadline_date", "amount_min", "amount_max", "title"] as const;
const directions = ["asc", "desc"] as const;

describe.each(["grants-api", "contracts-api"] as const)("the order of GET /%s", (name) => {
  let scope: Scope<Opportunity>;
  beforeAll(async () => {
    scope = await discoverScope(client, name);
  });

  const orders = sortFields.flatMap((sort_by) => directions.map((order) => ({ sort_by, order })));

  test.each(orders)(
    "sort_by=$sort_by&order=$order: nulls last, ties by id, no record lost",
    async ({ sort_by, order }) => {
      const records = await client.walk(name, { ...scope.query, sort_by, order });
      expectOrder(records, sort_by, order);
      expect(idsOf(records).sort()).toEqual(idsOf(scope.records).sort());
    },
  );

  test("the scope has ties and nulls, without which the rows above would prove less", () => {
    const deadlines = scope.records.map((record) => record.deadline_date);
    expect(deadlines).toContain(null);
    expect(new Set(deadlines).size).toBeLessThan(deadlines.filter((day) => day !== null).length);
    expect(scope.records.map((record) => record.amount_max)).toContain(null);
    expect(scope.records.map((record) => record.amount_min)).toContain(null);
  });

  test("titles in descending order are titles in ascending order, reversed", async () => {
    const titles = async (order: string) =>
      (await client.walk(name, { ...scope.query, sort_by: "title", order })).map(({ title }) => title);
    expect((await titles("desc")).reverse()).toEqual(await titles("asc"));
  });

  test.each(sortFields)("sort_by=%s alone is descending, and meta says so", async (sort_by) => {
    const { results, meta } = await client.list(name, { ...scope.query, sort_by, limit: 100 });
    expect(meta).toMatchObject({ sort_by, order: "desc" });
    expectOrder(results, sort_by, "desc");
  });

  test("the newest come first when nothing is asked, and meta says so", async () => {
    const { results, meta } = await client.list(name, { limit: 100 });
    expect(meta).toMatchObject({ sort_by: "created_at", order: "desc" });
    expectOrder(results, "created_at", "desc");
    expect(new Set(results.map(({ created_at }) => created_at)).size).toBeGreaterThan(1);
  });

  test("order=asc alone gives the oldest first", async () => {
    const { results, meta } = await client.list(name, { order: "asc", limit: 100 });
    expect(meta).toMatchObject({ sort_by: "created_at", order: "asc" });
    expectOrder(results, "created_at", "asc");
  });
});

describe("the order of GET /funders-api", () => {
  const rows = [
    { query: {}, sort_by: "name", order: "asc" },
    { query: { order: "desc" }, sort_by: "name", order: "desc" },
    { query: { sort_by: "name" }, sort_by: "name", order: "asc" },
    { query: { sort_by: "created_at" }, sort_by: "created_at", order: "asc" },
    { query: { sort_by: "created_at", order: "desc" }, sort_by: "created_at", order: "desc" },
  ];
  test.each(rows)("$query gives funders by $sort_by, $order", async ({ query, sort_by, order }) => {
    const { results, meta } = await client.list("funders-api", { ...query, limit: 100 });
    expect(meta).toMatchObject({ sort_by, order });
    expectOrder(results, sort_by, order);
    expect(results.length).toBeGreaterThan(1);
  });
});
