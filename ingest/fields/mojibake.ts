import { windowsByte, windowsText } from "../read/decode.ts";

/** What Windows-1252 reads the bytes 0x80 to 0xbf as, and the bytes themselves. */
const continuation = "[\\x80-\\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]";

/**
 * UTF-8 that was read as Windows-1252, once or several times: "â€™" for an apostrophe, "Ã©" for é. The first
 * character of each pattern is one that such text begins with and that real words hardly end with.
 */
const misread = new RegExp(
  `[ÂÃÅ]${continuation}|Ä(?![“”‘’»])${continuation}|[âï]${continuation}{2}|ðŸ${continuation}{2}`,
  "g",
);
const suspicious = /[\x80-\x9fÂÃÄÅâïð¿\u2fff\ufffd]/;
const mostTimes = 3;

/**
 * Text whose characters are those that its author wrote: UTF-8 taken for Windows-1252 is put right, and
 * control characters that were Windows-1252's quotes and dashes are those again. What got lost on the way
 * is guessed at where there is little to guess, and left out otherwise.
 */
export function withoutMojibake(text: string): string {
  if (!suspicious.test(text)) return text;
  let repaired = text
    .replaceAll(/(\p{L}?)(\s?)(?:â¿¿|\u2fff)(?=(\s?)(\p{L}?))/gu, lostPunctuation)
    .replaceAll(/(?<=\p{L})[¿\ufffd](?=(?:s|t|d|ll|re|ve)\b)/gu, "’")
    .replaceAll(/(?<=\s)[¿\ufffd](?=\s)/g, "–");
  for (let time = 0; time < mostTimes; time++) {
    const next = repaired.replaceAll(misread, reread);
    if (next === repaired) break;
    repaired = next;
  }
  // A closing quote's last byte has no character in Windows-1252, and a no-break space's became a plain space.
  return windowsText(repaired.replaceAll(/â€(?=[\s.,;:!?)]|$)/g, "”").replaceAll(/Â(?=\s|$)/g, ""));
}

/** Grants.gov has titles in which two of a character's three bytes were lost: apostrophes, dashes and quotes. */
function lostPunctuation(_: string, letter: string, space: string, spaceAfter: string, letterAfter: string): string {
  if (letter !== "" && space === "" && spaceAfter === "" && letterAfter !== "") return `${letter}’`;
  return space !== "" && spaceAfter !== "" ? `${letter}${space}–` : letter + space;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const generalPunctuation = [0xe2, 0x80] as const;

function reread(text: string): string {
  const bytes = [...text].map(windowsByte);
  if (bytes.includes(undefined)) return text;
  // The second byte of a dash or quote, lost in the same way.
  if (bytes[0] === 0xe2 && bytes[1] === 0xbf) bytes.splice(0, 2, ...generalPunctuation);
  try {
    return utf8.decode(Uint8Array.from(bytes as number[]));
  } catch {
    return text;
  }
}
