/** A filter of the timed queries in the libraries' languages. */
interface LibraryFilter {
  /** SQL of DataFusion. */
  lancedb: string;
  orama: object;
}

const toDay = (date: string) => Date.parse(date) / 86_400_000;

/** Filters by the API's query string. Each is combined with `is_listed`. */
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
    lancedb: `deadline > ${toDay("2026-12-01")} and deadline < ${toDay("2027-03-01")}`,
    orama: { and: [{ deadline: { gt: toDay("2026-12-01") } }, { deadline: { lt: toDay("2027-03-01") } }] },
  },
  "states=WY&include_national=true": {
    lancedb: "(array_has(states, 'WY') or is_national)",
    orama: { or: [{ states: { containsAny: ["WY"] } }, { is_national: true }] },
  },
};

/** Translates a filter for LanceDB. @throws when it is unknown. */
export function lancedbFilter(filter: string): string {
  return filter === "" ? "is_listed" : `is_listed and ${findFilter(filter).lancedb}`;
}

/** Translates a filter for Orama. @throws when it is unknown. */
export function oramaFilter(filter: string): object {
  return filter === "" ? { is_listed: true } : { and: [{ is_listed: true }, findFilter(filter).orama] };
}

function findFilter(filter: string): LibraryFilter {
  const found = filters[filter];
  if (found === undefined) throw new Error(`there is no translation of the filter ${filter} for the libraries`);
  return found;
}
