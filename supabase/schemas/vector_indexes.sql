-- Approximate vector indexes: inverted files (IVFFlat), whose vectors are in lists around centres. A search reads the nearest
-- lists.
--
-- They are not graphs (HNSW). Notices repeat each other, and a graph of near copies falls apart into islands that a search does
-- not reach: on 79,700 grants, 16 of 93 queries found nothing of what they should have, recall@10 was 0.81, and the graph took
-- ten times as long to build.

-- Whether a dataset has an approximate vector index. Small ones have none.
create or replace function funding.has_vector_index(dataset text) returns boolean
language plpgsql stable as $$
begin
  return coalesce((
    select indisvalid from pg_index where indexrelid = to_regclass(format('funding.%I', dataset || '_embedding'))
  ), false);
end
$$;

-- Vector indexes of a dataset: one of all records, and one of those in its usual scope, in which nearly every search looks. That
-- one is a quarter smaller, with shorter lists: of seventy records, until there would be too many lists to build. `lists` is null
-- for a dataset so small that comparing each record is as fast.
create or replace function funding.vector_indexes(dataset text) returns table (name text, condition text, lists integer)
language plpgsql stable as $$
declare
  minimum bigint := funding.setting('vector_index_minimum')::bigint;
  all_records bigint;
  records bigint;
begin
  for name, condition in
    values (dataset || '_embedding', 'true'), (dataset || '_listed_embedding', replace(funding.usual_condition(dataset), 'record.', ''))
  loop
    -- The usual scope of funders is all of them.
    continue when all_records is not null and condition = 'true';
    execute format('select count(*) from funding.%I where %s', dataset, condition) into records;
    all_records := coalesce(all_records, records);
    lists := case when all_records >= minimum then
      greatest(round(case condition when 'true' then 2 * sqrt(records) else least(records / 70.0, 3.4 * sqrt(records)) end), 1)
    end;
    return next;
  end loop;
end
$$;

-- The `maintenance_work_mem` for building an index of so many lists: fifty vectors a list are sorted into them, and the distance
-- between each two centres is stored. Never less than the present setting.
create or replace function funding.vector_index_memory(lists integer) returns text
language sql stable as $$
  select greatest(
    pg_size_bytes(current_setting('maintenance_work_mem')),
    ceil(1.05 * (50.0 * lists * lists * 4 + 50.0 * lists * 900))::bigint) / 1024 || 'kB'
$$;

-- Statement that builds a vector index. Its centres are of the vectors there are: when most of them change, it has to be built
-- again.
create or replace function funding.vector_index_statement(dataset text, name text, condition text, lists integer, is_concurrent boolean) returns text
language sql immutable as $$
  select format('create index %s if not exists %I on funding.%I using ivfflat (embedding extensions.halfvec_cosine_ops) with (lists = %s) %s',
    case when is_concurrent then 'concurrently' else '' end, name, dataset, lists, case when condition <> 'true' then 'where ' || condition end)
$$;

-- Builds the vector indexes of each dataset that has grown large enough to need them, and drops those of small ones.
create or replace function funding.refresh_vector_indexes() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  index record;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    for index in select * from funding.vector_indexes(dataset) loop
      if index.lists is null then
        execute format('drop index if exists funding.%I', index.name);
      else
        perform set_config('maintenance_work_mem', funding.vector_index_memory(index.lists), true);
        execute funding.vector_index_statement(dataset, index.name, index.condition, index.lists, false);
      end if;
    end loop;
  end loop;
end
$$;

-- Drops the vector indexes, so that a change of most vectors need not put each into them. Until `refresh_vector_indexes` builds
-- them again, searches compare every vector, which is slower and as right.
create or replace function funding.drop_vector_indexes() returns void
language sql as $$
  drop index if exists funding.grants_embedding, funding.grants_listed_embedding,
    funding.contracts_embedding, funding.contracts_listed_embedding, funding.funders_embedding
$$;
