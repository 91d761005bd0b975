import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connection } from "../../database/connection.ts";
import { pgliteConnection } from "../../database/pglite.ts";
import type { GrantConditions } from "../../functions/common-grants/filters.ts";
import { datasets } from "../../shared/datasets.ts";
import { funderList } from "../../shared/validation/funders.ts";
import { contractList, grantList } from "../../shared/validation/opportunities.ts";
import { openEmptyDatabase } from "../support/service.ts";

const lists = { grants: grantList, contracts: contractList, funders: funderList };
/** Parameters of order, page and form. */
const others = [
  "sort_by",
  "order",
  "limit",
  "offset",
  "cursor",
  "facets",
  "facets_mode",
  "facets_sort_by",
  "count_only",
  "expand",
  "fields",
  "ids",
  "format",
  "archived_as_ids",
  "explain",
  "highlight",
  "passages",
];

/** Parameters of grants' lists that CommonGrants alone uses. */
const conditions: Record<keyof GrantConditions, true> = {
  statuses: true,
  deadline_range: true,
  amount_min_range: true,
  amount_max_range: true,
  total_funding_range: true,
  awarded_amount_range: true,
  posted_range: true,
  runs_on: true,
  awarded_under: true,
  project_end_before: true,
};

let connection: Connection;
beforeAll(async () => {
  connection = pgliteConnection(await openEmptyDatabase());
});
afterAll(() => connection.close());

test.each(datasets)(
  "every parameter of %s that filters is in the filter of a list, and in a webhook's",
  async (dataset) => {
    const filters = lists[dataset].names.filter((name) => !others.includes(name));
    expect(filters).toContain("search");
    if (dataset === "grants") filters.push(...Object.keys(conditions));
    // Each by itself: a mode of search is a filter, too, and one search has one mode.
    for (const name of filters) {
      const value = name === "search_mode" ? "hybrid" : "X";
      const [row] = await connection.query<{ filter: Record<string, unknown> }>(
        "select funding.filter_of($1, $2) as filter",
        [dataset, { [name]: value }],
      );
      expect(row?.filter, name).toEqual({ [name]: value });
    }
  },
);
