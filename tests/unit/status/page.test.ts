import { describe, expect, test } from "vitest";
import { addCheck, type History } from "../../../status/history.ts";
import { statusPage } from "../../../status/page.ts";
import type { Check } from "../../../status/probe.ts";
import { bucketCount } from "../../../status/response-times.ts";
import { formatDuration, formatQuantile, formatShare } from "../../../status/words.ts";

const baseUrl = "https://api.example.org/functions/v1";

function check(at: string, found: Partial<Check> = {}): Check {
  return {
    at: new Date(at),
    outcome: "ready",
    detail: undefined,
    responseMs: 84,
    metrics: undefined,
    metricsProblem: undefined,
    ...found,
  };
}

function historyOf(...checks: Check[]): History {
  const [first, ...others] = checks;
  if (first === undefined) throw new Error("no checks");
  return others.reduce((history, each) => addCheck(history, baseUrl, each), addCheck(undefined, baseUrl, first));
}

const metricsOf = (name: string, requests: number): Check["metrics"] => ({
  counters: new Map([[name, [...new Array<number>(bucketCount - 1).fill(0), requests]]]),
  dataAges: new Map([[name, 7_200]]),
});

describe("the page", () => {
  test("says whether it is up, when that was, what is not known, and what is not measured", async () => {
    const html = await statusPage(historyOf(check("2026-11-26T12:00:00Z"), check("2026-11-26T12:11:00Z")));
    for (const text of [
      "The API is up",
      '<time datetime="2026-11-26T12:11:00.000Z">26 Nov 2026, 12:11 UTC</time>',
      "It answered in 84 ms",
      "33.33 % of the slots had no check",
      "25 Nov 2026</th><td>no data",
      "No check failed.",
      "Response times are not measured here.",
      "How fresh the data is, is not measured here",
    ]) {
      expect(html).toContain(text);
    }
    expect(html.match(/<g><title>/g)).toHaveLength(90);
  });

  test("says an outage, its length, and why", async () => {
    const down = historyOf(
      check("2026-11-25T23:55:00Z"),
      check("2026-11-26T00:00:00Z", {
        outcome: "unreachable",
        detail: "It could not be reached.",
        responseMs: undefined,
      }),
      check("2026-11-26T00:05:00Z", { outcome: "not-ready", detail: "Not ready: the database has no records." }),
    );
    const html = await statusPage(down);
    expect(html).toContain("The API is not ready");
    expect(html).toContain("Not ready: the database has no records.");
    expect(html).toContain("Since 26 Nov 2026, 00:00 UTC</strong>: the API is not ready");
    const later = await statusPage(addCheck(down, baseUrl, check("2026-11-26T00:10:00Z")));
    expect(later).toContain("26 Nov 2026, 00:00 to 00:10 UTC</strong>, about 10 minutes: the API was not ready");
    expect(html).toContain("26 Nov 2026</th><td>ready in 0 % of 2 five-minute slots");
  });

  test("has p95 by kind, how fresh each dataset is, and when that could last be read", async () => {
    const html = await statusPage(
      historyOf(
        check("2026-11-26T12:00:00Z", { metrics: metricsOf("grants-api", 10) }),
        check("2026-11-26T12:05:00Z", { metrics: metricsOf("grants-api", 30) }),
        check("2026-11-26T12:10:00Z", { metricsProblem: "It answered with HTTP status 503." }),
      ),
    );
    expect(html).toContain('<tr><th scope="row">Grants</th><td>over 10 s</td><td>over 10 s</td></tr>');
    expect(html).toContain("26 Nov 2026, 10:05 UTC</time></td><td>2 hours</td>");
    expect(html).toMatch(/Last read on <time[^>]*>26 Nov 2026, 12:05 UTC<\/time>. It answered with HTTP status 503/);
  });

  test("shows what a server says as text, and needs neither scripts nor other files", async () => {
    const hostile = `</p><script src="//evil.example"></script>"'&`;
    const html = await statusPage(
      historyOf(
        check("2026-11-26T12:00:00Z", { metrics: metricsOf(hostile, 1) }),
        check("2026-11-26T12:05:00Z", { outcome: "not-ready", detail: hostile, metrics: metricsOf(hostile, 2) }),
      ),
    );
    expect(html).not.toMatch(/<script|<link|<img|@import/i);
    expect(html.replaceAll('url("#stripes")', "")).not.toContain("url(");
    expect(html.split("&lt;/p&gt;&lt;script src=&quot;//evil.example&quot;&gt;")).toHaveLength(4);
    expect(html).toContain(`content="default-src 'none'; style-src 'sha256-`);
  });
});

test("numbers are said so that they hide no failure", () => {
  expect([formatShare(25_919, 25_920), formatShare(1, 1), formatShare(0, 5), formatShare(1, 100_000)]).toEqual([
    "99.99 %",
    "100 %",
    "0 %",
    "0.01 %",
  ]);
  expect([1, 90, 119, 120, 2_879, 2_880].map(formatDuration)).toEqual([
    "1 minute",
    "90 minutes",
    "119 minutes",
    "2 hours",
    "47 hours",
    "2 days",
  ]);
  expect([4.24, 84.4, 1_340].map((ms) => formatQuantile({ ms, isMore: false }))).toEqual(["4.2 ms", "84 ms", "1.3 s"]);
  expect([formatQuantile({ ms: 10_000, isMore: true }), formatQuantile(undefined)]).toEqual([
    "over 10 s",
    "no requests",
  ]);
});
