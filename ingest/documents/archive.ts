import { InputError } from "../errors.ts";
import { ByteReader } from "../read/byte-reader.ts";
import { readZipMembers } from "../read/zip.ts";
import { maxFileBytes, type Unreadable } from "./document-text.ts";

/** A document in an archive: its bytes, or why they cannot be had. */
export type ArchivedDocument = { name: string; content: Uint8Array | Unreadable };

/** Most documents of an archive, and most bytes of all of them, unpacked. */
export const maxArchivedDocuments = 200;
const maxArchiveBytes = 100 * 1024 * 1024;

/**
 * Returns the documents of a zip archive. Folders, and files that systems hide, are left out; an archive within it stays as it is.
 * Where it is damaged, or beyond a bound, the documents before that come first, then the reason, under the archive's name.
 *
 * @param archive its name.
 */
export async function unpackArchive(archive: string, bytes: Uint8Array): Promise<ArchivedDocument[]> {
  const found: ArchivedDocument[] = [];
  const stop = (reason: Unreadable["reason"], message: string) =>
    found.push({ name: archive, content: { kind: "unreadable", reason, message } });
  let total = 0;
  try {
    for await (const { name, chunks } of readZipMembers(new ByteReader(inPieces(bytes)))) {
      const isWanted = isDocument(name);
      if (isWanted && found.length === maxArchivedDocuments) {
        stop("too_large", `The archive has more than ${maxArchivedDocuments} documents.`);
        return found;
      }
      const pieces: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.length;
        total += chunk.length;
        if (total > maxArchiveBytes) {
          stop("too_large", "The archive unpacks to more than 100 MB.");
          return found;
        }
        if (isWanted && size <= maxFileBytes) pieces.push(chunk);
      }
      if (isWanted) found.push({ name, content: size <= maxFileBytes ? Buffer.concat(pieces) : tooLarge });
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (error.message.includes("encrypted")) stop("needs_password", "The archive needs a password.");
    else if (error.message.includes("unpacks to more")) stop("too_large", "The archive unpacks to more than 100 MB.");
    else stop("damaged", "The archive is damaged: its files cannot be read.");
  }
  return found;
}

const tooLarge: Unreadable = { kind: "unreadable", reason: "too_large", message: "The file has more than 25 MB." };

/** Whether a member is a file that somebody put there. */
function isDocument(name: string): boolean {
  return !name.endsWith("/") && !/(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$)/.test(name);
}

/** In pieces, so that a bomb is noticed before much of it is unpacked. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const pieceBytes = 64 * 1024;
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}
