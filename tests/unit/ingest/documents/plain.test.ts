import { describe, expect, test } from "vitest";
import { readPlain } from "../../../../ingest/documents/plain.ts";
import { readDocument } from "../../../../ingest/documents/read-document.ts";

const linesOf = (text: string) =>
  readPlain(text).map(({ kind, level, text }) => `${kind}${level === 0 ? "" : ` ${level}`}: ${text}`);

describe("plain text", () => {
  test("has paragraphs, items and headings", () => {
    const text =
      "ELIGIBILITY\nStates may apply, and so may\r\nterritories.\r\n\r\n- One\n- Two\n  goes on\n\nCost sharing\n------------\nNone.\n";
    expect(linesOf(text)).toEqual([
      "heading 2: ELIGIBILITY",
      "paragraph: States may apply, and so may territories.",
      "item: - One",
      "item: - Two goes on",
      "heading 2: Cost sharing",
      "paragraph: None.",
    ]);
  });

  test("keeps the paragraphs of texts with a line for each", () => {
    const long =
      "A sentence with many words that goes on far beyond the width at which programs break the lines of a text, and on.";
    expect(linesOf(`${long}\n${long}`)).toEqual([`paragraph: ${long}`, `paragraph: ${long}`]);
  });

  test.each([
    ["UTF-8", Buffer.from("The café’s notice – “final”", "utf8")],
    ["Windows-1252", Buffer.from("The caf\xe9\x92s notice \x96 \x93final\x94", "latin1")],
    ["UTF-16", Buffer.from("\ufeffThe café’s notice – “final”", "utf16le")],
  ])("in %s has its characters", async (_, bytes) => {
    expect(await readDocument(bytes)).toMatchObject({ blocks: [{ text: "The café’s notice – “final”" }] });
  });
});
