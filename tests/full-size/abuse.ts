import type pg from "pg";

/** A kind of search that somebody might try to keep the database busy with. */
export interface Abuse {
  what: string;
  search: string;
}

/** The kind that makes the database read every record. */
export const readsAll = "one word without 64 others";

/** As long as a search may be, as text and in a URL. */
const longest = 4_000;
const longestEncoded = 15_000;

/** As many of the parts, over and over, as a search may be long. */
function filled(parts: readonly string[], separator = " "): string {
  let text = "";
  for (let index = 0; ; index++) {
    const next = `${text}${text === "" ? "" : separator}${parts[index % parts.length]}`;
    if (next.length > longest || encodeURIComponent(next).length > longestEncoded) return text;
    text = next;
  }
}

/** A word with two neighbouring letters swapped, which is one edit from it. */
function misspelt(word: string): string {
  return `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`;
}

/** Searches of every kind, of the words that this database's records have. */
export async function abusesOf(session: pg.Client): Promise<Abuse[]> {
  const words = await wordsOf(
    session,
    "select term from funding.lexicon where generation = (select generation from funding.lexicon_fit) and term ~ '^[a-z]{4,}$' order by document_frequency desc limit 1500",
  );
  const rare = await wordsOf(
    session,
    "select term from funding.lexicon where generation = (select generation from funding.lexicon_fit) and term ~ '^[a-z]{7,}$' order by document_frequency, term limit 1500",
  );
  const synonyms = await wordsOf(session, "select distinct term from funding.synonyms order by term");
  const alphabet = [..."abcdefghijklmnopqrstuvwxyz"];
  const pairs = (count: number) => words.slice(0, count).map((word, index) => `"${word} ${words[index + 1]}"`);
  return [
    { what: "one letter", search: "x" },
    { what: "one stop word", search: "a" },
    { what: "stop words", search: filled(["the", "of", "and", "to", "in", "a", "is", "for"]) },
    { what: "letters", search: filled(alphabet) },
    { what: "the most frequent word", search: words[0] ?? "" },
    { what: "the 12 most frequent words", search: words.slice(0, 12).join(" ") },
    { what: "the 13 most frequent words", search: words.slice(0, 13).join(" ") },
    { what: "the most frequent words", search: filled(words) },
    { what: "rare words", search: filled(rare) },
    { what: "one word, repeated", search: filled([words[0] ?? ""]) },
    { what: "any of the most frequent words", search: filled(words, " or ") },
    { what: "a phrase of frequent words", search: `"${filled(words).slice(0, 3_990)}"` },
    { what: "pairs in quotes", search: filled(pairs(500)) },
    {
      what: "pairs in quotes, any",
      search: filled(pairs(500), " or "),
    },
    { what: "64 pairs in quotes", search: pairs(64).join(" ") },
    { what: "32 pairs in quotes, any", search: pairs(32).join(" or ").slice(0, longest) },
    { what: "any of 65 frequent words", search: words.slice(0, 65).join(" or ") },
    {
      what: readsAll,
      search: [words[0], ...words.slice(1, 65).map((word) => `-${word}`)].join(" "),
    },
    {
      what: "one word without all others",
      search: filled([words[0] ?? "", ...words.slice(1).map((word) => `-${word}`)]),
    },
    { what: "only what is excluded", search: filled(words.map((word) => `-${word}`)) },
    { what: "only operators", search: filled(['"', "-", "or", "(", ")", "&", "|", "!", "<->"]) },
    { what: "quotes", search: '"'.repeat(longest) },
    { what: "dashes", search: "-".repeat(longest) },
    { what: "dashes apart", search: filled(["-"]) },
    { what: "wildcards", search: filled(["*", "%", "_", "wat*", "water:*", "%water%"]) },
    { what: "regular expressions", search: filled(["^(a+)+$", "(?:x*)*y", "[a-z]{1,99}", ".*.*.*"]) },
    { what: "one long word", search: "pneumono".repeat(500) },
    { what: "long words", search: filled(rare.map((word) => word.repeat(8))) },
    { what: "words with hyphens", search: filled([words.slice(0, 100).join("-")]) },
    { what: "misspellings of frequent words", search: filled(words.filter((word) => word.length >= 6).map(misspelt)) },
    { what: "misspellings of rare words", search: filled(rare.map(misspelt)) },
    { what: "words that nobody wrote", search: filled(rare.map((word) => [...word].reverse().join(""))) },
    { what: "everyday words", search: filled(synonyms) },
    { what: "numbers", search: filled(Array.from({ length: 900 }, (_, index) => String(100_000 + index * 7))) },
    { what: "addresses", search: filled(["https://a.example/b/c?d=e", "x@y.example", "/usr/local/x.y", "1.2.3.4"]) },
    { what: "Chinese", search: filled(["水資源管理", "教育", "農村發展"]) },
    { what: "Arabic", search: filled(["المياه", "التعليم", "الصحة"]) },
    { what: "Thai, without spaces", search: filled(["การศึกษาและสุขภาพ"], "") },
    { what: "German", search: filled(["Donaudampfschifffahrtsgesellschaft", "Straßenbahn", "Wasser"]) },
    { what: "accents", search: filled(["éducação", "ñandú", "İstanbul", "ångström"]) },
    { what: "emoji", search: filled(["🙂"], "") },
    { what: "marks upon marks", search: filled(["a\u0301\u0302\u0303"], "\u0304") },
  ];
}

async function wordsOf(session: pg.Client, query: string): Promise<string[]> {
  const { rows } = await session.query<{ term: string }>(query);
  return rows.map(({ term }) => term);
}
