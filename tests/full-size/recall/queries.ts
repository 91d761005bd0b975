import type pg from "pg";

/** Queries as people type them: everyday words, some misspelt or in no record. */
export const everyday = [
  "kids who go hungry in summer",
  "wifi for farm country",
  "clean up polluted lake",
  "help for veterens with housing",
  "after school tutoring",
  "opiod overdose prevention",
  "money to fix an old theatre",
  "solar panels on public buildings",
  "electric school busses",
  "domestic violence shelter",
  "wildfire smoke",
  "child care workers",
  "museum",
  "bridge",
  "research",
  "community development research",
  "technical assistance for small towns and rural counties",
  "water",
];

/**
 * More than sixty queries out of the records' own words: single words from common to rare, words and
 * phrases of titles, whole titles, the beginnings of descriptions, and titles with a letter amiss. The same
 * records give the same queries.
 */
export async function queriesFrom(session: pg.Client): Promise<string[]> {
  const { rows: words } = await session.query<{ term: string }>(`
    select term from (
      select term, document_frequency, row_number() over (order by document_frequency desc, term) as ordinal
      from funding.lexicon where generation = (select generation from funding.lexicon_fit) and term ~ '^[a-z]{4,}$' and document_frequency >= 5
    ) as known
    where ordinal in (1, 3, 10, 30, 60, 100, 200, 400, 800, 1200)`);
  const { rows: records } = await session.query<{ title: string; description: string }>(
    "select title, description from funding.grants order by md5(source_id) limit 60",
  );
  const some = (start: number, count: number) => records.slice(start, start + count);
  const wordsOf = (text: string) => text.match(/[A-Za-z]{4,}/g) ?? [];
  return [
    ...everyday,
    ...words.map(({ term }) => term),
    ...some(0, 12).map(({ title }) => wordsOf(title).slice(0, 2).join(" ")),
    ...some(12, 10).map(({ description }) => wordsOf(description).slice(4, 9).join(" ")),
    ...some(22, 10).map(({ title }) => title),
    ...some(32, 8).map(({ description }) => description.split(/\s+/).slice(0, 60).join(" ")),
    ...some(40, 10).map(({ title }) => wordsOf(title).map(misspelt).join(" ")),
  ];
}

/** A long word with two of its letters swapped. */
function misspelt(word: string): string {
  return word.length < 7 ? word : `${word.slice(0, 3)}${word[4]}${word[3]}${word.slice(5)}`;
}
