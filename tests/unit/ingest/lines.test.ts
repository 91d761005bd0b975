import { describe, expect, test } from "vitest";
import { readLines } from "../../../ingest/read/lines.ts";
import { all, chunksOf } from "./helpers.ts";

const linesOf = async (content: string | Uint8Array, size?: number) =>
  (await all(readLines(chunksOf(content, size)))).map(({ text }) => text);

describe("lines", () => {
  test("a line is the same wherever the chunks of the stream end", async () => {
    for (const size of [1, 2, 3, 100]) {
      expect(await linesOf("one\r\ntwö\n\nfour", size)).toEqual(["one", "twö", "", "four"]);
    }
  });

  test("every carriage return before a line feed belongs to the line break", async () => {
    for (const size of [1, 2, 3, 100]) {
      expect(await linesOf("one\r\r\nt\rwo\r\r\r\n\r\r\nfour\r\r", size)).toEqual(["one", "t\rwo", "", "four"]);
    }
  });

  test("a byte-order mark is not part of the first line", async () => {
    expect(await linesOf("\ufefftitle,name\n")).toEqual(["title,name"]);
  });

  test("bytes that are not UTF-8 are read as Windows-1252, for that line only", async () => {
    const bytes = new Uint8Array([...Buffer.from("Niño in UTF-8\n"), 0x93, 0x4e, 0x69, 0xf1, 0x6f, 0x94]);
    expect(await linesOf(bytes)).toEqual(["Niño in UTF-8", "“Niño”"]);
  });

  test("a line beyond the limit is cut and marked, and the next one is whole", async () => {
    const lines = await all(readLines(chunksOf(`${"x".repeat(5_000)}\nshort\n`, 64), 4_000));
    expect(lines.map(({ number, isTruncated, text }) => [number, isTruncated, text.length])).toEqual([
      [1, true, 1_000],
      [2, false, 5],
    ]);
  });
});
