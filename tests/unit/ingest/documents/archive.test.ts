import { describe, expect, test } from "vitest";
import { maxArchivedDocuments, unpackArchive } from "../../../../ingest/documents/archive.ts";
import { detectMediaType, docx, xlsx } from "../../../../ingest/documents/media-type.ts";
import { writeStoredZip } from "../../../../ingest/documents/stored-zip.ts";
import { pipedZip } from "../archives.ts";

const file = (name: string, content = "text") => ({ name, content: Buffer.from(content) });
const unpack = async (bytes: Uint8Array) =>
  (await unpackArchive("all.zip", bytes)).map(({ name, content }) => [
    name,
    content instanceof Uint8Array ? Buffer.from(content).toString().slice(0, 20) : content.message,
  ]);

describe("an archive", () => {
  test("has its documents by their names, without folders and what systems hide", async () => {
    const files = ["a.txt", "forms/", "forms/b.txt", "__MACOSX/._a.txt", ".DS_Store", "forms/.hidden", "Thumbs.db"];
    expect(await unpack(writeStoredZip(files.map((name) => file(name, name))))).toEqual([
      ["a.txt", "a.txt"],
      ["forms/b.txt", "forms/b.txt"],
    ]);
  });

  // Regression: it was taken for a damaged document of that type.
  test("that stores documents which are archives themselves has them as they are", async () => {
    const documents = [file("word/document.xml"), file("xl/workbook.xml")].map((part) => writeStoredZip([part]));
    const archive = writeStoredZip(documents.map((content, index) => ({ name: `${index}`, content })));
    expect([...documents, archive].map(detectMediaType)).toEqual([docx, xlsx, "zip"]);
    expect(await unpackArchive("all.zip", archive)).toEqual(
      documents.map((content, index) => ({ name: `${index}`, content })),
    );
  });

  test("has at most so many documents", async () => {
    const files = Array.from({ length: maxArchivedDocuments + 1 }, (_, index) => file(`${index}.txt`));
    const found = await unpack(writeStoredZip(files));
    expect(found).toHaveLength(maxArchivedDocuments + 1);
    expect(found.at(-1)).toEqual(["all.zip", "The archive has more than 200 documents."]);
  });

  test("that breaks off has the documents before that, and says so", async () => {
    const whole = writeStoredZip([file("a.txt"), file("b.txt", "b".repeat(1000))]);
    expect(await unpack(whole.subarray(0, 500))).toEqual([
      ["a.txt", "text"],
      ["all.zip", "The archive is damaged: its files cannot be read."],
    ]);
  });

  test("of one document that is too large says it of that document", async () => {
    const found = await unpack(writeStoredZip([file("large.txt", "x".repeat(26 * 1024 * 1024)), file("a.txt")]));
    expect(found).toEqual([
      ["large.txt", "The file has more than 25 MB."],
      ["a.txt", "text"],
    ]);
  });

  test("that unpacks to too much ends there", async () => {
    const found = await unpack(pipedZip([{ name: "bomb.txt", content: Buffer.alloc(200 * 1024 * 1024) }]));
    expect(found).toEqual([["all.zip", "The archive unpacks to more than 100 MB."]]);
  });
});
