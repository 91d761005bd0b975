import { beforeAll, describe, expect, test } from "vitest";
import { apiClient, idsOf } from "./client.ts";
import { discoverScope, type Scope, wordsOf } from "./discover.ts";
import { type FilterRow, filterRows } from "./filter-rows.ts";
import { skipForMissingRecords } from "./missing-records.ts";
import type { OpportunityCollection, RecordOf } from "./schemas.ts";
import { contractTarget } from "./target.ts";

const client = apiClient(contractTarget());

filtersOf("grants-api", filterRows["grants-api"]);
filtersOf("contracts-api", filterRows["contracts-api"]);

/** Sections 4.1 and 4.3: each filter keeps exactly the records that its row says, and all of them. */
function filtersOf<Name extends OpportunityCollection>(name: Name, rows: FilterRow<RecordOf[Name]>[]): void {
  describe(`the filters of GET /${name}`, () => {
    let scope: Scope<RecordOf[Name]>;
    beforeAll(async () => {
      scope = await discoverScope(client, name);
    });

    for (const { guarantee, choose, keeps } of rows) {
      test(guarantee, async ({ skip }) => {
        const filter = choose(scope.records) ?? skipForMissingRecords(skip, "no record here has a value to filter by");
        const expected = scope.records.filter((record) => keeps(record, filter));
        expect(expected.length, "records that pass").toBeGreaterThan(0);
        expect(expected.length, "records that pass").toBeLessThan(scope.records.length);

        const found = await client.walk(name, { ...scope.query, ...filter });
        expect(idsOf(found).sort()).toEqual(idsOf(expected).sort());
      });
    }

    test("opportunity_type is open when absent, and all is open and awarded together", async () => {
      const { opportunity_type: _, ...query } = scope.query;
      const [absent, open, awarded, all] = await Promise.all([
        client.count(name, query),
        client.count(name, { ...query, opportunity_type: "open" }),
        client.count(name, { ...query, opportunity_type: "awarded" }),
        client.count(name, { ...query, opportunity_type: "all" }),
      ]);
      expect(absent).toBe(open);
      expect(all).toBe(open + awarded);
      expect(Math.min(open, awarded)).toBeGreaterThan(0);
    });

    test("deadline_after and deadline_before together are a window without its ends", async () => {
      const days = [...new Set(scope.records.map((record) => record.deadline_date))]
        .filter((day) => day !== null)
        .sort();
      const [deadline_after, inside, deadline_before] = days.slice(Math.floor(days.length / 2));
      if (deadline_after === undefined || inside === undefined || deadline_before === undefined) {
        throw new Error("the scope has too few deadlines");
      }
      const found = await client.walk(name, { ...scope.query, deadline_after, deadline_before });
      const expected = scope.records.filter((record) => record.deadline_date === inside);
      expect(idsOf(found).sort()).toEqual(idsOf(expected).sort());
      expect(await client.count(name, { ...scope.query, deadline_after: inside, deadline_before: inside })).toBe(0);
    });

    test.each([
      { filter: { category: "No Such Category" } },
      { filter: { posted_after: "9998-01-01" } },
      { filter: { deadline_before: "1000-01-01" } },
      { filter: { min_amount: Number.MAX_SAFE_INTEGER } },
      ...(name === "contracts-api" ? [{ filter: { status: "no such status" } }, { filter: { naics: "000000" } }] : []),
    ])("$filter, which nothing matches, is an empty list and not an error", async ({ filter }) => {
      const { results, pagination } = await client.list(name, { opportunity_type: "all", ...filter });
      expect(results).toEqual([]);
      expect(pagination).toMatchObject({ total: 0, returned: 0 });
    });
  });
}

describe("include_archived", () => {
  test.each(["grants-api", "contracts-api"] as const)(
    "GET /%s lists archived records only when asked",
    async (name) => {
      const all = { opportunity_type: "all" };
      const [without, explicitly, withArchived] = await Promise.all([
        client.count(name, all),
        client.count(name, { ...all, include_archived: false }),
        client.count(name, { ...all, include_archived: true }),
      ]);
      expect(explicitly).toBe(without);
      expect(withArchived, "this deployment has archived records").toBeGreaterThan(without);

      const archived = await anArchivedRecord(name, withArchived - without);
      const same = { ...all, search: wordsOf(archived.title).join(" "), posted_after: dayBefore(archived.created_at) };
      expect(idsOf(await client.walk(name, { ...same, include_archived: true }))).toContain(archived.id);
      expect(idsOf(await client.walk(name, same))).not.toContain(archived.id);
    },
  );

  /** Finds one by halving the time in which the latest of them was posted. */
  async function anArchivedRecord(name: OpportunityCollection, archivedOnes: number) {
    const archivedAfter = async (day: number) => {
      const query = { opportunity_type: "all", posted_after: isoDay(day) };
      const without = client.count(name, query);
      return (await client.count(name, { ...query, include_archived: true })) - (await without);
    };
    expect(archivedOnes).toBeGreaterThan(0);
    let low = 0;
    let high = Math.ceil(Date.now() / dayMs) + 1;
    while (high - low > 1) {
      const day = Math.floor((low + high) / 2);
      if ((await archivedAfter(day)) > 0) low = day;
      else high = day;
    }
    const query = {
      opportunity_type: "all",
      posted_after: isoDay(low),
      sort_by: "created_at",
      order: "asc",
      limit: 100,
    };
    const shown = new Set(idsOf((await client.list(name, query)).results));
    const { results } = await client.list(name, { ...query, include_archived: true });
    const archived = results.find(({ id }) => !shown.has(id));
    if (archived === undefined) throw new Error(`no archived record among the first posted after ${isoDay(low)}`);
    return archived;
  }

  const dayMs = 86_400_000;
  const isoDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
  const dayBefore = (moment: string) => new Date(Date.parse(moment) - dayMs).toISOString().slice(0, 10);
});
