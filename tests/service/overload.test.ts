import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { handle as account } from "../../functions/account-api/index.ts";
import { handle as funders } from "../../functions/funders-api/index.ts";
import { handle as grants } from "../../functions/grants-api/index.ts";
import { csvBatchRows, csvChunkRows } from "../../shared/endpoint/list-query.ts";
import { ConcurrencyLimit } from "../../shared/overload/concurrency-limit.ts";
import type { Person } from "../support/people.ts";
import { bearer, openTestService, type TestService, testBaseUrl } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

test("a request without a place is answered 503 with Retry-After, asks nothing of the database, and is counted", async () => {
  const { key, keyId } = await service.newKey("overload", 5);
  const limit = new ConcurrencyLimit({ permits: 1, maxQueueLength: 0 });
  const release = await limit.acquire("somebody else");
  const runtime = { ...service.runtime, limit };
  const calls = service.calls.length;
  const response = await funders(new Request(`${testBaseUrl}/funders-api`, { headers: bearer(key) }), runtime);
  expect(service.calls.slice(calls)).toEqual(["record_usage"]);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toMatch(/^[1-5]$/);
  expect(await response.json()).toMatchObject({ type: "urn:funding-opportunities:problem:unavailable", status: 503 });

  release?.();
  const after = await funders(new Request(`${testBaseUrl}/funders-api`, { headers: bearer(key) }), runtime);
  expect([after.status, after.headers.get("x-ratelimit-remaining")]).toEqual([200, "4"]);
  await service.settled();
  const counted = await service.connection.query(
    "select status, sum(requests)::integer as requests from funding.usage where api_key_id = $1 group by 1 order by 1",
    [keyId],
  );
  expect(counted).toEqual([
    { status: 200, requests: 1 },
    { status: 503, requests: 1 },
  ]);
});

test("a full queue refuses the key that has the most waiting, and serves another's single request", async () => {
  const [many, single] = [await service.newKey(), await service.newKey()];
  const limit = new ConcurrencyLimit({ permits: 1, maxQueueLength: 3, maxWaitMs: 30_000, intervalMs: 30_000 });
  const queued = vi.spyOn(limit, "acquire");
  const release = await limit.acquire("somebody else");
  const ask = async ({ key }: { key: string }) => {
    const asked = queued.mock.calls.length;
    const request = new Request(`${testBaseUrl}/funders-api`, { headers: bearer(key) });
    const response = funders(request, { ...service.runtime, limit });
    await vi.waitUntil(() => queued.mock.calls.length > asked);
    return { response };
  };
  const flood = [await ask(many), await ask(many), await ask(many)];
  const other = await ask(single);
  release?.();
  const statuses = await Promise.all([...flood, other].map(async ({ response }) => (await response).status));
  expect(statuses).toEqual([200, 200, 503, 200]);
});

test("a CSV that was begun goes on, in its turn", async () => {
  const { key } = await service.newKey();
  const runtime = { ...service.runtime, limit: new ConcurrencyLimit({ permits: 1, maxQueueLength: 0 }) };
  const url = `${testBaseUrl}/grants-api?format=csv&opportunity_type=all&include_archived=true`;
  const response = await grants(new Request(url, { headers: bearer(key) }), runtime);
  const release = await runtime.limit.acquire("somebody else");
  const calls = service.calls.length;
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let chunk = 0; chunk < csvBatchRows / csvChunkRows; chunk++) text += (await reader?.read())?.value ?? "";
  expect(text.split("\r\n").length).toBeGreaterThan(csvBatchRows);
  const next = reader?.read();
  // Time enough for the database to be asked and to answer.
  await service.connection.query("select 1");
  await service.connection.query("select 1");
  expect(service.calls.slice(calls)).not.toContain("list_grants");
  release?.();
  for (let part = await next; part !== undefined && !part.done; part = await reader?.read()) text += part.value;
  const total = Number(response.headers.get("x-total-count"));
  expect(total).toBeGreaterThan(csvBatchRows);
  expect(text.match(/^[0-9a-f-]{36},/gm)).toHaveLength(total);
  expect(service.calls.slice(calls)).toContain("list_grants");
});

/** Whether a caller who asks for two permits gets both at once. The permits are released. */
async function hasTwoPermits(limit: ConcurrencyLimit, caller: string): Promise<boolean> {
  const first = await limit.acquire(caller);
  const second = limit.acquire(caller);
  const isFree = await Promise.race([second.then(() => true), setTimeout(50, false)]);
  first?.();
  (await second)?.();
  return isFree;
}

test("while a key that exists is active, another caller has its part of the permits", async () => {
  const { key } = await service.newKey();
  const limit = new ConcurrencyLimit({ permits: 8, sharedPermits: 1 });
  const ask = async (credential: string) => {
    const request = new Request(`${testBaseUrl}/funders-api?limit=1`, { headers: bearer(credential) });
    return (await funders(request, { ...service.runtime, limit })).status;
  };
  expect(await ask(`fo_live_${"0".repeat(32)}`)).toBe(401);
  expect(await hasTwoPermits(limit, "another caller")).toBe(true);
  expect(await ask(key)).toBe(200);
  expect(await hasTwoPermits(limit, "another caller")).toBe(false);
});

test("while a signed-in user is active, another caller has its part of the permits", async () => {
  const [user, signedOut] = [await service.people.newPerson(), await service.people.newPerson()];
  await service.people.endSession(signedOut);
  const limit = new ConcurrencyLimit({ permits: 8, sharedPermits: 1 });
  const ask = async (person: Person) => {
    const request = new Request(`${testBaseUrl}/account-api/keys`, { headers: bearer(await person.token()) });
    return (await account(request, { ...service.runtime, limit })).status;
  };
  expect(await ask(signedOut)).toBe(401);
  expect(await hasTwoPermits(limit, "another caller")).toBe(true);
  expect(await ask(user)).toBe(200);
  expect(await hasTwoPermits(limit, "another caller")).toBe(false);
});

test("a key is active with each part of a CSV that it reads", async () => {
  const { key } = await service.newKey();
  const limit = new ConcurrencyLimit({ permits: 8, sharedPermits: 1, activeMs: 1_000 });
  const url = `${testBaseUrl}/grants-api?format=csv&opportunity_type=all&include_archived=true`;
  const response = await grants(new Request(url, { headers: bearer(key) }), { ...service.runtime, limit });
  await vi.waitUntil(() => hasTwoPermits(limit, "another caller"), { timeout: 30_000 });
  await response.text();
  expect(await hasTwoPermits(limit, "another caller")).toBe(false);
});
