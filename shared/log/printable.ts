/**
 * Characters that control a terminal or hide text: control characters (C0, DEL, C1, and so every ESC sequence), line breaks
 * and tabs, direction marks, zero-width characters, lone surrogates.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Makes a text safe to print on one line: characters that control a terminal become JSON escapes (`\n`, `\u001b`). JSON
 * on one line stays the same JSON.
 */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (found) => shortEscapes[found] ?? escapeUnicode(found));
}

/** Serializes a value to JSON that is safe to print. Its only line breaks are those that `indent` makes. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).split("\n").map(printable).join("\n");
}

/** Returns `\uXXXX` of a character; two of them for a surrogate pair. */
function escapeUnicode(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}
