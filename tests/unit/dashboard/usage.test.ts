import { describe, expect, test } from "vitest";
import { usageCsv } from "../../../dashboard/src/usage/csv.ts";
import {
  compareCounts,
  maximumDays,
  maximumHourlyDays,
  rangeBefore,
  rangeOf,
} from "../../../dashboard/src/usage/range.ts";
import { maximumHourlyDays as hourlyDaysOfApi, maximumUsageDays } from "../../../shared/responses/account/usage.ts";

const now = Date.parse("2026-03-02T23:59:59Z");
const rangeAt = (address: string) => rangeOf(new URLSearchParams(address), now);

describe("the range in the address", () => {
  test.each([
    ["", { from: "2026-02-01", to: "2026-03-02", days: 30, isCustom: false }],
    ["range=7", { from: "2026-02-24", to: "2026-03-02", days: 7, isCustom: false }],
    ["range=8", { from: "2026-02-01", to: "2026-03-02", days: 30, isCustom: false }],
    ["from=2026-02-28&to=2026-03-01", { from: "2026-02-28", to: "2026-03-01", days: 2, isCustom: true }],
    ["from=2026-03-01&range=7", { from: "2026-03-01", to: "2026-03-02", days: 2, isCustom: true }],
    ["to=2026-02-28", { from: "2026-01-30", to: "2026-02-28", days: 30, isCustom: true }],
  ])("%s", (address, range) => expect(rangeAt(address)).toEqual(range));

  test.each([
    ["from=2026-03-02&to=2026-03-01", /first day is after the last/],
    ["from=2026-03-01&to=2026-03-03", /still to come/],
    ["from=2025-12-02&to=2026-03-02", /At most 90 days/],
    ["from=2026-02-30&to=2026-03-02", /Choose both days/],
    ["from=&to=2026-03-02", /Choose both days/],
    ["from=2026-03-01&to=tomorrow", /Choose both days/],
    ["to=tomorrow", /Choose both days/],
  ])("of %s, which cannot be taken, says why, and shows the last 30 days", (address, error) => {
    expect(rangeAt(address)).toEqual({
      ...rangeAt(""),
      isCustom: true,
      error: expect.stringMatching(error),
    });
  });

  test("takes as many days as the API does", () => {
    expect(maximumDays).toBe(maximumUsageDays);
    expect(maximumHourlyDays).toBe(hourlyDaysOfApi);
    expect(rangeAt("from=2025-12-03&to=2026-03-02")).toEqual(expect.objectContaining({ days: 90, isCustom: true }));
  });
});

test("the days before a range are as many", () => {
  expect(rangeBefore(rangeAt("range=7"))).toEqual({ from: "2026-02-17", to: "2026-02-23" });
  expect(rangeBefore(rangeAt("from=2026-03-01&to=2026-03-01"))).toEqual({ from: "2026-02-28", to: "2026-02-28" });
});

test.each([
  [112, 100, "12% more than before"],
  [30, 3_000, "99% fewer than before"],
  [1_001, 1_000, "less than 1% more than before"],
  [5, 5, "as many as before"],
  [5, 0, "none before"],
  [0, 5, "100% fewer than before"],
  [0, 0, undefined],
])("%d beside %d is %s", (count, former, words) => expect(compareCounts(count, former, "before")).toBe(words));

test("usage as CSV has a line a day, and nothing where nothing was answered", () => {
  const latency_ms = { p50: 15, p95: 34, p99: 10_000 };
  const none = { p50: null, p95: null, p99: null };
  const csv = usageCsv("day", [
    { at: "2026-03-01", requests: 12, client_errors: 1, server_errors: 0, latency_ms },
    { at: "2026-03-02", requests: 0, client_errors: 0, server_errors: 0, latency_ms: none },
  ]);
  expect(csv).toBe(
    "day,requests,client_errors,server_errors,p50_ms,p95_ms,p99_ms\r\n2026-03-01,12,1,0,15,34,10000\r\n2026-03-02,0,0,0,,,\r\n",
  );
});
