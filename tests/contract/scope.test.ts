import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { tools } from "../../functions/mcp/tools.ts";
import openapi from "../../functions/openapi/openapi.json" with { type: "json" };
import { defaultScope, openOpportunities, scopeHint } from "../../shared/responses/scope.ts";
import { apiClient, parse, readJson } from "./client.ts";
import { discoverQuery } from "./discover.ts";
import { mcpClient } from "./mcp-client.ts";
import { type OpportunityCollection, semanticAnswer } from "./schemas.ts";
import { contractTarget } from "./target.ts";

/** The records that a search returns by default are those that the documentation promises. */
const target = contractTarget();
const client = apiClient(target);
const mcp = mcpClient(target);

async function semanticSearch(body: object) {
  const headers = { "content-type": "application/json" };
  const text = JSON.stringify(body);
  const response = await target.send("/semantic-search", { method: "POST", body: text, headers });
  return parse(semanticAnswer, await readJson(response, 200, text), text).results;
}

describe.each(["grants-api", "contracts-api"] as const)("searches of /%s that are told no scope", (name) => {
  const type = name.replace("-api", "");

  /** A text that only this record has, or few others: its title and the start of its description. */
  async function recordAndQuery(query: Record<string, string>) {
    const [record] = (await client.list(name as OpportunityCollection, { ...query, limit: 1 })).results;
    if (record === undefined) throw new Error(`${name} has no record with ${JSON.stringify(query)}`);
    const words = `${record.title} ${record.description}`.replaceAll(/[^\p{L}\p{N}\s]/gu, " ").replaceAll(/\s+/g, " ");
    return { id: record.id, search: words.slice(0, 600) };
  }

  async function found(search: string): Promise<Record<string, string[]>> {
    const byTool = async (tool: string, given: object) => (await mcp.answer(tool, given)).results.map(({ id }) => id);
    const asList = { search, search_mode: "semantic", limit: 100 };
    return {
      "POST /semantic-search": (await semanticSearch({ query: search, type, limit: 100 })).map(({ id }) => id),
      "semantic_search of MCP": await byTool("semantic_search", { query: search, type, limit: 100 }),
      [`search_${type} of MCP`]: await byTool(`search_${type}`, asList),
      [`GET /${name}`]: (await client.ranked(name, asList)).results.map(({ id }) => id),
    };
  }

  test.each(["open", "closed"])("have the opportunities that are %s", async (status) => {
    const { id, search } = await recordAndQuery({ status });
    for (const [way, ids] of Object.entries(await found(search))) expect(ids, way).toContain(id);
  });

  test("have nothing that was awarded", async () => {
    const { id, search } = await recordAndQuery({ opportunity_type: "awarded" });
    for (const [way, ids] of Object.entries(await found(search))) expect(ids, way).not.toContain(id);
  });

  test("find the same in all ways, none of it awarded or archived", async () => {
    const search = await discoverQuery(client, [name], "semantic");
    const ways = Object.entries(await found(search));
    const [, expected = []] = ways[0] ?? [];
    expect(expected.length).toBeGreaterThan(10);
    for (const [way, ids] of ways) expect(ids, way).toEqual(expected);
    const results = await semanticSearch({ query: search, type, limit: 100 });
    for (const record of results) expect(record).not.toHaveProperty("project_end_date");
  });
});

describe("the documented scope", () => {
  const description = (name: string) => tools.find((tool) => tool.name === name)?.description ?? "";
  const places: [place: string, text: () => Promise<string> | string, says: string][] = [
    ["docs/searching.md", () => readFile(new URL("../../docs/searching.md", import.meta.url), "utf8"), defaultScope],
    [
      "the client",
      () => readFile(new URL("../../packages/client/src/client.ts", import.meta.url), "utf8"),
      defaultScope,
    ],
    [
      "the OpenAPI document, of /semantic-search",
      () => openapi.paths["/semantic-search"].post.description,
      defaultScope,
    ],
    ...["semantic_search", "search_grants", "search_contracts"].map((tool): [string, () => string, string] => [
      `MCP's ${tool}`,
      () => description(tool),
      defaultScope,
    ]),
    ...(["/grants-api", "/contracts-api"] as const).map((path): [string, () => string, string] => [
      `the OpenAPI document, of opportunity_type of ${path}`,
      () => openapi.paths[path].get.parameters.find(({ name }) => name === "opportunity_type")?.description ?? "",
      openOpportunities,
    ]),
  ];
  test.each(places)("is the same in %s", async (_, text, says) => {
    // Line breaks and the stars of a comment are no part of it.
    const said = (await text()).replaceAll(/\s+(?:\* )?/g, " ");
    expect(said).toContain(says);
    expect(said).toContain(scopeHint);
    expect(said).not.toMatch(/\b(?:current|active) (?:grants|contracts|opportunities)\b|that can be applied for/i);
  });
});
