/** A list of grants as the API is asked for it, and the records that are right, as SQL written by hand. */
export interface KnownList {
  query: string;
  where: string;
  order: string;
}

const newest = "created_at desc, id desc";

const lists: [query: string, where: string, order?: string][] = [
  ["", "true"],
  ["status=posted", "status in ('open', 'posted')"],
  ["states=TX", "states && '{TX}'"],
  ["states=CA,NY", "states && '{CA,NY}'"],
  ["category=Health", "category_keys @> '{health}'"],
  ["min_amount=100000", "amount_max >= 100000"],
  ["max_amount=50000", "amount_min <= 50000"],
  [
    "deadline_after=2026-12-01&sort_by=deadline_date&order=asc",
    "deadline_date > '2026-12-01'",
    "deadline_date asc nulls last, id asc",
  ],
  ["sort_by=amount_max", "true", "amount_max desc nulls last, id desc"],
];

export const knownLists: readonly KnownList[] = lists.map(([query, where, order = newest]) => ({
  query: query === "" ? "limit=20" : `${query}&limit=20`,
  where: `classification = 'opportunity' and archived_at is null and ${where}`,
  order,
}));

/** A moment before all records, another one for each count: a filter that keeps everything and was never asked before. */
export function unseenMoment(count: number): string {
  return new Date(Date.UTC(2000, 0, 1) + count).toISOString();
}

/** The same words in other letters for each count: a search of which nothing is remembered. */
export function unseenSpelling(words: string, count: number): string {
  const letters = [...words];
  let bits = count + 1;
  for (let index = 0; index < letters.length && bits > 0; index++) {
    const letter = letters[index] ?? "";
    if (letter === " ") continue;
    if (bits % 2 === 1) letters[index] = letter.toUpperCase();
    bits = Math.floor(bits / 2);
  }
  return letters.join("");
}
