import { expect } from "vitest";
import { facetNames } from "../../shared/catalogue/parameters.ts";

/** Parameters of a list. */
export type Query = Record<string, string | number | boolean | readonly string[]>;

export const facetsOf: Readonly<Record<string, readonly string[]>> = {
  "grants-api": facetNames("grants"),
  "contracts-api": facetNames("contracts"),
  "funders-api": facetNames("funders"),
};

type Facets = Record<string, { value: string; count: number }[]>;

/**
 * Holds every facet's count to the total of the list with its value chosen, and the values of a facet to be different choices.
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
    expect(counts, `${facet}: most frequent first`).toEqual(counts.toSorted((one, other) => other - one));
    for (const { value, count } of choose(values)) {
      const chosen = pathOf({ [facet]: value, count_only: true });
      expect([chosen, await ask(chosen)]).toEqual([chosen, { total: count }]);
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
