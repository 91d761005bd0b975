import { describe, expect, test } from "vitest";
import { rowsOf } from "./helpers.ts";

describe("ndjson", () => {
  test("blank lines count as lines and are no rows", async () => {
    expect(await rowsOf("ndjson", '{"a":1}\n\n  \n{"a":2}')).toEqual([
      { line: 1, values: { a: 1 } },
      { line: 4, values: { a: 2 } },
    ]);
  });

  test("a line that is no JSON object is broken and costs no other", async () => {
    const rows = await rowsOf("ndjson", '{"a":1}\n{"a":\n[1]\nnull\n{"a":2}\n');
    expect(rows.map((row) => ("values" in row ? row.values.a : row.reason.slice(0, 17)))).toEqual([
      1,
      expect.stringMatching(/^not JSON/),
      "not a JSON object",
      "not a JSON object",
      2,
    ]);
  });

  test("a file of another kind is refused in one sentence", async () => {
    await expect(rowsOf("ndjson", "title,name\n")).rejects.toThrow("does not begin with a JSON object");
  });
});
