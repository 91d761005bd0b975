-- Records' vectors under an external model: records without a vector, and storing of new vectors.

-- SQL of the texts by which a dataset's records are embedded and that have no vector of the model $1: rows `record`, and `given` with `body` and
-- `number`, from 1. The table that is searched has none of that model, and none waits in `next_embeddings`. With `all_texts`, all of them, and
-- `given.is_lacking`.
create or replace function funding.texts_to_embed(dataset text, all_texts boolean default false) returns text
language sql stable as $$
  select format($texts$
    funding.%1$I as record
    cross join lateral (
      select text.body, text.number,
        not exists (
          select from funding.%2$I as known
          where known.slot = record.slot and known.passage = text.number - 1 and $1 = funding.setting('embedding_model')#>>'{}')
        and not exists (
          select from funding.next_embeddings as next
          where next.model = $1 and next.dataset = %1$L and next.record_id = record.id and next.passage = text.number - 1
            and next.text_hash = md5(text.body)) as is_lacking
      from unnest(%3$s) with ordinality as text(body, number)
    ) as given %4$s
  $texts$, dataset, funding.vectors_table(dataset, fit.vectors), funding.embedded_texts_of(dataset), case when not all_texts then 'where given.is_lacking' end)
  from funding.lexicon_fit as fit
$$;

-- For each dataset: the number of records, of texts that lack a vector of a model, and of characters in those.
create or replace function funding.embedding_backlog(model text)
returns table (dataset text, records bigint, lacking bigint, characters bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($backlog$
      select count(*) filter (where given.number = 1), count(*) filter (where given.is_lacking),
             coalesce(sum(length(given.body)) filter (where given.is_lacking), 0)
      from %s
    $backlog$, funding.texts_to_embed(dataset, true))
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
      select from funding.%I as record where not exists (
        select from funding.%I as known where known.slot = record.slot and known.passage = 0) limit $1) as waiting',
    dataset, funding.vectors_table(dataset, fit.vectors))
  into lacking using most;
  return lacking;
end
$$;

-- Next texts of records that lack a vector of a model, by the records' ids, after the id `after`: `maximum`, and the rest of the last record's. Those that
-- a dispatcher has claimed are left out.
create or replace function funding.texts_lacking_vectors(dataset text, model text, after uuid, maximum integer)
returns table (id uuid, passage integer, body text, text_hash text)
language plpgsql volatile
set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($records$
    select record.id, given.number::integer - 1, given.body, md5(given.body)
    from %1$s and record.id > $2 and not exists (
      select from funding.embedding_queue as queued
      where $1 = $4 and queued.dataset = %2$L and queued.record_id = record.id and queued.passage = given.number - 1 and queued.claimed_until > $5)
    order by record.id
    fetch first $3 rows with ties
  $records$, funding.texts_to_embed(dataset), dataset)
  using model, after, maximum, funding.embedded_model(), funding.dispatch_now();
end
$$;

-- Stores vectors of records' texts that an external model made: in the table that is searched when search uses the model, else in the table where they
-- wait. A text that has changed meanwhile is skipped, and stays in the queue; the others leave it, if it is of this model. Returns the number of
-- stored vectors. `batch` is [{ id, passage, text_hash, vector }], with vectors as pgvector's text; `passage` is 0 where it is missing.
create or replace function funding.store_embeddings(dataset text, model text, batch jsonb) returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  stored integer;
  vectors constant integer := (select fit.vectors from funding.lexicon_fit as fit);
begin
  perform funding.require_room();
  if model = 'lexicon' then
    raise exception 'the lexicon''s vectors are made in the database';
  end if;
  execute format($insert$
    with record as materialized (
      select record.id, record.slot, %2$s as is_usual, %3$s as texts
      from funding.%1$I as record
      where record.id = any (array(select (item->>'id')::uuid from jsonb_array_elements($2) as item))
        -- In this statement: the model may change between two.
        and ($1 is not distinct from funding.external_model()) = $3
        and (not $3 or exists (select from funding.lexicon_fit as fit where fit.vectors = $4))
      order by record.id
      -- Locked: a record that gets another slot meanwhile would leave this vector at its old slot, and a text that changes is queued again, and must
      -- stay so.
      for no key update of record
    ), made as materialized (
      select record.id, record.slot, record.is_usual, text.number - 1 as passage, given.text_hash, given.vector
      from record
      cross join lateral unnest(record.texts) with ordinality as text(body, number)
      join jsonb_to_recordset($2) as given(id uuid, passage integer, text_hash text, vector text)
        on given.id = record.id and coalesce(given.passage, 0) = text.number - 1 and given.text_hash = md5(text.body)
    ), done as (
      delete from funding.embedding_queue as queued using made
      where $1 = funding.embedded_model() and queued.dataset = %1$L and queued.record_id = made.id and queued.passage = made.passage
    )
  $insert$, dataset, funding.usual_condition(dataset), funding.embedded_texts_of(dataset)) || case
    when model = funding.external_model() then format($searched$
      insert into funding.%I (slot, passage, embedding, is_usual)
      select made.slot, made.passage, funding.vector_of($1, made.vector), made.is_usual from made
      on conflict (slot, passage) do update set embedding = excluded.embedding
    $searched$, funding.vectors_table(dataset, vectors))
    else format($waiting$
      insert into funding.next_embeddings (model, dataset, record_id, passage, text_hash, embedding)
      select $1, %L, made.id, made.passage, made.text_hash, funding.vector_of($1, made.vector) from made
      on conflict (model, dataset, record_id, passage)
        do update set text_hash = excluded.text_hash, embedding = excluded.embedding, kept_since = null
    $waiting$, dataset)
  end
  using model, batch, model is not distinct from funding.external_model(), vectors;
  get diagnostics stored = row_count;
  -- Pages in caches were ranked without these vectors.
  if model = funding.external_model() then
    update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where data_versions.dataset = 'search' and stored > 0;
  end if;
  return stored;
end
$$;
