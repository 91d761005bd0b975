import { expect, test } from "vitest";
import { addressOf, formAt } from "../../../dashboard/src/explorer/address.ts";
import { datasets, parametersOf } from "../../../dashboard/src/explorer/datasets.ts";
import { changed, cleared, filtered, opened, paged, switched } from "../../../dashboard/src/explorer/form.ts";
import { csvRequestFor, requestFor } from "../../../dashboard/src/explorer/request.ts";
import { funderList } from "../../../shared/validation/funders.ts";
import { contractList, grantList } from "../../../shared/validation/opportunities.ts";
import { semanticSearch } from "../../../shared/validation/semantic-search.ts";

const base = "https://api.example/functions/v1";
const id = "cb75c555-bd5f-891d-a251-07bba87727b9";

test("a list's request has the parameters that were given, and no others", () => {
  const values = { search: " water ", search_mode: "hybrid", states: "", query: "of another dataset", limit: "5" };
  expect(requestFor({ dataset: "grants", values }, base)).toEqual({
    method: "GET",
    url: `${base}/grants-api?search=water&search_mode=hybrid&limit=5`,
  });
  expect(requestFor({ dataset: "funders", values: {} }, base).url).toBe(`${base}/funders-api`);
});

test("a semantic search is a body, with numbers as numbers", () => {
  expect(requestFor({ dataset: "semantic", values: { query: "lakes", limit: "3", id } }, base)).toEqual({
    method: "POST",
    url: `${base}/semantic-search`,
    body: { query: "lakes", limit: 3 },
  });
});

test("with an id it asks for one record, with none of the list's parameters", () => {
  const values = { search: "water", limit: "5", facets: "states", expand: "details", id: `${id} ` };
  expect(requestFor({ dataset: "contracts", values }, base).url).toBe(`${base}/contracts-api/${id}?expand=details`);
  expect(requestFor({ dataset: "funders", values: { id: "a/b" } }, base).url).toBe(`${base}/funders-api/a%2Fb`);
});

test("a file has all records that match, and not one page of them", () => {
  const values = { search: "water", sort_by: "title", limit: "5", offset: "5", cursor: "c", facets: "states", id };
  expect(csvRequestFor({ dataset: "grants", values }, base).url).toBe(
    `${base}/grants-api?search=water&sort_by=title&format=csv`,
  );
  expect(csvRequestFor({ dataset: "funders", values: {} }, base).url).toBe(`${base}/funders-api?format=csv`);
});

test("the form has every parameter of the API but the deprecated one, and the format, which is a button", () => {
  const names = { grants: grantList, contracts: contractList, funders: funderList, semantic: semanticSearch };
  for (const { value } of datasets) {
    const { main, more } = parametersOf[value];
    const form = [...main, ...more].map(({ name }) => name).filter((name) => name !== "id");
    const missing = names[value].names.filter((name) => !["geography", "format"].includes(name));
    expect(form.toSorted(), value).toEqual(missing.toSorted());
  }
});

test("a cursor goes when the list that it was made for does", () => {
  const form = { dataset: "grants" as const, values: { search: "water", cursor: "c" } };
  expect(changed(form, "search", "lake").values).toEqual({ search: "lake" });
  expect(changed(form, "expand", "details").values).toEqual({ search: "water", cursor: "c", expand: "details" });
  expect(filtered(form, "states", "OH").values).toEqual({ search: "water", states: "OH" });
  expect(paged({ ...form, values: { search: "water", offset: "5" } }, "d").values).toEqual({
    search: "water",
    cursor: "d",
  });
  expect(paged(form, "").values).toEqual({ search: "water" });
});

test("a record is opened beside the list's parameters, which stay for the way back, and is none of another dataset", () => {
  const form = { dataset: "semantic" as const, values: { query: "lakes" } };
  expect(opened(form, "contracts", id)).toEqual({ dataset: "contracts", values: { query: "lakes", id } });
  expect(cleared(form)).toEqual({ dataset: "semantic", values: {} });
  expect(switched({ dataset: "grants", values: { search: "water", cursor: "c", id } }, "funders")).toEqual({
    dataset: "funders",
    values: { search: "water" },
  });
});

test("a facet's value filters by all of it, also where it has the sign that separates names", () => {
  const form = filtered(
    { dataset: "contracts", values: { agency: "Navy | Army" } },
    "agency",
    "Parks | Recreation, City of",
  );
  expect(form.values).toEqual({ agency: "Parks || Recreation, City of" });
  expect(requestFor(form, base).url).toBe(`${base}/contracts-api?agency=Parks+%7C+Recreation%2C+City+of`);
  expect(formAt(addressOf(form))).toEqual(form);
});

test("a request's address fills in the form with all values of a repeated parameter", () => {
  const query = "dataset=grants&category=Health&category=A%7CB&states=OH&states=PA";
  const form = formAt(query);
  expect(form?.values).toEqual({ category: "Health | A||B", states: "OH,PA" });
  expect(form && requestFor(form, base).url).toBe(`${base}/grants-api?states=OH%2CPA&category=Health&category=A%7CB`);
  expect(formAt("dataset=people")).toBeUndefined();
});
