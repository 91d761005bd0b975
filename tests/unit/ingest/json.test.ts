import { describe, expect, test } from "vitest";
import { readFiles } from "../../../ingest/read/files.ts";
import { jsonRows } from "../../../ingest/read/json.ts";
import type { Row } from "../../../ingest/read/row.ts";
import { chunksOf, rowsOf } from "./helpers.ts";

describe("json", () => {
  test("rows are the objects at a path, each with the line on which it begins", async () => {
    const document = '{"meta": {"n": 2},\n "grants": [\n  {"id": 1,\n   "a": ["ü", "\\u00e9"]},\n  {"id": 2}]}\n';
    for (const size of [1, 7, 1_000]) {
      expect(await rowsOf(jsonRows("$.grants.*"), document, size)).toEqual([
        { line: 3, record: 1, values: { id: 1, a: ["ü", "é"] } },
        { line: 5, record: 2, values: { id: 2 } },
      ]);
    }
  });

  test("a line of any length is read without splitting its characters", async () => {
    // Three bytes each, so that pieces of any size end within one of them.
    const text = "日本財団é😀".repeat(300_000);
    const document = JSON.stringify([{ text }, { text: "b" }]);
    for (const size of [65_536, 1_000_003]) {
      const rows = await rowsOf(jsonRows("$.*"), document, size);
      expect(rows.map((row) => !("reason" in row) && (row.values.text === text || row.values.text))).toEqual([
        true,
        "b",
      ]);
    }
  });

  test("an array at the top is rows, too", async () => {
    expect(await rowsOf(jsonRows("$.*"), '[{"a":1},{"a":2}]')).toMatchObject([
      { values: { a: 1 } },
      { values: { a: 2 } },
    ]);
  });

  test("of paths that lead into one another, the innermost are the rows", async () => {
    const reader = jsonRows("$.data.hits.*", "$.data");
    expect(await rowsOf(reader, '{"data": {"hits": [{"id": 1}, {"id": 2}], "count": 2}}')).toMatchObject([
      { values: { id: 1 } },
      { values: { id: 2 } },
    ]);
    expect(await rowsOf(reader, '{"data": {"id": 1}}')).toMatchObject([{ values: { id: 1 } }]);
  });

  test("a value that is no object is a broken row", async () => {
    expect(await rowsOf(jsonRows("$.*"), '[{"a":1},\n5]')).toMatchObject([
      { values: { a: 1 } },
      { reason: "not a JSON object", text: "5" },
    ]);
  });

  test.each([
    ['[{"a":1},{"a":2},{"a', "is cut short: its JSON is not closed"],
    ['[{"a":1},{"a":2},\n{"a"}]', "is not JSON near line 2: "],
    ['[{"a":1},{"a":2}}', "is not JSON near line 1: "],
  ])("%j gives the rows before the fault, and tells it", async (document, message) => {
    const rows: Row[] = [];
    const reading = (async () => {
      for await (const row of readFiles([{ chunks: chunksOf(document) }], jsonRows("$.*"))) rows.push(row);
    })();
    await expect(reading).rejects.toThrow(message);
    expect(rows).toMatchObject([{ values: { a: 1 } }, { values: { a: 2 } }]);
  });
});
