-- Clocks. The server's is the machine's, which may be wrong. The row of `funding.dispatch_clock` remembers what it said last, and has two clocks that
-- no jump moves far: the bounded clock, which tells dates, and the dispatcher's, which measures waits. The dispatcher moves both on, at least every
-- ten seconds.
--
-- Whatever deletes, expires for good, closes or announces goes by the bounded clock (`bounded_now`). What only answers or refuses may read the server's:
-- it is right again as soon as the clock is. `tests/clock` finds what does neither.

-- Server's clock. All other functions read it here, so that a test can move it.
create or replace function funding.wall_clock() returns timestamptz
language sql volatile as $$
  select clock_timestamp()
$$;

-- Longest time between two looks at the server's clock that counts as time that passed. A longer one is a jump of the clock, or a server that stood
-- still: nobody can tell these apart by the time alone.
create or replace function funding.clock_step() returns interval
language sql immutable parallel safe as $$
  select interval '5 minutes'
$$;

-- Time for which the server's clock must run evenly after a jump before the bounded clock begins to follow it.
create or replace function funding.clock_patience() returns interval
language sql immutable parallel safe as $$
  select interval '10 minutes'
$$;

-- Time by which the bounded clock catches up in each second: six hours a minute. A weekend is caught up with in twenty minutes, and three weeks in an hour
-- and a half. A clock that is years ahead takes more than an hour to bring anything two weeks nearer, and says so meanwhile.
create or replace function funding.clock_catch_up() returns double precision
language sql immutable parallel safe as $$
  select 360
$$;

-- Time of the bounded clock when the server's says `seen`. It runs as the server's does, makes a step of `clock_step` at most, is never ahead of both
-- the server's clock and itself, and never goes back: where the server's clock is behind it, it stands still. Where it is behind the server's clock
-- after a jump, it catches up once that clock has run evenly for `clock_patience`.
create or replace function funding.bounded_time(clock funding.dispatch_clock, seen timestamptz) returns timestamptz
language plpgsql immutable as $$
declare
  passed constant interval := least(greatest(seen - clock.wall, interval '0'), funding.clock_step());
begin
  return greatest(clock.bounded, least(seen, clock.bounded + passed * case
    when clock.bounded < clock.wall and clock.even_for >= funding.clock_patience() then 1 + funding.clock_catch_up() else 1 end));
end
$$;

-- Time of the bounded clock: for whatever deletes, expires for good, closes or announces.
create or replace function funding.bounded_now() returns timestamptz
language plpgsql stable as $$
begin
  return (select funding.bounded_time(clock, funding.wall_clock()) from funding.dispatch_clock as clock);
end
$$;

-- Time that a row is dated with, and that ends what has an end: the server's, or the bounded clock's where the server's is behind it. So a row is not
-- taken for an old one when a clock that was behind comes right, and a key that has expired does not come to life when the clock is set back.
create or replace function funding.latest_now() returns timestamptz
language plpgsql stable as $$
begin
  return (select greatest(funding.wall_clock(), clock.bounded) from funding.dispatch_clock as clock);
end
$$;

-- Time by which the server's clock was ahead of the bounded clock at the last look, in seconds; negative where it was behind. 0 when they agree.
create or replace function funding.clock_offset_seconds() returns double precision
language plpgsql stable as $$
begin
  return (select extract(epoch from clock.wall - clock.bounded)::double precision from funding.dispatch_clock as clock);
end
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

-- Moves both clocks on, and returns the dispatcher's time. Where another transaction moves them, this one does not wait.
create or replace function funding.tick() returns timestamptz
language plpgsql as $$
declare
  seen constant timestamptz := funding.wall_clock();
  ticked timestamptz;
begin
  perform from funding.dispatch_clock for update skip locked;
  if found then
    update funding.dispatch_clock as clock
    set dispatch_time = funding.dispatch_now(), wall = seen, bounded = funding.bounded_time(clock, seen),
        even_for = case when seen - clock.wall between interval '0' and funding.clock_step()
          then least(clock.even_for + (seen - clock.wall), funding.clock_patience()) else interval '0' end
    where seen - clock.wall not between interval '0' and interval '1 second'
    returning dispatch_time into ticked;
  end if;
  return coalesce(ticked, funding.dispatch_now());
end
$$;

-- Lets the bounded clock follow the server's where nobody has looked at it for `clock_step`: no dispatcher runs, and imports alone tell what day it is.
-- By a week for each import: those of every day or week keep up, and a clock that is years ahead moves it no further.
create or replace function funding.follow_unwatched_clock() returns void
language sql as $$
  update funding.dispatch_clock as clock
  set dispatch_time = funding.dispatch_now(), wall = present.moment, even_for = interval '0',
      bounded = greatest(clock.bounded, least(present.moment, clock.bounded + interval '7 days'))
  from (select funding.wall_clock() as moment offset 0) as present
  where present.moment - clock.wall > funding.clock_step()
$$;

-- Confirms that the server's clock is right: the bounded clock follows it at once, also back. For an operator, after a long stop or a clock that was
-- mended. Returns the time.
create or replace function funding.confirm_clock() returns timestamptz
language plpgsql as $$
declare
  confirmed timestamptz;
begin
  perform from funding.dispatch_clock for update;
  confirmed := funding.wall_clock();
  update funding.dispatch_clock set dispatch_time = funding.dispatch_now(), wall = confirmed, bounded = confirmed, even_for = interval '0';
  return confirmed;
end
$$;
