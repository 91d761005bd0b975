-- Days of a filter that are relative to today: `deadline_after=today`, `deadline_before=today+14d`, `closing_within=14`. A filter is stored with these words,
-- and `funding.with_days` puts days in their place whenever it is evaluated, so that it moves with the day. `funding.predicate` reads days alone.

-- Days from today that a filter's text means: 14 of `today+14d`; null where it means none.
create or replace function funding.days_from_today(text text) returns integer
language sql immutable parallel safe as $$
  select case when text ~ '^today([+-][0-9]{1,4}d)?$' then coalesce(nullif(rtrim(substr(text, 6), 'd'), '')::integer, 0) end
$$;

-- Day at a distance from today at a moment, where publishers are: a date or, while sources' time zones have different days, { day, of: { SOURCE: day } }
-- with those sources that have another day than all others.
create or replace function funding.publishers_day(days integer, at timestamptz) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  day constant date := (at at time zone funding.default_time_zone())::date + days;
  others jsonb;
begin
  select jsonb_object_agg(zone.source, (at at time zone zone.time_zone)::date + days) into others
  from funding.source_time_zones as zone
  where (at at time zone zone.time_zone)::date + days <> day;
  return case when others is null then to_jsonb(day) else jsonb_build_object('day', day, 'of', others) end;
end
$$;

-- Whether a filter or a list's parameters have days that are relative to today.
create or replace function funding.is_relative(filter jsonb) returns boolean
language sql immutable parallel safe as $$
  select filter ? 'closing_within' or filter->>'deadline_after' like 'today%' or filter->>'deadline_before' like 'today%'
$$;

-- A filter with the days that its words mean at a moment. One that has days already stays as it is.
create or replace function funding.with_days(filter jsonb, at timestamptz) returns jsonb
language plpgsql stable as $$
declare
  name text;
begin
  if not coalesce(funding.is_relative(filter), false) then
    return filter;
  end if;
  foreach name in array array['deadline_after', 'deadline_before'] loop
    if filter->>name like 'today%' then
      filter := filter || jsonb_build_object(name, funding.publishers_day(funding.days_from_today(filter->>name), at));
    end if;
  end loop;
  if jsonb_typeof(filter->'closing_within') = 'number' then
    filter := filter || jsonb_build_object('closing_within', jsonb_build_object(
      'from', funding.publishers_day(0, at), 'upto', funding.publishers_day((filter->>'closing_within')::integer, at)));
  end if;
  return filter;
end
$$;

-- SQL for a day of a filter: `path` is SQL for the day as `funding.publishers_day` returns it, and `value` its value.
create or replace function funding.day_expression(path text, value jsonb) returns text
language sql immutable parallel safe as $$
  select format(case jsonb_typeof(value)
    when 'object' then 'coalesce(%1$s->''of''->>record.source, %1$s->>''day'')::date'
    else '(%1$s #>> ''{}'')::date' end, path)
$$;
