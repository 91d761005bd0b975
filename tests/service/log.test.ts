import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../shared/log/log.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

type Line = Record<string, string | number>;

let service: TestService;
let account: { key: string; keyId: string };
let lines: Line[];
beforeAll(async () => {
  const log = createLog({ variable: () => undefined, print: (_level, line) => lines.push(JSON.parse(line)) });
  service = await openTestService(undefined, log);
  account = await service.newKey();
});
afterAll(() => service.close());
beforeEach(() => {
  lines = [];
});

const ask = (path: string, init: RequestInit = {}) =>
  service.fetch(path, { ...init, headers: { ...bearer(account.key), ...init.headers } });

test("a request is one line: what was asked, by whom, how it ended, and where the time went", async () => {
  const response = await ask("/grants-api?limit=1");
  expect(lines).toHaveLength(1);
  const [line] = lines;
  expect(line).toEqual({
    time: expect.any(String),
    level: "info",
    request_id: response.headers.get("x-request-id"),
    function: "grants-api",
    method: "GET",
    route: "/grants-api",
    status: 200,
    api_key_id: account.keyId,
    duration_ms: expect.any(Number),
    database_ms: expect.any(Number),
  });
  expect(line?.database_ms).toBeGreaterThan(0);
  expect(line?.duration_ms).toBeGreaterThanOrEqual(Number(line?.database_ms));
});

describe("every answer has its line", () => {
  const id = crypto.randomUUID();
  test.each<[string, RequestInit, Line]>([
    [`/grants-api/${id}`, {}, { route: "/grants-api/{id}", status: 404, problem: "not-found", level: "info" }],
    ["/grants-api?limit=0", {}, { route: "/grants-api", status: 400, problem: "invalid-parameters" }],
    ["/grants-api", { headers: { authorization: "" } }, { status: 401, problem: "unauthorized" }],
    ["/grants-api", { method: "DELETE" }, { function: "grants-api", status: 405, problem: "method-not-allowed" }],
    ["/grants-api", { method: "OPTIONS" }, { function: "grants-api", status: 204 }],
    ["/nothing", {}, { status: 404, problem: "unknown-route" }],
    ["/openapi", {}, { route: "/openapi", status: 200 }],
    ["/account-api/keys", {}, { route: "/account-api/keys", status: 401, problem: "not-signed-in" }],
    ["/billing", { method: "POST" }, { route: "/billing", status: 400, problem: "invalid-signature" }],
    ["/dispatch", { method: "POST" }, { route: "/dispatch", status: 401, problem: "unauthorized" }],
    ["/mcp", { method: "POST" }, { route: "/mcp", status: 415 }],
    ["/grants-api?format=csv&limit=2", {}, { route: "/grants-api", status: 200 }],
  ])("%s %o", async (path, init, expected) => {
    const response = await ask(path, init);
    await response.text();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject(expected);
  });
});

test("a tool that a model calls is found by the id of the call", async () => {
  const call = { name: "search_grants", arguments: { limit: 1 } };
  await ask("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "x-request-id": "call-1",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
  }).then((response) => response.text());
  expect(lines.map(({ request_id, route }) => [request_id, route])).toEqual(
    expect.arrayContaining([
      ["call-1", "/mcp"],
      ["call-1", "/grants-api"],
    ]),
  );
});

describe("a failure on our side", () => {
  test("says why, at the level of an error, and the client is told the id alone", async () => {
    await service.connection.execute("alter function public.get_funder(text, uuid, jsonb) rename to hidden");
    try {
      const response = await ask(`/funders-api/${crypto.randomUUID()}`);
      expect(lines).toMatchObject([{ level: "error", status: 500, problem: "server-error" }]);
      expect(lines[0]?.error).toContain("get_funder");
      const problem = (await response.json()) as Line;
      expect(problem.request_id).toBe(lines[0]?.request_id);
      expect(JSON.stringify(problem)).not.toContain("get_funder");
    } finally {
      await service.connection.execute("alter function public.hidden(text, uuid, jsonb) rename to get_funder");
    }
  });
});

describe("a key in the wrong part of a request", () => {
  const leak = () => account.key.slice(12, -4);
  test.each<[string, (key: string) => [string, RequestInit?]]>([
    ["in the query, by the name of a parameter", (key) => [`/grants-api?api_key=${key}`]],
    ["in the query, as a parameter", (key) => [`/grants-api?${key}=1`]],
    ["in the value of a parameter", (key) => [`/grants-api?sort_by=${key}`]],
    ["in the path", (key) => [`/grants-api/${key}`]],
    ["in a path that is none", (key) => [`/${key}/x`]],
    ["as the request's id", (key) => ["/grants-api?limit=1", { headers: { "x-request-id": key } }]],
    ["behind Basic", (key) => ["/grants-api?limit=1", { headers: { authorization: `Basic ${key}` } }]],
    [
      "in a body",
      (key) => [
        "/semantic-search",
        {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query: "x", [key]: 1 }),
        },
      ],
    ],
  ])("%s is in no line and no answer", async (_where, request) => {
    const response = await ask(...request(account.key));
    const shown = [JSON.stringify([...response.headers]), await response.text(), JSON.stringify(lines)].join("\n");
    expect(lines).toHaveLength(1);
    expect(shown).not.toContain(leak());
  });
});
