-- What an account reads of itself is bounded, whatever it has gathered: keys and attempts add up day after day, and nothing but
-- these answers told all of them at once. (A key is some 350 bytes, and 300 a day can be made.)

-- How many keys an answer tells: in any case all that can be active.
create function funding.keys_told() returns bigint
language plpgsql stable as $$
begin
  return greatest(500, 2 * funding.setting('maximum_active_keys')::bigint);
end
$$;

-- The account's keys, newest first: all that are active, and of the others the newest, `funding.keys_told` in all.
create or replace function public.list_account_keys(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_account_keys.user_id, list_account_keys.session_id);
begin
  return (
    select coalesce(json_agg(funding.key_body(told.api_key) order by (told.api_key).created_at desc, (told.api_key).id), '[]')
    from (
      select own_key as api_key from funding.api_keys as own_key where own_key.account_id = own_id
      order by funding.is_valid(own_key) desc, own_key.created_at desc, own_key.id
      limit funding.keys_told()
    ) as told);
end
$$;

-- The account's usage from one UTC day to another, both included. With a key, of that one alone; raises PT404 when it
-- is not the account's. Of its keys the busiest are told one by one: `funding.keys_told` of them.
create or replace function public.get_account_usage(user_id uuid, session_id uuid, first_day date, last_day date, key_id uuid default null)
returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_account_usage.user_id, get_account_usage.session_id);
  answer json;
begin
  if get_account_usage.key_id is not null and not exists (
    select from funding.api_keys where api_keys.id = get_account_usage.key_id and api_keys.account_id = own_id)
  then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;

  with own_key as (
    select api_keys.* from funding.api_keys
    where api_keys.account_id = own_id and (get_account_usage.key_id is null or api_keys.id = get_account_usage.key_id)
  ), counted as materialized (
    select usage.api_key_id, usage.day, usage.endpoint, usage.status, usage.latency_bucket_ms, usage.requests
    from funding.usage join own_key on own_key.id = usage.api_key_id
    where usage.day between first_day and last_day
  ), bucket as (
    -- Each way to look at it is a grouping set; a bucket's counts are summed first, then made an object.
    select grouping(counted.day, counted.api_key_id, counted.endpoint) as view_,
           counted.day, counted.api_key_id, counted.endpoint, counted.latency_bucket_ms,
           sum(counted.requests) as requests,
           sum(counted.requests) filter (where counted.status between 400 and 499) as client_errors,
           sum(counted.requests) filter (where counted.status >= 500) as server_errors
    from counted
    group by grouping sets (
      (counted.latency_bucket_ms), (counted.day, counted.latency_bucket_ms),
      (counted.api_key_id, counted.latency_bucket_ms), (counted.endpoint, counted.latency_bucket_ms))
  ), summed as (
    select bucket.view_, bucket.day, bucket.api_key_id, bucket.endpoint, sum(bucket.requests)::bigint as requests,
           funding.usage_body(sum(bucket.requests)::bigint, sum(bucket.client_errors)::bigint, sum(bucket.server_errors)::bigint,
             jsonb_object_agg(bucket.latency_bucket_ms, bucket.requests)) as body
    from bucket group by 1, 2, 3, 4
  ), nothing as (
    select funding.usage_body(0, 0, 0, '{}') as body
  )
  select json_build_object(
    'totals', coalesce((select summed.body from summed where summed.view_ = 7), nothing.body),
    'days', (
      select json_agg(jsonb_build_object('day', funding.iso_date(calendar.day::date)) || coalesce(summed.body, nothing.body) order by calendar.day)
      from generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') as calendar(day)
      left join summed on summed.view_ = 3 and summed.day = calendar.day::date),
    'keys', (
      select coalesce(json_agg(
        jsonb_build_object('id', told.id, 'name', told.name, 'display', told.display) || coalesce(told.body, nothing.body)
        order by told.requests desc, told.created_at desc, told.id), '[]')
      from (
        select own_key.id, own_key.name, own_key.display, own_key.created_at, coalesce(summed.requests, 0) as requests, summed.body
        from own_key left join summed on summed.view_ = 5 and summed.api_key_id = own_key.id
        order by coalesce(summed.requests, 0) desc, own_key.created_at desc, own_key.id
        limit funding.keys_told()
      ) as told),
    'endpoints', (
      select coalesce(json_agg(jsonb_build_object('endpoint', summed.endpoint) || summed.body
        order by summed.requests desc, summed.endpoint), '[]')
      from summed where summed.view_ = 6),
    'statuses', (
      select coalesce(json_agg(json_build_object('status', by_status.status, 'requests', by_status.requests) order by by_status.status), '[]')
      from (select counted.status, sum(counted.requests)::bigint as requests from counted group by 1) as by_status))
  into answer from nothing;
  return answer;
end
$$;
-- One delivery with what was sent and its latest attempts, at most 50: the request, the answer, the time it took, the error.
create or replace function funding.get_webhook_delivery(account_id uuid, webhook_id uuid, event_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  delivery funding.webhook_deliveries := funding.delivery_of(account_id, webhook_id, event_id);
  event funding.events;
begin
  select * into event from funding.events where events.id = delivery.event_id;
  return funding.shown_delivery(delivery, event) || jsonb_build_object(
    'payload', json_build_object('id', event.id, 'event', event.event, 'created_at', funding.moment(event.created_at), 'data', event.data),
    'log', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'attempt', attempt.number, 'url', attempt.url, 'started_at', funding.moment(attempt.started_at), 'duration_ms', attempt.duration_ms,
        'status', attempt.status, 'error', attempt.error, 'message', attempt.message,
        'request_headers', attempt.request_headers, 'response_headers', attempt.response_headers, 'response_body', attempt.response_body)
        order by attempt.number), '[]')
      from (
        select known.* from funding.webhook_attempts as known
        where known.endpoint_id = webhook_id and known.event_id = get_webhook_delivery.event_id
        order by known.number desc limit 50
      ) as attempt));
end
$$;

revoke execute on all functions in schema funding from public;
