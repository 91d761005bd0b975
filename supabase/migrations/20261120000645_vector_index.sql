-- The approximate vector index is an inverted file (IVFFlat): vectors in lists around centres, of which a search
-- looks through the nearest.
--
-- It is not a graph (HNSW). Notices repeat each other, and a graph of near copies falls apart into islands that a
-- search does not reach: on 79,700 grants, 16 of 93 queries found nothing of what they should have, recall@10
-- was 0.81, and the graph took ten times as long to build.

-- The statement that builds a dataset's vector index; null for one so small that looking at each record is as fast.
-- Its centres are of the vectors there are: when most of them change, it has to be built again.
create function funding.vector_index_statement(dataset text, is_concurrent boolean) returns text
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  records bigint;
begin
  execute format('select count(*) from funding.%I', dataset) into records;
  if records < funding.setting('vector_index_minimum')::bigint then
    return null;
  end if;
  return format('create index %s if not exists %I on funding.%I using ivfflat (embedding extensions.halfvec_cosine_ops) with (lists = %s)',
    case when is_concurrent then 'concurrently' else '' end, dataset || '_embedding', dataset, round(2 * sqrt(records)));
end
$$;

-- Builds the vector index of each dataset that has grown large enough to need one, and drops it where the dataset
-- is small.
create function funding.refresh_vector_indexes() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute coalesce(funding.vector_index_statement(dataset, false), format('drop index if exists funding.%I', dataset || '_embedding'));
  end loop;
end
$$;

-- A setting of the extension is known once something of the extension was used.
select '[0]'::extensions.vector;

-- How many lists a search without a filter looks through. Where they hold fewer records that pass the filter than it wants, it goes
-- on to as many again, up to four times as many; then it looks at every record.
alter function funding.semantic_candidates(text, jsonb, funding.query_analysis, integer)
  set ivfflat.probes = 48 set ivfflat.iterative_scan = relaxed_order set ivfflat.max_probes = 192;
