import { InputError } from "../errors.ts";
import { ByteReader } from "../read/byte-reader.ts";
import { readZipMembers } from "../read/zip.ts";
import { UnreadableError } from "./document-text.ts";
import type { StoredFile } from "./stored-zip.ts";

/** Most bytes of one part of a DOCX or XLSX, and of all parts, unpacked. The text of 500 pages has some 5 MB, a row of ten cells some 400 bytes. */
const maxPartBytes = 32 * 1024 * 1024;
const maxBytes = 48 * 1024 * 1024;
/** Deepest nesting of elements: tables in tables in text boxes have some 40 levels. mammoth uses a stack frame for each, and saxes memory. */
const maxLevels = 250;

/** What customers call a file of Office: the subject of its errors. */
export type OfficeKind = "Word document" | "Excel workbook";

/**
 * Unpacks the parts of a DOCX or XLSX that have its text, in the archive's order: at most 48 MB of XML. Pictures, charts, macros and embedded
 * files are left out.
 *
 * @throws {UnreadableError} when the archive is damaged, encrypted, or too large unpacked.
 */
export async function unpackOffice(bytes: Uint8Array, kind: OfficeKind): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  let total = 0;
  try {
    for await (const { name, chunks } of readZipMembers(new ByteReader(one(bytes)))) {
      const isNeeded = isTextPart(name);
      const pieces: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.length;
        total += chunk.length;
        if (size > maxPartBytes || total > maxBytes) throw tooLarge(kind);
        if (isNeeded) pieces.push(chunk);
      }
      if (!isNeeded) continue;
      const content = Buffer.concat(pieces);
      if (isNestedTooDeep(content)) throw damagedOffice(kind);
      files.push({ name, content });
    }
  } catch (error) {
    if (error instanceof InputError) throw explain(error, kind);
    throw error;
  }
  return files;
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  // In pieces, so that a bomb is noticed before much of it is unpacked.
  for (let start = 0; start < bytes.length; start += 64 * 1024) yield bytes.subarray(start, start + 64 * 1024);
}

function isTextPart(name: string): boolean {
  return (
    /\.(?:xml|rels)$/i.test(name) && !/(?:^|\/)(?:theme|customXml|docProps|embeddings|charts|diagrams)\//.test(name)
  );
}

/** Whether elements are nested deeper than in any real document. Counts tags, without reading them. */
function isNestedTooDeep(xml: Uint8Array): boolean {
  let depth = 0;
  let isOpening = false;
  // Byte by byte: in Deno, Buffer.indexOf for each tag takes a hundred times as long.
  for (let at = 0; at < xml.length; at++) {
    const byte = xml[at];
    if (byte === 0x3c) {
      const next = xml[at + 1];
      isOpening = next !== 0x2f && next !== 0x3f && next !== 0x21;
      if (next === 0x2f) depth--;
    } else if (byte === 0x3e && isOpening) {
      isOpening = false;
      if (xml[at - 1] !== 0x2f) depth++;
      if (depth > maxLevels) return true;
    }
  }
  return false;
}

function explain(error: InputError, kind: OfficeKind): UnreadableError {
  if (error.message.includes("encrypted"))
    return new UnreadableError("needs_password", `The ${kind} needs a password.`);
  return error.message.includes("unpacks to more") ? tooLarge(kind) : damagedOffice(kind);
}

function tooLarge(kind: OfficeKind): UnreadableError {
  return new UnreadableError("too_large", `The ${kind} unpacks to more than a document may have (48 MB).`);
}

/** The error of a file whose archive or XML is broken. */
export function damagedOffice(kind: OfficeKind): UnreadableError {
  return new UnreadableError("damaged", `The ${kind} is damaged: its text cannot be read.`);
}
