import { describe, expect, test } from "vitest";
import { type Block, blockWithoutPages } from "../../../../ingest/documents/document-text.ts";
import { countWords, type Passage, passagesOf } from "../../../../ingest/documents/passages.ts";
import { splitSentences } from "../../../../ingest/documents/sentences.ts";

const words = (count: number, word = "word") =>
  `${Array(count - 1)
    .fill(word)
    .join(" ")} end.`;
const paragraph = (text: string) => blockWithoutPages("paragraph", text);
const item = (text: string) => blockWithoutPages("item", text);
const heading = (level: number, text: string) => blockWithoutPages("heading", text, level);
const sizesOf = (passages: readonly Passage[]) => passages.map(({ text }) => countWords(text));

describe("sentences end", () => {
  test.each([
    ["Apply by May 1. Awards follow.", ["Apply by May 1.", "Awards follow."]],
    [
      "See 42 U.S.C. 1396 and 42 U.S.C. § 293k. They apply.",
      ["See 42 U.S.C. 1396 and 42 U.S.C. § 293k.", "They apply."],
    ],
    ["Use Form No. 5, e.g. for Dr. Smith. It is short.", ["Use Form No. 5, e.g. for Dr. Smith.", "It is short."]],
    ["You must be in the U.S. The award is made there.", ["You must be in the U.S.", "The award is made there."]],
    ["The U.S. Virgin Islands may apply.", ["The U.S. Virgin Islands may apply."]],
    [
      "It lasts.[1] However, it can be treated.[2,3] Always.",
      ["It lasts.[1]", "However, it can be treated.[2,3]", "Always."],
    ],
    [
      "Due at 5 p.m. Eastern Time on May 1, i.e. Friday. Late ones are refused.",
      ["Due at 5 p.m. Eastern Time on May 1, i.e. Friday.", "Late ones are refused."],
    ],
    ["1. Register. 2. Apply.", ["1. Register.", "2. Apply."]],
    ["Sec. 105(b)(5) of Pub. L. No. 117-2 applies.", ["Sec. 105(b)(5) of Pub. L. No. 117-2 applies."]],
    ["Is it allowed? Yes! It is.", ["Is it allowed?", "Yes!", "It is."]],
    ["Visit Grants.gov. Then SAM.gov is next.", ["Visit Grants.gov.", "Then SAM.gov is next."]],
  ])("in %j", (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });
});

describe("passages", () => {
  test("have some 200 words and end at sentences", () => {
    const passages = passagesOf({
      blocks: Array.from({ length: 40 }, (_, index) => paragraph(words(20 + (index % 7) * 5))),
    });
    // The last has the rest.
    for (const size of sizesOf(passages.slice(0, -1))) {
      expect(size).toBeGreaterThan(120);
      expect(size).toBeLessThanOrEqual(240);
    }
    for (const { text } of passages) expect(text).toMatch(/end\.$/);
  });

  test("divide a paragraph between sentences, and only a sentence of more than 300 words within it", () => {
    const passages = passagesOf({
      blocks: [paragraph(Array(10).fill(words(50)).join(" ")), paragraph(words(290)), paragraph(words(500))],
    });
    expect(sizesOf(passages)).toEqual([200, 200, 100, 290, 200, 200, 100]);
  });

  test("divide a table between rows, and only a row of more than 300 words within it", () => {
    const row = (text: string) => blockWithoutPages("row", text);
    const rows = Array.from({ length: 12 }, (_, index) => row(`Line ${index}. | ${words(30)} ${words(30)} | end.`));
    const lines = passagesOf({ blocks: rows }).flatMap(({ text }) => text.split("\n"));
    expect(lines).toEqual(rows.map(({ text }) => text));
    expect(sizesOf(passagesOf({ blocks: [row(words(290)), row(words(500))] }))).toEqual([290, 200, 200, 100]);
  });

  test("begin anew at a heading, and have the path of headings", () => {
    const passages = passagesOf({
      blocks: [
        heading(1, "Eligibility"),
        paragraph(words(120)),
        heading(2, "Cost sharing"),
        paragraph(words(120)),
        heading(1, "Review"),
        paragraph(words(120)),
      ],
    });
    expect(passages.map(({ number, headingPath }) => [number, headingPath])).toEqual([
      [1, "Eligibility"],
      [2, "Eligibility > Cost sharing"],
      [3, "Review"],
    ]);
  });

  test("take short sections together, named by the first", () => {
    const sections = Array.from({ length: 6 }, (_, index) => [
      heading(2, `Section ${index}`),
      paragraph(words(40)),
    ]).flat();
    const passages = passagesOf({ blocks: [heading(1, "Part"), ...sections] });
    expect(passages.map(({ headingPath }) => headingPath)).toEqual(["Part > Section 0", "Part > Section 4"]);
  });

  test("keep the words before a list with its first item, and a heading with its text", () => {
    const blocks = [
      paragraph(words(190)),
      paragraph("You must have one of these:"),
      ...Array.from({ length: 6 }, () => item(`• ${words(39)}`)),
    ];
    const [first, second] = passagesOf({ blocks });
    expect(first?.text).toBe(words(190));
    expect(second?.text).toMatch(/^You must have one of these:\n• word/);
    expect(passagesOf({ blocks: [heading(1, "A"), heading(2, "B"), paragraph(words(230))] })).toHaveLength(1);
  });

  test("have the pages on which they begin and end", () => {
    const on = (firstPage: number, lastPage: number, count: number): Block => ({
      ...paragraph(words(count)),
      firstPage,
      lastPage,
    });
    const passages = passagesOf({ blocks: [on(1, 1, 100), on(1, 2, 90), on(2, 3, 150)] });
    expect(passages.map(({ firstPage, lastPage }) => [firstPage, lastPage])).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  test("of no text are none, and of headings alone are theirs", () => {
    expect(passagesOf({ blocks: [] })).toEqual([]);
    const headings = Array.from({ length: 100 }, (_, index) => heading(1, `Heading ${index} with some more words`));
    const passages = passagesOf({ blocks: headings });
    expect(passages.map(({ text }) => text).join("\n")).toBe(headings.map(({ text }) => text).join("\n"));
    for (const size of sizesOf(passages)) expect(size).toBeLessThanOrEqual(300);
  });
});
