-- The dispatcher's schedule, with stand-ins for pg_cron, pg_net and Vault where they are not installed.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(9);

select is(funding.retry_wait(100, 500, null), null, 'after the last wait of the schedule there is none');
select is(funding.retry_wait(0, 410, null), null, 'a receiver that is gone is not tried again');
select ok(funding.retry_wait(1, 500, null) between 240 and 360, 'the second wait is five minutes, give or take a fifth');
select is(funding.retry_wait(1, 503, 100000), 600::double precision, 'Retry-After counts to twice the scheduled wait');
select is(funding.backoff_seconds(4), null, 'four failures in a row keep nothing waiting');
select ok(funding.backoff_seconds(50) between 2880 and 4320, 'the wait after many failures is an hour, give or take a fifth');

-- With the real extensions installed, these functions would be theirs, and calling them no test.
create function pg_temp.is_bare() returns boolean language sql as $$
  select to_regnamespace('cron') is null and to_regnamespace('net') is null and to_regnamespace('vault') is null
$$;
select case when pg_temp.is_bare() then is(funding.schedule_dispatch() or funding.call_dispatch(), false, 'without the extensions nothing is scheduled and nothing called')
  else pass('the extensions are installed') end;

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
