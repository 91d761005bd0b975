import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { apiClient, idsOf, type Query, readJson } from "./client.ts";
import { sampleOf } from "./discover.ts";
import { mcpClient } from "./mcp-client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const { call } = mcpClient(target);

const sign = fc.constantFrom(
  ..."-!&|():*<>\"'~^+".split(""),
  "<->",
  "<-",
  "–",
  "—",
  "−",
  "\u00a0",
  "\u2003",
  " ",
  " or ",
);
const run = fc
  .tuple(
    fc.oneof(
      sign,
      fc.array(sign, { minLength: 1, maxLength: 3 }).map((signs) => signs.join("")),
    ),
    fc.nat(60),
  )
  .map(([signs, times]) => signs.repeat(times));
const word = fc.constantFrom("water", "health", "or", "-rural", '"clean water"', "541511", "été", "the");

/** Operators in runs, with words between, in front and after; as long as a search may be, and with as few phrases. */
const searches = fc
  .array(fc.oneof(run, word, fc.constant(" ")), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(""))
  .filter((search) => search.trim() !== "");

/** Ways to ask for a search, which all read it. */
const modes: Query[] = [
  {},
  { sort_by: "relevance" },
  { search_mode: "semantic" },
  { search_mode: "hybrid" },
  { count_only: true },
  { facets: "status" },
  { format: "csv" },
];

/** Holds an answer to be a list or a refusal that names the parameter. */
async function expectRead(response: Response, parameter: string, request: string): Promise<void> {
  if (response.status === 200) return void (await response.text());
  const { errors } = (await readJson(response, 400, request)) as { errors: { parameter: string; message: string }[] };
  expect(errors, request).toMatchObject([{ parameter, message: expect.stringContaining("operators") }]);
}

describe("operators in runs", () => {
  test.each(["grants-api", "contracts-api", "funders-api"])("are read by every list of GET /%s", async (name) => {
    const ways = modes.filter((mode) => name !== "funders-api" || mode.facets === undefined);
    await fc.assert(
      fc.asyncProperty(searches, fc.constantFrom(...ways), async (search, mode) => {
        const path = `/${name}?${new URLSearchParams({ ...(mode as Record<string, string>), search })}`;
        await expectRead(await target.send(path), "search", path);
      }),
      { numRuns: 60 },
    );
  });

  test("are read by semantic search", async () => {
    await fc.assert(
      fc.asyncProperty(searches, async (query) => {
        const body = JSON.stringify({ query, limit: 5 });
        const headers = { "content-type": "application/json" };
        await expectRead(await target.send("/semantic-search", { method: "POST", body, headers }), "query", body);
      }),
      { numRuns: 60 },
    );
  });

  test("are read by the tools of MCP", async () => {
    await fc.assert(
      fc.asyncProperty(searches, fc.constantFrom("grants", "contracts", "funders"), async (search, type) => {
        const { isError, text } = await call(`search_${type}`, { search, limit: 1 });
        if (isError) expect(text, search).toContain("operators");
      }),
      { numRuns: 30 },
    );
  });
});

describe("a dash", () => {
  const found = async (search: string) => idsOf(await client.walk("grants-api", { opportunity_type: "all", search }));
  const ranked = async (search: string) =>
    idsOf(await client.walkRanked("grants-api", { opportunity_type: "all", sort_by: "relevance", search }));
  let title: string;
  let excluded: string;
  beforeAll(async () => {
    const records = await sampleOf(client, "grants-api");
    const words = (text: string) => [...new Set(text.toLowerCase().match(/\b[a-z]{6,}\b/g) ?? [])];
    for (const record of records) {
      const [one, other] = words(record.title);
      if (one === undefined || other === undefined || one.slice(0, 4) === other.slice(0, 4)) continue;
      title = one;
      excluded = other;
      if ((await found(`${title} -${excluded}`)).length > 0) return;
    }
    throw new Error("no two words of one title are also said apart");
  });

  test("right before a word or phrase excludes it, with other dashes before it too", async () => {
    const all = await found(title);
    const without = await found(`${title} -${excluded}`);
    expect(without.length).toBeGreaterThan(0);
    expect(without.length).toBeLessThan(all.length);
    for (const run of ["- -", "-- -", " -(-!- -"]) expect(await found(`${title} ${run}${excluded}`)).toEqual(without);
  });

  test.each(["--", "---", "-".repeat(40), "-(".repeat(40), "-!".repeat(41), "- ".repeat(40), "-\u2003".repeat(40)])(
    "in a run, or before anything else, means nothing: %s",
    async (run) => {
      expect(await found(`${title} ${run}${excluded}`)).toEqual(await found(`${title} ${excluded}`));
      expect(await ranked(`${run}${excluded}`)).toEqual(await ranked(excluded));
    },
  );
});
