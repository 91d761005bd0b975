import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { latestMigration } from "../../shared/database/migration.generated.ts";
import type { Readiness, RpcClient, RpcOutcome } from "../../shared/database/rpc.ts";
import { healthEndpoint } from "../../shared/operations/health.ts";
import { ReadinessCache } from "../../shared/operations/readiness.ts";
import { openTestService, type TestService, testBaseUrl } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

const handle = healthEndpoint("health");

/** Asks over a database that answers so. Nobody has asked for its readiness yet. */
async function ready(call: () => Promise<RpcOutcome<unknown>>): Promise<{ status: number; text: string }> {
  const database: RpcClient = { call: call as RpcClient["call"] };
  const runtime = { ...service.runtime, database, readiness: new ReadinessCache() };
  const response = await handle(new Request(`${testBaseUrl}/health/ready`), runtime);
  return { status: response.status, text: await response.text() };
}

const failing =
  (code: string, message = "") =>
  async () =>
    ({ ok: false, failure: { code, message, details: null, hint: null } }) as const;
const answering = (changes: Partial<Readiness>) => async () =>
  ({
    ok: true,
    value: { migration: latestMigration, has_records: true, is_fitted: true, ...changes },
  }) as const;

describe("/health", () => {
  test("answers without the database", async () => {
    const calls = service.calls.length;
    expect((await service.fetch("/health")).status).toBe(200);
    expect(service.calls).toHaveLength(calls);
  });
});

describe("/health/ready", () => {
  test.each<[string, () => Promise<RpcOutcome<unknown>>, RegExp]>([
    ["the database is not reached", failing("", "connect ECONNREFUSED 10.0.0.7:5432"), /was not reached/],
    ["PostgREST knows no such function", failing("PGRST202"), /lacks migrations/],
    ["PostgREST has no connection", failing("PGRST001"), /answered PGRST001/],
    ["migrations are missing", answering({ migration: "20251231000000" }), /up to 20251231000000, and .* needs/],
    ["there are no records", answering({ has_records: false, is_fitted: false }), /no records/],
    ["the lexicon is not fitted", answering({ is_fitted: false }), /npm run lexicon/],
  ])("is 503 and says so when %s", async (_what, call, said) => {
    const { status, text } = await ready(call);
    expect([status, JSON.parse(text).type]).toEqual([503, "urn:funding-opportunities:problem:unavailable"]);
    expect(JSON.parse(text).detail).toMatch(said);
    expect(text).not.toContain("10.0.0.7");
  });

  test("takes a database that is ahead, or whose migrations came by other means", async () => {
    expect((await ready(answering({ migration: "20991231000000" }))).status).toBe(200);
    expect((await ready(answering({ migration: null }))).status).toBe(200);
  });

  test("answers in time when the database does not", async () => {
    const started = performance.now();
    const { status, text } = await ready(() => new Promise(() => {}));
    expect([status, JSON.parse(text).detail]).toEqual([503, "Not ready: the database did not answer within 2 s."]);
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  test("asks the database once for many who ask at a time", async () => {
    const calls = service.calls.length;
    const answers = await Promise.all(Array.from({ length: 200 }, () => service.fetch("/health/ready")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(service.calls.slice(calls)).toEqual(["get_readiness"]);
  });
});
