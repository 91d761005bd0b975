-- Records' vectors, in tables of their own by slot: two for each dataset, 0 and 1. `lexicon_fit.vectors` says which one is searched. A fit, or
-- a change of the embedding model, fills the other one.

-- Name of a table of vectors.
create or replace function funding.vectors_table(dataset text, vectors integer) returns text
language plpgsql immutable parallel safe as $$
begin
  return format('%s_vectors_%s', dataset, vectors);
end
$$;

-- Size of a model's vectors: the number after the last @ of its name, or 384.
create or replace function funding.vector_size(model text) returns integer
language sql immutable parallel safe as $$
  select coalesce(substring(model from '@([0-9]+)$')::integer, 384)
$$;

-- A model's vector, from pgvector's text.
create or replace function funding.vector_of(model text, vector text) returns extensions.halfvec
language plpgsql immutable parallel safe
set search_path = funding, extensions, pg_temp as $$
declare
  given constant halfvec := vector::halfvec;
begin
  if vector_dims(given) <> funding.vector_size(model) then
    raise exception 'a vector of % has % numbers, and not %', model, funding.vector_size(model), vector_dims(given);
  end if;
  return given;
end
$$;

-- Gives the tables of vectors with a number the size of a model's vectors. Where they have another size, they must be empty. Whoever reads or writes
-- these tables waits from then on, until the caller's transaction ends; nobody searches them.
create or replace function funding.resize_vectors(vectors integer, model text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  target record;
begin
  for target in
    select column_of.attrelid::regclass as name
    from unnest(array['funders', 'grants', 'contracts']) as dataset
    join pg_attribute as column_of on column_of.attrelid = to_regclass(format('funding.%I', funding.vectors_table(dataset, vectors)))
    where column_of.attname = 'embedding' and column_of.atttypmod <> funding.vector_size(model)
  loop
    -- Inline, as before: a change of the type would give the column its type's own storage.
    execute format('alter table %1$s alter column embedding type extensions.halfvec(%2$s), alter column embedding set storage plain',
      target.name, funding.vector_size(model));
  end loop;
end
$$;

-- Lets the tables of vectors have any size, for a restore: a backup's vectors have the size of its model. `resize_vectors` ends it.
create or replace function funding.loosen_vectors() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    for vectors in 0..1 loop
      execute format('alter table funding.%I alter column embedding type extensions.halfvec, alter column embedding set storage plain',
        funding.vectors_table(dataset, vectors));
    end loop;
  end loop;
end
$$;

-- Vectors of a dataset's records by slot, with those of their passages (passages.sql), from one of its two tables: a slot without a vector has no row. Each table has a statement of its own, so
-- that Postgres keeps its plan: it plans a statement made from text at each call.
create or replace function funding.vectors_of_slots(dataset text, vectors integer, slots integer[])
returns table (slot integer, passage integer, embedding extensions.halfvec)
language plpgsql stable rows 100
set search_path = funding, extensions, pg_temp as $$
begin
  case funding.vectors_table(dataset, vectors)
    when 'grants_vectors_0' then
      return query select known.slot, known.passage, known.embedding from funding.grants_vectors_0 as known where known.slot = any (slots);
    when 'grants_vectors_1' then
      return query select known.slot, known.passage, known.embedding from funding.grants_vectors_1 as known where known.slot = any (slots);
    when 'contracts_vectors_0' then
      return query select known.slot, known.passage, known.embedding from funding.contracts_vectors_0 as known where known.slot = any (slots);
    when 'contracts_vectors_1' then
      return query select known.slot, known.passage, known.embedding from funding.contracts_vectors_1 as known where known.slot = any (slots);
    when 'funders_vectors_0' then
      return query select known.slot, known.passage, known.embedding from funding.funders_vectors_0 as known where known.slot = any (slots);
    when 'funders_vectors_1' then
      return query select known.slot, known.passage, known.embedding from funding.funders_vectors_1 as known where known.slot = any (slots);
  end case;
end
$$;

-- Trigger: keeps the table of vectors in step with a record that came, got another slot or was deleted. While a fit fills the other table, keeps that
-- one in step as well. A record whose text has not changed keeps its vector. A record with a changed text gets a vector by the lexicon, or waits for
-- one of an external model. Where only its lexemes are made anew (renewal.sql), a record gets a vector by the lexicon, or keeps the one of the
-- external model.
create or replace function funding.store_vector() returns trigger
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  is_usual boolean := true;
  target record;
  vector halfvec;
  moved integer;
begin
  -- `renumber_slots` has moved all vectors.
  if current_setting('funding.moves_records', true) = 'all' then
    return null;
  end if;
  if tg_op <> 'DELETE' and tg_table_name <> 'funders' then
    is_usual := new.classification = 'opportunity' and new.archived_at is null and new.superseded_by is null;
  end if;
  -- In one statement: a fit may come into force between two statements.
  for target in
    select funding.vectors_table(tg_table_name, fit.vectors) as name, fit.generation,
           fit.dimensions > 0 and funding.setting('embedding_model') = '"lexicon"' as has_lexicon
    from funding.lexicon_fit as fit
    union all
    select funding.vectors_table(tg_table_name, next.vectors), next.generation, true from funding.next_fit as next where next.is_filling and next.makes_vectors
  loop
    if tg_op = 'UPDATE' and (old.lexemes = new.lexemes or not target.has_lexicon and current_setting('funding.moves_records', true) = 'on') then
      execute format('update funding.%I set slot = $1, is_usual = $2 where slot = $3', target.name) using new.slot, is_usual, old.slot;
      get diagnostics moved = row_count;
      continue when moved > 0;
    elsif tg_op <> 'INSERT' then
      execute format('delete from funding.%I where slot = $1', target.name) using old.slot;
    end if;
    if tg_op <> 'DELETE' and target.has_lexicon then
      vector := funding.lexicon_embedding(new.lexemes, target.generation)::halfvec;
      if vector is not null then
        execute format('insert into funding.%I (slot, embedding, is_usual) values ($1, $2, $3) on conflict do nothing', target.name)
        using new.slot, vector, is_usual;
      end if;
    end if;
  end loop;
  return null;
end
$$;

-- Deletes a dataset's vectors: of one table, or of both.
create or replace function funding.delete_vectors(dataset text, vectors integer default null) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  for table_number in coalesce(vectors, 0)..coalesce(vectors, 1) loop
    execute format('delete from funding.%I', funding.vectors_table(dataset, table_number));
  end loop;
end
$$;

-- Deletes the vectors of one table whose records changed or were deleted while the vectors were being made.
create or replace function funding.prune_vectors(dataset text, vectors integer) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  execute format('delete from funding.%I as known where not exists (select from funding.%I as record where record.slot = known.slot)',
    funding.vectors_table(dataset, vectors), dataset);
end
$$;

-- Approximate vector indexes: inverted files (IVFFlat), whose vectors are in lists around centres. A search reads the nearest
-- lists.
--
-- They are not graphs (HNSW). Notices repeat each other, and a graph of near copies falls apart into islands that a search does not reach: on 79,700
-- grants, 16 of 93 queries found none of the records that they should have found, recall@10 was 0.81, and the graph took ten times as long to build.

-- Whether the vectors of a dataset that are searched have an approximate index. Small datasets have none.
create or replace function funding.has_vector_index(dataset text) returns boolean
language plpgsql stable as $$
begin
  return coalesce((
    select indisvalid from pg_index
    where indexrelid = to_regclass(format('funding.%I', funding.vectors_table(dataset, (select fit.vectors from funding.lexicon_fit as fit)) || '_all'))
  ), false);
end
$$;

-- About how many vectors the index of the usual scope has. Funders have no such index: the usual scope is all of them.
create or replace function funding.usual_vectors(dataset text) returns double precision
language plpgsql stable as $$
begin
  return (
    select greatest(reltuples, 0) from pg_class
    where oid = to_regclass(format('funding.%I', funding.vectors_table(dataset, (select fit.vectors from funding.lexicon_fit as fit))
      || case when dataset = 'funders' then '_all' else '_usual' end)));
end
$$;

-- About how many vectors a record has, by Postgres's estimates: more than 1 where some have passages, up to 16. Null without an external model.
create or replace function funding.vectors_per_record(dataset text) returns integer
language plpgsql stable as $$
begin
  return (
    select greatest(1, least(16, ceil(vectors.reltuples / nullif(records.reltuples, 0) - 0.05)))
    from pg_class as vectors, pg_class as records
    where vectors.oid = to_regclass(format('funding.%I', funding.vectors_table(dataset, (select fit.vectors from funding.lexicon_fit as fit))))
      and records.oid = to_regclass(format('funding.%I', dataset)) and funding.external_model() is not null);
end
$$;

-- Vector indexes of a table of vectors: one of all records, and one of the records in the usual scope, in which nearly every search looks. The second
-- index is a quarter smaller and has shorter lists: of seventy records, up to a number of lists that can be built. `lists` is null for a dataset so
-- small that a search would read most of the lists. `statement` builds the index.
create or replace function funding.vector_indexes(dataset text, vectors integer) returns table (name text, lists integer, memory text, statement text)
language plpgsql stable as $$
declare
  minimum bigint := funding.setting('vector_index_minimum')::bigint;
  table_name constant text := funding.vectors_table(dataset, vectors);
  size constant integer := (select atttypmod from pg_attribute where attrelid = to_regclass(format('funding.%I', table_name)) and attname = 'embedding');
  all_records bigint;
  records bigint;
  is_usual boolean;
begin
  foreach is_usual in array array[false, true] loop
    -- The usual scope of funders is all of them.
    continue when is_usual and dataset = 'funders';
    execute format('select count(*) from funding.%I %s', table_name, case when is_usual then 'where is_usual' end) into records;
    all_records := coalesce(all_records, records);
    name := table_name || case when is_usual then '_usual' else '_all' end;
    lists := case when all_records >= minimum then
      greatest(round(case when is_usual then least(records / 70.0, 3.4 * sqrt(records)) else 2 * sqrt(records) end), 1)
    end;
    memory := funding.vector_index_memory(lists, size);
    statement := format('create index if not exists %I on funding.%I using ivfflat (embedding extensions.halfvec_cosine_ops) with (lists = %s) %s',
      name, table_name, lists, case when is_usual then 'where is_usual' end);
    return next;
  end loop;
end
$$;

-- The `maintenance_work_mem` for building an index of so many lists: fifty vectors for each list are sorted into the lists, and the distance between
-- each two centres is stored. Never less than the present setting.
create or replace function funding.vector_index_memory(lists integer, size integer) returns text
language sql stable as $$
  select greatest(
    pg_size_bytes(current_setting('maintenance_work_mem')),
    ceil(1.05 * (50.0 * lists * lists * 4 + 50.0 * lists * (2 * size + 132)))::bigint) / 1024 || 'kB'
$$;

-- Builds the vector indexes of each dataset's table of vectors that has grown large enough to need them; without a number, those of the table that is
-- searched. Nobody may write to the table meanwhile. (A fit builds the indexes of its own tables while others write.)
create or replace function funding.refresh_vector_indexes(vectors integer default null) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  index record;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    for index in
      select * from funding.vector_indexes(dataset, coalesce(vectors, (select fit.vectors from funding.lexicon_fit as fit)))
    loop
      if index.lists is null then
        execute format('drop index if exists funding.%I', index.name);
      else
        perform set_config('maintenance_work_mem', index.memory, true);
        execute index.statement;
      end if;
    end loop;
  end loop;
end
$$;

-- Drops the vector indexes of one table of vectors of each dataset, or of the tables that are searched. Searches then compare every vector: the results are the same,
-- and take longer.
create or replace function funding.drop_vector_indexes(vectors integer default null) returns void
language plpgsql as $$
declare
  dataset text;
begin
  vectors := coalesce(vectors, (select fit.vectors from funding.lexicon_fit as fit));
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('drop index if exists funding.%I, funding.%I',
      funding.vectors_table(dataset, vectors) || '_all', funding.vectors_table(dataset, vectors) || '_usual');
  end loop;
end
$$;

-- External model by which dispatchers embed records: the one that search is to use, where a change to it has begun, else the one that it uses. Null for
-- the lexicon.
create or replace function funding.embedded_model() returns text
language sql stable as $$
  select coalesce((select state.next_model from funding.embedding_state as state), nullif(funding.setting('embedding_model')#>>'{}', 'lexicon'))
$$;

-- External model that search uses, or null when search uses the lexicon, whose vectors are made in the database.
create or replace function funding.external_model() returns text
language sql stable as $$
  select nullif(funding.setting('embedding_model')#>>'{}', 'lexicon')
$$;
