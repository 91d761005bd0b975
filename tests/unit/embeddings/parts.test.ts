import { describe, expect, test } from "vitest";
import { formatEstimate } from "../../../cli/embed/estimate.ts";
import { embedOptions, parseEmbedCommand } from "../../../cli/embed/options.ts";
import { parseArgs } from "../../../cli/options.ts";
import { createProvider } from "../../../shared/embeddings/models.ts";
import { normalized, vectorText } from "../../../shared/embeddings/vector.ts";
import { LruCache } from "../../../shared/lru-cache.ts";

describe("what is kept of the most recent", () => {
  test("is the number asked for, and what was used stays", () => {
    const recent = new LruCache<number>(2);
    recent.set("a", 1);
    recent.set("b", 2);
    expect(recent.get("a")).toBe(1);
    recent.set("c", 3);
    expect([recent.get("a"), recent.get("b"), recent.get("c")]).toEqual([1, undefined, 3]);
  });

  test("is the newest value of a name, which takes one place", () => {
    const recent = new LruCache<number>(2);
    for (const value of [1, 2, 3]) recent.set("a", value);
    recent.set("b", 4);
    expect([recent.get("a"), recent.get("b")]).toEqual([3, 4]);
  });

  test("is as large as was asked for, where values have sizes", () => {
    const recent = new LruCache<string>(5, ({ length }) => length);
    for (const value of ["aa", "bb", "cc"]) recent.set(value, value);
    expect(["aa", "bb", "cc"].map((name) => recent.get(name))).toEqual([undefined, "bb", "cc"]);
    recent.set("cc", "c");
    recent.set("dd", "dd");
    expect(["bb", "cc", "dd"].map((name) => recent.get(name))).toEqual(["bb", "c", "dd"]);
    recent.set("large", "larger");
    expect(["bb", "large"].map((name) => recent.get(name))).toEqual([undefined, undefined]);
  });
});

describe("a vector", () => {
  test("is made one of length 1, unless it has no direction", () => {
    expect(normalized([3, 0, 4])).toEqual([0.6, 0, 0.8]);
    expect(normalized([0, 0])).toBeUndefined();
    expect(normalized([1.7e308, 1.7e308])).toBeUndefined();
  });

  test("is written as pgvector reads it", () => {
    expect(vectorText([0.123456, -1, 0.00000012345678])).toBe("[0.12346,-1.0000,1.2346e-7]");
  });
});

function embedCommand(args: string[]) {
  return parseEmbedCommand(parseArgs({ args, options: embedOptions, allowPositionals: true }));
}

describe("a model's name", () => {
  const platform = { variable: () => undefined };

  test.each(["lexicon", "nobody/model", "openai/", "openai", ""])(
    "%j has no provider outside the database",
    (model) => {
      expect(() => createProvider(model, platform)).toThrow(`no provider has a model ${model}`);
    },
  );

  test("may have slashes after its provider's", () => {
    expect(() => createProvider("openai/thenlper/gte-small", platform)).not.toThrow();
    expect(embedCommand(["--provider", "openai", "--model", "thenlper/gte-small"])).toMatchObject({
      model: "openai/thenlper/gte-small",
    });
  });

  test("is the provider's usual one unless told", () => {
    expect(embedCommand(["--provider", "openai"])).toMatchObject({ model: "openai/text-embedding-3-small" });
    expect(embedCommand(["--provider", "supabase"])).toMatchObject({ model: "supabase/gte-small" });
    expect(embedCommand(["--provider", "lexicon"])).toMatchObject({ model: "lexicon" });
  });
});

test("an estimate adds up the datasets", () => {
  const backlog = [
    { dataset: "grants", records: 79_700, lacking: 79_000, characters: 100_000_000 },
    { dataset: "funders", records: 6_600, lacking: 6_600, characters: 60_000_001 },
  ];
  expect(formatEstimate("openai/text-embedding-3-small", backlog)).toEqual([
    "openai/text-embedding-3-small: 85,600 texts of 86,300 records to embed (79,000 grants, 6,600 funders)",
    "  tokens  about 40,000,001, at 4 characters a token",
    "  cost    about $0.80, at $0.02 for a million tokens",
  ]);
});
