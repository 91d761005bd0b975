import { describe, expect, test } from "vitest";
import { csvRows } from "../../../ingest/read/csv.ts";
import { jsonRows } from "../../../ingest/read/json.ts";
import { ndjsonRows } from "../../../ingest/read/ndjson.ts";
import { xmlRows } from "../../../ingest/read/xml.ts";
import { pipedZip } from "./archives.ts";
import { rowsOf } from "./helpers.ts";

/** A file of another kind is named, whichever reader is asked to read it. */

const readers = { csv: csvRows, ndjson: ndjsonRows, json: jsonRows("$.*"), xml: xmlRows("Row") };
const parts = (...names: string[]) => pipedZip(names.map((name) => ({ name, content: "<x/>" })));
const bytes = (...values: number[]) => Uint8Array.from([...values, ...new Array(600).fill(0)]);

const kinds: [kind: string, content: Uint8Array | string, message: RegExp][] = [
  [
    "xlsx",
    parts("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"),
    /is an Excel workbook \(\.xlsx\); save it as CSV/,
  ],
  ["xlsx in another order", parts("docProps/app.xml", "xl/worksheets/sheet1.xml"), /is an Excel workbook/],
  ["docx", parts("[Content_Types].xml", "word/document.xml"), /is a Word document/],
  ["ods", parts("mimetype", "content.xml", "META-INF/manifest.xml"), /is an OpenDocument file/],
  ["xls", bytes(0xd0, 0xcf, 0x11, 0xe0), /is an old Excel workbook \(\.xls\)/],
  ["pdf", "%PDF-1.7\n", /is a PDF file/],
  ["bzip2", "BZh91AY", /is packed with bzip2/],
  ["xz", bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a), /is packed with xz/],
  ["7z", bytes(0x37, 0x7a, 0xbc, 0xaf), /is a 7z archive/],
  ["a web page", "\ufeff<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", /it is a web page/],
];

describe.each(Object.entries(readers))("%s is not", (_, read) => {
  test.each(kinds)("%s", async (_, content, message) => {
    for (const size of [1, 100_000]) await expect(rowsOf(read, content, size)).rejects.toThrow(message);
  });
});

test("JSON, XML and CSV are told from each other", async () => {
  await expect(rowsOf(readers.xml, '{"a": 1}')).rejects.toThrow("but like JSON");
  await expect(rowsOf(readers.json, "<a/>")).rejects.toThrow("begins like XML or HTML");
  await expect(rowsOf(readers.json, "id,title\n1,2\n")).rejects.toThrow("perhaps it is a CSV file");
  await expect(rowsOf(readers.csv, "<a/>\n")).rejects.toThrow("begins like XML or HTML");
});

test.each([1, 7, 100_000])("the line of a fault in JSON is the fault's own, in chunks of %d bytes", async (size) => {
  const rows = Array.from({ length: 50 }, (_, index) => `{"a": ${index}}`);
  const at = (line: number, text: string) => `[\n${rows.with(line - 2, text).join(",\n")}\n]\n`;
  await expect(rowsOf(readers.json, at(20, '{"a": x}'), size)).rejects.toThrow(/near line 20: Unexpected "x"$/);
  await expect(rowsOf(readers.json, at(30, '{"a" 1}'), size)).rejects.toThrow(/near line 30: /);
  await expect(rowsOf(readers.json, at(40, '{"a": 1]'), size)).rejects.toThrow(/near line 40: /);
});

test("a fault in a line of ndjson tells its own line only", async () => {
  const [, row] = await rowsOf(readers.ndjson, '{"a": 1}\n{"a": x}\n');
  expect(row).toMatchObject({ line: 2, reason: expect.not.stringMatching(/line 1/) });
});
