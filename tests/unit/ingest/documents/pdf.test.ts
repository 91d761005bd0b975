import "../../../support/transfer-buffers.ts";
import { describe, expect, test } from "vitest";
import type { Block } from "../../../../ingest/documents/document-text.ts";
import { readDocument } from "../../../../ingest/documents/read-document.ts";
import { column, type PdfOptions, type WrittenText, writePdf } from "../../../support/pdf-writer.ts";

async function blocksOf(pages: readonly (readonly WrittenText[])[], options?: PdfOptions): Promise<Block[]> {
  const read = await readDocument(writePdf(pages, options));
  if (read.kind === "unreadable") throw new Error(read.message);
  return read.blocks;
}

const textsOf = async (...pages: WrittenText[][]) => (await blocksOf(pages)).map(({ text }) => text);

describe("lines", () => {
  test("of a paragraph are joined, and a wider step begins another", async () => {
    const first = column(["Applicants must register in SAM.gov before they", "apply. This takes two weeks."], 72, 700);
    const second = column(["Awards are made in September."], 72, 668);
    expect(await textsOf([...first, ...second])).toEqual([
      "Applicants must register in SAM.gov before they apply. This takes two weeks.",
      "Awards are made in September.",
    ]);
  });

  test("with a hyphen at their end are joined to a word that the document has elsewhere", async () => {
    const lines = [
      "The organization may apply if the organi-",
      "zation has cost-sharing funds, since cost-",
      "sharing is required of all.",
    ];
    expect(await textsOf(column(lines, 72, 700))).toEqual([
      "The organization may apply if the organization has cost-sharing funds, since cost-sharing is required of all.",
    ]);
  });

  test("with a hyphen keep it between two words of the document, before capitals and in numbers", async () => {
    const lines = [
      "The budget has a period. A multi-year, period-",
      "budget plan names FY 2026-",
      "2027 and the non-",
      "Federal share.",
    ];
    expect(await textsOf(column(lines, 72, 700))).toEqual([
      "The budget has a period. A multi-year, period-budget plan names FY 2026-2027 and the non-Federal share.",
    ]);
  });

  test("that end long before the margin are paragraphs of their own", async () => {
    const full = "A line of the notice that goes on to the right margin of the page";
    const lines = [
      full,
      "Bureau of Lakes",
      "Opportunity number: LK-26-001",
      "Expected awards: 12",
      full,
      full,
      "and here it ends.",
    ];
    expect(await textsOf(column(lines, 72, 700))).toEqual([
      `${full} Bureau of Lakes`,
      "Opportunity number: LK-26-001",
      "Expected awards: 12",
      `${full} ${full} and here it ends.`,
    ]);
  });

  test("with a raised number have the mark of a note", async () => {
    const line = [
      { text: "Trauma lasts.", x: 72, y: 700 },
      { text: "12", x: 134, y: 704, size: 6 },
      { text: "It can be treated.", x: 145, y: 700 },
    ];
    expect(await textsOf(line)).toEqual(["Trauma lasts.[12] It can be treated."]);
  });

  test("that are drawn twice for a shadow are read once", async () => {
    const title = { text: "Notice of Funding Opportunity", x: 72, y: 700 };
    expect(await textsOf([title, { ...title, x: 72.5, y: 699.5 }])).toEqual(["Notice of Funding Opportunity"]);
  });
});

describe("columns", () => {
  const left = Array.from({ length: 12 }, (_, index) => `Left column line ${index} has words to its end`);
  const right = Array.from({ length: 12 }, (_, index) => `Right column line ${index} has words to its end`);

  test("are read one after the other", async () => {
    const texts = await textsOf([...column(left, 50, 700), ...column(right, 320, 700)]);
    expect(texts.join(" ")).toBe([...left, ...right].join(" "));
  });

  test("are read one after the other where a program has drawn line by line across both", async () => {
    const across = column(left, 50, 700).flatMap((line, index) => [
      line,
      { ...line, text: right[index] ?? "", x: 320 },
    ]);
    const texts = await textsOf(across);
    expect(texts.join(" ")).toBe([...left, ...right].join(" "));
  });

  test("are read section by section, where a heading stands between them", async () => {
    const section = (name: string, y: number) => [
      { text: `Section ${name}`, x: 50, y, size: 18 },
      ...column(
        left.map((line) => `${name}: ${line}`),
        50,
        y - 20,
      ),
      ...column(
        right.map((line) => `${name}: ${line}`),
        320,
        y - 20,
      ),
    ];
    const texts = await textsOf([...section("One", 740), ...section("Two", 540)]);
    const expected = ["One", "Two"].flatMap((name) => [
      `Section ${name}`,
      ...[...left, ...right].map((line) => `${name}: ${line}`),
    ]);
    expect(texts.join(" ")).toBe(expected.join(" "));
  });

  test("come after a title across both, and before what is below both", async () => {
    const title = {
      text: "A title that goes across both of the columns of this page, from left to right",
      x: 50,
      y: 740,
    };
    const below = {
      text: "A note that goes across both of the columns of this page, from left to right",
      x: 50,
      y: 500,
    };
    const texts = await textsOf([below, ...column(left, 50, 700), ...column(right, 320, 700), title]);
    expect(texts[0]).toBe(title.text);
    expect(texts.at(-1)).toBe(below.text);
  });
});

describe("tables", () => {
  test("are read by row, with the lines of a cell together", async () => {
    const row = (y: number, cells: readonly (readonly string[])[]) =>
      cells.flatMap((lines, index) => column(lines, 72 + index * 160, y));
    const blocks = await blocksOf([
      [
        ...column(["Each application is scored by these criteria, of which the first has the most points:"], 72, 740),
        ...row(700, [["Criterion"], ["Points"], ["Pages"]]),
        ...row(680, [["Need and", "purpose"], ["40"], ["1 to 3"]]),
        ...row(650, [["Budget"], ["10"], ["4"]]),
      ],
    ]);
    expect(blocks.filter(({ kind }) => kind === "row").map(({ text }) => text)).toEqual([
      "Criterion | Points | Pages",
      "Need and purpose | 40 | 1 to 3",
      "Budget | 10 | 4",
    ]);
  });

  test("are read by row where their cells stand close, and one has several paragraphs", async () => {
    const row = (y: number, name: string, texts: readonly string[], points: string) => [
      { text: name, x: 72, y },
      ...texts.flatMap((text, index) => column([text, "and the second line of it"], 200, y - index * 40)),
      { text: points, x: 337, y },
    ];
    const texts = await textsOf([
      ...row(700, "Need", ["A text that ends before points"], "20 points"),
      ...row(660, "Approach", ["A text that ends before points", "A further text of the same cell"], "35 points"),
      ...row(570, "Budget", ["A text that ends before points"], "25 points"),
    ]);
    expect(texts).toEqual([
      "Need | A text that ends before points and the second line of it | 20 points",
      "Approach | A text that ends before points and the second line of it A further text of the same cell and the second line of it | 35 points",
      "Budget | A text that ends before points and the second line of it | 25 points",
    ]);
  });

  test("of labels and values keep both together", async () => {
    const texts = await textsOf([
      { text: "Application due date", x: 72, y: 700 },
      { text: "July 31, 2026", x: 300, y: 700 },
      { text: "Expected awards", x: 72, y: 680 },
      { text: "12", x: 300, y: 680 },
    ]);
    expect(texts).toEqual(["Application due date | July 31, 2026", "Expected awards | 12"]);
  });
});

describe("lists", () => {
  test("are items, each with its bullet and all its lines", async () => {
    const blocks = await blocksOf([
      [
        ...column(["You must have:"], 72, 700),
        { text: "\u2022", x: 80, y: 688 },
        ...column(["an active registration in", "SAM.gov; and"], 92, 688),
        { text: "\u2022", x: 80, y: 664 },
        ...column(["a UEI."], 92, 664),
        ...column(["Only then can you apply."], 72, 650),
      ].map((text) => ({ ...text, text: text.text.replace("\u2022", "\x95") })),
    ]);
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ["paragraph", "You must have:"],
      ["item", "• an active registration in SAM.gov; and"],
      ["item", "• a UEI."],
      ["paragraph", "Only then can you apply."],
    ]);
  });
});

describe("headings", () => {
  const body = Array.from({ length: 6 }, () => "Sentences of the body are set in regular type of ten points.");

  test("are larger or bold, and the largest are level 1", async () => {
    const blocks = await blocksOf([
      [
        { text: "Eligibility", x: 72, y: 740, size: 20, isBold: true },
        ...column(body, 72, 715),
        { text: "Cost Sharing", x: 72, y: 620, isBold: true },
        ...column(body, 72, 605),
        { text: "Award Information", x: 72, y: 500, size: 20, isBold: true },
        ...column(body, 72, 480),
        { text: "Funding Range", x: 72, y: 400, isBold: true },
        ...column(body, 72, 385),
      ],
    ]);
    expect(blocks.filter(({ kind }) => kind === "heading").map(({ level, text }) => [level, text])).toEqual([
      [1, "Eligibility"],
      [2, "Cost Sharing"],
      [1, "Award Information"],
      [2, "Funding Range"],
    ]);
  });

  test("are none on a page that lists the contents", async () => {
    const contents = Array.from({ length: 10 }, (_, index) => ({
      text: `Part ${index} of the notice ${index + 3}`,
      x: 72,
      y: 700 - index * 30,
      size: 16,
    }));
    const blocks = await blocksOf([
      contents,
      [{ text: "Part 0 of the notice", x: 72, y: 740, size: 16 }, ...column(body, 72, 715)],
    ]);
    expect(blocks.filter(({ kind }) => kind === "heading").map(({ text }) => text)).toEqual(["Part 0 of the notice"]);
  });

  test("are no labels before a value, and no bold sentence", async () => {
    const blocks = await blocksOf([
      [
        ...column(body, 72, 740),
        { text: "Type:", x: 72, y: 640, isBold: true },
        { text: "Grant", x: 140, y: 640 },
        { text: "You must apply by the deadline.", x: 72, y: 600, isBold: true },
      ],
    ]);
    expect(blocks.filter(({ kind }) => kind === "heading")).toEqual([]);
  });
});

describe("pages", () => {
  const words = ["alpha", "beta", "gamma", "delta", "epsilon"];
  const withHeads = words.map((word, index) => [
    { text: "Department of Lakes", x: 72, y: 760 },
    ...column([`The page of ${word} has text.`], 72, 600),
    { text: `Page ${index + 1} of 5`, x: 280, y: 30 },
  ]);

  test("lose running heads, running feet and page numbers", async () => {
    const blocks = await blocksOf(withHeads);
    expect(blocks.map(({ text, firstPage }) => [text, firstPage])).toEqual(
      words.map((word, index) => [`The page of ${word} has text.`, index + 1]),
    );
  });

  test("keep the first of the links that stand beside each, and a line that only repeats", async () => {
    const links = column(
      ["Step 1: Review the opportunity", "Step 2: Get ready to apply", "Step 3: Submit the application"],
      400,
      500,
      { step: 30 },
    );
    const page = (word: string, others: WrittenText[]) => [...column([`The ${word} has text.`], 72, 640), ...others];
    const withLinks = await textsOf(...["cover", "plan", "budget"].map((word) => page(word, links)));
    expect(withLinks.filter((text) => text.startsWith("Step 2"))).toHaveLength(1);
    const points = { text: "Maximum points: 20", x: 72, y: 600 };
    const withPoints = await textsOf(...["cover", "plan", "budget"].map((word) => page(word, [points])));
    expect(withPoints.filter((text) => text === points.text)).toHaveLength(3);
  });

  test("lose a number below the text that is their own, and keep other numbers", async () => {
    const page = (number: number) => [
      ...column(["Text of the page."], 72, 400),
      { text: String(number), x: 500, y: 30 },
    ];
    expect(await textsOf(page(1))).toEqual(["Text of the page."]);
    expect(await textsOf(page(250))).toEqual(["Text of the page.", "250"]);
  });

  test("keep a line at their top that is on one page only", async () => {
    const [first = [], ...others] = withHeads;
    const texts = await textsOf([...first, { text: "Catalog of Lakes 2026", x: 300, y: 760 }], ...others);
    expect(texts).toContain("Catalog of Lakes 2026");
  });

  test("break sentences, which are joined and have two pages", async () => {
    const blocks = await blocksOf([
      column(["The applicant must keep records of the project for"], 72, 100),
      column(["three years after the final report."], 72, 700),
    ]);
    expect(blocks).toEqual([
      {
        kind: "paragraph",
        level: 0,
        text: "The applicant must keep records of the project for three years after the final report.",
        firstPage: 1,
        lastPage: 2,
      },
    ]);
  });

  test("without text are named", async () => {
    const read = await readDocument(writePdf([column(["Text."], 72, 700), [], column(["More text."], 72, 700), []]));
    expect(read).toMatchObject({ pages: 4, pagesWithoutText: [2, 4] });
  });

  test("of which none has text are said to be scanned", async () => {
    expect(await readDocument(writePdf([[], []]))).toEqual({
      kind: "unreadable",
      reason: "no_text",
      message: "The PDF has no text. All 2 pages are scanned, or blank.",
    });
  });
});
