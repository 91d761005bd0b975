import { expect, test } from "vitest";
import { describeSearch } from "../../../dashboard/src/saved-searches/describe-search.ts";
import { datasets } from "../../../shared/datasets.ts";
import { filterExamples } from "../../support/filter-examples.ts";

test.each(datasets)("a saved search of %s is described by each of its filters, with name and value", (dataset) => {
  for (const [name, examples] of Object.entries(filterExamples(dataset))) {
    for (const value of examples) {
      const said = describeSearch({ dataset, query: new URLSearchParams({ [name]: value }).toString() });
      expect(said).toMatch(new RegExp(`^${dataset}: [A-Za-z].+ `));
      expect(said.endsWith(` ${value}`), said).toBe(true);
    }
  }
  expect(describeSearch({ dataset, query: "" })).toBe(`All ${dataset}`);
});

test("a filter of a saved search has its name in the explorer", () => {
  expect(describeSearch({ dataset: "grants", query: "search=water&states=OH&posted_after=2026-06-10" })).toBe(
    "grants: search water, States OH, Posted after 2026-06-10",
  );
});
