import type { Client, Query } from "./client.ts";
import type { Opportunity, OpportunityCollection, RecordOf } from "./schemas.ts";

/** Part of a dataset, small enough to be read whole, so that a filter's answer can be foretold exactly. */
export interface Scope<Item> {
  /** Query string that lists the scope; append a filter to narrow it. */
  query: Query;
  records: Item[];
}

/** Discoveries by question. The records under test stay the same, so each search for something is made once in a process. */
const discoveries = new Map<string, Promise<unknown>>();

function discoverOnce<Found>(asked: string, discover: () => Promise<Found>): Promise<Found> {
  const known = discoveries.get(asked) as Promise<Found> | undefined;
  const found = known ?? discover();
  if (known === undefined) discoveries.set(asked, found);
  // One that failed is looked for again.
  found.catch(() => discoveries.delete(asked));
  return found;
}

const fewest = 100;
const most = 400;

/**
 * Finds a scope through the API: the whole dataset where it is small, else what one parameter
 * leaves of it.
 *
 * @param narrowBy the parameter that may narrow it, which a test then cannot use itself.
 * @param suits a further condition of the test.
 */
export function discoverScope<Name extends OpportunityCollection>(
  client: Client,
  name: Name,
  narrowBy: "search" | "category" = "search",
  suits?: (query: Query) => Promise<boolean>,
): Promise<Scope<RecordOf[Name]>> {
  // The condition `suits` is the caller's own.
  if (suits !== undefined) return findScope(client, name, narrowBy, suits);
  return discoverOnce(`scope of ${name} by ${narrowBy}`, () => findScope(client, name, narrowBy, async () => true));
}

async function findScope<Name extends OpportunityCollection>(
  client: Client,
  name: Name,
  narrowBy: "search" | "category",
  suits: (query: Query) => Promise<boolean>,
): Promise<Scope<RecordOf[Name]>> {
  const everything: Query = { opportunity_type: "all" };
  const total = await client.count(name, everything);
  if (total <= most) return { query: everything, records: await client.walk(name, everything) };

  const sample = await sampleOf(client, name);
  const values = narrowBy === "search" ? frequentWords(sample) : [...new Set(sample.flatMap((one) => one.categories))];
  for (const value of values.slice(0, 60)) {
    const query = { ...everything, [narrowBy]: value };
    const left = await client.count(name, query);
    if (left < fewest || left > most || !(await suits(query))) continue;
    return { query, records: await client.walk(name, query) };
  }
  throw new Error(`no ${narrowBy} leaves from ${fewest} to ${most} suitable records of ${name}`);
}

/** Records of different kinds: the newest, and the first by title. */
export function sampleOf<Name extends OpportunityCollection>(client: Client, name: Name): Promise<Opportunity[]> {
  return discoverOnce(`sample of ${name}`, async () => {
    const pages = await Promise.all([
      client.list(name, { opportunity_type: "all", limit: 100 }),
      client.list(name, { opportunity_type: "all", sort_by: "title", order: "asc", limit: 100 }),
    ]);
    return pages.flatMap(({ results }) => results);
  });
}

/** A query that a mode finds much for in each of the datasets: a word of many titles. */
export function discoverQuery(
  client: Client,
  names: readonly OpportunityCollection[],
  search_mode: "semantic" | "hybrid",
): Promise<string> {
  return discoverOnce(`${search_mode} query of ${names}`, () => findQuery(client, names, search_mode));
}

async function findQuery(
  client: Client,
  names: readonly OpportunityCollection[],
  search_mode: "semantic" | "hybrid",
): Promise<string> {
  let best = { word: "", total: 0 };
  const samples = await Promise.all(names.map((name) => sampleOf(client, name)));
  for (const word of frequentWords(samples.flat()).slice(0, 20)) {
    const asked = names.map(async (name) => {
      const query = { search: word, search_mode };
      // Awarded projects among the matches are what shows that they are left out by default.
      const [open, awarded] = await Promise.all([
        client.count(name, query),
        client.count(name, { ...query, opportunity_type: "awarded" }),
      ]);
      return awarded === 0 ? 0 : open;
    });
    const total = Math.min(...(await Promise.all(asked)));
    if (total > best.total) best = { word, total };
    if (best.total >= 60) break;
  }
  if (best.total === 0) throw new Error(`${search_mode} search finds nothing in ${names} for any frequent word`);
  return best.word;
}

/** Two states that have records of their own within the query, beside which there are national ones. */
export async function discoverTwoStates(
  client: Client,
  name: OpportunityCollection,
  query: Query,
): Promise<[string, string] | undefined> {
  // A national record matches every state.
  const [specific, withNational] = await Promise.all([
    client.count(name, { ...query, states: "CA" }),
    client.count(name, { ...query, states: "CA", include_national: true }),
  ]);
  if (withNational === specific) return undefined;
  const [one, other] = await discoverStates(client, name, query);
  return one === undefined || other === undefined ? undefined : [one, other];
}

/** A ranked search that finds records of a state as well as national ones, and that state. */
export function discoverNationalQuery(
  client: Client,
  name: OpportunityCollection,
  search_mode: "semantic" | "hybrid",
): Promise<{ query: Query; states: string }> {
  return discoverOnce(`${search_mode} query of ${name} with national records`, () =>
    findNationalQuery(client, name, search_mode),
  );
}

async function findNationalQuery(
  client: Client,
  name: OpportunityCollection,
  search_mode: "semantic" | "hybrid",
): Promise<{ query: Query; states: string }> {
  for (const search of frequentWords(await sampleOf(client, name)).slice(0, 20)) {
    const query: Query = { search, search_mode, opportunity_type: "all" };
    const [states] = (await discoverTwoStates(client, name, query)) ?? [];
    if (states !== undefined) return { query, states };
  }
  throw new Error(`no search of ${name} finds records of a state and national ones`);
}

/** States and names, of which any dataset of the United States has some. */
export const populousStates: Record<string, string> = {
  CA: "California",
  TX: "Texas",
  FL: "Florida",
  NY: "New York",
  PA: "Pennsylvania",
  IL: "Illinois",
  OH: "Ohio",
  GA: "Georgia",
  NC: "North Carolina",
  MI: "Michigan",
  NJ: "New Jersey",
  VA: "Virginia",
  AZ: "Arizona",
  MA: "Massachusetts",
};

/** State codes that some records of the scope are specific to, the most frequent first. */
export async function discoverStates(client: Client, name: OpportunityCollection, query: Query): Promise<string[]> {
  const counted: { state: string; total: number }[] = [];
  for (const state of Object.keys(populousStates)) {
    if (counted.filter(({ total }) => total > 0).length === 2) break;
    counted.push({ state, total: await client.count(name, { ...query, states: state }) });
  }
  return counted
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total)
    .map(({ state }) => state);
}

/** Words of titles, the most frequent first: whole, plain, and none that a text search ignores. */
export function frequentWords(records: readonly { title: string }[]): string[] {
  const frequencies = new Map<string, number>();
  for (const { title } of records) {
    for (const word of new Set(wordsOf(title))) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  return [...frequencies].sort((one, other) => other[1] - one[1]).map(([word]) => word);
}

const stopWords = new Set([
  "before",
  "during",
  "should",
  "having",
  "through",
  "between",
  "because",
  "against",
  "further",
]);

/** The words of six letters and more that stand between spaces, in lower case, in order. */
export function wordsOf(text: string): string[] {
  return [...text.toLowerCase().matchAll(/(?<=^|\s)[a-z]{6,}(?=[.,;:)]?(?:\s|$))/g)]
    .map(([word]) => word)
    .filter((word) => !stopWords.has(word));
}

/** The middle one of the values in order, or undefined when there are none. */
export function median<Value extends string | number>(values: readonly Value[]): Value | undefined {
  const sorted = [...values].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return sorted[Math.floor(sorted.length / 2)];
}

/** The value that occurs most often. */
export function mostFrequent(values: readonly string[]): string | undefined {
  const frequencies = new Map<string, number>();
  for (const value of values) frequencies.set(value, (frequencies.get(value) ?? 0) + 1);
  return [...frequencies].sort((one, other) => other[1] - one[1])[0]?.[0];
}
