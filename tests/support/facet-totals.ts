import { expect } from "vitest";
import { facetNames } from "../../shared/catalogue/parameters.ts";

/** Parameters of a list. */
export type Query = Record<string, string | number | boolean | readonly string[]>;

export const facetsOf: Readonly<Record<string, readonly string[]>> = {
  "grants-api": facetNames("grants"),
  "contracts-api": facetNames("contracts"),
  "funders-api": facetNames("funders"),
};

/** With `facets_sort_by=amount`, each value has the dollars of its awards. */
type Facets = Record<string, { value: string; count: number; amount?: number | null }[]>;

/** A grant or contract with its details, as far as its dollars go. */
interface Worth {
  amount_max: number | null;
  project_end_date?: string | null;
  details: { obligated_amount: number | null };
}

/**
 * Holds every facet's count to the total of the list with its value chosen, and the values of a facet to be different choices. Amounts, where they are
 * asked for, are the dollars of that list's awards.
 *
 * @param ask the JSON of a path.
 * @param choose values of a facet to compare; by default, all.
 * @returns how many values were compared.
 */
export async function expectFacetTotals(
  ask: (path: string) => Promise<unknown>,
  name: string,
  query: Query,
  choose: <Value>(values: readonly Value[]) => readonly Value[] = (values) => values,
): Promise<number> {
  const pathOf = (more: Query) =>
    `/${name}?${new URLSearchParams(
      Object.entries({ ...query, ...more }).flatMap(([key, value]) => [value].flat().map((one) => [key, String(one)])),
    )}`;
  const asked = facetsOf[name] ?? [];
  const { total, facets } = (await ask(pathOf({ facets: asked.join(","), count_only: true }))) as {
    total: number;
    facets: Facets;
  };
  expect(Object.keys(facets)).toEqual(asked);
  let compared = 0;
  for (const [facet, values] of Object.entries(facets)) {
    expect(new Set(values.map(({ value }) => value)).size, `${facet}: each value once`).toBe(values.length);
    const counts = values.map(({ count }) => count);
    if (query.facets_sort_by === "amount") {
      const amounts = values.map(({ amount }) => amount ?? Number.NEGATIVE_INFINITY);
      expect(amounts, `${facet}: the most dollars first`).toEqual(amounts.toSorted((one, other) => other - one));
    } else {
      expect(counts, `${facet}: most frequent first`).toEqual(counts.toSorted((one, other) => other - one));
      expect(Object.keys(values[0] ?? { value: "", count: 0 })).toEqual(["value", "count"]);
    }
    for (const { value, count, amount } of choose(values)) {
      const chosen = pathOf({ [facet]: value, count_only: true });
      expect([chosen, await ask(chosen)]).toEqual([chosen, { total: count }]);
      if (query.facets_sort_by === "amount") {
        expect([chosen, amount]).toEqual([
          chosen,
          await dollarsOf(ask, (page) => pathOf({ ...page, [facet]: value }), count),
        ]);
      }
      compared++;
    }
  }
  // Every record has one status.
  if (query.facets_mode !== "disjunctive" || query.status === undefined) {
    expect(
      facets.status?.reduce((sum, { count }) => sum + count, 0),
      pathOf({}),
    ).toBe(total);
  }
  return compared;
}

/** Dollars of a list's awards; null where none has any. */
async function dollarsOf(
  ask: (path: string) => Promise<unknown>,
  pathOf: (page: Query) => string,
  total: number,
): Promise<number | null> {
  const dollars: number[] = [];
  for (let offset = 0; offset < total; offset += 100) {
    const page = await ask(pathOf({ offset, limit: 100, expand: "details" }));
    for (const record of (page as { results: Worth[] }).results) {
      const amount = record.details.obligated_amount ?? record.amount_max;
      if (record.project_end_date !== undefined && amount !== null) dollars.push(amount);
    }
  }
  return dollars.length === 0 ? null : dollars.reduce((sum, amount) => sum + amount, 0);
}
