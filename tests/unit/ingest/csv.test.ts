import { describe, expect, test } from "vitest";
import { csvRows } from "../../../ingest/read/csv.ts";
import type { Row } from "../../../ingest/read/row.ts";
import { chunksOf, rowsOf } from "./helpers.ts";

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

  test("a row with more values is broken", async () => {
    expect(await csv("a,b,c\n1,2,3,4\n1,2,3\n")).toEqual([
      { line: 2, reason: "the row has 4 values for 3 columns", text: '["1","2","3","4"]' },
      { line: 3, values: { a: "1", b: "2", c: "3" } },
    ]);
  });

  describe("a row of several lines", () => {
    const header = "id,title,description,funder,state";

    test("may have blank values behind those of the header, or omit blank ones, as the other rows do", async () => {
      const row = { id: "1", title: "T", description: "one\ntwo", funder: "F", state: "" };
      for (const [end, surplus] of [
        [",F", ""],
        [",F,", ""],
        [",F,,", ","],
        [",F,,,", ",,"],
      ]) {
        const rows = await csv(`${header}\n1,T,"one\ntwo"${end}\n2,U,plain,F,OH${surplus}\n`);
        expect(rows, end).toMatchObject([
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
    expect(await csv('a,b\n6" pipe,x,\n8" pipe,y,\n')).toEqual([
      { line: 2, values: { a: '6" pipe', b: "x" } },
      { line: 3, values: { a: '8" pipe', b: "y" } },
    ]);
  });

  describe("blank values behind those of the header", () => {
    const header = "id,title,funder,deadline,notes";
    const shifted = "1,Bridges, Roads and Ports,DOT,2026-07-01,";
    const reason = "the row has 6 values for 5 columns";

    test("show that a comma is not in quotes: the row is broken", async () => {
      for (const others of ["", "2,Water,EPA,2026-07-01,soon\n", "2,Water,EPA,2026-07-01,\n", `${shifted}\n`]) {
        const rows = await csv(`${header}\n${shifted}\n${others}`);
        expect(rows[0], others).toMatchObject({ line: 2, reason });
      }
      const late = `${header}\n${"2,Water,EPA,2026-07-01,soon\n".repeat(150)}${shifted}\n`;
      expect((await csv(late)).map((row) => ("reason" in row ? row.reason : "read"))).toEqual([
        ...Array(150).fill("read"),
        reason,
      ]);
    });

    test("are read where every row has them, and one more is broken", async () => {
      const row = (id: number) => `${id},Water,EPA,2026-07-01,,\n`;
      const rows = await csv(`${header}\n${row(1)}${row(2)}3,Bridges, Roads,DOT,2026-07-01,,\n4,Rail,DOT,,,\n`);
      expect(rows).toMatchObject([
        { values: { id: "1", deadline: "2026-07-01", notes: "" } },
        { values: { id: "2" } },
        { reason: "the row has 7 values for 5 columns" },
        { values: { id: "4", title: "Rail" } },
      ]);
      // One row of many without them changes nothing.
      const many = [...Array(30).keys()].map(row).join("");
      const found = await csv(`${header}\n${many}31,Rail,DOT,,\n`);
      expect(found.filter((one) => "reason" in one)).toEqual([]);
    });

    test("are read where the header has them too, and may be missing there", async () => {
      const rows = await csv(`${header},\n1,Water,EPA,2026-07-01,soon,\n2,Rail,DOT,2026-07-01,\n${shifted},\n`);
      expect(rows).toMatchObject([
        { values: { id: "1", notes: "soon" } },
        { values: { id: "2", notes: "" } },
        { reason: "the row has 7 values for 6 columns" },
      ]);
    });
  });

  describe("a row with fewer values than the header", () => {
    const header = "id,title,funder,description,deadline";
    const whole = (id: number) => `${id},Grant ${id},F,About ${id},2026-08-01\n`;
    const wholes = (count: number) => Array.from({ length: count }, (_, index) => whole(index)).join("");
    const reasonOf = (width: number) =>
      `the row has ${width} value${width === 1 ? "" : "s"} for 5 columns; perhaps a line break within a value is not in quotes`;
    /** The reason of each broken row, and "short" or "whole" for the others. */
    const kinds = async (content: string) =>
      (await csv(content)).map((row) => ("reason" in row ? row.reason : "note" in row ? "short" : "whole"));

    test("is one of the pieces of a row whose line break is not in quotes: all of them are broken", async () => {
      const pieces = "2,B,F,first half\nsecond half, with comma, in it,2026-08-01\n";
      for (const [before, after] of [
        [0, 0],
        [1, 0],
        [1, 1],
        [200, 1],
      ] as const) {
        expect(await kinds(`${header}\n${wholes(before)}${pieces}${wholes(after)}`)).toEqual([
          ...Array(before).fill("whole"),
          reasonOf(4),
          reasonOf(4),
          ...Array(after).fill("whole"),
        ]);
      }
      expect(await kinds(`${header}\n${wholes(1)}2,B,F,first\nhalf,2026-08-01\n${wholes(1)}`)).toEqual([
        "whole",
        reasonOf(4),
        reasonOf(2),
        "whole",
      ]);
      const many = "2,B,F,first\n\nand second half\n- a list\n- of items\nend,2026-08-01\n".repeat(40);
      expect(new Set(await kinds(`${header}\n${many}`))).toEqual(new Set([1, 2, 4].map(reasonOf)));
    });

    test("may be followed by a piece of text with as many values as the header: it is broken, too", async () => {
      const rest =
        "the row looks like the rest of the one before it; perhaps a line break within a value is not in quotes";
      const pieces = "2,B,F,first\nand second half, of the text, with, commas\nend,2026-08-01\n";
      expect(await kinds(`${header}\n${wholes(3)}${pieces}${whole(4)}`)).toEqual([
        ...Array(3).fill("whole"),
        reasonOf(4),
        reasonOf(4),
        reasonOf(2),
        "whole",
      ]);
      expect(await kinds(`${header}\n${wholes(3)}${pieces.replace("with,", "with, many,")}${whole(4)}`)).toEqual([
        ...Array(3).fill("whole"),
        reasonOf(4),
        rest,
        reasonOf(2),
        "whole",
      ]);
    });

    test("is broken where others have blank values at their end, and its identifier is known", async () => {
      const blank = whole(149).replace("2026-08-01", "");
      const rows = await csv(`${header}\n${wholes(50)}${blank}${wholes(99)}900,Grant,F\n${wholes(1)}`);
      expect(rows[150]).toEqual({
        line: 152,
        reason: reasonOf(3),
        text: '["900","Grant","F"]',
        values: { id: "900", title: "Grant", funder: "F", description: "", deadline: "" },
      });
      expect(rows.filter((row) => "reason" in row)).toHaveLength(1);
    });

    test("is blank in the rest between two whole rows where none ends with a blank value", async () => {
      for (const before of [1, 150]) {
        expect(await kinds(`${header}\n${wholes(before)}900,Grant,F\n${wholes(2)}`)).toEqual([
          ...Array(before).fill("whole"),
          "short",
          ...Array(2).fill("whole"),
        ]);
      }
      // Names of two words are no pieces of text where one row in twenty begins with them.
      const cities = Array.from(
        { length: 60 },
        (_, index) => `${index % 6 === 0 ? "San Diego" : "Dayton"},F,A,B${index % 5 === 0 ? "" : ",C"}\n`,
      );
      expect(new Set(await kinds(`city,funder,a,b,c\n${cities.join("")}`))).toEqual(new Set(["whole", "short"]));
    });

    test("takes no whole rows with it beyond the one behind it", async () => {
      const states = [...Array(120).fill("Alabama"), ...Array(30).fill("New York")];
      const rows = states.map((state, index) => `${state},${index},F,About,2026-08-01\n`);
      rows[125] = "New York,125,F,with, a comma,2026-08-01\n";
      const found = await kinds(`state,id,funder,description,deadline\n${rows.join("")}`);
      expect(found.filter((kind) => kind !== "whole")).toHaveLength(2);
    });

    test("is blank in the rest in a file that omits blank values, with a note", async () => {
      const note = { reason: "the row has fewer values than the header, and is blank in the rest" };
      expect(await csv(`${header}\n${whole(1)}2,B,F\n3,C,F,About\n${whole(4)}`)).toMatchObject([
        { line: 2 },
        { line: 3, note, values: { id: "2", title: "B", funder: "F", description: "", deadline: "" } },
        { line: 4, note, values: { id: "3", description: "About", deadline: "" } },
        { line: 5 },
      ]);
      // The last columns are blank in every row.
      expect(await kinds(`${header}\n1,A,F\n2,B,F\n`)).toEqual(["short", "short"]);
      const mixed = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? whole(index) : `${index},T,F\n`));
      expect(new Set(await kinds(`${header}\n${mixed.join("")}`))).toEqual(new Set(["whole", "short"]));
      // Titles come first, and a value in quotes begins with a space.
      const titles = Array.from(
        { length: 300 },
        (_, index) => `Grant ${index},F,${index % 50 === 49 ? '" About"' : "About"}\n`,
      );
      expect(await kinds(`title,funder,description,a,b\n${titles.join("")}`)).toEqual(Array(300).fill("short"));
    });

    test("is broken in such a file, too, if it plainly is a piece of text", async () => {
      const mixed = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? whole(index) : `${index},T,F\n`));
      const found = await kinds(`${header}\n${mixed.join("")}900,B,F,first half\nsecond half,2026-08-01\n901,C,F\n`);
      expect(found.slice(-4)).toEqual(["short", reasonOf(4), reasonOf(2), "short"]);
    });

    test("is read within a block of rows that end alike, as Excel writes them", async () => {
      // Excel writes 16 rows, among them the header, with the columns that any of them has.
      const rows = (first: number, count: number, end: string) =>
        Array.from({ length: count }, (_, index) => `${first + index},Grant,F${end}\n`).join("");
      const content = `${header}\n${rows(0, 14, ",,")}${whole(14)}${rows(15, 16, "")}${rows(31, 16, ",About")}${wholes(1)}${rows(48, 200, ",,")}`;
      const expected = [...Array(15).fill("whole"), ...Array(32).fill("short"), ...Array(201).fill("whole")];
      expect(await kinds(content)).toEqual(expected);
      expect(await kinds(`${content}${rows(300, 5, "")}`)).toEqual([...expected, ...Array(5).fill("short")]);
      expect(await kinds(`${content}${rows(300, 5, "")}${whole(1)}`)).toEqual([
        ...expected,
        ...Array(5).fill(reasonOf(3)),
        "whole",
      ]);
    });

    test("is not held for more than a few rows", async () => {
      let given = 0;
      const lines = (async function* () {
        const encode = (text: string) => new TextEncoder().encode(text);
        yield encode(`${header}\n${wholes(400)}`);
        for (; given < 10_000; given++) yield encode("5,T,F\n6,T,F,About\n");
      })();
      const rows = csvRows(lines);
      for (let count = 0; count < 500; count++) await rows[Symbol.asyncIterator]().next();
      expect(given).toBeLessThan(300);
    });
  });

  test("a header that comes again, between joined files, is no row", async () => {
    expect(await csv("id,id,note\n1,2,x\nid, id,note\n3,4,y\n")).toEqual([
      { line: 2, values: { id: "1", id_2: "2", note: "x" } },
      { line: 4, values: { id: "3", id_2: "4", note: "y" } },
    ]);
    expect(await csv("id,title,\n1,T,\nid,title\n2,U,\n")).toMatchObject([{ line: 2 }, { line: 4 }]);
  });

  test("a header that comes again with its columns in another order ends the file", async () => {
    const content = `id,title\n1,T\n2,U\ntitle,id\nV,3\n${"W,4\n".repeat(300)}`;
    const rows: Row[] = [];
    const read = async () => {
      for await (const row of csvRows(chunksOf(content))) rows.push(row);
    };
    await expect(read()).rejects.toThrow("has a second header in line 4, with the columns in another order");
    expect(rows).toMatchObject([{ values: { id: "1" } }, { values: { id: "2", title: "U" } }]);
  });

  test("a line for Excel that names the separator is no header", async () => {
    for (const line of ["sep=,", '"sep=,"', "SEP=,", "\ufeffsep=,"]) {
      expect(await csv(`${line}\na,b\n1,2\n`), line).toEqual([{ line: 3, values: { a: "1", b: "2" } }]);
    }
    await expect(csv("sep=;\na;b\n1;2\n")).rejects.toThrow("commas are expected");
  });

  test("a title above the header is named", async () => {
    const message =
      'has one column, "Grants of 2026", and more values from line 3 on; remove the lines above the header';
    for (const title of ["Grants of 2026\n", "Grants of 2026,,\n"]) {
      for (const count of [1, 300]) {
        await expect(csv(`${title}\nid,title,funder\n${"1,T,F\n".repeat(count)}`), title).rejects.toThrow(message);
      }
    }
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

describe("quotes with backslashes, as MySQL writes them", () => {
  const header = "id,title,funder\n";
  const titles = async (content: string) =>
    (await rowsOf("csv", header + content)).map((row) => ("reason" in row ? row.reason : row.values.title));

  test("are quotes within values, also with commas and line breaks", async () => {
    const content = String.raw`1,"Grants for \"smart\" cities, towns",F
2,"He said \"hi\"",F
3,"6\" pipe",F
4,"Two \"lines
of\" it",F
5,"ends with \"",F
6,"\"starts\", and a backslash: C:\\",F
7,Plain,F
`;
    expect(await titles(content)).toEqual([
      'Grants for "smart" cities, towns',
      'He said "hi"',
      '6" pipe',
      'Two "lines\nof" it',
      'ends with "',
      '"starts", and a backslash: C:\\',
      "Plain",
    ]);
  });

  test("are not read into files that double their quotes, where a backslash is one", async () => {
    expect(await titles('1,"C:\\",F\n2,"a ""b"" \\ c",F\n3,C:\\temp,F\n')).toEqual(["C:\\", 'a "b" \\ c', "C:\\temp"]);
  });

  test("reject a row that cannot be read for certain, and say why", async () => {
    expect(await titles(`${String.raw`1,"a ""b"" and \"c\", d",F`}\n2,Plain,F\n`)).toEqual([
      'the quotes of this line do not match; quotes within a value are doubled ("") or have a backslash (\\"), not both',
      "Plain",
    ]);
  });
});
