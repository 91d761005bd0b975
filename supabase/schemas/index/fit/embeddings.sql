-- Records' vectors under an external model: records without a vector, and storing of new vectors.

-- Text that a record is embedded by, cut at some 2,000 tokens: a notice names its subject first. By the setting `embedding_text`, its title alone.
create or replace function funding.embedded_text(title text, body text) returns text
language sql stable parallel safe as $$
  select left(title || case when funding.setting('embedding_text') = '"all"' then coalesce(E'\n\n' || nullif(body, ''), '') else '' end, 8000)
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

-- Next records in id order, after the id `after`, that lack a vector of a model. Those that a dispatcher has claimed are left out.
create or replace function funding.records_to_embed(dataset text, model text, after uuid, maximum integer)
returns table (id uuid, body text, text_hash text)
language plpgsql volatile
set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($records$
    select candidate.id, candidate.body, md5(candidate.body)
    from (
      select record.id, %1$s as body from funding.%2$I as record
      where record.id > $2 and %3$s and not exists (
        select from funding.embedding_queue as queued
        where $1 = $4 and queued.dataset = %2$L and queued.record_id = record.id and queued.claimed_until > $5)
      order by record.id
      limit $3
    ) as candidate
    order by candidate.id
  $records$, funding.embedded_text_of(dataset), dataset, funding.lacks_vector(dataset))
  using model, after, maximum, funding.embedded_model(), funding.dispatch_now();
end
$$;

-- Stores vectors of records that an external model made: in the table that is searched when search uses the model, else in the table where they wait.
-- A record whose text has changed meanwhile is skipped, and stays in the queue; the others leave it, if it is of this model. Returns the number of stored vectors. `batch` is
-- [{ id, text_hash, vector }], with vectors as pgvector's text.
create or replace function funding.store_embeddings(dataset text, model text, batch jsonb) returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  stored integer;
  vectors integer;
begin
  perform funding.require_room();
  if model = 'lexicon' then
    raise exception 'the lexicon''s vectors are made in the database';
  end if;
  if model = funding.external_model() then
    vectors := (select fit.vectors from funding.lexicon_fit as fit);
    execute format($insert$
      with record as materialized (
        -- Locked: a record that gets another slot meanwhile would leave this vector at its old slot.
        select record.id, record.slot, %s as is_usual, given.vector
        from jsonb_to_recordset($1) as given(id uuid, text_hash text, vector text)
        join funding.%I as record on record.id = given.id and md5(%s) = given.text_hash
        -- In this statement: the model may change between two.
        where $2 = funding.external_model() and exists (select from funding.lexicon_fit as fit where fit.vectors = $3)
        order by record.id
        for no key update of record
      ), done as (
        delete from funding.embedding_queue as queued using record where queued.dataset = %L and queued.record_id = record.id
      )
      insert into funding.%I (slot, embedding, is_usual)
      select record.slot, funding.vector_of($2, record.vector), record.is_usual from record
      on conflict (slot) do update set embedding = excluded.embedding
    $insert$, funding.usual_condition(dataset), dataset, funding.embedded_text_of(dataset), dataset, funding.vectors_table(dataset, vectors))
    using batch, model, vectors;
    get diagnostics stored = row_count;
    -- Pages in caches were ranked without these vectors.
    update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where data_versions.dataset = 'search' and stored > 0;
    return stored;
  end if;
  execute format($insert$
    with record as materialized (
      select record.id, given.text_hash, given.vector
      from jsonb_to_recordset($2) as given(id uuid, text_hash text, vector text)
      join funding.%1$I as record on record.id = given.id and md5(%3$s) = given.text_hash
      order by record.id
      -- Locked: a text that changes meanwhile is queued again, and must stay so.
      for no key update of record
    ), done as (
      delete from funding.embedding_queue as queued using record
      where $1 = funding.embedded_model() and queued.dataset = %2$L and queued.record_id = record.id
    )
    insert into funding.next_embeddings (model, dataset, record_id, text_hash, embedding)
    select $1, %2$L, record.id, record.text_hash, funding.vector_of($1, record.vector) from record
    on conflict on constraint next_embeddings_pkey
      do update set text_hash = excluded.text_hash, embedding = excluded.embedding, kept_since = null
  $insert$, dataset, dataset, funding.embedded_text_of(dataset))
  using model, batch;
  get diagnostics stored = row_count;
  return stored;
end
$$;
