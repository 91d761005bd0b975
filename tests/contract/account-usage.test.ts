import { beforeAll, describe, expect, test } from "vitest";
import { accountUsage } from "../../shared/responses/account/usage.ts";
import type { People, Person } from "../support/people.ts";
import { accountClient, peopleOf, refused } from "./account-client.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const canRun = needs("signIn");
const { askAs, read, newKey, keysOf, putOnTier } = accountClient(target);
let people: People;
let ada: Person;

beforeAll(async () => {
  if (!canRun) return;
  people = peopleOf(target);
  ada = await people.newPerson();
});

describe("usage", () => {
  const today = () => new Date().toISOString().slice(0, 10);

  test("counts requests by day, key, endpoint and status, with errors and response times", async () => {
    const person = await people.newPerson();
    await putOnTier(person, "developer");
    const [busy, idle] = [await newKey(person, { name: "busy" }), await newKey(person, { name: "idle" })];
    const paths = [
      "/funders-api?limit=1",
      "/funders-api?limit=1",
      "/grants-api?limit=0",
      `/funders-api/${crypto.randomUUID()}`,
    ];
    for (const path of paths) await target.send(path, {}, { key: busy.key });
    await expect.poll(async () => (await read(person, "/usage", accountUsage)).totals.requests).toBe(paths.length);

    const usage = await read(person, "/usage", accountUsage);
    expect(usage.to).toBe(today());
    expect(usage.days).toHaveLength(30);
    const counted = { requests: 4, client_errors: 2, server_errors: 0 };
    expect(usage.totals).toMatchObject(counted);
    expect(usage.days.at(-1)).toMatchObject({ day: usage.to, ...counted });
    expect(usage.days.slice(0, -1).every(({ requests, latency_ms }) => requests === 0 && latency_ms.p50 === null)).toBe(
      true,
    );
    expect(usage.keys).toMatchObject([
      { id: busy.id, name: "busy", ...counted },
      { id: idle.id, name: "idle", requests: 0, latency_ms: { p50: null, p95: null, p99: null } },
    ]);
    expect(usage.keys.every((key) => !("requests_by_day" in key))).toBe(true);
    const noDays = Array.from({ length: 29 }, () => 0);
    const withDays = await read(person, "/usage?include=requests_by_day", accountUsage);
    expect(withDays).toMatchObject(usage);
    expect(withDays.keys.map(({ requests_by_day }) => requests_by_day)).toEqual([
      [...noDays, 4],
      [...noDays, 0],
    ]);
    expect(usage.endpoints).toMatchObject([
      { endpoint: "funders-api", requests: 2, client_errors: 0 },
      { endpoint: "funders-api/{id}", requests: 1, client_errors: 1 },
      { endpoint: "grants-api", requests: 1, client_errors: 1 },
    ]);
    expect(usage.statuses).toEqual([
      { status: 200, requests: 2 },
      { status: 400, requests: 1 },
      { status: 404, requests: 1 },
    ]);
    const { p50, p95, p99 } = usage.totals.latency_ms;
    expect(p50).toBeGreaterThan(0);
    expect(p95).toBeGreaterThanOrEqual(p50 ?? Number.NaN);
    expect(p99).toBeGreaterThanOrEqual(p95 ?? Number.NaN);

    expect(usage).not.toHaveProperty("hours");
    const { hours = [], totals } = await read(person, `/usage?include=hours&from=${today()}`, accountUsage);
    expect(hours.map(({ hour }) => hour.slice(11, 13))).toEqual(
      hours.map((_, index) => String(index).padStart(2, "0")),
    );
    expect(hours.reduce((sum, { requests }) => sum + requests, 0)).toBe(totals.requests);
    expect(hours.reduce((sum, { client_errors }) => sum + client_errors, 0)).toBe(totals.client_errors);
    expect(Math.max(...hours.map(({ latency_ms }) => latency_ms.p99 ?? 0))).toBeGreaterThanOrEqual(
      totals.latency_ms.p99 ?? 0,
    );
    const ofIdle = await read(person, `/usage?include=hours&from=${today()}&key_id=${idle.id}`, accountUsage);
    expect(ofIdle.hours?.map(({ requests }) => requests)).toEqual(hours.map(() => 0));

    expect((await read(person, `/usage?key_id=${idle.id}`, accountUsage)).totals.requests).toBe(0);
    expect((await read(person, `/usage?key_id=${busy.id}&from=${today()}`, accountUsage)).days).toHaveLength(1);
    const used = (await keysOf(person)).find(({ id }) => id === busy.id);
    expect(Math.abs(Date.parse(used?.last_used_at ?? "") - Date.now())).toBeLessThan(120_000);
  });

  const wrong = [
    ["from=2026-01-02&to=2026-01-01", "from"],
    ["from=2026-01-01&to=2026-04-01", "from"],
    ["from=yesterday", "from"],
    ["to=2026-02-30", "to"],
    ["key_id=1", "key_id"],
    ["form=2026-01-01", "form"],
    ["include=requests", "include"],
    ["include=requests_by_day,days", "include"],
    ["include=hours", "include"],
    ["include=hours&from=2026-01-01&to=2026-01-08", "include"],
  ];
  test.each(wrong)("asked for with %s is 400 and names %s", async (query, parameter) => {
    const problem = await refused(await askAs(ada, `/usage?${query}`), 400);
    expect(problem.errors?.map((error) => error.parameter)).toContain(parameter);
  });

  test("goes over at most 90 days", async () => {
    expect((await read(ada, "/usage?from=2026-01-01&to=2026-03-31", accountUsage)).days).toHaveLength(90);
  });
});
