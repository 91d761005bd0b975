import { describe, expect, test } from "vitest";
import { fieldsOf, othersAt, queryWith, valuesAt } from "../../../dashboard/src/webhooks/filter-values.ts";
import { isFilterParameter, readFilter } from "../../../functions/account-api/webhook-filter.ts";
import { datasets } from "../../../shared/datasets.ts";

describe("the form of a webhook's filter", () => {
  test.each(datasets)("of %s has fields of filters alone", (dataset) => {
    expect(fieldsOf(dataset).filter(({ name }) => !isFilterParameter(name))).toEqual([]);
  });

  test("reads a query string, also names with commas and a list that is repeated", () => {
    const query =
      "search=clean+water&search_in=all&states=OH&states=PA&category=Food,%20Nutrition&category=Health&include_national=true";
    expect(valuesAt("grants", query)).toEqual({
      search: "clean water",
      search_in: "all",
      states: "OH,PA",
      category: "Food, Nutrition | Health",
      include_national: "true",
    });
  });

  test("writes a query string that the API reads as the same filter", () => {
    const query = "search=clean+water&search_in=documents&category=Food,%20Nutrition&category=Health&states=OH";
    const written = Object.entries(valuesAt("grants", query)).reduce(
      (before, [name, value]) => queryWith("grants", before, name, value),
      "",
    );
    const parametersOf = (text: string) => {
      const read = readFilter("grants", text);
      return read.ok ? read.value.parameters : read.errors;
    };
    expect(parametersOf(written)).toEqual(parametersOf(query));
  });

  test("leaves what it has no field for, and takes an empty field away", () => {
    const query = "?include_versions=true&unknown=1&states=OH";
    expect(othersAt("grants", query)).toEqual(["unknown"]);
    expect(queryWith("grants", query, "states", " ")).toBe("include_versions=true&unknown=1");
    expect(queryWith("grants", query, "states", "OH,PA")).toBe("include_versions=true&unknown=1&states=OH,PA");
    expect(queryWith("grants", "", "states", "")).toBe("");
  });
});
