import { describe, expect, test } from "vitest";
import { metricFamilies } from "../../../functions/metrics/metric-families.ts";
import { prometheusText } from "../../../functions/metrics/prometheus.ts";
import { bucketBoundsMs, slowestBucketMs } from "../../../shared/usage/recorder.ts";
import { readMetrics } from "../../../status/metrics.ts";
import { addCounts, bucketCount, countsBetween, quantile } from "../../../status/response-times.ts";
import { sampleMetrics } from "../../support/sample-metrics.ts";

/** Counts with so many requests in the bucket up to a bound. */
function counts(requestsByBound: Readonly<Record<number, number>>): number[] {
  return [...bucketBoundsMs, slowestBucketMs].map((bound) => requestsByBound[bound] ?? 0);
}

describe("reading /metrics", () => {
  test("gives each request's bucket and each dataset's age, as our own endpoint writes them", () => {
    const text = prometheusText(
      metricFamilies({
        ...sampleMetrics,
        requests: [
          { endpoint: "grants-api", status: 200, latency_bucket_ms: 50, requests: 7, duration_ms: 300 },
          { endpoint: "grants-api", status: 503, latency_bucket_ms: slowestBucketMs, requests: 2, duration_ms: 30_000 },
          { endpoint: 'a"b\\c\nd', status: 200, latency_bucket_ms: 1, requests: 1, duration_ms: 1 },
        ],
        records: [
          { dataset: "grants", records: 5, age_seconds: 90, without_vector: 0 },
          { dataset: "funders", records: 5, age_seconds: null, without_vector: 0 },
        ],
      }),
    );
    const { counters, dataAges } = readMetrics(text);
    expect(counters).toEqual(
      new Map([
        ["grants-api", counts({ 50: 7, [slowestBucketMs]: 2 })],
        ['a"b\\c\nd', counts({ 1: 1 })],
      ]),
    );
    expect(dataAges).toEqual(new Map([["grants", 90]]));
  });

  const head = "# TYPE funding_request_duration_seconds histogram\n";
  const bucket = (le: string, value: string) =>
    `funding_request_duration_seconds_bucket{endpoint="a",le="${le}"} ${value}\n`;
  test.each([
    ["a page in HTML", "<!doctype html><title>Not found</title>"],
    ["another program's metrics", "# TYPE up gauge\nup 1\n"],
    ["other buckets", `${head}${bucket("0.123", "1")}`],
    ["buckets that are missing", `${head}${bucket("0.001", "1")}`],
    ["a part of a request", `${head}${bucket("0.001", "0.5")}`],
  ])("refuses %s", (_what, text) => {
    expect(() => readMetrics(text)).toThrow(/no metrics of this API|other buckets/);
  });

  test("reads at most forty names, of at most sixty letters", () => {
    const ages = Array.from({ length: 100 }, (_, index) => `funding_data_age_seconds{dataset="d${index}"} 1\n`);
    const long = `funding_data_age_seconds{dataset="${"x".repeat(61)}"} 1\n`;
    expect(readMetrics(`# TYPE funding_data_age_seconds gauge\n${long}${ages.join("")}`).dataAges.size).toBe(40);
  });
});

describe("response times", () => {
  test("a quantile is where the bucket has it, as histogram_quantile spreads a bucket's requests", () => {
    const of = counts({ 50: 90, 110: 10 });
    expect(quantile(of, 0.9)).toEqual({ ms: 50, isMore: false });
    expect(quantile(of, 0.95)).toEqual({ ms: 75 + 35 / 2, isMore: false });
    expect(quantile(counts({ [slowestBucketMs]: 1 }), 0.95)).toEqual({ ms: 10_000, isMore: true });
    expect(quantile(counts({}), 0.95)).toBeUndefined();
    expect(quantile([], 0.95)).toBeUndefined();
  });

  test("between two readings are those of the requests since; a counter that went down says nothing", () => {
    const before = new Map([
      ["same", counts({ 50: 5 })],
      ["grown", counts({ 50: 5, 75: 1 })],
      ["restored", counts({ 50: 5_000 })],
    ]);
    const after = new Map([
      ["same", counts({ 50: 5 })],
      ["grown", counts({ 50: 8, 75: 2 })],
      ["restored", counts({ 50: 4_000, 75: 9 })],
      ["new", counts({ 3: 4 })],
    ]);
    expect(countsBetween(before, after)).toEqual(
      new Map([
        ["grown", counts({ 50: 3, 75: 1 })],
        ["new", counts({ 3: 4 })],
      ]),
    );
  });

  test("add up bucket by bucket", () => {
    expect(addCounts([counts({ 1: 2 }), counts({ 1: 3, 75: 1 })])).toEqual(counts({ 1: 5, 75: 1 }));
    expect(addCounts([])).toHaveLength(bucketCount);
  });
});
