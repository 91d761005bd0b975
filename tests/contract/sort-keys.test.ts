import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../support/properties.ts";
import { apiClient, idsOf, pathOf, type Query } from "./client.ts";
import { discoverQuery } from "./discover.ts";
import { contractTarget } from "./target.ts";

const target = contractTarget();
const client = apiClient(target);

type Row = Record<string, unknown> & { id: string };
interface Answer {
  results: Row[];
  pagination: { total: number; next: string | null };
  meta: { sort_by: string; order: string };
}

/** Compares two records by keys as the API writes them: nulls last, ties by id. */
function byKeys(keys: readonly string[]) {
  return (one: Row, other: Row) => {
    for (const key of keys) {
      const name = key.replace(/^-/, "");
      const [a, b] = [keyOf(one[name], name), keyOf(other[name], name)];
      if (a === b) continue;
      if (a === null) return 1;
      if (b === null) return -1;
      return (a < b ? -1 : 1) * (key.startsWith("-") ? -1 : 1);
    }
    return one.id < other.id ? -1 : 1;
  };
}

/** Titles are ordered without regard to case, by their first letters. */
function keyOf(value: unknown, name: string): string | number | null {
  if (name === "title" || name === "name") return String(value).toLowerCase();
  return value as string | number | null;
}

const orders = [
  ["grants-api", "deadline_date,-amount_max"],
  ["grants-api", "-deadline_date,amount_max,title"],
  ["grants-api", "-amount_min,-amount_max"],
  ["contracts-api", "amount_max,-deadline_date,created_at"],
  ["contracts-api", "-title,amount_min"],
  ["funders-api", "name,-created_at"],
  ["funders-api", "-created_at,name"],
] as const;

async function page(name: (typeof orders)[number][0], query: Query): Promise<Answer> {
  return (await client.json(pathOf(name, query))) as Answer;
}

describe.each(orders)("/%s?sort_by=%s", (name, sort_by) => {
  const everything: Query = name === "funders-api" ? {} : { opportunity_type: "all", include_archived: true };
  const keys = sort_by.split(",");

  test("orders by each key in its direction, nulls last and ties by id, from page to page by the cursor", async () => {
    for (const filter of [everything, name === "funders-api" ? { search: "water" } : { status: "open" }] as Query[]) {
      const rows: Row[] = [];
      let cursor: string | null = null;
      let total: number;
      do {
        const answer: Answer = await page(name, { ...filter, sort_by, limit: 37, ...(cursor && { cursor }) });
        expect(answer.meta).toMatchObject({ sort_by, order: sort_by.startsWith("-") ? "desc" : "asc" });
        rows.push(...answer.results);
        ({ next: cursor, total } = answer.pagination);
      } while (cursor !== null && rows.length < 1_000);
      if (cursor === null) expect(new Set(idsOf(rows)).size).toBe(total);
      expect(idsOf(rows)).toEqual(idsOf(rows.toSorted(byKeys(keys))));
    }
  });

  test("goes on without sort_by, and from an offset", async () => {
    const all = idsOf((await page(name, { ...everything, sort_by, limit: 20 })).results);
    const { next } = (await page(name, { ...everything, sort_by, limit: 5 })).pagination;
    expect(idsOf((await page(name, { ...everything, cursor: String(next), limit: 5 })).results)).toEqual(
      all.slice(5, 10),
    );
    expect(idsOf((await page(name, { ...everything, sort_by, limit: 7, offset: 13 })).results)).toEqual(all.slice(13));
  });
});

const combinable = {
  "grants-api": ["created_at", "deadline_date", "amount_min", "amount_max", "title"],
  "contracts-api": ["created_at", "deadline_date", "amount_min", "amount_max", "title"],
  "funders-api": ["name", "created_at"],
};
const anyOrder = fc
  .constantFrom("grants-api" as const, "contracts-api" as const, "funders-api" as const)
  .chain((name) =>
    fc.record({
      name: fc.constant(name),
      keys: fc
        .shuffledSubarray(combinable[name], { minLength: 1, maxLength: Math.min(3, combinable[name].length) })
        .chain((keys) => fc.tuple(...keys.map((key) => fc.constantFrom(key, `-${key}`)))),
      limit: fc.integer({ min: 1, max: 40 }),
      offset: fc.integer({ min: 0, max: 60 }),
      scope: fc.constantFrom<Query>({}, { search: "of" }, { states: "CA,OH" }, { include_archived: true }),
    }),
  );

test("pages by cursor are those by offset, of any keys, filter and size", async () => {
  await fc.assert(
    fc.asyncProperty(anyOrder, async ({ name, keys, limit, offset, scope }) => {
      // Funders have no states, and none is archived.
      const filter = name === "funders-api" ? { ...(scope.search !== undefined && scope) } : scope;
      const query = { ...filter, sort_by: keys.join(",") };
      const whole = idsOf((await page(name, { ...query, limit: 100, offset })).results);
      const ids: string[] = [];
      let { results, pagination } = await page(name, { ...query, limit, offset });
      ids.push(...idsOf(results));
      for (let pages = 1; pagination.next !== null && pages < 4; pages++) {
        ({ results, pagination } = await page(name, { ...filter, limit, cursor: pagination.next }));
        ids.push(...idsOf(results));
      }
      expect(ids.slice(0, 100)).toEqual(pagination.next === null ? whole : whole.slice(0, ids.length));
    }),
    { numRuns: runs(150) },
  );
});

test("of a ranked search they order what it found", async () => {
  const search = await discoverQuery(client, ["grants-api"], "hybrid");
  const query: Query = { search, search_mode: "hybrid", sort_by: "deadline_date,-amount_max" };
  const first = await page("grants-api", { ...query, limit: 6 });
  const second = await page("grants-api", { ...query, limit: 6, cursor: String(first.pagination.next) });
  const rows = [...first.results, ...second.results];
  expect(rows.length).toBeGreaterThan(6);
  expect(idsOf(rows)).toEqual(idsOf(rows.toSorted(byKeys(["deadline_date", "-amount_max"]))));
  expect(idsOf(rows)).toEqual(idsOf((await page("grants-api", { ...query, limit: 12 })).results));
});

test.each([
  ["-amount_max", "amount_max", "desc"],
  ["-title", "title", "desc"],
  ["-updated_at", "updated_at", "desc"],
])("a single %s is %s with order=%s", async (signed, sort_by, order) => {
  const { results, meta, pagination } = await page("grants-api", { sort_by: signed, limit: 5 });
  expect(meta).toMatchObject({ sort_by, order });
  const plain = await page("grants-api", { sort_by, order, limit: 5 });
  expect([results, pagination]).toEqual([plain.results, plain.pagination]);
  const cursor = String(pagination.next);
  expect((await page("grants-api", { sort_by: signed, cursor })).results).toEqual(
    (await page("grants-api", { cursor })).results,
  );
});

test("CSV has the order, beyond its first page", async () => {
  const query = { opportunity_type: "all", sort_by: "-amount_max,deadline_date", fields: "id" };
  const csv = await target.send(pathOf("grants-api", { ...query, format: "csv" }));
  const ids = (await csv.text()).trim().split("\r\n").slice(1);
  const rows: string[] = [];
  for (let offset = 0; offset < Math.min(ids.length, 700); offset += 100) {
    rows.push(...idsOf((await page("grants-api", { ...query, limit: 100, offset })).results));
  }
  expect(ids.slice(0, rows.length)).toEqual(rows);
});

const names = "created_at, updated_at, deadline_date, amount_min, amount_max, title, relevance";
test.each<[Query, string, string]>([
  [
    { sort_by: "deadline_date,amount" },
    "sort_by",
    `must be one of ${names}, or up to 3 of them, separated by commas, with - before those that descend`,
  ],
  [{ sort_by: "title,-title" }, "sort_by", "has title twice"],
  [{ sort_by: "relevance,title", search: "water" }, "sort_by", "cannot have relevance beside other keys"],
  [{ sort_by: "title,-updated_at" }, "sort_by", "cannot have updated_at beside other keys"],
  [{ sort_by: "title,amount_min,amount_max,created_at" }, "sort_by", "must be at most 3 keys"],
  [
    { sort_by: "title,amount_min", order: "asc" },
    "order",
    "cannot be combined with a sort_by of several keys, or with -: those say their directions",
  ],
  [
    { sort_by: "-title", order: "desc" },
    "order",
    "cannot be combined with a sort_by of several keys, or with -: those say their directions",
  ],
  [{ sort_by: "-relevance" }, "search", "is required when sort_by is relevance"],
])("%j is refused", async (query, parameter, message) => {
  expect((await client.refused(pathOf("grants-api", query), 400)).errors).toEqual([{ parameter, message }]);
});

test("a cursor of other keys is refused, and so is one that nobody was given", async () => {
  const { next } = (await page("grants-api", { sort_by: "title,-amount_max", limit: 1 })).pagination;
  const { errors } = await client.refused(
    pathOf("grants-api", { sort_by: "title,amount_max", cursor: String(next) }),
    400,
  );
  expect(errors).toEqual([
    {
      parameter: "cursor",
      message: "belongs to a list with sort_by=title,-amount_max; for sort_by=title,amount_max, start without a cursor",
    },
  ]);
  const [sort_by, order, key, id] = JSON.parse(Buffer.from(String(next), "base64url").toString());
  for (const forged of [
    [sort_by, "desc", key, id],
    [sort_by, order, key[0], id],
    [sort_by, order, [...key, 1], id],
    [sort_by, order, [key[0], "much"], id],
    ["title,-relevance", order, key, id],
    ["title,-amount_max,", order, key, id],
  ]) {
    const cursor = Buffer.from(JSON.stringify(forged)).toString("base64url");
    expect((await client.refused(pathOf("grants-api", { cursor }), 400)).errors?.[0]?.parameter).toBe("cursor");
  }
});
