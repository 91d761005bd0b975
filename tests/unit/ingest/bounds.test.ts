import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../ingest/errors.ts";
import { htmlToText } from "../../../ingest/fields/html.ts";
import { parseList } from "../../../ingest/fields/list.ts";
import { peek } from "../../../ingest/peek.ts";
import { csvRows } from "../../../ingest/read/csv.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import { jsonRows } from "../../../ingest/read/json.ts";
import { ndjsonRows } from "../../../ingest/read/ndjson.ts";
import { isBroken, type ReadRows, type Row } from "../../../ingest/read/row.ts";
import { xmlRows } from "../../../ingest/read/xml.ts";
import { all, chunksOf, importText, rowsOf } from "./helpers.ts";

/** Files that are made to fill memory and disks: each is left where its bound is, and what follows is not read. */

const mebibyte = 1024 * 1024;

/** A source without an end, which knows how much of it was read. */
function endless(beginning: string | Uint8Array, again: string | Uint8Array) {
  const source = {
    bytes: 0,
    async *chunks(): AsyncGenerator<Uint8Array> {
      const chunk = Buffer.from(again);
      yield Buffer.from(beginning);
      for (source.bytes = beginning.length; ; source.bytes += chunk.length) yield chunk;
    },
  };
  return source;
}

/** Deflated text that may follow itself any number of times. */
const deflatedForever = (text: string) => deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH });

async function failureOf(read: ReadRows, chunks: AsyncIterable<Uint8Array>): Promise<{ rows: Row[]; message: string }> {
  const rows: Row[] = [];
  try {
    for await (const row of readFiles([{ chunks }], read)) if (rows.length < 10) rows.push(row);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return { rows, message: (error as Error).message };
  }
  return { rows, message: "" };
}

/** The beginning of a file in an archive whose sizes follow it. */
function zipHeader(name: string): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(0x0808, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

describe("data that unpacks to more than 200 times its size is refused behind 64 MB", () => {
  const zeros = deflatedForever("0".repeat(16 * mebibyte));

  test("from gzip", async () => {
    const source = endless(gzipSync("").subarray(0, 10), zeros);
    const { message } = await failureOf(csvRows, source.chunks());
    expect(message).toMatch(/^unpacks to more than 200 times its size/);
    expect(source.bytes).toBeLessThan(mebibyte);
  });

  test.each(["data.csv", "notes.txt"])("from zip, whether it is read or passed over: %s", async (name) => {
    const source = endless(zipHeader(name), zeros);
    const { message } = await failureOf(csvRows, source.chunks());
    expect(message).toMatch(new RegExp(`^unpacks to more than 200 times its size.*${name}`));
    expect(source.bytes).toBeLessThan(mebibyte);
  });

  test("from many files of a zip, none of which does by itself", async () => {
    const packed = deflateRawSync(Buffer.alloc(4 * mebibyte, "0"));
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(crcOfZeros(4 * mebibyte), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(4 * mebibyte, 8);
    const source = endless("", Buffer.concat([zipHeader("a.txt"), packed, sizes]));
    const chunks = (async function* () {
      for await (const chunk of source.chunks()) if (chunk.length > 0) yield chunk;
    })();
    expect((await failureOf(csvRows, chunks)).message).toMatch(/^unpacks to more than 200 times its size/);
    expect(source.bytes).toBeLessThan(mebibyte);
  });

  test("and what packs as well as real files do is read, however large it is", async () => {
    // 100 MB that pack 100:1.
    const line = (start: number) =>
      `${Array.from({ length: 150 }, (_, index) => (start + index) ** 2).join("")}${"0".repeat(120_000)}`;
    const piece = deflatedForever(Array.from({ length: 8 }, (_, index) => `${line(index * 997_003)}\n`).join(""));
    const source = endless(gzipSync("").subarray(0, 10), piece);
    let rows = 0;
    for await (const _ of readFiles([{ chunks: source.chunks() }], csvRows)) if (++rows === 850) break;
    expect(850 * 120_000).toBeGreaterThan(64 * mebibyte);
    expect((850 * 120_000) / source.bytes).toBeGreaterThan(50);
  });
});

// Regression: a zip of blank lines kept an import busy without an end, and without a word about it.
describe("a file that goes on without a record is left there, however little it unpacks to for its size", () => {
  const kinds: [name: string, read: ReadRows, beginning: string, again: string][] = [
    ["blank lines of CSV", csvRows, "a,b\n1,2\n", "\n"],
    ["rows of CSV that are blank", csvRows, "a,b\n1,2\n", ",\r\n"],
    ["the header of CSV, again and again", csvRows, "a,b\n1,2\n", "a,b\n"],
    ["blank lines of ndjson", ndjsonRows, '{"a":1}\n', "\r\n"],
    ["lines between two records of JSON", jsonRows("$.rows.*"), '{"rows":[{"a":1},', "\n"],
    ["blank lines of XML", xmlRows("row"), "<r><row><a>1</a></row>", "\n"],
    ["other elements of XML", xmlRows("row"), "<r><row><a>1</a></row>", "<o/>\n"],
  ];
  test.each(kinds)(
    "%s",
    async (_, read, beginning, again) => {
      const source = endless(beginning, again.repeat(2 ** 16));
      let bytes = 0;
      const rows: Row[] = [];
      const reading = (async () => {
        const files = [{ chunks: source.chunks() }];
        for await (const row of readFiles(files, read, (more) => (bytes += more))) rows.push(row);
      })();
      await expect(reading).rejects.toThrow(/^has more than 6,000,000 lines without a record among them/);
      expect(rows).toHaveLength(1);
      // Progress goes on while no row comes.
      expect(bytes).toBe(source.bytes + again.length * 2 ** 16);
    },
    60_000,
  );

  test("white space without a line break", async () => {
    const source = endless("<r>", " ".repeat(mebibyte));
    expect((await failureOf(xmlRows("row"), source.chunks())).message).toMatch(
      /^has more than 256 MB without a record/,
    );
  }, 60_000);

  test("but the blank rows of a whole sheet are read, and what is behind them", async () => {
    const text = `a,b\n1,2\n${",\n".repeat(1_048_576)}3,4\n`;
    expect(await all(readFiles([{ chunks: chunksOf(text) }], csvRows))).toHaveLength(2);
  }, 60_000);
});

function crcOfZeros(bytes: number): number {
  return gzipSync(Buffer.alloc(bytes, "0")).readUInt32LE(gzipSync(Buffer.alloc(bytes, "0")).length - 8);
}

describe("an archive", () => {
  test("of more than 100,000 files is left there", async () => {
    const file = zipHeader("a.txt");
    // Stored as it is: nothing.
    file.writeUInt32LE(0, 6);
    const many = Buffer.concat(Array(1_000).fill(file));
    const source = endless(many, many);
    expect((await failureOf(csvRows, source.chunks())).message).toMatch(/^has more than 100,000 files in its archive/);
    expect(source.bytes).toBeLessThan(file.length * 110_000);
  });

  test("with a file whose name is longer than 1,000 bytes is refused, since every row would have it", async () => {
    const name = `${"x".repeat(60_000)}.csv`;
    const { message } = await failureOf(csvRows, chunksOf(zipHeader(name), 100_000));
    expect(message).toBe("has a file in its archive whose name is longer than 1,000 bytes");
  });

  test("names files as it likes: a path is a name, and nothing is written there", async () => {
    const name = "/etc/passwd\u202e.csv";
    const content = deflateRawSync("id,title\n1,One\n");
    const whole = gzipSync("id,title\n1,One\n");
    const sums = Buffer.alloc(12);
    whole.copy(sums, 0, whole.length - 8, whole.length - 4);
    sums.writeUInt32LE(15, 8);
    const end = Buffer.from("PK\x01\x02", "latin1");
    const rows = await rowsOf(csvRows, Buffer.concat([zipHeader(name), content, sums, end]));
    expect(rows).toEqual([{ line: 2, file: name, values: { id: "1", title: "One" } }]);
  });
});

describe("a record of more than 16 MB ends the file, which is not read on", () => {
  const text = "x".repeat(64 * 1024);
  const json = jsonRows("$.grants.*");
  const cases: [what: string, read: ReadRows, beginning: string, again: string][] = [
    ["a text in JSON", json, '{"grants": [{"id": 1},\n{"id": "', text],
    ["a list in JSON", json, '{"grants": [{"id": 1},\n{"id": [0', ',"x"'.repeat(10_000)],
    ["lines within one record of JSON", json, '{"grants": [{"id": 1},\n{"id": [0', "\n,1".repeat(20_000)],
    ["an XML element", xmlRows("G"), "<R><G><id>1</id></G>\n<G><id>", text],
  ];
  test.each(cases)("%s", async (_, read, beginning, again) => {
    const source = endless(beginning, again);
    const { rows, message } = await failureOf(read, source.chunks());
    expect(rows).toMatchObject([{ line: 1 }]);
    expect(message).toMatch(/has a record of more than 16 MB (near|in) line \d+$/);
    expect(source.bytes).toBeLessThan(24 * mebibyte);
  });

  test("but what is beside the records in JSON is passed over, up to 256 MB of it", async () => {
    const beside = (async function* () {
      yield Buffer.from('{"grants": [{"id": 1}],\n"other": [0');
      for (let piece = 0; piece < 240; piece++) yield Buffer.from(',[0,{"a":1}]'.repeat(10_000));
      yield Buffer.from("]}");
    })();
    expect(await all(json(beside))).toMatchObject([{ line: 1 }]);
  });

  test("but for a line of ndjson or CSV, which costs itself alone and is not kept", async () => {
    const long = (beginning: string) =>
      (async function* () {
        yield Buffer.from(beginning);
        for (let piece = 0; piece < 40; piece++) yield Buffer.alloc(mebibyte, "x");
      })();
    const ndjson = await all(ndjsonRows(withEnd(long('{"id": 1}\n{"id": "'), '"}\n{"id": 2}\n')));
    expect(ndjson).toMatchObject([{ line: 1 }, { line: 2, reason: "the line is longer than 16 MB" }, { line: 3 }]);
    const csv = await all(csvRows(withEnd(long("id,title\n1,One\n2,"), "\n3,Three\n")));
    expect(csv).toMatchObject([{ line: 2 }, { line: 3, reason: "the line is longer than 16 MB" }, { line: 4 }]);
    for (const row of [...ndjson, ...csv]) expect(isBroken(row) ? row.text.length : 0).toBeLessThanOrEqual(1_000);
  });

  test("records of 15 MB are read", async () => {
    const title = "x".repeat(15_000_000);
    const size = 256 * 1024;
    for (const [read, content] of [
      [json, JSON.stringify({ grants: [{ id: title }, { id: title }] })],
      [xmlRows("G"), `<R><G><id>${title}</id></G><G><id>${title}</id></G></R>`],
      [ndjsonRows, `{"id":"${title}"}\n{"id":"${title}"}\n`],
      [csvRows, `id\n${title}\n${title}\n`],
    ] as const) {
      expect(await rowsOf(read, content, size)).toMatchObject([{ values: { id: title } }, { values: { id: title } }]);
    }
  });
});

async function* withEnd(chunks: AsyncIterable<Uint8Array>, end: string): AsyncGenerator<Uint8Array> {
  yield* chunks;
  yield Buffer.from(end);
}

describe("data that nests more than 100 levels deep", () => {
  const deep = (levels: number, kind: "list" | "object" = "list") =>
    kind === "list" ? "[".repeat(levels) + "]".repeat(levels) : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

  test.each(["list", "object"] as const)("costs an ndjson row itself alone: %s", async (kind) => {
    const rows = await rowsOf(
      "ndjson",
      `{"id": 1, "a": ${deep(100_000, kind)}}\n{"id": 2, "a": ${deep(90, kind)}}\n`,
      65_536,
    );
    expect(rows).toMatchObject([{ line: 1, reason: "nests more than 100 levels deep" }, { values: { id: 2 } }]);
  });

  test("ends a JSON file, which is not read on", async () => {
    const source = endless('{"grants": [{"id": 1},\n{"id": ', "[".repeat(65_536));
    const { rows, message } = await failureOf(jsonRows("$.grants.*"), source.chunks());
    expect(rows).toMatchObject([{ values: { id: 1 } }]);
    expect(message).toBe("is not JSON that can be read near line 2: it nests more than 100 levels deep");
    // Text comes in pieces of 4 MB where it has no line breaks.
    expect(source.bytes).toBeLessThan(5 * mebibyte);
    expect(await rowsOf(jsonRows("$.grants.*"), `{"grants": [{"id": ${deep(90)}}]}`)).toHaveLength(1);
  });

  test("costs an XML row itself alone", async () => {
    const nested = (levels: number) => `<G><id>1</id>${"<a>".repeat(levels)}${"</a>".repeat(levels)}</G>`;
    const rows = await rowsOf(xmlRows("G"), `<R>${nested(100_000)}\n${nested(90)}</R>`, 65_536);
    expect(rows.filter(isBroken)).toMatchObject([{ line: 1, reason: "not XML: it nests more than 100 levels deep" }]);
    for (const row of rows) expect(() => JSON.stringify(row)).not.toThrow();
  });

  test("is text where a list was expected", () => {
    expect(parseList([deep(100_000)])).toHaveLength(1);
    expect(parseList(['[["a"], "b"]'])).toEqual(["a", "b"]);
  });

  test("is read as HTML in time that grows with the text", () => {
    // The parser looks for each closing tag among all that are open: this took minutes.
    const tags = "<b>".repeat(300_000) + "</i>".repeat(300_000);
    expect(htmlToText(`<p>One</p>${tags}<p>Two</p>`)).toMatch(/^One\s+Two$/);
    const unclosed = "<p>one<p>two".repeat(1_000);
    expect(htmlToText(unclosed).split("\n\n")).toHaveLength(2_000);
    expect(htmlToText(`${"<div><b>".repeat(5_000)}deep`)).toBe("deep");
  });

  test("reaches neither the database nor the reject file as an overflow", async () => {
    const row = (id: number, value: string) => `{"id": ${id}, "title": "T", "funder": "F", "extra": ${value}}\n`;
    const result = await importText(undefined, "ndjson", row(1, deep(100_000)) + row(2, deep(50)));
    expect(result).toMatchObject({ read: 2, accepted: 1, rejected: 1 });
  });
});

test("a CSV file of more than 5,000 columns is refused: each row would have them all", async () => {
  const wide = (columns: number) => `${Array.from({ length: columns }, (_, index) => `c${index}`).join(",")}\n1\n2\n`;
  await expect(rowsOf("csv", wide(5_001), 65_536)).rejects.toThrow("has 5,001 columns, more than 5,000");
  expect(await rowsOf("csv", wide(5_000), 65_536)).toHaveLength(2);
});

describe("rows that are kept until others come", () => {
  test("are few where they are long: the sample that a mapping is made of", async () => {
    let given = 0;
    const items = (async function* () {
      for (; given < 100; given++) yield "x".repeat(1_000_000);
    })();
    const { sample, rows } = await peek(items, 100, { size: 4_000_000, sizeOf: (item) => item.length });
    expect([sample.length, given]).toEqual([4, 3]);
    expect(await all(rows)).toHaveLength(100);
  });

  test("are few where they are long: lines of CSV", async () => {
    const source = endless("id,title\n", `1,${"x".repeat(mebibyte)}\n`);
    for await (const _ of readFiles([{ chunks: source.chunks() }], csvRows)) break;
    expect(source.bytes).toBeLessThan(12 * mebibyte);
  });

  test("are written at once where what they hold in lists is long", async () => {
    const long = JSON.stringify(Array(300).fill("x".repeat(5_000)));
    const rows = Array.from(
      { length: 40 },
      (_, id) => `{"id": ${id}, "title": "T", "funder": "F", "extra": ${long}}\n`,
    );
    const reports: number[] = [];
    await importText(undefined, "ndjson", rows.join(""), { report: ({ read }) => reports.push(read) });
    expect(reports.length).toBeGreaterThan(5);
  });
});
