import { afterAll, beforeAll, expect, test } from "vitest";
import { stem } from "../../shared/highlight/stem.ts";
import type { Highlight, Highlights } from "../../shared/responses/highlights.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openTestService();
  headers = bearer((await service.newKey()).key);
});
afterAll(() => service.close());

test("a stem is the one that the database makes of the word", async () => {
  const [{ words = [] } = {}] = await service.connection.query<{ words: string[] }>(
    `select array_agg(distinct word) as words
     from (select lower(title || ' ' || description) as text from funding.grants union all select lower(title || ' ' || description) from funding.contracts) as record,
       regexp_split_to_table(text, '[^a-z]+') as word
     where word <> ''`,
  );
  const endings =
    "s es ed ing ly ness ful less ation ational izer ality ously iveness ible able ment ements y ies ying".split(" ");
  const made = words.flatMap((word) => [word, ...endings.map((ending) => word + ending)]);
  const rows = await service.connection.query<{ word: string; stem: string }>(
    "select word, (ts_lexize('english_stem', word))[1] as stem from unnest($1::text[]) as word",
    [made],
  );
  const wrong = rows.filter((row) => row.stem !== null && row.stem !== stem(row.word));
  expect(rows.length).toBeGreaterThan(10_000);
  expect(wrong.slice(0, 20)).toEqual([]);
});

async function highlightsOf(query: Record<string, string>): Promise<Highlights[]> {
  const response = await service.fetch(`/grants-api?${new URLSearchParams({ highlight: "true", ...query })}`, {
    headers,
  });
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as { results: { highlights: Highlights }[] };
  return results.map(({ highlights }) => highlights);
}

const marked = (found: Highlights[]) =>
  found.flatMap((one) =>
    Object.values(one as Record<string, Highlight>).flatMap(({ text, ranges }) =>
      ranges.map(({ start, end }) => text.slice(start, end).toLowerCase()),
    ),
  );

test("a correction and a synonym are marked in a ranked search, and the excluded word is not", async () => {
  expect(marked(await highlightsOf({ search: "infrastrcture", search_mode: "hybrid" }))).toContain("infrastructure");
  expect(marked(await highlightsOf({ search: "kids", search_mode: "hybrid" }))).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(child|children|youth)/)]),
  );
  const words = marked(await highlightsOf({ search: "water -rural", search_mode: "hybrid" }));
  expect(words.length).toBeGreaterThan(0);
  expect(words.filter((word) => word.startsWith("rural"))).toEqual([]);
});

test.each(["semantic", "hybrid"])("what means something in a pattern is text in a %s search", async (search_mode) => {
  for (const search of ["c++ (water", "[a-z] water", "401(k) 2.5\\w* water|rural", "$^ é* water"]) {
    expect((await highlightsOf({ search, search_mode })).length, search).toBeGreaterThan(0);
  }
});

test("a phrase is marked as a whole", async () => {
  const words = marked(await highlightsOf({ search: '"clean water"' }));
  for (const word of words) expect(["clean", "water"]).toContain(word);
  expect(words.filter((word) => word === "clean")).toHaveLength(words.length / 2);
});

test("the number that was searched for is shown, wherever the record has it", async () => {
  const [record] = await service.connection.query<{ identifier: string }>(
    "select identifiers[1] as identifier from funding.grants where cardinality(identifiers) > 0 and classification = 'opportunity' and archived_at is null and identifiers[1] ~ '[0-9]' order by id limit 1",
  );
  const identifier = record?.identifier ?? "";
  const found = await highlightsOf({ search: identifier });
  expect(found.length).toBeGreaterThan(0);
  for (const one of found) expect(one.identifier?.ranges).toHaveLength(1);
});
