import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handle } from "../../functions/metrics/index.ts";
import { readMetrics } from "../../status/metrics.ts";
import { countsBetween } from "../../status/response-times.ts";
import { readPrometheusText } from "../support/prometheus.ts";
import { bearer, openTestService, type TestService, testBaseUrl, testMetricsSecret } from "../support/service.ts";
import { setVectors } from "../support/vectors.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** The values of a metric, by what stands before them. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  await service.settled();
  const response = await service.fetch("/metrics", { headers: bearer(testMetricsSecret) });
  const family = readPrometheusText(await response.text()).get(name);
  return Object.fromEntries([...(family?.values ?? [])].map(([key, value]) => [key.slice(name.length), value]));
}

test("are off, and ask no database, where no secret is set", async () => {
  const runtime = { ...service.runtime, variable: () => undefined };
  const calls = service.calls.length;
  for (const headers of [{}, bearer(testMetricsSecret), bearer("undefined")]) {
    const response = await handle(new Request(`${testBaseUrl}/metrics`, { headers }), runtime);
    expect([response.status, await response.json()]).toMatchObject([404, { detail: "Metrics are not set up here." }]);
  }
  expect(service.calls).toHaveLength(calls);
});

describe("requests", () => {
  test("are counted exactly, refusals by quota too, and those of strangers are not", async () => {
    const { key } = await service.newKey("three", 3);
    const status = async (key: string) =>
      (await service.fetch("/contracts-api?limit=1", { headers: bearer(key) })).status;
    const statuses = [];
    for (let request = 0; request < 5; request++) statuses.push(await status(key));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    await status("fo_live_nonsense");
    expect(await valuesOf("funding_requests_total")).toMatchObject({
      '{endpoint="contracts-api",status="200"}': 3,
      '{endpoint="contracts-api",status="429"}': 2,
    });
    const durations = await valuesOf("funding_request_duration_seconds");
    expect(durations['_count{endpoint="contracts-api"}']).toBe(5);
    expect(durations['_sum{endpoint="contracts-api"}']).toBeGreaterThan(0);
  });

  test("stay counted when their key is gone", async () => {
    const { key, email } = await service.newKey();
    await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
    const before = await valuesOf("funding_requests_total");
    await service.connection.query("delete from funding.accounts where email = $1", [email]);
    expect(await valuesOf("funding_requests_total")).toEqual(before);
  });

  test("of several connections add up", async () => {
    const labels = '{endpoint="semantic-search",status="200"}';
    const before = (await valuesOf("funding_requests_total"))[labels] ?? 0;
    await service.connection.execute(
      `insert into funding.usage_totals values (3, 'semantic-search', 200, 50, 7, 300), (4, 'semantic-search', 200, 50, 5, 100)`,
    );
    expect((await valuesOf("funding_requests_total"))[labels]).toBe(before + 12);
  });
});

test("are what the status page reads", async () => {
  const { key } = await service.newKey();
  const text = async () => (await service.fetch("/metrics", { headers: bearer(testMetricsSecret) })).text();
  const before = readMetrics(await text());
  for (let request = 0; request < 3; request++) {
    await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
  }
  await service.settled();
  const after = readMetrics(await text());
  const counts = countsBetween(before.counters, after.counters);
  expect([...counts.keys()]).toEqual(["funders-api"]);
  expect(counts.get("funders-api")?.reduce((sum, count) => sum + count, 0)).toBe(3);
  expect([...after.dataAges.keys()]).toEqual(["contracts", "funders", "grants"]);
});

describe("gauges", () => {
  test("records that search by meaning cannot find are seen", async () => {
    const some = "record.id in (select id from funding.grants order by id limit 3)";
    const setModel = (model: string) =>
      service.connection.query(
        "update funding.settings set value = to_jsonb($1::text) where name = 'embedding_model'",
        [model],
      );
    await setVectors(service.connection, "grants", some, null);
    // The lexicon has no vector for a record of which it knows no word.
    expect(await valuesOf("funding_records_without_vector")).toMatchObject({ '{dataset="grants"}': 0 });
    await setModel("openai/test-model");
    expect(await valuesOf("funding_records_without_vector")).toMatchObject({ '{dataset="grants"}': 3 });
    await setModel("lexicon");
  });

  test("events that wait are seen, with the age of the oldest", async () => {
    await service.connection.execute(
      `insert into funding.events (event, dataset, record_id, created_at)
       select 'grant.created', 'grants', id, now() - interval '90 seconds' from funding.grants limit 4`,
    );
    expect(await valuesOf("funding_events_waiting")).toEqual({ "": 4 });
    const age = (await valuesOf("funding_events_oldest_seconds"))[""];
    expect(age).toBeGreaterThanOrEqual(90);
    expect(age).toBeLessThan(600);
  });

  test("a dataset says how old its data is, by the clock of its answers' data_as_of", async () => {
    const { key } = await service.newKey();
    const response = await service.fetch("/grants-api?limit=1", { headers: bearer(key) });
    const { meta } = (await response.json()) as { meta: { data_as_of: string } };
    const ages = await valuesOf("funding_data_age_seconds");
    expect(Object.keys(ages)).toEqual(['{dataset="contracts"}', '{dataset="funders"}', '{dataset="grants"}']);
    const age = (Date.now() - Date.parse(meta.data_as_of)) / 1_000;
    expect(Math.abs((ages['{dataset="grants"}'] ?? 0) - age)).toBeLessThan(60);
  });

  test("a source says how old its data is, and whether its last import ended well", async () => {
    await service.connection.execute(
      `insert into funding.imports (source, importer, datasets, file, is_full, as_of, finished_at, outcome) values
        ('metrics-test', 'ndjson', '{grants}', 'a', true, now() - interval '2 days', now(), 'completed'),
        ('metrics-test', 'ndjson', '{grants}', 'b', true, now() - interval '1 hour', now(), 'failed')`,
    );
    const ages = await valuesOf("funding_source_age_seconds");
    expect(Math.round(ages['{source="metrics-test"}'] ?? 0) / 86_400).toBeCloseTo(2, 1);
    expect((await valuesOf("funding_source_last_import_ok"))['{source="metrics-test"}']).toBe(0);
  });
});
