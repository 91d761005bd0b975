import { expect, test } from "vitest";
import { dayWords, formatUptime } from "../../../dashboard/src/status/words.ts";
import { addCheck, slotMinutes } from "../../../status/history.ts";
import type { Check } from "../../../status/probe.ts";
import { publicStatus, publicStatusOf } from "../../../status/public.ts";
import { bucketCount } from "../../../status/response-times.ts";

const baseUrl = "http://127.0.0.1:54321/functions/v1";

function check(at: string, requests: number, outcome: Check["outcome"] = "ready"): Check {
  const counters = new Map([["grants-api", [requests, ...new Array<number>(bucketCount - 1).fill(0)]]]);
  const metrics = { counters, dataAges: new Map() };
  return { at: new Date(at), outcome, detail: undefined, responseMs: 3, metrics, metricsProblem: undefined };
}

test("anybody is told days, outages and p95, and no numbers of requests", () => {
  let history = addCheck(undefined, baseUrl, check("2026-11-26T10:00:00Z", 0));
  history = addCheck(history, baseUrl, check("2026-11-26T10:05:00Z", 4321, "not-ready"));
  history = addCheck(history, baseUrl, check("2026-11-26T10:10:00Z", 4321));
  const status = publicStatus.parse(publicStatusOf(history, slotMinutes));
  expect(status).toMatchObject({
    checked_at: "2026-11-26T10:10:00.000Z",
    since: "2026-11-26T10:00:00.000Z",
    slots: { elapsed: 3, known: 3, ready: 2 },
    p95_ms: { hour: 1, day: 1 },
    endpoints: [{ endpoint: "grants-api", p95_ms: { hour: 1, day: 1 } }],
    outages: [{ from: "2026-11-26T10:05:00.000Z", to: "2026-11-26T10:10:00.000Z", is_ongoing: false }],
  });
  expect(status.days).toHaveLength(90);
  expect(status.days.at(-2)).toEqual({ day: "2026-11-25", known: 0, ready: 0, p95_ms: null });
  expect(JSON.stringify(status)).not.toContain("4321");
});

test("before there was a request, p95 is not known", () => {
  const history = addCheck(undefined, baseUrl, check("2026-11-26T10:00:00Z", 0));
  expect(publicStatusOf(history, slotMinutes)).toMatchObject({ p95_ms: { hour: null, day: null }, endpoints: [] });
});

test("uptime is 100% only where no check failed, and a day without checks has no data", () => {
  expect(formatUptime(0, 0)).toBe("–");
  expect(formatUptime(288, 288)).toBe("100%");
  expect(formatUptime(99_999, 100_000)).toBe("99.99%");
  expect(dayWords({ day: "2026-11-25", known: 0, ready: 0, p95_ms: null })).toBe("Nov 25: no data");
  expect(dayWords({ day: "2026-11-26", known: 288, ready: 287, p95_ms: 25 })).toBe(
    "Nov 26: up in 99.65% of 288 checks, p95 25 ms",
  );
});
