-- Deadlines that come near: told once for each record, lead time and endpoint.

-- What an endpoint was told. A deadline that moves does not change it: the move itself is an update.
create table funding.deadline_notices (
  endpoint_id uuid not null references funding.webhook_endpoints (id) on delete cascade,
  record_id uuid not null,
  days integer not null,
  noted_at timestamptz not null,
  primary key (endpoint_id, record_id, days)
);
alter table funding.deadline_notices enable row level security;
create index deadline_notices_noted_at on funding.deadline_notices (noted_at);

-- Makes the deadline notices of one endpoint and one dataset that are due on a day, with their deliveries. A record that
-- passed several lead times since the last look gets one event. Returns how many records; when that is `maximum`, there
-- may be more.
create function funding.announce_deadlines_of(endpoint funding.webhook_endpoints, dataset text, today date, maximum integer)
returns integer
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter jsonb := endpoint.filters->dataset->'parameters';
  announced integer;
begin
  execute format($announce$
    with near as materialized (
      select record.* from funding.%1$I as record
      where record.deadline_date >= $4 and record.deadline_date <= $4 + $5
        and record.archived_at is null and record.classification = 'opportunity' and record.status <> 'closed'
        and exists (
          select from unnest($3) as lead(days)
          where record.deadline_date <= $4 + lead.days and not exists (
            select from funding.deadline_notices as notice
            where notice.endpoint_id = $2 and notice.record_id = record.id and notice.days = lead.days))
        and (%2$s)
      order by record.deadline_date
      limit $6
    ), noted as (
      insert into funding.deadline_notices (endpoint_id, record_id, days, noted_at)
      select $2, near.id, lead.days, funding.wall_clock()
      from near cross join unnest($3) as lead(days)
      where near.deadline_date <= $4 + lead.days
      on conflict on constraint deadline_notices_pkey do nothing
      returning record_id
    ), event as (
      insert into funding.events (event, dataset, record_id, endpoint_id, fanned_out_at, data)
      select $7, %1$L, record.id, $2, funding.wall_clock(), shown.body
      from near as record cross join lateral (%3$s) as shown
      where record.id in (select record_id from noted)
      order by record.deadline_date, record.id
      returning id
    ), delivery as (
      insert into funding.webhook_deliveries (endpoint_id, event_id, due_at, created_at)
      select $2, id, funding.dispatch_now(), funding.wall_clock() from event
    )
    select count(*) from event
  $announce$, dataset, case when filter is null then 'true' else funding.predicate(dataset, filter) end, funding.shown(dataset))
  into announced
  using filter, endpoint.id, endpoint.deadline_days, today, (select max(days) from unnest(endpoint.deadline_days) as days),
    maximum, funding.event_name(dataset, 'deadline_approaching');
  return announced;
end
$$;

-- Looks through the deadlines for the endpoint that has waited longest, if any is due to be: each once a UTC day, and
-- again when the data moved. At most `maximum` records of a dataset at a time. Returns { endpoints, events }.
create function public.announce_deadlines(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  today date := (funding.wall_clock() at time zone 'UTC')::date;
  present timestamptz := funding.dispatch_now();
  version bigint := (select sum(data_versions.version) from funding.data_versions);
  endpoint funding.webhook_endpoints;
  dataset text;
  announced integer;
  total integer := 0;
  is_complete boolean := true;
begin
  select * into endpoint from funding.webhook_endpoints as waiting
  where waiting.state <> 'disabled'
    and waiting.events && array['grant.deadline_approaching', 'contract.deadline_approaching']
    and (waiting.deadlines_scanned_on is distinct from today
      or waiting.deadlines_scanned_version <> version and waiting.deadlines_scanned_at < present - interval '1 minute')
    and funding.has_webhooks(waiting.account_id)
  order by waiting.deadlines_scanned_at nulls first, waiting.id
  limit 1
  for no key update skip locked;
  if not found then
    return json_build_object('endpoints', 0, 'events', 0);
  end if;

  foreach dataset in array array['grants', 'contracts'] loop
    continue when not endpoint.events @> array[funding.event_name(dataset, 'deadline_approaching')];
    announced := funding.announce_deadlines_of(endpoint, dataset, today, maximum);
    total := total + announced;
    is_complete := is_complete and announced < maximum;
  end loop;
  update funding.webhook_endpoints
  set deadlines_scanned_at = present,
      deadlines_scanned_on = case when is_complete then today else deadlines_scanned_on end,
      deadlines_scanned_version = case when is_complete then version else deadlines_scanned_version end
  where id = endpoint.id;
  -- A deadline that comes back after more than a year is a new one.
  delete from funding.deadline_notices where noted_at < funding.wall_clock() - interval '400 days' and endpoint_id = endpoint.id;
  return json_build_object('endpoints', 1, 'events', total);
end
$$;

revoke execute on function public.announce_deadlines(integer) from public, anon, authenticated;
grant execute on function public.announce_deadlines(integer) to service_role;
revoke execute on all functions in schema funding from public;
