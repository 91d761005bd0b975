import { expect, test } from "vitest";
import { csvRows } from "../../../ingest/read/csv.ts";
import { jsonRows } from "../../../ingest/read/json.ts";
import { jsonOr } from "../../../ingest/read/json-or.ts";
import { rowsOf } from "./helpers.ts";

const read = jsonOr(jsonRows("$.awards.*"), csvRows);

test.each([
  ['{"awards": [{"id": "1"}]}', { id: "1" }],
  ['\ufeff\r\n\n  \t  {"awards": [{"id": "1"}]}', { id: "1" }],
  ["id,title\n1,Rocks", { id: "1", title: "Rocks" }],
])("a file is read as what it begins like: %j", async (content, values) => {
  for (const size of [1, 7, 1_000]) {
    expect((await rowsOf(read, content, size)).map((row) => ("values" in row ? row.values : row))).toEqual([values]);
  }
});

test("an input that is only blank has no rows", async () => {
  expect(await rowsOf(read, " \n ")).toEqual([]);
});
