-- record_usage: counts that only ever add up.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(44);

insert into funding.accounts (id, email) values ('00000000-0000-4000-8000-00000000000a', 'usage@usage.test');
insert into funding.api_keys (id, account_id, name, key_hash, display) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a', 'first', repeat('1', 64), 'k'),
  ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-00000000000a', 'second', repeat('2', 64), 'k');

create function pg_temp.event(changes jsonb default '{}') returns jsonb language sql as $$
  select jsonb_build_object('api_key_id', '00000000-0000-4000-8000-000000000001', 'at', '2026-03-01T12:00:00.000Z',
    'endpoint', 'grants-api', 'status', 200, 'latency_bucket_ms', 50, 'requests', 1) || changes
$$;

create function pg_temp.counted(conditions text default 'true') returns bigint language plpgsql as $$
declare
  answer bigint;
begin
  execute 'select sum(requests) from funding.usage where api_key_id::text like ''00000000-0000-4000-8000-%'' and ' || conditions into answer;
  return answer;
end
$$;

-- Moves the day that requests are counted on.
create function pg_temp.set_today(today text) returns void language plpgsql as $$
begin
  execute format('create or replace function funding.quota_day() returns date language sql stable as %L', format('select %L::date', today));
end
$$;

create function pg_temp.last_used(number integer) returns timestamptz language sql as $$
  select last_used_at from funding.api_keys where id = ('00000000-0000-4000-8000-00000000000' || number)::uuid
$$;

select pg_temp.set_today('2026-03-02');
select lives_ok($$select public.record_usage(jsonb_build_array(pg_temp.event()))$$, 'a batch of one request is recorded');
select results_eq(
  $$select day, endpoint, status, latency_bucket_ms, requests from funding.usage where api_key_id = '00000000-0000-4000-8000-000000000001'$$,
  $$values ('2026-03-01'::date, 'grants-api'::text, 200::smallint, 50, 1::bigint)$$,
  'a request is counted by day, endpoint, status and latency');
select is(pg_temp.last_used(1), '2026-03-01T12:00:00Z'::timestamptz, 'a key''s last use is kept');
select public.record_usage(jsonb_build_array(pg_temp.event('{"requests": 4}')));
select is(pg_temp.counted(), 5::bigint, 'a further batch is added to the count');
select public.record_usage(jsonb_build_array(pg_temp.event('{"requests": 2}'), pg_temp.event('{"requests": 3, "at": "2026-03-01T13:00:00Z"}')));
select is(pg_temp.counted(), 10::bigint, 'events of one batch that belong together are added up');
select is((select count(*) from funding.usage where api_key_id = '00000000-0000-4000-8000-000000000001'), 1::bigint, 'requests alike share a row');
select public.record_usage(jsonb_build_array(
  pg_temp.event('{"status": 429}'), pg_temp.event('{"latency_bucket_ms": 2147483647}'), pg_temp.event('{"endpoint": "funders-api"}'),
  pg_temp.event('{"api_key_id": "00000000-0000-4000-8000-000000000002"}'), pg_temp.event('{"at": "2026-03-02T00:00:00Z"}')));
select is((select count(*) from funding.usage where api_key_id::text like '00000000-0000-4000-8000-%'), 6::bigint,
  'status, latency, endpoint, key and day each keep a count of their own');
select is(pg_temp.counted('status = 200 and latency_bucket_ms = 50 and endpoint = ''grants-api'' and day = ''2026-03-01''
  and api_key_id::text like ''%1'''), 10::bigint, 'what differs is not added to what was there');

-- Days are UTC's.
delete from funding.usage;
select public.record_usage(jsonb_build_array(pg_temp.event('{"at": "2026-03-01T23:30:00-05:00"}')));
select is(pg_temp.counted('day = ''2026-03-02'''), 1::bigint, 'late evening in New York is the next UTC day');
set local timezone = 'Pacific/Kiritimati';
select pg_temp.set_today('2026-03-06');
select public.record_usage(jsonb_build_array(pg_temp.event('{"at": "2026-03-05T23:59:59.999Z"}'), pg_temp.event('{"at": "2026-03-06T00:00:00Z"}')));
set local timezone = 'UTC';
select is(pg_temp.counted('day = ''2026-03-05'''), 1::bigint, 'the last millisecond of a UTC day is that day''s, wherever the session is');
select is(pg_temp.counted('day = ''2026-03-06'''), 1::bigint, 'the first moment of a UTC day is that day''s, wherever the session is');

-- Keys that are gone.
delete from funding.usage;
select lives_ok($$select public.record_usage(jsonb_build_array(
  pg_temp.event('{"api_key_id": "00000000-0000-4000-8000-0000000000ff"}'), pg_temp.event('{"requests": 7}')))$$,
  'a key deleted meanwhile does not stop a batch');
select is(pg_temp.counted(), 7::bigint, 'the other keys of such a batch are counted');
select is_empty($$select from funding.usage where api_key_id = '00000000-0000-4000-8000-0000000000ff'$$, 'a key that there is not has no count');
select lives_ok($$select public.record_usage('[]')$$, 'an empty batch is no error');
select throws_ok($$select public.record_usage(jsonb_build_array(pg_temp.event(), pg_temp.event('{"status": "fine"}')))$$, '22P02', null,
  'a status that is no number is refused');
select is(pg_temp.counted(), 7::bigint, 'a refused batch counts nothing at all');
delete from funding.api_keys where id = '00000000-0000-4000-8000-000000000001';
select is(pg_temp.counted(), null, 'a deleted key takes its counts with it');

-- Last use.
update funding.api_keys set last_used_at = '2026-03-01T12:00:00Z' where id = '00000000-0000-4000-8000-000000000002';
create function pg_temp.use_second(at text) returns void language sql as $$
  select public.record_usage(jsonb_build_array(pg_temp.event(jsonb_build_object('api_key_id', '00000000-0000-4000-8000-000000000002', 'at', at))))
$$;
select pg_temp.use_second('2026-02-01T00:00:00Z');
select is(pg_temp.last_used(2), '2026-03-01T12:00:00Z'::timestamptz, 'a batch that arrives late does not move the last use back');
select pg_temp.use_second('2026-03-01T12:00:59Z');
select is(pg_temp.last_used(2), '2026-03-01T12:00:00Z'::timestamptz, 'within a minute the last use is not written again');
select pg_temp.use_second('2026-03-01T12:01:01Z');
select is(pg_temp.last_used(2), '2026-03-01T12:01:01Z'::timestamptz, 'after a minute the last use moves on');
select public.record_usage((select jsonb_agg(pg_temp.event(jsonb_build_object('api_key_id', '00000000-0000-4000-8000-000000000002', 'at', at)))
  from unnest(array['2026-03-03T00:00:00Z', '2026-03-04T00:00:00Z', '2026-03-02T00:00:00Z']) as at));
select is(pg_temp.last_used(2), '2026-03-04T00:00:00Z'::timestamptz, 'the last use is the latest of a batch, in whatever order');
select is(pg_temp.counted(), 6::bigint, 'the requests that do not move the last use are counted too');

-- Clocks that are wrong, and batches that come late.
delete from funding.usage;
select pg_temp.set_today('2026-03-06');
select public.record_usage(jsonb_build_array(pg_temp.event('{"at": "2025-01-01T00:00:00Z"}')
  || '{"api_key_id": "00000000-0000-4000-8000-000000000002"}', pg_temp.event('{"at": "2026-03-04T23:59:59Z"}')
  || '{"api_key_id": "00000000-0000-4000-8000-000000000002"}'));
select is(pg_temp.counted(), 2::bigint, 'requests that are dated before yesterday are counted');
select is(pg_temp.counted('day = ''2026-03-05'''), 2::bigint, 'on yesterday, so that no earlier day changes');
delete from funding.usage;
create or replace function funding.quota_day() returns date language sql stable as $$ select (now() at time zone 'UTC')::date $$;
select pg_temp.use_second((now() + interval '40 days')::text);
select is((select day from funding.usage where api_key_id = '00000000-0000-4000-8000-000000000002'), (now() at time zone 'UTC')::date,
  'a request that is dated in the future is counted today');
select is(pg_temp.last_used(2), now(), 'and its key was last used now');

-- Batches that are sent again.
delete from funding.usage;
create function pg_temp.write(writer uuid, batch bigint) returns void language sql as $$
  select public.record_usage(jsonb_build_array(pg_temp.event('{"api_key_id": "00000000-0000-4000-8000-000000000002"}')), writer, batch)
$$;
select pg_temp.write('00000000-0000-4000-8000-0000000000a1', 1);
select pg_temp.write('00000000-0000-4000-8000-0000000000a1', 1);
select is(pg_temp.counted(), 1::bigint, 'a batch that goes again is counted once');
select pg_temp.write('00000000-0000-4000-8000-0000000000a1', 2);
select is(pg_temp.counted(), 2::bigint, 'the next batch of a writer is counted');
select pg_temp.write('00000000-0000-4000-8000-0000000000a1', 1);
select is(pg_temp.counted(), 2::bigint, 'a batch that arrives after its successor was counted before');
select pg_temp.write('00000000-0000-4000-8000-0000000000a2', 1);
select is(pg_temp.counted(), 3::bigint, 'another writer has numbers of its own');
update funding.usage_writers set created_at = now() - interval '2 hours',
  written_at = case when id = '00000000-0000-4000-8000-0000000000a1' then now() - interval '2 hours' else now() end;
select pg_temp.write('00000000-0000-4000-8000-0000000000a3', 1);
select set_eq($$select id from funding.usage_writers where id::text like '00000000-0000-4000-8000-0000000000a_'$$,
  $$values ('00000000-0000-4000-8000-0000000000a2'::uuid), ('00000000-0000-4000-8000-0000000000a3')$$,
  'a writer of whom nothing was heard for an hour is forgotten, an old one who still writes is not');

-- The totals over all keys.
delete from funding.usage_totals;
select public.record_usage(jsonb_build_array(
  pg_temp.event('{"api_key_id": "00000000-0000-4000-8000-000000000002", "requests": 2, "duration_ms": 7.5}'),
  pg_temp.event('{"api_key_id": "00000000-0000-4000-8000-000000000002", "duration_ms": 4, "at": "2026-03-02T12:00:00.000Z"}'),
  pg_temp.event('{"api_key_id": "00000000-0000-4000-8000-000000000002", "status": 429, "duration_ms": 1}'),
  pg_temp.event('{"api_key_id": "00000000-0000-4000-8000-0000000000ff", "duration_ms": 1}')));
select bag_eq($$select endpoint, status, latency_bucket_ms, requests, duration_ms from funding.usage_totals$$,
  $$values ('grants-api', 200::smallint, 50, 3::bigint, 11.5::float8), ('grants-api', 429, 50, 1, 1)$$,
  'requests are also counted over all keys and days, and those of keys that do not exist are not');
select public.record_usage(jsonb_build_array(pg_temp.event('{"api_key_id": "00000000-0000-4000-8000-000000000002", "duration_ms": 0.5}')));
select results_eq($$select sum(requests)::bigint, sum(duration_ms) from funding.usage_totals where status = 200$$,
  $$values (4::bigint, 12::float8)$$, 'and add up');
select is((public.get_metrics()::jsonb->'requests'->0->>'requests')::int, 4, 'as metrics tell');

-- Hours.
delete from funding.usage;
delete from funding.usage_hours;
create function pg_temp.second(changes jsonb default '{}') returns jsonb language sql as $$
  select pg_temp.event('{"api_key_id": "00000000-0000-4000-8000-000000000002"}' || changes)
$$;
select pg_temp.set_today('2026-03-02');
select public.record_usage(jsonb_build_array(
  pg_temp.second('{"at": "2026-03-01T12:59:59.999Z", "requests": 2}'), pg_temp.second('{"at": "2026-03-01T13:00:00Z", "endpoint": "funders-api"}'),
  pg_temp.second('{"at": "2026-03-01T13:10:00Z", "status": 404}'), pg_temp.second('{"at": "2026-03-01T13:20:00Z", "status": 503, "latency_bucket_ms": 75}')));
select results_eq(
  $$select hour, requests, client_errors, server_errors, latencies from funding.usage_hours order by 1$$,
  $$values ('2026-03-01T12:00:00Z'::timestamptz, 2::bigint, 0::bigint, 0::bigint, '{"50": 2}'::jsonb),
      ('2026-03-01T13:00:00Z', 3, 1, 1, '{"50": 2, "75": 1}')$$,
  'requests are also counted by key and UTC hour, with errors by class and response times');
select public.record_usage(jsonb_build_array(
  pg_temp.second('{"at": "2026-03-01T13:59:00Z", "requests": 4, "latency_bucket_ms": 10}'), pg_temp.second('{"at": "2026-03-01T13:00:00Z"}')));
select results_eq(
  $$select requests, client_errors, server_errors, latencies from funding.usage_hours where hour = '2026-03-01T13:00:00Z'$$,
  $$values (8::bigint, 1::bigint, 1::bigint, '{"10": 4, "50": 3, "75": 1}'::jsonb)$$, 'a further batch is added to its hour');
select pg_temp.write('00000000-0000-4000-8000-0000000000a4', 1);
select pg_temp.write('00000000-0000-4000-8000-0000000000a4', 1);
select is((select sum(requests) from funding.usage_hours), pg_temp.counted()::numeric, 'a batch that goes again is in its hour once');
select public.record_usage(jsonb_build_array(pg_temp.second('{"at": "2025-01-01T05:00:00Z"}')));
select is((select requests from funding.usage_hours where hour = '2026-03-01T00:00:00Z'), 1::bigint,
  'a request that is dated before yesterday is in the first hour of yesterday, the day that it is counted on');
create or replace function funding.quota_day() returns date language sql stable as $$ select (now() at time zone 'UTC')::date $$;
select public.record_usage(jsonb_build_array(pg_temp.second(jsonb_build_object('at', now() + interval '40 days'))));
select is((select max(hour) from funding.usage_hours), date_trunc('hour', now(), 'UTC'), 'a request that is dated in the future is in the present hour');

-- Hours as they are told.
create function pg_temp.hours(first_day date, last_day date) returns table (hour text, requests bigint, p95 integer) language sql as $$
  select item->>'hour', (item->>'requests')::bigint, (item->'latency_ms'->>'p95')::integer
  from json_array_elements(funding.usage_by_hour('{00000000-0000-4000-8000-000000000002}', first_day, last_day)) as item
$$;
create or replace function funding.wall_clock() returns timestamptz language sql volatile as $$ select '2026-03-03T10:30:00Z'::timestamptz $$;
select results_eq(
  $$select * from pg_temp.hours('2026-03-01', '2026-03-01') where requests > 0$$,
  $$values ('2026-03-01T00:00:00.000Z', 1::bigint, 49), ('2026-03-01T12:00:00.000Z', 3, 49), ('2026-03-01T13:00:00.000Z', 8, 65)$$,
  'hours are told with their requests and response times');
select is((select array[count(*), count(p95)] from pg_temp.hours('2026-03-02', '2026-03-03')), array[35::bigint, 0],
  'hours without requests are told, too, up to the present one');
delete from funding.usage_hours where hour = '2026-03-01T12:00:00Z';
select is((select count(*) from pg_temp.hours('2026-03-01', '2026-03-02')), 24::bigint,
  'a day of which hours are missing, as before an upgrade, has none, and the others have theirs');
update funding.settings set value = '7' where name = 'usage_hour_days';
create or replace function funding.wall_clock() returns timestamptz language sql volatile as $$ select '2026-03-09T10:30:00Z'::timestamptz $$;
select is((select min(hour) from pg_temp.hours('2026-03-01', '2026-03-04')), '2026-03-03T00:00:00.000Z',
  'a day whose hours are no longer all kept has none, though it had no requests');

select * from finish();
rollback;
