-- Locks of an upgrade, beside requests.

-- Locks those tables of `funding` until the transaction ends, so that nobody reads or writes them: all of them, or none. A request under way, a backup
-- or somebody's open transaction may hold one: then what was locked is released, the requests that queued are answered, and it is tried again, 60
-- times. Requests wait for an attempt, 0.05 s at first, and 0.8 s at most: sooner than Postgres looks for a deadlock.
create or replace function funding.lock_tables(names text[]) returns void
language plpgsql as $$
declare
  former_timeout constant text := current_setting('lock_timeout');
  name text;
  patience interval := '50 ms';
  until timestamptz;
begin
  for attempt in 1..60 loop
    begin
      until := clock_timestamp() + patience;
      foreach name in array names loop
        perform set_config('lock_timeout', greatest(1, extract(milliseconds from until - clock_timestamp())::integer)::text, true);
        execute format('lock table funding.%I in access exclusive mode', name);
      end loop;
      perform set_config('lock_timeout', former_timeout, true);
      return;
    exception when lock_not_available or deadlock_detected then
      perform pg_sleep(1);
      patience := least(patience * 1.3, interval '800 ms');
    end;
  end loop;
  raise lock_not_available using
    message = 'the upgrade could not lock the tables of requests within a minute or two: somebody holds one of them',
    hint = 'select pid, query from pg_stat_activity where xact_start < now() - interval ''1 minute'' tells who: let it end, then upgrade again.';
end
$$;
