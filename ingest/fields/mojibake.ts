import { restoreWindowsCharacters, toWindowsByte } from "../read/decode.ts";

/** The bytes 0x80 to 0xbf, as Windows-1252 reads them and as they are. */
const continuation = "[\\x80-\\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]";

/**
 * UTF-8 that was read as Windows-1252, once or several times: "â€™" for an apostrophe, "Ã©" for é. Each pattern begins
 * with a character that real words seldom end with.
 */
const misread = new RegExp(
  `[ÂÃÅ]${continuation}|Ä(?![“”‘’»])${continuation}|[âï]${continuation}{2}|ðŸ${continuation}{2}`,
  "g",
);
const suspicious = /[\x80-\x9fÂÃÄÅâïð¿\u2fff\ufffd]/;
const maxPasses = 3;

/**
 * Restores the characters that the author wrote. UTF-8 that was read as Windows-1252 is decoded again, and control
 * characters that were quotes and dashes of Windows-1252 become those. A lost character is guessed if the guess is
 * safe, else left out.
 */
export function repairMojibake(text: string): string {
  if (!suspicious.test(text)) return text;
  let repaired = text
    .replaceAll(/(\p{L}?)(\s?)(?:â¿¿|\u2fff)(?=(\s?)(\p{L}?))/gu, guessPunctuation)
    .replaceAll(/(?<=\p{L})[¿\ufffd](?=(?:s|t|d|ll|re|ve)\b)/gu, "’")
    .replaceAll(/(?<=\s)[¿\ufffd](?=\s)/g, "–");
  for (let pass = 0; pass < maxPasses; pass++) {
    const next = repaired.replaceAll(misread, decodeAgain);
    if (next === repaired) break;
    repaired = next;
  }
  // The last byte of a closing quote has no character in Windows-1252; that of a no-break space became a plain space.
  return restoreWindowsCharacters(repaired.replaceAll(/â€(?=[\s.,;:!?)]|$)/g, "”").replaceAll(/Â(?=\s|$)/g, ""));
}

/** Guesses an apostrophe, dash or quote of which two of three bytes were lost, as in titles of Grants.gov. */
function guessPunctuation(_: string, letter: string, space: string, spaceAfter: string, letterAfter: string): string {
  if (letter !== "" && space === "" && spaceAfter === "" && letterAfter !== "") return `${letter}’`;
  return space !== "" && spaceAfter !== "" ? `${letter}${space}–` : letter + space;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const generalPunctuation = [0xe2, 0x80] as const;

function decodeAgain(text: string): string {
  const bytes = [...text].map(toWindowsByte);
  if (bytes.includes(undefined)) return text;
  // A dash or quote whose second byte was lost in the same way.
  if (bytes[0] === 0xe2 && bytes[1] === 0xbf) bytes.splice(0, 2, ...generalPunctuation);
  try {
    return utf8.decode(Uint8Array.from(bytes as number[]));
  } catch {
    return text;
  }
}
