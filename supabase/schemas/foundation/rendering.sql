-- Values as the API shows them.
--
-- Functions that every request calls are in PL/pgSQL, which caches plans: an SQL function that cannot be inlined is planned for
-- each request, and together these took as long as the rest of a cached list.

-- RFC 3339 in UTC with milliseconds, whatever the session's time zone and date style.
create or replace function funding.moment(at timestamptz) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$$;

-- Same as `funding.moment`, but with microseconds.
create or replace function funding.exact_moment(at timestamptz) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
end
$$;

-- RFC 3339 date, whatever the session's date style.
create or replace function funding.iso_date(day date) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(day, 'YYYY-MM-DD');
end
$$;

-- Names of weekdays by their numbers: 1 is Monday.
create or replace function funding.weekday_names() returns text[]
language sql immutable parallel safe as $$
  select array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
$$;
