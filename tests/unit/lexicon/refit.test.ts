import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Connection, queryOne } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { adoptFit } from "../../../lexicon/adopt.ts";
import { readBm25Weights } from "../../../lexicon/bm25-weights.ts";
import { fitLexicon } from "../../../lexicon/fit.ts";
import { type LexiconTerm, prepareFit } from "../../../lexicon/prepare.ts";
import { createProgress } from "../../../lexicon/progress.ts";
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
async function prepareAnother(averageLength = 33): Promise<string> {
  const rows = await connection.query<{ term: string; frequency: number; vector: string | null }>(
    "select term, document_frequency as frequency, vector::text from funding.lexicon",
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
  return prepareFit(connection, { documents, averageLength, dimensions: 384, bm25 }, terms, silent);
}

/** The records that are not indexed by the lexicon in force, as anybody who searches would need them to be. */
async function wronglyIndexed(): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    ["funders", "grants", "contracts"]
      .map(
        (dataset) => `
        select record.id from funding.${dataset} as record, funding.lexicon_fit as fit
        -- Sums of the same terms in another order differ in their last digit.
        where coalesce(record.embedding <=> funding.lexicon_embedding(record.document)::halfvec, 1) > 0.001
           or record.bm25 is distinct from funding.bm25_document(record.document, fit.average_length,
             fit.bm25_k1, fit.bm25_b, fit.bm25_title_weight)`,
      )
      .join(" union all "),
  );
  return rows.map(({ id }) => id);
}

/** The grants that are found by a word, through the inverted index or by their own vectors. */
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
  const before = await queryOne(
    connection,
    "select md5(string_agg(embedding::text, '' order by id)) from funding.grants",
  );
  const fit = await prepareAnother();
  expect(await wronglyIndexed()).toEqual([]);
  expect(
    await queryOne(connection, "select md5(string_agg(embedding::text, '' order by id)) from funding.grants"),
  ).toEqual(before);
  await adoptFit(connection, fit, silent);
  expect(await wronglyIndexed()).toEqual([]);
  expect(
    await queryOne(connection, "select md5(string_agg(embedding::text, '' order by id)) from funding.grants"),
  ).not.toEqual(before);
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

test("a record that nobody changes is in the inverted index afterwards, under one number", async () => {
  await adoptFit(connection, await prepareAnother(), silent);
  const counts = await queryOne(
    connection,
    `select count(*)::int as records, count(posting_number)::int as numbered, count(distinct posting_number)::int as numbers,
            max(posting_number) as highest from funding.grants`,
  );
  expect(counts).toEqual({ records: grants, numbered: grants, numbers: grants, highest: grants });
});

test("records keep their numbers, and get new ones when most numbers are nobody's", async () => {
  const numbers = "select md5(string_agg(posting_number::text, ',' order by id)) as numbers from funding.grants";
  await adoptFit(connection, await prepareAnother(), silent);
  const before = await queryOne(connection, numbers);
  await adoptFit(connection, await prepareAnother(), silent);
  expect(await queryOne(connection, numbers)).toEqual(before);
  await connection.execute("update funding.grants set posting_number = posting_number * 2");
  await adoptFit(connection, await prepareAnother(), silent);
  const { highest } = await queryOne<{ highest: number }>(
    connection,
    "select max(posting_number) as highest from funding.grants",
  );
  expect(highest).toBe(grants);
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

test("a fit that was prepared for another embedding model changes nothing", async () => {
  const fit = await prepareAnother(66);
  await connection.execute("update funding.settings set value = '\"openai/small\"' where name = 'embedding_model'");
  await expect(adoptFit(connection, fit, silent)).rejects.toMatchObject({ code: "PT409" });
  await connection.execute("update funding.settings set value = '\"lexicon\"' where name = 'embedding_model'");
  expect(await wronglyIndexed()).toEqual([]);
});

test("vectors of an external model stay, and keyword ranking is refitted all the same", async () => {
  await connection.execute(`
    update funding.settings set value = '"openai/small"' where name = 'embedding_model';
    update funding.grants set embedding_model = 'openai/small'`);
  const vectors = "select md5(string_agg(embedding::text || embedding_model, '' order by id)) from funding.grants";
  const before = await queryOne(connection, vectors);
  await adoptFit(connection, await prepareAnother(), silent);
  expect(await queryOne(connection, vectors)).toEqual(before);
  const { wrong } = await queryOne<{ wrong: number }>(
    connection,
    `select count(*)::int as wrong from funding.grants as record
     where bm25 is distinct from funding.bm25_document(document, 33,
       funding.setting('bm25_k1')::real, funding.setting('bm25_b')::real, funding.setting('bm25_title_weight')::real)`,
  );
  expect(wrong).toBe(0);
  await connection.execute("update funding.settings set value = '\"lexicon\"' where name = 'embedding_model'");
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
    `select (select count(*) from funding.next_fit) + (select count(*) from funding.next_lexicon)
          + (select count(*) from funding.next_vectors) + (select count(*) from funding.next_postings) as rows`,
  );
  expect(Number((left as { rows: number }).rows)).toBe(0);
  expect(await wronglyIndexed()).toEqual([]);
});

test("a dataset that is large enough gets a vector index, and loses it when it is small", async () => {
  const indexes = () =>
    connection.query("select indexname from pg_indexes where indexname like '%\\_embedding' order by 1");
  await connection.execute(`update funding.settings set value = '${grants}' where name = 'vector_index_minimum'`);
  await fitLexicon(connection, () => undefined, 64);
  expect(await indexes()).toEqual([{ indexname: "grants_embedding" }, { indexname: "grants_listed_embedding" }]);
  await connection.execute("update funding.settings set value = '10000' where name = 'vector_index_minimum'");
  await fitLexicon(connection, () => undefined, 64);
  expect(await indexes()).toEqual([]);
});
