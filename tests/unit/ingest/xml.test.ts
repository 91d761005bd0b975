import { describe, expect, test } from "vitest";
import { readFiles } from "../../../ingest/read/files.ts";
import type { Row } from "../../../ingest/read/row.ts";
import { xmlRows } from "../../../ingest/read/xml.ts";
import { chunksOf, rowsOf } from "./helpers.ts";

const rows = (content: string | Uint8Array, size?: number) => rowsOf(xmlRows("Row", "Other"), content, size);
const root = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<Rows>\n${content}\n</Rows>\n`;

async function readUntilFailure(content: string): Promise<{ rows: Row[]; failure: string }> {
  const read: Row[] = [];
  try {
    for await (const row of readFiles([{ chunks: chunksOf(content) }], xmlRows("Row"))) read.push(row);
  } catch (error) {
    return { rows: read, failure: (error as Error).message };
  }
  return { rows: read, failure: "" };
}

describe("xml", () => {
  test("elements are rows, their children the values, and repeated ones a list", async () => {
    const content = root(
      "<Row><ID>1</ID><N>a</N><N>b</N>\n<N>c</N></Row>\n<x:Other xmlns:x='u'><x:ID>2 &amp; &lt;p&gt; &#233;</x:ID></x:Other><Row/>",
    );
    for (const size of [1, 7, 1_000]) {
      expect(await rows(content, size)).toEqual([
        { line: 3, values: { element: "Row", ID: "1", N: ["a", "b", "c"] } },
        { line: 5, values: { element: "Other", ID: "2 & <p> é" } },
        { line: 5, values: { element: "Row" } },
      ]);
    }
  });

  test("text may be marked as characters, and hold children", async () => {
    expect(await rows(root("<Row><A><![CDATA[<b>]]>!</A><B><C>1</C><C>2</C></B></Row>"))).toMatchObject([
      { values: { A: "<b>!", B: { C: ["1", "2"] } } },
    ]);
  });

  test("a record that is not XML is a broken row with its values, and costs no other", async () => {
    const bad = "<Row><ID>2</ID><T>fish & chips</T></Row>";
    expect(await rows(root(`<Row><ID>1</ID></Row>\n${bad}\n<Row><ID>3</ID></Row>`))).toMatchObject([
      { line: 3, values: { ID: "1" } },
      { line: 4, reason: expect.stringMatching(/^not XML: /), values: { ID: "2" } },
      { line: 5, values: { ID: "3" } },
    ]);
  });

  test.each([
    ["<Row><ID>2<T>x</T></Row>", "a tag that is not closed"],
    ["<Row><ID>2</ID><T>x</Row>", "the last tag not closed"],
    ["<Row><ID>2</ID>", "the record not closed"],
    ["<Row><ID>2</ID><b>x</T></Row>", "a tag closed by another's name"],
    ["<Row><ID>2</ID>&nbsp;</Row>", "an entity that is not defined"],
  ])("%s, with %s, costs no other record", async (bad) => {
    const read = await rows(root(`<Row><ID>1</ID></Row>\n${bad}\n<Row><ID>3</ID></Row>`));
    expect(read).toHaveLength(3);
    expect(read[0]).toMatchObject({ values: { ID: "1" } });
    expect(read[1]).toMatchObject({ line: 4, reason: expect.stringMatching(/^not XML: /) });
    expect(read[2]).toEqual({ line: 5, values: { element: "Row", ID: "3" } });
  });

  test("space in tags, and markup within quotes, comments, instructions and characters, are no tags", async () => {
    const content = root(
      `<!-- <Row><ID>0</ID></Row> --><Row a=">" b='</Row>' ><ID >1</ID\n><?x </Row>?><!-- </Row> --><T><![CDATA[</Row>&#31;]]></T></Row\n>`,
    ).replace("b='</Row>'", "b='/Row>'");
    for (const size of [1, 5, 1_000]) {
      expect(await rows(content, size)).toEqual([{ line: 3, values: { element: "Row", ID: "1", T: "</Row>&#31;" } }]);
    }
  });

  test("control characters are left out", async () => {
    expect(await rows(root("<Row><T>a\x0bb&#31;c&#x1F;d&#9;e</T></Row>"))).toMatchObject([
      { values: { T: "abcd\te" } },
    ]);
  });

  test("lines that are not UTF-8 are read as Windows-1252", async () => {
    const bytes = Buffer.concat([Buffer.from(root("")).subarray(0, -9), Buffer.from([0x93, 0xe9, 0x94])]);
    const content = Buffer.concat([
      Buffer.from("<Rows>\n<Row><T>é</T></Row>\n<Row><T>"),
      bytes.subarray(-3),
      Buffer.from("</T></Row>\n</Rows>"),
    ]);
    expect(await rows(content)).toMatchObject([{ values: { T: "é" } }, { values: { T: "“é”" } }]);
  });

  test("a file that is cut short gives its good rows, the broken one, and says so", async () => {
    expect(await readUntilFailure("<Rows>\n<Row><ID>1</ID></Row>\n<Row><ID>2</ID><T>half of")).toEqual({
      rows: [
        { line: 2, values: { element: "Row", ID: "1" } },
        {
          line: 3,
          reason: "not XML: unclosed tag: T",
          text: "<Row><ID>2</ID><T>half of",
          values: { element: "Row", ID: "2", T: "half of" },
        },
      ],
      failure: "is cut short: it lacks the end of its XML",
    });
    expect((await readUntilFailure("<Rows>\n<Row><ID>1</ID></Row>\n")).failure).toMatch(/^is cut short/);
  });

  test.each([
    [
      "an entity bomb",
      '<!DOCTYPE Rows [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>\n<Rows><Row><T>&c;</T></Row></Rows>',
    ],
    [
      "an external entity",
      '<?xml version="1.0"?><!DOCTYPE Rows [<!ENTITY x SYSTEM "file:///etc/passwd">]><Rows><Row><T>&x;</T></Row></Rows>',
    ],
    ["an external definition", '<!DOCTYPE Rows SYSTEM "http://example.org/x.dtd"><Rows><Row><T>1</T></Row></Rows>'],
  ])("%s is refused before any row", async (_, content) => {
    expect(await readUntilFailure(content)).toMatchObject({
      rows: [],
      failure: expect.stringMatching(/^has a document type declaration, which is refused/),
    });
  });

  test("a record without end does not fill the memory", async () => {
    const endless = async function* () {
      yield Buffer.from("<Rows><Row><T>");
      for (;;) yield Buffer.from("<b>many words</b>\n".repeat(10_000));
    };
    const reading = (async () => {
      for await (const _ of readFiles([{ chunks: endless() }], xmlRows("Row")));
    })();
    await expect(reading).rejects.toThrow("has a record of more than 16 MB in line 1");
  });

  test("comments and instructions may come first", async () => {
    const beginning = '<?xml version="1.0"?>\n<?x y?>\n<!-- a <b>\nand <Rows> -->\n';
    for (const size of [1, 1_000]) {
      expect(await rows(`${beginning}<Rows a="1"\n b="2"><Row><ID>1</ID></Row></Rows >\n`, size)).toEqual([
        { line: 6, values: { element: "Row", ID: "1" } },
      ]);
    }
  });

  test("text that is not XML is refused", async () => {
    expect((await readUntilFailure("title,name\n1,2\n")).failure).toBe("does not begin like XML");
  });
});
