-- Records as the API shows them.
--
-- Functions that every request calls are in PL/pgSQL, which caches plans: an SQL function that cannot be inlined is planned for
-- each request, and together these took as long as the rest of a cached list.

-- A JSON object with one more member at its end. (jsonb would reorder the members.)
create or replace function funding.with_member(body json, name text, value json) returns json
language plpgsql immutable parallel safe as $$
begin
  return (left(body::text, -1) || ', ' || to_json(name)::text || ' : ' || value::text || '}')::json;
end
$$;

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

-- SQL for a record as the API shows it: a query of one column, `body`, that reads the row named `record`. `further` adds members, as `, EXPRESSION as
-- NAME`. (Text in the statement is twice as fast as a function of the record, which would be called for each record.)
create or replace function funding.record_query(dataset text, further text default '') returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then format($f$
      select to_json(rendered) as body
      from (select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at %s) as rendered
    $f$, further)
    else format($o$
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id, record.title, record.description, record.amount_min, record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography, %s
               record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               %s funding.moment(record.created_at) as created_at, record.categories
      ) as rendered
      cross join lateral (select rendered.* %s) as listed
      cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date %s) as awarded
    $o$,
      case dataset when 'contracts' then 'record.document_url, record.listing_url, record.naics, record.primary_contact_email, record.set_aside_code,' else '' end,
      case dataset when 'contracts' then '' else 'record.listing_url,' end,
      further, further)
  end
$$;
