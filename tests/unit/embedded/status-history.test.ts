import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type StatusHistory, startStatusHistory } from "../../../local/embedded/status-history.ts";
import type { Metrics, RpcClient } from "../../../shared/database/rpc.ts";
import { silentLog } from "../../../shared/log/log.ts";
import { historySchema } from "../../../status/history.ts";

let folder: string;
let server: Server;
let baseUrl: string;
let requests = 0;
let started: StatusHistory[] = [];

beforeEach(async () => {
  requests = 0;
  folder = mkdtempSync(join(tmpdir(), "funding-status-"));
  server = createServer((_request, response) => response.end('{"status":"ready"}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/functions/v1`;
});
afterEach(() => {
  for (const history of started) history.stop();
  started = [];
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Counters of a database that has answered so many requests. */
const metrics = () =>
  ({
    requests:
      requests === 0 ? [] : [{ endpoint: "grants-api", status: 200, latency_bucket_ms: 10, requests, duration_ms: 9 }],
    events: { waiting: 0, oldest_seconds: null, undeliverable: 0 },
    deliveries: { due: 0, oldest_seconds: null },
    attempts: [],
    endpoints: { well: 0, failing: 0, disabled: 0, set_aside: 0 },
    digests: { oldest_seconds: null },
    digest_mails: [],
    dispatcher_seconds: 0,
    clock_offset_seconds: 0,
    retention: [],
    sources: [],
    records: [],
    embeddings: {
      waiting: 0,
      oldest_seconds: null,
      refused: 0,
      tokens: 0,
      requests: 0,
      records: 0,
      failures: 0,
      tokens_today: 0,
      daily_tokens: 0,
    },
    documents: { documents: 0, problems: 0 },
    lexicon: { age_seconds: null, documents: 0 },
    database: {
      connections: 1,
      maximum_connections: 1,
      bytes: 1,
      deadlocks: 0,
      rollbacks: 0,
      oldest_transaction_seconds: 0,
    },
  }) satisfies Metrics;
const database = { call: async () => ({ ok: true, value: metrics() }) } as unknown as RpcClient;

function start(): StatusHistory {
  const history = startStatusHistory({ database, log: silentLog }, folder, baseUrl);
  started.push(history);
  return history;
}

const path = () => join(folder, "status-history.json");
const stored = () => historySchema.parse(JSON.parse(readFileSync(path(), "utf8")));

test("a server that starts has checked itself at once, and keeps what it found", async () => {
  const history = start();
  await vi.waitFor(() => expect(existsSync(path())).toBe(true));
  expect(stored().latest.outcome).toBe("ready");
  expect(await history.current()).toMatchObject({ slots: { elapsed: 1, known: 1, ready: 1 }, outages: [] });
});

test("requests since the last check are in p95, and not yet in the file", async () => {
  const history = start();
  await vi.waitFor(() => expect(existsSync(path())).toBe(true));
  requests = 7;
  expect((await history.current())?.p95_ms.hour).toBeGreaterThan(0);
  expect(stored().recent).toEqual([]);
});

test("the next start goes on with the history, and a damaged file is moved away", async () => {
  start();
  await vi.waitFor(() => expect(existsSync(path())).toBe(true));
  const { days } = stored();
  start();
  expect(stored().days).toEqual(days);
  writeFileSync(path(), "{");
  const history = start();
  expect(await history.current()).toBeUndefined();
  expect(readFileSync(`${path()}.damaged`, "utf8")).toBe("{");
  await vi.waitFor(async () => expect(stored().days).toHaveLength(1));
});
