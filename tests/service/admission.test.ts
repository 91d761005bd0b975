import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { revokeKey, rotateKey } from "../../database/accounts/keys.ts";
import { generateKey } from "../../shared/auth/key.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const list = (key: string) => service.fetch("/grants-api?limit=1", { headers: bearer(key) });

async function useUp(tier: string, quota: number, requests: number): Promise<string> {
  const { key } = await service.newKey(tier, quota);
  for (let request = 0; request < requests; request++) expect((await list(key)).status).toBe(200);
  return key;
}

describe("the daily quota", () => {
  test("50 parallel requests with 10 left admit exactly 10", async () => {
    const key = await useUp("fifteen", 15, 5);
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => list(key)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  });

  test("counts a CSV of many pages once", async () => {
    const { key } = await service.newKey("five", 5);
    const file = await service.fetch("/grants-api?format=csv&opportunity_type=all", { headers: bearer(key) });
    // No description of the demo's has a line break in it.
    expect((await file.text()).split("\r\n").length).toBeGreaterThan(501);
    expect((await list(key)).headers.get("x-ratelimit-remaining")).toBe("3");
  });

  test("counts down in the headers to the refusal, which says when to come back", async () => {
    const { key } = await service.newKey("two", 2);
    const left: (string | null)[] = [];
    for (let request = 0; request < 2; request++) left.push((await list(key)).headers.get("x-ratelimit-remaining"));
    expect(left).toEqual(["1", "0"]);

    const refused = await list(key);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-ratelimit-limit")).toBe("2");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    const retryAfter = Number(refused.headers.get("retry-after"));
    const midnight = new Date().setUTCHours(24, 0, 0, 0);
    expect(Math.abs(retryAfter - (midnight - Date.now()) / 1000)).toBeLessThan(5);
  });

  test("counts each search of a multi-search, and the request itself not", async () => {
    const { key } = await service.newKey("eight", 8);
    const ask = (endpoints: string[]) =>
      service.fetch("/multi-search", {
        method: "POST",
        headers: { ...bearer(key), "content-type": "application/json" },
        body: JSON.stringify({ searches: endpoints.map((endpoint) => ({ endpoint, parameters: { limit: 1 } })) }),
      });
    const statuses = async (response: Response) =>
      ((await response.json()) as { results: { status: number }[] }).results.map(({ status }) => status).sort();

    const first = await ask(["grants-api", "contracts-api", "funders-api"]);
    expect(first.headers.get("x-ratelimit-remaining")).toBe("5");
    expect(await statuses(first)).toEqual([200, 200, 200]);
    // Without a query, it is refused, and counts.
    expect(await statuses(await ask(["semantic-search", "grants-api", "grants-api"]))).toEqual([200, 200, 400]);
    expect(await statuses(await ask(["grants-api", "grants-api", "grants-api", "grants-api"]))).toEqual([
      200, 200, 429, 429,
    ]);
    const refused = await ask(["grants-api", "funders-api"]);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ status: 429, instance: "/functions/v1/multi-search" });
  });

  test("is the account's: two keys share it", async () => {
    const { key, keyId } = await service.newKey("three", 3);
    const { key: second } = await rotateKey(service.connection, keyId);
    const statuses: number[] = [];
    for (const each of [key, second, key, second]) statuses.push((await list(each)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test("counts a request that is wrong, and a record that is not there", async () => {
    const { key } = await service.newKey("four", 4);
    const wrong = await service.fetch("/grants-api?limit=0", { headers: bearer(key) });
    expect([wrong.status, wrong.headers.get("x-ratelimit-remaining")]).toEqual([400, "3"]);
    const missing = await service.fetch(`/grants-api/${crypto.randomUUID()}`, { headers: bearer(key) });
    expect([missing.status, missing.headers.get("x-ratelimit-remaining")]).toEqual([404, "2"]);
  });

  test("does not count what never reached it: preflights, other methods, unknown paths", async () => {
    const { key } = await service.newKey("five", 5);
    await service.fetch("/grants-api", { method: "OPTIONS", headers: bearer(key) });
    await service.fetch("/grants-api", { method: "DELETE", headers: bearer(key) });
    await service.fetch("/nothing-here", { headers: bearer(key) });
    expect((await list(key)).headers.get("x-ratelimit-remaining")).toBe("4");
  });
});

describe("keys", () => {
  test("a well-formed key that nobody has is 401, before anything wrong with the request", async () => {
    const response = await service.fetch("/grants-api?limit=0", { headers: bearer(generateKey()) });
    expect(response.status).toBe(401);
  });

  test("a mistyped key is refused without asking the database", async () => {
    const { key } = await service.newKey();
    const mistyped = key.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    service.calls.length = 0;
    expect((await list(mistyped)).status).toBe(401);
    expect(service.calls).toEqual([]);
  });

  test("a revoked key is refused at the next request", async () => {
    const { key, keyId } = await service.newKey();
    expect((await list(key)).status).toBe(200);
    await revokeKey(service.connection, keyId);
    expect((await list(key)).status).toBe(401);
  });

  test("after a rotation both keys work; without overlap only the new one", async () => {
    const { key, keyId } = await service.newKey();
    const { key: second, id } = await rotateKey(service.connection, keyId, 1);
    expect([(await list(key)).status, (await list(second)).status]).toEqual([200, 200]);
    const { key: third } = await rotateKey(service.connection, id, 0);
    expect([(await list(second)).status, (await list(third)).status]).toEqual([401, 200]);
  });

  test("the key's text is nowhere in the database", async () => {
    const { key } = await service.newKey();
    await list(key);
    const rows = await service.connection.query<{ text: string }>(
      "select api_keys::text as text from funding.api_keys",
    );
    expect(rows.filter(({ text }) => text.includes(key.slice(12, -4)))).toEqual([]);
  });
});

describe("one round trip", () => {
  test.each([
    ["a list", "/grants-api?search=water&states=OH,PA&include_national=true", {}],
    ["a count", "/contracts-api?count_only=true", {}],
    ["a hybrid search", "/grants-api?search=clean+water&search_mode=hybrid", {}],
    ["a semantic search", "/funders-api?search=health&search_mode=semantic", {}],
    ["a suggestion", "/suggest?q=water", {}],
    ["an unknown record", "/funders-api/00000000-0000-4000-8000-000000000000", {}],
    ["a wrong request", "/grants-api?limit=1000", {}],
    [
      "POST /semantic-search",
      "/semantic-search",
      { method: "POST", headers: { "content-type": "application/json" }, body: '{"query":"clean water"}' },
    ],
  ])("%s calls the database once before it answers", async (_, path, init: RequestInit) => {
    const { key } = await service.newKey();
    // The usage of the request before is written after its answer.
    await service.settled();
    service.calls.length = 0;
    await service.fetch(path, { ...init, headers: { ...init.headers, ...bearer(key) } });
    expect(service.calls.filter((name) => name !== "record_usage")).toHaveLength(1);
    expect(service.calls[0]).not.toBe("record_usage");
  });
});
