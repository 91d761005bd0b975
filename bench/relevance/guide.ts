import type { Connection } from "../../database/connection.ts";

/**
 * What the function in Supabase's hybrid search guide does, described and written by ourselves: the
 * best of a full-text leg (all words, by cover density) and of a vector leg (inner product) are
 * joined, the sum of 1/(50 + rank) orders them, and at most 30 records come back, whatever is asked
 * for. It has a copy of the texts in a schema of its own; its vectors are the service's.
 */
const schema = `
create schema if not exists baseline;

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

/** Creates the guide's function over the grants and embeddings that are there now. */
export async function createGuideSearch(connection: Connection): Promise<void> {
  await connection.execute(schema);
}

/** A query as the service understands it: a client of the guide's function has its vector from a model elsewhere. */
export async function queryVector(connection: Connection, query: string): Promise<string | null> {
  const [row] = await connection.query<{ vector: string | null }>(
    "select ((funding.analyze_query($1)).embedding)::text as vector",
    [query],
  );
  return row?.vector ?? null;
}
