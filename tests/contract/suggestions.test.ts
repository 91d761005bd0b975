import { describe, expect, test } from "vitest";
import { type Suggestion, suggestionKinds, suggestionsAnswer } from "../../shared/responses/suggestions.ts";
import { expectSuggestionTotals } from "../support/suggestions.ts";
import { apiClient, parse, type Query } from "./client.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

async function suggest(query: Query): Promise<Suggestion[]> {
  const path = `/suggest?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`;
  const { results, meta } = parse(suggestionsAnswer, await client.json(path), path);
  expect(meta).toMatchObject({ limit: query.limit ?? 10, returned: results.length });
  return results;
}

/** Values of a filter that current records have, the most frequent first. */
async function valuesOf(name: string, facet: string): Promise<string[]> {
  const answer = await client.json(`/${name}?count_only=true&facets=${facet}`);
  const { facets } = answer as { facets: Record<string, { value: string }[]> };
  return (facets[facet] ?? []).map(({ value }) => value);
}

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

describe("GET /suggest", () => {
  test.each([
    ["agency", "grants-api"],
    ["agency", "contracts-api"],
    ["category", "grants-api"],
    ["assistance_listing", "grants-api"],
    ["naics", "contracts-api"],
    ["psc", "contracts-api"],
    ["set_aside", "contracts-api"],
  ])("completes each word's beginning of a value of %s that records of %s have", async (kind, name) => {
    const values = (await valuesOf(name, kind)).slice(0, 8);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      const q = wordsOf(value)
        .reverse()
        .map((word) => word.slice(0, Math.max(3, word.length - 2)))
        .join(" ");
      const found = await suggest({ q, kinds: kind, limit: 20 });
      expect(
        found.map((one) => one.value.toLowerCase()),
        q,
      ).toContain(value.toLowerCase());
      expect(found.every((one) => one.kind === kind)).toBe(true);
    }
  });

  test("says how many records the lists have with each suggestion's value", async () => {
    const beginnings = ["a", "de", "hea", "serv", "10", "54", "s"];
    const seen = new Map<string, Suggestion>();
    for (const q of beginnings) {
      for (const one of await suggest({ q, limit: 20 })) seen.set(`${one.kind} ${one.value}`, one);
    }
    for (const kind of suggestionKinds) {
      for (const one of await suggest({ q: "s", kinds: kind, limit: 5 })) seen.set(`${one.kind} ${one.value}`, one);
    }
    expect(seen.size).toBeGreaterThan(40);
    await expectSuggestionTotals(client.json, [...seen.values()]);
  });

  test("has those with current records first, and no more than the limit", async () => {
    for (const q of ["a", "s", "department"]) {
      const found = await suggest({ q, limit: 20 });
      const has = found.map(({ records }) => records > 0);
      expect(has).toEqual(has.toSorted((one, other) => Number(other) - Number(one)));
      expect(found.length).toBeLessThanOrEqual(20);
      expect(await suggest({ q, limit: 3 })).toHaveLength(Math.min(3, found.length));
    }
  });

  test("forgives one typo from four letters on", async () => {
    const category = (await valuesOf("grants-api", "category")).find((value) => /^[A-Za-z]{7,}/.test(value)) ?? "";
    const word = wordsOf(category)[0] ?? "";
    const typos = [
      `${word.slice(0, 2)}${word.slice(3)}`,
      `${word[1]}${word[0]}${word.slice(2)}`,
      `${word.slice(0, 3)}q${word.slice(3)}`,
      `${word.slice(0, 4)}x${word.slice(5)}`,
    ];
    for (const q of typos) {
      const found = await suggest({ q, kinds: "category", limit: 20 });
      expect(
        found.map(({ value }) => value.toLowerCase()),
        q,
      ).toContain(category.toLowerCase());
    }
    expect(await suggest({ q: "zqxj", limit: 20 })).toEqual([]);
    expect(await suggest({ q: "!?", limit: 20 })).toEqual([]);
  });

  test.each([
    ["", "q", "required"],
    ["?q=", "q", "must not be empty"],
    [`?q=${"x".repeat(101)}`, "q", "at most 100"],
    ["?q=a&kinds=agencies", "kinds", "agency, funder, category"],
    ["?q=a&limit=21", "limit", "from 1 to 20"],
    ["?q=a&kind=agency", "kind", "did you mean kinds"],
  ])("%s is refused", async (query, parameter, message) => {
    const problem = await client.refused(`/suggest${query}`, 400);
    expect(problem.errors?.[0]).toMatchObject({ parameter, message: expect.stringContaining(message) });
  });

  test("is for those who may read data", async () => {
    expect((await target.send("/suggest?q=a", {}, "nobody")).status).toBe(401);
    expect((await target.send("/suggest?q=a", {}, "free")).status).toBe(403);
  });
});
