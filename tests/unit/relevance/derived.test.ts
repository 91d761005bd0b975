import { expect, test } from "vitest";
import type { Collection } from "../../../bench/relevance/collection.ts";
import { makeKnownItems, mixCollections } from "../../../bench/relevance/derived.ts";

const words = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}${index}`).join(" ");

/** A document with a title, and a text of three sentences of which the second has eight words. */
const article = (id: string) => ({
  id,
  title: `The river of ${id} rises`,
  text: `${words(`${id}first`, 20)}. ${words(`${id}middle`, 8)}. ${words(`${id}last`, 30)}.`,
});

const collection = (name: string, ids: string[]): Collection => ({
  name,
  documents: ids.map(article),
  queries: [{ id: "q", text: `rivers of ${name}` }],
  judgements: new Map([["q", new Map([[ids[0] ?? "", 2]])]]),
});

test("a mix has the documents of all, and a query's relevant ones are its own collection's", () => {
  const mix = mixCollections([collection("one", ["a", "b"]), collection("two", ["a"])]);
  expect(mix.documents.map(({ id }) => id)).toEqual(["one/a", "one/b", "two/a"]);
  expect(mix.queries).toEqual([
    { id: "one/q", text: "rivers of one" },
    { id: "two/q", text: "rivers of two" },
  ]);
  expect(mix.judgements.get("two/q")).toEqual(new Map([["two/a", 2]]));
});

test("a known item is asked for by what its document no longer says, and is the only relevant one", () => {
  const ids = Array.from({ length: 450 }, (_, index) => `d${index}`);
  const { documents, queries, judgements } = makeKnownItems(collection("all", ids));
  expect(documents.map(({ id }) => id)).toEqual(ids);
  expect(queries.filter(({ id }) => id.startsWith("title:"))).toHaveLength(200);
  expect(queries.filter(({ id }) => id.startsWith("passage:"))).toHaveLength(200);
  const asked = new Set<string>();
  for (const { id, text } of queries) {
    const document = id.slice(id.indexOf(":") + 1);
    expect(judgements.get(id)).toEqual(new Map([[document, 1]]));
    const kept = documents.find((one) => one.id === document);
    expect(kept?.title).not.toBe(text);
    expect(kept?.text).not.toContain(text);
    // Nothing else is missing from the rest.
    expect(`${kept?.title} ${kept?.text}`.length).toBeGreaterThan(article(document).text.length - text.length);
    asked.add(document);
  }
  expect(asked.size).toBe(400);
});

test("documents without a title, or too short to lose anything, are left alone", () => {
  const documents = [
    { id: "short", title: "A title of five words", text: "Too short a text." },
    { id: "untitled", title: "", text: words("only", 100) },
  ];
  const items = makeKnownItems({ name: "all", documents, queries: [], judgements: new Map() });
  expect(items.documents).toEqual(documents);
  expect(items.queries).toEqual([]);
});

test("a title that the text repeats is taken out of both", () => {
  const { id, title, text } = article("x");
  const documents = [{ id, title, text: `${title} ${text}` }];
  const items = makeKnownItems({ name: "all", documents, queries: [], judgements: new Map() });
  expect(items.documents).toEqual([{ id, title: "", text: ` ${text}` }]);
});
