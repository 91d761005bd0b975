import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import "../../../support/transfer-buffers.ts";
import { describe, expect, test } from "vitest";
import { readingCommand } from "../../../../ingest/documents/process/command.ts";
import { readDocumentSafely } from "../../../../ingest/documents/process/read-safely.ts";
import { readContent } from "../../../../ingest/documents/read-content.ts";
import { readDocument } from "../../../../ingest/documents/read-document.ts";
import { writeStoredZip } from "../../../../ingest/documents/stored-zip.ts";
import { writeDocx } from "../../../support/docx-writer.ts";
import { endlessPdf } from "../../../support/endless-pdf.ts";
import { column, writeObjects, writePdf } from "../../../support/pdf-writer.ts";
import { textRow, writeXlsx } from "../../../support/xlsx-writer.ts";
import { pipedZip } from "../archives.ts";

const fixture = (name: string) =>
  readFile(fileURLToPath(new URL(`../../../fixtures/documents/${name}`, import.meta.url)));
const pdf = () => writePdf([column(["The text of the page."], 72, 700)]);
const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources 5 0 R >>";
const catalogue = "<< /Type /Catalog /Pages 2 0 R >>";

/** Stream of a PDF. */
const stream = (bytes: Uint8Array | string, entries = "") => {
  const content = Buffer.from(bytes).toString("latin1");
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
};

const paragraph = "<w:p><w:r><w:t>Text of the document.</w:t></w:r></w:p>";

const sheet = { name: "Budget", rows: textRow("Form", "When") };
const damagedWorkbook = "The Excel workbook is damaged: its text cannot be read.";
const growingEntities = `<!DOCTYPE sst [<!ENTITY e0 "laugh">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
).join("")}]><sst><si><t>&e9;</t></si></sst>`;

/** An archive whose first file says that it is encrypted. */
function encrypted(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  copy.writeUInt16LE(copy.readUInt16LE(6) | 1, 6);
  return copy;
}

describe("a document that cannot be read says why", () => {
  test.each<[name: string, bytes: Uint8Array, reason: string, message: string]>([
    ["nothing", Buffer.alloc(0), "empty", "The file is empty."],
    ["more than 25 MB", Buffer.alloc(25 * 1024 * 1024 + 1, "a"), "too_large", "The file has more than 25 MB."],
    [
      "random bytes",
      Buffer.from(Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 251)),
      "unknown_type",
      "The file is no PDF, DOCX, XLSX, HTML or plain text.",
    ],
    ["NUL bytes", Buffer.alloc(10_000), "unknown_type", "The file is no PDF, DOCX, XLSX, HTML or plain text."],
    ["white space", Buffer.from(" \n \n"), "no_text", "The file has no text."],
    ["a picture", Buffer.from("\x89PNG\r\n", "latin1"), "unsupported_type", "The file is a picture without text."],
    [
      "a binary workbook",
      writeStoredZip([{ name: "xl/workbook.bin", content: Buffer.from("x") }]),
      "unsupported_type",
      "The file is a binary Excel workbook. Save it as XLSX.",
    ],
    [
      "an OpenDocument text",
      writeStoredZip([
        { name: "mimetype", content: Buffer.from("application/vnd.oasis.opendocument.text") },
        { name: "content.xml", content: Buffer.from("<p>Text</p>") },
      ]),
      "unsupported_type",
      "The file is an OpenDocument file (ODT, ODS, ODP). Save it as DOCX, XLSX or PDF.",
    ],
    [
      "another archive",
      writeStoredZip([{ name: "a.txt", content: Buffer.from("a") }]),
      "unsupported_type",
      "The file is an archive within an archive. Unpack it, and read the documents in it.",
    ],
    [
      "Word's older format",
      Buffer.from("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "latin1"),
      "unsupported_type",
      "The file is in an older format of Microsoft Office, or has a password. Save it as DOCX, XLSX or PDF without a password.",
    ],
    [
      "RTF",
      Buffer.from("{\\rtf1 Text}"),
      "unsupported_type",
      "The file is in Rich Text Format. Save it as DOCX or PDF.",
    ],
    ["the first line of a PDF", Buffer.from("%PDF-1.7\n"), "damaged", "The PDF is damaged: its pages cannot be read."],
    [
      "a PDF with a password",
      writePdf([column(["Secret"], 72, 700)], {
        trailer: `/ID [<00><00>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${"11".repeat(32)}> /U <${"22".repeat(32)}> >>`,
      }),
      "needs_password",
      "The PDF needs a password.",
    ],
    [
      "a PDF whose pages are their own parent",
      writeObjects([catalogue, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"]),
      "damaged",
      "The PDF is damaged: its pages cannot be read.",
    ],
    [
      "a PDF of 10,001 pages",
      writeObjects([
        catalogue,
        `<< /Type /Pages /Kids [${"3 0 R ".repeat(10_001)}] /Count 10001 >>`,
        page,
        stream("BT ET"),
        "<< >>",
      ]),
      "too_many_pages",
      "The PDF has more than 10,000 pages.",
    ],
    [
      "a PDF that says to have 2,000,000,000 pages, and has one",
      writeObjects([catalogue, "<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>", page, stream("BT ET"), "<< >>"]),
      "no_text",
      "The PDF has no text. Its only page is scanned, or blank.",
    ],
    [
      "a dynamic form",
      writePdf([
        column(["Please wait... If this message is not eventually replaced with the proper contents"], 72, 700),
      ]),
      "unsupported_type",
      "The PDF is a form that only Adobe Acrobat shows.",
    ],
    [
      "a portfolio",
      writePdf([column(["For the best experience, open this PDF portfolio in Acrobat X or Adobe Reader X."], 72, 700)]),
      "unsupported_type",
      "The PDF is a portfolio of other files. Take them out with Adobe Acrobat, and read them.",
    ],
    [
      "half of a DOCX",
      writeDocx(paragraph).subarray(0, 500),
      "damaged",
      "The Word document is damaged: its text cannot be read.",
    ],
    [
      "a DOCX without its text",
      pipedZip([{ name: "word/document.xml", content: "no XML" }]),
      "damaged",
      "The Word document is damaged: its text cannot be read.",
    ],
    [
      "a DOCX of 10,000 nested tables",
      writeDocx(`${"<w:tbl><w:tr><w:tc>".repeat(10_000)}${paragraph}${"</w:tc></w:tr></w:tbl>".repeat(10_000)}`),
      "damaged",
      "The Word document is damaged: its text cannot be read.",
    ],
    [
      "a DOCX that unpacks to 100 MB",
      writeDocx(paragraph, [{ name: "word/media/image1.png", content: Buffer.alloc(100 * 1024 * 1024) }]),
      "too_large",
      "The Word document unpacks to more than a document may have (48 MB).",
    ],
    ["a DOCX without text", writeDocx(""), "no_text", "The file has no text."],
    ["half of an XLSX", writeXlsx([sheet]).subarray(0, 500), "damaged", damagedWorkbook],
    [
      "an XLSX without its workbook",
      pipedZip([{ name: "xl/workbook.xml", content: "no XML" }]),
      "damaged",
      damagedWorkbook,
    ],
    [
      "an XLSX of 10,000 nested runs",
      writeXlsx([{ ...sheet, rows: `<row><c>${"<is>".repeat(10_000)}${"</is>".repeat(10_000)}</c></row>` }]),
      "damaged",
      damagedWorkbook,
    ],
    [
      "an XLSX of entities that grow to 3 GB",
      writeXlsx([sheet], { others: [{ name: "xl/sharedStrings.xml", content: growingEntities }] }),
      "damaged",
      damagedWorkbook,
    ],
    [
      "an XLSX that unpacks to 100 MB",
      writeXlsx([sheet], { others: [{ name: "xl/media/image1.png", content: Buffer.alloc(100 * 1024 * 1024) }] }),
      "too_large",
      "The Excel workbook unpacks to more than a document may have (48 MB).",
    ],
    [
      "an XLSX whose archive has a password",
      encrypted(writeXlsx([sheet])),
      "needs_password",
      "The Excel workbook needs a password.",
    ],
    [
      "an XLSX of 1,048,576 rows without text",
      writeXlsx([{ ...sheet, rows: "<row/>".repeat(1_048_576) }]),
      "no_text",
      "The file has no text.",
    ],
  ])("%s", async (_, bytes, reason, message) => {
    expect(await readDocument(bytes)).toEqual({ kind: "unreadable", reason, message });
  });
});

describe("a document is read by its content", () => {
  test("also behind other bytes, without a table of objects, and with a script", async () => {
    const text = [{ text: "The text of the page." }];
    expect(await readDocument(Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), pdf()]))).toMatchObject({
      blocks: text,
    });
    const lost = Buffer.from(
      Buffer.from(pdf())
        .toString("latin1")
        .replace(/startxref\n\d+/, "startxref\n7"),
      "latin1",
    );
    expect(await readDocument(lost)).toMatchObject({ blocks: text });
    const script = "/OpenAction << /S /JavaScript /JS (globalThis.wasRun = true) >>";
    expect(
      await readDocument(writePdf([column(["The text of the page."], 72, 700)], { catalogue: script })),
    ).toMatchObject({ blocks: text });
    expect("wasRun" in globalThis).toBe(false);
  });

  test("with 150,000 lines on a page, and with one line of 150,000 words", async () => {
    const lines = Array.from({ length: 150_000 }, (_, index) => ({ text: "word", x: 72, y: 700 - index * 12 }));
    expect(await readDocument(writePdf([lines]))).toMatchObject({ kind: "text", pages: 1 });
    expect(await readDocument(Buffer.from("word ".repeat(150_000)))).toMatchObject({ kind: "text" });
  });

  test("of HTML that is named a PDF, and of a DOCX", async () => {
    expect(await readDocument(Buffer.from("<html><body><p>Error 404"))).toMatchObject({ mediaType: "text/html" });
    expect(await readDocument(writeDocx(paragraph))).toMatchObject({ blocks: [{ text: "Text of the document." }] });
  });

  test("of a workbook as far as a document may go: its last cell alone, one text in 100,000 cells, and one sheet named 100,000 times", async () => {
    const last = '<row r="1048576"><c r="XFD1048576"><v>5</v></c></row>';
    expect(await readDocument(writeXlsx([{ ...sheet, rows: last }]))).toMatchObject({
      isCut: false,
      blocks: [{ text: "Budget" }, { text: "5" }],
    });
    const strings = `<si><t>${"word ".repeat(6_000)}</t></si>`;
    const shared = '<c t="s"><v>0</v></c>';
    for (const rows of [`<row>${shared}</row>`.repeat(100_000), `<row>${shared.repeat(100_000)}</row>`]) {
      expect(await readDocument(writeXlsx([sheet, { name: "Next", rows }], { strings }))).toMatchObject({
        isCut: true,
      });
    }
    const list = `<workbook><sheets>${'<sheet name="Again" r:id="r1"/>'.repeat(100_000)}</sheets></workbook>`;
    const again = await readDocument(writeXlsx([sheet], { others: [{ name: "xl/workbook.xml", content: list }] }));
    expect(again).toMatchObject({ isCut: false, blocks: [{ text: "Again" }, { text: "Form | When" }] });
  });

  test("cut anywhere, and with bytes changed anywhere: as text or with a reason", async () => {
    for (const bytes of [pdf(), writeDocx(paragraph), writeXlsx([sheet]), await fixture("hhs-notice-details.docx")]) {
      for (let cut = 1; cut < 8; cut++) {
        const broken = Buffer.from(bytes);
        broken.fill(cut * 31, Math.floor((bytes.length * cut) / 9), Math.floor((bytes.length * cut) / 9) + 20);
        for (const file of [bytes.subarray(0, (bytes.length * cut) / 8), broken])
          expect((await readDocument(file)).kind).toMatch(/^(?:text|unreadable)$/);
      }
    }
  });
});

describe("a process of its own", () => {
  test("reads each kind of document as this one does", async () => {
    for (const name of ["samhsa-notice.pdf", "hhs-notice.html", "hhs-notice-lists.docx"]) {
      const bytes = await fixture(name);
      expect(await readDocumentSafely(bytes)).toEqual(await readContent(bytes));
    }
    const workbook = writeXlsx([sheet]);
    expect(await readDocumentSafely(workbook)).toEqual(await readContent(workbook));
  });

  test("is killed when it takes too long", async () => {
    expect(await readDocumentSafely(endlessPdf(), { timeMs: 1_000 })).toEqual({
      kind: "unreadable",
      reason: "out_of_time",
      message: "Reading the file took more than 1 s.",
    });
  });

  // Regression: one that was in an endless loop, and whose parent had been killed, ran for good.
  test("is ended by the system after so much processor time, where nobody else does", async () => {
    const command = readingCommand(512 * 1024 * 1024, false);
    if (command === undefined) throw new Error("Deno is not installed");
    const shell = command.args.slice(0, 2);
    const { stdout } = await promisify(execFile)(command.program, [...shell, "/bin/sh", "-c", "ulimit -t"]);
    expect(stdout).toBe("60\n");
  });

  test.each([
    ["colons", ":".repeat(3_000_000)],
    ["unfinished sentences", "J. ".repeat(1_000_000)],
    ["dates of letters of intent", "letter of intent due by ".repeat(100_000)],
    ["labels", "Expected awards:\n".repeat(100_000)],
  ])("finds an end with a text of many %s", async (_, text) => {
    const read = await readDocumentSafely(Buffer.from(`${text}x`), { timeMs: 4_000 });
    expect(read.kind === "text" || read.reason === "out_of_time").toBe(true);
  });

  test("is killed when it takes too much memory", async () => {
    const bomb = deflateSync(Buffer.alloc(300 * 1024 * 1024, "q "));
    const bytes = writeObjects([
      catalogue,
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      page,
      stream(bomb, "/Filter /FlateDecode"),
      "<< >>",
    ]);
    expect(await readDocumentSafely(bytes, { memoryBytes: 256 * 1024 * 1024 })).toEqual({
      kind: "unreadable",
      reason: "out_of_memory",
      message: "Reading the file needs more than 256 MB of memory.",
    });
  });

  test("may neither write, run, ask the network, nor see the environment", async () => {
    const folder = mkdtempSync(join(tmpdir(), "documents-"));
    try {
      const program = join(folder, "try.ts");
      const target = JSON.stringify(join(folder, "written"));
      writeFileSync(
        program,
        `const attempts = {
           write: () => Deno.writeTextFileSync(${target}, "x"), read: () => Deno.readTextFileSync("/etc/hostname"),
           run: () => new Deno.Command("ls").outputSync(), net: () => Deno.listen({ port: 0 }), eval: () => new Function("return 1"),
           env: () => { if (Deno.env.get("HOME") === undefined) throw new Error("hidden"); } };
         console.log(Object.entries(attempts).filter(([, attempt]) => { try { attempt(); return true; } catch { return false; } }).map(([name]) => name).join());`,
      );
      const command = readingCommand(512 * 1024 * 1024, false);
      if (command === undefined) throw new Error("Deno is not installed");
      const args = [...command.args.slice(0, -1), program];
      expect((await promisify(execFile)(command.program, args, { env: command.env })).stdout).toBe("\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
