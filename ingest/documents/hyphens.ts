/** Words of a document, in lower case: also the hyphenated ones as a whole. */
export class Lexicon {
  readonly #words = new Set<string>();

  /** Adds the words of a line; the last word of a hyphenated line is half a word, and left out. */
  add(line: string): void {
    const whole = line.replace(/[\p{L}\p{N}-]+[-\u00ad]\s*$/u, "").toLowerCase();
    for (const [word] of whole.matchAll(/[\p{L}\p{N}]+(?:[-\u2010\u2011][\p{L}\p{N}]+)*/gu)) {
      const plain = word.replaceAll(/[\u2010\u2011]/g, "-");
      this.#words.add(plain);
      for (const part of plain.split("-")) this.#words.add(part);
    }
  }

  has(word: string): boolean {
    return this.#words.has(word.toLowerCase());
  }
}

/**
 * Joins two lines. A hyphen at the end of the first is dropped where it only breaks a word, and kept in a compound: the document
 * itself says which, where the word or the compound occurs elsewhere; else two halves that are words of the document are a compound.
 */
export function joinLines(first: string, second: string, lexicon: Lexicon): string {
  if (first === "") return second;
  if (first.endsWith("\u00ad")) return first.slice(0, -1) + second;
  const [, head] = /([\p{L}\p{N}][\p{L}\p{N}-]*)[-\u2010]$/u.exec(first) ?? [];
  const [tail] = /^[\p{L}\p{N}]+/u.exec(second) ?? [];
  if (head === undefined || tail === undefined) {
    // An address goes on where it was broken: "https://www.grants." / "gov/forms", "apply07/" / "…".
    return /(?:https?:\/\/|www\.)\S*[/=?&_.-]$/.test(first) && /^[a-z0-9]\S*/.test(second)
      ? first + second
      : `${first} ${second}`;
  }
  // "pre- and post-award": the hyphen stands for a part of the next word.
  if (/^(?:and|or|to)$/i.test(tail)) return `${first} ${second}`;
  return isBrokenWord(head, tail, lexicon) ? first.slice(0, -1) + second : first + second;
}

function isBrokenWord(head: string, tail: string, lexicon: Lexicon): boolean {
  if (!/^\p{Ll}/u.test(tail) || /\d$|(?:^|-)\p{Lu}{2,}$/u.test(head)) return false;
  const lastPart = head.split("-").at(-1) ?? head;
  if (lexicon.has(head + tail) || (lastPart !== head && lexicon.has(lastPart + tail))) return true;
  if (lexicon.has(`${head}-${tail}`)) return false;
  const isPrefix = prefixes.has(lastPart.toLowerCase()) || lexicon.has(lastPart);
  if (lastPart.length > 2 && secondParts.test(tail)) return false;
  return !(isPrefix && lexicon.has(tail) && tail.length > 2);
}

/** Parts of compounds that are no words by themselves. */
const prefixes = new Set("co cross ex mid multi non post pre self semi sub".split(" "));

/** Second parts of compounds that end no other word. */
const secondParts =
  /^(?:based|related|term|informed|specific|driven|centered|sharing|year|month|level|oriented|focused|funded|owned|serving|income|profit)$/;
