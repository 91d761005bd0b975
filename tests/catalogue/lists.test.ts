import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { facetsOf, type Listing, listingPath, readListing } from "../../functions/catalogue/listing.ts";
import { bearer, openTestService, type TestService, testOrigin } from "../support/service.ts";
import { Page } from "./page.ts";

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

async function open(path: string): Promise<Page> {
  const response = await service.send(new Request(`${testOrigin}${path}`));
  const markup = await response.text();
  expect([response.status, path], markup).toEqual([200, path]);
  return new Page(markup);
}

/** Total that a page tells. */
const totalOf = (page: Page) => Number(/^([\d,]+)/.exec(page.text("h2", { id: "results" }))?.[1]?.replaceAll(",", ""));

async function totalInApi(path: string): Promise<number> {
  const response = await service.fetch(path, { headers: bearer(key) });
  return ((await response.json()) as { total: number }).total;
}

test("the first page lists what the API lists, twenty a page, what closes soonest first", async () => {
  const page = await open("/funding");
  const total = await totalInApi("/grants-api?status=open,upcoming&count_only=true");
  const list = await service.fetch("/grants-api?status=open,upcoming&sort_by=deadline_date&order=asc", {
    headers: bearer(key),
  });
  const { results } = (await list.json()) as { results: { id: string }[] };
  const listed = page.links().filter((link) => link.startsWith("/grants/"));
  expect(totalOf(page)).toBe(total);
  expect(listed.map((link) => link.slice(-36))).toEqual(results.map(({ id }) => id));
  expect(page.isHidden()).toBe(false);
});

test("next and back lead through the list without a gap", async () => {
  const first = await open("/funding?category=Education");
  const next = first.all("a", { rel: "next" })[0]?.attributes.href ?? "";
  const second = await open(next);
  const back = second.all("a", { rel: "prev" })[0]?.attributes.href ?? "";
  const records = (page: Page) => page.links().filter((link) => link.startsWith("/grants/"));
  expect(next).toBe("/funding?category=Education&page=2");
  expect(back).toBe("/funding?category=Education");
  expect(new Set([...records(first), ...records(second)]).size).toBe(records(first).length + records(second).length);
  expect([first.isHidden(), second.isHidden()]).toEqual([true, true]);
});

describe.each(["grants", "contracts"] as const)("facets of %s", (dataset) => {
  const start = dataset === "grants" ? "/funding?sort=newest" : "/funding?dataset=contracts&sort=newest";

  test("lead to as many records as they say", async () => {
    const page = await open(start);
    const shown = facetsOf(dataset).filter((name) => page.all("h3", { id: `facet-${name}` }).length > 0);
    expect(shown.length).toBeGreaterThan(3);
    for (const name of shown) {
      const links = page.all("a").filter(({ attributes: { href = "" } }) => new RegExp(`[?&]${name}=`).test(href));
      expect(links.length, name).toBeGreaterThan(0);
      for (const { attributes, text } of links.slice(0, 3)) {
        const count = Number(/([\d,]+)$/.exec(text)?.[1]?.replaceAll(",", ""));
        expect([attributes.href, totalOf(await open(attributes.href ?? ""))]).toEqual([attributes.href, count]);
      }
    }
  });
});

test("a chip takes its filter away, and leaves the others", async () => {
  const page = await open("/funding?search=water&states=OH&states=PA&min_amount=1000");
  const chips = page.all("a").filter(({ text }) => text.endsWith("remove"));
  expect(chips.map(({ text }) => text.replace(/ ×.*/, ""))).toEqual([
    "“water”",
    "States: Ohio",
    "States: Pennsylvania",
    "Amount from, $: 1000",
  ]);
  expect(chips.map(({ attributes }) => attributes.href)).toEqual([
    "/funding?states=OH&states=PA&min_amount=1000",
    "/funding?search=water&states=PA&min_amount=1000",
    "/funding?search=water&states=OH&min_amount=1000",
    "/funding?search=water&states=OH&states=PA",
  ]);
});

test("forms keep what they do not change", async () => {
  const page = await open("/funding?dataset=contracts&search=roof&states=OH&sort=newest");
  const fields = page.all("input", { type: "hidden" }).map(({ attributes: { name, value } }) => `${name}=${value}`);
  expect(fields).toEqual([
    ...["dataset=contracts", "states=OH", "sort=newest"],
    ...["dataset=contracts", "search=roof", "states=OH", "sort=newest"],
  ]);
});

test("empty fields and parameters of others are passed over, and a page is the same without them", async () => {
  const page = await open("/funding?search=&min_amount=&utm_source=mail&limit=100&format=csv&page=0");
  expect(page.canonical()).toBe(`${testOrigin}/funding`);
});

test.each(["/funding?min_amount=much", "/funding?states=ZZ", `/funding?search=${"x".repeat(4_001)}`])(
  "%s says what is wrong with it",
  async (path) => {
    const response = await service.send(new Request(`${testOrigin}${path}`));
    expect(response.status).toBe(400);
    expect(new Page(await response.text()).text("h1")).toBe("This address cannot be read");
  },
);

test("hostile words of a search are shown as text", async () => {
  const search = `"><script>alert(1)</script>`;
  const page = await open(`/funding?search=${encodeURIComponent(search)}`);
  expect(page.all("script").map(({ text }) => text)).toEqual([""]);
  expect(page.all("input", { id: "search" })[0]?.attributes.value).toBe(search);
});

test("a list of nothing says what to do", async () => {
  const page = await open("/funding?search=zzzzqqqq");
  expect(page.text("main")).toContain("Nothing matches all of this.");
  expect(page.links()).toContain("/funding?search=zzzzqqqq&past=yes");
});

test("topics and states have pages of their own, which lead into the list", async () => {
  const entrance = await open("/funding");
  const topic = entrance.links().find((link) => link.startsWith("/topics/")) ?? "";
  const page = await open(topic);
  expect([page.canonical(), page.isHidden()]).toEqual([`${testOrigin}${topic}`, false]);
  expect(page.all("a", { rel: "next" })[0]?.attributes.href).toMatch(/^\/funding\?category=.*&page=2$/);
  expect((await open("/states/OH")).text("h1")).toBe("Grants in Ohio");
  expect(totalOf(await open("/states/OH"))).toBe(totalOf(await open("/funding?states=OH")));
});

test("every state of a list has an address, from which the same is read", async () => {
  const listings = fc.record({
    dataset: fc.constantFrom("grants" as const, "contracts" as const),
    search: fc.option(fc.constantFrom("water", "a & b", 'x="1"', "ünï"), { nil: undefined }),
    chosen: fc
      .record(
        {
          status: fc.constant(["closed", "open"]),
          states: fc.subarray(["OH", "PA"], { minLength: 1 }),
          category: fc.subarray(["Food, and Nutrition", "Education"], { minLength: 1 }),
          agency: fc.constant(["A & B; C"]),
          exclude_category: fc.constant(["Health"]),
          min_amount: fc.constant(["1000"]),
          closing_within: fc.constant(["14"]),
          cost_sharing: fc.constant(["false"]),
          deadline_after: fc.constant(["today+14d"]),
        },
        { requiredKeys: [] },
      )
      .map((chosen) => new Map<string, readonly string[]>(Object.entries(chosen))),
    sort: fc.constantFrom("closing" as const, "newest" as const, "relevance" as const),
    page: fc.integer({ min: 1, max: 500 }),
    hasPast: fc.boolean(),
  });
  // The lists sort the values of a filter.
  const normal = ({ chosen, ...rest }: Listing) => ({
    ...rest,
    chosen: Object.fromEntries([...chosen].map(([name, values]) => [name, values.toSorted()])),
  });
  await fc.assert(
    fc.asyncProperty(listings, async (given) => {
      const listing =
        given.search === undefined && given.sort === "relevance" ? { ...given, sort: "closing" as const } : given;
      const read = await readListing(new URL(listingPath(listing), testOrigin).searchParams);
      expect(read.ok && normal(read.value)).toEqual(normal(listing));
    }),
    { numRuns: 200 },
  );
});
