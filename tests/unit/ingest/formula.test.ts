import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseUrl } from "../../../ingest/fields/address.ts";
import { parseAmountRange } from "../../../ingest/fields/amount.ts";
import { parseSourceId } from "../../../ingest/fields/code.ts";
import { parseDay, splitNumericDate } from "../../../ingest/fields/date.ts";
import { parseDocuments } from "../../../ingest/fields/details.ts";
import { parseIdentifiers, parseList } from "../../../ingest/fields/list.ts";
import { isBlank, parseParagraphs, toLine } from "../../../ingest/fields/value.ts";
import { runs } from "../../support/properties.ts";
import { importText } from "./helpers.ts";

/** Formulas that spreadsheets leave in exports: never stored as they stand. */

describe("a formula", () => {
  test.each([
    ['=HYPERLINK("https://example.org/1", "EX-1")', "EX-1", "https://example.org/1"],
    ['=HYPERLINK("https://example.org/1","EX-1")', "EX-1", "https://example.org/1"],
    ['=hyperlink( "https://example.org/1" ; "EX-1" )', "EX-1", "https://example.org/1"],
    ['=HYPERLINK("https://example.org/1")', "https://example.org/1", "https://example.org/1"],
    ['=HYPERLINK("https://example.org/"&"1", "EX" & "-1")', "EX-1", "https://example.org/1"],
    ['=HYPERLINK("https://example.org/1", "The ""best"" one")', 'The "best" one', "https://example.org/1"],
    ['\'=HYPERLINK("https://example.org/1", 42)', "42", "https://example.org/1"],
  ])("that is a link, %s, is its label as a text, and its address as one", (formula, label, address) => {
    expect(toLine(formula)).toBe(label);
    expect(parseUrl(formula)).toBe(address);
    expect(parseDocuments([formula])).toMatchObject([{ url: address }]);
  });

  test.each([
    ['="00123"', "00123"],
    ['= "00123"', "00123"],
    ['="a"&"b"', "ab"],
    ['=CONCATENATE("EX-"; "1")', "EX-1"],
    ['=TEXT(7,"000")', "007"],
    ["=+123", "123"],
    ["=-5", "-5"],
    ["=12.50", "12.50"],
    ["=TRUE", "TRUE"],
  ])("whose value is plain, %s, is %j", (formula, value) => {
    expect(toLine(formula)).toBe(value);
  });

  test.each([
    "=A1",
    "=A1&B1",
    "=1+2",
    "=2026-06",
    '=TEXT(45000,"yyyy-mm-dd")',
    "=SUM(A1:A9)",
    "='Sheet 1'!$B$2",
    '=IF(A1="","",B1)',
    "=TODAY()",
    '=HYPERLINK(A1,"EX-1")',
    "=_xlfn.XLOOKUP(A1,B:B,C:C)",
  ])("of which only a spreadsheet knows the value, %s, is refused by name in every field", (formula) => {
    const readers = [toLine, parseUrl, parseSourceId, parseDay, parseAmountRange].map((read) => () => read(formula));
    const lists = [parseList, parseIdentifiers, parseParagraphs].map((read) => () => read([formula]));
    for (const read of [...readers, ...lists])
      expect(read).toThrow("is a spreadsheet's formula; export the file with values");
    expect(splitNumericDate(formula)).toBeUndefined();
  });

  test.each(["=", "== Aims ==", "=SUM(A1:A2) is no formula here", '="open', "=> see below", "=5 awards", "=yes"])(
    "is no text that only begins like one: %s stays",
    (text) => {
      expect(toLine(text)).toBe(text);
    },
  );

  test("that shows nothing is blank, and so is the error of one that failed", () => {
    for (const value of ['=""', '=" "', '="N/A"', "#REF!", "#NAME?", "#DIV/0!", "#N/A"])
      expect(isBlank(value)).toBe(true);
    expect(isBlank('=HYPERLINK("x","y")')).toBe(false);
  });

  test("of any text is that text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), fc.constantFrom(",", ";", " , "), (label, divider) => {
        const quoted = `"${label.replaceAll('"', '""')}"`;
        for (const formula of [`=${quoted}`, `=HYPERLINK("https://example.org"${divider}${quoted})`])
          expect(toLine(formula)).toBe(label.trim().replaceAll(/\s+/g, " "));
      }),
      { numRuns: runs(300) },
    );
  });

  test("is read in a time that grows with its length", () => {
    for (const text of [
      `=${"(".repeat(8_000)}`,
      `=${'"a"&'.repeat(2_000)}`,
      `=${"-".repeat(8_000)}1`,
      `=${"A1+".repeat(2_000)}`,
    ])
      expect(toLine(text)).toBe(text);
  });
});

describe("a column of links", () => {
  const file =
    'id,title,funder\n"=HYPERLINK(""https://example.org/1"", ""EX-1"")",A,F\n2,"=HYPERLINK(""https://example.org/2"";""B"")",F\n=A9,C,F\n';

  test("fills the number, and the address where nothing else does", async () => {
    const { accepted, rejects } = await importText(undefined, "csv", file);
    expect(accepted).toBe(2);
    expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
      [4, `source_id: "=A9" is a spreadsheet's formula; export the file with values`],
    ]);
  });
});
