import { describe, expect, test } from "vitest";
import { createAccount } from "../../database/accounts/accounts.ts";
import { createKey } from "../../database/accounts/keys.ts";
import server from "../../functions/mcp/server.json" with { type: "json" };
import { generateKey } from "../../shared/auth/key.ts";
import { apiClient, pathOf } from "./client.ts";
import { connectMcp, mcpClient, sendMcp, versionWithoutHandshake } from "./mcp-client.ts";
import { needs } from "./needs.ts";
import type { CollectionName } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const api = apiClient(target);
const { call, answer, listTools } = mcpClient(target);

describe("MCP", () => {
  test("lists its tools, each described, read-only, and with the parameters of its endpoint", async () => {
    const tools = await listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "get_document",
      "get_record",
      "get_records",
      "list_awards",
      "list_changes",
      "list_record_changes",
      "search_contracts",
      "search_funders",
      "search_grants",
      "search_passages",
      "semantic_search",
      "suggest",
    ]);
    for (const { description, annotations } of tools) {
      expect(description?.length).toBeGreaterThan(80);
      expect(annotations?.readOnlyHint).toBe(true);
    }
    const grants = tools.find(({ name }) => name === "search_grants")?.inputSchema.properties ?? {};
    expect(grants).toMatchObject({ limit: { type: "integer", minimum: 1, maximum: 100 }, states: { type: "array" } });
    expect(grants).not.toHaveProperty("geography");
  });

  test("says the name and the version that it has in the registry", async () => {
    const text = await (await post(initialize)).text();
    const { result } = JSON.parse(/\{[^\r\n]*/.exec(text)?.[0] ?? "") as { result: { serverInfo: object } };
    const { title, version } = server;
    expect(result.serverInfo).toEqual({ name: "funding-opportunities", title, version });
  });

  test("search_grants finds what the list finds, with typed arguments", async () => {
    const query = {
      search: "community",
      opportunity_type: "all",
      include_national: true,
      states: ["CA", "TX"],
      limit: 5,
    };
    const found = await answer("search_grants", query);
    const listed = await api.list("grants-api", { ...query, states: "CA,TX" });
    expect(found.results.map(({ id }) => id)).toEqual(listed.results.map(({ id }) => id));
    expect(found.results.length).toBeGreaterThan(0);
  });

  test("search_contracts and search_funders find records, and get_record gives each whole", async () => {
    for (const type of ["contracts", "funders"]) {
      const [first] = (await answer(`search_${type}`, { limit: 1 })).results;
      expect(await answer("get_record", { type, id: first?.id })).toEqual(await api.json(`/${type}-api/${first?.id}`));
    }
  });

  test("results show the start of a long description, and get_record all of it", async () => {
    const { results } = await answer("search_grants", { opportunity_type: "all", limit: 100 });
    const long = results.find(({ description = "" }) => description.endsWith("…"));
    expect(long?.description?.length).toBe(401);
    const whole = await answer<{ description: string }>("get_record", { type: "grants", id: long?.id });
    expect(whole.description.startsWith(long?.description?.slice(0, -1) ?? "?")).toBe(true);
    expect(whole.description.length).toBeGreaterThan(400);
  });

  test("get_records gives whole texts, and list_changes beginnings", async () => {
    const { results } = await answer("search_grants", { opportunity_type: "all", limit: 100 });
    const long = results.find(({ description = "" }) => description.endsWith("…"));
    const ids = results.slice(0, 3).map(({ id }) => id);
    const given = { type: "grants", ids: [long?.id, ...ids] };
    for (const record of (await answer("get_records", given)).results) {
      expect(record).toEqual(await answer("get_record", { type: "grants", id: record.id }));
    }
    const changed = await answer("list_changes", { type: "grants", limit: 100 });
    for (const { description = "" } of changed.results) expect(description.length).toBeLessThanOrEqual(401);
  });

  test.each(["grants", "contracts", "funders"])(
    "list_changes of %s is the feed: all records, and a time to go on from",
    async (type) => {
      interface Page {
        results: { id: string }[];
        archived?: { id: string }[];
        pagination: { total: number; next: string | null };
        meta: { last_updated_at: string };
      }
      const all = type === "funders" ? {} : { opportunity_type: "all", archived_as_ids: true };
      const path = pathOf(`${type}-api` as CollectionName, { sort_by: "updated_at", order: "asc", limit: 100, ...all });
      const feed = (await api.json(path)) as Page;
      const found = await answer<Page>("list_changes", { type, limit: 100 });
      expect(found.results.map(({ id }) => id)).toEqual(feed.results.map(({ id }) => id));
      expect([found.archived, found.pagination.total]).toEqual([feed.archived, feed.pagination.total]);
      const since = await answer<Page>("list_changes", { type, updated_after: found.meta.last_updated_at });
      expect(since.pagination.total).toBeLessThan(feed.pagination.total);
    },
  );

  test("what suggest gives is the value of a filter", async () => {
    const { results } = await answer<{ results: { value: string; datasets: { grants?: number } }[] }>("suggest", {
      q: "ed",
      kinds: ["category"],
    });
    const [first] = results.filter(({ datasets }) => datasets.grants !== undefined);
    expect(first).toBeDefined();
    const found = await answer<{ total: number }>("search_grants", { category: first?.value, count_only: true });
    expect(found.total).toBe(first?.datasets.grants);
  });

  test("semantic_search finds by meaning", async () => {
    const { results } = await answer("semantic_search", { query: "community health and education", limit: 3 });
    expect(results).toHaveLength(3);
  });

  test("an error says what to change, in words that a model can act on", async () => {
    const { isError, text } = await call("search_grants", { sttaes: "OH", limit: 1000 });
    expect(isError).toBe(true);
    expect(text).toMatch(/did you mean states\?/);
    expect(text).toMatch(/limit must be an integer from 1 to 100/);
    expect((await call("get_record", { type: "people", id: "7" })).isError).toBe(true);
    expect((await call("get_record", { type: "grants", id: crypto.randomUUID() })).text).toMatch(/no record/i);
  });

  test("a value of a shape that no parameter has is a mistake of its field, however deep it is", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    for (const value of [deep, '[["OH"]]', '{"a":1}', '[{"a":1}]', "[null]"]) {
      for (const [name, field] of [
        ["search_grants", "states"],
        ["search_contracts", "search"],
        ["search_funders", "limit"],
        ["get_record", "id"],
        ["semantic_search", "query"],
      ]) {
        // Written by hand: not every JSON can be written that can be read.
        const params = `{"name":"${name}","arguments":{"${field}":${value}}}`;
        const response = await target.send("/mcp", {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
        });
        const text = await response.text();
        expect(text, `${name} ${value.slice(0, 20)}`).toContain(`Invalid parameters: ${field} must be text, a number`);
        expect(text).toContain('"isError":true');
      }
    }
  });
});

/** A request as a client of the protocol sends it. */
const post = (message: object, key?: string) =>
  target.send(
    "/mcp",
    {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(message),
    },
    key === undefined ? "developer" : { key },
  );

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "contract-suite", version: "1.0.0" } },
};

/** Creates an account on a tier, and a key of it. */
async function newKey(tier = "developer"): Promise<{ id: string; key: string }> {
  const people = target.people();
  if (people === undefined) throw new Error("nobody can be given a key");
  const email = `${crypto.randomUUID()}@mcp.example`;
  await createAccount(people.connection, email, tier);
  return createKey(people.connection, email, "mcp");
}

describe("what does not change is not announced", () => {
  const ask = (method: string, params: Record<string, unknown>) =>
    sendMcp(target, versionWithoutHandshake, method, params);

  test("with a handshake and without one, the tools promise no notification of a change", async () => {
    const text = await (await post(initialize)).text();
    const { result } = JSON.parse(/\{[^\r\n]*/.exec(text)?.[0] ?? "") as { result: { capabilities: object } };
    expect(result.capabilities).toEqual({ tools: { listChanged: false } });
    const discovered = (await (await ask("server/discover", {})).json()) as { result: { capabilities: object } };
    expect(discovered.result.capabilities).toEqual({ tools: { listChanged: false } });
  });

  test("subscriptions/listen is as unknown as any other method that there is none of", async () => {
    const unknown = await ask("prompts/subscribe", {});
    const listen = await ask("subscriptions/listen", { notifications: { toolsListChanged: true } });
    expect([listen.status, await listen.json()]).toEqual([unknown.status, await unknown.json()]);
    const withHandshake = await (
      await post({ jsonrpc: "2.0", id: 7, method: "subscriptions/listen", params: {} })
    ).text();
    expect(withHandshake).toContain("-32601");
  });
});

test("a call whose arguments are null is one without arguments, alone and in a batch", async () => {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search_funders", arguments: null } };
  for (const body of [message, [message]]) {
    const text = await (await post(body)).text();
    expect(text).toContain("results");
    expect(text).not.toContain('"error"');
  }
});

test("no line of an MCP answer ends at a character where only some readers of event streams end one", async () => {
  const id = "\u0085\u2028\u2029";
  const response = await post({ jsonrpc: "2.0", id, method: "ping" });
  const text = await response.text();
  expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
  expect(JSON.parse(/\{[^\r\n]*/.exec(text)?.[0] ?? "").id).toBe(id);
});

describe("MCP's callers", () => {
  test("the tools say that an account has no API access", async () => {
    const refused = await connectMcp(target, "free");
    const { isError, text } = await call("search_grants", {}, refused);
    expect(isError).toBe(true);
    expect(text).toMatch(/API access/);
    await refused.close();
  });

  describe.runIf(needs("signIn"))("with a key that is not, or no longer, known", () => {
    const messages = [
      initialize,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
      { jsonrpc: "2.0", id: 3, method: "ping" },
      { jsonrpc: "2.0", id: 4, method: "tools/call", params: { name: "search_grants", arguments: { limit: 1 } } },
      { jsonrpc: "2.0", id: 5, method: "no/such/method" },
    ];
    const expire = (id: string) =>
      target.people()?.connection.query("update funding.api_keys set expires_at = now() where id = $1", [id]);
    const revoke = (id: string) => target.people()?.connection.query("select funding.revoke_key($1)", [id]);

    test.each([
      { what: "made up", end: undefined },
      { what: "revoked", end: revoke },
      { what: "expired", end: expire },
    ])("every method is 401: $what", async ({ end }) => {
      const { key, id } = await newKey();
      if (end !== undefined) {
        for (const message of messages) expect((await post(message, key)).status, message.method).toBeLessThan(400);
        await end(id);
      }
      for (const message of messages) {
        const response = await post(message, end === undefined ? generateKey() : key);
        expect(response.status, message.method).toBe(401);
        expect(response.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
        expect(await response.json(), message.method).toMatchObject({
          type: "urn:funding-opportunities:problem:unauthorized",
        });
      }
    });
  });

  // With an account of its own: another suite uses up the quota of the deployment's limited key.
  test.runIf(needs("signIn"))(
    "to list the tools counts against no quota; to call any one counts as one request",
    async () => {
      const caller = await newKey("limited");
      const remaining = async () => {
        const { headers } = await target.send("/funders-api?limit=1", {}, caller);
        return Number(headers.get("x-ratelimit-remaining"));
      };
      const before = await remaining();
      const client = await connectMcp(target, caller);
      const { tools } = await client.listTools();
      for (const _ of [1, 2]) expect((await client.listTools()).tools).toEqual(tools);
      expect(await remaining()).toBe(before - 1);
      const [{ id } = { id: "" }] = (await answer("search_grants", { limit: 1 })).results;
      const known: Record<string, unknown> = {
        type: "grants",
        id,
        ids: [id],
        q: "com",
        query: "water",
        search: "water",
      };
      for (const { name, inputSchema } of tools) {
        const least = name === "semantic_search" ? ["query"] : (inputSchema.required ?? []);
        const given = Object.fromEntries(least.map((argument) => [argument, known[argument]]));
        // The records of a deployment may have no documents, and this id is none's.
        expect((await call(name, given, client)).isError, name).toBe(name === "get_document");
      }
      expect(await remaining()).toBe(before - 2 - tools.length);
      await client.close();
    },
  );

  test("without a key, the answer is 401 and how to authenticate", async () => {
    const response = await target.send("/mcp", { method: "POST", body: "{}" }, "nobody");
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
  });

  test("a body has at most ten messages", async () => {
    const answerTo = (messages: number) =>
      target.send(
        "/mcp",
        {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          body: JSON.stringify(
            Array.from({ length: messages }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} })),
          ),
        },
        "free",
      );
    const refused = await answerTo(11);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("A batch has at most 10 messages");
    const answered = await answerTo(10);
    expect(answered.status).toBe(200);
    expect((await answered.text()).match(/"tools":/g)).toHaveLength(10);
  });

  test("a batch that cancels one of its own messages is answered", async () => {
    const cancel = (requestId: unknown) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
    // The first never ended: the library dropped the answer, and waited for it.
    for (const batch of [
      [ping(1), cancel(1)],
      [cancel(1), ping(1), ping(2), cancel(2)],
    ]) {
      const response = await post(batch);
      expect(response.status).toBe(200);
      expect((await response.text()).match(/"result":/g)).toHaveLength(batch.length / 2);
    }
    expect((await post([null, ping(1), cancel(1)])).status).toBe(400);
    expect((await post([cancel(1)])).status).toBe(202);
  });

  // In process alone: over a network, a client that still writes when it is answered may be reset before it reads the answer.
  test.runIf(process.env.API_BASE_URL === undefined)(
    "a body that goes on after 64 KiB is answered 413 at once",
    async () => {
      let pieces = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          pieces += 1;
          if (pieces > 400) controller.close();
          else controller.enqueue(new TextEncoder().encode(" ".repeat(1024)));
        },
      });
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const response = await target.send("/mcp", { method: "POST", headers, body, duplex: "half" } as RequestInit);
      expect(response.status).toBe(413);
    },
  );

  test("there are no sessions: GET and DELETE are 405", async () => {
    for (const method of ["GET", "DELETE"]) expect((await target.send("/mcp", { method })).status).toBe(405);
  });

  test("a page of any origin may call it", async () => {
    const { status, headers } = await target.send("/mcp", { method: "OPTIONS" }, "nobody");
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-headers")).toMatch(/mcp-protocol-version/i);
  });
});
