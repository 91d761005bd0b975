import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  corsHeaders,
  entityTag,
  isNotModified,
  prefersCsv,
  preflightHeaders,
  rateLimitHeaders,
  readRetryAfter,
  secondsUntil,
  secondsUntilReset,
  transportSecurity,
} from "../../../shared/http/headers.ts";

const at = (text: string) => new Date(text);

describe("rate-limit headers", () => {
  test("have the quota, what is left, and the reset in Unix seconds", () => {
    expect(rateLimitHeaders({ daily_quota: 100, remaining: 7, resets_at: "2026-06-02T00:00:00Z" })).toEqual({
      "X-RateLimit-Limit": "100",
      "X-RateLimit-Remaining": "7",
      "X-RateLimit-Reset": String(Date.UTC(2026, 5, 2) / 1_000),
    });
  });

  test("have no reset where none is reported", () => {
    expect(rateLimitHeaders({ daily_quota: -1, remaining: -1 })).toEqual({
      "X-RateLimit-Limit": "-1",
      "X-RateLimit-Remaining": "-1",
    });
  });

  test("are 0 for a caller that was not admitted", () => {
    expect(rateLimitHeaders(undefined)).toEqual({ "X-RateLimit-Limit": "0", "X-RateLimit-Remaining": "0" });
  });
});

test.each([
  ["2026-06-01T12:00:00.000Z", 12 * 3_600],
  ["2026-06-01T00:00:00.000Z", 24 * 3_600],
  ["2026-06-01T23:59:58.500Z", 2],
  ["2026-06-01T23:59:59.999Z", 1],
  // The next day is in another month and year.
  ["2026-12-31T23:59:00.000Z", 60],
])("at %s a quota resets in %i s", (now, seconds) => {
  expect(secondsUntilReset(undefined, at(now))).toBe(seconds);
});

test("a moment that is now or has passed is a second away, for a client that waits at least so long", () => {
  const now = at("2026-06-01T12:00:00Z");
  expect(secondsUntil(now.getTime(), now)).toBe(1);
  expect(secondsUntil(now.getTime() - 60_000, now)).toBe(1);
  expect(secondsUntil(now.getTime() + 1_001, now)).toBe(2);
});

test("HSTS is sent over TLS alone", () => {
  const over = (url: string) => transportSecurity(new Request(url));
  expect(over("https://api.example/")).toEqual({ "Strict-Transport-Security": "max-age=31536000" });
  expect(over("http://api.example/?next=https://api.example/")).toEqual({});
});

test("a browser may send, and read, the headers of the API", () => {
  const { "Access-Control-Allow-Methods": methods, "Access-Control-Allow-Headers": allowed } = preflightHeaders([
    "GET",
    "POST",
  ]);
  expect(methods).toBe("GET, POST");
  expect(allowed.split(", ")).toEqual(expect.arrayContaining(["Authorization", "Content-Type", "Idempotency-Key"]));
  expect(corsHeaders["Access-Control-Expose-Headers"].split(", ")).toEqual(
    expect.arrayContaining(["ETag", "Link", "Retry-After", "X-RateLimit-Remaining", "X-Request-Id", "X-Total-Count"]),
  );
});

test("an entity tag is weak: 24 digits of the body's SHA-256, in quotes", async () => {
  const digest = createHash("sha256").update("a body").digest("hex");
  expect(await entityTag("a body")).toBe(`W/"${digest.slice(0, 24)}"`);
});

test.each([
  [null, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  [' "a" ', true],
  ["*", true],
  [" * ", true],
  ['"b"', false],
  ['"b", "c"', false],
  ["a", false],
  ['"aW/"', false],
  ["", false],
])('If-None-Match %j and the tag "a", strong or weak: %s', (header, expected) => {
  for (const tag of ['"a"', 'W/"a"']) expect(isNotModified(header, tag)).toBe(expected);
});

test.each([
  [null, false],
  ["*/*", false],
  ["application/json", false],
  ["text/csv", true],
  ["Text/CSV; charset=utf-8", true],
  ["text/*", false],
  ["text/csv, application/json", false],
  ["text/csv, application/json;q=0.9", true],
  ["text/csv;q=0.5, application/json;q=0.9", false],
  ["text/csv; header=present; q=0.5 , application/json ; q=0.4", true],
  ["application/json;q=0.1,text/csv;q=0.2,*/*", true],
  ["text/csv, */*", true],
  ["text/csv, */*;q=0.8", true],
  ["text/csv;q=0.1, */*", false],
  ["application/*, text/csv;q=0.5", false],
  ["application/*;q=0.2, text/csv;q=0.5, */*", true],
  ["application/json;q=0.2, text/csv;q=0.5, application/*", true],
  ["text/csv;q=0, */*;q=0", false],
  ["text/csv;q=0", false],
  ["text/csv;q=high", false],
])("Accept %j asks for CSV: %s", (header, expected) => {
  expect(prefersCsv(header)).toBe(expected);
});

test.each([
  [null, undefined],
  [undefined, undefined],
  ["", undefined],
  ["soon", undefined],
  ["120", 120],
  [" 120 ", 120],
  ["0", 0],
  ["1.2", 2],
  ["1.25", 2],
  ["-5", undefined],
  ["1e3", undefined],
  ["5 minutes", undefined],
  ["999999999", 999_999_999],
  ["Mon, 01 Jun 2026 12:00:30 GMT", 30],
  ["Mon, 01 Jun 2026 12:00:00 GMT", undefined],
  ["Mon, 01 Jun 2026 11:59:30 GMT", undefined],
])("Retry-After %j is %s s", (header, seconds) => {
  expect(readRetryAfter(header, at("2026-06-01T12:00:00Z"))).toBe(seconds);
});
