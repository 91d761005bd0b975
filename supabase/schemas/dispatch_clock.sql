-- Clock of the dispatcher. See the table `funding.dispatch_clock`.

-- Server's clock. All other functions read it here, so that a test can move it.
create or replace function funding.wall_clock() returns timestamptz
language sql volatile as $$
  select clock_timestamp()
$$;

-- Time of the dispatcher. It runs as the server's clock does, never backwards, and jumps by `webhook_clock_step_seconds` at most.
create or replace function funding.dispatch_now() returns timestamptz
language plpgsql volatile as $$
begin
  return (
    select dispatch_time + least(greatest(funding.wall_clock() - wall, interval '0'),
      (funding.setting('webhook_clock_step_seconds')::text || ' seconds')::interval)
    from funding.dispatch_clock);
end
$$;

-- Moves the dispatcher's clock on, and returns the time. Where another transaction moves the clock, this one does not wait.
create or replace function funding.tick() returns timestamptz
language plpgsql as $$
declare
  ticked timestamptz;
begin
  perform from funding.dispatch_clock for update skip locked;
  if found then
    update funding.dispatch_clock set dispatch_time = funding.dispatch_now(), wall = funding.wall_clock()
    where funding.wall_clock() - wall not between interval '0' and interval '1 second'
    returning dispatch_time into ticked;
  end if;
  return coalesce(ticked, funding.dispatch_now());
end
$$;
