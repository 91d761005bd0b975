import type { Connection } from "../../database/connection.ts";

/**
 * What a developer would set up instead, in plain SQL over the same texts, in a schema of its own.
 *
 * `bm25` is the formula of the textbooks (Robertson and Zaragoza, 2009, with Lucene's idf; k1 1.2,
 * b 0.75; any word of the query, counted as often as the query says it), computed from a table of
 * postings with the same stemmer as the service, so that a difference is one of ranking.
 *
 * `hybrid_search` does what the function in Supabase's hybrid search guide does: the best of a
 * full-text leg (all words, by cover density) and of a vector leg (inner product) are joined, the
 * sum of 1/(50 + rank) orders them, and at most 30 records come back, whatever is asked for. Its
 * vectors are the service's own.
 */
const schema = `
create schema baseline;

create table baseline.documents (
  id uuid primary key,
  words tsvector not null,
  embedding extensions.vector(384)
);
insert into baseline.documents
select id, to_tsvector('english', title || ' ' || description), embedding::extensions.vector
from funding.grants;
create index on baseline.documents using gin (words);
create index on baseline.documents using hnsw (embedding extensions.vector_ip_ops);

create table baseline.postings as
select word.lexeme as term, record.id, cardinality(word.positions) as frequency
from funding.grants as record, unnest(record.document) as word;
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
    from unnest(to_tsvector('funding.english', query)) as item
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

create function baseline.hybrid_search(query text, query_embedding extensions.vector, match_count integer)
returns table (id uuid)
language sql stable set search_path = baseline, extensions, pg_catalog as $$
  with by_words as (
    select documents.id,
           row_number() over (order by ts_rank_cd(words, websearch_to_tsquery('english', query)) desc) as place
    from documents
    where words @@ websearch_to_tsquery('english', query)
    order by place
    limit least(match_count, 30) * 2
  ), by_meaning as (
    select documents.id, row_number() over (order by embedding <#> query_embedding) as place
    from documents
    where query_embedding is not null
    order by place
    limit least(match_count, 30) * 2
  )
  select coalesce(by_words.id, by_meaning.id)
  from by_words full outer join by_meaning on by_words.id = by_meaning.id
  order by coalesce(1.0 / (50 + by_words.place), 0) + coalesce(1.0 / (50 + by_meaning.place), 0) desc
  limit least(match_count, 30)
$$;
`;

/** Creates the baselines from the grants and embeddings that are there now. */
export async function createBaselines(connection: Connection): Promise<void> {
  await connection.execute(schema);
}
