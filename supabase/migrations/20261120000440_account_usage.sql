-- An account's usage: requests, errors and response times, in all, by day, by key, by status and by endpoint.

-- The least response-time bucket that holds at least this share of the requests, in milliseconds, or null without
-- requests. `counts` is an object of requests by bucket. Of the bucket without an upper bound, its lower one.
create function funding.latency_at(counts jsonb, share double precision) returns integer
language sql immutable as $$
  select case ranked.bucket when 2147483647 then 10000 else ranked.bucket end
  from (
    select item.key::integer as bucket,
           sum(item.value::bigint) over (order by item.key::integer) as requests_so_far,
           sum(item.value::bigint) over () as requests
    from jsonb_each_text(counts) as item
  ) as ranked
  where ranked.requests_so_far >= share * ranked.requests
  order by ranked.bucket
  limit 1
$$;

-- Requests, errors by class and response times, of usage that was summed by bucket.
create function funding.usage_body(requests bigint, client_errors bigint, server_errors bigint, latencies jsonb) returns jsonb
language sql immutable as $$
  select jsonb_build_object(
    'requests', coalesce(requests, 0),
    'client_errors', coalesce(client_errors, 0),
    'server_errors', coalesce(server_errors, 0),
    'latency_ms', jsonb_build_object(
      'p50', funding.latency_at(latencies, 0.5),
      'p95', funding.latency_at(latencies, 0.95),
      'p99', funding.latency_at(latencies, 0.99)))
$$;

-- The account's usage from one UTC day to another, both included. With a key, of that one alone; raises PT404 when it
-- is not the account's.
create function public.get_account_usage(user_id uuid, session_id uuid, first_day date, last_day date, key_id uuid default null)
returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
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
        jsonb_build_object('id', own_key.id, 'name', own_key.name, 'display', own_key.display) || coalesce(summed.body, nothing.body)
        order by coalesce(summed.requests, 0) desc, own_key.created_at desc, own_key.id), '[]')
      from own_key left join summed on summed.view_ = 5 and summed.api_key_id = own_key.id),
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
revoke execute on function public.get_account_usage(uuid, uuid, date, date, uuid) from public, anon, authenticated;
grant execute on function public.get_account_usage(uuid, uuid, date, date, uuid) to service_role;
