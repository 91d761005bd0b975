import { describe, expect, test } from "vitest";
import { rowsOf } from "./helpers.ts";

const csv = (content: string) => rowsOf("csv", content);

describe("csv", () => {
  test("quoted commas, doubled quotes and line breaks are part of a value", async () => {
    expect(await csv('a,b\n"x, ""y""","line one\r\nline two"\n')).toEqual([
      { line: 2, values: { a: 'x, "y"', b: "line one\nline two" } },
    ]);
  });

  test("quoted values are read where each line ends with two carriage returns", async () => {
    expect(await csv('a,b\r\r\n1,"x, y"\r\r\n2,"line one\r\r\nline two"\r\r\n')).toEqual([
      { line: 2, values: { a: "1", b: "x, y" } },
      { line: 3, values: { a: "2", b: "line one\nline two" } },
    ]);
  });

  test("line numbers are those of the file after rows of several lines and blank lines", async () => {
    const rows = await csv('a,b\n1,"x\ny\nz"\n\n2,plain\n3,"p\nq"\n4,end\n');
    expect(rows.map(({ line }) => line)).toEqual([2, 6, 7, 9]);
  });

  test("a quote in the middle of an unquoted value is taken as it stands", async () => {
    expect(await csv('a,b\n6" pipe,x\n8" pipe,y\n')).toEqual([
      { line: 2, values: { a: '6" pipe', b: "x" } },
      { line: 3, values: { a: '8" pipe', b: "y" } },
    ]);
  });

  test("a quote that is never closed costs its own line and no other", async () => {
    const rows = await csv(`a,b\n1,"never closed\n${'2,fine\n3,"quoted, too"\n'.repeat(3_000)}`);
    expect(rows[0]).toEqual({ line: 2, reason: "the quotes of this line do not match", text: '1,"never closed' });
    expect(rows).toHaveLength(6_001);
    expect(rows.slice(1).every((row) => "values" in row)).toBe(true);
    expect(rows.at(-1)?.line).toBe(6_002);
  });

  test("a stray quote before a row of several lines costs neither", async () => {
    expect(await csv('a,b\n6" pipe,x\n2,"two\nlines"\n3,end\n')).toEqual([
      { line: 2, values: { a: '6" pipe', b: "x" } },
      { line: 3, values: { a: "2", b: "two\nlines" } },
      { line: 5, values: { a: "3", b: "end" } },
    ]);
  });

  test("a row with fewer values is blank in the rest, one with more is broken", async () => {
    expect(await csv("a,b,c\n1\n1,2,3,4\n1,2,3,,\n")).toEqual([
      { line: 2, values: { a: "1", b: "", c: "" } },
      { line: 3, reason: "the row has 4 values for 3 columns", text: '["1","2","3","4"]' },
      { line: 4, values: { a: "1", b: "2", c: "3" } },
    ]);
  });

  describe("a row of several lines", () => {
    const header = "id,title,description,funder,state";

    test("may have blank values behind those of the header, or omit blank ones", async () => {
      const row = { id: "1", title: "T", description: "one\ntwo", funder: "F", state: "" };
      for (const end of [",F", ",F,", ",F,,", ",F,,,"]) {
        const rows = await csv(`${header}\n1,T,"one\ntwo"${end}\n2,U,plain,F,OH\n`);
        expect(rows, end).toEqual([
          { line: 2, values: row },
          { line: 4, values: { id: "2", title: "U", description: "plain", funder: "F", state: "OH" } },
        ]);
      }
      expect(
        await csv(`${header}\n1,T,"A grant, for Ohio, Iowa, Utah, Maine, and Guam\n\nOK",F\n2,U,,F,OH\n`),
      ).toMatchObject([
        { line: 2, values: { description: "A grant, for Ohio, Iowa, Utah, Maine, and Guam\n\nOK", funder: "F" } },
        { line: 5, values: { id: "2" } },
      ]);
    });

    test("is as broken as one of a single line when it has more values", async () => {
      expect(await csv(`${header}\n1,T,"one\ntwo",F,OH,x\n2,U,plain,F,OH\n`)).toMatchObject([
        { line: 2, reason: "the quotes of this line do not match" },
        { line: 3, reason: "the quotes of this line do not match" },
        { line: 4, values: { id: "2" } },
      ]);
    });

    test("that omits values does not swallow rows between two stray quotes", async () => {
      for (const between of ["", "2,U,plain,F\n", "2,U,plain,F,OH\n"]) {
        const rows = await csv(`${header}\n1,T,"never closed,F,OH\n${between}3,V,pipe,F,6"\n4,W,plain,F,OH\n`);
        const ids = rows.map((row) => ("values" in row ? row.values?.id : row.reason));
        const kept = between === "" ? ["3", "4"] : ["2", "3", "4"];
        expect(ids).toEqual(["the quotes of this line do not match", ...kept]);
      }
    });
  });

  test("a stray quote may stand in a row with blank values behind those of the header", async () => {
    expect(await csv('a,b\n6" pipe,x,\n8" pipe,y,,\n')).toEqual([
      { line: 2, values: { a: '6" pipe', b: "x" } },
      { line: 3, values: { a: '8" pipe', b: "y" } },
    ]);
  });

  test("rows with nothing in them are passed over", async () => {
    expect(await csv("a,b\n,\n1,2\n , \n")).toEqual([{ line: 3, values: { a: "1", b: "2" } }]);
  });

  test("of two columns with one name, neither is lost", async () => {
    expect(await csv("a,a\n1,2\n")).toEqual([{ line: 2, values: { a: "1", a_2: "2" } }]);
  });

  test("a quoted name of a column may hold a carriage return", async () => {
    expect(await csv('"a\rb",c\n1,2\n')).toEqual([{ line: 2, values: { "a\rb": "1", c: "2" } }]);
  });

  test("many rows keep their order and their lines", async () => {
    const count = 1_234;
    const rows = await rowsOf("csv", `n\n${Array.from({ length: count }, (_, index) => `${index}\n`).join("")}`, 1_000);
    expect(rows).toEqual(
      Array.from({ length: count }, (_, index) => ({ line: index + 2, values: { n: String(index) } })),
    );
  });

  test("a file of another kind is refused in one sentence", async () => {
    await expect(csv("")).rejects.toThrow("is empty");
    await expect(csv('{"title": "x"}\n')).rejects.toThrow("begins like JSON");
    await expect(csv("<html><body>\n")).rejects.toThrow("begins like XML or HTML");
    for (const content of ["a,b\r1,2\r", "a;b\r1;2\r", 'a,b\r1,"x, y"\r', 'a,b\r1,6" pipe\r', 'a,b\r1,"x\r']) {
      await expect(csv(content), content).rejects.toThrow("ends its lines with carriage returns alone");
    }
    await expect(csv("a;b\n1;2\n")).rejects.toThrow("commas are expected");
    await expect(rowsOf("csv", new Uint8Array([0xff, 0xfe, 0x61, 0]))).rejects.toThrow("UTF-16");
  });
});
