import { findStateAtEnd } from "./state-names.ts";
import { isStateCode } from "./states.ts";
import { functionWords } from "./words.ts";

/** Separator between a phrase and the one before it. `word` is a function word: "in", "near". */
export type Separator = "start" | "comma" | "line" | "break" | "dash" | "slash" | "and" | "word";

/** Words between two separators: the last phrase of "Joe's Cafe, 1 Main St, Rome, NY 13441" is "NY 13441". */
export interface Phrase {
  before: Separator;
  /** The function word where `before` is `word`, else empty. */
  functionWord: string;
  /** In the text's own letter case. */
  words: string[];
}

/** Splits a text into phrases. None is empty. */
export function splitPhrases(text: string): Phrase[] {
  const phrases: Phrase[] = [];
  let phrase: Phrase = { before: "start", functionWord: "", words: [] };
  const end = (before: Separator, functionWord = "") => {
    if (phrase.words.length > 0) phrases.push(phrase);
    // Of several separators in a row, the strongest counts.
    const isFirst = phrases.length === 0;
    const isStronger = phrase.words.length === 0 && strength[phrase.before] >= strength[before];
    const strongest = isStronger ? phrase : { before, functionWord };
    phrase = {
      before: isFirst && before !== "word" ? "start" : strongest.before,
      functionWord: strongest.functionWord,
      words: [],
    };
  };
  const tokens = tokenize(text);
  for (const [index, token] of tokens.entries()) {
    const separator = separators[token];
    if (separator !== undefined) {
      end(separator);
      continue;
    }
    const next = tokens[index + 1];
    const isFollowed =
      next !== undefined && separators[next] === undefined && !isZip(next) && !/^(usa?|united)$/i.test(next);
    // "Portland, OR and Seattle, WA": a conjunction in capitals is not followed by one in lower case.
    const isBehindMark = separators[tokens[index - 1] ?? ""] !== undefined;
    const isListed = isBehindMark && (next === "and" || next === "or");
    const isCode = /^[A-Z]{2}$/.test(token) && isStateCode(token);
    const word = token.toLowerCase();
    const isConjunction = /^(and|&|or|\+)$/.test(word);
    if ((isConjunction || functionWords.has(word)) && (!isCode || (isFollowed && !isListed))) {
      if (isConjunction) end("and");
      else end("word", word);
      continue;
    }
    const isSentenceEnd =
      /[^.]\.$/.test(token) && (token.length > 6 || findStateAtEnd([word.slice(0, -1)]) !== undefined);
    phrase.words.push(token.replace(/[.-]+$/, ""));
    if (isSentenceEnd && next !== undefined && /^\p{Lu}/u.test(next)) end("line");
    // In an address, only the country follows the ZIP code.
    const previous = phrase.words.at(-2) ?? phrases.at(-1)?.words.at(-1) ?? "";
    if (isZip(token) && /^[A-Za-z]{2}$/.test(previous) && isStateCode(previous.toUpperCase())) end("line");
  }
  end("break");
  return phrases;
}

const strength: Record<Separator, number> = {
  word: 0,
  comma: 1,
  dash: 1,
  slash: 1,
  and: 2,
  line: 3,
  start: 4,
  break: 5,
};

const separators: Readonly<Record<string, Separator>> = {
  ",": "comma",
  "(": "comma",
  ")": "comma",
  "[": "comma",
  "]": "comma",
  '"': "comma",
  ":": "dash",
  "-": "dash",
  "/": "slash",
  "\n": "line",
  ";": "break",
  "|": "break",
  "•": "break",
  "*": "break",
};

/** Splits a text into words and punctuation. */
function tokenize(text: string): string[] {
  return (
    text
      .replaceAll(/[\u2010-\u2015\u2212]/g, (dash) => (dash === "\u2010" || dash === "\u2011" ? "-" : " - "))
      .replaceAll(/[\u2018\u2019]/g, "'")
      .replaceAll(/[\u201c\u201d]/g, '"')
      // "D.C.", "U. S. A." and "N.W." are words; so is the "D C" of Washington.
      .replaceAll(/\b(?:[A-Za-z]\. ?){1,3}[A-Za-z]\b\.?/g, (initials) =>
        /^[A-Za-z](\. ?[A-Za-z])+\.?$/.test(initials) ? initials.replaceAll(/[. ]/g, "") : initials,
      )
      .replaceAll(/\b(Wash(?:ington)?\.?),? D C\b/gi, "$1, DC")
      // "VA22060" and "VA-22060".
      .replaceAll(/\b([A-Z]{2})-?(\d{5}(?:-\d{4})?)\b/g, (whole, code: string, zip: string) =>
        isStateCode(code) ? `${code} ${zip}` : whole,
      )
      // "MD-DC-VA", of which every part is a state.
      .replaceAll(/(?<![\w-])[A-Z]{2}(?:-[A-Z]{2})+(?![\w-])/g, (codes) =>
        codes.split("-").every(isStateCode) ? codes.replaceAll("-", "/") : codes,
      )
      .replaceAll(/--+/g, " - ")
      .replaceAll(/ ?\n\s*/g, " \n ")
      .match(/[\p{L}\p{N}][\p{L}\p{N}'’.#&-]*|[\n,;:|•*()[\]"/&+-]|#/gu) ?? []
  );
}

/** Whether a word has the form of a ZIP code: 5 digits, or 9. */
export function isZip(word: string): boolean {
  return /^\d{5}(-?\d{4})?$/.test(word);
}
