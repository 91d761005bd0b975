-- Usage: requests, errors and response times by day, key, status and endpoint.

-- Adds a batch of finished requests to the usage counts. Each item of `events`:
-- { api_key_id, at, endpoint, status, latency_bucket_ms, requests, duration_ms }, with key_hash in place of api_key_id where the request failed
-- before the key was looked up. An item may have `lines`, its requests one by one, for the request log (request_log.sql). An item with 0 `requests`,
-- of keys that are not valid any more, is only for the log. Keys that do not exist are skipped. The rows are written in key order, so that two
-- batches cannot deadlock. A time in the future, from a clock that is ahead, is counted now, and a time before yesterday is counted yesterday: only
-- retention (retention.sql) writes rows of earlier days.
-- A writer numbers its batches from 1 and sends the next when this one is in; without a writer, every call counts.
create or replace function public.record_usage(events jsonb, writer uuid default null, batch bigint default null) returns void
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  today constant date := funding.quota_day();
  earliest constant timestamptz := (today - 1)::timestamp at time zone 'UTC';
  latest constant timestamptz := least(greatest(now(), today::timestamp at time zone 'UTC'),
    (today + 1)::timestamp at time zone 'UTC' - interval '1 microsecond');
begin
  if writer is not null then
    insert into funding.usage_writers as known (id, batch) values (writer, record_usage.batch)
    on conflict (id) do update set batch = excluded.batch, written_at = funding.latest_now() where known.batch < excluded.batch;
    if not found then
      return;
    end if;
    -- A new writer deletes some old writers. No writer goes on sending a batch for an hour after the batch is in.
    if batch = 1 then
      delete from funding.usage_writers where id in (
        select old.id from funding.usage_writers as old
        where old.created_at < funding.bounded_now() - interval '1 hour' and old.written_at < funding.bounded_now() - interval '1 hour'
        order by old.created_at limit 100 for update skip locked);
    end if;
  end if;

  -- The keys stay until the counts are in: a deletion under way is waited for, and one that comes later waits.
  perform from funding.api_keys
  where id = any (array(select (item ->> 'api_key_id')::uuid from jsonb_array_elements(events) as item))
     or key_hash = any (array(select item ->> 'key_hash' from jsonb_array_elements(events) as item))
  order by id
  for key share;

  insert into funding.usage as counted (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
  select api_key.id, least(greatest((event.at at time zone 'UTC')::date, today - 1), today), event.endpoint, event.status,
         event.latency_bucket_ms, sum(event.requests)
  from jsonb_to_recordset(events) as event(
    api_key_id uuid, key_hash text, at timestamptz, endpoint text, status smallint, latency_bucket_ms integer, requests bigint)
  join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
  where event.requests > 0
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
  on conflict (api_key_id, day, endpoint, status, latency_bucket_ms)
    do update set requests = counted.requests + excluded.requests;

  -- Usage by hour, a row for each key. The day of an hour is the one on which the request is counted, so that hours add up to their day.
  insert into funding.usage_hours as counted (api_key_id, hour, requests, client_errors, server_errors, latencies)
  select bucket.api_key_id, bucket.hour, sum(bucket.requests), sum(bucket.client_errors), sum(bucket.server_errors),
         jsonb_object_agg(bucket.latency_bucket_ms, bucket.requests)
  from (
    select api_key.id as api_key_id, event.latency_bucket_ms, sum(event.requests) as requests,
           date_trunc('hour', greatest(least(event.at, latest), earliest), 'UTC') as hour,
           coalesce(sum(event.requests) filter (where event.status between 400 and 499), 0) as client_errors,
           coalesce(sum(event.requests) filter (where event.status >= 500), 0) as server_errors
    from jsonb_to_recordset(events) as event(
      api_key_id uuid, key_hash text, at timestamptz, status smallint, latency_bucket_ms integer, requests bigint)
    join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
    where event.requests > 0
    group by api_key.id, event.latency_bucket_ms, hour
  ) as bucket
  group by 1, 2
  order by 1, 2
  on conflict on constraint usage_hours_pkey do update set
    requests = counted.requests + excluded.requests, client_errors = counted.client_errors + excluded.client_errors,
    server_errors = counted.server_errors + excluded.server_errors,
    -- Written out as in `funding.added_counts`: a call of that function takes longer than the rest of the row.
    latencies = (
      select jsonb_object_agg(merged.key, merged.requests)
      from (
        select item.key, sum(item.value::bigint) as requests
        from (
          select * from jsonb_each_text(counted.latencies) union all select * from jsonb_each_text(excluded.latencies)) as item
        group by item.key
      ) as merged);

  insert into funding.usage_totals as counted (shard, endpoint, status, latency_bucket_ms, requests, duration_ms)
  select pg_backend_pid() % 16, event.endpoint, event.status, event.latency_bucket_ms, sum(event.requests),
         coalesce(sum(event.duration_ms), 0)
  from jsonb_to_recordset(events) as event(
    api_key_id uuid, key_hash text, endpoint text, status smallint, latency_bucket_ms integer, requests bigint,
    duration_ms double precision)
  join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
  where event.requests > 0
  group by 2, 3, 4
  order by 2, 3, 4
  on conflict (shard, endpoint, status, latency_bucket_ms) do update
    set requests = counted.requests + excluded.requests, duration_ms = counted.duration_ms + excluded.duration_ms;

  -- A time to the minute is enough for the key's owner, and spares a row version for each request. The keys are locked in key order, too, and no more
  -- strongly than by the update itself: each batch's counts refer to the key and lock it in share, so stronger locks of two batches would deadlock.
  with used as (
    select api_key.id, event.at
    from (
      select item.api_key_id, least(max(item.at), now()) as at
      from jsonb_to_recordset(events) as item(api_key_id uuid, at timestamptz)
      group by 1
    ) as event
    join funding.api_keys as api_key on api_key.id = event.api_key_id
    where api_key.last_used_at is null or api_key.last_used_at < event.at - interval '1 minute'
    order by api_key.id
    for no key update of api_key
  )
  update funding.api_keys as api_key set last_used_at = used.at from used where api_key.id = used.id;

  perform funding.beat();

  -- The counts, by which bills go, stay even if the log fails.
  begin
    perform funding.log_requests(events);
  exception when others then
    raise warning 'requests are not in the request log: %', sqlerrm;
  end;
end
$$;

-- Upper bounds of the response-time buckets, in milliseconds, as in shared/usage/recorder.ts.
create or replace function funding.latency_bounds() returns integer[]
language sql immutable parallel safe as $$
  select array[1, 2, 3, 5, 7, 10, 15, 22, 33, 50, 75, 110, 165, 250, 375, 560, 850, 1300, 2000, 3000, 4500, 7000, 10000]
$$;

-- Response time that a share of the requests do not exceed, in milliseconds, or null without requests. `counts` is an object of requests by bucket. A
-- bucket's requests count as evenly spread in it, as in Prometheus' `histogram_quantile`; in the last one, which has no upper bound, as its lower bound.
create or replace function funding.latency_at(counts jsonb, share double precision) returns integer
language sql immutable as $$
  select case when ranked.bucket = 2147483647 then 10000
    else greatest(1, round(bound.lower + (ranked.bucket - bound.lower) * (share * ranked.all_requests - ranked.so_far + ranked.requests) / ranked.requests)) end
  from (
    select item.key::integer as bucket, item.value::bigint as requests,
           sum(item.value::bigint) over (order by item.key::integer) as so_far,
           sum(item.value::bigint) over () as all_requests
    from jsonb_each_text(counts) as item
  ) as ranked
  cross join lateral (select coalesce(max(known), 0) as lower from unnest(funding.latency_bounds()) as known where known < ranked.bucket) as bound
  where ranked.so_far >= share * ranked.all_requests
  order by ranked.bucket
  limit 1
$$;

-- Requests, errors by class and response times, of usage that was summed by bucket.
create or replace function funding.usage_body(requests bigint, client_errors bigint, server_errors bigint, latencies jsonb) returns jsonb
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

-- Usage of these keys by hour, from one UTC day to another, both included, up to the present hour. Only days whose hours are all kept are included:
-- there the hours add up to the count of the day. Hours are counted since an upgrade, and are kept for `usage_hour_days`.
create or replace function funding.usage_by_hour(keys uuid[], first_day date, last_day date) returns json
language sql stable as $$
  with kept_since as materialized (
    select date_trunc('hour', funding.wall_clock() - funding.setting('usage_hour_days')::double precision * interval '1 day', 'UTC') as moment
  ), counted as materialized (
    select by_hour.* from funding.usage_hours as by_hour
    where by_hour.api_key_id = any (keys)
      and by_hour.hour >= first_day::timestamp at time zone 'UTC' and by_hour.hour < (last_day + 1)::timestamp at time zone 'UTC'
  ), summed as (
    select counted.hour, sum(counted.requests)::bigint as requests, sum(counted.client_errors)::bigint as client_errors,
           sum(counted.server_errors)::bigint as server_errors
    from counted group by 1
  ), by_day as (
    select usage.day, sum(usage.requests) as requests
    from funding.usage where usage.api_key_id = any (keys) and usage.day between first_day and last_day group by 1
  ), hours_by_day as (
    select (summed.hour at time zone 'UTC')::date as day, sum(summed.requests) as requests from summed group by 1
  ), whole_day as (
    select listed.day::date as day
    from generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') as listed(day)
    left join by_day on by_day.day = listed.day::date
    left join hours_by_day on hours_by_day.day = listed.day::date
    where listed.day at time zone 'UTC' >= (select kept_since.moment from kept_since)
      and coalesce(by_day.requests, 0) = coalesce(hours_by_day.requests, 0)
  ), bucket as (
    select counted.hour, item.key, sum(item.value::bigint) as requests
    from counted cross join lateral jsonb_each_text(counted.latencies) as item group by 1, 2
  ), latencies as (
    select bucket.hour, jsonb_object_agg(bucket.key, bucket.requests) as counts from bucket group by 1
  )
  select coalesce(json_agg(
    jsonb_build_object('hour', funding.moment(moment.hour))
      || funding.usage_body(summed.requests, summed.client_errors, summed.server_errors, coalesce(latencies.counts, '{}'))
    order by moment.hour), '[]')
  from whole_day
  cross join lateral (
    select whole_day.day::timestamp at time zone 'UTC' + number * interval '1 hour' as hour from generate_series(0, 23) as number) as moment
  left join summed on summed.hour = moment.hour
  left join latencies on latencies.hour = moment.hour
  where moment.hour <= funding.wall_clock()
$$;

-- Rows of `funding.usage` that a usage page reads at most: one for each key, day, endpoint, status and class of response times. They take a fifth of a
-- second, in which the embedded database serves nobody else.
create or replace function funding.usage_page_rows() returns integer
language sql immutable parallel safe as $$ select 150000 $$;

-- The account's usage from one UTC day to another, both included. With a key, only of that key; raises PT404 when the key is not the account's. Of
-- the account's keys, the busiest are listed one by one: `funding.keys_told` of them. A month that is no longer kept by day is counted where the
-- whole month is asked for, and has no days. `include` may have requests_by_day, each key's requests of each day: with 500 busy keys these take a
-- fifth longer for 14 days and two thirds longer for 90. It may also have hours (`funding.usage_by_hour`), null otherwise.
create or replace function public.get_account_usage(
  user_id uuid, session_id uuid, first_day date, last_day date, key_id uuid default null, include text[] default '{}')
returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_account_usage.user_id, get_account_usage.session_id);
  result json;
begin
  if get_account_usage.key_id is not null and not exists (
    select from funding.api_keys where api_keys.id = get_account_usage.key_id and api_keys.account_id = own_id)
  then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;
  if funding.usage_page_rows() < (
    select count(*) from (
      select from funding.usage join funding.api_keys on api_keys.id = usage.api_key_id
      where api_keys.account_id = own_id and (get_account_usage.key_id is null or api_keys.id = get_account_usage.key_id)
        and usage.day between first_day and last_day
      limit funding.usage_page_rows() + 1) as counted)
  then
    raise sqlstate 'PT400' using
      message = 'must be later: the keys of this account have too many counts from this day on to add them up. Ask for fewer days, or for one key with key_id',
      hint = 'from';
  end if;

  with own_key as (
    select api_keys.* from funding.api_keys
    where api_keys.account_id = own_id and (get_account_usage.key_id is null or api_keys.id = get_account_usage.key_id)
  ), rolled as materialized (
    -- Months that are kept as a whole, or are about to be: some of their days may not be rolled up yet.
    select distinct month.month, month.month >= first_day and month.month + interval '1 month' <= last_day + 1 as is_asked
    from funding.usage_months as month join own_key on own_key.id = month.api_key_id
    where month.month between date_trunc('month', first_day::timestamp) and last_day
  ), counted as not materialized (
    select usage.api_key_id, case when rolled.month is null then usage.day end as day, rolled.month,
           usage.endpoint, usage.status, usage.latency_bucket_ms, usage.requests
    from funding.usage join own_key on own_key.id = usage.api_key_id
    left join rolled on rolled.month = date_trunc('month', usage.day::timestamp)
    where usage.day between first_day and last_day and coalesce(rolled.is_asked, true)
    union all
    select month.api_key_id, null, month.month, counter.endpoint, counter.status, counter.latency_bucket_ms, counter.requests
    from rolled join funding.usage_months as month on month.month = rolled.month join own_key on own_key.id = month.api_key_id
    cross join lateral funding.month_counters(month.counts) as counter
    where rolled.is_asked
  ), over_keys as materialized (
    -- Of an account with many keys, a hundredth of the rows. Half a million rows are read twice, with one sum each: every view of its own took three
    -- times as long.
    select counted.month, counted.day, counted.endpoint, counted.status, counted.latency_bucket_ms, sum(counted.requests) as requests
    from counted group by 1, 2, 3, 4, 5
  ), of_key as (
    select counted.api_key_id, counted.latency_bucket_ms, least(counted.status / 100, 5) as status_class, sum(counted.requests) as requests
    from counted group by 1, 2, 3
  ), bucket as (
    -- Each view is a grouping set; a bucket's counts are summed first, then made an object.
    select grouping(over_keys.month, over_keys.day, over_keys.endpoint) as view_,
           over_keys.month, over_keys.day, over_keys.endpoint, over_keys.latency_bucket_ms,
           sum(over_keys.requests) as requests,
           sum(over_keys.requests) filter (where over_keys.status between 400 and 499) as client_errors,
           sum(over_keys.requests) filter (where over_keys.status >= 500) as server_errors
    from over_keys
    group by grouping sets (
      (over_keys.latency_bucket_ms), (over_keys.month, over_keys.latency_bucket_ms), (over_keys.day, over_keys.latency_bucket_ms),
      (over_keys.endpoint, over_keys.latency_bucket_ms))
  ), summed as (
    select bucket.view_, bucket.month, bucket.day, bucket.endpoint, sum(bucket.requests)::bigint as requests,
           funding.usage_body(sum(bucket.requests)::bigint, sum(bucket.client_errors)::bigint, sum(bucket.server_errors)::bigint,
             jsonb_object_agg(bucket.latency_bucket_ms, bucket.requests)) as body
    from bucket group by 1, 2, 3, 4
  ), key_bucket as (
    select of_key.api_key_id, of_key.latency_bucket_ms, sum(of_key.requests) as requests,
           sum(of_key.requests) filter (where of_key.status_class = 4) as client_errors,
           sum(of_key.requests) filter (where of_key.status_class = 5) as server_errors
    from of_key group by 1, 2
  ), summed_key as (
    select key_bucket.api_key_id, sum(key_bucket.requests)::bigint as requests,
           funding.usage_body(sum(key_bucket.requests)::bigint, sum(key_bucket.client_errors)::bigint, sum(key_bucket.server_errors)::bigint,
             jsonb_object_agg(key_bucket.latency_bucket_ms, key_bucket.requests)) as body
    from key_bucket group by 1
  ), nothing as (
    select funding.usage_body(0, 0, 0, '{}') as body
  ), calendar as materialized (
    select listed.day::date as day
    from generate_series(first_day::timestamp, last_day::timestamp, interval '1 day') as listed(day)
    where date_trunc('month', listed.day) not in (select rolled.month from rolled)
  ), told as materialized (
    select own_key.id, own_key.name, own_key.display, own_key.created_at, coalesce(summed_key.requests, 0) as requests, summed_key.body
    from own_key left join summed_key on summed_key.api_key_id = own_key.id
    order by coalesce(summed_key.requests, 0) desc, own_key.created_at desc, own_key.id
    limit funding.keys_told()
  ), told_days as (
    select told.id, json_agg(coalesce(by_day.requests, 0) order by calendar.day) as requests
    from told cross join calendar
    left join (
      select counted.api_key_id, counted.day, sum(counted.requests)::bigint as requests from counted group by 1, 2
    ) as by_day on by_day.api_key_id = told.id and by_day.day = calendar.day
    where 'requests_by_day' = any (get_account_usage.include)
    group by 1
  )
  select json_build_object(
    'totals', coalesce((select summed.body from summed where summed.view_ = 7), nothing.body),
    'days', (
      select coalesce(json_agg(
        jsonb_build_object('day', funding.iso_date(calendar.day)) || coalesce(summed.body, nothing.body) order by calendar.day), '[]')
      from calendar left join summed on summed.view_ = 5 and summed.day = calendar.day),
    'hours', case when 'hours' = any (get_account_usage.include)
      then funding.usage_by_hour(array(select own_key.id from own_key), first_day, last_day) end,
    'months', (
      select coalesce(json_agg(
        jsonb_build_object('month', left(funding.iso_date(summed.month), 7)) || summed.body order by summed.month), '[]')
      from summed where summed.view_ = 3 and summed.month is not null),
    'keys', (
      select coalesce(json_agg(
        jsonb_build_object('id', told.id, 'name', told.name, 'display', told.display)
          || case when 'requests_by_day' = any (get_account_usage.include)
            then jsonb_build_object('requests_by_day', coalesce(told_days.requests, '[]')) else '{}' end
          || coalesce(told.body, nothing.body)
        order by told.requests desc, told.created_at desc, told.id), '[]')
      from told left join told_days on told_days.id = told.id),
    'endpoints', (
      select coalesce(json_agg(jsonb_build_object('endpoint', summed.endpoint) || summed.body
        order by summed.requests desc, summed.endpoint), '[]')
      from summed where summed.view_ = 6),
    'statuses', (
      select coalesce(json_agg(json_build_object('status', by_status.status, 'requests', by_status.requests) order by by_status.status), '[]')
      from (select over_keys.status, sum(over_keys.requests)::bigint as requests from over_keys group by 1) as by_status))
  into result from nothing;
  return result;
end
$$;
