import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RpcClient, RpcOutcome, UsageEvent } from "../../shared/database/rpc.ts";
import { silentLog } from "../../shared/log/log.ts";
import { UsageRecorder } from "../../shared/usage/recorder.ts";
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

test("what could not be written goes again by itself, without another request", async () => {
  const { key, keyId } = await service.newKey();
  await service.connection.execute("alter table funding.usage rename to usage_away");
  const calls = service.calls.length;
  await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
  await until(() => service.calls.slice(calls).includes("record_usage"));
  await service.connection.execute("alter table funding.usage_away rename to usage");
  await service.settled();
  expect(await usageOf(keyId)).toEqual([{ endpoint: "funders-api", status: 200, requests: 1 }]);
});

describe("the recorder", () => {
  const event = (changes: Partial<UsageEvent>) => ({
    at: "2026-03-01T12:00:00Z",
    endpoint: "grants-api",
    status: 200,
    latency_bucket_ms: 5,
    duration_ms: 4.5,
    ...changes,
  });
  const soon = () => 1;

  test("loses nothing and counts nothing twice, when answers get lost as often as calls", async () => {
    const { keyId } = await service.newKey();
    let calls = 0;
    const recorder = new UsageRecorder(
      over(async (write) => {
        calls += 1;
        if (calls % 3 === 0) return lost;
        const outcome = await write();
        return calls % 3 === 1 ? lost : outcome;
      }),
      silentLog,
      soon,
    );
    for (let request = 0; request < 200; request++) {
      const written = recorder.record(event({ api_key_id: keyId, latency_bucket_ms: request % 7 }));
      if (request % 20 === 0) await written;
    }
    await recorder.flush();
    expect(calls).toBeGreaterThan(20);
    expect(await usageOf(keyId)).toEqual([{ endpoint: "grants-api", status: 200, requests: 200 }]);
  });

  test("writes what comes right after a write together with what came during it", async () => {
    const { keyId } = await service.newKey();
    let calls = 0;
    const recorder = new UsageRecorder(
      over((write) => {
        calls += 1;
        return write();
      }),
      silentLog,
      soon,
    );
    const first = recorder.record(event({ api_key_id: keyId }));
    const during = recorder.record(event({ api_key_id: keyId }));
    await first;
    const after = recorder.record(event({ api_key_id: keyId }));
    await Promise.all([during, after]);
    expect(calls).toBe(2);
    expect(await usageOf(keyId)).toEqual([{ endpoint: "grants-api", status: 200, requests: 3 }]);
  });

  test("holds no more than so much of keys that nobody knows, and loses nothing of the others to them", async () => {
    const { keyId } = await service.newKey();
    let isDown = true;
    let most = 0;
    const recorder = new UsageRecorder(
      over((write, events) => {
        most = Math.max(most, events.length);
        return isDown ? Promise.resolve(lost) : write();
      }),
      silentLog,
      soon,
    );
    for (let request = 0; request < 5_000; request++) {
      void recorder.record(event({ key_hash: request.toString(16).padStart(64, "0"), status: 503 }));
    }
    void recorder.record(event({ api_key_id: keyId }));
    isDown = false;
    await recorder.flush();
    expect(most).toBeLessThanOrEqual(1_001);
    expect(await usageOf(keyId)).toEqual([{ endpoint: "grants-api", status: 200, requests: 1 }]);
  });

  test("gives up a batch that the database finds wrong, and goes on with the next", async () => {
    const { keyId } = await service.newKey();
    const recorder = new UsageRecorder(service.runtime.database, silentLog, soon);
    await recorder.record(event({ api_key_id: "no uuid" }));
    await recorder.record(event({ api_key_id: keyId }));
    expect(await usageOf(keyId)).toEqual([{ endpoint: "grants-api", status: 200, requests: 1 }]);
  });
});

const lost: RpcOutcome<never> = {
  ok: false,
  failure: { code: "", message: "the connection broke", details: null, hint: null },
};

/** The service's database behind a bad network. */
function over(network: (write: () => Promise<RpcOutcome<null>>, events: UsageEvent[]) => Promise<RpcOutcome<null>>) {
  return {
    call: (name, parameters) =>
      network(
        () => service.runtime.database.call(name, parameters) as Promise<RpcOutcome<null>>,
        (parameters as { events: UsageEvent[] }).events,
      ),
  } as RpcClient;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

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
