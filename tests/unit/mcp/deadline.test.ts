import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { mcpEndpoint } from "../../../functions/mcp/endpoint.ts";
import { KeyHashes } from "../../../shared/auth/credential.ts";
import { generateKey } from "../../../shared/auth/key.ts";
import type { LogFields } from "../../../shared/log/log.ts";
import { ConcurrencyLimit } from "../../../shared/overload/concurrency-limit.ts";
import type { ReadRuntime } from "../../../shared/runtime.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ["a call", 7, 7],
  ["a batch", [7, 8], null],
])("%s whose answer never comes ends with a JSON-RPC error", async (_, ids, answeredId) => {
  const call = (id: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "search_grants", arguments: {} },
  });
  const logged: LogFields[] = [];
  const admission = { api_key_id: "id", daily_quota: -1, remaining: -1 };
  const runtime = {
    keyHashes: new KeyHashes(),
    limit: new ConcurrencyLimit({ permits: 8 }),
    database: { call: async () => ({ ok: true, value: { admission, body: null } }) },
    log: { write: (_level: string, fields: LogFields) => void logged.push(fields) },
  } as unknown as ReadRuntime;
  let called = 0;
  const handle = mcpEndpoint("mcp", {
    "grants-api": () => {
      called += 1;
      return new Promise(() => undefined);
    },
  });
  const request = new Request("http://api.example/functions/v1/mcp", {
    method: "POST",
    headers: {
      authorization: `Bearer ${generateKey()}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(Array.isArray(ids) ? ids.map(call) : call(ids)),
  });
  const answered = handle(request, runtime);
  await vi.waitFor(() => expect(called).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(60_000);

  const response = await answered;
  expect([response.status, response.headers.get("content-type")]).toEqual([503, "application/json"]);
  expect(await response.json()).toEqual({
    jsonrpc: "2.0",
    id: answeredId,
    error: { code: -32603, message: expect.stringContaining("No answer within 60 s. Try again") },
  });
  expect(logged).toEqual([expect.objectContaining({ status: 503, error: "no answer within 60 s" })]);
  expect(vi.getTimerCount(), "the exchange is closed, with its timers").toBe(0);
});
