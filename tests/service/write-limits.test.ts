import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { queryOne } from "../../database/connection.ts";
import { accountRoutes } from "../../functions/account-api/index.ts";
import { silentLog } from "../../shared/log/log.ts";
import type { Person } from "../support/people.ts";
import { openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  service = await openTestService(undefined, silentLog);
});
beforeEach(async () => {
  [ada, ben] = [await subscriber(), await subscriber()];
});
afterAll(() => service.close());

/** Somebody signed in whose account has a subscription. */
async function subscriber(): Promise<Person> {
  const person = await service.people.newPerson();
  await send(person, "GET", "");
  await service.connection.query("select funding.set_tier($1, 'developer')", [person.email]);
  return person;
}

async function send(person: Person, method: string, path: string, body?: object): Promise<Response> {
  return service.fetch(`/account-api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await person.token()}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function made(person: Person, path: string, body: object): Promise<string> {
  const response = await send(person, "POST", path, body);
  const { id } = (await response.json()) as { id: string };
  expect(response.status, path).toBe(201);
  return id;
}

const newKey = (person: Person) => made(person, "/keys", { name: "a key" });
const newWebhook = (person: Person) =>
  made(person, "/webhooks", { url: "https://hooks.example.org/", events: ["grant.created"] });

interface Write {
  /** As the setting behind `write_limit_` has it. */
  kind: string;
  /** Makes what the write is about, and returns the write. */
  prepare(person: Person): Promise<() => Promise<Response>>;
}

/** Every write of the account API, by its route. */
const writes: Record<string, Write> = {
  "POST /keys": {
    kind: "key_creations",
    prepare: async (person) => () => send(person, "POST", "/keys", { name: "a key" }),
  },
  "POST /keys/{id}/rotate": {
    kind: "key_rotations",
    async prepare(person) {
      const id = await newKey(person);
      return () => send(person, "POST", `/keys/${id}/rotate`, {});
    },
  },
  "POST /keys/{id}/revoke": {
    kind: "key_revocations",
    async prepare(person) {
      const id = await newKey(person);
      return () => send(person, "POST", `/keys/${id}/revoke`);
    },
  },
  "POST /webhooks": {
    kind: "webhook_creations",
    prepare: async (person) => () =>
      send(person, "POST", "/webhooks", { url: "https://hooks.example.org/", events: ["grant.created"] }),
  },
  "PATCH /webhooks/{id}": {
    kind: "webhook_changes",
    async prepare(person) {
      const id = await newWebhook(person);
      return () => send(person, "PATCH", `/webhooks/${id}`, { description: "another" });
    },
  },
  "DELETE /webhooks/{id}": {
    kind: "webhook_deletions",
    async prepare(person) {
      const id = await newWebhook(person);
      return () => send(person, "DELETE", `/webhooks/${id}`);
    },
  },
  "POST /webhooks/{id}/rotate": {
    kind: "webhook_secret_rotations",
    async prepare(person) {
      const id = await newWebhook(person);
      return () => send(person, "POST", `/webhooks/${id}/rotate`, {});
    },
  },
  "POST /webhooks/{id}/test": {
    kind: "test_deliveries",
    async prepare(person) {
      const id = await newWebhook(person);
      return () => send(person, "POST", `/webhooks/${id}/test`, { event: "grant.created" });
    },
  },
  "POST /webhooks/{id}/deliveries/{event_id}/resend": {
    kind: "redeliveries",
    async prepare(person) {
      const id = await newWebhook(person);
      const sent = await send(person, "POST", `/webhooks/${id}/test`, { event: "grant.created" });
      const { event_id } = (await sent.json()) as { event_id: string };
      return () => send(person, "POST", `/webhooks/${id}/deliveries/${event_id}/resend`);
    },
  },
  "POST /webhooks/{id}/recover": {
    kind: "recoveries",
    async prepare(person) {
      const id = await newWebhook(person);
      return () => send(person, "POST", `/webhooks/${id}/recover`, { since: new Date(Date.now() - 60_000) });
    },
  },
};

async function limitTo(kind: string, limit: number): Promise<void> {
  const changed = await service.connection.query(
    "update funding.settings set value = to_jsonb($2::bigint) where name = 'write_limit_' || $1 returning name",
    [kind, limit],
  );
  expect(changed).toHaveLength(1);
}

/** Moves the day that quotas are counted by. */
async function setDay(daysAhead: number): Promise<void> {
  await service.connection.execute(`create or replace function funding.quota_day() returns date language sql stable
    as $$ select (now() at time zone 'UTC')::date + ${daysAhead} $$`);
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
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(writes).sort()).toEqual(routes.sort());
    const kinds = Object.values(writes).map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  test.each(Object.entries(writes))(
    "%s stops at its limit for the day, and starts anew with the next",
    async (_, write) => {
      const { kind, prepare } = write;
      const [first, second, third, fourth] = [
        await prepare(ada),
        await prepare(ada),
        await prepare(ada),
        await prepare(ada),
      ];
      const ofBen = await prepare(ben);
      await limitTo(kind, 2);
      try {
        for (const [attempt, remaining] of [
          [first, "1"],
          [second, "0"],
        ] as const) {
          const response = await attempt();
          expect([response.status < 300, ...allowance(response)]).toEqual([
            true,
            "2",
            remaining,
            `${midnightSeconds()}`,
          ]);
          expect(await response.json(), "what the edge is told stays there").not.toHaveProperty("write_limit");
        }

        const before = await everything();
        const refused = await third();
        const midnight = new Date(midnightSeconds() * 1000).toISOString();
        expect([refused.status, ...allowance(refused)]).toEqual([429, "2", "0", `${midnightSeconds()}`]);
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(midnightSeconds() - Date.now() / 1000 - 5);
        expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(86_400);
        expect(await refused.json()).toMatchObject({
          type: "urn:funding-opportunities:problem:write-limit-exceeded",
          detail: `The account's limit of 2 ${kind.replaceAll("_", " ")} a day is used up. It starts anew at midnight UTC: ${midnight}.`,
        });
        expect(await everything(), "a refused write leaves nothing").toEqual(before);

        expect((await ofBen()).status, "another account").toBeLessThan(300);
        await setDay(1);
        const anew = await fourth();
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
      const id = await newKey(ada);
      expect((await send(ada, "POST", `/keys/${crypto.randomUUID()}/rotate`, {})).status).toBe(404);
      expect((await send(ben, "POST", `/keys/${id}/rotate`, {})).status, "of another account").toBe(404);
      await send(ada, "POST", `/keys/${id}/revoke`);
      expect((await send(ada, "POST", `/keys/${id}/rotate`, {})).status).toBe(409);
      expect((await send(ada, "POST", `/keys/${await newKey(ada)}/rotate`, {})).status).toBe(201);
      expect((await send(ada, "POST", "/keys", { name: "x" })).status).toBe(429);
    } finally {
      await limitTo("key_creations", 1000);
      await limitTo("key_rotations", 1000);
    }
  });

  test("do not count the revocation of a key that is revoked already: nobody can use up an account's revocations", async () => {
    const [stolen, leaked] = [await newKey(ada), await newKey(ada)];
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
});
