import { expect } from "vitest";
import type { Suggestion } from "../../shared/responses/suggestions.ts";

/** Parameter of the lists that takes the values of a kind; of titles, none does. */
export const parameterOf: Readonly<Record<Suggestion["kind"], string | undefined>> = {
  agency: "agency",
  funder: "funder_id",
  category: "category",
  assistance_listing: "assistance_listing",
  naics: "naics",
  psc: "psc",
  set_aside: "set_aside",
  word: "search",
  title: undefined,
};

/** Expects each list to have as many records with a suggestion's value as the suggestion says. */
export async function expectSuggestionTotals(json: (path: string) => Promise<unknown>, suggestions: Suggestion[]) {
  for (const { kind, value, records, datasets } of suggestions) {
    const parameter = parameterOf[kind];
    let sum = 0;
    for (const [dataset, count] of Object.entries(datasets)) {
      const path =
        parameter === undefined
          ? `/${dataset}-api/${value}`
          : `/${dataset}-api?${new URLSearchParams({ [parameter]: value, count_only: "true" })}`;
      const answer = (await json(path)) as { total?: number };
      expect({ path, total: parameter === undefined ? 1 : answer.total }).toEqual({ path, total: count });
      sum += count ?? 0;
    }
    expect({ kind, value, records }).toEqual({ kind, value, records: sum });
  }
}
