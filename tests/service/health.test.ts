import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handle } from "../../functions/health/index.ts";
import { ReadinessCache } from "../../functions/health/readiness.ts";
import { latestMigration } from "../../shared/database/migration.generated.ts";
import type { Readiness, RpcClient, RpcOutcome, Rpcs, SchemaFault } from "../../shared/database/rpc.ts";
import { release } from "../../shared/release.ts";
import { openTestService, type TestService, testBaseUrl } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** Asks over a database that answers so. Nobody has asked for its readiness yet. */
async function ready(
  call: (name: keyof Rpcs) => Promise<RpcOutcome<unknown>>,
): Promise<{ status: number; text: string }> {
  const database: RpcClient = { call: call as RpcClient["call"] };
  const runtime = { ...service.runtime, database, readiness: new ReadinessCache() };
  const response = await handle(new Request(`${testBaseUrl}/health/ready`), runtime);
  return { status: response.status, text: await response.text() };
}

const failing =
  (code: string, message = "") =>
  async () =>
    ({ ok: false, failure: { code, message, details: null, hint: null } }) as const;
const answering =
  (changes: Partial<Readiness>, faults: SchemaFault[] = []) =>
  async (name: keyof Rpcs) =>
    ({
      ok: true,
      value:
        name === "get_schema_faults"
          ? faults
          : { migration: latestMigration, has_records: true, is_fitted: true, ...changes },
    }) as const;
const withFaults = (faults: SchemaFault[]) => answering({}, faults);
const missing = (name: string): SchemaFault => ({ kind: "function", name, is_missing: true });

describe("/health", () => {
  test("answers without the database", async () => {
    const calls = service.calls.length;
    expect((await service.fetch("/health")).status).toBe(200);
    expect(service.calls).toHaveLength(calls);
  });
});

describe("/health/ready", () => {
  test.each<[string, (name: keyof Rpcs) => Promise<RpcOutcome<unknown>>, RegExp]>([
    ["the database is not reached", failing("", "connect ECONNREFUSED 10.0.0.7:5432"), /was not reached/],
    ["PostgREST knows no such function", failing("PGRST202"), /lacks migrations/],
    ["PostgREST has no connection", failing("PGRST001"), /answered PGRST001/],
    ["migrations are missing", answering({ migration: "20251231000000" }), /up to 20251231000000, and .* needs/],
    ["there are no records", answering({ has_records: false, is_fitted: false }), /no records/],
    ["the lexicon is not fitted", answering({ is_fitted: false }), /npm run lexicon/],
    [
      "functions are missing and an index was changed",
      withFaults([missing("funding.list(text)"), { kind: "index", name: "funding.grants_listed", is_missing: false }]),
      /\(the function funding\.list\(text\) is missing, the index funding\.grants_listed was changed\): npm run migrate/,
    ],
    [
      "all functions are missing",
      withFaults(["a", "b", "c", "d"].map((name) => missing(`funding.${name}()`))),
      /funding\.c\(\) is missing, and more\): npm run migrate/,
    ],
  ])("is 503 and says so when %s", async (_what, call, said) => {
    const { status, text } = await ready(call);
    expect([status, JSON.parse(text).type]).toEqual([503, "urn:funding-opportunities:problem:unavailable"]);
    expect(JSON.parse(text).detail).toMatch(said);
    expect(text).not.toContain("10.0.0.7");
  });

  test("is 200 with a warning when an index is missing or a function was changed", async () => {
    const { status, text } = await ready(
      withFaults([
        { kind: "function", name: "funding.list(text)", is_missing: false },
        { kind: "index", name: "funding.grants_listed", is_missing: true },
      ]),
    );
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      status: "ready",
      release,
      warnings: [
        "the schema is not what its migrations made (the function funding.list(text) was changed, the index funding.grants_listed is missing): npm run migrate tells all",
      ],
    });
  });

  test("takes a database that is ahead, or whose migrations came by other means", async () => {
    expect((await ready(answering({ migration: "20991231000000" }))).status).toBe(200);
    expect((await ready(answering({ migration: null }))).status).toBe(200);
  });

  test("compares the schema once for many who ask at a time, where nobody may wait for another's call", async () => {
    const calls: string[] = [];
    const call = async (name: keyof Rpcs) => {
      calls.push(name);
      return answering({})(name);
    };
    const database: RpcClient = { call: call as RpcClient["call"] };
    const runtime = { ...service.runtime, database, readiness: new ReadinessCache({ joinsCalls: false }) };
    const request = () => handle(new Request(`${testBaseUrl}/health/ready`), runtime);
    const answers = await Promise.all(Array.from({ length: 20 }, request));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(calls.filter((name) => name === "get_readiness")).toHaveLength(20);
    expect(calls.filter((name) => name === "get_schema_faults")).toHaveLength(1);
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
    expect(service.calls.slice(calls)).toEqual(["get_readiness", "get_schema_faults"]);
  });
});
