-- The change from one embedding model to another.

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
  perform funding.fill_vectors(model);
  perform funding.refresh_vector_indexes(other);
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  perform funding.fill_vectors(model);
  perform funding.prune_vectors(dataset, other) from unnest(array['funders', 'grants', 'contracts']) as dataset;
  update funding.settings set value = to_jsonb(model) where name = 'embedding_model';
  update funding.lexicon_fit set vectors = other;
  delete from funding.next_embeddings;
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
    -- A change of the model that was given up has left its vectors here.
    delete from funding.next_embeddings;
    return 0;
  end if;

  perform funding.swap_embedding_model(model);
  return 0;
end
$$;

-- Makes search use a model that only dispatchers can ask, whose vectors no record has yet: all records are queued. Searches by meaning find a record
-- once it has its vector.
create or replace function funding.begin_embedding_model(model text) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
begin
  perform funding.lock_fit();
  if funding.setting('embedding_model') <> to_jsonb(model) then
    perform funding.swap_embedding_model(model);
  end if;
end
$$;
