/** Last word of a line that ends with a hyphen, and first word of the next line. */
const brokenEnd = /([\p{L}\p{N}][\p{L}\p{N}-]*)-$/u;
const firstWord = /^[\p{L}\p{N}]+/u;

/** Broken words that the document also has whole, from which on its lines were broken by a program that hyphenates. */
const minBrokenWords = 3;
/** Hyphens at the ends of lines from which on a document without broken words has only hyphens of its author. */
const minUnbroken = 4;

/** Words of a document, in lower case: also the hyphenated ones as a whole. It says whether a hyphen at the end of a line is one of the word. */
export class Lexicon {
  readonly #words = new Set<string>();
  /** Whether lines end within words. Word does not hyphenate by default: there, each hyphen is the author's. */
  readonly #isHyphenated: boolean;

  /** Whether all hyphens at the ends of its lines are the author's. */
  readonly #isUnbroken: boolean;

  /** @param lines of the document, in order. */
  constructor(lines: readonly string[]) {
    for (const [index, line] of lines.entries()) this.#add(line, brokenEnd.test(lines[index - 1] ?? ""));
    const broken = lines.filter((line, index) => {
      const [, head = ""] = brokenEnd.exec(line) ?? [];
      const [tail = ""] = firstWord.exec(lines[index + 1] ?? "") ?? [];
      return head !== "" && this.has(head + tail) && !this.has(`${head}-${tail}`);
    });
    this.#isHyphenated = broken.length >= minBrokenWords;
    this.#isUnbroken = broken.length === 0 && lines.filter((line) => brokenEnd.test(line)).length >= minUnbroken;
  }

  /** Adds the words of a line, but for halves of words at its ends. */
  #add(line: string, isAfterHyphen: boolean): void {
    const withoutEnd = line.replace(/[\p{L}\p{N}-]+[-\u00ad]\s*$/u, "");
    const whole = isAfterHyphen ? withoutEnd.replace(firstWord, "") : withoutEnd;
    for (const [word] of whole.toLowerCase().matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)) {
      this.#words.add(word);
      for (const part of word.split("-")) this.#words.add(part);
    }
  }

  has(word: string): boolean {
    return this.#words.has(word.toLowerCase());
  }

  /** Whether two halves are one word without a hyphen: "organi" and "zation". */
  isBrokenWord(head: string, tail: string): boolean {
    if (!/^\p{Ll}/u.test(tail) || /\d$|(?:^|-)\p{Lu}{2,}$/u.test(head)) return false;
    const lastPart = head.split("-").at(-1) ?? head;
    if (this.has(head + tail) || (lastPart !== head && this.has(lastPart + tail))) return true;
    if (this.has(`${head}-${tail}`) || (lastPart.length > 2 && secondParts.test(tail))) return false;
    if (/^(?:cross|non|self|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)$/i.test(lastPart)) return false;
    if (this.#isUnbroken) return false;
    if (tail.length < 3 || !this.has(tail)) return true;
    if (prefixes.has(lastPart.toLowerCase())) return false;
    // "gender-" and "responsive": halves of one word are seldom long words themselves.
    const isCompound = this.has(lastPart) && lastPart.length > 4 && tail.length > 4;
    return this.#isHyphenated ? !isCompound : !this.has(lastPart);
  }
}

/** First parts of compounds that are no words by themselves. */
const prefixes = new Set("co ex mid multi post pre semi".split(" "));

/** Second parts of compounds that end no other word. */
const secondParts =
  /^(?:based|related|term|informed|specific|driven|centered|sharing|year|month|level|oriented|focused|funded|owned|serving|income|profit)$/;

/**
 * Joins two lines. A hyphen at the end of the first is dropped where it only breaks a word, and kept in a compound: the document
 * itself says which, where the word or the compound occurs elsewhere.
 */
export function joinLines(first: string, second: string, lexicon: Lexicon): string {
  if (first === "") return second;
  if (first.endsWith("\u00ad")) return first.slice(0, -1) + second;
  const [, head] = brokenEnd.exec(first) ?? [];
  const [tail] = firstWord.exec(second) ?? [];
  if (head === undefined || tail === undefined) {
    // An address goes on where it was broken: "https://www.grants." / "gov/forms", "apply07/" / "…".
    const isAddress = /(?:https?:\/\/|www\.)\S*[/=?&_.-]$/.test(first) && /^[a-z0-9]\S*/.test(second);
    return isAddress ? first + second : `${first} ${second}`;
  }
  // "pre- and post-award": the hyphen stands for a part of the next word.
  if (/^(?:and|or|to)$/i.test(tail)) return `${first} ${second}`;
  return lexicon.isBrokenWord(head, tail) ? first.slice(0, -1) + second : first + second;
}
