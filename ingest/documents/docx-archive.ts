import { InputError } from "../errors.ts";
import { ByteReader } from "../read/byte-reader.ts";
import { readZipMembers } from "../read/zip.ts";
import { UnreadableError } from "./document-text.ts";
import { type StoredFile, writeStoredZip } from "./stored-zip.ts";

/** Most bytes of one part of a DOCX, and of all that are read, unpacked. The text of 500 pages has some 5 MB. */
const maxPartBytes = 32 * 1024 * 1024;
const maxBytes = 48 * 1024 * 1024;
/** Deepest nesting of elements: tables in tables in text boxes have some 40 levels. mammoth uses a stack frame for each. */
const maxLevels = 250;

/**
 * Unpacks the parts of a DOCX that have its text, and packs them anew without compression, so that what mammoth reads has known sizes.
 * Pictures and embedded files are left out.
 *
 * @throws {UnreadableError} when the archive is damaged, encrypted, or too large unpacked.
 */
export async function unpackDocx(bytes: Uint8Array): Promise<Buffer> {
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
        if (size > maxPartBytes || total > maxBytes) throw tooLarge();
        if (isNeeded) pieces.push(chunk);
      }
      if (!isNeeded) continue;
      const content = Buffer.concat(pieces);
      if (isNestedTooDeep(content)) throw damaged();
      files.push({ name, content });
    }
  } catch (error) {
    if (error instanceof InputError) throw explain(error);
    throw error;
  }
  return writeStoredZip(files);
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
function isNestedTooDeep(xml: Buffer): boolean {
  let depth = 0;
  for (let at = xml.indexOf("<"); at !== -1; at = xml.indexOf("<", at + 1)) {
    const next = xml[at + 1];
    if (next === 0x2f) depth--;
    else if (next !== 0x3f && next !== 0x21) {
      const end = xml.indexOf(">", at);
      if (end === -1) return false;
      if (xml[end - 1] !== 0x2f) depth++;
    }
    if (depth > maxLevels) return true;
  }
  return false;
}

function explain(error: InputError): UnreadableError {
  if (error.message.includes("encrypted"))
    return new UnreadableError("needs_password", "The Word document needs a password.");
  return error.message.includes("unpacks to more") ? tooLarge() : damaged();
}

function tooLarge(): UnreadableError {
  return new UnreadableError("too_large", "The Word document unpacks to more than a document may have (48 MB).");
}

function damaged(): UnreadableError {
  return new UnreadableError("damaged", "The Word document is damaged: its text cannot be read.");
}
