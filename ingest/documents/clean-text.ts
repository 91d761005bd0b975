/** Bullets in the private-use area, where Word's Symbol and Wingdings fonts have them. */
const privateBullets = /[\uf06c\uf06e\uf06f\uf071\uf075\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc\uf0fe]/g;
/** Controls, characters of private use, halves of surrogate pairs, and the replacement character: nothing that a reader could see. */
const unreadable = /[\p{Cc}\p{Co}\p{Cs}\ufffd]/gu;
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;
const ligatures: Readonly<Record<string, string>> = {
  ﬀ: "ff",
  ﬁ: "fi",
  ﬂ: "fl",
  ﬃ: "ffi",
  ﬄ: "ffl",
  ﬅ: "st",
  ﬆ: "st",
};
/** Ligatures as PDFs of Ghostscript 9 and 10 name them, with the bytes of each letter swapped: "identi昀椀cation". */
const swappedLigatures = /[\u6300\u6600\u7300\u7400][\u6600\u6900\u6a00\u6c00\u7400]{1,2}/g;

/**
 * Normalizes a piece of text: one kind of space and of hyphen, letters for ligatures, NFC, no control or invisible characters. Soft hyphens
 * stay, for {@link removeSoftHyphens}: at the end of a line they join two halves of a word.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[ﬀ-ﬆ]/g, (ligature) => ligatures[ligature] ?? "")
    .replaceAll(swappedLigatures, (letters) =>
      letters.replaceAll(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) >> 8)),
    )
    .replaceAll(privateBullets, "•")
    .replaceAll(/[\u2010\u2011]/g, "-")
    .replaceAll(/[\u2028\u2029\t\n\r\f\v\p{Zs}]+/gu, " ")
    .replaceAll(invisible, "")
    .replaceAll(unreadable, "")
    .normalize("NFC");
}

/** Removes soft hyphens and surrounding spaces, and shortens the dots of a table of contents. */
export function removeSoftHyphens(text: string): string {
  return text
    .replaceAll(/(?: ?\.){4,}/g, " …")
    .replaceAll(/_{4,}/g, "___")
    .replaceAll(/\u00ad/g, "")
    .replaceAll(/ {2,}/g, " ")
    .trim();
}

/** Share of a text's characters that are no text: the codes of fonts which do not say what their signs mean. */
export function unreadableShare(text: string): number {
  const characters = text.replaceAll(/\s/g, "").replaceAll(privateBullets, "");
  if (characters.length === 0) return 0;
  return (characters.match(unreadable)?.length ?? 0) / characters.length;
}

/**
 * A raised number as it is told from what is before it: the mark of a note, "care[1]" and not "care1"; after a digit "10^6", which may be a power or a
 * note. Undefined where it is no such number.
 */
export function raisedMark(before: string, raised: string): string | undefined {
  if (!/^\s*\[?(?:\d{1,3}(?:\s*,\s*\d{1,3})*|[ivx]{1,6})\]?\s*$/.test(raised)) return undefined;
  const number = raised.replaceAll(/[\s[\]]/g, "");
  if (/[\p{L}.,;:)”"’]$/u.test(before)) return `[${number}]`;
  return /\d$/.test(before) && /^\d+$/.test(number) ? `^${number}` : undefined;
}

const bullet = /^(?:[•◦▪▫■□●○‣⁃∙·➢➤►▶✓✔❖◆◊☐☑☒*–—−-]|o(?= \p{Lu}))\s+(?=\S)/u;
const numbering = /^(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,4}\.?)\s+(?=\S)/;

/** Writes the bullet of an item as "•", whatever its form. Boxes to tick, dashes and numbers stay. */
export function withPlainBullet(item: string): string {
  return item.replace(/^(?:[◦▪▫■□●○‣⁃∙·➢➤►▶❖◆◊]|o(?= \p{Lu}))\s+/u, "• ");
}

/** Whether a line begins an item of a list: with a bullet, a number or a letter. */
export function startsItem(line: string): boolean {
  return bullet.test(line) || numbering.test(line);
}

/** Whether a line begins with a bullet. */
export function startsWithBullet(line: string): boolean {
  return bullet.test(line);
}

/** Whether a text is a bullet or a number of a list alone, as PDFs draw it apart from its item. */
export function isItemMarker(text: string): boolean {
  const line = `${text.trim()} X`;
  return text.trim() !== "" && (bullet.test(line) || numbering.test(line)) && text.trim().length <= 8;
}
