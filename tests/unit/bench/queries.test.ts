import { describe, expect, test } from "vitest";
import { lancedbFilter, oramaFilter } from "../../../bench/speed/libraries/filters.ts";
import { listRequests, makeNewRequest, readParameters } from "../../../bench/speed/list-requests.ts";
import { findMode, modes, modesByKind } from "../../../bench/speed/modes.ts";
import { makeTimedQueries } from "../../../bench/speed/queries.ts";
import { countWordBands } from "../../../bench/speed/words.ts";

const lists = listRequests.length;
const queries = makeTimedQueries();
const bands = countWordBands();
const wordsOf = (kind: string) => queries.filter((query) => query.kind === kind).map(({ search }) => search.split(" "));

describe("the timed queries", () => {
  test("are the same in every run, twenty of each kind, with the documented example first", () => {
    expect(makeTimedQueries()).toEqual(queries);
    for (const kind of ["common", "middling", "rare", "misspelt", "filtered"]) expect(wordsOf(kind)).toHaveLength(20);
    expect(queries[0]?.search).toBe("community development research");
  });

  test("have the words that their kind says", () => {
    for (const words of wordsOf("common").slice(1)) {
      expect(words).toHaveLength(3);
      for (const word of words) expect(bands.common).toContain(word);
    }
    for (const [one = "", other = ""] of [...wordsOf("middling"), ...wordsOf("filtered")]) {
      expect(bands.middling.has(one) && bands.middling.has(other)).toBe(true);
      expect(bands.records.some((record) => record.includes(one) && record.includes(other))).toBe(true);
    }
    for (const [rare = "", other = ""] of wordsOf("rare")) {
      expect(bands.rare.has(rare) && bands.middling.has(other)).toBe(true);
    }
  });

  test("misspell a word that the records have by swapping two neighbours", () => {
    const sorted = (word: string) => [...word].sort().join("");
    for (const [wrong = ""] of wordsOf("misspelt")) {
      expect(bands.middling.has(wrong)).toBe(false);
      const meant = [...bands.middling].filter((word) => sorted(word) === sorted(wrong));
      expect(meant.some((word) => [...word].filter((letter, at) => letter !== wrong[at]).length === 2)).toBe(true);
    }
  });

  test("have filters that the API and both libraries understand", () => {
    for (const { kind, filters } of queries) {
      expect(filters === "").toBe(kind !== "filtered");
      expect(lancedbFilter(filters)).toContain("is_listed");
      expect(JSON.stringify(oramaFilter(filters))).toContain("is_listed");
    }
    expect(() => lancedbFilter("states=ZZ")).toThrow("states=ZZ");
  });
});

describe("the requests", () => {
  test("are ones that the API takes, for 20 records", () => {
    for (const { indexes, requestAt } of [...modes(), ...modesByKind()]) {
      for (const index of indexes) expect(readParameters(requestAt(index))).toMatchObject({ limit: 20 });
    }
  });

  test("of lists say to PostgREST what the API does by default", () => {
    for (const { postgrest } of listRequests) {
      expect(postgrest).toContain("limit=20");
      expect(postgrest).toContain("archived_at=is.null");
      expect(postgrest).toMatch(/classification=eq\.(opportunity|awarded_project)/);
    }
  });

  test("that are new differ from each other and are valid", () => {
    const fresh = [0, 1].flatMap((count) => [
      makeNewRequest(count).api,
      makeNewRequest(count + lists).api,
      findMode("new list").requestAt(0),
      findMode("new keyword list").requestAt(0),
    ]);
    expect(new Set(fresh).size).toBe(8);
    for (const request of fresh) expect(readParameters(request)).toHaveProperty("posted_after");
    const searches = [0, 0, 0].map((index) => findMode("new hybrid").requestAt(index));
    expect(new Set(searches).size).toBe(3);
    for (const request of searches) {
      const { search } = readParameters(request) as { search: string };
      expect(search.toLowerCase()).toBe("community development research");
      expect(search).not.toBe("community development research");
    }
  });
});
