-- The change from one embedding model to another.

-- Fills the tables of vectors that are not searched: adds a model's vectors of the records that have none there yet. Without nested loops, which the
-- planner takes for an empty table: each row would read all that were added before it.
create or replace function funding.fill_vectors(model text) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set enable_nestloop = off as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($fill$
      insert into funding.%1$I (slot, passage, embedding, is_usual)
      select made.slot, made.passage, made.embedding, made.is_usual
      from (select record.slot, %3$s, %4$s as is_usual from funding.%2$I as record %5$s) as made
      where made.embedding is not null
        and not exists (select from funding.%1$I as known where known.slot = made.slot and known.passage = made.passage)
      on conflict do nothing
    $fill$, funding.vectors_table(dataset, 1 - fit.vectors), dataset,
      case when model = 'lexicon' then '0 as passage, funding.lexicon_embedding(record.lexemes, $2)::halfvec as embedding' else 'next.passage, next.embedding' end,
      funding.usual_condition(dataset),
      case when model <> 'lexicon' then format('cross join lateral unnest(%s) with ordinality as text(body, number)
        join funding.next_embeddings as next
          on next.model = $1 and next.dataset = %L and next.record_id = record.id and next.passage = text.number - 1 and next.text_hash = md5(text.body)',
        funding.embedded_texts_of(dataset), dataset) end)
    using model, fit.generation;
  end loop;
end
$$;

-- Keeps the vectors of the external model that search has used so far, and those of changes that were given up, for `former_vector_days`: they wait like
-- those of a model to come, so that going back costs what has changed since.
create or replace function funding.keep_former_vectors() returns void
language plpgsql
set search_path = funding, extensions, pg_temp set enable_nestloop = off as $$
declare
  model constant text := funding.external_model();
  vectors constant integer := (select fit.vectors from funding.lexicon_fit as fit);
  dataset text;
begin
  update funding.next_embeddings set kept_since = funding.bounded_now() where kept_since is null;
  if model is null then
    return;
  end if;
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($keep$
      insert into funding.next_embeddings (model, dataset, record_id, passage, text_hash, embedding, kept_since)
      select $1, %1$L, record.id, known.passage, md5(text.body), known.embedding, $2
      from funding.%1$I as record
      cross join lateral unnest(%2$s) with ordinality as text(body, number)
      join funding.%3$I as known on known.slot = record.slot and known.passage = text.number - 1
      on conflict (model, dataset, record_id, passage)
        do update set text_hash = excluded.text_hash, embedding = excluded.embedding, kept_since = excluded.kept_since
    $keep$, dataset, funding.embedded_texts_of(dataset), funding.vectors_table(dataset, vectors))
    using model, funding.bounded_now();
  end loop;
end
$$;

-- Makes search use a model and the vectors that are there, in the caller's transaction: searches use the old model until that commits. Writers wait at
-- the end, while the vectors of records that came meanwhile are stored; records without a vector of an external model are queued. Raises PT409 while a
-- fit is being made: `forget_fit` would give the fit up, and transactions that write vectors for it must end first.
create or replace function funding.swap_embedding_model(model text) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := funding.lock_fit();
  other constant integer := 1 - fit.vectors;
begin
  -- Writers would go on to store the fit's vectors until this transaction ends.
  if exists (select from funding.next_fit) then
    raise exception 'the lexicon is being fitted: try again' using errcode = 'PT409';
  end if;
  perform funding.forget_fit();
  perform funding.drop_vector_indexes(other);
  perform funding.resize_vectors(other, model);
  perform funding.fill_vectors(model);
  perform funding.refresh_vector_indexes(other);
  -- Before writers wait: what changes after it is embedded anew on the way back.
  perform funding.keep_former_vectors();
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  perform funding.fill_vectors(model);
  perform funding.prune_vectors(dataset, other) from unnest(array['funders', 'grants', 'contracts']) as dataset;
  delete from funding.next_embeddings as waiting where waiting.model = swap_embedding_model.model;
  update funding.settings set value = to_jsonb(model) where name = 'embedding_model';
  update funding.lexicon_fit set vectors = other;
  update funding.embedding_state set next_model = null, next_since = null;
  perform funding.queue_lacking_vectors();
end
$$;

-- Makes search use a model whose vectors all records have. Returns the number of records that lack one; when there are any, nothing has changed.
create or replace function funding.adopt_embedding_model(model text) returns bigint
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := funding.lock_fit();
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
    perform funding.begin_embedding_model();
    return 0;
  end if;

  perform funding.swap_embedding_model(model);
  return 0;
end
$$;

-- Begins the change to a model that only dispatchers can ask: all records without a vector of it are queued. Searches use the present model until
-- `adopt_next_model`; meanwhile records that come are embedded by the new one. Without a model, gives up a change that had begun.
create or replace function funding.begin_embedding_model(model text default null) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
begin
  if model = funding.setting('embedding_model')#>>'{}' then
    model := null;
  end if;
  if model is distinct from (select state.next_model from funding.embedding_state as state) then
    lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
    update funding.embedding_state set next_model = model, next_since = case when model is not null then funding.bounded_now() end;
    perform funding.queue_lacking_vectors();
  end if;
end
$$;

-- Where the change to a model has begun and no record waits for it, makes search use that model; with `most`, where no dataset has as many vectors of it.
-- Returns whether it did. While a fit is being made, it does not.
create or replace function funding.adopt_next_model(most bigint default null) returns boolean
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  new_model constant text := (select state.next_model from funding.embedding_state as state);
begin
  if new_model is null or exists (select from funding.embedding_queue where refusal is null) or exists (select from funding.next_fit)
    or exists (select from funding.next_embeddings as next where next.model = new_model group by next.dataset having count(*) >= most) then
    return false;
  end if;
  perform funding.lock_fit();
  perform funding.swap_embedding_model(new_model);
  return true;
end
$$;
