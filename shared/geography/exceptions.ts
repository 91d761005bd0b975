import { type ParsedPhrase, parsePhrase } from "./parse-phrase.ts";
import { type Phrase, splitPhrases } from "./phrases.ts";

/** Clauses of a text. A period ends one only behind a word in lower case: "D.C." and "St. Louis" go on. */
const clauseEnds = /[;|•*()[\]\n]|(?<=[a-z]{4})\.\s+(?=\p{Lu})/u;

/** Words whose object is left out: "except Hawaii", "other than Texas". */
const excepting =
  /\b(?:except(?:ing|ed)?|(?:with the )?exceptions? of|exclud(?:e|es|ed|ing)|exclusive of|other than|rather than|instead of|apart from|aside from|but not(?! limited)|not including|minus|(?<=\b(?:all|any|every|states?)\s)but)\b/giu;

/** "Outside" leaves out a state that it stands before: "outside of Texas", not "outside San Antonio, Texas". */
const outside = /\boutside(?: of)?\b/giu;

/** Words for a clause about where something is not to be had: "not available in California", "Alaska and Hawaii excluded". */
const refusing =
  /\b(?:not(?: \w+)? (?:available|open|eligible|offered|valid|allowed|permitted|applicable|covered|served|included|in|within|for(?! profit))|excluded|excepted|ineligible|unavailable)\b/iu;

/** The same words alone in brackets, where they are about what stands before: "Alaska, Hawaii (not eligible)". */
const refusingInBrackets = new RegExp(String.raw`[([]\s*${refusing.source}\s*[)\]]`, "giu");

/** Longest clause before such brackets, in characters. */
const longestClause = 200;

/**
 * Whether the text names a state only to leave it out: "Nationwide except Alaska", "any state other than Texas", "not available in
 * California". Exceptions of other things do not count: "Ohio, except Butler County", "Norfolk, VA, excluding holidays".
 */
export function hasExceptedState(text: string): boolean {
  const isInClause = text
    .split(clauseEnds)
    .some(
      (clause) =>
        textsBehind(clause, excepting).some(hasState) ||
        textsBehind(clause, outside).some((object) => isState(splitPhrases(object)[0])) ||
        isRefused(clause),
    );
  if (isInClause) return true;
  return [...text.matchAll(refusingInBrackets)].some(({ index }) => {
    const clauses = text.slice(Math.max(0, index - longestClause), index).split(clauseEnds);
    return hasState(clauses.at(-1) ?? "");
  });
}

/**
 * Whether a state is the object or the subject of words that refuse it: "not available in Texas", "Alaska and Hawaii excluded". What stands behind
 * a comma or a dash is another matter: "Columbus, OH, individuals are not eligible".
 */
function isRefused(clause: string): boolean {
  const match = refusing.exec(clause);
  if (match === null) return false;
  const subject =
    clause
      .slice(0, match.index)
      .split(/,| [-\u2013\u2014] /)
      .at(-1) ?? "";
  return (
    hasState(clause.slice(match.index + match[0].length)) ||
    hasState(subject.replace(/\s+(?:is|are|was|were)\s*$/i, ""))
  );
}

/** Texts behind each of the words, up to the next of them. */
function textsBehind(clause: string, words: RegExp): string[] {
  return clause.split(words).slice(1);
}

function hasState(text: string): boolean {
  return splitPhrases(text).some((phrase) => findState(phrase) !== undefined);
}

/** Whether the phrase is a state and nothing else. */
function isState(phrase: Phrase | undefined): boolean {
  return phrase !== undefined && findState(phrase)?.head.length === 0;
}

/** The phrase in its parts, if a state's name or its code in capitals ends it. */
function findState(phrase: Phrase): ParsedPhrase | undefined {
  const parsed = parsePhrase(phrase);
  const { state } = parsed;
  return state?.form === "name" || /^(?:US-)?[A-Z]{2}$/.test(state?.written ?? "") ? parsed : undefined;
}
