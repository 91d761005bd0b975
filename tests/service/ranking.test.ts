import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadBatch } from "../../ingest/load.ts";
import { bearer, openTestService, type TestService } from "../support/service.ts";

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await openTestService();
  ({ key } = await service.newKey());
});
afterAll(() => service.close());

interface Found {
  id: string;
  title: string;
  relevance_score: number;
}

async function search(query: string, mode = "hybrid", more = ""): Promise<Found[]> {
  const path = `/grants-api?search=${encodeURIComponent(query)}&search_mode=${mode}&limit=100${more}`;
  const response = await service.fetch(path, { headers: bearer(key) });
  return ((await response.json()) as { results: Found[] }).results;
}

/** The BM25 scores of the best records, by the leg and by looking at every record's own words. */
async function keywordScores(
  query: string,
  filters: Record<string, unknown>,
): Promise<{ leg: number[]; exact: number[] }> {
  const parameters = JSON.stringify({ search: query, search_mode: "hybrid", ...filters });
  const { connection } = service;
  await connection.execute("set search_path = funding, extensions, public");
  const leg = await connection.query<{ score: number }>(
    `select unnest(leg.scores) as score
     from funding.keyword_candidates(funding.scope_of('grants', $1), funding.analyze_query($2), 50) as leg`,
    [parameters, query],
  );
  const [predicate] = await connection.query<{ text: string }>("select funding.predicate('grants', $1) as text", [
    parameters,
  ]);
  const exact = await connection.query<{ score: number }>(
    `select scored.score
     from funding.lexicon_fit as fit cross join funding.grants as record cross join funding.analyze_query($2) as asked
     cross join lateral funding.bm25_scores(record.lexemes, asked, fit) as scored
     where $1::jsonb is not null and record.lexemes @@ asked.any_term and ${predicate?.text}
     order by score desc limit 50`,
    [parameters, query],
  );
  const rounded = (rows: { score: number }[]) => rows.map(({ score }) => Math.round(score * 1000) / 1000);
  return { leg: rounded(leg), exact: rounded(exact) };
}

describe("the keyword leg finds what a look at every record finds", () => {
  beforeAll(async () => {
    await service.connection.execute("update funding.settings set value = '0' where name = 'floor_coverage'");
  });
  afterAll(async () => {
    await service.connection.execute("update funding.settings set value = '0.25' where name = 'floor_coverage'");
  });

  test.each([
    ["without a filter", {}],
    ["with one state", { states: ["TX"] }],
    ["with a status and an amount", { status: "posted", min_amount: 100000 }],
    ["with a category", { category: "Environment" }],
    ["with nothing left", { category: "No such category" }],
  ])("%s", async (_, filters) => {
    for (const query of ["rural health", "clean water for small towns", "school"]) {
      const { leg, exact } = await keywordScores(query, filters);
      expect(leg).toEqual(exact);
    }
  });

  test("also when a record came or changed after the last fit, or went", async () => {
    const { connection } = service;
    await connection.execute(`
      update funding.grants set description = description || ' Zanzibar gondola terminals, gondola after gondola.'
      where id in (select id from funding.grants where classification = 'opportunity' and archived_at is null order by id limit 2)`);
    const changed = await keywordScores("gondola terminals", {});
    expect(changed.leg).toEqual(changed.exact);
    expect((await search("Zanzibar gondola")).length).toBe(2);
    await connection.execute("delete from funding.grants where description like '%Zanzibar%'");
    expect(await search("Zanzibar gondola")).toEqual([]);
  });
});

describe("a query that names a record by number puts it first", () => {
  test("an opportunity number, in any case, in hybrid and semantic mode", async () => {
    const [row] = await service.connection.query<{ id: string; number: string }>(
      `select id, identifiers[1] as number from funding.grants
       where classification = 'opportunity' and archived_at is null and cardinality(identifiers) > 0 order by id limit 1`,
    );
    for (const mode of ["hybrid", "semantic"]) {
      const [first] = await search(` ${row?.number.toLowerCase()} `, mode);
      expect([first?.id, first?.relevance_score]).toEqual([row?.id, 1]);
    }
  });

  test("an assistance listing: all of its records, before any other", async () => {
    const [row] = await service.connection.query<{ listing: string; records: number }>(
      `select listing, count(*)::int as records from funding.grants, unnest(identifiers) as listing
       where listing ~ '^\\d\\d\\.\\d{3}$' and classification = 'opportunity' and archived_at is null
       group by 1 order by 2 desc, 1 limit 1`,
    );
    const found = await search(row?.listing ?? "");
    expect(found.filter(({ relevance_score }) => relevance_score === 1)).toHaveLength(row?.records ?? -1);
    expect(found[0]?.relevance_score).toBe(1);
  });
});

describe("a misspelling of one letter in a long word finds what the word finds", () => {
  test.each([
    ["watershed restoration", "watershad restoration"],
    ["opioid treatment", "opioid treatmnet"],
    ["broadband", "brodband"],
    ["veterans housing", "veterens housing"],
  ])("%s as %s", async (right, wrong) => {
    const best = (await search(right)).slice(0, 10).map(({ id }) => id);
    const found = (await search(wrong)).slice(0, 20).map(({ id }) => id);
    expect(best.filter((id) => found.includes(id)).length).toBeGreaterThanOrEqual(Math.min(5, best.length));
  });
});

describe("records that are equally relevant are ordered by id, ascending", () => {
  const title = "Broadband for rural libraries";
  beforeAll(async () => {
    const twins = Array.from({ length: 7 }, (_, index) => ({
      source: "twins",
      source_id: `twin-${index}`,
      title,
      description: "Pays for broadband in the libraries of rural counties.",
      status: "open",
      classification: "opportunity",
      funder_name: "Library Office",
      created_at: `2026-06-0${(index % 7) + 1}T00:00:00Z`,
      identifiers: [],
      categories: [],
      states: [],
    }));
    for (const dataset of ["grants", "contracts"] as const) {
      expect(await loadBatch(service.connection, dataset, twins as never)).toMatchObject({ refused: [] });
    }
  });

  test.each(
    ["grants", "contracts"].flatMap((dataset) =>
      ["keyword&sort_by=relevance", "semantic", "hybrid"].map((mode) => ({ dataset, mode })),
    ),
  )("$mode, $dataset", async ({ dataset, mode }) => {
    const page = async (limit: number, offset: number) => {
      const path = `/${dataset}-api?search=${encodeURIComponent(title)}&search_mode=${mode}&limit=${limit}&offset=${offset}`;
      const response = await service.fetch(path, { headers: bearer(key) });
      return ((await response.json()) as { results: Found[] }).results;
    };
    const found = await page(100, 0);
    const twins = found.filter((record) => record.title === title);
    expect(twins).toHaveLength(7);
    // By rank fusion equals have different scores: those of their ranks.
    if (mode === "semantic") expect(new Set(twins.map(({ relevance_score }) => relevance_score)).size).toBe(1);
    expect(twins.map(({ id }) => id)).toEqual(twins.map(({ id }) => id).sort());
    // Also where a page ends among them.
    const paged = [...(await page(3, 0)), ...(await page(3, 3)), ...(await page(3, 6))];
    expect(paged).toEqual(found.slice(0, 9));
  });
});
