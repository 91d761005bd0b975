import { beforeAll, describe, expect, test } from "vitest";
import { apiClient, idsOf, pathOf, type Query } from "./client.ts";
import {
  discoverQuery,
  discoverScope,
  discoverStates,
  discoverTwoStates,
  mostFrequent,
  populousStates,
  type Scope,
} from "./discover.ts";
import type { Opportunity } from "./schemas.ts";
import { difference, isSubset, union } from "./sets.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

describe.each(["grants-api", "contracts-api"] as const)("the places of GET /%s", (name) => {
  let scope: Scope<Opportunity>;
  let one: string;
  let other: string;
  beforeAll(async () => {
    let states: [string, string] | undefined;
    const suits = async (query: Query) => {
      states = await discoverTwoStates(client, name, query);
      return states !== undefined;
    };
    scope = await discoverScope(client, name, "search", suits);
    states ??= await discoverTwoStates(client, name, scope.query);
    if (states === undefined) throw new Error("no two states have records of their own, beside national ones");
    [one, other] = states;
  });

  const idsWith = async (filter: Query) => new Set(idsOf(await client.walk(name, { ...scope.query, ...filter })));

  test("states keeps some records, and other ones for another state", async () => {
    const [ofOne, ofOther] = await Promise.all([idsWith({ states: one }), idsWith({ states: other })]);
    expect(ofOne.size).toBeGreaterThan(0);
    expect(ofOne.size).toBeLessThan(scope.records.length);
    expect(difference(ofOne, ofOther).size).toBeGreaterThan(0);
    expect(difference(ofOther, ofOne).size).toBeGreaterThan(0);
  });

  test("several states are any of them, in any order", async () => {
    const ofBoth = union(await idsWith({ states: one }), await idsWith({ states: other }));
    expect(await idsWith({ states: `${one},${other}` })).toEqual(ofBoth);
    expect(await idsWith({ states: `${other},${one}` })).toEqual(ofBoth);
  });

  test("include_national=true adds the national records, the same ones to every state", async () => {
    const national = async (states: string) =>
      difference(await idsWith({ states, include_national: true }), await idsWith({ states }));
    const withOne = await national(one);
    expect(withOne.size).toBeGreaterThan(0);
    expect(await national(other)).toEqual(withOne);
    expect(await national(`${one},${other}`)).toEqual(withOne);
  });

  test("include_national=true keeps every state-specific record", async () => {
    const specific = await idsWith({ states: one });
    expect(isSubset(specific, await idsWith({ states: one, include_national: true }))).toBe(true);
    expect(await idsWith({ states: one, include_national: false })).toEqual(specific);
  });

  test("a state code may be in lower case", async () => {
    expect(await idsWith({ states: one.toLowerCase() })).toEqual(await idsWith({ states: one }));
  });

  describe("geography, deprecated", () => {
    test("finds a record by the location it shows, whatever the case", async () => {
      const geography = mostFrequent(scope.records.flatMap((record) => record.geography ?? []));
      if (geography === undefined) throw new Error("no record of the scope shows a location");
      const expected = new Set(idsOf(scope.records.filter((record) => record.geography === geography)));
      for (const written of [geography, geography.toUpperCase()]) {
        const found = await idsWith({ geography: written });
        expect(isSubset(expected, found), `${written} finds what shows ${geography}`).toBe(true);
        expect(found.size).toBeLessThan(scope.records.length);
      }
    });

    test("a place that no record shows finds nothing", async () => {
      expect((await idsWith({ geography: "no such place qzxv" })).size).toBe(0);
    });

    const hybrid = { search: "water", search_mode: "hybrid" };

    test("on hybrid search, a state's name or code means that state", async () => {
      const search = await discoverQuery(client, [name], "hybrid");
      const query = { search, search_mode: "hybrid", opportunity_type: "all" };
      const found = async (filter: Query) => idsOf(await client.walkRanked(name, { ...query, ...filter }));
      const [states] = await discoverStates(client, name, query);
      if (states === undefined) throw new Error(`no result for ${search} is specific to a state`);
      const byState = await found({ states });
      expect(byState.length).toBeGreaterThan(0);
      expect(await found({ geography: populousStates[states] ?? "" })).toEqual(byState);
      expect(await found({ geography: states })).toEqual(byState);
    });

    test.each([
      { what: "a list", query: {} },
      { what: "a count", query: { count_only: true } },
      { what: "a hybrid search", query: hybrid },
    ])("$what with it carries Deprecation (RFC 9745), as of 2026-06-10", async ({ query }) => {
      const { headers } = await target.send(pathOf(name, { ...query, geography: "Texas" }));
      expect(headers.get("deprecation")).toBe(`@${Date.parse("2026-06-10T00:00:00Z") / 1000}`);
    });

    test("an answer with it links to what to use instead", async () => {
      const { headers } = await target.send(pathOf(name, { geography: "Texas" }));
      expect(headers.get("link")).toMatch(/^<[^>]+>.*rel="?deprecation"?/);
    });

    test("without it, no answer carries Deprecation", async () => {
      const { headers } = await target.send(pathOf(name, { states: "TX" }));
      expect(headers.has("deprecation")).toBe(false);
    });
  });
});
