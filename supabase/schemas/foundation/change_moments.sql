-- Moments of changes: the `updated_at` of records, in an order that misses no record that commits late.
--
-- A record's `updated_at` is not the time at which its transaction commits: nobody knows that time while the transaction writes. So a writer takes a
-- shared advisory lock, and holds it to the end of its transaction. The lock names the time from which on the writer may still have changes. Readers
-- of changes, such as the feed (feed.sql), end before the earliest such time (`funding.settled_until`). Records that they leave out come with a later
-- request.

-- Earliest time of the next change, in milliseconds since 1970: after the latest change, and not before the clock. A clock that is set back does not
-- take the feed back.
create or replace function funding.next_change_ms() returns bigint
language sql volatile as $$
  select greatest(floor(extract(epoch from funding.wall_clock()) * 1000)::bigint, last_value + 1) from funding.change_moments
$$;

-- Milliseconds since 1970 as a moment.
create or replace function funding.moment_of_ms(ms bigint) returns timestamptz
language sql immutable parallel safe as $$
  select 'epoch'::timestamptz + ms * interval '1 ms'
$$;

-- Bits that distinguish these locks from others, above the bits of the milliseconds.
create or replace function funding.change_lock_class() returns bigint
language sql immutable parallel safe as $$
  select 466281::bigint << 44
$$;

-- Time of a change that is about to be made: the `updated_at` of the records that are written next. No two are the same, and each is later than all
-- before.
create or replace function funding.change_moment() returns timestamptz
language plpgsql volatile
set search_path = pg_catalog, pg_temp as $$
declare
  turn constant bigint := funding.change_lock_class() - 1;
  moment_ms bigint;
begin
  perform pg_advisory_xact_lock_shared(funding.change_lock_class() | funding.next_change_ms());
  begin
    -- Held for as long as it takes to read and write the latest moment, and no longer: writers do not wait for each other.
    perform pg_advisory_xact_lock(turn);
    -- Read again: a feed that did not see the first lock has read an earlier time.
    moment_ms := funding.next_change_ms();
    perform setval('funding.change_moments', moment_ms);
    -- Rolling back this block releases the lock, and so does a cancellation. A sequence and a variable keep their values.
    raise sqlstate 'FN001' using message = 'the lock is released';
  exception when sqlstate 'FN001' then
    null;
  end;
  return funding.moment_of_ms(moment_ms);
end
$$;

-- Time before which nothing will change any more: all records with an earlier `updated_at` are there for a query that begins after this one. A
-- replica does not see the locks. Changes that were settled when the heartbeat was written had been committed before it.
create or replace function funding.settled_until() returns timestamptz
language plpgsql volatile
set search_path = pg_catalog, pg_temp as $$
declare
  -- Read before the locks.
  next_ms constant bigint := funding.next_change_ms();
  first_open_ms bigint;
begin
  if pg_is_in_recovery() then
    return (select heartbeat.settled_until from funding.replication_heartbeat as heartbeat);
  end if;
  select min((classid::bigint << 32 | objid::bigint) & ((1::bigint << 44) - 1)) into first_open_ms
  from pg_locks
  where locktype = 'advisory' and objsubid = 1 and database = (select oid from pg_database where datname = current_database())
    and classid::bigint << 32 >> 44 << 44 = funding.change_lock_class();
  return funding.moment_of_ms(least(next_ms, first_open_ms));
end
$$;

-- Mark for later use, up to which somebody has seen or was told everything: `funding.settled_until`. Every later change comes after the mark, also
-- where the clock was ahead and is set back.
create or replace function funding.settled_mark() returns timestamptz
language plpgsql volatile
set search_path = pg_catalog, pg_temp as $$
declare
  settled constant timestamptz := funding.settled_until();
begin
  perform funding.change_moment();
  return settled;
end
$$;
