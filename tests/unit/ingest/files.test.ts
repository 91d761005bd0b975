import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { csvRows } from "../../../ingest/read/csv.ts";
import { readFiles } from "../../../ingest/read/files.ts";
import type { Row } from "../../../ingest/read/row.ts";
import { pipedZip } from "./archives.ts";
import { chunksOf, rowsOf } from "./helpers.ts";

const file = (name: string, count: number) => ({
  name,
  content: `n\n${Array.from({ length: count }, (_, index) => `${name} ${index}\n`).join("")}`,
});

/** The rows until the failure, and the failure. */
async function readUntilFailure(bytes: Uint8Array): Promise<{ rows: Row[]; failure: string }> {
  const rows: Row[] = [];
  try {
    for await (const row of readFiles([{ chunks: chunksOf(bytes, 100) }], csvRows)) rows.push(row);
  } catch (error) {
    return { rows, failure: (error as Error).message };
  }
  return { rows, failure: "" };
}

describe("an archive", () => {
  test.each([1, 7, 1_000, 1_000_000])("whose sizes follow its files is read in chunks of %d bytes", async (size) => {
    const archive = pipedZip([file("a.csv", 300), file("b.csv", 200)]);
    const rows = await rowsOf("csv", archive, size);
    expect(rows).toHaveLength(500);
    expect(rows[299]).toEqual({ line: 301, file: "a.csv", values: { n: "a.csv 299" } });
    expect(rows[300]).toEqual({ line: 2, file: "b.csv", values: { n: "b.csv 0" } });
  });

  test("may leave the signature before the sizes out", async () => {
    expect(await rowsOf("csv", pipedZip([file("a.csv", 3)], { hasSignature: false }))).toHaveLength(3);
  });

  test("may hold folders, notes and what macOS adds, which are passed over", async () => {
    const others = ["notes.txt", "data/", "__MACOSX/a.csv", "data/.a.csv"].map((name) => ({ name, content: "" }));
    const rows = await rowsOf("csv", pipedZip([...others, file("data/a.csv", 3)]));
    expect(rows.map((row) => row.file)).toEqual(Array(3).fill("data/a.csv"));
    await expect(rowsOf("csv", pipedZip(others))).rejects.toThrow("has no XML, CSV or JSON in its archive");
  });

  test("that is cut short gives the rows that are there, and says so", async () => {
    const archive = pipedZip([file("a.csv", 3_000)]);
    const { rows, failure } = await readUntilFailure(archive.subarray(0, archive.length / 2));
    expect(failure).toBe("is cut short: its packed data has no end");
    expect(rows.length).toBeGreaterThan(500);
    expect(rows.at(-1)).toEqual({ line: rows.length + 1, file: "a.csv", values: { n: `a.csv ${rows.length - 1}` } });
  });

  test("that is cut short in the middle of a row does not give half of it", async () => {
    const content = "id,title\n1,One\n2,Tw";
    const stream = async function* () {
      yield Buffer.from(content);
      throw new Error("gone");
    };
    const rows: Row[] = [];
    const reading = (async () => {
      for await (const row of readFiles([{ chunks: stream() }], csvRows)) rows.push(row);
    })();
    await expect(reading).rejects.toThrow("gone");
    expect(rows).toEqual([{ line: 2, values: { id: "1", title: "One" } }]);
  });

  test.each([
    [46, "is cut short: the archive has no table of contents"],
    [46 + 6, "is cut short in the middle of its archive"],
  ])("that lacks its last %d bytes says so", async (count, message) => {
    const archive = pipedZip([file("a.csv", 3)]);
    expect(await readUntilFailure(archive.subarray(0, archive.length - count))).toMatchObject({
      rows: { length: 3 },
      failure: message,
    });
  });

  test("whose checksum is wrong says so", async () => {
    const archive = pipedZip([file("a.csv", 3)]);
    const crc = archive.indexOf("PK\x07\x08") + 4;
    archive.writeUInt32LE(1, crc);
    expect((await readUntilFailure(archive)).failure).toBe("is damaged: the checksum or size of a.csv is wrong");
  });

  test("that is encrypted, or packed in a way that is not known, is refused", async () => {
    const encrypted = pipedZip([file("a.csv", 3)]);
    encrypted.writeUInt16LE(0x0809, 6);
    await expect(rowsOf("csv", encrypted)).rejects.toThrow("is an encrypted archive");
    const other = pipedZip([file("a.csv", 3)]);
    other.writeUInt16LE(14, 8);
    await expect(rowsOf("csv", other)).rejects.toThrow("packs a.csv with an unknown method");
  });

  test("within an archive is refused", async () => {
    const inner = { name: "a.csv", content: pipedZip([file("a.csv", 3)]) };
    await expect(rowsOf("csv", pipedZip([inner]))).rejects.toThrow("is an archive within one");
  });
});

describe("a gzip file", () => {
  test("is unpacked", async () => {
    expect(await rowsOf("csv", gzipSync(file("a", 500).content), 10)).toHaveLength(500);
  });

  test("that is cut short gives the rows that are there, and says so", async () => {
    const packed = gzipSync(file("a", 3_000).content);
    const { rows, failure } = await readUntilFailure(packed.subarray(0, packed.length / 2));
    expect(failure).toBe("is cut short: its packed data has no end");
    expect(rows.length).toBeGreaterThan(500);
  });
});
