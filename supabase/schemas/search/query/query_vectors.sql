-- Queries' vectors. Under the model `lexicon` a query's vector is computed in the database. Any other model is external: the edge gets the vector
-- from the model's provider, and the vector is cached here, so that no query is paid for twice.

-- Value of a setting that has a value for each embedding model: the model's own, or the default for a model that the setting does not name.
create or replace function funding.model_setting(setting_name text, model text default null) returns double precision
language plpgsql stable as $$
declare
  values_by_model jsonb := funding.setting(setting_name);
begin
  return coalesce(values_by_model->>coalesce(model, funding.setting('embedding_model')#>>'{}'), values_by_model->>'default', '0')::double precision;
end
$$;

-- Mode of a ranked search without vectors: hybrid runs its keyword leg alone; semantic raises PT503.
create or replace function funding.mode_without_vectors(mode text, reason text) returns text
language plpgsql immutable as $$
begin
  if mode = 'semantic' then
    raise sqlstate 'PT503' using message = reason, detail = '{}';
  end if;
  return 'keyword';
end
$$;

-- Text that a query is embedded by: without the words that the query excludes, and with single spaces.
create or replace function funding.embedded_query(query text) returns text
language sql immutable parallel safe as $$
  select btrim(regexp_replace(normalize(funding.wanted_words(query), NFC), '\s+', ' ', 'g'))
$$;

-- Whether this is the second call of an RPC, with the vector that the first call asked the edge for. The first call has admitted and counted the
-- caller.
create or replace function funding.is_second_call(query_vector jsonb) returns boolean
language sql immutable parallel safe as $$
  select coalesce((query_vector->>'is_second_call')::boolean, false)
$$;

-- Cached vector of a text, or null. Marks it as used, once a day.
create or replace function funding.cached_query_vector(model text, text_hash bytea) returns extensions.halfvec
language plpgsql as $$
declare
  today date := (funding.bounded_now() at time zone 'UTC')::date;
  cached funding.query_embeddings;
begin
  select * into cached from funding.query_embeddings as known
  where known.model = cached_query_vector.model and known.text_hash = cached_query_vector.text_hash;
  if cached.used_on < today and funding.may_write() then
    update funding.query_embeddings as known set used_on = today
    where known.model = cached_query_vector.model and known.text_hash = cached_query_vector.text_hash
      and known.used_on < today;
  end if;
  return cached.embedding;
end
$$;

-- Caches the vector of a text. Each new vector evicts at most two others: vectors unused for long and, where there are too many, the least recently
-- used.
create or replace function funding.cache_query_vector(model text, text_hash bytea, vector extensions.halfvec) returns void
language plpgsql as $$
declare
  today date := (funding.bounded_now() at time zone 'UTC')::date;
  most bigint := funding.setting('query_vectors_kept')::bigint;
  days integer := funding.setting('query_vector_days')::integer;
begin
  insert into funding.query_embeddings (model, text_hash, embedding, used_on)
  values (model, text_hash, vector, today)
  on conflict on constraint query_embeddings_pkey do nothing;
  delete from funding.query_embeddings
  where ctid = any (array(
    select old.ctid from funding.query_embeddings as old
    where (old.used_on < today - days or (select count(*) from funding.query_embeddings) > most)
      and (old.model, old.text_hash) <> (cache_query_vector.model, cache_query_vector.text_hash)
    order by old.used_on
    limit 2
    for update skip locked));
end
$$;

-- Vector of a query under the current model, or what the edge is to do for it.
--
-- `given` is the edge's knowledge of the query: { model, vector, is_second_call }, where `vector` is pgvector's text, or null when the provider
-- failed. `given` is null on a first call by an edge that knows nothing.
create or replace function funding.meaning_of(query text, given jsonb) returns funding.query_meaning
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  model text := funding.external_model();
  meaning funding.query_meaning := (null, null, false);
  embedded text;
  text_hash bytea;
begin
  if model is null then
    return meaning;
  end if;
  embedded := funding.embedded_query(query);
  -- A query that has only excluded words has no meaning.
  if embedded = '' then
    return meaning;
  end if;
  text_hash := sha256(convert_to(embedded, 'UTF8'));
  if given->>'model' = model and given->>'vector' is not null then
    meaning.vector := funding.vector_of(model, given->>'vector');
    if funding.is_second_call(given) and funding.may_write() then
      perform funding.cache_query_vector(model, text_hash, meaning.vector);
    end if;
    return meaning;
  end if;

  meaning.vector := funding.cached_query_vector(model, text_hash);
  if meaning.vector is null then
    if funding.is_second_call(given) then
      meaning.is_missing := true;
    else
      meaning.wanted := json_build_object('model', model, 'text', embedded);
    end if;
  end if;
  return meaning;
end
$$;
