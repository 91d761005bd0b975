import type { ByteRange } from "./store.ts";

/**
 * Reads a Range header of one range of bytes (RFC 9110): `bytes=500-`, `bytes=0-499`, `bytes=-500`.
 *
 * @param size the file's, in bytes.
 * @returns undefined where the whole file is to be sent: without the header, and for ranges that are several, malformed or outside the file.
 */
export function readRange(header: string | null, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const offset = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return offset < end ? { offset, length: end - offset } : undefined;
}
