import { afterAll, beforeAll, expect, test } from "vitest";
import { sealRecords } from "../../database/lexicon/seal.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";
import { importText } from "../unit/ingest/helpers.ts";

const titles = [
  "Zorbine care for HIV/AIDS",
  "Zorbine care for people with HIV",
  "Zorbine dredging for the U.S. Army Corps",
  "Zorbine bridges of the US Army Corps",
  "Zorbine relief under P.L. 117-58",
  "Zorbine tests for COVID-19",
  "Zorbine tests for COVID 19 at school",
  "Zorbine housing for low-income families",
  "Zorbine heating for low income families",
  "Zorbine maps of water.Soil too",
  "Zorbine plans of <Head of Office> for <a@b.example>",
];
const [hivAids, hiv, dottedArmy, plainArmy, publicLaw, covidDash, covid, lowDash, low, soil, brackets] = titles;
const without = (...left: (string | undefined)[]) => titles.filter((title) => !left.includes(title)).sort();

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
  const rows = titles.map((title, index) => JSON.stringify({ id: `${index}`, title, funder: "Bureau of Zorbine" }));
  const result = await importText(service.connection, "ndjson", rows.join("\n"), { dataset: "grants" });
  expect(result).toMatchObject({ inserted: titles.length, rejects: [] });
});
afterAll(() => service.close());

/** Titles of ours that a search finds, in alphabetical order. */
async function found(query: Record<string, string>): Promise<string[]> {
  const path = `/grants-api?${new URLSearchParams({ opportunity_type: "all", limit: "100", ...query })}`;
  const response = await service.fetch(path, { headers: bearer(key) });
  expect(response.status, path).toBe(200);
  const { results } = (await response.json()) as { results: { title: string }[] };
  return results
    .map(({ title }) => title)
    .filter((title) => titles.includes(title))
    .sort();
}

const searches: [string, (string | undefined)[]][] = [
  ["zorbine HIV", [hivAids, hiv]],
  ["zorbine HIV/AIDS", [hivAids]],
  ["zorbine AIDS", [hivAids]],
  ["zorbine US Army Corps", [dottedArmy, plainArmy]],
  ["zorbine U.S. Army Corps", [dottedArmy, plainArmy]],
  ["zorbine PL 117 58", [publicLaw]],
  ["zorbine COVID 19", [covidDash, covid]],
  ["zorbine COVID-19", [covidDash, covid]],
  ["zorbine low income", [lowDash, low]],
  ["zorbine low-income", [lowDash, low]],
  ["zorbine soil", [soil]],
  ["zorbine water and/or soil", [soil]],
  ["zorbine head office", [brackets]],
  ["zorbine <Head of Office>", [brackets]],
  ['"plans of <Head of Office>"', [brackets]],
  ["zorbine a@b.example", [brackets]],
  ["zorbine plans<head>office", [brackets]],
];

const expectAll = async () => {
  for (const [search, wanted] of searches) expect(await found({ search }), search).toEqual([...wanted].sort());
};

test("a search finds words however they are joined, in the record and in the search", expectAll);

test("so it does in records that are sealed", async () => {
  await service.connection.query("select funding.seal('grants', 1)");
  await sealRecords(service.connection);
  await expectAll();
});

test.each([
  ["sort_by", "relevance"],
  ["search_mode", "hybrid"],
])("so does a ranking by %s=%s", async (name, value) => {
  for (const [search, wanted] of searches) {
    expect(await found({ search, [name]: value }), search).toEqual(expect.arrayContaining(wanted));
  }
});

test.each([{}, { sort_by: "relevance" }, { search_mode: "hybrid" }])(
  "a dash before joined words excludes them, %j",
  async (query) => {
    expect(await found({ search: "zorbine -low-income", ...query })).toEqual(without(lowDash, low));
    expect(await found({ search: "zorbine -HIV/AIDS", ...query })).toEqual(without(hivAids));
    expect(await found({ search: "zorbine -U.S.", ...query })).toEqual(without(dottedArmy, plainArmy));
  },
);

test("an explanation names the words that were looked for", async () => {
  const path = `/grants-api?${new URLSearchParams({ search: "HIV/AIDS in the U.S.", sort_by: "relevance", explain: "true", opportunity_type: "all" })}`;
  const response = await service.fetch(path, { headers: bearer(key) });
  const { meta } = (await response.json()) as { meta: { understood: { words: { word: string }[] } } };
  expect(meta.understood.words.map(({ word }) => word)).toEqual(["HIV", "AIDS", "US"]);
});
