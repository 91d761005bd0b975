import { describe, expect, test } from "vitest";
import { release } from "../../shared/release.ts";
import { type ReadFamily, readPrometheusText } from "../support/prometheus.ts";
import { needs } from "./needs.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
needs("metrics");

const scrape = () => target.send("/metrics", {}, { key: target.metricsSecret() });

async function families(): Promise<Map<string, ReadFamily>> {
  const response = await scrape();
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  return readPrometheusText(await response.text());
}

async function requests(labels: string): Promise<number> {
  return (await families()).get("funding_requests_total")?.values.get(`funding_requests_total{${labels}}`) ?? 0;
}

describe("GET /metrics", () => {
  test("requires the secret", async () => {
    for (const caller of ["nobody", "developer", { key: `${target.metricsSecret()}x` }, { key: "x" }] as const) {
      const response = await target.send("/metrics", {}, caller);
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="metrics"']);
      expect(await response.text()).not.toContain("funding_");
    }
  });

  test("is in Prometheus's text format", async () => {
    const read = await families();
    expect([...read.keys()]).toEqual(
      expect.arrayContaining([
        "funding_events_waiting",
        "funding_deliveries_due",
        "funding_webhook_endpoints",
        "funding_records",
        "funding_lexicon_age_seconds",
        "funding_database_connections",
      ]),
    );
    expect(read.get("funding_build_info")?.values.get(`funding_build_info{version="${release}"}`)).toBe(1);
    expect(read.get("funding_records")?.values.get('funding_records{dataset="grants"}')).toBeGreaterThan(0);
  });

  /** The count, once what earlier tests asked for is in it. */
  async function settledRequests(labels: string): Promise<number> {
    for (let known = await requests(labels); ; ) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const now = await requests(labels);
      if (now === known) return now;
      known = now;
    }
  }

  test("counts requests by endpoint and status, soon after they were answered", async () => {
    const asks = [
      ['endpoint="funders-api",status="200"', "/funders-api?limit=1", 200],
      ['endpoint="funders-api",status="400"', "/funders-api?limit=0", 400],
      ['endpoint="funders-api/{id}",status="404"', `/funders-api/${crypto.randomUUID()}`, 404],
    ] as const;
    for (const [labels, path, status] of asks) {
      const before = await settledRequests(labels);
      for (let request = 0; request < 5; request++) expect((await target.send(path)).status).toBe(status);
      await expect.poll(() => requests(labels), { timeout: 60_000 }).toBe(before + 5);
    }
  });
});
