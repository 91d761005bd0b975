import type { Random } from "../../../local/demo/random.ts";

/** Texts that a search may take for an operator, a space or a dash. */
const signs = [
  "-",
  "-(",
  "-!",
  "- ",
  '"',
  '-"',
  "or ",
  " or",
  "OR ",
  "<->",
  "<2>",
  "&",
  "|",
  "!",
  "(",
  ")",
  ":*",
  "'",
  "\\",
  "*",
  "\u2010",
  "\u2013",
  "\u2014",
  "\u2212",
  "-\u00a0",
  "-\u2003",
  "-\u200b",
  "-\ufeff",
];

/** Operators in runs, mixed with words and nested brackets: from a few to many more than a parser's stack is deep. */
export function operatorRuns(random: Random, words: readonly string[]): string {
  const parts = Array.from({ length: random.integer(1, 6) }, () => {
    const how = random.next();
    if (how < 0.3) return random.pick(words);
    if (how < 0.7) return random.pick(signs).repeat(random.pick([1, 2, 3, 31, 32, 33, 40, 64, 65, 300]));
    if (how < 0.85) {
      const depth = random.integer(1, 60);
      return `${random.pick(["(", "-(", "!("]).repeat(depth)}${random.pick(words)}${")".repeat(depth)}`;
    }
    return Array.from({ length: random.integer(2, 60) }, () => random.pick(signs)).join("");
  });
  return parts.join(random.pick(["", " ", " "]));
}
