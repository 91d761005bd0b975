-- The dispatcher's schedule, with stand-ins for pg_cron, pg_net and Vault where they are not installed.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(21);

select is(funding.retry_wait(100, 500, null), null, 'after the last wait of the schedule there is none');
select is(funding.retry_wait(100, 503, 60), null, 'whatever Retry-After the receiver sends');
select is(funding.retry_wait(0, 410, null), null, 'a receiver that is gone is not tried again');
select ok(funding.retry_wait(1, 500, null) between 240 and 360, 'the second wait is five minutes, give or take a fifth');
select is(funding.retry_wait(1, 503, 100000), 600::double precision, 'Retry-After counts to twice the scheduled wait');
select is(funding.backoff_seconds(4), null, 'four failures in a row keep nothing waiting');
select ok(funding.backoff_seconds(50) between 2880 and 4320, 'the wait after many failures is an hour, give or take a fifth');
update funding.settings set value = '5.0' where name = 'webhook_backoff_after';
select is(funding.backoff_seconds(4), null, 'a whole number may be written with a point');
select ok(funding.backoff_seconds(50) between 2880 and 4320, 'and counts as without');

-- The dispatcher's clock. It stood at 09:00 when the server's showed some other moment.
create function pg_temp.after(elapsed interval) returns interval language plpgsql as $$
begin
  update funding.dispatch_clock set wall = funding.wall_clock() - elapsed, dispatch_time = '2026-06-01 09:00Z';
  return date_trunc('second', funding.dispatch_now() - '2026-06-01 09:00Z');
end
$$;
update funding.settings set value = '100' where name = 'webhook_clock_step_seconds';
select is(pg_temp.after('40 seconds'), interval '40 seconds', 'the dispatcher''s clock runs as the server''s does');
select is(pg_temp.after('-1 hour'), interval '0', 'it waits while the server''s is set back');
select is(pg_temp.after('1 year'), interval '100 seconds', 'it makes no larger step than the setting allows');
select is(date_trunc('second', funding.tick() - '2026-06-01 09:00Z'), interval '100 seconds', 'a tick gives that time');
select is((select row(date_trunc('second', dispatch_time - '2026-06-01 09:00Z'), funding.wall_clock() - wall < interval '1 minute')::text from funding.dispatch_clock),
  row(interval '100 seconds', true)::text, 'and keeps it, with the server''s');
select pg_temp.after('0.5 seconds');
select funding.tick();
select is((select dispatch_time from funding.dispatch_clock), timestamptz '2026-06-01 09:00Z', 'within a second nothing is written');
select pg_temp.after('-1 minute');
select funding.tick();
select ok((select funding.wall_clock() - wall < interval '1 minute' and wall <= funding.wall_clock() and dispatch_time = '2026-06-01 09:00Z' from funding.dispatch_clock),
  'a server''s clock that was set back is taken as it is, and the dispatcher''s stays');

-- With the real extensions installed, these functions would be theirs, and calling them no test.
create function pg_temp.is_bare() returns boolean language sql as $$
  select to_regnamespace('cron') is null and to_regnamespace('net') is null and to_regnamespace('vault') is null
$$;
select case when pg_temp.is_bare() then is(funding.schedule_dispatch() or funding.call_dispatch(), false, 'without the extensions nothing is scheduled and nothing called')
  else pass('the extensions are installed') end;

-- One of the two is not enough.
create temporary table lacking (schema_name text, scheduled boolean);
do $$
begin
  if pg_temp.is_bare() then
    set local client_min_messages = error;
    create schema net;
    insert into lacking select 'cron', funding.schedule_dispatch();
    drop schema net;
    create schema cron;
    create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as 'select 1::bigint';
    insert into lacking select 'net', funding.schedule_dispatch();
    drop schema cron cascade;
  else
    insert into lacking values ('cron', false), ('net', false);
  end if;
end
$$;
select is(scheduled, false, format('nothing is scheduled without %s', schema_name)) from lacking;

create temporary table called (what text);
do $$
begin
  if pg_temp.is_bare() then
    create schema cron;
    create schema net;
    create schema vault;
    create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as
      'insert into pg_temp.called values (job_name || '', '' || schedule || '', '' || command) returning 1::bigint';
    create function net.http_post(url text, body jsonb, headers jsonb, timeout_milliseconds integer) returns bigint language sql as
      'insert into pg_temp.called values (url || '' '' || (headers->>''Authorization'')) returning 1::bigint';
    create table vault.decrypted_secrets (name text, decrypted_secret text);
    -- Of another shape than pg_cron's, so that its old rows cannot be deleted: `dispatch` is called all the same.
    create table cron.job_run_details (runid bigint);
    set local client_min_messages = error;
    perform funding.call_dispatch();
    insert into vault.decrypted_secrets values ('dispatch_url', 'https://x.example/functions/v1/dispatch'), ('dispatch_secret', 's3cret');
    perform funding.schedule_dispatch();
    perform funding.call_dispatch();
  else
    insert into called values
      ('funding dispatch, 10 seconds, select funding.call_dispatch()'), ('https://x.example/functions/v1/dispatch Bearer s3cret');
  end if;
end
$$;
select results_eq('select what from called', array['funding dispatch, 10 seconds, select funding.call_dispatch()',
  'https://x.example/functions/v1/dispatch Bearer s3cret'], 'with them, the job is scheduled and calls what Vault says with its secret');
select is((select count(*) from funding.settings where name like 'webhook%'), 12::bigint, 'every setting of webhooks is there');

select * from finish();
rollback;
