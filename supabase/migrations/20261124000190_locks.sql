-- What comes before this takes its time, and requests go on meanwhile; importers wait. From here on requests wait, too, until the upgrade is
-- committed. Every change of a table or type that they or their usage read or write comes after this, and must be quick. So does a table that refers to one
-- of these: its foreign key keeps them from being written, and each usage that waits for that holds one of PostgREST's connections.
--
-- All of those tables are locked now, or none. A request under way, a backup or somebody's open transaction may hold one of them: then what was
-- locked is released after 0.8 s (sooner than Postgres looks for a deadlock), the requests that queued are answered, and it is tried again.
-- (`supabase db push` commits each migration by itself: this one then changes nothing, and the others wait for their own tables.)
do $$
declare
  patience text := current_setting('lock_timeout');
begin
  perform set_config('lock_timeout', '800ms', true);
  for attempt in 1..60 loop
    begin
      -- In the order in which requests reach them.
      lock table funding.stripe_events, funding.stripe_subscriptions, funding.usage_writers, funding.api_keys, funding.accounts, funding.subscriptions, funding.tiers, funding.pages, funding.totals,
        funding.lexicon_fit,
        funding.lexicon, funding.funders, funding.grants, funding.contracts, funding.daily_quota, funding.usage, funding.events,
        funding.dispatch_clock, funding.record_changes, funding.webhook_endpoints, funding.webhook_deliveries, funding.webhook_recoveries in access exclusive mode;
      perform set_config('lock_timeout', patience, true);
      return;
    exception when lock_not_available or deadlock_detected then
      perform pg_sleep(1);
    end;
  end loop;
  raise lock_not_available using
    message = 'the upgrade could not lock the tables of requests within a minute or two: somebody holds one of them, and nothing was changed',
    hint = 'select pid, query from pg_stat_activity where xact_start < now() - interval ''1 minute'' tells who: let it end, then upgrade again.';
end
$$;
