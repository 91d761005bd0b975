import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { contractColumns, funderColumns, grantColumns } from "../../../shared/csv/columns.ts";
import { csvOf } from "../../../shared/csv/write.ts";
import { contract, funder, grant } from "../../../shared/responses/records.ts";

async function written(columns: readonly string[], ...pages: object[][]): Promise<string[]> {
  async function* given() {
    yield* pages;
  }
  const chunks: string[] = [];
  for await (const chunk of csvOf(columns, given())) chunks.push(chunk);
  return chunks;
}

test("a page is a chunk, and the header comes once", async () => {
  const chunks = await written(["id", "tags"], [{ id: "a", tags: ["x", "y"] }], [{ id: "b", tags: [] }], []);
  expect(chunks).toEqual(["id,tags\r\na,x; y\r\n", "b,\r\n", ""]);
});

test("what is not a column is left out, and what is absent is empty", async () => {
  expect(await written(["id", "name"], [{ other: 1, id: "a", name: null }, { id: "b" }])).toEqual([
    "id,name\r\na,\r\nb,\r\n",
  ]);
});

test.each([
  ['=HYPERLINK("http://evil.example","x")'],
  ["+1+cmd|' /C calc'!A0"],
  ["-2+3"],
  ["@SUM(A1)"],
  ["\t=1"],
  ["\r=1"],
  ["＝1"],
])("%j does not begin a cell as it is", async (text) => {
  const [chunk = ""] = await written(["title"], [{ title: text }]);
  const [[cell = ""] = []] = parse(chunk, { from_line: 2, record_delimiter: "\r\n" }) as string[][];
  expect(cell).toBe(`'${text}`);
});

test.each([['a "quoted", word'], ["two\r\nlines"], ["Zoë, 東京 🏛"], ["a = b"]])(
  "%j comes back as it was",
  async (text) => {
    const [chunk = ""] = await written(["title"], [{ title: text }]);
    expect(parse(chunk, { columns: true, record_delimiter: "\r\n" })).toEqual([{ title: text }]);
  },
);

test.each([
  ["grants", grantColumns, grant],
  ["contracts", contractColumns, contract],
  ["funders", funderColumns, funder],
])("the columns of %s are the fields of the records", (_, columns, record) => {
  const fields = Object.keys(record.shape).filter((field) => field !== "relevance_score");
  expect(new Set<string>(columns)).toEqual(new Set(fields));
});
