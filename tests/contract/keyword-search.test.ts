import { beforeAll, describe, expect, test } from "vitest";
import { apiClient, idsOf, type Query } from "./client.ts";
import { discoverScope, median, type Scope, wordsOf } from "./discover.ts";
import { expectOrder } from "./order.ts";
import type { Opportunity } from "./schemas.ts";
import { difference, intersection, isSubset, union } from "./sets.ts";
import { contractTarget } from "./target.ts";

const client = apiClient(contractTarget());

const textOf = (record: Opportunity) => `${record.title}\n${record.description}`;

/** Two words that some records say both, some the first alone, and some the second alone. */
function twoWords(records: readonly Opportunity[]): [string, string] {
  const saying = new Map<string, Set<string>>();
  for (const record of records) {
    for (const word of wordsOf(textOf(record))) saying.set(word, (saying.get(word) ?? new Set()).add(record.id));
  }
  const frequent = [...saying].filter(([, ids]) => ids.size > records.length / 20 && ids.size < records.length / 2);
  for (const [one, ofOne] of frequent) {
    for (const [other, ofOther] of frequent) {
      // Words of one stem would be one word to the search.
      if (one.slice(0, 4) === other.slice(0, 4)) continue;
      const both = intersection(ofOne, ofOther).size;
      if (both >= 3 && ofOne.size - both >= 3 && ofOther.size - both >= 3) return [one, other];
    }
  }
  throw new Error("no two words of the scope overlap");
}

/** Two words that follow each other in one description, and stand apart in some other record. */
function aPhrase(records: readonly Opportunity[]): string {
  const sets = records.map((record) => ({
    text: textOf(record).toLowerCase(),
    words: new Set(wordsOf(textOf(record))),
  }));
  for (const { text } of sets) {
    for (const [phrase, one = "", other = ""] of text.matchAll(/(?<=\s)([a-z]{6,}) ([a-z]{6,})(?=\s)/g)) {
      if (wordsOf(`${one} ${other}`).length < 2) continue;
      const both = sets.filter(({ words }) => words.has(one) && words.has(other));
      if (both.some((record) => record.text.includes(phrase)) && both.some((record) => !record.text.includes(phrase))) {
        return phrase;
      }
    }
  }
  throw new Error("no phrase of the scope is elsewhere said apart");
}

describe.each(["grants-api", "contracts-api"] as const)("keyword search of GET /%s is a text filter", (name) => {
  let scope: Scope<Opportunity>;
  let one: string;
  let other: string;
  beforeAll(async () => {
    scope = await discoverScope(client, name, "category");
    [one, other] = twoWords(scope.records);
  });

  const found = async (search: string, more: Query = {}) =>
    new Set(idsOf(await client.walk(name, { ...scope.query, ...more, search })));

  const ranked = async (search: string) =>
    new Set(idsOf(await client.walkRanked(name, { ...scope.query, search, sort_by: "relevance" })));

  test("a word finds every record whose title or description says it", async () => {
    const saying = scope.records.filter((record) => wordsOf(textOf(record)).includes(one));
    expect(isSubset(new Set(idsOf(saying)), await found(one))).toBe(true);
    expect(saying.length).toBeGreaterThan(0);
  });

  test("a word finds only records whose title or description says it, in some form", async () => {
    const results = await client.walk(name, { ...scope.query, search: one });
    const stem = one.slice(0, 4);
    expect(results.filter((record) => !textOf(record).toLowerCase().includes(stem))).toEqual([]);
    expect(results.length).toBeLessThan(scope.records.length);
  });

  test("a word is found whatever its case, and whatever space surrounds it", async () => {
    const plain = await found(one);
    expect(await found(one.toUpperCase())).toEqual(plain);
    expect(await found(`  ${one}  `)).toEqual(plain);
  });

  test("two words must both be there, in either order", async () => {
    const both = intersection(await found(one), await found(other));
    expect(both.size).toBeGreaterThan(0);
    expect(await found(`${one} ${other}`)).toEqual(both);
    expect(await found(`${other} ${one}`)).toEqual(both);
  });

  test("or between words takes either", async () => {
    const either = union(await found(one), await found(other));
    expect(await found(`${one} or ${other}`)).toEqual(either);
    expect(await found(`${one} OR ${other}`)).toEqual(either);
  });

  test("a minus before a word leaves out the records that say it", async () => {
    const without = difference(await found(one), await found(other));
    expect(without.size).toBeGreaterThan(0);
    expect(await found(`${one} -${other}`)).toEqual(without);
  });

  test("quotes ask for words that follow each other", async () => {
    const phrase = aPhrase(scope.records);
    const [quoted, apart] = [await found(`"${phrase}"`), await found(phrase)];
    const saying = scope.records.filter((record) => textOf(record).toLowerCase().includes(` ${phrase} `));
    expect(isSubset(new Set(idsOf(saying)), quoted), `"${phrase}" finds what says it`).toBe(true);
    expect(saying.length).toBeGreaterThan(0);
    expect(isSubset(quoted, apart)).toBe(true);
    expect(quoted.size, `"${phrase}" is narrower than ${phrase}`).toBeLessThan(apart.size);
  });

  test("a minus before quotes leaves out the phrase and keeps the words apart", async () => {
    const phrase = aPhrase(scope.records);
    expect(await found(`${phrase} -"${phrase}"`)).toEqual(difference(await found(phrase), await found(`"${phrase}"`)));
  });

  test("the title of a record finds it, whatever punctuation the title has", async () => {
    // Rows of different punctuation, not the first titles, which may all be built alike.
    const marks = [" - ", " – ", ": ", ", ", "&", "/", "(", "'"];
    const titled = marks.flatMap((mark) => scope.records.find(({ title }) => title.includes(mark)) ?? []);
    const lost: string[] = [];
    for (const { id, title } of [...titled, ...scope.records.slice(0, 3)]) {
      if (/"|\bor\b/i.test(title)) continue;
      if (!(await found(title)).has(id)) lost.push(title);
    }
    expect(lost).toEqual([]);
  });

  test("words that are in no record give an empty list", async () => {
    expect((await found("qzxvwk jjqpzz")).size).toBe(0);
    expect((await found(`${one} qzxvwkjj`)).size).toBe(0);
  });

  test("search narrows together with the other filters", async () => {
    const all = await client.walk(name, { ...scope.query, search: one });
    const posted_after = median(all.map(({ created_at }) => created_at)) ?? "";
    const later = new Set(idsOf(all.filter((record) => Date.parse(record.created_at) > Date.parse(posted_after))));
    expect(later.size).toBeGreaterThan(0);
    expect(await found(one, { posted_after })).toEqual(later);
  });

  test("the order is the list's own, unscored", async () => {
    const newest = await client.list(name, { ...scope.query, search: one, limit: 100 });
    expect(newest.meta).toMatchObject({ sort_by: "created_at", order: "desc", search_mode: "keyword" });
    expectOrder(newest.results, "created_at", "desc");
    const byTitle = await client.list(name, {
      ...scope.query,
      search: one,
      sort_by: "title",
      order: "asc",
      limit: 100,
    });
    expectOrder(byTitle.results, "title", "asc");
    expect(newest.results.length).toBeGreaterThan(2);
  });

  test("sort_by=relevance ranks every match, and records with most of the words", async () => {
    const { results, meta } = await client.ranked(name, {
      ...scope.query,
      search: one,
      sort_by: "relevance",
      limit: 100,
    });
    expect(meta).toMatchObject({ sort_by: "relevance", order: "desc", search_mode: "keyword" });
    expectOrder(results, "relevance", "desc");
    const both = await found(`${one} ${other}`);
    const most = await ranked(`${one} ${other}`);
    expect(isSubset(both, most)).toBe(true);
    expect(most.size).toBeGreaterThan(both.size);
  });

  test("sort_by=relevance leaves out records that the query excludes or that lack a quoted phrase", async () => {
    const without = await ranked(`${one} -${other}`);
    expect(without.size).toBeGreaterThan(0);
    expect(intersection(without, await found(other))).toEqual(new Set());
    const phrase = aPhrase(scope.records);
    expect(await ranked(`"${phrase}"`)).toEqual(await found(`"${phrase}"`));
  });
});

describe("keyword search of GET /funders-api", () => {
  test("finds funders by a word of the name or the summary", async () => {
    const { results } = await client.list("funders-api", { limit: 100 });
    const text = ({ name, summary }: { name: string; summary: string | null }) => `${name}\n${summary ?? ""}`;
    const [record] = results.filter((funder) => wordsOf(funder.summary ?? "").length > 0);
    const words = [wordsOf(record?.name ?? "")[0], wordsOf(record?.summary ?? "")[0]].filter(
      (word) => word !== undefined,
    );
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) {
      const found = await client.walk("funders-api", { search: word });
      expect(idsOf(found)).toContain(record?.id);
      expect(found.filter((funder) => !text(funder).toLowerCase().includes(word.slice(0, 4)))).toEqual([]);
      const { pagination } = await client.list("funders-api");
      expect(found.length).toBeLessThan(pagination.total);
    }
  });
});
