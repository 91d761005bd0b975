-- Records' vectors under an external model: records without a vector, storing of new vectors, and the change from one model to another.

-- Text that a record is embedded by, cut at some 2,000 tokens: a notice names its subject first.
create or replace function funding.embedded_text(title text, body text) returns text
language sql immutable parallel safe as $$
  select left(title || coalesce(E'\n\n' || nullif(body, ''), ''), 8000)
$$;

-- SQL for the `embedded_text` of a row `record` of a dataset.
create or replace function funding.embedded_text_of(dataset text) returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then 'funding.embedded_text(record.name, record.summary)'
    else 'funding.embedded_text(record.title, record.description)'
  end
$$;

-- SQL condition that a row `record` of a dataset lacks a vector of the model $1: the table that is searched has none of that model, and none waits in
-- `next_embeddings`.
create or replace function funding.lacks_vector(dataset text) returns text
language sql stable as $$
  select format($condition$
    not exists (
      select from funding.%I as known where known.slot = record.slot and $1 = funding.setting('embedding_model')#>>'{}')
    and not exists (
      select from funding.next_embeddings as next
      where next.model = $1 and next.dataset = %L and next.record_id = record.id
        and next.text_hash = md5(%s))
  $condition$, funding.vectors_table(dataset, fit.vectors), dataset, funding.embedded_text_of(dataset))
  from funding.lexicon_fit as fit
$$;

-- For each dataset: the number of records, of records that lack a vector of a model, and of characters in the texts of the latter.
create or replace function funding.embedding_backlog(model text)
returns table (dataset text, records bigint, lacking bigint, characters bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($backlog$
      select count(*), count(*) filter (where candidate.is_lacking), coalesce(sum(length(candidate.body)) filter (where candidate.is_lacking), 0)
      from (select %s as body, %s as is_lacking from funding.%I as record) as candidate
    $backlog$, funding.embedded_text_of(dataset), funding.lacks_vector(dataset), dataset)
    into records, lacking, characters using model;
    return next;
  end loop;
end
$$;

-- Number of records of a dataset that a search by meaning cannot find yet, up to `most`. (By the lexicon, a record has no vector if all its words are
-- unknown.)
create or replace function funding.count_without_vector(dataset text, most integer) returns bigint
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  lacking bigint;
begin
  if fit.dimensions > 0 and funding.external_model() is null then
    return 0;
  end if;
  execute format('select count(*) from (
      select from funding.%I as record where not exists (select from funding.%I as known where known.slot = record.slot) limit $1) as waiting',
    dataset, funding.vectors_table(dataset, fit.vectors))
  into lacking using most;
  return lacking;
end
$$;

-- Next records in id order, after the id `after`, that lack a vector of a model.
create or replace function funding.records_to_embed(dataset text, model text, after uuid, maximum integer)
returns table (id uuid, body text, text_hash text)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($records$
    select candidate.id, candidate.body, md5(candidate.body)
    from (
      select record.id, %s as body from funding.%I as record
      where record.id > $2 and %s
      order by record.id
      limit $3
    ) as candidate
    order by candidate.id
  $records$, funding.embedded_text_of(dataset), dataset, funding.lacks_vector(dataset))
  using model, after, maximum;
end
$$;

-- Stores vectors of records that an external model made: in the table that is searched when search uses the model, else in the table where they wait.
-- A record whose text has changed meanwhile is skipped. Returns the number of stored vectors. `batch` is [{ id, text_hash, vector }], with vectors as
-- pgvector's text.
create or replace function funding.store_embeddings(dataset text, model text, batch jsonb) returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  stored integer;
begin
  perform funding.require_room();
  if model = 'lexicon' then
    raise exception 'the lexicon''s vectors are made in the database';
  end if;
  if model = funding.external_model() then
    execute format($insert$
      with record as materialized (
        -- Locked: a record that gets another slot meanwhile would leave this vector at its old slot.
        select record.slot, %s as is_usual, given.vector
        from jsonb_to_recordset($1) as given(id uuid, text_hash text, vector text)
        join funding.%I as record on record.id = given.id and md5(%s) = given.text_hash
        for no key update of record
      )
      insert into funding.%I (slot, embedding, is_usual)
      select record.slot, record.vector::halfvec(384), record.is_usual from record
      on conflict (slot) do update set embedding = excluded.embedding
    $insert$, funding.usual_condition(dataset), dataset, funding.embedded_text_of(dataset),
      funding.vectors_table(dataset, (select fit.vectors from funding.lexicon_fit as fit)))
    using batch;
    get diagnostics stored = row_count;
    -- Pages in caches were ranked without these vectors.
    update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where data_versions.dataset = 'search' and stored > 0;
    return stored;
  end if;
  execute format($insert$
    insert into funding.next_embeddings (model, dataset, record_id, text_hash, embedding)
    select $1, %2$L, record.id, given.text_hash, given.vector::halfvec(384)
    from jsonb_to_recordset($2) as given(id uuid, text_hash text, vector text)
    join funding.%1$I as record on record.id = given.id and md5(%3$s) = given.text_hash
    order by record.id
    on conflict on constraint next_embeddings_pkey
      do update set text_hash = excluded.text_hash, embedding = excluded.embedding
  $insert$, dataset, dataset, funding.embedded_text_of(dataset))
  using model, batch;
  get diagnostics stored = row_count;
  return stored;
end
$$;

-- Fills the tables of vectors that are not searched: adds a model's vectors of the records that have none there yet.
create or replace function funding.fill_vectors(model text) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($fill$
      insert into funding.%1$I (slot, embedding, is_usual)
      select made.slot, made.embedding, made.is_usual
      from (
        select record.slot, %3$s as embedding, %4$s as is_usual
        from funding.%2$I as record %5$s
        where not exists (select from funding.%1$I as known where known.slot = record.slot)
      ) as made
      where made.embedding is not null
      on conflict do nothing
    $fill$, funding.vectors_table(dataset, 1 - fit.vectors), dataset,
      case when model = 'lexicon' then 'funding.lexicon_embedding(record.lexemes, $2)::halfvec' else 'next.embedding' end,
      funding.usual_condition(dataset),
      case when model <> 'lexicon' then format('join funding.next_embeddings as next
        on next.model = $1 and next.dataset = %L and next.record_id = record.id and next.text_hash = md5(%s)', dataset, funding.embedded_text_of(dataset)) end)
    using model, fit.generation;
  end loop;
end
$$;

-- Makes search use a model, in the caller's transaction: searches use the old model until that commits. Returns the number of records that lack a
-- vector of the new model; when there are any, nothing has changed. Writers wait at the end, while the vectors of records that came meanwhile are
-- stored. Raises PT409 while a fit is being made: `forget_fit` would give the fit up, and transactions that write vectors for it must end first.
create or replace function funding.adopt_embedding_model(model text) returns bigint
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := funding.lock_fit();
  other constant integer := 1 - fit.vectors;
  backlog bigint;
begin
  if model = 'lexicon' then
    if fit.dimensions = 0 then
      raise sqlstate 'PT400' using message = 'the lexicon has not been fitted: run npm run lexicon first';
    end if;
  else
    select sum(lacking) into backlog from funding.embedding_backlog(model);
    if backlog > 0 then
      return backlog;
    end if;
  end if;
  if funding.setting('embedding_model') = to_jsonb(model) then
    -- A change of the model that was given up has left its vectors here.
    delete from funding.next_embeddings;
    return 0;
  end if;

  -- Writers would go on to store the fit's vectors until this transaction ends.
  if exists (select from funding.next_fit) then
    raise exception 'the lexicon is being fitted: try again' using errcode = 'PT409';
  end if;
  perform funding.forget_fit();
  perform funding.drop_vector_indexes(other);
  perform funding.fill_vectors(model);
  perform funding.refresh_vector_indexes(other);
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  perform funding.fill_vectors(model);
  perform funding.prune_vectors(dataset, other) from unnest(array['funders', 'grants', 'contracts']) as dataset;
  update funding.settings set value = to_jsonb(model) where name = 'embedding_model';
  update funding.lexicon_fit set vectors = other;
  delete from funding.next_embeddings;
  return 0;
end
$$;
