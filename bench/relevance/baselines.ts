import type { Connection } from "../../database/connection.ts";
import { createGuideSearch } from "./guide.ts";

/**
 * Textbook BM25 (Robertson and Zaragoza, 2009, with Lucene's idf; k1 1.2, b 0.75; any word of the query, weighted by its
 * frequency in the query). It is computed from a table of postings with the service's own stemmer, so that differences
 * are due to ranking.
 */
const schema = `
create schema if not exists baseline;

create table baseline.postings as
select word.lexeme as term, record.id, cardinality(word.positions) as frequency
from funding.grants as record, unnest(record.lexemes) as word;
create index on baseline.postings (term);
create table baseline.lengths as
select id, sum(frequency)::real as length from baseline.postings group by id;
create index on baseline.lengths (id);
create table baseline.terms as
select term, count(*)::integer as document_frequency from baseline.postings group by term;
create index on baseline.terms (term);
create table baseline.corpus as
select (select count(*) from funding.grants)::integer as documents,
       (select sum(length) from baseline.lengths)::real / (select count(*) from funding.grants) as average_length;

create function baseline.bm25(query text, maximum integer) returns table (id uuid, score double precision)
language sql stable as $$
  with word as (
    select item.lexeme as term, cardinality(item.positions) as frequency
    from unnest(to_tsvector('funding.english', funding.separate_words(query))) as item
  )
  select posting.id,
         sum(word.frequency
           * ln(1 + (corpus.documents - known.document_frequency + 0.5) / (known.document_frequency + 0.5))
           * posting.frequency * 2.2
           / (posting.frequency + 1.2 * (0.25 + 0.75 * lengths.length / corpus.average_length)))::double precision
  from word
  join baseline.terms as known using (term)
  join baseline.postings as posting using (term)
  join baseline.lengths as lengths on lengths.id = posting.id
  cross join baseline.corpus as corpus
  group by posting.id
  order by 2 desc, 1
  limit maximum
$$;
`;

/** Creates the baselines, which a developer might set up instead, over the present grants and embeddings. */
export async function createBaselines(connection: Connection): Promise<void> {
  await createGuideSearch(connection);
  await connection.execute(schema);
}
