import { windowsByte, windowsText } from "../read/decode.ts";

/** What Windows-1252 reads the bytes 0x80 to 0xbf as, and the bytes themselves. */
const continuation = "[\\x80-\\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]";

/**
 * UTF-8 that was read as Windows-1252, once or several times: "â€™" for an apostrophe, "Ã©" for é. The first
 * character of each pattern is one that such text begins with and that real words hardly end with.
 */
const misread = new RegExp(`[ÂÃÅ]${continuation}|[âï]${continuation}{2}|ðŸ${continuation}{2}`, "g");
const suspicious = /[\x80-\x9fÂÃÅâïð]/;
const mostTimes = 3;

/**
 * Text whose characters are those that its author wrote: UTF-8 taken for Windows-1252 is put right, and
 * control characters that were Windows-1252's quotes and dashes are those again.
 */
export function withoutMojibake(text: string): string {
  if (!suspicious.test(text)) return text;
  let repaired = text;
  for (let time = 0; time < mostTimes; time++) {
    const next = repaired.replaceAll(misread, reread);
    if (next === repaired) break;
    repaired = next;
  }
  // The last byte of a closing quote has no character in Windows-1252, and is lost on the way; that of a
  // no-break space becomes a plain one.
  return windowsText(repaired.replaceAll(/â€(?=[\s.,;:!?)]|$)/g, "”").replaceAll(/(^|\s)Â(?=\s|$)/g, "$1"));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function reread(text: string): string {
  const bytes = [...text].map(windowsByte);
  if (bytes.includes(undefined)) return text;
  try {
    return utf8.decode(Uint8Array.from(bytes as number[]));
  } catch {
    return text;
  }
}
