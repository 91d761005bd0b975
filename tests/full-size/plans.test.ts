import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { share } from "../support/properties.ts";
import { type Edges, edgesOf } from "./edges.ts";
import { indexesOf, isSorting, listPlans, nodesOf, plansOf, rowsRead, tablesScanned, withoutBitmaps } from "./plans.ts";
import { openService, type Service } from "./service.ts";

type Dataset = "grants" | "contracts";

/** A filter that keeps few records: the index that is made for it, and its query string. */
interface Filter {
  name: string;
  index: RegExp;
  query: (edges: Edges) => string;
}

const shared: Filter[] = [
  { name: "states", index: /_states$/, query: () => "states=ID" },
  { name: "several states", index: /_states$/, query: () => "states=ID,WY,VT" },
  { name: "geography", index: /_geography$/, query: () => "geography=Alaska" },
  { name: "min_amount", index: /_amount_max_/, query: (edges) => `min_amount=${edges.highAmount}` },
  { name: "max_amount", index: /_amount_min_/, query: (edges) => `max_amount=${edges.lowAmount}` },
  { name: "deadline_after", index: /_deadline_/, query: (edges) => `deadline_after=${edges.lastDeadline}` },
  {
    name: "deadline_before",
    index: /_deadline_/,
    query: (edges) => `deadline_before=${edges.firstDeadline}&include_archived=true`,
  },
  {
    name: "deadline_after with deadline_before",
    index: /_deadline_/,
    query: ({ deadlineWindow: [first, last] }) => `deadline_after=${first}&deadline_before=${last}`,
  },
  {
    name: "posted_after",
    index: /_listed$|_created_at$/,
    query: (edges) => `posted_after=${edges.lastPosted}`,
  },
  { name: "agency", index: /_detail_keys$/, query: () => "agency=Institute+of+Museum+and+Library+Services" },
  { name: "funder_id", index: /_funder$/, query: (edges) => `funder_id=${edges.funder}` },
  { name: "updated_after", index: /_updated_at$/, query: (edges) => `updated_after=${edges.lastUpdated}` },
  {
    name: "several of agency, without others",
    index: /_detail_keys$/,
    query: () =>
      "agency=Institute+of+Museum+and+Library+Services&agency=Inter-American+Foundation&exclude_category=health",
  },
];

const filters: Record<Dataset, Filter[]> = {
  grants: [
    ...shared,
    { name: "search", index: /_lexemes$/, query: () => "search=telehealth" },
    { name: "category", index: /_categories$/, query: () => "category=information+and+statistics" },
    { name: "status", index: /_status$|_listed$/, query: () => "status=upcoming" },
    { name: "assistance_listing", index: /_detail_keys$/, query: () => "assistance_listing=15.228" },
    {
      name: "several of category",
      index: /_categories$/,
      query: () => "category=information+and+statistics&category=none",
    },
    {
      name: "several of assistance_listing",
      index: /_detail_keys$/,
      query: () => "assistance_listing=15.228,15.229&exclude_assistance_listing=10.",
    },
    {
      name: "applicant_type",
      index: /_detail_keys$/,
      query: () => "applicant_type=individual&include_unrestricted=false",
    },
  ],
  contracts: [
    ...shared,
    { name: "search", index: /_lexemes$/, query: () => "search=roofing" },
    { name: "category", index: /_categories$/, query: () => "category=medical" },
    { name: "status", index: /_status$|_listed$/, query: () => "status=cancelled" },
    { name: "naics", index: /_naics$/, query: () => "naics=621210" },
    { name: "several of naics", index: /_naics$/, query: () => "naics=621210,6213&exclude_naics=11" },
    { name: "set_aside", index: /_set_aside$/, query: () => "set_aside=SDVOSBC" },
  ],
};

const sorts = ["created_at", "updated_at", "deadline_date", "amount_min", "amount_max", "title"];
const directions = ["asc", "desc"];
const ordered = sorts.flatMap((sort) => directions.map((direction) => ({ sort, direction })));

/** The indexes that have rows in the order of a sort. */
const sortIndexes: Record<string, RegExp> = {
  created_at: /_created_at$|_listed$/,
  updated_at: /_updated_at$/,
  deadline_date: /_deadline_/,
  amount_min: /_amount_min_/,
  amount_max: /_amount_max_/,
  title: /_title$/,
  name: /_name$/,
};

let service: Service;
beforeAll(async () => {
  service = await openService();
  await service.session.query("vacuum (analyze) funding.grants, funding.contracts, funding.funders");
});
afterAll(() => service.close());

const totalOf = async (path: string) => (await service.get<{ total: number }>(`${path}&count_only=true`)).total;

/** The records and what is said of their page. */
const pageOf = async (path: string) => {
  const { results, pagination } = await service.get<{ results: unknown[]; pagination: object }>(path);
  return { results, pagination };
};

/** Two filters together. Of one that both have, the second. */
const both = (one: string, other: string) =>
  new URLSearchParams(Object.fromEntries(new URLSearchParams(`${one}&${other}`))).toString();

describe.each(["grants", "contracts"] as const)("%s", (dataset) => {
  const path = (query: string) => `/${dataset}-api?${query}`;
  let edges: Edges;
  let records: number;
  /** The queries that read a table from end to end. */
  const scanning = async (queries: string[]) => {
    const found: string[] = [];
    for (const query of queries) {
      const { page, count } = await listPlans(service, path(query));
      if (tablesScanned(page).length + tablesScanned(count).length > 0) found.push(query);
    }
    return found;
  };
  beforeAll(async () => {
    edges = await edgesOf(service.session, dataset);
    records = await totalOf(path("opportunity_type=all&include_archived=true"));
  });

  describe.each(filters[dataset].map((filter, row) => ({ ...filter, row })))(
    "the filter $name",
    ({ name, index, query, row }) => {
      const others = share(filters[dataset], row);
      const orders = share(ordered, row);
      // No bitmap tells where a word is part of another, nor which of thousands of funders a record has, or when it changed.
      if (!["geography", "funder_id", "updated_after"].includes(name)) {
        test("is counted by bitmaps, without a look at a record", async () => {
          const statements = await plansOf(service, path(`${query(edges)}&count_only=true`));
          expect(statements.flatMap(({ plan }) => indexesOf(plan))).toContain("bitmaps_pkey");
          expect(statements.reduce((rows, { plan }) => rows + rowsRead(plan, dataset), 0)).toBe(0);
        });
      }

      test("has the same total by bitmaps and by a count, alone and with any other", async () => {
        const queries = [query(edges), ...others.map((other) => both(query(edges), other.query(edges)))];
        const totals = () => Promise.all(queries.map((query) => totalOf(path(query))));
        const byBitmaps = await totals();
        expect(byBitmaps).toEqual(await withoutBitmaps(service, totals));
        expect(byBitmaps[0]).toBeGreaterThan(0);
      });

      test("has the same pages by bitmaps and by an index, alone in every order and with any other in one", async () => {
        const orderQueries = orders.map(({ sort, direction }) => `sort_by=${sort}&order=${direction}`);
        const lists = [
          ...orderQueries.map((order) => `${query(edges)}&${order}`),
          ...others.map(
            (other, index) => `${both(query(edges), other.query(edges))}&${orderQueries[index % orderQueries.length]}`,
          ),
        ].flatMap((list) => [`${list}&limit=7`, `${list}&limit=4&offset=18`]);
        const pages = async () => {
          await service.session.query("truncate funding.pages");
          service.forgetLists();
          const found: unknown[] = [];
          for (const list of lists) found.push(await pageOf(path(list)));
          return found;
        };
        const byBitmaps = await pages();
        expect(byBitmaps).toEqual(await withoutBitmaps(service, pages));
      });

      test("is counted by its index where there are none", async () => {
        const { count } = await listPlans(service, path(query(edges)));
        // Few records are as soon counted from the index of what is listed, which has the fields of simple filters.
        expect(indexesOf(count).some((name) => index.test(name) || name.endsWith("_listed"))).toBe(true);
        expect(tablesScanned(count)).toEqual([]);
      });

      test("gives its page without a look at many more records than it keeps", async () => {
        const everything = "opportunity_type=all&include_archived=true";
        const kept = await totalOf(path(`${query(edges).replace("&include_archived=true", "")}&${everything}`));
        expect(kept).toBeGreaterThan(20);
        expect(kept).toBeLessThan(records * 0.13);
        const { page } = await listPlans(service, path(query(edges)));
        expect(tablesScanned(page)).toEqual([]);
        // Some thousands in the order of an index take as long as twice those that the filter keeps.
        expect(rowsRead(page, dataset)).toBeLessThanOrEqual(Math.max(2 * kept, 5_000));
      });

      test("scans no table in any order", async () => {
        expect(
          await scanning(orders.map(({ sort, direction }) => `${query(edges)}&sort_by=${sort}&order=${direction}`)),
        ).toEqual([]);
      });

      test("scans no table together with any other", async () => {
        expect(await scanning(others.map((other) => both(query(edges), other.query(edges))))).toEqual([]);
      });
    },
  );

  describe.each([
    "opportunity_type=open",
    "opportunity_type=awarded",
    "opportunity_type=all",
    "include_archived=true",
    "states=CA,TX&include_national=true",
    "status=open",
    "search=services",
  ])("the filter %s, which keeps many records,", (query) => {
    test("gives the newest in the order of an index, without a look at many", async () => {
      const { page } = await listPlans(service, path(query));
      expect(isSorting(page)).toBe(false);
      expect(tablesScanned(page)).toEqual([]);
      expect(rowsRead(page, dataset)).toBeLessThan(1_000);
    });
  });

  test.each(["opportunity_type=open", "opportunity_type=awarded", "opportunity_type=all"])(
    "%s is counted by its index, without the records",
    async (query) => {
      const { count } = await listPlans(service, path(query));
      expect(indexesOf(count)).toEqual([expect.stringMatching(/_listed$|_slot$/)]);
      expect(nodesOf(count).map((node) => node["Node Type"])).toContain("Index Only Scan");
    },
  );

  test("states with include_national are counted by two indexes where there are no bitmaps", async () => {
    const { count } = await listPlans(service, path("states=ID&include_national=true"));
    expect(indexesOf(count)).toEqual(
      expect.arrayContaining([expect.stringMatching(/_states$/), expect.stringMatching(/_national$/)]),
    );
    expect(tablesScanned(count)).toEqual([]);
  });

  test.each(
    ["created_at", "deadline_date", "amount_min", "amount_max"].flatMap((sort) =>
      directions.map((direction) => ({ sort, direction })),
    ),
  )("words and a filter find their page by bitmaps, $sort $direction, with a look at few records", async (order) => {
    const query = `search=services&states=CA,TX,NY&sort_by=${order.sort}&order=${order.direction}`;
    expect(await totalOf(path(query))).toBeGreaterThan(100);
    const statements = await plansOf(service, path(query));
    expect(statements.flatMap(({ plan }) => indexesOf(plan))).toEqual(
      expect.arrayContaining(["bitmaps_pkey", "segment_slices_pkey", `${dataset}_slot`]),
    );
    expect(statements.flatMap(({ plan }) => tablesScanned(plan))).not.toContain(dataset);
    // The candidates in order; then the page's rows, and one more that tells that another page follows.
    expect(statements.reduce((rows, { plan }) => rows + rowsRead(plan, dataset), 0)).toBeLessThan(100);
  });

  describe.each(ordered)("sort_by $sort $direction", ({ sort, direction }) => {
    test.each(["opportunity_type=open", "opportunity_type=all&include_archived=true"])(
      "has the order of its index for %s",
      async (query) => {
        const { page } = await listPlans(service, path(`${query}&sort_by=${sort}&order=${direction}`));
        expect(indexesOf(page, dataset)).toEqual([expect.stringMatching(sortIndexes[sort] ?? /^$/)]);
        expect(isSorting(page)).toBe(false);
        expect(rowsRead(page, dataset)).toBeLessThan(1_000);
      },
    );

    test("reaches offset 10,000 in the order of its index", async () => {
      const deep = `sort_by=${sort}&order=${direction}&offset=10000&limit=100`;
      const { page } = await listPlans(service, path(deep));
      expect(indexesOf(page, dataset)).toEqual([expect.stringMatching(sortIndexes[sort] ?? /^$/)]);
      expect(isSorting(page)).toBe(false);
      expect(rowsRead(page, dataset)).toBeLessThan(records / 2);
      service.forgetLists();
      const byIndex = await withoutBitmaps(service, () => pageOf(path(deep)));
      await service.session.query("truncate funding.pages");
      service.forgetLists();
      expect(await pageOf(path(deep))).toEqual(byIndex);
    });
  });

  test.each(["search=telehealth", "search=rural+broadband+access", "search=community+development&states=ID"])(
    "a hybrid search by %s reads no table from end to end",
    async (query) => {
      const statements = await plansOf(service, path(`${query}&search_mode=hybrid`));
      const indexes = statements.flatMap(({ plan }) => indexesOf(plan));
      expect(indexes).toContain("lexicon_pkey");
      expect(statements.flatMap(({ plan }) => tablesScanned(plan))).not.toContain(dataset);
    },
  );

  test("a hybrid search finds meanings by the vector index", async () => {
    const statements = await plansOf(service, path("search=clean+drinking+water&search_mode=hybrid"));
    expect(statements.flatMap(({ plan }) => indexesOf(plan))).toContainEqual(
      expect.stringMatching(new RegExp(`^${dataset}_vectors_[01]_usual$`)),
    );
  });

  test("a semantic search with a filter does so even where the planner thinks that dear", async () => {
    await service.session.query("set random_page_cost = 100");
    try {
      const statements = await plansOf(service, path("search=clean+water&search_mode=semantic&min_amount=1"));
      const comparing = statements.filter(({ text }) => text.includes("embedding <=>"));
      expect(comparing.map(({ plan }) => indexesOf(plan, `${dataset}_vectors_`))).toEqual([
        [expect.stringMatching(/_usual$/)],
      ]);
      expect(comparing.some(({ plan }) => isSorting(plan))).toBe(false);
    } finally {
      await service.session.query("reset random_page_cost");
    }
  });

  test("a semantic search leaves the planner's settings as they were", async () => {
    const { session } = service;
    const settings = async () =>
      (await session.query("select name, setting from pg_settings where name ~ '^(enable_|ivfflat)' order by name"))
        .rows;
    await session.query("begin");
    try {
      const before = await settings();
      await session.query("select * from funding.ranked($1, $2, 'semantic')", [
        dataset,
        { search: "clean water", search_mode: "semantic", min_amount: 1 },
      ]);
      expect(await settings()).toEqual(before);
    } finally {
      await session.query("rollback");
    }
  });

  test("a single record is found by its id, and its funder too", async () => {
    const list = await service.get<{ results: { id: string }[] }>(path("limit=1"));
    const statements = await plansOf(service, `/${dataset}-api/${list.results[0]?.id}`);
    const indexes = statements.flatMap(({ plan }) => indexesOf(plan));
    expect(indexes).toEqual(expect.arrayContaining([`${dataset}_pkey`, "funders_pkey"]));
    expect(statements.flatMap(({ plan }) => tablesScanned(plan))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(grants|contracts|funders)$/)]),
    );
  });
});

describe("funders", () => {
  test("a search is counted by the text index", async () => {
    const { page, count } = await listPlans(service, "/funders-api?search=telehealth");
    expect(indexesOf(count)).toEqual(["funders_lexemes"]);
    expect(tablesScanned(page)).toEqual([]);
  });

  describe.each(["name", "created_at"])("sort_by %s", (sort) => {
    test.each(directions.flatMap((direction) => [0, 5_000].map((offset) => ({ direction, offset }))))(
      "$direction has the order of its index at offset $offset",
      async ({ direction, offset }) => {
        const { page } = await listPlans(service, `/funders-api?sort_by=${sort}&order=${direction}&offset=${offset}`);
        expect(indexesOf(page)).toEqual([expect.stringMatching(sortIndexes[sort] ?? /^$/)]);
        expect(isSorting(page)).toBe(false);
        // One more than the page has, which says whether there is a next one.
        expect(rowsRead(page, "funders")).toBeLessThanOrEqual(offset + 21);
      },
    );
  });

  test("a single funder is found by its id", async () => {
    const list = await service.get<{ results: { id: string }[] }>("/funders-api?limit=1");
    const statements = await plansOf(service, `/funders-api/${list.results[0]?.id}`);
    const plans = statements.filter(({ text }) => text.includes("join funding.funders as record"));
    expect(plans.flatMap(({ plan }) => indexesOf(plan))).toEqual(["funders_pkey"]);
  });
});
