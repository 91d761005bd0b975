import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { explanation, understood } from "../../shared/responses/explanation.ts";
import { apiClient, idsOf, parse, pathOf, type Query, readJson } from "./client.ts";
import { discoverQuery } from "./discover.ts";
import { problemDocument } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const lists = ["grants-api", "contracts-api", "funders-api"] as const;

const explained = z.object({
  results: z.array(
    z.object({ id: z.string(), relevance_score: z.number(), explanation: z.strictObject(explanation.shape) }),
  ),
  meta: z.object({ search_mode: z.string(), understood: z.strictObject(understood.shape) }),
});

async function explain(name: (typeof lists)[number], query: Query) {
  const path = pathOf(name, { ...query, explain: true });
  return parse(explained, await readJson(await target.send(path), 200, path), path);
}

async function refused(path: string) {
  return parse(problemDocument, await readJson(await target.send(path), 400, path), path).errors ?? [];
}

describe.each(lists)("explain=true on GET /%s", (name) => {
  let search: string;
  beforeAll(async () => {
    search = name === "funders-api" ? "community health and education" : await discoverQuery(client, [name], "hybrid");
  });

  test.each(["keyword", "semantic", "hybrid"])(
    "a %s ranking is the same, and each result has its parts",
    async (mode) => {
      const query = { search, search_mode: mode, sort_by: "relevance", limit: 20 };
      const { results, meta } = await explain(name, query);
      const plain = await client.ranked(name, query);
      expect(results.map(({ id, relevance_score }) => ({ id, relevance_score }))).toEqual(
        plain.results.map(({ id, relevance_score }) => ({ id, relevance_score })),
      );
      expect(meta.search_mode).toBe(mode);
      for (const { explanation: parts } of results) {
        expect(parts.keyword !== null || parts.semantic !== null || parts.identifier).toBe(true);
        if (mode === "keyword") expect([parts.semantic, parts.sum]).toEqual([null, null]);
        if (mode === "semantic") expect([parts.keyword, parts.sum]).toEqual([null, null]);
        if (mode === "hybrid" && !parts.identifier) expect(parts.sum).not.toBeNull();
      }
      const ranks = results.map(
        ({ explanation: { keyword, semantic } }) => (mode === "semantic" ? semantic : keyword)?.rank,
      );
      if (mode !== "hybrid") expect(ranks).toEqual([...ranks].sort((one, other) => (one ?? 0) - (other ?? 0)));
    },
  );

  test("the words of the search are those that it was understood by", async () => {
    const { meta } = await explain(name, { search: `${search} -zeppelins`, search_mode: "hybrid" });
    expect(meta.understood.words.length).toBeGreaterThan(0);
    for (const { word } of meta.understood.words) expect(search).toContain(word);
    expect(meta.understood.excluded).toEqual(["zeppelins"]);
  });

  test("beside similar_to, they are the record's", async () => {
    const [record] = (await client.list(name, { limit: 1 })).results;
    const { results, meta } = await explain(name, { similar_to: record?.id ?? "", limit: 5 });
    expect(meta.understood.words.length).toBeGreaterThan(2);
    expect(idsOf(results)).not.toContain(record?.id);
  });

  test("a page without it says nothing of the kind", async () => {
    const page = await client.ranked(name, { search, search_mode: "hybrid", limit: 1 });
    expect(page.meta).not.toHaveProperty("understood");
  });

  test("a list that is not ranked is refused, and so is CSV", async () => {
    expect((await refused(`/${name}?explain=true`)).map(({ parameter }) => parameter)).toEqual(["explain"]);
    expect(await refused(`/${name}?explain=true&search=water&search_mode=hybrid&format=csv`)).toEqual([
      { parameter: "explain", message: "cannot be combined with format=csv, which has records only" },
    ]);
  });
});

// It answered 500.
test.each([
  ["grants-api", "all"],
  ["grants-api", "documents"],
  ["contracts-api", "all"],
  ["contracts-api", "documents"],
] as const)("a page of /%s without results in search_in=%s has none to explain", async (name, search_in) => {
  const { results } = await explain(name, { search: "water", search_in, agency: "no such agency" });
  expect(results).toEqual([]);
});

test("POST /semantic-search explains itself as well", async () => {
  const query = await discoverQuery(client, ["grants-api", "contracts-api"], "semantic");
  const send = (body: object) => {
    const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    return target.send("/semantic-search", init);
  };
  const answer = parse(explained, await readJson(await send({ query, explain: true }), 200, query), query);
  const plain = (await readJson(await send({ query }), 200, query)) as { results: { id: string }[] };
  expect(idsOf(answer.results)).toEqual(idsOf(plain.results));
  for (const { explanation: parts } of answer.results) expect(parts.semantic).not.toBeNull();
  expect(answer.meta.understood.words.length).toBeGreaterThan(0);
});
