import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase } from "../../support/service.ts";

let database: PGlite;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** The weights of the inverted index, each worked out by itself, that are not in it as they are. */
const wrongWeights = `
  with fit as (select * from funding.lexicon_fit), said as (
    select record.dataset, word.term, record.slot,
           funding.bm25_weight(word.frequency, sum(word.frequency) over (partition by record.dataset, record.slot),
             fit.average_length, fit.bm25_k1, fit.bm25_b)
             * funding.inverse_document_frequency(fit.documents, coalesce(lexicon.document_frequency, 0)) as weight
    from fit, (
      select 'grants' as dataset, slot, lexemes from funding.grants
      union all select 'contracts', slot, lexemes from funding.contracts
      union all select 'funders', slot, lexemes from funding.funders
    ) as record
    cross join lateral funding.term_frequencies(record.lexemes, (select bm25_title_weight from fit)) as word
    left join funding.lexicon on lexicon.generation = (select generation from fit) and lexicon.term = word.term
    where record.slot is not null
  ), expected as (
    select said.dataset, said.term, blocks.block,
           ('{' || string_agg(slot - blocks.first_slot + 1 || ':' || weight, ',') || '}/' || blocks.size)::extensions.sparsevec as weights
    from said join lateral funding.blocks_of(said.dataset) as blocks
      on slot between blocks.first_slot and blocks.first_slot + blocks.size - 1
    group by 1, 2, 3, blocks.size
  )
  select count(*)::integer as all, count(*) filter (where found.weights is null or expected.weights is null
    or found.weights::text <> expected.weights::text)::integer as wrong
  from expected full join funding.postings as found using (dataset, term, block)`;

test("the inverted index has the BM25 weight of every word of every record, by a fit and made anew", async () => {
  const byFit = (await database.query<{ all: number; wrong: number }>(wrongWeights)).rows[0];
  expect(byFit?.all).toBeGreaterThan(3000);
  expect(byFit?.wrong).toBe(0);
  await database.exec(
    "delete from funding.lexicon where term in (select term from funding.lexicon order by term limit 50)",
  );
  await database.exec("select funding.reindex_records()");
  expect((await database.query(wrongWeights)).rows).toEqual([byFit]);
});
