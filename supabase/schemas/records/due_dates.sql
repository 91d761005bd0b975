-- Dates that act when they come: deadlines, planned archive dates, posting dates that are still ahead. A record has what its source states
-- (`stated_status`, `stated_archived_at`) beside what is shown (`status`, `archived_at`). The state that is shown follows from the statement and the
-- time alone: at each write of the record, and within a minute after a date came, by the dispatcher. So it does not matter whether a file was imported
-- before a date or after it.

-- Time zone of publishers of which nothing else is known: Eastern, that of federal agencies.
create or replace function funding.default_time_zone() returns text
language sql immutable parallel safe as $$
  select 'America/New_York'
$$;

-- Time zone of a source: where its publisher is.
create or replace function funding.time_zone_of(source text) returns text
language plpgsql stable as $$
begin
  return coalesce((select known.time_zone from funding.source_time_zones as known where known.source = time_zone_of.source), funding.default_time_zone());
end
$$;

-- Today in a time zone, as it is told. Every rule about "today" or "in N days" of records takes the day from here or from `announced_day`.
create or replace function funding.today_in(time_zone text) returns date
language sql stable as $$
  select (funding.wall_clock() at time zone time_zone)::date
$$;

-- Today where a source's publisher is.
create or replace function funding.today_of(source text) returns date
language sql stable as $$
  select funding.today_in(funding.time_zone_of(source))
$$;

-- Day where a source's publisher is by the bounded clock: what is announced goes by it.
create or replace function funding.announced_day(source text) returns date
language sql stable as $$
  select (funding.bounded_now() at time zone funding.time_zone_of(source))::date
$$;

-- Latest midnight of all time zones that records are in, by the bounded clock: from then on some records' day is another than before.
create or replace function funding.last_midnight() returns timestamptz
language sql stable as $$
  select max(date_trunc('day', funding.bounded_now(), zone.name))
  from (select funding.default_time_zone() as name union select time_zone from funding.source_time_zones) as zone
$$;

-- Moment at which a deadline has passed: that of `deadline_at`, where the source gives an hour of that day, else the end of the day in the time zone.
-- Midnight is no hour: programs write it for a day alone. Null without a deadline.
create or replace function funding.deadline_end(deadline_date date, details jsonb, time_zone text) returns timestamptz
language sql stable parallel safe as $$
  select case
    when details->>'deadline_at' like to_char(deadline_date, 'YYYY-MM-DD') || 'T%' and details->'deadline_assumed' is distinct from 'true'
      and substr(details->>'deadline_at', 12, 5) <> '00:00' then (details->>'deadline_at')::timestamptz
    else (deadline_date + 1)::timestamp at time zone time_zone
  end
$$;

-- Moment at which a stated date acts. Midnight UTC stands for a day, which begins in the time zone.
create or replace function funding.beginning_of(stated timestamptz, time_zone text) returns timestamptz
language sql immutable parallel safe as $$
  select case
    when isfinite(stated) and (stated at time zone 'UTC')::time = '00:00' then (stated at time zone 'UTC') at time zone time_zone
    else stated
  end
$$;

-- State of an opportunity or award at a moment, from what its source states. `stated_archived_at` may be in the future; `-infinity` stands for an
-- archived record whose source has no date: it is archived since `known_archived_at`, or from now on.
--
-- An archived record is closed. An opportunity is closed after its deadline, and upcoming before its posting date. All other statuses stay. What is
-- imported after a long stop is not upcoming while the bounded clock catches up: the server's clock opens a record, too.
create or replace function funding.state_at(
  source text, classification text, stated_status text, stated_archived_at timestamptz, deadline_date date, details jsonb, created_at timestamptz,
  known_archived_at timestamptz, at timestamptz, out status text, out archived_at timestamptz)
language plpgsql stable as $$
declare
  time_zone constant text := funding.time_zone_of(source);
begin
  if stated_archived_at = '-infinity' then
    archived_at := coalesce(known_archived_at, at);
  elsif funding.beginning_of(stated_archived_at, time_zone) <= at then
    archived_at := stated_archived_at;
  end if;
  status := case
    when stated_status not in ('open', 'posted', 'forecasted', 'upcoming') then stated_status
    when archived_at is not null then 'closed'
    when classification <> 'opportunity' then stated_status
    when funding.deadline_end(deadline_date, details, time_zone) <= at then 'closed'
    when stated_status in ('open', 'posted') and funding.beginning_of(created_at, time_zone) > greatest(at, funding.wall_clock()) then 'upcoming'
    else stated_status
  end;
end
$$;

-- Records of a dataset whose state is no longer the one that is shown, as ids: at most `maximum` of each kind.
create or replace function funding.records_due(dataset text, at timestamptz, maximum integer) returns uuid[]
language plpgsql stable as $$
declare
  due uuid[];
begin
  execute format($due$
    select array(
      (select record.id from funding.%1$I as record
       where record.archived_at is null and record.classification = 'opportunity'
         and record.status in ('open', 'posted', 'forecasted', 'upcoming')
         -- The day begins at UTC+14 first.
         and record.deadline_date <= ($1 at time zone 'UTC' + interval '14 hours')::date
         and funding.deadline_end(record.deadline_date, record.details, funding.time_zone_of(record.source)) <= $1
       order by record.deadline_date limit $2)
      union
      (select record.id from funding.%1$I as record
       where record.archived_at is null and record.stated_archived_at <= $1 + interval '14 hours'
         and funding.beginning_of(record.stated_archived_at, funding.time_zone_of(record.source)) <= $1
       order by record.stated_archived_at limit $2)
      union
      (select record.id from funding.%1$I as record
       where record.status = 'upcoming' and record.stated_status in ('open', 'posted') and record.archived_at is null
         and funding.beginning_of(record.created_at, funding.time_zone_of(record.source)) <= $1
       limit $2))
  $due$, dataset) into due using at, maximum;
  return due;
end
$$;

-- Lets the dates act that have come: closes, archives and opens records, at most `maximum` of each kind and dataset, with a change each. Records that
-- somebody is writing are left to the next call. Moves the clocks on first. Returns { records, has_more, clock_offset_seconds }: the last one as
-- `funding.clock_offset_seconds` has it.
create or replace function public.apply_due_dates(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD'
set statement_timeout = '7s' as $$
declare
  ticked constant timestamptz := funding.tick();
  present constant timestamptz := funding.bounded_now();
  dataset text;
  due uuid[];
  changed_at timestamptz;
  written integer;
  archived uuid[];
  total integer := 0;
  has_more boolean := false;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    due := funding.records_due(dataset, present, maximum);
    continue when due = '{}';
    has_more := has_more or cardinality(due) >= maximum;
    changed_at := funding.change_moment();
    execute format($apply$
      with locked as materialized (
        select * from funding.%1$I where id = any ($1) order by id for update skip locked
      ), changed as (
        select locked.id, locked.status as old_status, locked.archived_at as old_archived_at, state.*
        from locked cross join lateral funding.state_at(locked.source, locked.classification, coalesce(locked.stated_status, locked.status),
          locked.stated_archived_at, locked.deadline_date, locked.details, locked.created_at, locked.archived_at, $2) as state
        where (state.status, state.archived_at) is distinct from (locked.status, locked.archived_at)
      ), written as (
        update funding.%1$I as record
        set status = changed.status, archived_at = changed.archived_at, stated_status = coalesce(record.stated_status, record.status), updated_at = $3
        from changed where changed.id = record.id
      ), noted as (
        insert into funding.record_changes (dataset, record_id, previous)
        select %1$L, id, case when old_status <> status then jsonb_build_object('status', old_status) else '{}' end
          || case when archived_at is not null then '{"archived_at": null}'::jsonb else '{}' end
        from changed
      )
      select count(*), coalesce(array_agg(id) filter (where archived_at is distinct from old_archived_at), '{}') from changed
    $apply$, dataset) into written, archived using due, present, changed_at;
    if archived <> '{}' then
      perform funding.link_versions(dataset, archived, changed_at);
    end if;
    total := total + written;
  end loop;
  return json_build_object('records', total, 'has_more', has_more and total > 0, 'clock_offset_seconds', funding.clock_offset_seconds());
end
$$;

-- Keeps the time zone of a source's publisher. Raises where Postgres knows no such zone.
create or replace function funding.set_time_zone(source text, time_zone text) returns void
language plpgsql set search_path = funding, pg_temp as $$
begin
  perform funding.today_in(set_time_zone.time_zone);
  insert into funding.source_time_zones as known (source, time_zone) values (set_time_zone.source, set_time_zone.time_zone)
  on conflict on constraint source_time_zones_pkey do update set time_zone = excluded.time_zone
  where known.time_zone <> excluded.time_zone;
end
$$;

-- Whether an opportunity with this status takes no applications any more. Contracts keep `cancelled` and `awarded`; of grants, these are closed.
create or replace function funding.has_ended(status text) returns boolean
language sql immutable parallel safe as $$
  select status in ('closed', 'cancelled', 'awarded')
$$;
