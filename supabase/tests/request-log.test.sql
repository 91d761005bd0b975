-- The request log: what is kept, of whom, and how much.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(12);

insert into funding.accounts (id, email) values
  ('00000000-0000-4000-8000-00000000000a', 'one@log.test'), ('00000000-0000-4000-8000-00000000000b', 'two@log.test');
insert into funding.api_keys (id, account_id, name, key_hash, display, revoked_at) values
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a', 'first', repeat('1', 64), 'k', null),
  ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-00000000000b', 'second', repeat('2', 64), 'k', now());

-- A batch of so many requests with a status: those of the first account, or of a key by its hash.
create function pg_temp.batch(status integer, requests integer, changes jsonb default '{}') returns jsonb language sql as $$
  select jsonb_build_array(jsonb_build_object('api_key_id', '00000000-0000-4000-8000-000000000001', 'at', now(), 'endpoint', 'grants-api',
    'status', status, 'latency_bucket_ms', 50, 'requests', requests, 'lines', (
      select jsonb_agg(jsonb_build_object('request_id', 'r' || number, 'at', now() + number * interval '1 millisecond' - interval '1 minute',
        'method', 'GET', 'duration_ms', 1.5, 'parameters', '{"limit": "2"}'::jsonb, 'searches', '{"search": "water"}'::jsonb))
      from generate_series(1, requests) as number)) || changes)
$$;
create function pg_temp.kept(account text, classes integer default null) returns bigint language sql as $$
  select count(*) from funding.request_log
  where account_id = ('00000000-0000-4000-8000-00000000000' || account)::uuid and (classes is null or status / 100 = classes)
$$;

update funding.settings set value = '3' where name = 'request_log_account_maximum';
select public.record_usage(pg_temp.batch(200, 2));
select is(pg_temp.kept('a'), 2::bigint, 'requests of a batch are kept');
select results_eq(
  $$select parameters, searches from funding.request_log where request_id = 'r1'$$,
  $$values ('{"limit": "2"}'::jsonb, '{"search": 5}'::jsonb)$$, 'of a search the length alone');
select public.record_usage(pg_temp.batch(200, 2));
select is(pg_temp.kept('a', 2), 3::bigint, 'of an hour the first are kept, across batches and within one');
select public.record_usage(pg_temp.batch(404, 4));
select is(pg_temp.kept('a', 4), 3::bigint, 'and as many that failed');
select is(
  (select sum(requests) from funding.usage where api_key_id = '00000000-0000-4000-8000-000000000001'), 8::numeric, 'the usage counts all');

select public.record_usage(pg_temp.batch(401, 1, jsonb_build_object('api_key_id', null, 'key_hash', repeat('2', 64), 'requests', 0)));
select is(pg_temp.kept('b', 4), 1::bigint, 'a refused key that was revoked is its account''s');
select is_empty($$select from funding.usage where api_key_id = '00000000-0000-4000-8000-000000000002'$$, 'and counts as no request');

update funding.settings set value = '8' where name = 'request_log_maximum';
update funding.settings set value = '100' where name = 'request_log_account_maximum';
delete from funding.request_log;
delete from funding.request_log_counts;
select public.record_usage(pg_temp.batch(200, 6) || pg_temp.batch(500, 5));
select is(pg_temp.kept('a', 5) * 10 + pg_temp.kept('a', 2), 53::bigint, 'of all accounts so many are kept, failures of a batch first');
update funding.settings set value = '1000' where name = 'request_log_maximum';
update funding.settings set value = '1000' where name = 'request_log_account_maximum';
select public.record_usage(pg_temp.batch(200, 995));
select public.record_usage(pg_temp.batch(404, 3, jsonb_build_object('api_key_id', null, 'key_hash', repeat('2', 64), 'requests', 0)));
select is(pg_temp.kept('b', 4), 2::bigint, 'when the log is full, each account still has the first of its own');
update funding.settings set value = '100' where name = 'request_log_account_maximum';
delete from funding.request_log_counts;
update funding.accounts set keeps_search_text = true where id = '00000000-0000-4000-8000-00000000000a';
select public.record_usage(pg_temp.batch(200, 1));
select results_eq(
  $$select distinct searches->>'search' from funding.request_log where account_id = '00000000-0000-4000-8000-00000000000a'$$,
  $$values ('5'), ('water')$$, 'an account may have its searches kept');

delete from funding.usage;
select lives_ok($$select public.record_usage(pg_temp.batch(200, 3, '{"lines": [{"request_id": null}]}'))$$, 'lines that cannot be written fail nothing');
select is((select sum(requests) from funding.usage), 3::numeric, 'and the requests are counted');

select * from finish();
rollback;
