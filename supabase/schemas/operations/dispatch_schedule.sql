-- Schedule of the dispatcher on Supabase: pg_cron calls the function `dispatch` every ten seconds, with pg_net.
--
-- Where both extensions are installed, as on a hosted project that has them enabled, the migration schedules the call; elsewhere `select
-- funding.schedule_dispatch()` can be called later. The address and the secret are read from Supabase's Vault at each call: `dispatch_url` and
-- `dispatch_secret`. While they are missing, nothing is called.

-- Deletes pg_cron's rows of this job's runs of more than a day ago, 1,000 at most. pg_cron keeps a row for each run for ever: 8,640 a day. A failure
-- is only a warning: the call of `dispatch` matters more.
create or replace function funding.prune_dispatch_runs() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if to_regclass('cron.job_run_details') is null then
    return;
  end if;
  execute $history$
    delete from cron.job_run_details where runid in (
      select runid from cron.job_run_details
      where command = 'select funding.call_dispatch()' and end_time < funding.bounded_now() - interval '1 day' limit 1000)
  $history$;
exception when others then
  raise warning 'old runs of the dispatcher''s job stay in cron.job_run_details: %', sqlerrm;
end
$$;

-- Calls `dispatch` once, if the Vault has its address and secret. Returns whether it did.
create or replace function funding.call_dispatch() returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  url text;
  secret text;
begin
  perform funding.prune_dispatch_runs();
  if to_regclass('vault.decrypted_secrets') is null then
    return false;
  end if;
  execute $vault$
    select max(decrypted_secret) filter (where name = 'dispatch_url'), max(decrypted_secret) filter (where name = 'dispatch_secret')
    from vault.decrypted_secrets where name in ('dispatch_url', 'dispatch_secret')
  $vault$ into url, secret;
  if url is null or secret is null then
    return false;
  end if;
  execute 'select net.http_post(url => $1, headers => $2, body => $3, timeout_milliseconds => 60000)'
  using url, jsonb_build_object('Authorization', 'Bearer ' || secret, 'Content-Type', 'application/json'), '{}'::jsonb;
  return true;
end
$$;

-- Puts the call on pg_cron's schedule, where pg_cron and pg_net are installed. Returns whether they are. Doing it again changes nothing.
create or replace function funding.schedule_dispatch() returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if to_regprocedure('cron.schedule(text, text, text)') is null or to_regnamespace('net') is null then
    return false;
  end if;
  execute $schedule$select cron.schedule('funding dispatch', '10 seconds', 'select funding.call_dispatch()')$schedule$;
  return true;
end
$$;
