-- Usage by month: what is older than the retention of usage by day.

-- Name of a counter in `funding.usage_months`. `funding.month_counters` reads it.
create or replace function funding.month_counter(status smallint, latency_bucket_ms integer, endpoint text) returns text
language sql immutable parallel safe as $$
  select format('%s %s %s', status, latency_bucket_ms, endpoint)
$$;

-- Counters of a row of `funding.usage_months`.
create or replace function funding.month_counters(
  counts jsonb, out status smallint, out latency_bucket_ms integer, out endpoint text, out requests bigint) returns setof record
language sql immutable parallel safe as $$
  select split_part(item.key, ' ', 1)::smallint, split_part(item.key, ' ', 2)::integer, regexp_replace(item.key, '^\S+ \S+ ', ''), item.value::bigint
  from jsonb_each_text(counts) as item
$$;

-- Sum of two objects of counts.
create or replace function funding.added_counts(one jsonb, other jsonb) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(jsonb_object_agg(counter.key, counter.requests), '{}')
  from (
    select item.key, sum(item.value::bigint) as requests
    from (select * from jsonb_each_text(one) union all select * from jsonb_each_text(other)) as item
    group by item.key
  ) as counter
$$;

-- Adds usage of days before `cutoff` to its months, and deletes it: at most `maximum` rows, of the keys with the oldest usage. It goes key by key,
-- since each batch writes its months anew: day by day that was 31 times a month. One statement does both, so at any time a request is counted in one
-- place. A key that is being deleted is left alone. Returns the number of rows.
create or replace function funding.roll_up_usage(cutoff date, maximum integer) returns bigint
language plpgsql as $$
declare
  keys constant uuid[] := array(
    select distinct oldest.api_key_id
    from (
      select old.api_key_id from funding.usage as old join funding.api_keys as api_key on api_key.id = old.api_key_id
      where old.day < cutoff order by old.day limit maximum for key share of api_key skip locked) as oldest);
  rolled bigint;
begin
  with gone as (
    delete from funding.usage where ctid = any (array(
      select old.ctid
      from unnest(keys) as key(id)
      -- A subquery of its own, so that no plan goes day by day.
      cross join lateral (
        select candidate.ctid from funding.usage as candidate
        where candidate.api_key_id = key.id and candidate.day < cutoff limit maximum for update skip locked) as old
      limit maximum))
    returning api_key_id, day, endpoint, status, latency_bucket_ms, requests
  ), counter as (
    select gone.api_key_id, date_trunc('month', gone.day::timestamp)::date as month,
           funding.month_counter(gone.status, gone.latency_bucket_ms, gone.endpoint) as name, sum(gone.requests) as requests
    from gone group by 1, 2, 3
  ), added as (
    insert into funding.usage_months as known (api_key_id, month, counts)
    select counter.api_key_id, counter.month, jsonb_object_agg(counter.name, counter.requests) from counter group by 1, 2 order by 1, 2
    on conflict on constraint usage_months_pkey do update set counts = funding.added_counts(known.counts, excluded.counts)
  )
  select count(*) into rolled from gone;
  return rolled;
end
$$;
