import { beforeAll, describe, expect, test } from "vitest";
import { apiClient, idsOf, parse, readJson } from "./client.ts";
import { expectOrder } from "./order.ts";
import { problemDocument, type RecordOf, type Scored, semanticAnswer } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);
const nobody = "00000000-0000-4000-8000-000000000000";

async function refusal(path: string, init: RequestInit = {}) {
  const response = await target.send(path, init);
  return parse(problemDocument, await readJson(response, 400, path), path).errors;
}

function postJson(body: object): RequestInit {
  return { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

describe.each(["grants-api", "contracts-api", "funders-api"] as const)("similar_to on GET /%s", (name) => {
  let record: RecordOf[typeof name];
  let others: Scored<RecordOf[typeof name]>[];
  beforeAll(async () => {
    const [first] = (await client.list(name, { limit: 1 })).results;
    if (first === undefined) throw new Error(`${name} has no records`);
    record = first;
    others = await client.walkRanked(name, { similar_to: record.id });
  });

  test("lists other records, the most similar first, each once, in pages that agree", async () => {
    expect(others.length).toBeGreaterThan(2);
    expectOrder(others, "relevance", "desc");
    expect(new Set(idsOf(others)).size).toBe(others.length);
    const second = await client.ranked(name, { similar_to: record.id, limit: 2, offset: 1 });
    expect(second.results).toEqual(others.slice(1, 3));
    expect(second.meta).toMatchObject({ search_mode: "hybrid", sort_by: "relevance", order: "desc" });
    expect(second.pagination.total).toBe(others.length);
    const byCursor = await client.ranked(name, {
      similar_to: record.id,
      limit: 2,
      cursor: second.pagination.next ?? "",
    });
    expect(byCursor.results).toEqual(others.slice(3, 5));
  });

  test("leaves the record itself out", () => {
    expect(idsOf(others)).not.toContain(record.id);
  });

  test("count_only tells how many there are", async () => {
    expect(await client.count(name, { similar_to: record.id })).toBe(others.length);
  });

  test("search is a filter beside it: every word has to be there", async () => {
    const [first] = others;
    if (first === undefined) throw new Error("nothing is similar");
    const word = ("title" in first ? first.title : first.name).match(/[A-Za-z]{5,}/)?.[0] ?? "";
    const filtered = await client.walkRanked(name, { similar_to: record.id, search: word });
    const withWord = idsOf(await client.walk(name, { search: word }));
    expect(idsOf(filtered)).toContain(first.id);
    expect(idsOf(filtered).filter((id) => !withWord.includes(id))).toEqual([]);
    // By the default order, spelt out, and by a cursor, which has it.
    const spelt = await client.ranked(name, { similar_to: record.id, search: word, sort_by: "relevance", limit: 1 });
    expect(spelt.pagination.total).toBe(filtered.length);
    expect(idsOf(spelt.results)).toEqual(idsOf(filtered).slice(0, 1));
    const cursor = spelt.pagination.next;
    if (cursor === null) return;
    const next = await client.ranked(name, { similar_to: record.id, search: word, limit: 100, cursor });
    expect(idsOf(next.results)).toEqual(idsOf(filtered).slice(1, 101));
    expect(next.pagination.total).toBe(filtered.length);
  });

  test("an explicit order sorts the same records", async () => {
    const sorted = await client.walkRanked(name, { similar_to: record.id, sort_by: "created_at", order: "asc" });
    expectOrder(sorted, "created_at", "asc");
    expect(new Set(idsOf(sorted))).toEqual(new Set(idsOf(others)));
  });

  test("an id that no record has is refused by name", async () => {
    expect(await refusal(`/${name}?similar_to=${nobody}`)).toEqual([
      { parameter: "similar_to", message: "must be the id of a grant, contract or funder; no record has this one" },
    ]);
    expect(await refusal(`/${name}?similar_to=7`)).toEqual([{ parameter: "similar_to", message: "must be a UUID" }]);
  });

  test.each(["semantic", "hybrid"])("search_mode=%s is refused, which would rank by another query", async (mode) => {
    const [error] = (await refusal(`/${name}?similar_to=${record.id}&search=water&search_mode=${mode}`)) ?? [];
    expect(error?.parameter).toBe("search_mode");
  });
});

describe("similar_to across datasets", () => {
  test("contracts similar to a grant, with a filter", async () => {
    const { results } = await client.list("grants-api", { limit: 1 });
    const found = await client.ranked("contracts-api", { similar_to: results[0]?.id ?? "", opportunity_type: "all" });
    expect(found.results.length).toBeGreaterThan(0);
    const awarded = await client.walkRanked("contracts-api", {
      similar_to: results[0]?.id ?? "",
      opportunity_type: "awarded",
    });
    expect(awarded.filter((record) => !("project_end_date" in record))).toEqual([]);
  });

  test("POST /semantic-search finds grants and contracts like a record, without it", async () => {
    const [grant] = (await client.list("grants-api", { limit: 1 })).results;
    const path = "/semantic-search";
    const body = { similar_to: grant?.id, limit: 100 };
    const answer = parse(semanticAnswer, await readJson(await target.send(path, postJson(body)), 200, path), path);
    expect(answer.results.length).toBeGreaterThan(2);
    expect(idsOf(answer.results)).not.toContain(grant?.id);
    expectOrder(answer.results, "relevance", "desc");
  });

  test("POST /semantic-search takes one of query and similar_to", async () => {
    expect(await refusal("/semantic-search", postJson({ limit: 1 }))).toEqual([
      { parameter: "query", message: "is required, unless similar_to names a record" },
    ]);
    expect(await refusal("/semantic-search", postJson({ query: "water", similar_to: nobody }))).toEqual([
      { parameter: "similar_to", message: "cannot be combined with query" },
    ]);
    expect((await refusal("/semantic-search", postJson({ similar_to: nobody })))?.[0]?.parameter).toBe("similar_to");
  });
});
