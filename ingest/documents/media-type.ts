/** Media types of documents that are read. */
export type MediaType = "application/pdf" | typeof docx | typeof xlsx | "text/html" | "text/plain";

export const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
export const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Media types that are recognised, to say that they are not read. */
export type OtherType =
  | "zip"
  | "binary-workbook"
  | "presentation"
  | "open-document"
  | "old-word"
  | "rtf"
  | "image"
  | "binary"
  | "empty";

/**
 * Recognises a document by its content. Names and declared types are often wrong: an error page is sent as a PDF, a PDF as
 * `application/octet-stream`.
 */
export function detectMediaType(bytes: Uint8Array): MediaType | OtherType {
  if (bytes.length === 0) return "empty";
  const head = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  // Readers accept up to 1,024 bytes before the header.
  if (/%PDF-\d/.test(head)) return "application/pdf";
  // OpenDocument's first member is its type, without compression.
  if (head.startsWith("PK\x03\x04") && head.startsWith("mimetypeapplication/vnd.oasis.opendocument", 30))
    return "open-document";
  if (head.startsWith("PK\x03\x04")) return archiveType(bytes);
  if (head.startsWith("\xd0\xcf\x11\xe0")) return "old-word";
  if (head.startsWith("{\\rtf")) return "rtf";
  if (/^(?:\x89PNG|\xff\xd8\xff|GIF8|BM|II\*\0|MM\0\*|RIFF)/.test(head)) return "image";
  return textType(bytes);
}

/** Names of members are in the archive's directory as they are. */
function archiveType(bytes: Uint8Array): MediaType | OtherType {
  const names = directoryOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (names.includes("word/document")) return docx;
  if (names.includes("xl/workbook.bin")) return "binary-workbook";
  if (names.includes("xl/workbook")) return xlsx;
  if (names.includes("ppt/presentation")) return "presentation";
  return "zip";
}

/** The directory at an archive's end, where documents within it do not show; the whole archive where it is cut short. */
function directoryOf(archive: Buffer): Buffer {
  const end = archive.lastIndexOf("PK\x05\x06");
  const start = end === -1 || end + 20 > archive.length ? 0 : archive.readUInt32LE(end + 16);
  return archive.subarray(start < end ? start : 0);
}

function textType(bytes: Uint8Array): MediaType | OtherType {
  const sample = bytes.subarray(0, 64 * 1024);
  const isUtf16 = (sample[0] === 0xff && sample[1] === 0xfe) || (sample[0] === 0xfe && sample[1] === 0xff);
  // Control characters that no text has.
  const controls = sample.filter((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)).length;
  if (!isUtf16 && controls > sample.length / 1_000) return "binary";
  const text = Buffer.from(sample).toString(isUtf16 ? "utf16le" : "latin1");
  return /<(?:!doctype html|html|head|body|h[1-6]|p|div|table|ul|ol)[\s/>]/i.test(text) ? "text/html" : "text/plain";
}
