import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { metricFamilies } from "../../../functions/metrics/metric-families.ts";
import { prometheusText } from "../../../functions/metrics/prometheus.ts";
import { readPrometheusText } from "../../support/prometheus.ts";
import { sampleMetrics } from "../../support/sample-metrics.ts";

const families = readPrometheusText(prometheusText(metricFamilies(sampleMetrics)));

/** Every metric that a text names. */
function namedIn(path: string): Set<string> {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  return new Set([...text.matchAll(/\bfunding_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, "")));
}

test.each(["docs/operate/alerts.yml", "docs/operate/monitor.md"])("%s names metrics that there are", (path) => {
  const named = [...namedIn(path)];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !families.has(name))).toEqual([]);
});

test("a histogram has the requests in its buckets, and those beyond all bounds in the last", () => {
  const { values } = families.get("funding_request_duration_seconds") ?? { values: new Map<string, number>() };
  const bucket = (le: string) =>
    values.get(`funding_request_duration_seconds_bucket{endpoint="grants-api",le="${le}"}`);
  expect([bucket("0.003"), bucket("0.005"), bucket("10"), bucket("+Inf")]).toEqual([0, 3, 3, 4]);
  expect(values.get('funding_request_duration_seconds_sum{endpoint="grants-api"}')).toBeCloseTo(12.012);
});
