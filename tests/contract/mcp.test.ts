import { describe, expect, test } from "vitest";
import { generateKey } from "../../shared/auth/key.ts";
import { apiClient } from "./client.ts";
import { connectMcp, mcpClient } from "./mcp-client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const api = apiClient(target);
const { call, answer, listTools } = mcpClient(target);

describe("MCP", () => {
  test("lists its tools, each described, read-only, and with the parameters of its endpoint", async () => {
    const tools = await listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "get_record",
      "search_contracts",
      "search_funders",
      "search_grants",
      "semantic_search",
    ]);
    for (const { description, annotations } of tools) {
      expect(description?.length).toBeGreaterThan(80);
      expect(annotations?.readOnlyHint).toBe(true);
    }
    const grants = tools.find(({ name }) => name === "search_grants")?.inputSchema.properties ?? {};
    expect(grants).toMatchObject({ limit: { type: "integer", minimum: 1, maximum: 100 }, states: { type: "array" } });
    expect(grants).not.toHaveProperty("geography");
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

  test("semantic_search finds by meaning", async () => {
    const { results } = await answer("semantic_search", { query: "community health and education", limit: 3 });
    expect(results).toHaveLength(3);
  });

  test("a mistake is told in words that a model can act on", async () => {
    const { isError, text } = await call("search_grants", { stats: "OH", limit: 1000 });
    expect(isError).toBe(true);
    expect(text).toMatch(/did you mean states\?/);
    expect(text).toMatch(/limit must be an integer from 1 to 100/);
    expect((await call("get_record", { type: "people", id: "7" })).isError).toBe(true);
    expect((await call("get_record", { type: "grants", id: crypto.randomUUID() })).text).toMatch(/no record/i);
  });
});

describe("MCP's callers", () => {
  test.each([
    { caller: "free" as const, says: /API access/ },
    { caller: { key: generateKey() }, says: /unknown/ },
  ])("a key that is not let in is told so by the tools ($says)", async ({ caller, says }) => {
    const refused = await connectMcp(target, caller);
    const { isError, text } = await call("search_grants", {}, refused);
    expect(isError).toBe(true);
    expect(text).toMatch(says);
    await refused.close();
  });

  test("without a key, the answer is 401 and how to authenticate", async () => {
    const response = await target.send("/mcp", { method: "POST", body: "{}" }, "nobody");
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
  });

  test("there are no sessions: GET and DELETE are 405", async () => {
    for (const method of ["GET", "DELETE"]) expect((await target.send("/mcp", { method })).status).toBe(405);
  });

  test("a page of any origin may call it", async () => {
    const { status, headers } = await target.send("/mcp", { method: "OPTIONS" }, "nobody");
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-headers")).toMatch(/mcp-protocol-version/i);
  });
});
