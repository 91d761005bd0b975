import { describe, expect, test } from "vitest";
import type { Highlight, Highlights } from "../../shared/responses/highlights.ts";
import { apiClient, readJson } from "./client.ts";
import { discoverQuery } from "./discover.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

type Found = { id: string; title?: string; name?: string; description?: string; highlights: Highlights };

const list = async (name: string, query: Record<string, string>) =>
  (await client.json(`/${name}?${new URLSearchParams({ highlight: "true", ...query })}`)) as { results: Found[] };

/** A word that records of a dataset have. */
async function findWord(
  name: "grants-api" | "contracts-api" | "funders-api",
  mode: "hybrid" | "semantic",
): Promise<string> {
  if (name !== "funders-api") return discoverQuery(client, [name], mode);
  const { results } = (await client.json("/funders-api?limit=1")) as { results: Found[] };
  return results[0]?.name?.match(/[A-Za-z]{6,}/)?.[0] ?? "department";
}

/** Expects each passage to be of its field, and what is marked to begin so. Returns what is marked, by result. */
function expectPassages(results: Found[]): string[][] {
  return results.map((record) =>
    Object.entries(record.highlights as Record<string, Highlight>).flatMap(([field, { text, offset, ranges }]) => {
      const whole = field === "identifier" ? text : (record as unknown as Record<string, string>)[field];
      expect(whole?.slice(offset, offset + text.length)).toBe(text);
      expect(text.length).toBeLessThanOrEqual(field === "identifier" ? 300 : 240);
      return ranges.map(({ start, end }) => text.slice(start, end).toLowerCase());
    }),
  );
}

describe.each(["grants-api", "contracts-api", "funders-api"] as const)("highlight=true of /%s", (name) => {
  test.each(["keyword", "hybrid"])("shows in each result of a %s search where its word is", async (search_mode) => {
    const search = await findWord(name, "hybrid");
    const { results } = await list(name, { search, search_mode });
    expect(results.length).toBeGreaterThan(0);
    const beginning = search.toLowerCase().slice(0, 3);
    const marked = expectPassages(results);
    if (search_mode === "keyword") for (const words of marked) expect(words.join(" ")).toContain(beginning);
    else expect(marked.flat().join(" ")).toContain(beginning);
  });

  test("shows what each result of a semantic search is about", async () => {
    const search = await findWord(name, "semantic");
    const { results } = await list(name, { search, search_mode: "semantic" });
    expect(expectPassages(results).filter((words) => words.length > 0).length).toBeGreaterThan(results.length / 2);
  });

  test("changes nothing else of the answer, and is not in one without it", async () => {
    const search = await findWord(name, "hybrid");
    const { results } = await list(name, { search });
    const plain = (await client.json(`/${name}?${new URLSearchParams({ search })}`)) as { results: Found[] };
    expect(results.map(({ highlights: _, ...record }) => record)).toEqual(plain.results);
    expect((await list(name, { search })).results).toEqual(results);
  });
});

test("POST /semantic-search shows the passages as well", async () => {
  const query = await discoverQuery(client, ["grants-api", "contracts-api"], "semantic");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query, highlight: true, limit: 10 });
  const response = await target.send("/semantic-search", { method: "POST", headers, body });
  const { results } = (await readJson(response, 200, body)) as { results: Found[] };
  expect(expectPassages(results).flat().length).toBeGreaterThan(0);
  const refused = JSON.stringify({ similar_to: results[0]?.id, highlight: true });
  const problem = await target.send("/semantic-search", { method: "POST", headers, body: refused });
  expect(problem.status).toBe(400);
});

test.each([
  ["highlight=true", "needs search"],
  ["highlight=true&search=water&format=csv", "cannot be combined with format=csv"],
  ["highlight=yes&search=water", "must be true or false"],
])("%s is refused", async (query, message) => {
  const problem = await client.refused(`/grants-api?${query}`, 400);
  expect(problem.errors?.[0]).toMatchObject({ parameter: "highlight", message: expect.stringContaining(message) });
});
