import { describe, expect, test } from "vitest";
import { apiClient, idsOf, type Query } from "./client.ts";
import { discoverQuery, discoverScope } from "./discover.ts";
import type { CollectionName } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

/** Every page of a list, each by the cursor of the one before. */
async function follow(name: CollectionName, query: Query, isRanked = false) {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const asked: Query = cursor === null ? query : { ...query, cursor };
    const page = await (isRanked ? client.ranked(name, asked) : client.list(name, asked));
    ids.push(...idsOf(page.results));
    cursor = page.pagination.next;
    if (ids.length > 5_000) throw new Error("the list does not end");
  } while (cursor !== null);
  return ids;
}

const orders: Record<CollectionName, string[]> = {
  "grants-api": ["created_at", "deadline_date", "amount_min", "amount_max", "title"],
  "contracts-api": ["created_at", "deadline_date", "amount_min", "amount_max", "title"],
  "funders-api": ["name", "created_at"],
};

describe.each(["grants-api", "contracts-api"] as const)("pages of GET /%s by cursor", (name) => {
  test.each(orders[name].flatMap((sort_by) => ["asc", "desc"].map((order) => ({ sort_by, order }))))(
    "are those by offset: $sort_by $order",
    async (sorted) => {
      const query = { ...(await discoverScope(client, name)).query, ...sorted };
      expect(await follow(name, { ...query, limit: 61 })).toEqual(idsOf(await client.walk(name, query)));
    },
  );

  test.each(["semantic", "hybrid"] as const)("of a %s search too", async (search_mode) => {
    const query = { search: await discoverQuery(client, [name], search_mode), search_mode };
    const whole = idsOf(await client.walkRanked(name, query));
    expect(await follow(name, { ...query, limit: 50 }, true)).toEqual(whole);
  });
});

test.each(orders["funders-api"])("funders are paged by cursor: %s", async (sort_by) => {
  const query = { sort_by, search: "of" };
  const whole = idsOf(await client.walk("funders-api", query));
  expect(await follow("funders-api", { ...query, limit: 37 })).toEqual(whole);
});

test("the cursor brings the order that it was made in", async () => {
  const first = await client.list("grants-api", { sort_by: "title", order: "asc", limit: 3 });
  const next = await client.list("grants-api", { cursor: String(first.pagination.next), limit: 3 });
  expect(next.meta).toMatchObject({ sort_by: "title", order: "asc" });
  const both = await client.list("grants-api", { sort_by: "title", order: "asc", limit: 6 });
  expect([...idsOf(first.results), ...idsOf(next.results)]).toEqual(idsOf(both.results));
});

test("a Link header leads to the next page, and the last page has none", async () => {
  const response = await target.send("/grants-api?limit=2&opportunity_type=all&offset=1");
  const [, path = ""] = /<\/functions\/v1([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "") ?? [];
  const next = (await client.json(path)) as { results: { id: string }[] };
  expect(idsOf(next.results)).toEqual(
    idsOf((await client.list("grants-api", { limit: 2, offset: 3, opportunity_type: "all" })).results),
  );
  const slash = await target.send("/grants-api/?limit=2");
  expect(slash.headers.get("link")).toContain("</functions/v1/grants-api?limit=2&cursor=");
  await slash.body?.cancel();
  const last = await target.send("/grants-api?limit=2&search=nothingofthekind");
  expect(last.headers.get("link")).not.toContain("next");
});

describe("a cursor that is refused", () => {
  const made = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  const id = "cb75c555-bd5f-891d-a251-07bba87727b9";

  test.each([
    ["not of ours", "page2"],
    ["cut short", made(["created_at", "desc", "2026-06-10T14:00:00.000Z", id]).slice(0, -9)],
    ["with an order that the list does not have", made(["name", "asc", "a", id])],
    ["with a day that does not exist", made(["deadline_date", "asc", "2026-02-30", id])],
    ["with a moment of the year 0", made(["created_at", "asc", "0000-01-01T00:00:00.000Z", id])],
    ["with a day of the year 0", made(["deadline_date", "asc", "0000-01-01", id])],
    ["with a key of another type", made(["amount_min", "asc", "1 or 1=1", id])],
    ["with a NUL", made(["title", "asc", "a\0", id])],
    ["without an id", made(["title", "asc", "a", "x"])],
    ["with half a character", Buffer.from([0x5b, 0xff, 0x5d]).toString("base64url")],
  ])("%s", async (_, cursor) => {
    const problem = await client.refused(`/grants-api?cursor=${encodeURIComponent(cursor)}`, 400);
    expect(problem.errors).toEqual([{ parameter: "cursor", message: expect.stringContaining("pagination.next") }]);
  });

  test("with another order than it was made in", async () => {
    const { pagination } = await client.list("grants-api", { limit: 1 });
    const problem = await client.refused(`/grants-api?cursor=${pagination.next}&sort_by=title`, 400);
    expect(problem.errors?.[0]).toMatchObject({
      parameter: "cursor",
      message: expect.stringContaining("sort_by=created_at"),
    });
  });

  test("of a ranked search, without its search", async () => {
    const query = { search: await discoverQuery(client, ["grants-api"], "hybrid"), search_mode: "hybrid", limit: 1 };
    const { pagination } = await client.ranked("grants-api", query);
    const problem = await client.refused(`/grants-api?cursor=${pagination.next}`, 400);
    expect(problem.errors?.[0]).toMatchObject({ parameter: "search" });
  });
});
