import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { indexRecords } from "../../../cli/import/index-records.ts";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { adoptFit } from "../../../database/lexicon/adopt.ts";
import { readBm25Weights } from "../../../database/lexicon/bm25-weights.ts";
import { fitLexicon } from "../../../database/lexicon/fit.ts";
import { type LexiconTerm, prepareFit } from "../../../database/lexicon/prepare.ts";
import { createProgress } from "../../../database/lexicon/progress.ts";
import { isLexiconStale } from "../../../database/lexicon/staleness.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { openTestDatabase } from "../../support/service.ts";

const silent = createProgress(() => undefined);

let connection: Connection;
/** Records of each dataset: few, because most tests prepare all of them twice. */
const grants = 60;
const others = 15;
beforeAll(async () => {
  connection = pgliteConnection(await openTestDatabase());
  await connection.execute(`
    set search_path = public, extensions;
    delete from funding.grants where id not in (select id from funding.grants order by id limit ${grants});
    delete from funding.contracts where id not in (select id from funding.contracts order by id limit ${others});
    delete from funding.funders where id not in
      (select funder_id from funding.grants union select funder_id from funding.contracts)`);
  await fitLexicon(connection, () => undefined, 64);
});
afterEach(() => connection.execute("delete from funding.grants where source = 'test'"));
afterAll(() => connection.close());

/** A fit that differs from the present one in every vector and every weight. */
async function prepareAnother(averageLength = 33, prepared = connection): Promise<string> {
  const rows = await connection.query<{ term: string; frequency: number; vector: string | null }>(
    `select term, document_frequency as frequency, vector::text from funding.lexicon
     where generation = (select generation from funding.lexicon_fit)`,
  );
  const terms = rows.map(
    ({ term, frequency, vector }): LexiconTerm => ({
      term,
      documentFrequency: frequency,
      vector: vector === null ? null : Float32Array.from(JSON.parse(vector) as number[]).reverse(),
    }),
  );
  const { documents } = await queryOne<{ documents: number }>(connection, "select documents from funding.lexicon_fit");
  const bm25 = await readBm25Weights(connection);
  return prepareFit(prepared, { documents, averageLength, dimensions: 384, bm25 }, terms, silent);
}

/** SQL of the vectors that are searched: `slot`, `embedding`, `is_usual`. */
const vectorsOf = (dataset: string) => `(
  select known.*, 0 as vectors from funding.${dataset}_vectors_0 as known union all
  select known.*, 1 from funding.${dataset}_vectors_1 as known)`;

/** The records whose vector is not that of the lexicon in force, and vectors of no record. */
async function wronglyIndexed(): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    ["funders", "grants", "contracts"]
      .map(
        (dataset) => `
        select coalesce(record.id::text, 'slot ' || known.slot) as id
        from funding.${dataset} as record full join (
          select known.* from ${vectorsOf(dataset)} as known join funding.lexicon_fit as fit using (vectors)
        ) as known on known.slot = record.slot
        cross join funding.lexicon_fit as fit
        cross join lateral (select funding.lexicon_embedding(record.lexemes, fit.generation)::halfvec as embedding) as expected
        -- Sums of the same terms in another order differ in their last digit.
        where record.id is null or (known.embedding is null) <> (expected.embedding is null) or known.embedding <=> expected.embedding > 0.001
          or known.is_usual <> (${dataset === "funders" ? "true" : "record.classification = 'opportunity' and record.archived_at is null"})`,
      )
      .join(" union all "),
  );
  return rows.map(({ id }) => id);
}

/** A digest of the grants' vectors that are searched. */
const vectorsNow = `select md5(string_agg(known.embedding::text, '' order by record.id)) as digest
  from funding.grants as record join ${vectorsOf("grants")} as known on known.slot = record.slot
  join funding.lexicon_fit as fit using (vectors)`;

/** The grants that are found by a word, through the inverted index or by their own words. */
async function found(word: string): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `select unnest(funding.ids_of('grants', leg.slots)) as id
     from funding.keyword_candidates(funding.scope_of('grants', '{}'), funding.analyze_query($1), 100) as leg`,
    [word],
  );
  return rows.map(({ id }) => id);
}

async function insertGrant(title: string): Promise<string> {
  const { id } = await queryOne<{ id: string }>(
    connection,
    `insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
     select gen_random_uuid(), $1, 'text', 'open', 'opportunity', id, now(), 'test', gen_random_uuid()::text, ''
     from funding.funders limit 1
     returning id`,
    [title],
  );
  return id;
}

test("every record is indexed by the new lexicon, and by the old one until it is adopted", async () => {
  const before = await queryOne(connection, vectorsNow);
  const fit = await prepareAnother();
  expect(await wronglyIndexed()).toEqual([]);
  expect(await queryOne(connection, vectorsNow)).toEqual(before);
  await adoptFit(connection, fit, silent);
  expect(await wronglyIndexed()).toEqual([]);
  expect(await queryOne(connection, vectorsNow)).not.toEqual(before);
});

test("a fit changes no record", async () => {
  const versions =
    "select md5(string_agg(ctid::text || xmin::text || slot, ',' order by id)) as rows from funding.grants";
  const before = await queryOne(connection, versions);
  await adoptFit(connection, await prepareAnother(), silent);
  expect(await queryOne(connection, versions)).toEqual(before);
});

test("a page in a cache is made anew by the new lexicon", async () => {
  const version = "select funding.page_version('grants') as version";
  const fit = await prepareAnother();
  const before = await queryOne(connection, version);
  await adoptFit(connection, fit, silent);
  expect(await queryOne(connection, version)).not.toEqual(before);
});

describe("records that change while a fit is prepared", () => {
  test("a new record is indexed by the new lexicon, and found before and after", async () => {
    const fit = await prepareAnother();
    const id = await insertGrant("Xylophone water");
    expect(await found("xylophone")).toEqual([id]);
    await adoptFit(connection, fit, silent);
    expect(await wronglyIndexed()).toEqual([]);
    expect(await found("xylophone")).toEqual([id]);
  });

  test("a changed record is indexed by its new words, and not found by its old ones", async () => {
    const id = await insertGrant("Xylophone water");
    const fit = await prepareAnother();
    await connection.query("update funding.grants set title = 'Glockenspiel water' where id = $1", [id]);
    await adoptFit(connection, fit, silent);
    expect(await wronglyIndexed()).toEqual([]);
    expect([await found("xylophone"), await found("glockenspiel")]).toEqual([[], [id]]);
  });

  test("a record changed in what is not indexed loses nothing", async () => {
    const id = await insertGrant("Xylophone water");
    const fit = await prepareAnother();
    await connection.query("update funding.grants set status = 'closed' where id = $1", [id]);
    await adoptFit(connection, fit, silent);
    expect(await wronglyIndexed()).toEqual([]);
    expect(await found("xylophone")).toEqual([id]);
  });

  test("a deleted record is found no more, nor is one that takes its id", async () => {
    const id = await insertGrant("Xylophone water");
    const fit = await prepareAnother();
    await connection.query("delete from funding.grants where id = $1", [id]);
    const other = await insertGrant("Glockenspiel water");
    await connection.query("update funding.grants set id = $1 where id = $2", [id, other]);
    await adoptFit(connection, fit, silent);
    expect(await wronglyIndexed()).toEqual([]);
    expect([await found("xylophone"), await found("glockenspiel")]).toEqual([[], [id]]);
  });
});

test("a fit makes one segment of all records, without slots that are nobody's", async () => {
  for (let round = 0; round < 3; round++) await connection.execute("update funding.grants set title = title || '.'");
  await adoptFit(connection, await prepareAnother(), silent);
  const counts = await queryOne(
    connection,
    `select count(*)::int as blocks, min(first_slot) = (select min(slot) from funding.grants) as "isFirst",
            max(first_slot + size - 1) = (select max(slot) from funding.grants) as "isLast"
     from funding.blocks_of('grants')`,
  );
  expect(counts).toEqual({ blocks: 1, isFirst: true, isLast: true });
});

test("a fit makes a segment for each run of slots, and masks a whole block whose records go meanwhile", async () => {
  await connection.query("select setval('funding.grants_slots', last_value + 40000) from funding.grants_slots");
  const moved = Array.from({ length: 3 }, () => crypto.randomUUID());
  for (const [index, id] of moved.entries()) {
    await connection.query(
      `insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
       select $1, 'Xylophone', 'text', 'open', 'opportunity', id, now(), 'test', $2, '' from funding.funders limit 1`,
      [id, String(index)],
    );
  }
  const fit = await prepareAnother();
  await connection.query("delete from funding.grants where id = any ($1)", [moved]);
  await connection.query("select funding.adopt_fit($1)", [fit]);
  expect(
    await connection.query(
      "select count(distinct segment)::int as segments, sum(size)::int < 20000 as is_small from funding.blocks_of('grants')",
    ),
  ).toEqual([{ segments: 2, is_small: true }]);
  expect(await found("xylophone")).toEqual([]);
  expect(await wronglyIndexed()).toEqual([]);
  await adoptFit(connection, await prepareAnother(), silent);
});

test("what a fit that was broken off has made is deleted in pieces, after six hours", async () => {
  const left = () =>
    queryOne<{ rows: number }>(
      connection,
      `select ((select count(*) from funding.lexicon where generation <> fit.generation)
             + (select count(*) from ${vectorsOf("grants")} as known where known.vectors <> fit.vectors)
             + (select count(*) from funding.blocks where block not between funding.first_block(fit.generation) and funding.last_block(fit.generation)))::int as rows
       from funding.lexicon_fit as fit`,
    );
  await prepareAnother();
  const forget = () => queryOne<{ is_more: boolean }>(connection, "select funding.forget_lost_fit(200) as is_more");
  expect(await forget()).toEqual({ is_more: false });
  expect((await left()).rows).toBeGreaterThan(500);
  await connection.execute("update funding.next_fit set prepared_at = now() - interval '7 hours'");
  let calls = 0;
  while ((await forget()).is_more) calls += 1;
  expect(calls).toBeGreaterThan(3);
  expect(await left()).toEqual({ rows: 0 });
  expect(await connection.query("select from funding.next_fit")).toEqual([]);
  expect(await wronglyIndexed()).toEqual([]);
});

test("vectors of a model that was replaced are deleted, although the command that replaced it was ended", async () => {
  await connection.execute(`
    insert into funding.grants_vectors_0 select known.* from funding.grants_vectors_1 as known on conflict do nothing;
    insert into funding.grants_vectors_1 select known.* from funding.grants_vectors_0 as known on conflict do nothing`);
  let calls = 0;
  while ((await queryOne<{ is_more: boolean }>(connection, "select funding.forget_lost_fit(20) as is_more")).is_more) {
    calls += 1;
  }
  expect(calls).toBe(3);
  expect(
    await queryOne(
      connection,
      "select not funding.has_vectors(1 - vectors) as are_gone, funding.has_vectors(vectors) as has_own from funding.lexicon_fit",
    ),
  ).toEqual({ are_gone: true, has_own: true });
  expect(await wronglyIndexed()).toEqual([]);
});

test("a fit that another one overtook says so, and changes nothing", async () => {
  const first = await prepareAnother(44);
  const second = await prepareAnother(55);
  await expect(adoptFit(connection, first, silent)).rejects.toMatchObject({ code: "PT409" });
  expect(
    (await queryOne<{ length: number }>(connection, "select average_length as length from funding.lexicon_fit")).length,
  ).not.toBe(44);
  await adoptFit(connection, second, silent);
  expect(await wronglyIndexed()).toEqual([]);
});

test("a fit that another one overtakes leaves it the vector indexes that are searched", async () => {
  await connection.execute(`update funding.settings set value = '${grants}' where name = 'vector_index_minimum'`);
  await fitLexicon(connection, () => undefined, 64);
  const first = await prepareAnother();
  let isOvertaken: boolean | undefined;
  const overtaking: Connection = {
    ...connection,
    async execute(text) {
      if (isOvertaken === undefined && text.startsWith("drop index")) {
        isOvertaken = await connection.query("select funding.adopt_fit($1)", [first]).then(
          () => false,
          ({ code }) => code === "PT409",
        );
      }
      await connection.execute(text);
    },
  };
  const second = await prepareAnother(33, overtaking);
  expect(isOvertaken).toBe(true);
  const { has_index } = await queryOne<{ has_index: boolean }>(
    connection,
    "select funding.has_vector_index('grants') as has_index",
  );
  expect(has_index).toBe(true);
  await adoptFit(connection, second, silent);
  await connection.execute("update funding.settings set value = '4000' where name = 'vector_index_minimum'");
  await fitLexicon(connection, () => undefined, 64);
});

test("an import whose fit another one overtakes does not fail, and none begins while another fit is made", async () => {
  // As a fit of version 1.1, which is made again.
  await connection.execute("update funding.lexicon_fit set has_singular_order = false");
  expect(await isLexiconStale(connection)).toBe(true);
  let fits = 0;
  const overtaken: Connection = {
    ...connection,
    async query<Row>(text: string, parameters?: readonly unknown[]) {
      if (text.includes("prepare_terms") && fits++ === 0) await connection.query("select funding.begin_fit(1, 1, 1)");
      return connection.query<Row>(text, parameters);
    },
  };
  const lines: unknown[] = [];
  const error = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(line));
  await indexRecords(overtaken, true).finally(() => error.mockRestore());
  expect(fits).toBe(1);
  expect(lines.at(-1)).toMatch(/^Warning: another fit of the lexicon began meanwhile/);
  expect(await isLexiconStale(connection)).toBe(false);
  await connection.execute("update funding.next_fit set prepared_at = now() - interval '11 minutes'");
  expect(await isLexiconStale(connection)).toBe(true);
  await connection.execute("update funding.lexicon_fit set has_singular_order = true; delete from funding.next_fit");
  expect(await wronglyIndexed()).toEqual([]);
});

test("a fit that was prepared for another embedding model changes nothing", async () => {
  const fit = await prepareAnother(66);
  await connection.execute("update funding.settings set value = '\"openai/small\"' where name = 'embedding_model'");
  await expect(adoptFit(connection, fit, silent)).rejects.toMatchObject({ code: "PT409" });
  await connection.execute("update funding.settings set value = '\"lexicon\"' where name = 'embedding_model'");
  expect(await wronglyIndexed()).toEqual([]);
});

test("vectors of an external model stay, and keyword ranking is refitted all the same", async () => {
  await connection.execute("update funding.settings set value = '\"openai/small\"' where name = 'embedding_model'");
  const before = await queryOne(connection, vectorsNow);
  const weights = "select md5(string_agg(weights::text, '' order by term, block)) as digest from funding.postings";
  const weightsBefore = await queryOne(connection, weights);
  await adoptFit(connection, await prepareAnother(77), silent);
  expect(await queryOne(connection, vectorsNow)).toEqual(before);
  expect(await queryOne(connection, weights)).not.toEqual(weightsBefore);
  await connection.execute("update funding.settings set value = '\"lexicon\"' where name = 'embedding_model'");
  await adoptFit(connection, await prepareAnother(), silent);
});

test("a fit tells its steps, and leaves nothing of its preparation", async () => {
  const lines: string[] = [];
  const { documents } = await queryOne<{ documents: number }>(
    connection,
    `select ((select count(*) from funding.grants) + (select count(*) from funding.contracts)
           + (select count(*) from funding.funders))::int as documents`,
  );
  const fit = await fitLexicon(connection, (line) => lines.push(line), 64);
  expect(fit).toMatchObject({ documents, dimensions: 64 });
  expect(lines[0]).toBe("reading the records' words");
  expect(lines).toContain(`preparing records: ${documents} of ${documents}`);
  expect(lines.at(-1)).toBe("deleting the old one");
  const left = await queryOne(
    connection,
    `select (select count(*) from funding.next_fit)
          + (select count(*) from funding.lexicon where generation <> fit.generation)
          + (select count(*) from ${vectorsOf("grants")} as known where known.vectors <> fit.vectors)
          + (select count(*) from funding.blocks where block not between funding.first_block(fit.generation) and funding.last_block(fit.generation))
          + (select count(*) from funding.postings where block not between funding.first_block(fit.generation) and funding.last_block(fit.generation))
          + (select count(*) from funding.bitmaps where block not between funding.first_block(fit.generation) and funding.last_block(fit.generation)) as rows
     from funding.lexicon_fit as fit`,
  );
  expect(Number((left as { rows: number }).rows)).toBe(0);
  expect(await wronglyIndexed()).toEqual([]);
});

test("a dataset that is large enough gets a vector index, and loses it when it is small", async () => {
  const indexes = () =>
    connection.query<{ name: string }>(
      `select replace(indexname, '_vectors_' || fit.vectors, '') as name from pg_indexes, funding.lexicon_fit as fit
       where indexdef like '%ivfflat%' order by 1`,
    );
  await connection.execute(`update funding.settings set value = '${grants}' where name = 'vector_index_minimum'`);
  await fitLexicon(connection, () => undefined, 64);
  expect(await indexes()).toEqual([{ name: "grants_all" }, { name: "grants_usual" }]);
  await connection.execute("update funding.settings set value = '4000' where name = 'vector_index_minimum'");
  await fitLexicon(connection, () => undefined, 64);
  expect(await indexes()).toEqual([]);
});
