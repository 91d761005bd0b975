-- Records' vectors under an external model: what is still to be embedded, where new vectors go, and how search changes over
-- from one model to another.

-- Text that a record is embedded by, cut at some 2,000 tokens: a notice says first what it is about.
create or replace function funding.embedded_text(title text, body text) returns text
language sql immutable parallel safe as $$
  select left(title || coalesce(E'\n\n' || nullif(body, ''), ''), 8000)
$$;

-- `embedded_text` as SQL over a row `record` of a dataset.
create or replace function funding.embedded_text_of(dataset text) returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then 'funding.embedded_text(record.name, record.summary)'
    else 'funding.embedded_text(record.title, record.description)'
  end
$$;

-- Condition, as SQL over a row `record` of a dataset, that a record lacks a vector of the model $1: neither its own vector is of
-- that model, nor one that waits for it.
create or replace function funding.lacks_vector(dataset text) returns text
language sql immutable parallel safe as $$
  select format($condition$
    record.embedding_model is distinct from $1 and not exists (
      select from funding.next_embeddings as next
      where next.model = $1 and next.dataset = %L and next.record_id = record.id
        and next.text_hash = md5(%s))
  $condition$, dataset, funding.embedded_text_of(dataset))
$$;

-- By dataset: the records, those that lack a vector of a model, and how many characters their texts have.
create or replace function funding.embedding_backlog(model text)
returns table (dataset text, records bigint, lacking bigint, characters bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($backlog$
      select count(*), count(*) filter (where asked.is_lacking), coalesce(sum(length(asked.body)) filter (where asked.is_lacking), 0)
      from (select %s as body, %s as is_lacking from funding.%I as record) as asked
    $backlog$, funding.embedded_text_of(dataset), funding.lacks_vector(dataset), dataset)
    into records, lacking, characters using model;
    return next;
  end loop;
end
$$;

-- Next records in id order, after the id `after`, that lack a vector of a model.
create or replace function funding.records_to_embed(dataset text, model text, after uuid, maximum integer)
returns table (id uuid, body text, text_hash text)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($records$
    select asked.id, asked.body, md5(asked.body)
    from (
      select record.id, %s as body from funding.%I as record
      where record.id > $2 and %s
      order by record.id
      limit $3
    ) as asked
    order by asked.id
  $records$, funding.embedded_text_of(dataset), dataset, funding.lacks_vector(dataset))
  using model, after, maximum;
end
$$;

-- Stores the vectors that an external model made of records: in the records themselves when it is the model that search uses, else
-- beside them. A record whose text has changed meanwhile is skipped. Returns how many were stored. `batch` is
-- [{ id, text_hash, vector }], with vectors as pgvector's text.
create or replace function funding.store_embeddings(dataset text, model text, batch jsonb) returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  stored integer;
begin
  if model = 'lexicon' then
    raise exception 'the lexicon''s vectors are made in the database';
  end if;
  execute format(case when model = funding.external_model() then $update$
    update funding.%1$I as record set embedding = given.vector::halfvec(384), embedding_model = $1
    from jsonb_to_recordset($2) as given(id uuid, text_hash text, vector text)
    where record.id = given.id and md5(%3$s) = given.text_hash
  $update$ else $insert$
    insert into funding.next_embeddings (model, dataset, record_id, text_hash, embedding)
    select $1, %2$L, record.id, given.text_hash, given.vector::halfvec(384)
    from jsonb_to_recordset($2) as given(id uuid, text_hash text, vector text)
    join funding.%1$I as record on record.id = given.id and md5(%3$s) = given.text_hash
    order by record.id
    on conflict on constraint next_embeddings_pkey
      do update set text_hash = excluded.text_hash, embedding = excluded.embedding
  $insert$ end, dataset, dataset, funding.embedded_text_of(dataset))
  using model, batch;
  get diagnostics stored = row_count;
  return stored;
end
$$;

-- Makes a model the one that search uses, in the caller's transaction: searches use the old one until it commits. Returns how many
-- records lack a vector of the new one; when any does, nothing has changed.
create or replace function funding.adopt_embedding_model(model text) returns bigint
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  backlog bigint;
begin
  if model = 'lexicon' then
    if not exists (select from funding.lexicon_fit where dimensions > 0) then
      raise sqlstate 'PT400' using message = 'the lexicon has not been fitted: run npm run lexicon first';
    end if;
  else
    select sum(lacking) into backlog from funding.embedding_backlog(model);
    if backlog > 0 then
      return backlog;
    end if;
  end if;

  -- Records that are written while this runs still get vectors of the old model, which search then skips until the next run.
  update funding.settings set value = to_jsonb(model) where name = 'embedding_model';
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    if model = 'lexicon' then
      execute format($lexicon$
        update funding.%I as record
        set embedding = funding.lexicon_embedding(record.document)::halfvec, embedding_model = 'lexicon'
        where record.embedding_model is distinct from 'lexicon'
      $lexicon$, dataset);
    else
      execute format($external$
        update funding.%1$I as record set embedding = next.embedding, embedding_model = next.model
        from funding.next_embeddings as next
        where next.model = $1 and next.dataset = %1$L and next.record_id = record.id and next.text_hash = md5(%2$s)
      $external$, dataset, funding.embedded_text_of(dataset))
      using model;
    end if;
  end loop;
  delete from funding.next_embeddings as next where next.model = adopt_embedding_model.model;
  return 0;
end
$$;
