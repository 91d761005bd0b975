import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queryValue } from "../../database/connection.ts";
import type { RpcClient, RpcOutcome, UsageEvent } from "../../shared/database/rpc.ts";
import { type Log, silentLog } from "../../shared/log/log.ts";
import { bucketBoundsMs, latencyBucketMs, UsageRecorder } from "../../shared/usage/recorder.ts";
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
  const answered = new Map([["funders-api 200", 1]]);
  const send = async (path: string) => {
    const { status } = await service.fetch(path, { headers: bearer(key) });
    const answer = `${path.includes("?") ? "funders-api" : "funders-api/{id}"} ${status}`;
    answered.set(answer, (answered.get(answer) ?? 0) + 1);
  };
  for (let round = 0; round < 25; round++) {
    await Promise.all(Array.from({ length: 40 }, (_, request) => send(paths[request % paths.length] ?? "")));
  }
  await service.settled();
  // A busy machine answers some with 503, which counts too.
  const counted = (await usageOf(keyId)).map(({ endpoint, status, requests }) => [`${endpoint} ${status}`, requests]);
  expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(answered));
  expect(Object.keys(Object.fromEntries(counted))).toEqual(
    expect.arrayContaining(["funders-api 200", "funders-api 400", "funders-api/{id} 200", "funders-api/{id} 404"]),
  );
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

test("names each route of snapshots", async () => {
  const { key, keyId } = await service.newKey();
  for (const path of ["", "?x=1", "/latest", "/latest/grants.csv.gz"]) {
    await service.fetch(`/snapshots${path}`, { headers: bearer(key) });
  }
  await service.settled();
  const counted = (await usageOf(keyId)).map(({ endpoint, status, requests }) => `${endpoint} ${status} ${requests}`);
  expect(counted.sort()).toEqual([
    "snapshots 200 1",
    "snapshots 400 1",
    "snapshots/{id} 404 1",
    "snapshots/{id}/{file} 404 1",
  ]);
});

test("names each route of CommonGrants", async () => {
  const { key, keyId } = await service.newKey();
  const json = { ...bearer(key), "content-type": "application/json" };
  await service.fetch("/common-grants/opportunities?pageSize=1", { headers: bearer(key) });
  await service.fetch("/common-grants/opportunities?pageSize=0", { headers: bearer(key) });
  await service.fetch("/common-grants/opportunities/search", { method: "POST", body: "{}", headers: json });
  await service.fetch(`/common-grants/opportunities/${crypto.randomUUID()}`, { headers: bearer(key) });
  await service.settled();
  const counted = (await usageOf(keyId)).map(({ endpoint, status, requests }) => `${endpoint} ${status} ${requests}`);
  expect(counted.sort()).toEqual([
    "common-grants/opportunities 200 1",
    "common-grants/opportunities 400 1",
    "common-grants/opportunities/search 200 1",
    "common-grants/opportunities/{oppId} 404 1",
  ]);
});

test("a failed write is retried by itself, without another request", async () => {
  const { key, keyId } = await service.newKey();
  await service.connection.execute("alter table funding.usage rename to usage_away");
  const calls = service.calls.length;
  await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
  await waitUntil(() => service.calls.slice(calls).includes("record_usage"));
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

  test("writes counts that come right after a write together with those that came during it", async () => {
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

  test("bounds the counts of unknown keys, and loses none of the others to them", async () => {
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

  test("logs nothing while all goes well, a retry as a warning, and uncounted requests as an error", async () => {
    const { keyId } = await service.newKey();
    const lines: string[] = [];
    const log: Log = { ...silentLog, write: (level, { [level]: text }) => void lines.push(`${level}: ${text}`) };
    let failures = 0;
    const recorder = new UsageRecorder(
      over((write) => (failures-- > 0 ? Promise.resolve(lost) : write())),
      log,
      soon,
    );
    await recorder.record(event({ api_key_id: keyId }));
    expect(lines).toEqual([]);
    failures = 2;
    await recorder.record(event({ api_key_id: keyId }));
    expect(lines).toEqual([expect.stringMatching(/^warning: usage could not be written/)]);
    for (let request = 0; request < 1_010; request++) {
      void recorder.record(event({ key_hash: request.toString(16).padStart(64, "0"), status: 503 }));
    }
    await recorder.flush();
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^error: \d+ requests were not counted/)]);
  });

  test("loses no other key's requests when an account is deleted while they are written", async () => {
    const [deleted, kept] = [await service.newKey(), await service.newKey()];
    const failure = { code: "23503", message: "violates foreign key constraint", details: null, hint: null };
    let calls = 0;
    const recorder = new UsageRecorder(
      over(async (write) => {
        calls += 1;
        if (calls !== 2) return write();
        await service.connection.query("delete from funding.accounts where email = $1", [deleted.email]);
        return { ok: false, failure };
      }),
      silentLog,
      soon,
    );
    // The second batch has the requests that come during the first.
    const written = [kept, kept, deleted].map(({ keyId }) => recorder.record(event({ api_key_id: keyId })));
    await Promise.all(written);
    expect(await usageOf(kept.keyId)).toEqual([{ endpoint: "grants-api", status: 200, requests: 2 }]);
    expect(calls).toBe(3);
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

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("response times", () => {
  test("are counted in the bucket of the time that the request took", async () => {
    for (let request = 0; request < 5; request++) {
      const { key, keyId } = await service.newKey();
      const started = performance.now();
      const response = await service.fetch("/funders-api?limit=1", { headers: bearer(key) });
      const { meta } = (await response.json()) as { meta: { response_time_ms: number } };
      const outsideMs = performance.now() - started;
      await service.settled();
      const rows = await service.connection.query<{ bucket: number; requests: number }>(
        "select latency_bucket_ms as bucket, requests::int from funding.usage where api_key_id = $1",
        [keyId],
      );
      expect(rows).toEqual([{ bucket: expect.any(Number), requests: 1 }]);
      // The answer's time is rounded to hundredths and taken a little before the request ends.
      expect(rows[0]?.bucket).toBeGreaterThanOrEqual(latencyBucketMs(meta.response_time_ms - 0.01));
      expect(rows[0]?.bucket).toBeLessThanOrEqual(latencyBucketMs(outsideMs));
    }
  });

  test.each([
    ["that hardly differ", (index: number) => 40 + index / 100],
    ["most of them short, a few long", (index: number) => 0.5 + (index / 100) ** 4],
    ["half of them too long for any bucket", (index: number) => (index < 500 ? 3 : 60_000)],
  ])("%s, have the percentiles of the account's usage", async (_, durationOf) => {
    const { keyId, email } = await service.newKey();
    const durations = Array.from({ length: 1_000 }, (_, index) => durationOf(index));
    const recorder = new UsageRecorder(service.runtime.database, silentLog);
    for (const duration_ms of durations) {
      void recorder.record({
        api_key_id: keyId,
        at: new Date().toISOString(),
        endpoint: "grants-api",
        status: 200,
        latency_bucket_ms: latencyBucketMs(duration_ms),
        duration_ms,
      });
    }
    await recorder.flush();
    const person = await service.people.newPerson({ email });
    const response = await service.fetch("/account-api/usage", { headers: bearer(await person.token()) });
    const { totals } = (await response.json()) as {
      totals: { requests: number; latency_ms: Record<"p50" | "p95" | "p99", number> };
    };
    expect(totals.requests).toBe(1_000);
    for (const [name, percent] of [
      ["p50", 50],
      ["p95", 95],
      ["p99", 99],
    ] as const) {
      const duration = durations[(percent / 100) * durations.length - 1] ?? 0;
      const longestKnownMs = bucketBoundsMs.at(-1) ?? 0;
      const bound = Math.min(latencyBucketMs(duration), longestKnownMs);
      const isLast = bound !== latencyBucketMs(duration);
      const lower = isLast ? bound : Math.max(0, ...bucketBoundsMs.filter((other) => other < bound));
      // Never out of the bucket that the true one is in.
      expect(totals.latency_ms[name]).toBeGreaterThanOrEqual(Math.floor(lower));
      expect(totals.latency_ms[name]).toBeLessThanOrEqual(bound);
    }
  });

  test("evenly spread, are within a few percent of the true ones", async () => {
    const counts: Record<number, number> = {};
    // To the end of a bucket: one that is filled in part is not even.
    for (let duration = 1; duration <= 1_300; duration++) {
      const bucket = latencyBucketMs(duration);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    for (const share of [0.1, 0.44, 0.5, 0.625, 0.95]) {
      const [row] = await service.connection.query<{ ms: number }>("select funding.latency_at($1, $2) as ms", [
        JSON.stringify(counts),
        share,
      ]);
      expect(Math.abs((row?.ms ?? 0) / (share * 1_300) - 1)).toBeLessThan(0.05);
    }
    expect(await queryValue(service.connection, "select funding.latency_bounds()")).toEqual(bucketBoundsMs);
  });
});
