-- Queue of the records' texts that wait for a vector of an external model: a text's `passage` is 0 for the record itself, and the number of a passage of a
-- long text otherwise (passages.sql). A dispatcher claims some, has the model's provider embed them, and stores their
-- vectors. A claim is a lease: when its dispatcher dies, the claim ends by itself. Leases and pauses are in the dispatcher's time.

-- Trigger of the datasets: queues new records, and records whose text changed, in the transaction that writes them. Without an external model it does
-- nothing. A changed text ends the claim of the text before it.
create or replace function funding.queue_embeddings() returns trigger
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  if funding.embedded_model() is null then
    return null;
  end if;
  if tg_op = 'DELETE' then
    delete from funding.embedding_queue where dataset = tg_table_name and record_id = old.id;
  elsif tg_op = 'INSERT' then
    execute format('insert into funding.embedding_queue (dataset, record_id, passage)
        select %L, record.id, passage.number
        from new_records as record cross join lateral generate_series(0, cardinality(%s) - 1) as passage(number)
        order by record.id, passage.number
        on conflict (dataset, record_id, passage)
          do update set queued_at = excluded.queued_at, claimed_until = null, attempts = 0, refusal = null',
      tg_table_name, funding.embedded_texts_of(tg_table_name));
  else
    delete from funding.embedding_queue where dataset = tg_table_name and record_id = new.id;
    insert into funding.embedding_queue (dataset, record_id, passage)
    select tg_table_name, new.id, passage.number
    from generate_series(0, cardinality(funding.texts_of_record(tg_table_name, new.id)) - 1) as passage(number)
    on conflict (dataset, record_id, passage)
      do update set queued_at = excluded.queued_at, claimed_until = null, attempts = 0, refusal = null;
  end if;
  return null;
end
$$;

-- Makes the queue anew: the records that lack a vector of the model by which dispatchers embed, without what providers said about their texts. Nobody
-- may write to the datasets meanwhile.
create or replace function funding.queue_lacking_vectors() returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  model constant text := funding.embedded_model();
  dataset text;
begin
  delete from funding.embedding_queue;
  update funding.embedding_state set failures_in_a_row = 0, paused_until = null, last_failure = null;
  if model is not null then
    foreach dataset in array array['funders', 'grants', 'contracts'] loop
      execute format('insert into funding.embedding_queue (dataset, record_id, passage) select %L, record.id, given.number - 1 from %s',
        dataset, funding.texts_to_embed(dataset)) using model;
    end loop;
  end if;
end
$$;

-- Texts by which a record is embedded, or null where there is no such record.
create or replace function funding.texts_of_record(dataset text, record_id uuid) returns text[]
language plpgsql stable as $$
begin
  return case dataset
    when 'grants' then (select funding.embedded_texts(record.title, record.description) from funding.grants as record where record.id = record_id)
    when 'contracts' then (select funding.embedded_texts(record.title, record.description) from funding.contracts as record where record.id = record_id)
    when 'funders' then (select funding.embedded_texts(record.name, record.summary) from funding.funders as record where record.id = record_id)
  end;
end
$$;

-- Claims up to `maximum` texts for two minutes, where the model is one of `providers`. Those whose claims ended without a result come after the
-- others; after a failure of the provider a claim has few. Reserves their tokens, at four characters each, of the day's, and some requests of the
-- minute's: `finish_embeddings` gives back what was not spent. Two dispatchers never get the same text.
--
-- Returns { model, claimed_until, tokens, requests, records: [{ dataset, id, passage, body, text_hash }] }; the model is null where it is the lexicon.
create or replace function public.claim_embeddings(providers text[], maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  model constant text := funding.embedded_model();
  today constant date := (funding.latest_now() at time zone 'UTC')::date;
  nothing constant json := json_build_object('model', model, 'records', '[]'::json);
  present timestamptz;
  state record;
  tokens_left bigint;
  requests_left integer;
  lease_end timestamptz;
  reserved bigint;
  claimed json;
begin
  -- Nearly always nothing waits.
  if model is null or split_part(model, '/', 1) <> all (providers) or not exists (select from funding.embedding_queue where refusal is null) then
    return nothing;
  end if;
  present := funding.tick();
  lease_end := present + interval '2 minutes';
  -- Locked, so that two dispatchers do not reserve the same tokens.
  select * into state from funding.embedding_state for update;
  tokens_left := funding.setting('embedding_daily_tokens')::bigint - case when state.day = today then state.tokens_today else 0 end;
  requests_left := least(24, funding.setting('embedding_requests_per_minute')::integer
    - case when state.minute = date_trunc('minute', present) then state.requests_in_minute else 0 end);
  if state.paused_until > present or tokens_left <= 0 or requests_left <= 0 then
    return nothing;
  end if;
  with due as materialized (
    select queued.dataset, queued.record_id, queued.passage, queued.attempts, queued.queued_at
    from funding.embedding_queue as queued
    where queued.refusal is null and (queued.claimed_until is null or queued.claimed_until <= present)
    order by queued.attempts, queued.queued_at
    -- After a failure the next request is a trial.
    limit least(maximum, case when state.failures_in_a_row > 0 then 8 end,
      -- Supabase runs the model in the function, whose processor time is 2 s.
      case when model like 'supabase/%' then 4 end)
    for update skip locked
  ), text as materialized (
    select due.*, known.texts[due.passage + 1] as body
    from due
    join (
      select record.dataset, record.record_id, funding.texts_of_record(record.dataset, record.record_id) as texts
      from (select distinct due.dataset, due.record_id from due) as record
    ) as known using (dataset, record_id)
  ), gone as (
    -- Their table was truncated, or passages have another length now.
    delete from funding.embedding_queue as queued using text
    where text.body is null and queued.dataset = text.dataset and queued.record_id = text.record_id and queued.passage = text.passage
  ), counted as (
    select text.*, ceil(length(text.body) / 4.0)::bigint as tokens,
           sum(ceil(length(text.body) / 4.0)) over (order by text.attempts, text.queued_at, text.record_id, text.passage) as total
    from text where text.body is not null
  ), taken as (
    update funding.embedding_queue as queued set claimed_until = lease_end, attempts = queued.attempts + 1
    from counted
    where counted.total <= tokens_left and queued.dataset = counted.dataset and queued.record_id = counted.record_id and queued.passage = counted.passage
    returning queued.dataset, queued.record_id, queued.passage, counted.body, counted.tokens
  )
  select sum(taken.tokens), json_agg(json_build_object('dataset', taken.dataset, 'id', taken.record_id, 'passage', taken.passage, 'body', taken.body,
    'text_hash', md5(taken.body)))
  into reserved, claimed from taken;
  if claimed is null then
    return nothing;
  end if;
  update funding.embedding_state as known set
    tokens = known.tokens + reserved,
    day = today, tokens_today = case when known.day = today then known.tokens_today else 0 end + reserved,
    minute = date_trunc('minute', present),
    requests_in_minute = case when known.minute = date_trunc('minute', present) then known.requests_in_minute else 0 end + requests_left;
  return json_build_object('model', model, 'claimed_until', lease_end, 'tokens', reserved, 'requests', requests_left, 'records', claimed);
end
$$;

-- Records the results of a claim. `batch` has its texts: [{ dataset, id, passage, text_hash, vector, refusal }], with a vector as pgvector's text, or the
-- reason why the provider refuses the text, which is set aside until it changes. Records with neither wait on. `spent` is { reserved_tokens, tokens,
-- reserved_requests, requests, failure, retry_after_seconds }: after a failure no dispatcher claims for 5 seconds, which double with each failure up
-- to 5 minutes, or for as long as the provider asks, up to an hour. Returns { stored }.
create or replace function public.finish_embeddings(model text, claimed_until timestamptz, batch jsonb, spent jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  today constant date := (funding.latest_now() at time zone 'UTC')::date;
  present constant timestamptz := funding.dispatch_now();
  given_tokens constant bigint := coalesce((spent->>'tokens')::bigint, 0) - coalesce((spent->>'reserved_tokens')::bigint, 0);
  dataset text;
  stored integer := 0;
begin
  if model = funding.embedded_model() then
    foreach dataset in array array['funders', 'grants', 'contracts'] loop
      stored := stored + funding.store_embeddings(dataset, model, (
        select coalesce(jsonb_agg(item), '[]') from jsonb_array_elements(batch) as item
        where item->>'dataset' = dataset and item->>'vector' is not null));
    end loop;
  end if;
  -- A claim that has ended, or whose record has changed, has another time.
  update funding.embedding_queue as queued
  set claimed_until = null, refusal = item.refusal, attempts = greatest(queued.attempts - 1, 0)
  from jsonb_to_recordset(batch) as item(dataset text, id uuid, passage integer, refusal text)
  where queued.dataset = item.dataset and queued.record_id = item.id and queued.passage = coalesce(item.passage, 0) and queued.claimed_until = finish_embeddings.claimed_until;
  -- Last, since all dispatchers write this row.
  update funding.embedding_state as known set
    tokens = known.tokens + given_tokens,
    requests = known.requests + coalesce((spent->>'requests')::integer, 0),
    records = known.records + stored,
    tokens_today = greatest(0, known.tokens_today + case when known.day = today then given_tokens else 0 end),
    requests_in_minute = greatest(0, known.requests_in_minute + case when known.minute = date_trunc('minute', present)
      then coalesce((spent->>'requests')::integer, 0) - coalesce((spent->>'reserved_requests')::integer, 0) else 0 end);
  if spent->>'failure' is not null then
    update funding.embedding_state as known set
      failures = known.failures + 1,
      last_failure = spent->>'failure',
      failures_in_a_row = next.failures,
      paused_until = greatest(known.paused_until, present + interval '1 second' * greatest(
        least(300, 5 * 2 ^ least(next.failures - 1, 10)),
        case when spent->>'retry_after_seconds' is not null then least(3600, (spent->>'retry_after_seconds')::double precision) end))
    from (
      -- A failure beside another one, which has made the pause, is a part of it.
      select case when stored > 0 then 1 when now.paused_until > present then now.failures_in_a_row else now.failures_in_a_row + 1 end as failures
      from funding.embedding_state as now) as next;
  elsif stored > 0 then
    update funding.embedding_state set failures_in_a_row = 0, paused_until = null, last_failure = null where failures_in_a_row > 0;
  end if;
  return json_build_object('stored', stored);
end
$$;

-- Keeps dispatchers from claiming records for five minutes, while a command embeds them; with `is_over`, lets them go on. Does nothing where search
-- does not use the model. Adds to the totals what the command has spent.
create or replace function funding.hold_embeddings(model text, tokens bigint, requests integer, is_over boolean default false) returns void
language plpgsql as $$
declare
  present constant timestamptz := funding.tick();
begin
  update funding.embedding_state as known set
    tokens = known.tokens + hold_embeddings.tokens, requests = known.requests + hold_embeddings.requests,
    paused_until = case when model is distinct from funding.embedded_model() then known.paused_until
      when not is_over then present + interval '5 minutes' end;
end
$$;

-- State of the queue, for the metrics. Numbers of records are counted to `most`.
create or replace function funding.embedding_metrics(most integer) returns json
language plpgsql stable as $$
begin
  return (
    select json_build_object(
      'waiting', (select count(*) from (select from funding.embedding_queue where refusal is null limit most) as waiting),
      'oldest_seconds', (
        select extract(epoch from now() - oldest.queued_at)::double precision
        from (select queued_at from funding.embedding_queue where refusal is null order by queued_at limit 1) as oldest),
      'refused', (select count(*) from (select from funding.embedding_queue where refusal is not null limit most) as refused),
      'tokens', state.tokens, 'requests', state.requests, 'records', state.records, 'failures', state.failures,
      'tokens_today', case when state.day = (funding.latest_now() at time zone 'UTC')::date then state.tokens_today else 0 end,
      'daily_tokens', funding.setting('embedding_daily_tokens'))
    from funding.embedding_state as state);
end
$$;
