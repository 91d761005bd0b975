/**
 * Stem of an English word, as the database's dictionary `english_stem` makes it: the English stemmer of Snowball (Porter2). The word is in lower case, of
 * letters without accents; any other is its own stem. Words that the dictionary leaves out have a stem here as well.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  const marked = word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
  const first = firstRegion(marked);
  const second = regionAfter(marked, first);
  const singular = withoutPlural(marked);
  if (complete.has(singular)) return singular;
  let stemmed = withoutPast(singular, first);
  stemmed = stemmed.replace(/(?<=.[^aeiouy])[yY]$/, "i");
  stemmed = replaceSuffix(stemmed, derived, first);
  stemmed = replaceSuffix(stemmed, formed, first, second);
  stemmed = replaceSuffix(stemmed, endings, second);
  return withoutLast(stemmed, first, second).toLowerCase();
}

const exceptions: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((word) => [word, word] as const),
]);

/** Words that lose no more than a plural's ending. */
const complete = new Set("inning outing canning herring earring proceed exceed succeed".split(" "));

/** A suffix with what replaces it, and a condition on the text before it. */
type Rule = readonly [suffix: string, instead: string, before?: RegExp | "second"];

/** Rules of steps 2, 3 and 4 of the stemmer. Of those whose suffix a word has, only that of the longest counts. */
const derived: readonly Rule[] = [
  ["ational", "ate"],
  ["fulness", "ful"],
  ["iveness", "ive"],
  ["ization", "ize"],
  ["ousness", "ous"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["tional", "tion"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ation", "ate"],
  ["entli", "ent"],
  ["fulli", "ful"],
  ["iviti", "ive"],
  ["ousli", "ous"],
  ["abli", "able"],
  ["alli", "al"],
  ["anci", "ance"],
  ["ator", "ate"],
  ["enci", "ence"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["ogi", "og", /l$/],
  ["li", "", /[cdeghkmnrt]$/],
];
const formed: readonly Rule[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["ative", "", "second"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const endings: readonly Rule[] = [
  ...["ement", "able", "ance", "ence", "ible", "ment", "ant", "ate", "ent", "ism", "iti", "ive", "ize"].map(
    (suffix) => [suffix, ""] as const,
  ),
  ["ion", "", /[st]$/],
  ["ous", ""],
  ["al", ""],
  ["er", ""],
  ["ic", ""],
];

/** Where the first region begins: after the first consonant that follows a vowel. */
function firstRegion(word: string): number {
  const beginning = /^(?:gener|commun|arsen)/.exec(word);
  return beginning === null ? regionAfter(word, 0) : beginning[0].length;
}

function regionAfter(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found === null ? word.length : from + found.index + 2;
}

/** Step 1a. */
function withoutPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (/[us]s$/.test(word)) return word;
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word;
}

/** Step 1b. */
function withoutPast(word: string, first: number): string {
  const [suffix = ""] = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word) ?? [];
  if (suffix === "") return word;
  const before = word.slice(0, -suffix.length);
  if (suffix.startsWith("ee")) return before.length >= first ? `${before}ee` : word;
  if (!/[aeiouy]/.test(before)) return word;
  if (/(?:at|bl|iz)$/.test(before)) return `${before}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(before)) return /^[aeo]..$/.test(before) ? before : before.slice(0, -1);
  return first >= before.length && endsShort(before) ? `${before}e` : before;
}

/** Whether the last syllable is short. */
function endsShort(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$/.test(word);
}

function replaceSuffix(word: string, rules: readonly Rule[], region: number, second = 0): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const [suffix, instead, condition] = rule;
  const before = word.slice(0, -suffix.length);
  const isMet = condition === "second" ? before.length >= second : condition === undefined || condition.test(before);
  return before.length >= region && isMet ? before + instead : word;
}

/** Step 5. */
function withoutLast(word: string, first: number, second: number): string {
  const before = word.slice(0, -1);
  if (word.endsWith("e"))
    return before.length >= second || (before.length >= first && !endsShort(before)) ? before : word;
  return word.endsWith("ll") && before.length >= second ? before : word;
}
