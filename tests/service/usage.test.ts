import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

interface UsageRow {
  endpoint: string;
  status: number;
  requests: number;
}

const usageOf = (keyId: string) =>
  service.connection.query<UsageRow>(
    `select endpoint, status, sum(requests)::int as requests from funding.usage
     where api_key_id = $1 group by 1, 2 order by 1, 2`,
    [keyId],
  );

test("is complete after 1,000 requests, by endpoint and status", async () => {
  const { key, keyId } = await service.newKey();
  const { results } = (await (await service.fetch("/funders-api?limit=1", { headers: bearer(key) })).json()) as {
    results: { id: string }[];
  };
  const paths = [
    "/funders-api?limit=1",
    `/funders-api/${results[0]?.id}`,
    `/funders-api/${crypto.randomUUID()}`,
    "/funders-api?limit=0",
  ];
  for (let round = 0; round < 25; round++) {
    await Promise.all(
      Array.from({ length: 40 }, (_, request) =>
        service.fetch(paths[request % paths.length] ?? "", { headers: bearer(key) }),
      ),
    );
  }
  await service.settled();
  expect(await usageOf(keyId)).toEqual([
    { endpoint: "funders-api", status: 200, requests: 251 },
    { endpoint: "funders-api", status: 400, requests: 250 },
    { endpoint: "funders-api/{id}", status: 200, requests: 250 },
    { endpoint: "funders-api/{id}", status: 404, requests: 250 },
  ]);
});

test("counts refusals of a known key: no API access, quota used up", async () => {
  const free = await service.newKey("free");
  await service.fetch("/grants-api", { headers: bearer(free.key) });
  const none = await service.newKey("none-left", 0);
  await service.fetch("/grants-api", { headers: bearer(none.key) });
  await service.settled();
  expect(await usageOf(free.keyId)).toEqual([{ endpoint: "grants-api", status: 403, requests: 1 }]);
  expect(await usageOf(none.keyId)).toEqual([{ endpoint: "grants-api", status: 429, requests: 1 }]);
});

test("keeps what could not be written for the next write", async () => {
  const { key, keyId } = await service.newKey();
  await service.connection.execute("alter table funding.usage rename to usage_away");
  await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
  await service.settled();
  await service.connection.execute("alter table funding.usage_away rename to usage");
  await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
  await service.settled();
  expect(await usageOf(keyId)).toEqual([{ endpoint: "funders-api", status: 200, requests: 2 }]);
});

test("records response times from which percentiles can be read", async () => {
  const { key, keyId } = await service.newKey();
  for (let request = 0; request < 5; request++) await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
  await service.settled();
  const rows = await service.connection.query<{ bucket: number; requests: number }>(
    "select latency_bucket_ms as bucket, sum(requests)::int as requests from funding.usage where api_key_id = $1 group by 1",
    [keyId],
  );
  expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(5);
  for (const { bucket } of rows) expect(bucket).toBeGreaterThan(0);
});
