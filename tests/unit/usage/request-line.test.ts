import fc from "fast-check";
import { expect, test } from "vitest";
import { recordParameters } from "../../../shared/catalogue/parameters.ts";
import { loggedNames, ourNames, requestLine } from "../../../shared/usage/request-line.ts";
import { readJsonBody } from "../../../shared/validation/body.ts";
import {
  opportunitySearch,
  organizationPages,
  profileParameters,
  searchPages,
} from "../../../shared/validation/common-grants.ts";
import { documentParameters } from "../../../shared/validation/documents.ts";
import { funderList } from "../../../shared/validation/funders.ts";
import { contractList, grantList } from "../../../shared/validation/opportunities.ts";
import { changesParameters, readQuery } from "../../../shared/validation/query.ts";
import { semanticSearch } from "../../../shared/validation/semantic-search.ts";
import { suggestions } from "../../../shared/validation/suggestions.ts";
import { runs } from "../../support/properties.ts";

/** A finished request for grants. */
const finished = (query: string) => ({
  requestId: "1",
  request: new Request(`https://api.example/functions/v1/grants-api${query}`),
  at: "2026-11-28T00:00:00Z",
  elapsedMs: 1,
  segments: {},
  body: undefined,
  problem: undefined,
  headers: new Headers({ "X-RateLimit-Remaining": "9", "X-Other": "1" }),
});

// The names are written out, so that a list of grants does not load the schemas of all endpoints.
test("the log knows the parameters of every endpoint, and no others", () => {
  const endpoints = [
    grantList,
    contractList,
    funderList,
    semanticSearch,
    suggestions,
    documentParameters,
    organizationPages,
    profileParameters,
  ];
  const names = [...endpoints, recordParameters("grants"), changesParameters].flatMap(({ names }) => names);
  expect([...loggedNames].sort()).toEqual([...new Set(names)].sort());
  const ofBodies = [...opportunitySearch.names, ...searchPages.names];
  expect([...ourNames].sort()).toEqual([...new Set([...names, ...ofBodies])].sort());
});

test("the log has every value of a list that was given several times", () => {
  const line = requestLine(finished("?states=OH&limit=5&states=PA"));
  expect(line.parameters).toEqual({ states: "OH,PA", limit: "5" });
});

test("the log has no name that is not the API's, however it was refused", () => {
  const name = fc.oneof(
    fc.constantFrom("hunter2", "acces_token=hunter2", "filters.hunter2", "a.b.hunter2", "%68unter2", "hunter2%"),
    fc.string({ maxLength: 90 }).map((text) => `hunter2${encodeURIComponent(text.toWellFormed())}`),
    fc.string({ maxLength: 70 }).map((text) => `${encodeURIComponent(text.toWellFormed())}hunter2`),
  );
  const query = fc.array(fc.oneof(name, fc.constantFrom("limit=0", "states=CA", "limit=5")), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(query, (pairs) => {
      const search = pairs.map((pair) => (pair.includes("=") ? pair : `${pair}=1`)).join("&");
      const read = readQuery(search, grantList);
      const line = requestLine({ ...finished(`?${search}`), problem: read.ok ? undefined : read.problem });
      expect(JSON.stringify(line)).not.toContain("hunter2");
    }),
    { numRuns: runs(300) },
  );
});

test("the log has every wrong field, and of the answer's headers its own", () => {
  const read = readQuery("?limit=0&hunter2=1&states=XX&search=hunter2", grantList);
  const line = requestLine({
    ...finished("?limit=0&hunter2=1&states=XX&search=hunter2"),
    problem: read.ok ? undefined : read.problem,
  });
  expect(line.errors?.map(({ parameter }) => parameter).toSorted()).toEqual(["limit", "states", "…"]);
  expect(line.errors?.find(({ parameter }) => parameter === "…")?.message).toBe("is not a parameter of this endpoint");
  expect(line.head).toEqual({ "X-RateLimit-Remaining": "9" });
  const many = Array.from({ length: 30 }, (_, index) => ({ parameter: "states", message: `wrong ${index}` }));
  const problem = { name: "invalid-parameters" as const, detail: "", errors: many };
  expect(requestLine({ ...finished(""), problem }).errors).toHaveLength(10);
});

test("of a body's unknown field the log has the object's name alone", async () => {
  for (const [body, start] of [
    [{ hunter2: 1 }, "… is not a field"],
    [{ filters: { hunter2: 1 } }, "filters.… is not a field"],
    [{ filters: { "hunter2.a": 1 } }, "filters.… is not a field"],
  ] as const) {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const read = await readJsonBody(new Request("https://api.example", init), opportunitySearch);
    const line = requestLine({ ...finished(""), problem: read.ok ? undefined : read.problem });
    expect(line.detail).toContain(start);
    expect(JSON.stringify(line)).not.toContain("hunter2");
  }
});
