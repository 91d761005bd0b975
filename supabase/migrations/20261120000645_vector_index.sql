-- The approximate vector index is an inverted file (IVFFlat): vectors in lists around centres, of which a search
-- looks through the nearest.
--
-- It is not a graph (HNSW). Notices repeat each other, and a graph of near copies falls apart into islands that a
-- search does not reach: on 79,700 grants, 16 of 93 queries found nothing of what they should have, recall@10
-- was 0.81, and the graph took ten times as long to build.

-- How many lists a dataset's vector index has; null for a dataset so small that looking at each record is as fast.
create function funding.vector_index_lists(dataset text) returns integer
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  records bigint;
begin
  execute format('select count(*) from funding.%I', dataset) into records;
  return case when records >= funding.setting('vector_index_minimum')::bigint then round(2 * sqrt(records)) end;
end
$$;

-- The `maintenance_work_mem` that building an index of so many lists takes: fifty vectors a list are sorted into them, and
-- how far each is from each centre is kept. Never less than there is.
create function funding.vector_index_memory(lists integer) returns text
language sql stable as $$
  select greatest(
    pg_size_bytes(current_setting('maintenance_work_mem')),
    ceil(1.05 * (50.0 * lists * lists * 4 + 50.0 * lists * 900))::bigint) / 1024 || 'kB'
$$;

-- The statement that builds a dataset's vector index. Its centres are of the vectors there are: when most of them change,
-- it has to be built again.
create function funding.vector_index_statement(dataset text, lists integer, is_concurrent boolean) returns text
language sql immutable as $$
  select format('create index %s if not exists %I on funding.%I using ivfflat (embedding extensions.halfvec_cosine_ops) with (lists = %s)',
    case when is_concurrent then 'concurrently' else '' end, dataset || '_embedding', dataset, lists)
$$;

-- Builds the vector index of each dataset that has grown large enough to need one, and drops it where the dataset
-- is small.
create function funding.refresh_vector_indexes() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  lists integer;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    lists := funding.vector_index_lists(dataset);
    if lists is null then
      execute format('drop index if exists funding.%I', dataset || '_embedding');
    else
      perform set_config('maintenance_work_mem', funding.vector_index_memory(lists), true);
      execute funding.vector_index_statement(dataset, lists, false);
    end if;
  end loop;
end
$$;

-- A setting of the extension is known once something of the extension was used.
select '[0]'::extensions.vector;

-- How many lists a search without a filter looks through. Where they hold fewer records that pass the filter than it wants, it goes
-- on to as many again, up to four times as many; then it looks at every record.
alter function funding.semantic_candidates(text, jsonb, funding.query_analysis, integer)
  set ivfflat.probes = 48 set ivfflat.iterative_scan = relaxed_order set ivfflat.max_probes = 192;
