import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { beforeAll, expect, test } from "vitest";
import { tools } from "../../functions/mcp/tools.ts";
import { mcpClient, resultHolder, sendMcp, type ToolResult, versionWithoutHandshake } from "./mcp-client.ts";
import { contractTarget } from "./target.ts";

/** Answers of tools as data, held to the tools' output schemas. `mcpClient` holds the answers of all other suites to them, too. */
const target = contractTarget();
const mcp = mcpClient(target);

let ids: Record<string, string>;
beforeAll(async () => {
  const first = async (type: string) => (await mcp.answer(`search_${type}`, { limit: 1 })).results[0]?.id ?? "";
  const types = ["grants", "contracts", "funders"];
  ids = Object.fromEntries(await Promise.all(types.map(async (type) => [type, await first(type)])));
});

const ofTypes = ["grants", "contracts", "funders"];
const ranked = { search: "community health", search_mode: "hybrid", explain: true, limit: 5 };
const lists = [
  { limit: 3, expand: ["details"] },
  ranked,
  { count_only: true },
  { limit: 3, fields: ["id", "created_at"] },
];
const counted = [...lists, { count_only: true, facets: ["status"] }, { opportunity_type: "awarded", limit: 2 }];

/** Calls of each tool whose answers have different members. */
const cases: Record<string, () => object[]> = {
  search_grants: () => counted,
  search_contracts: () => counted,
  search_funders: () => lists,
  semantic_search: () => [{ query: "water", explain: true }, { similar_to: ids.grants }, { query: "zzzz qqqq" }],
  suggest: () => [{ q: "com" }, { q: "ed", kinds: ["category"] }, { q: "zzzzqqqq" }],
  get_record: () =>
    ofTypes.flatMap((type) => [
      { type, id: ids[type], expand: ["details"] },
      { type, id: ids[type], fields: ["source"] },
    ]),
  get_records: () =>
    ofTypes.flatMap((type) => [
      { type, ids: [ids[type], crypto.randomUUID()] },
      { type, ids: [ids[type]], expand: ["details"] },
    ]),
  list_awards: () => [{ id: ids.grants, expand: ["details"] }],
  list_changes: () =>
    ofTypes.flatMap((type) => [
      { type, limit: 100 },
      { type, updated_after: "2999-01-01" },
    ]),
  search_passages: () => ["grants", "contracts"].map((type) => ({ type, search: "cost sharing", limit: 3 })),
  // The demo records have no documents: tests/service/documents-endpoint.test.ts.
  get_document: () => [],
  list_record_changes: () => ofTypes.map((type) => ({ type, id: ids[type] })),
};

test.each(tools.map(({ name }) => name))("%s answers data that satisfies its output schema", async (name) => {
  const calls = cases[name]?.();
  if (calls === undefined) throw new Error("it has no case");
  for (const given of calls) {
    const { isError, text } = await mcp.call(name, given);
    expect(isError, text).toBe(false);
  }
});

test.each(tools)("$name that fails answers text alone", async ({ name }) => {
  for (const given of [{}, { type: "grants", id: crypto.randomUUID(), ids: ["x"], limit: 0, q: "", query: "" }]) {
    const result = await mcp.call(name, { ...given, no_such_argument: true });
    expect(result.isError, result.text).toBe(true);
  }
});

test.each(tools)("the output schema of $name refuses what it does not answer", ({ name, output }) => {
  const hold = resultHolder([{ name, outputSchema: output }]);
  for (const structuredContent of [undefined, [], { results: "none" }, { id: 7 }, { total: -1 }]) {
    const content = [{ type: "text", text: JSON.stringify(structuredContent ?? null) }];
    expect(() => hold(name, { content, structuredContent }), JSON.stringify(structuredContent)).toThrow("schema");
  }
});

/** The result in an answer, which is JSON or an event stream. */
async function resultOf<Result>(response: Response): Promise<Result> {
  const text = await response.text();
  return (JSON.parse(/\{[^\r\n]*/.exec(text)?.[0] ?? "") as { result: Result }).result;
}

const ask = async <Result>(version: string, method: string, params: Record<string, unknown> = {}) =>
  resultOf<Result>(await sendMcp(target, version, method, params));

test.each(SUPPORTED_PROTOCOL_VERSIONS)("a client of %s agrees on its version", async (version) => {
  const clientInfo = { name: "contract-suite", version: "1.0.0" };
  const agreed = await ask(version, "initialize", { protocolVersion: version, capabilities: {}, clientInfo });
  expect(agreed).toMatchObject({ protocolVersion: version });
});

// Before 2025-06-18, the protocol has neither schemas of outputs nor data: its clients ignore members that they do not know, and read the text.
test.each([...SUPPORTED_PROTOCOL_VERSIONS, versionWithoutHandshake])(
  "a client of %s gets text, and the same as data that satisfies the schema it was given",
  async (version) => {
    const listed = await ask<{ tools: { name: string; outputSchema: { type: string } }[] }>(version, "tools/list");
    expect(listed.tools.map(({ outputSchema }) => outputSchema.type)).toEqual(tools.map(() => "object"));
    const hold = resultHolder(listed.tools);
    const callOf = async (name: string, given: object) =>
      hold(name, await ask<ToolResult>(version, "tools/call", { name, arguments: given }));
    expect((await callOf("search_grants", { limit: 2 })).isError).toBe(false);
    expect((await callOf("get_record", { type: "funders", id: ids.funders })).isError).toBe(false);
    expect((await callOf("search_grants", { limit: 0 })).isError).toBe(true);
  },
);
