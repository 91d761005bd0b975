/** A filter of the timed queries in the languages of the libraries. */
interface LibraryFilter {
  /** SQL of DataFusion. */
  lancedb: string;
  orama: object;
}

const day = (date: string) => Date.parse(date) / 86_400_000;

/** By the API's query string. Each is asked together with `is_listed`. */
const filters: Record<string, LibraryFilter> = {
  "states=CA": { lancedb: "array_has(states, 'CA')", orama: { states: { containsAny: ["CA"] } } },
  "status=posted": { lancedb: "status in ('open', 'posted')", orama: { status: { in: ["open", "posted"] } } },
  "category=Health": {
    lancedb: "array_has(categories, 'health')",
    orama: { categories: { containsAny: ["health"] } },
  },
  "min_amount=100000&states=TX,NY": {
    lancedb: "amount_max >= 100000 and array_has_any(states, ['TX', 'NY'])",
    orama: { amount_max: { gte: 100_000 }, states: { containsAny: ["TX", "NY"] } },
  },
  "deadline_after=2026-12-01&deadline_before=2027-03-01": {
    lancedb: `deadline > ${day("2026-12-01")} and deadline < ${day("2027-03-01")}`,
    orama: { and: [{ deadline: { gt: day("2026-12-01") } }, { deadline: { lt: day("2027-03-01") } }] },
  },
  "states=WY&include_national=true": {
    lancedb: "(array_has(states, 'WY') or is_national)",
    orama: { or: [{ states: { containsAny: ["WY"] } }, { is_national: true }] },
  },
};

/** @throws when no library's words for the filter are known. */
export function lancedbFilter(filter: string): string {
  return filter === "" ? "is_listed" : `is_listed and ${known(filter).lancedb}`;
}

/** @throws when no library's words for the filter are known. */
export function oramaFilter(filter: string): object {
  return filter === "" ? { is_listed: true } : { and: [{ is_listed: true }, known(filter).orama] };
}

function known(filter: string): LibraryFilter {
  const found = filters[filter];
  if (found === undefined) throw new Error(`the libraries are not told what ${filter} means`);
  return found;
}
