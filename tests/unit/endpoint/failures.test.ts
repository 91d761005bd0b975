import { describe, expect, test } from "vitest";
import { isMappedFailure, problemForFailure } from "../../../shared/endpoint/database-failures.ts";
import { overloaded } from "../../../shared/endpoint/request-database.ts";
import { tooManyStreams } from "../../../shared/overload/stream-limit.ts";

const noon = new Date("2026-06-01T12:00:00Z");
const refused = (code: string, details: string | null = null) =>
  problemForFailure({ code, message: "secret words of the database", details, hint: null }, noon);
const refusal = (code: string) => refused(code).problem;

test.each([
  ["08006", "the connection broke"],
  ["40P01", "a deadlock"],
  ["53100", "the disk is full"],
  ["53200", "out of memory"],
  ["53300", "too many connections"],
  ["57014", "the time limit has passed"],
  ["57P01", "the server is being shut down"],
  ["57P03", "the server is starting"],
  ["58030", "the disk cannot be read"],
  ["20", "the request was aborted"],
  ["", "the connection was refused"],
  ["PGRST000", "PostgREST cannot connect"],
  ["PGRST001", "PostgREST lost its connection"],
  ["PGRST002", "PostgREST reads its schema"],
  ["PGRST003", "PostgREST's pool is empty"],
  ["PT503", "the records have no vectors"],
])("%s, %s, passes: 503 with Retry-After", (code) => {
  const problem = refusal(code);
  expect(problem.name).toBe("unavailable");
  expect(problem.headers?.["Retry-After"]).toBe("5");
  expect(problem.detail).not.toContain("secret");
});

test.each(["42883", "22P02", "XX000", "P0001", "55000", "PGRST202"])("%s is a fault of ours: 500", (code) => {
  expect(refusal(code).name).toBe("server-error");
  expect(refusal(code).detail).not.toContain("secret");
});

test("overload is 503, and spreads the retries over one to five seconds", () => {
  const seconds = new Set(Array.from({ length: 500 }, () => refusal(overloaded.code).headers?.["Retry-After"]));
  expect([...seconds].sort()).toEqual(["1", "2", "3", "4", "5"]);
});

test.each([
  [tooManyStreams.caller.code, "This key has 4 CSV files open"],
  [tooManyStreams.all.code, "Too many CSV files"],
])("%s is 503, with words of its own and the same spread of retries", (code, words) => {
  const { name, detail, headers } = refusal(code);
  expect([name, detail]).toEqual(["unavailable", expect.stringContaining(words)]);
  expect(headers?.["Retry-After"]).toMatch(/^[1-5]$/);
});

test("a count that stays locked is 503, with words of its own and the same spread of retries", () => {
  const { name, detail, headers } = refusal("55P03");
  expect(name).toBe("unavailable");
  expect(detail).toContain("cannot be counted right now");
  expect(headers?.["Retry-After"]).toMatch(/^[1-5]$/);
});

describe("a refusal of the database", () => {
  const admission = { api_key_id: "key", daily_quota: 100, remaining: 0 };

  test("says when the quota begins anew by the database's clock, which may be behind this one", () => {
    const details = JSON.stringify({ ...admission, resets_at: "2026-06-01T12:00:00.300Z" });
    expect(refused("PT429", details).problem.headers?.["Retry-After"]).toBe("1");
    expect(refused("PT429", JSON.stringify(admission)).problem.headers?.["Retry-After"]).toBe("43200");
  });

  test("names the scheme for an unknown key, and nobody to charge it to", () => {
    expect(refused("PT401", JSON.stringify(admission))).toMatchObject({
      problem: { name: "unauthorized", headers: { "WWW-Authenticate": 'Bearer realm="funding"' } },
    });
    expect(refused("PT401", JSON.stringify(admission))).not.toHaveProperty("admission");
  });

  test("has the key that it concerns", () => {
    expect(refused("PT403", JSON.stringify(admission))).toMatchObject({ problem: { name: "forbidden" }, admission });
    expect(refused("PT503", JSON.stringify(admission))).toMatchObject({ problem: { name: "unavailable" }, admission });
    expect(refused("57014", JSON.stringify(admission))).toMatchObject({ admission });
    expect(refused("53300", JSON.stringify(admission))).toMatchObject({ admission });
  });

  test("of a used-up quota has the quota, and the seconds to midnight UTC", () => {
    const { problem, admission: found } = refused("PT429", JSON.stringify(admission));
    expect(problem).toMatchObject({ name: "quota-exceeded", headers: { "Retry-After": String(12 * 3_600) } });
    expect(problem.detail).toContain("quota of 100 requests a day");
    expect(found).toEqual(admission);
    expect(refused("PT429").problem.detail).toContain("quota of 0 requests a day");
  });

  test("of an address has the key's ranges and the address", () => {
    const outside = (ranges: string[]) => {
      const details = { ...admission, key_addresses: ranges, client_address: "198.51.100.7" };
      return refused("PT403", JSON.stringify(details)).problem;
    };
    expect(outside(["203.0.113.0/24"])).toEqual({
      name: "outside-key-limits",
      detail:
        "This key is for requests from 203.0.113.0/24 alone, and this one comes from 198.51.100.7. Use another key, or change its limits.",
    });
    const ranges = ["203.0.113.0/24", "2001:db8::/32", "192.0.2.1/32", "192.0.2.2/32", "192.0.2.3/32"];
    expect(outside(ranges.slice(0, 3)).detail).toContain("203.0.113.0/24, 2001:db8::/32 and 192.0.2.1/32 alone");
    expect(outside(ranges).detail).toContain("203.0.113.0/24, 2001:db8::/32, 192.0.2.1/32 and 2 more alone");
  });

  test("of an address that is not known says so, and whom to tell", () => {
    const details = { ...admission, key_addresses: ["203.0.113.0/24"], client_address: null };
    expect(refused("PT403", JSON.stringify(details))).toMatchObject({
      problem: {
        name: "outside-key-limits",
        detail:
          "This key is limited to some addresses, and this server does not know those of its clients, so it refuses the key. Tell the server's operator, who can set CLIENT_ADDRESS_HEADER; until then, use a key without addresses.",
      },
      admission,
    });
  });

  test.each([
    [null],
    ["no JSON"],
    ["null"],
    ["{}"],
    ['{"api_key_id":"key","daily_quota":1}'],
    ['{"api_key_id":"key","remaining":1}'],
    ['{"daily_quota":1,"remaining":1}'],
  ])("with the details %j has no key", (details) => {
    expect(refused("PT403", details).admission).toBeUndefined();
  });
});

test.each(["PT400", "PT401", "PT403", "PT404", "PT409", "PT429", "PT503", "57014", "55P03", "22P02", "23505"])(
  "%s is a code that functions of the database fail with on purpose",
  (code) => expect(isMappedFailure(code)).toBe(true),
);

test.each(["PT402", "PT500", "PT4000", "57P01", "24000", "21000", "42883", "XX000", "", "P0001"])(
  "%j is a fault of the function itself",
  (code) => expect(isMappedFailure(code)).toBe(false),
);
