import type { Connection } from "../../database/connection.ts";
import { grantVectorsTable } from "../vectors.ts";

/**
 * The function of Supabase's hybrid search guide, written anew from its description. It joins the best results of a
 * full-text leg (all words, by cover density) and of a vector leg (inner product), orders them by the sum of
 * 1/(50 + rank), and returns at most 30 records, whatever limit is requested. Its schema has a copy of the texts; its
 * vectors are the service's, from the table in place of `VECTORS`.
 */
const schema = `
create schema if not exists baseline;

create table baseline.documents (
  id uuid primary key,
  words tsvector not null,
  embedding extensions.vector(384)
);
insert into baseline.documents
select record.id, to_tsvector('english', record.title || ' ' || record.description), known.embedding::extensions.vector
from funding.grants as record left join VECTORS as known on known.slot = record.slot;
create index on baseline.documents using gin (words);
create index on baseline.documents using hnsw (embedding extensions.vector_ip_ops);

create function baseline.hybrid_search(query text, query_embedding extensions.vector, match_count integer)
returns table (id uuid)
language sql stable set search_path = baseline, extensions, pg_catalog as $$
  with by_words as (
    select documents.id,
           row_number() over (order by ts_rank_cd(words, websearch_to_tsquery('english', query)) desc) as rank
    from documents
    where words @@ websearch_to_tsquery('english', query)
    order by rank
    limit least(match_count, 30) * 2
  ), by_meaning as (
    select documents.id, row_number() over (order by embedding <#> query_embedding) as rank
    from documents
    where query_embedding is not null
    order by rank
    limit least(match_count, 30) * 2
  )
  select coalesce(by_words.id, by_meaning.id)
  from by_words full outer join by_meaning on by_words.id = by_meaning.id
  order by coalesce(1.0 / (50 + by_words.rank), 0) + coalesce(1.0 / (50 + by_meaning.rank), 0) desc
  limit least(match_count, 30)
$$;
`;

/** Creates the guide's function over the present grants and embeddings. */
export async function createGuideSearch(connection: Connection): Promise<void> {
  await connection.execute(schema.replace("VECTORS", await grantVectorsTable(connection)));
}

/** Returns the service's vector of a query. A client of the guide's function would get it from a model elsewhere. */
export async function readQueryVector(connection: Connection, query: string): Promise<string | null> {
  const [row] = await connection.query<{ vector: string | null }>(
    "select ((funding.analyze_query($1)).embedding)::text as vector",
    [query],
  );
  return row?.vector ?? null;
}
