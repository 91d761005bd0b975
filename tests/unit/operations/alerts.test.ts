import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { metricFamilies } from "../../../functions/metrics/metric-families.ts";
import { prometheusText } from "../../../functions/metrics/prometheus.ts";
import type { Metrics } from "../../../shared/database/rpc.ts";
import { readPrometheusText } from "../../support/prometheus.ts";

const metrics: Metrics = {
  requests: [
    { endpoint: "grants-api", status: 200, latency_bucket_ms: 5, requests: 3, duration_ms: 12 },
    { endpoint: "grants-api", status: 500, latency_bucket_ms: 2_147_483_647, requests: 1, duration_ms: 12_000 },
  ],
  events: { waiting: 0, oldest_seconds: null, undeliverable: 0 },
  deliveries: { due: 0, oldest_seconds: null },
  attempts: [{ outcome: "succeeded", attempts: 1 }],
  endpoints: { well: 1, failing: 0, disabled: 0, set_aside: 0 },
  digests: { oldest_seconds: null },
  digest_mails: [{ state: "sent", mails: 3 }],
  dispatcher_seconds: 1,
  retention: [{ table_name: "usage", seconds: 0 }],
  sources: [{ source: "grants-gov", age_seconds: 60, last_outcome: "completed" }],
  records: [{ dataset: "grants", records: 10, without_vector: 0 }],
  lexicon: { age_seconds: 60, documents: 10 },
  database: { connections: 1, maximum_connections: 100, bytes: 1e9, deadlocks: 0, rollbacks: 0 },
};

const families = readPrometheusText(prometheusText(metricFamilies(metrics)));

/** Every metric that a text names. */
function namedIn(path: string): Set<string> {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
  return new Set([...text.matchAll(/\bfunding_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, "")));
}

test.each(["docs/alerts.yml", "docs/operations.md"])("%s names metrics that there are", (path) => {
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
