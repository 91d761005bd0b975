import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { accountRoutes } from "../../functions/account-api/index.ts";
import { silentLog } from "../../shared/log/log.ts";
import type { Person } from "../support/people.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { setWallClock } from "../support/wall-clock.ts";
import { AccountClient, accountWrites } from "./account-writes.ts";

let service: TestService;
let client: AccountClient;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  service = await openTestService(undefined, silentLog);
  client = new AccountClient(service);
});
beforeEach(async () => {
  [ada, ben] = [await client.newSubscriber(), await client.newSubscriber()];
});
afterAll(() => service.close());

const send = (person: Person, method: string, path: string, body?: object) =>
  client.send(person, { method, path, ...(body === undefined ? {} : { body }) });

async function limitTo(kind: string, limit: number): Promise<void> {
  const changed = await service.connection.query(
    "update funding.settings set value = to_jsonb($2::bigint) where name = 'write_limit_' || $1 returning name",
    [kind, limit],
  );
  expect(changed).toHaveLength(1);
}

/** Moves the day that quotas are counted by. */
async function setDay(daysAhead: number): Promise<void> {
  await setWallClock(service.connection, `clock_timestamp() + interval '${daysAhead} days'`);
}

const midnightSeconds = () => (Math.floor(Date.now() / 86_400_000) + 1) * 86_400;
const allowance = ({ headers }: Response) =>
  ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));

/** Row counts of everything that a write could create or change. */
const everything = () =>
  queryOne(
    service.connection,
    `select (select count(*) from funding.api_keys) as keys,
            (select count(*) from funding.api_keys where revoked_at is null and expires_at is null) as valid_keys,
            (select json_agg(e order by id) from funding.webhook_endpoints as e) as webhooks,
            (select count(*) from funding.events) as events,
            (select json_agg(d order by event_id) from funding.webhook_deliveries as d) as deliveries,
            (select count(*) from funding.webhook_recoveries) as recoveries,
            (select json_agg(w order by account_id, kind) from funding.account_writes as w) as counted`,
  );

describe("the writes of the account API", () => {
  test("each have a limit of their own", () => {
    const routes = accountRoutes
      // A preview reads alone.
      .filter(({ method, path }) => method !== "GET" && path !== "/webhooks/preview")
      .map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(accountWrites).sort()).toEqual(routes.sort());
    const kinds = Object.values(accountWrites).map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  test.each(Object.entries(accountWrites))(
    "%s stops at its limit for the day, and starts anew with the next",
    async (_, write) => {
      const { kind, prepare } = write;
      const [first, second, third, fourth] = [
        await prepare(client, ada),
        await prepare(client, ada),
        await prepare(client, ada),
        await prepare(client, ada),
      ];
      const ofBen = await prepare(client, ben);
      await limitTo(kind, 2);
      try {
        for (const [attempt, remaining] of [
          [first, "1"],
          [second, "0"],
        ] as const) {
          const response = await client.send(ada, attempt);
          expect([response.status < 300, ...allowance(response)]).toEqual([
            true,
            "2",
            remaining,
            `${midnightSeconds()}`,
          ]);
          expect(await response.json(), "what the edge is told stays there").not.toHaveProperty("write_limit");
        }

        const before = await everything();
        const refused = await client.send(ada, third);
        const midnight = new Date(midnightSeconds() * 1000).toISOString();
        expect([refused.status, ...allowance(refused)]).toEqual([429, "2", "0", `${midnightSeconds()}`]);
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(midnightSeconds() - Date.now() / 1000 - 5);
        expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(86_400);
        expect(await refused.json()).toMatchObject({
          type: "urn:funding-opportunities:problem:write-limit-exceeded",
          detail: `The account's limit of 2 ${kind.replaceAll("_", " ")} a day is used up. It starts anew at midnight UTC: ${midnight}.`,
        });
        expect(await everything(), "a refused write leaves nothing").toEqual(before);

        expect((await client.send(ben, ofBen)).status, "another account").toBeLessThan(300);
        await setDay(1);
        const anew = await client.send(ada, fourth);
        expect([anew.status < 300, ...allowance(anew)]).toEqual([true, "2", "1", `${midnightSeconds() + 86_400}`]);
      } finally {
        await setDay(0);
        await limitTo(kind, 1000);
      }
    },
  );

  test("cost nothing when they are refused for another reason", async () => {
    await limitTo("key_creations", 2);
    await limitTo("key_rotations", 1);
    try {
      expect((await send(ada, "POST", "/keys", {})).status).toBe(400);
      expect((await send(ada, "POST", "/keys", { name: "x", expires_at: "2020-01-01T00:00:00Z" })).status).toBe(400);
      const id = await client.newKey(ada);
      expect((await send(ada, "POST", `/keys/${crypto.randomUUID()}/rotate`, {})).status).toBe(404);
      expect((await send(ben, "POST", `/keys/${id}/rotate`, {})).status, "of another account").toBe(404);
      await send(ada, "POST", `/keys/${id}/revoke`);
      expect((await send(ada, "POST", `/keys/${id}/rotate`, {})).status).toBe(409);
      expect((await send(ada, "POST", `/keys/${await client.newKey(ada)}/rotate`, {})).status).toBe(201);
      expect((await send(ada, "POST", "/keys", { name: "x" })).status).toBe(429);
    } finally {
      await limitTo("key_creations", 1000);
      await limitTo("key_rotations", 1000);
    }
  });

  test("do not count the revocation of a key that is revoked already: nobody can use up an account's revocations", async () => {
    const [stolen, leaked] = [await client.newKey(ada), await client.newKey(ada)];
    await limitTo("key_revocations", 2);
    try {
      for (const _ of [1, 2, 3, 4]) {
        const response = await send(ada, "POST", `/keys/${stolen}/revoke`);
        expect([response.status, ...allowance(response)].slice(0, 3)).toEqual([200, "2", "1"]);
      }
      expect((await send(ada, "POST", `/keys/${leaked}/revoke`)).status).toBe(200);
    } finally {
      await limitTo("key_revocations", 1000);
    }
  });

  test("have no limit at -1, and are off at 0", async () => {
    await limitTo("key_creations", -1);
    const free = await send(ada, "POST", "/keys", { name: "x" });
    expect([free.status, ...allowance(free)]).toEqual([201, "-1", "-1", null]);
    await limitTo("key_creations", 0);
    const off = await send(ada, "POST", "/keys", { name: "x" });
    expect([off.status, ...allowance(off)]).toEqual([429, "0", "0", `${midnightSeconds()}`]);
    await limitTo("key_creations", 1000);
  });

  test("of many at once are as many as the limit says", async () => {
    await limitTo("key_creations", 7);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await send(ada, "POST", "/keys", { name: "x" })).status),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(7);
    expect(statuses.filter((status) => status === 429)).toHaveLength(13);
    await limitTo("key_creations", 1000);
  });
});

test("reads report no limit", async () => {
  expect(allowance(await send(ada, "GET", "/keys"))).toEqual(["-1", "-1", null]);
  const before = await everything();
  const preview = { events: ["grant.deadline_approaching"], deadline_days: [30] };
  expect(allowance(await send(ada, "POST", "/webhooks/preview", preview))).toEqual(["-1", "-1", null]);
  expect(await everything(), "a preview writes nothing").toEqual(before);
});
