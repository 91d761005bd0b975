-- Notices of deadlines that come near: one for each record, lead time and endpoint.

-- SQL condition that the deadline of `record` is within days, counted where its publisher is. `today` is today in UTC, which another day differs from by
-- one: these two conditions are for the index.
create or replace function funding.deadline_within(today text, days text) returns text
language sql immutable parallel safe as $$
  select format('record.deadline_date between %1$s - 1 and %1$s + 1 + %2$s and record.deadline_date - funding.announced_day(record.source) between 0 and %2$s', today, days)
$$;

-- SQL condition that `record` has a near deadline of which there is no notice yet, with $2 to $5: the endpoint's id, its lead times, today in UTC, the
-- longest lead time.
create or replace function funding.near_deadline() returns text
language sql immutable parallel safe as $$
  select funding.deadline_within('$4', '$5') || $condition$
    and record.archived_at is null and record.superseded_by is null and record.classification = 'opportunity' and not funding.has_ended(record.status)
    and exists (
      select from unnest($3) as lead(days)
      where record.deadline_date <= funding.announced_day(record.source) + lead.days and not exists (
        select from funding.deadline_notices as notice
        where notice.endpoint_id = $2 and notice.record_id = record.id and notice.days = lead.days))
  $condition$
$$;

-- Makes the deadline notices of one endpoint and one dataset that are due on a day, with their deliveries. A record that passed several lead times
-- since the last scan gets one event. Returns the number of records; when that is `maximum`, there may be more.
create or replace function funding.announce_deadlines_of(endpoint funding.webhook_endpoints, dataset text, today date, maximum integer)
returns integer
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := funding.webhook_filter(dataset, endpoint.filters->dataset->'parameters');
  announced integer;
begin
  execute format($announce$
    with near as materialized (
      select record.* from funding.%1$I as record
      where %6$s
        -- Of two conditions Postgres may evaluate the filter first, also on records that were left out because the filter fails on them.
        and case when %4$s then (%2$s) else false end
      order by record.deadline_date
      limit $6
    ), noted as (
      insert into funding.deadline_notices (endpoint_id, record_id, days, noted_at)
      select $2, near.id, lead.days, funding.bounded_now()
      from near cross join unnest($3) as lead(days)
      where near.deadline_date <= funding.announced_day(near.source) + lead.days
      on conflict on constraint deadline_notices_pkey do nothing
      returning record_id
    ), event as (
      insert into funding.events (event, dataset, record_id, endpoint_id, fanned_out_at, data, details)
      select $7, %1$L, record.id, $2, funding.bounded_now(), rendered.body, case when $8 then %5$s end
      from near as record cross join lateral (%3$s) as rendered
      where record.id in (select record_id from noted)
      order by record.deadline_date, record.id
      returning id
    ), delivery as (
      insert into funding.webhook_deliveries (endpoint_id, event_id, has_details, due_at, created_at)
      select $2, id, $8, funding.dispatch_now(), funding.bounded_now() from event
    )
    select count(*) from event
  $announce$, dataset, case when filter is null then 'true' else funding.predicate(dataset, filter) end, funding.record_query(dataset),
    funding.near_deadline(), funding.details_expression(dataset), funding.deadline_within('$4', '$5'))
  into announced
  using filter, endpoint.id, endpoint.deadline_days, today, (select max(days) from unnest(endpoint.deadline_days) as days),
    maximum, funding.event_name(dataset, 'deadline_approaching'), endpoint.expand @> '{details}';
  return announced;
end
$$;

-- Counts the deadlines that an endpoint would be notified of at once: { deadlines, is_capped }. `webhook` has events, filters and deadline_days as
-- for `funding.create_webhook`. It also has the id of an endpoint that is to be changed: deadlines that this endpoint was notified of already do not
-- count. Counts at most ten thousand of a dataset. PT400 for a filter that cannot be evaluated.
create or replace function funding.preview_webhook(account_id uuid, webhook jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  maximum constant integer := 10000;
  today constant date := (funding.bounded_now() at time zone 'UTC')::date;
  events constant text[] := array(select jsonb_array_elements_text(webhook->'events'));
  days constant integer[] := array(select jsonb_array_elements_text(webhook->'deadline_days')::integer);
  endpoint_id constant uuid := webhook->>'id';
  dataset text;
  filter jsonb;
  counted integer;
  total integer := 0;
  is_capped boolean := false;
begin
  if endpoint_id is not null then
    perform funding.webhook_of(account_id, endpoint_id);
  end if;
  perform funding.require_filters(webhook->'filters');
  foreach dataset in array array['grants', 'contracts'] loop
    continue when not events @> array[funding.event_name(dataset, 'deadline_approaching')];
    filter := funding.webhook_filter(dataset, webhook->'filters'->dataset->'parameters');
    execute format($count$
      select count(*) from (
        select from funding.%I as record
        where %s and case when %s then (%s) else false end
        limit $6) as near
    $count$, dataset, funding.deadline_within('$4', '$5'), funding.near_deadline(), case when filter is null then 'true' else funding.predicate(dataset, filter) end)
    into counted
    using filter, endpoint_id, days, today, (select max(day) from unnest(days) as day), maximum;
    total := total + counted;
    is_capped := is_capped or counted >= maximum;
  end loop;
  return json_build_object('deadlines', total, 'is_capped', is_capped);
end
$$;

-- Sets aside the records with near deadlines on which an endpoint's filter fails, or which cannot be rendered, each alone. A notice is stored for
-- such a record, with a delivery that has failed with the reason. Raises when the filter itself is at fault.
create or replace function funding.set_aside_deadlines(endpoint funding.webhook_endpoints, dataset text, today date) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := endpoint.filters->dataset->'parameters';
  faults jsonb;
  fault record;
  event_id uuid;
begin
  execute format('select funding.find_faults($6, $1, (select array_agg(record) from funding.%I as record where %s))', dataset, funding.near_deadline())
  into faults
  using filter, endpoint.id, endpoint.deadline_days, today, (select max(days) from unnest(endpoint.deadline_days) as days), dataset;
  for fault in select item.key::uuid as record_id, item.value as reason from jsonb_each_text(faults) as item loop
    execute format($noted$
      insert into funding.deadline_notices (endpoint_id, record_id, days, noted_at)
      select $1, record.id, lead.days, funding.bounded_now()
      from funding.%I as record cross join unnest($2) as lead(days)
      where record.id = $3 and record.deadline_date <= funding.announced_day(record.source) + lead.days
      on conflict on constraint deadline_notices_pkey do nothing
    $noted$, dataset) using endpoint.id, endpoint.deadline_days, fault.record_id;
    insert into funding.events (event, dataset, record_id, endpoint_id, fanned_out_at, undeliverable)
    values (funding.event_name(set_aside_deadlines.dataset, 'deadline_approaching'), set_aside_deadlines.dataset, fault.record_id, endpoint.id,
      funding.bounded_now(), fault.reason)
    returning id into event_id;
    perform funding.fail_deliveries(array[endpoint.id], event_id, fault.reason);
  end loop;
end
$$;

-- Records on which a filter fails, and records that match it and cannot be rendered: { record id: reason }. Raises when the filter or the
-- rendering fails for all.
create or replace function funding.find_faults(dataset text, filter jsonb, records anyarray) returns jsonb
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  found record;
begin
  select * into found from funding.match_records(dataset, filter, coalesce(records, records[1:0]));
  return (
    select coalesce(jsonb_object_agg(item.key, format('the filter of %s cannot be evaluated on this record: %s', dataset, item.value)), '{}')
    from jsonb_each_text(found.faults) as item
  ) || funding.unshowable_records(dataset, (
    select array_agg(record) from unnest(records) as record where (to_jsonb(record)->>'id')::uuid = any (found.matched)));
end
$$;

-- Version of the data that an endpoint's deadlines are of: it moves with each change of a dataset whose deadlines the endpoint is told of.
create or replace function funding.deadlines_version(events text[]) returns bigint
language plpgsql stable as $$
begin
  return (
    select coalesce(sum(data_versions.version), 0) from funding.data_versions
    where data_versions.dataset in ('grants', 'contracts') and events @> array[funding.event_name(data_versions.dataset, 'deadline_approaching')]);
end
$$;

-- Chooses the endpoint whose deadlines are scanned next: of the endpoints that are due, the one that has waited longest. Each is due once a day of each
-- time zone that records are in, and again when its data changed, a minute after its last scan at the earliest. An endpoint whose scan was begun and not finished waits ten seconds, and lets the others go first. Returns {
-- endpoint_id }, null when none is due.
create or replace function public.next_deadlines() returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  midnight constant timestamptz := funding.last_midnight();
  present constant timestamptz := funding.dispatch_now();
  chosen uuid;
begin
  update funding.webhook_endpoints set deadlines_tried_at = present
  where id = (
    select waiting.id from funding.webhook_endpoints as waiting
    where waiting.state <> 'disabled'
      and waiting.events && array['grant.deadline_approaching', 'contract.deadline_approaching']
      and (waiting.deadlines_scanned_since is distinct from midnight
        or waiting.deadlines_scanned_at < present - interval '1 minute'
          and waiting.deadlines_scanned_version <> funding.deadlines_version(waiting.events))
      and (waiting.deadlines_tried_at is null or waiting.deadlines_tried_at <= waiting.deadlines_scanned_at
        or waiting.deadlines_tried_at < present - interval '10 seconds')
      and funding.has_webhooks(waiting.account_id)
    order by greatest(waiting.deadlines_scanned_at, waiting.deadlines_tried_at) nulls first, waiting.id
    limit 1
    for no key update skip locked)
  returning id into chosen;
  return json_build_object('endpoint_id', chosen);
end
$$;

-- Scans the deadlines of an endpoint, at most `maximum` records of a dataset at a time. The endpoint's row is locked at the end alone, so that results
-- of attempts need not wait for a scan. Without an endpoint it scans the next one (`next_deadlines`):
-- dispatchers of earlier versions rely on that. Returns { endpoints, events }.
create or replace function public.announce_deadlines(maximum integer, only_endpoint uuid default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  -- Chosen before the time is read: the beginning of a scan must not seem later than its end.
  chosen constant uuid := coalesce(only_endpoint, (public.next_deadlines()->>'endpoint_id')::uuid);
  today date := (funding.bounded_now() at time zone 'UTC')::date;
  midnight timestamptz := funding.last_midnight();
  present timestamptz := funding.dispatch_now();
  endpoint funding.webhook_endpoints;
  after funding.webhook_endpoints;
  version bigint;
  dataset text;
  announced integer;
  total integer := 0;
  is_complete boolean := true;
begin
  -- One scan of an endpoint at a time.
  if chosen is null or not pg_try_advisory_xact_lock(hashtextextended('deadlines ' || chosen, 0)) then
    return json_build_object('endpoints', 0, 'events', 0);
  end if;
  select * into endpoint from funding.webhook_endpoints as waiting where waiting.id = chosen and waiting.state <> 'disabled';
  if not found then
    return json_build_object('endpoints', 0, 'events', 0);
  end if;
  version := funding.deadlines_version(endpoint.events);

  foreach dataset in array array['grants', 'contracts'] loop
    continue when not endpoint.events @> array[funding.event_name(dataset, 'deadline_approaching')];
    begin
      announced := funding.announce_deadlines_of(endpoint, dataset, today, maximum);
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      begin
        perform funding.set_aside_deadlines(endpoint, dataset, today);
        announced := funding.announce_deadlines_of(endpoint, dataset, today, maximum);
      exception when others then
        if funding.is_passing_failure(sqlstate) then
          raise;
        end if;
        -- Its owner may have mended the filter meanwhile: the endpoint is scanned again then.
        select * into after from funding.webhook_endpoints as scanned where scanned.id = endpoint.id for no key update;
        if after.filters is distinct from endpoint.filters then
          return json_build_object('endpoints', 1, 'events', total);
        end if;
        perform funding.disable_endpoints(array[endpoint.id], funding.filter_fault(dataset, sqlerrm));
        return json_build_object('endpoints', 1, 'events', total);
      end;
    end;
    total := total + announced;
    is_complete := is_complete and announced < maximum;
  end loop;
  -- An endpoint that its owner has changed meanwhile is scanned again.
  select * into after from funding.webhook_endpoints as scanned where scanned.id = endpoint.id for no key update;
  is_complete := is_complete
    and (after.events, after.filters, after.deadline_days) is not distinct from (endpoint.events, endpoint.filters, endpoint.deadline_days);
  update funding.webhook_endpoints
  set deadlines_scanned_at = present,
      deadlines_scanned_since = case when is_complete then midnight else deadlines_scanned_since end,
      deadlines_scanned_version = case when is_complete then version else deadlines_scanned_version end,
      work_timeouts = 0
  where id = endpoint.id;
  return json_build_object('endpoints', 1, 'events', total);
end
$$;
