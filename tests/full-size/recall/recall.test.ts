import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readParameters } from "../../../bench/speed/list-requests.ts";
import { searchedVectors } from "../../support/vectors.ts";
import { openService, type Service } from "../service.ts";
import { ExactBm25, type WeightedTerms } from "./bm25.ts";
import { type Filter, filters, listed } from "./filters.ts";
import { everyday, queriesFrom } from "./queries.ts";
import { mean, recallAt } from "./recall.ts";

interface Page {
  results: { id: string }[];
  pagination: { total: number };
}

const least = 0.98;
const depths = [10, 50];

let service: Service;
let queries: string[];
/** The records that each filter keeps, by its query string. */
const kept = new Map<string, ReadonlySet<string>>();
/** Temporary table with a filter's records and their vectors. */
const tableOf = (filter: Filter) => `pg_temp.kept_${filters.indexOf(filter)}`;

const path = (query: string, filter: Filter, more: string) =>
  `/grants-api?search=${encodeURIComponent(query)}&${more}&${filter.query}`.replace(/&$/, "");

/** The API's results for a query, best first. */
async function found(query: string, filter: Filter, more: string): Promise<string[]> {
  const { results } = await ask(path(query, filter, `${more}&limit=50`));
  return results.map(({ id }) => id);
}

/** Asks the API within this suite's transaction, and leaves nothing of the request behind in it. */
async function ask(path: string): Promise<Page> {
  await service.session.query("savepoint request");
  const page = await service.get<Page>(path);
  await service.session.query("rollback to request");
  return page;
}

/** Prints how good a leg is under a filter, and holds it to what is asked of it. */
function report(leg: string, filter: Filter, recalls: number[][]): void {
  const figures = depths.map((depth, index) => {
    const each = recalls.map((recall) => recall[index] ?? 0);
    return `recall@${depth} ${mean(each).toFixed(4)} (worst ${Math.min(...each).toFixed(2)})`;
  });
  const share = `${filter.query || "no filter"}: ${kept.get(filter.query)?.size} records`;
  console.log(`${leg}, ${share}, ${recalls.length} queries: ${figures.join(", ")}`);
  for (const index of depths.keys()) {
    expect(mean(recalls.map((recall) => recall[index] ?? 0))).toBeGreaterThanOrEqual(least);
  }
}

beforeAll(async () => {
  service = await openService();
  queries = [...new Set(await queriesFrom(service.session))];
  // Floors cut lists short on purpose; here they would hide what an index lost. Nobody else sees them gone.
  await service.session.query(`
    begin;
    update funding.settings set value = '0' where name = 'floor_coverage';
    update funding.settings set value = '1' where name = 'semantic_share';
    update funding.settings set value = '{"lexicon": 0}' where name = 'floor_similarity'`);
  for (const filter of filters) {
    // Copied once: the table itself would be read anew for every query, most of it to be left out.
    await service.session.query(
      `create temporary table kept_${filters.indexOf(filter)} on commit drop as
       select record.id, known.embedding from funding.grants as record
       left join ${searchedVectors("grants")} as known on known.slot = record.slot where ${filter.condition}`,
    );
    const { rows } = await service.session.query<{ id: string }>(`select id from ${tableOf(filter)}`);
    kept.set(filter.query, new Set(rows.map(({ id }) => id)));
  }
});
afterAll(async () => {
  await service.session.query("rollback");
  await service.close();
});

test("the queries are many and the filters keep what they are said to", async () => {
  expect(queries.length).toBeGreaterThanOrEqual(60);
  const grants = await service.session.query<{ count: number }>(
    "select count(*)::integer as count from funding.grants",
  );
  const shares = filters.map(({ query }) => (kept.get(query)?.size ?? 0) / Number(grants.rows[0]?.count));
  for (const [index, share] of shares.entries()) {
    const wanted = { all: [0.5, 1], "10 %": [0.05, 0.2], "1 %": [0.005, 0.02], "0.1 %": [0.0003, 0.002] }[
      filters[index]?.keeps ?? ""
    ];
    expect(share).toBeGreaterThanOrEqual(wanted?.[0] ?? 1);
    expect(share).toBeLessThanOrEqual(wanted?.[1] ?? 0);
  }
});

describe("keyword ranking against BM25 over every record", () => {
  const asked = new Map<string, WeightedTerms>();
  let exact: ExactBm25;
  beforeAll(async () => {
    for (const query of queries) {
      const { rows } = await service.session.query<{ terms: string[] | null; weights: number[] | null }>(
        "select (asked).terms, (asked).term_weights::float8[] as weights from funding.analyze_query($1) as asked",
        [query],
      );
      const { terms, weights } = rows[0] ?? {};
      asked.set(query, new Map((terms ?? []).map((term, index) => [term, weights?.[index] ?? 0])));
    }
    exact = await ExactBm25.read(service.session, new Set([...asked.values()].flatMap((terms) => [...terms.keys()])));
  });

  test.each(filters)("with $query (keeps $keeps)", async (filter) => {
    const recalls: number[][] = [];
    const exactAmong = exact.among(kept.get(filter.query) ?? new Set());
    for (const query of queries) {
      const scores = exactAmong.scores(asked.get(query) ?? new Map());
      const ids = await found(query, filter, "sort_by=relevance");
      expect(new Set(ids).size, `${query} finds as many as match`).toBe(Math.min(50, scores.size));
      const best = [...scores.values()].sort((one, other) => other - one);
      const given = ids.map((id) => scores.get(id) ?? -Infinity);
      recalls.push(depths.map((depth) => recallAt(depth, given, best)));
    }
    report("keyword", filter, recalls);
  });
});

describe("semantic ranking against a look at every record", () => {
  test.each(filters)("with $query (keeps $keeps)", async (filter) => {
    const recalls: number[][] = [];
    for (const query of queries) {
      const { best, of } = await lookAtAll(query, filter);
      const ids = await found(query, filter, "search_mode=semantic");
      expect(new Set(ids).size, `${query} finds as many as match`).toBe(best.length);
      const given = await of(ids);
      recalls.push(depths.map((depth) => recallAt(depth, given, best)));
    }
    report("semantic", filter, recalls);
  });

  test.each(filters.filter(({ keeps }) => keeps === "0.1 %"))("all that $query keeps are found", async (filter) => {
    for (const query of everyday) {
      const { matching: all } = await lookAtAll(query, filter);
      const { pagination, results } = await ask(path(query, filter, "search_mode=semantic&limit=100"));
      expect([pagination.total, results.length], query).toEqual([all, Math.min(100, all)]);
    }
  });

  test("the index gives no record that a filter leaves out, nor one that is deleted, changed since or not", async () => {
    const { session } = service;
    await session.query("savepoint changes");
    const some = (rest: number) => `slot % 50 = ${rest} and ${listed}`;
    await session.query(`
      update funding.grants set amount_min = 1, amount_max = 2 where ${some(0)};
      update funding.grants set amount_min = 600000, amount_max = 900000, status = 'open' where ${some(1)};
      delete from funding.grants where ${some(2)};
      set local ivfflat.iterative_scan = relaxed_order;
      set local ivfflat.probes = 100`);
    const filter = { min_amount: 500_000, status: "open" };
    const { rows } = await session.query<{ given: number; kept: number; unsealed: number }>(
      `with scope as materialized (select scope, scope.sealed_end from funding.scope_of('grants', $1) as scope),
       given as (
         select slot, slot >= scope.sealed_end as is_unsealed
         from scope, funding.analyze_query('clean drinking water') as asked,
              unnest((funding.nearest_records(scope.scope, asked.embedding, 2000, 1, false)).slots) as slot
       )
       select count(*)::integer as given, count(*) filter (where record.status in ('open', 'posted'))::integer as kept,
              count(*) filter (where is_unsealed)::integer as unsealed
       from given left join funding.grants as record
         on record.slot = given.slot and amount_max >= 500000 and ${listed}`,
      [filter],
    );
    await session.query("rollback to changes");
    expect(rows[0]).toEqual({ given: 2000, kept: 2000, unsealed: expect.any(Number) });
    expect(rows[0]?.unsealed).toBeGreaterThan(0);
  });

  test("a filter that keeps only what is far from a query finds nothing by meaning", async () => {
    const { session } = service;
    await session.query("savepoint far");
    await session.query("update funding.settings set value = default_value where name = 'semantic_share'");
    // Keeps the records of the usual scope that are farther from the vector than the given share of them.
    await session.query(`
      create function pg_temp.scope_beyond(query_vector extensions.halfvec, share double precision) returns funding.search_scope
      language plpgsql set search_path = funding, extensions as $$
      declare
        scope funding.search_scope := funding.scope_of('grants', '{}');
      begin
        select array_agg(block order by block), array_agg(bits order by block), sum(kept)
        into scope.blocks, scope.bits, scope.matching_records
        from (
          select blocks.block, string_agg(case when ranked.place > share then '1' else '0' end, '' order by slot)::bit varying as bits,
                 count(*) filter (where ranked.place > share) as kept
          from funding.blocks
          cross join generate_series(blocks.first_slot, blocks.first_slot + blocks.size - 1) as slot
          left join (
            select slot, percent_rank() over (order by known.embedding <=> query_vector) as place
            from funding.grants join ${searchedVectors("grants")} as known using (slot) where ${listed}
          ) as ranked using (slot)
          where blocks.dataset = 'grants' and blocks.block = any (scope.blocks) group by blocks.block
        ) as block;
        scope.condition := scope.condition || ' and false';
        scope.is_usual := false;
        scope.is_filtered := true;
        return scope;
      end
      $$`);
    // The index finds records beyond 22 % of the others; beyond half of them only the comparison of all does.
    const { rows } = await session.query<{ found: number[] }>(
      `select array_agg(coalesce(cardinality((funding.semantic_candidates(
           pg_temp.scope_beyond(asked.embedding, share), asked, 200)).slots), 0) order by share) as found
       from unnest($1::text[]) as query, funding.analyze_query(query) as asked, unnest('{0,0.22,0.5}'::double precision[]) as share
       group by query`,
      [["clean up polluted lake", "wildfire smoke", "water"]],
    );
    expect(rows.map(({ found }) => found)).toEqual([
      [200, 0, 0],
      [200, 0, 0],
      [200, 0, 0],
    ]);
    await session.query("rollback to far");
  });

  /**
   * The cosine similarities of the fifty nearest that a filter keeps, how many it keeps in all, and a way to ask for others'. An opposite
   * meaning is no match, at any floor.
   */
  async function lookAtAll(query: string, filter: Filter) {
    // The query as it is after feedback.
    const asked = await service.session.query<{ embedding: string | null }>(
      `select (funding.with_feedback(scope, asked)).embedding::text as embedding
       from funding.analyze_query($1) as asked, funding.scope_of('grants', funding.filter_of('grants', $2)) as scope`,
      [query, JSON.stringify(readParameters(path(query, filter, "search_mode=semantic").replace("/grants-api", "")))],
    );
    const embedding = asked.rows[0]?.embedding ?? null;
    const similarity = "1 - (embedding operator(extensions.<=>) $1::extensions.halfvec) as similarity";
    // Rows first and order second, so that no index can have a say.
    const { rows } = await service.session.query<{ similarity: number; matching: number }>(
      `with every as materialized (select ${similarity} from ${tableOf(filter)} where $1 is not null)
       select similarity, count(*) over ()::int as matching from every where similarity >= 0 order by similarity desc limit 50`,
      [embedding],
    );
    return {
      matching: rows[0]?.matching ?? 0,
      best: rows.map(({ similarity }) => similarity),
      async of(ids: string[]) {
        const { rows } = await service.session.query<{ similarity: number }>(
          `select ${similarity} from unnest($2::uuid[]) with ordinality as found(id, ordinal)
           join (select record.id, known.embedding from funding.grants as record
                   left join ${searchedVectors("grants")} as known on known.slot = record.slot) as meant using (id)
           order by ordinal`,
          [embedding, ids],
        );
        return rows.map(({ similarity }) => similarity);
      },
    };
  }
});
