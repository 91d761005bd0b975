-- Feed of changes: lists with `sort_by=updated_at&order=asc`. It misses no record that commits late.
--
-- A record's `updated_at` is not the time at which its transaction commits: nobody knows that time while the transaction writes. So a writer takes a
-- shared advisory lock, and holds it to the end of its transaction. The lock names the time from which on the writer may still have changes. The feed
-- ends before the earliest such time (`funding.settled_until`). Records that it leaves out come with a later request.

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

-- Page of the feed: the settled records of a list in the order of `updated_at`. (A query of its own has read `funding.settled_until` before this
-- one.) With details, and with archived records apart ({ id, archived_at }), where the request asks for that. The whole page is of one moment: a
-- record that changes meanwhile comes in its old state, and again later. `last_updated_at` is the latest of the page's records, as the API shows it;
-- null where the page has no records.
create or replace function funding.feed_page(
  dataset text, request funding.list_request, until timestamptz, has_details boolean, archived_apart boolean,
  out listed funding.listed_page, out archived json, out last_updated_at text)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  request.page.after_cursor := coalesce((request.page).after_cursor, '{"sort_by": "updated_at", "order": "asc"}')
    || jsonb_build_object('until', until);
  listed := funding.field_page(dataset, request);
  execute format('select funding.moment(max(record.updated_at)) from funding.%I as record where record.id = any ($1)', dataset)
  into last_updated_at using array(select (item->>'id')::uuid from json_array_elements(listed.page) as item);
  if has_details then
    listed.page := funding.with_details(dataset, listed.page);
  end if;
  if archived_apart then
    select parts.current_records, parts.archived into listed.page, feed_page.archived from funding.without_archived(dataset, listed.page) as parts;
  end if;
end
$$;

-- Splits a page in two: records of the current catalogue, and the ids of archived ones, [{ id, archived_at }].
create or replace function funding.without_archived(dataset text, page json, out current_records json, out archived json)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  execute format($split$
    select coalesce(json_agg(item.body order by item.position) filter (where record.archived_at is null), '[]'),
           coalesce(json_agg(json_build_object('id', record.id, 'archived_at', funding.moment(record.archived_at)) order by item.position)
             filter (where record.archived_at is not null), '[]')
    from json_array_elements($1) with ordinality as item(body, position)
    left join funding.%I as record on record.id = (item.body->>'id')::uuid
  $split$, dataset)
  into current_records, archived using page;
end
$$;

-- Moves the opportunities of a renamed funder in the feed: they show the funder's name.
create or replace function funding.touch_opportunities_of(renamed uuid) returns void
language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  changed_at timestamptz;
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    -- Locked in the order in which imports lock them.
    execute format('select from funding.%I where funder_id = $1 order by id for no key update', dataset) using renamed;
    changed_at := coalesce(changed_at, funding.change_moment());
    execute format('update funding.%I set updated_at = $2 where funder_id = $1', dataset) using renamed, changed_at;
  end loop;
end
$$;
