import { afterAll, beforeAll, expect, test } from "vitest";
import { accountRoutes } from "../../functions/account-api/index.ts";
import { silentLog } from "../../shared/log/log.ts";
import type { Person } from "../support/people.ts";
import { openTestService, type TestService } from "../support/service.ts";

/** Limits of the items of any list, and of the bytes of any answer. */
const mostItems = 500;
const mostBytes = 2_000_000;

let service: TestService;
let ada: Person;

beforeAll(async () => {
  service = await openTestService(undefined, silentLog);
  ada = await service.people.newPerson();
});
afterAll(() => service.close());

async function send(method: string, path: string, body?: object): Promise<Response> {
  return service.fetch(`/account-api${path}`, {
    method,
    headers: { authorization: `Bearer ${await ada.token()}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function made(path: string, body: object): Promise<Record<string, string>> {
  const response = await send("POST", path, body);
  expect(response.status, path).toBeLessThan(300);
  return (await response.json()) as Record<string, string>;
}

/** The length of the longest list anywhere in a value. */
function longestList(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Math.max(Array.isArray(value) ? value.length : 0, ...Object.values(value).map(longestList));
}

test("answers of the account API are bounded, whatever an account has gathered", async () => {
  await send("GET", "");
  await service.connection.query("select funding.set_tier($1, 'developer')", [ada.email]);
  const oldest = await made("/keys", { name: "the oldest" });
  const webhook = await made("/webhooks", { url: "https://hooks.example.org/", events: ["grant.created"] });
  const saved = await made("/saved-searches", { name: "all", dataset: "grants", query: "" });
  const { event_id } = await made(`/webhooks/${webhook.id}/test`, { event: "grant.created" });
  await service.connection.query(
    `with own as (select account_id from funding.api_keys where id = $1),
     gathered as (
       insert into funding.api_keys (account_id, name, key_hash, display, created_at, revoked_at)
       select own.account_id, 'revoked ' || number, encode(sha256(number::text::bytea), 'hex'), 'k',
              now() + number * interval '1 second', now()
       from own, generate_series(1, 2000) as number
       returning id)
     insert into funding.usage (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
     select id, (now() at time zone 'UTC')::date, 'grants-api', 200, 50, 1 from gathered`,
    [oldest.id],
  );
  await service.connection.query(
    `insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at, response_body)
     select $1, $2, number, 'https://hooks.example.org/', now(), repeat('x', 16384) from generate_series(1, 1000) as number`,
    [webhook.id, event_id],
  );

  await service.connection.query(
    `insert into funding.request_log (account_id, at, request_id, api_key_id, key_name, method, endpoint, status, duration_ms, parameters, searches)
     select account_id, now() - number * interval '1 second', 'request-' || number, id, name, 'GET', 'grants-api', 200, 1, '{}', '{}'
     from funding.api_keys, generate_series(1, 2000) as number where id = $1`,
    [oldest.id],
  );

  const answers = new Map<string, Record<string, unknown>>();
  for (const { path } of accountRoutes.filter(({ method }) => method === "GET")) {
    const owners: Record<string, { id?: string }> = { webhooks: webhook, "saved-searches": saved };
    const id = String((owners[path.split("/")[1] ?? ""] ?? oldest).id);
    const response = await send(
      "GET",
      path.replace("{id}", id).replace("{event_id}", String(event_id)).replace("{request_id}", "request-1"),
    );
    expect(response.status, path).toBe(200);
    const text = await response.text();
    expect(text.length, path).toBeLessThan(mostBytes);
    answers.set(path, JSON.parse(text));
    expect(longestList(answers.get(path)), path).toBeLessThanOrEqual(mostItems);
  }

  const { keys } = answers.get("/keys") as { keys: { name: string }[] };
  expect([keys[0]?.name, keys.at(-1)?.name]).toEqual(["revoked 2000", "the oldest"]);
  expect(answers.get("/usage")).toMatchObject({ totals: { requests: 2000 } });
  const { log } = answers.get("/webhooks/{id}/deliveries/{event_id}") as { log: { attempt: number }[] };
  expect([log[0]?.attempt, log.at(-1)?.attempt]).toEqual([951, 1000]);
});
