import type { PGlite } from "@electric-sql/pglite";
import { PGlite as Database } from "@electric-sql/pglite";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeCsv } from "../../../shared/csv/write.ts";
import { csvFile, csvParseCells, itemsOf, postgresCells, textOf } from "../../support/csv-readers.ts";
import { csvText, formulaSigns, lineBreaks } from "../../support/csv-text.ts";
import { runs } from "../../support/properties.ts";
import { publishedTexts } from "../../support/published-texts.ts";

async function written(columns: readonly string[], ...pages: object[][]): Promise<string[]> {
  async function* given() {
    yield* pages;
  }
  const chunks: string[] = [];
  for await (const chunk of writeCsv(columns, given())) chunks.push(chunk);
  return chunks;
}

/** The only cell of a record of one text. */
async function cellOf(value: unknown): Promise<string> {
  const [, [, cell = ""] = []] = csvParseCells((await written(["id", "value"], [{ id: "1", value }])).join(""));
  return cell;
}

test("a group of records is a chunk, and the header comes once", async () => {
  const chunks = await written(["id", "tags"], [{ id: "a", tags: ["x", "y"] }], [{ id: "b", tags: [] }], []);
  expect(chunks).toEqual(["id,tags\r\na,x; y\r\n", "b,\r\n", ""]);
});

test("members that are no column are left out, and absent ones are empty", async () => {
  expect(await written(["id", "name"], [{ other: 1, id: "a", name: null }, { id: "b" }])).toEqual([
    "id,name\r\na,\r\nb,\r\n",
  ]);
});

describe("records come back as they were, whatever their text", () => {
  let database: PGlite;
  beforeAll(async () => {
    database = await Database.create();
  });
  afterAll(() => database.close());

  const columns = ["title", "description", "amount_min", "listing_url", "categories"] as const;
  type Row = { [Column in (typeof columns)[number]]: unknown };

  function records(nul: boolean): fc.Arbitrary<Row[]> {
    const text = csvText({ nul });
    const row = fc.record<Row>({
      title: text,
      description: fc.option(text),
      amount_min: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      listing_url: fc.option(text),
      categories: fc.array(text, { maxLength: 4 }),
    });
    return fc.array(row, { minLength: 1, maxLength: 12 });
  }

  function holds(rows: readonly Row[], cells: readonly string[][]): void {
    expect(cells).toHaveLength(rows.length + 1);
    expect(cells[0]).toEqual(columns);
    for (const [index, row] of rows.entries()) {
      const [title = "", description = "", amount = "", url = "", categories = ""] = cells[index + 1] ?? [];
      expect({
        title: textOf(title),
        description: textOf(description),
        amount_min: amount,
        listing_url: textOf(url),
        categories: itemsOf(categories),
      }).toEqual({
        ...row,
        description: row.description ?? "",
        amount_min: row.amount_min === null ? "" : String(row.amount_min),
        listing_url: row.listing_url ?? "",
      });
    }
  }

  test("read by csv-parse", async () => {
    const property = fc.asyncProperty(records(true), async (rows) =>
      holds(rows, csvParseCells((await written(columns, rows)).join(""))),
    );
    await fc.assert(property, { numRuns: runs(1_000) });
  });

  test("read by Postgres", async () => {
    const property = fc.asyncProperty(records(false), async (rows) =>
      holds(rows, await postgresCells(database, (await written(columns, rows)).join(""))),
    );
    await fc.assert(property, { numRuns: runs(150) });
  });

  test.each(lineBreaks)("a line break %j by itself, and beside others, ends no record", async (lineBreak) => {
    const texts = [lineBreak, `a${lineBreak}b`, `${lineBreak}a`, `a${lineBreak}`, `a${lineBreak}${lineBreak}=1`];
    const rows = texts.map((text) => ({
      title: text,
      description: null,
      amount_min: null,
      listing_url: text,
      categories: [text],
    }));
    const file = (await written(columns, rows)).join("");
    holds(rows, csvParseCells(file));
    holds(rows, await postgresCells(database, file));
  });
});

describe("formulas", () => {
  /** Characters that programs skip at the start of a cell, and apostrophes, which must differ from ours. */
  const before = fc
    .array(fc.constantFrom(" ", "\t", "\r", "\n", "\u00a0", "\u200b", "\u3000", "\ufeff", "\0", "\u2028"), {
      maxLength: 3,
    })
    .map((characters) => characters.join(""));

  test("no cell of text begins with a formula sign, whatever is not seen before it", async () => {
    const formula = fc.tuple(before, fc.constantFrom(...formulaSigns), csvText()).map((given) => given.join(""));
    const property = fc.asyncProperty(formula, async (text) => {
      expect(await cellOf(text)).toBe(`'${text}`);
      expect(itemsOf(await cellOf(["first", text]))).toEqual(["first", text]);
      expect((await cellOf([text])).replace(/^"/, "")).toMatch(/^'/);
    });
    await fc.assert(property, { numRuns: runs(500) });
  });

  test("every character that Unicode's compatibility forms make a formula sign is one", async () => {
    const variants = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /^[=+\-@]/.test(character.normalize("NFKC")));
    expect(variants).toEqual(expect.arrayContaining(formulaSigns));
    for (const variant of variants) expect(await cellOf(`${variant}1`), variant).toBe(`'${variant}1`);
  });

  test.each(["\t", "\r", "\n"])("%j does not begin a cell as it is", async (space) => {
    expect(await cellOf(`${space}text`)).toBe(`'${space}text`);
  });

  test.each([
    [-5, "-5"],
    [-0.25, "-0.25"],
    [0, "0"],
    [1_500_000, "1500000"],
  ])("the number %d stays one", async (number, cell) => {
    expect(await cellOf(number)).toBe(cell);
  });

  test.each([
    "'tis the season",
    "O'Brien's fund",
    "a = b",
    "''",
    "https://example.org/?a=-1",
    "grants@example.org",
    "1-2",
  ])("%j is no formula and stays as it is", async (text) => expect(await cellOf(text)).toBe(text));

  test("an apostrophe that a text has before a formula can be told from the one that is added", async () => {
    expect(await cellOf("'=1")).toBe("''=1");
    expect(textOf("''=1")).toBe("'=1");
  });
});

test.each([
  [["Food; Nutrition", "Health"], '"Food; Nutrition"; Health'],
  [['the "arts"', ""], '"the ""arts"""; ""'],
  [["Education", "=1+1"], "Education; '=1+1"],
  [[], ""],
])("the list %j is the cell %j", async (list, cell) => {
  expect(await cellOf(list)).toBe(cell);
  expect(itemsOf(cell)).toEqual(list);
});

test.each([['a "quoted", word'], ["two\r\nlines"], ["two\nlines"], ["Zoë, 東京 🏛"], ["a = b"]])(
  "%j comes back as it was",
  async (text) => expect(await cellOf(text)).toBe(text),
);

describe("records as publishers write them", () => {
  for (const { name, path, texts } of publishedTexts) {
    test.skipIf(path === undefined)(`of ${name} come back as they were`, async () => {
      const rows = await texts();
      const [, ...lines] = csvParseCells(await csvFile(["title", "description", "categories"], rows));
      const read = lines.map(([title = "", description = "", categories = ""]) => ({
        title: textOf(title),
        description: textOf(description),
        categories: itemsOf(categories),
      }));
      expect(read).toEqual(rows);
    });
  }
});

test.each([
  ["a space that does not break at its beginning", "\u00a0a"],
  ["a space at its end", "a "],
  ["a line separator", "a\u2028b"],
  ["a vertical tab", "a\u000bb"],
  ["a line break", "a\nb"],
])("a text with %s is in quotes", async (_, title) => {
  expect(await csvFile(["title"], [{ title }])).toBe(`title\r\n"${title}"\r\n`);
});

test("what is no text is written as people read it", async () => {
  const rows = [
    { value: true },
    { value: false },
    { value: -5 },
    { value: null },
    { value: { url: "https://example.org/a", title: "A" } },
    { value: { number: "10.001", title: "Research" } },
    { value: { city: "Norfolk", state: "VA", zip: null, country: "US" } },
  ];
  expect(await csvFile(["value"], rows)).toBe(
    'value\r\ntrue\r\nfalse\r\n-5\r\n\r\nhttps://example.org/a\r\n10.001 Research\r\n"Norfolk, VA, US"\r\n',
  );
});
