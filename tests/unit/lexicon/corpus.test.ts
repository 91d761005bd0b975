import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Corpus, parseLexemes, readCorpus } from "../../../database/lexicon/corpus.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { openTestDatabase } from "../../support/service.ts";

let database: PGlite;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const titleWeight = 3;

/** Words of a tsvector as Postgres takes it apart. */
const unnest = async (lexemes: string) => {
  const { rows } = await database.query<{ term: string; times: number; frequency: number }>(
    `select word.lexeme as term, coalesce(cardinality(word.positions), 1) as times, counted.frequency
     from unnest($1::tsvector) as word
     join funding.term_frequencies($1::tsvector, $2) as counted on counted.term = word.lexeme`,
    [lexemes, titleWeight],
  );
  return {
    terms: rows.map(({ term }) => term),
    frequencies: rows.map(({ times }) => times),
    length: rows.reduce((sum, { frequency }) => sum + frequency, 0),
  };
};

test.each([
  ["words in a title, a text and both", "'bridg':1A,7 'repair':2A 'steel':4,5,6"],
  ["no words", ""],
  ["quotes and backslashes", String.raw`'o''brien':1A 'c:\\temp':2 '''':3 '\\':4,5 'a''b\\c''':6`],
  ["spaces, colons, commas and brackets", "'a b':1 'c:1A':2 'd,2':3 '<e>':4A ' ':5"],
  ["weights of all kinds", "'one':1A,2B,3C,4 'two':5B"],
  ["words without positions", "'stripped' 'word'"],
  ["letters of other alphabets", "'économi':1A 'δοκιμή':2 '水':3 '😀':4"],
])("the text of a tsvector is parsed: %s", async (_, lexemes) => {
  const { rows } = await database.query<{ text: string }>("select $1::tsvector::text as text", [lexemes]);
  expect(parseLexemes(rows[0]?.text ?? "", titleWeight)).toEqual(await unnest(lexemes));
});

test("the corpus has every word of every record, and their number", async () => {
  const corpus: Corpus = await readCorpus(pgliteConnection(database), titleWeight);
  const { rows } = await database.query<{ documents: number; terms: number; pairs: number; length: number }>(
    `select count(distinct (dataset, id))::int as documents, count(distinct word.term)::int as terms, count(word.term)::int as pairs,
            sum(word.frequency) as length
     from (
       select 'grants' as dataset, id, lexemes from funding.grants
       union all select 'contracts', id, lexemes from funding.contracts
       union all select 'funders', id, lexemes from funding.funders
     ) as record
     left join lateral funding.term_frequencies(record.lexemes, $1) as word on true`,
    [titleWeight],
  );
  expect({
    documents: corpus.documents.length,
    terms: corpus.terms.length,
    pairs: corpus.documents.reduce((sum, { terms }) => sum + terms.length, 0),
    length: corpus.length,
  }).toEqual(rows[0]);
  expect(corpus.terms.length).toBeGreaterThan(500);
});
