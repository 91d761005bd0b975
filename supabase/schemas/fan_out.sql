-- Fan-out: the deliveries of an event, one for each endpoint whose filter matches.
--
-- An error in a filter is caught where it is evaluated, and disables that endpoint alone. A time limit cannot be caught: it ends
-- the whole statement. The dispatcher then takes one endpoint after the other, each in a call of its own, and reports the one
-- that fails (`report_endpoint_failure`).

-- Whether an account's subscription includes webhooks, which are part of every tier with API access.
create or replace function funding.has_webhooks(account_id uuid) returns boolean
language sql stable as $$
  select exists (
    select from funding.subscriptions as subscription
    join funding.tiers as tier on tier.name = subscription.tier
    where subscription.account_id = has_webhooks.account_id and tier.api_access and funding.is_in_force(subscription))
$$;

-- Whether an error is the server's own and passes: connections, deadlocks, resources, locks, shutdowns. Nobody's filter is to blame.
-- 57014, a time limit, is judged apart.
create or replace function funding.is_passing_failure(code text) returns boolean
language sql immutable parallel safe as $$
  select code ~ '^(08|40|53|55|57|58)' and code <> '57014'
$$;

-- Reason that an endpoint's owner reads when a filter fails.
create or replace function funding.filter_fault(dataset text, message text) returns text
language sql immutable parallel safe as $$
  select format('the filter of %s cannot be evaluated: %s', dataset, left(message, 200))
$$;

-- Disables endpoints whose deliveries cannot be made. Their recoveries end: the owner starts them again.
create or replace function funding.set_aside(endpoints uuid[], reason text) returns void
language sql as $$
  update funding.webhook_endpoints
  set state = 'disabled', disabled_reason = reason, set_aside_at = funding.wall_clock(), work_timeouts = 0
  where id = any (endpoints) and state <> 'disabled';
  delete from funding.webhook_recoveries where endpoint_id = any (endpoints);
$$;

-- Ids of the records that a filter keeps, of some records of a dataset. Where evaluating it fails on some of them, though not on an empty
-- record, the others are looked at all the same: `faults` is then { record id: message }. Raises when the filter itself is at fault.
create or replace function funding.match_records(dataset text, filter jsonb, records anyarray, out matched uuid[], out faults jsonb)
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  query constant text := format('select array_agg(record.id) from unnest($2) as record where %s',
    case when filter is null then 'true' else funding.predicate(dataset, filter) end);
  found uuid[];
begin
  faults := '{}';
  execute query into matched using filter, records;
exception when others then
  if funding.is_passing_failure(sqlstate) then
    raise;
  end if;
  if filter is not null then
    perform funding.try_filter(dataset, filter);
  end if;
  faults := '{}';
  matched := '{}';
  for number in 1 .. cardinality(records) loop
    begin
      execute query into found using filter, records[number:number];
      matched := matched || found;
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      faults := faults || jsonb_build_object((to_jsonb(records[number])->>'id'), left(sqlerrm, 200));
    end;
  end loop;
end
$$;

-- Ends the deliveries of an event to some endpoints before any attempt, and makes those that are missing. Their owners see the reason as that of
-- an attempt.
create or replace function funding.fail_deliveries(endpoints uuid[], event_id uuid, reason text) returns void
language sql as $$
  with failed as (
    insert into funding.webhook_deliveries as known (endpoint_id, event_id, state, attempts, due_at, created_at, finished_at)
    select endpoint.id, fail_deliveries.event_id, 'failed', 1, funding.dispatch_now(), funding.wall_clock(), funding.wall_clock()
    from unnest(endpoints) as endpoint(id)
    on conflict on constraint webhook_deliveries_pkey do update
      set state = 'failed', attempts = known.attempts + 1, finished_at = excluded.finished_at
      where known.state = 'pending' and known.claimed_until is null
    returning known.endpoint_id, known.attempts
  )
  insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at, error, message)
  select failed.endpoint_id, fail_deliveries.event_id, failed.attempts, endpoint.url, funding.wall_clock(), 'record',
         format('Not sent: %s', fail_deliveries.reason)
  from failed join funding.webhook_endpoints as endpoint on endpoint.id = failed.endpoint_id
$$;

-- Keeps records as the API shows them as the data of their events, where these have deliveries and no data yet, or could not be shown before. A
-- record that cannot be shown is left out alone: its events get its id alone, and their deliveries fail with the reason.
create or replace function funding.render_events(dataset text, records anyarray, batch uuid[]) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  statement constant text := format($render$
    update funding.events as event set data = rendered.body, undeliverable = null
    from unnest($1) as record cross join lateral (%s) as rendered
    where event.id = any ($2) and event.record_id = record.id and (event.data is null or event.undeliverable is not null)
      and exists (select from funding.webhook_deliveries as delivery where delivery.event_id = event.id)
  $render$, funding.record_query(dataset));
  fault text;
  event record;
begin
  execute statement using records, batch;
exception when others then
  if funding.is_passing_failure(sqlstate) then
    raise;
  end if;
  for number in 1 .. cardinality(records) loop
    begin
      execute statement using records[number:number], batch;
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      fault := left(sqlerrm, 200);
      for event in
        update funding.events as known
        set data = json_build_object('id', known.record_id), undeliverable = format('the record cannot be shown: %s', fault)
        where known.id = any (batch) and known.record_id = (to_jsonb(records[number])->>'id')::uuid
          and (known.data is null or known.undeliverable is not null)
          and exists (select from funding.webhook_deliveries as delivery where delivery.event_id = known.id)
        returning known.id, known.undeliverable
      loop
        perform funding.fail_deliveries(
          array(select delivery.endpoint_id from funding.webhook_deliveries as delivery where delivery.event_id = event.id),
          event.id, event.undeliverable);
      end loop;
    end;
  end loop;
end
$$;

-- Makes the deliveries of a batch of events about some records of a dataset, for every endpoint or for `only_endpoint`. Returns how many were
-- made. Records are read once, by the caller, so that what the filters see is what is delivered.
create or replace function funding.fan_out_records(dataset text, records anyarray, batch uuid[], only_endpoint uuid) returns bigint
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  audience record;
  found record;
  fault record;
  first_due_at timestamptz := funding.dispatch_now();
  made bigint := 0;
  made_now bigint;
begin
  -- A filter that many endpoints share is evaluated once.
  for audience in
    select endpoint.filters->fan_out_records.dataset->'parameters' as filter, array_agg(endpoint.id) as endpoints
    from funding.webhook_endpoints as endpoint
    where case when only_endpoint is null then endpoint.state <> 'disabled' else endpoint.id = only_endpoint end
      and endpoint.events && array(select distinct event.event from funding.events as event where event.id = any (batch))
      and funding.has_webhooks(endpoint.account_id)
    group by 1
  loop
    begin
      select * into found from funding.match_records(dataset, audience.filter, records);
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      perform funding.set_aside(audience.endpoints, funding.filter_fault(dataset, sqlerrm));
      continue;
    end;
    insert into funding.webhook_deliveries (endpoint_id, event_id, due_at, created_at)
    select endpoint.id, event.id, first_due_at, funding.wall_clock()
    from unnest(found.matched) as match(id)
    join funding.events as event on event.record_id = match.id and event.id = any (batch)
    join funding.webhook_endpoints as endpoint
      on endpoint.id = any (audience.endpoints) and endpoint.events @> array[event.event]
    order by event.created_at, event.id, endpoint.id
    on conflict on constraint webhook_deliveries_pkey do nothing;
    get diagnostics made_now = row_count;
    made := made + made_now;
    -- Records on which the filter fails: whether the endpoint wants them is not known.
    for fault in
      select event.id as event_id, array_agg(endpoint.id) as endpoints, item.value as message
      from jsonb_each_text(found.faults) as item
      join funding.events as event on event.record_id = item.key::uuid and event.id = any (batch)
      join funding.webhook_endpoints as endpoint
        on endpoint.id = any (audience.endpoints) and endpoint.events @> array[event.event]
      group by event.id, item.value
    loop
      perform funding.fail_deliveries(fault.endpoints, fault.event_id,
        format('the filter of %s cannot be evaluated on this record: %s', dataset, fault.message));
    end loop;
  end loop;
  perform funding.render_events(dataset, records, batch);
  return made;
end
$$;

-- Makes the deliveries of a batch of events of any datasets. Returns how many.
create or replace function funding.fan_out(batch uuid[], only_endpoint uuid default null) returns bigint
language plpgsql as $$
declare
  part record;
  made bigint := 0;
  made_now bigint;
begin
  for part in
    select dataset, array_agg(id order by created_at, id) as ids, array_agg(distinct record_id) as records
    from funding.events where id = any (batch) group by 1
  loop
    execute format('select funding.fan_out_records($1, (select array_agg(record) from funding.%I as record where record.id = any ($2)), $3, $4)',
      part.dataset)
    into made_now using part.dataset, part.records, part.ids, only_endpoint;
    made := made + made_now;
  end loop;
  return made;
end
$$;

-- Makes deliveries of the oldest events that have none yet, at most `maximum` of them; returns { events, deliveries }. It finds events
-- that are not fanned out, so one that commits late is not missed. Several dispatchers at once take different ones.
create or replace function public.fan_out_events(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  batch uuid[];
  made bigint;
begin
  select array_agg(pending.id) into batch from (
    select event.id from funding.events as event
    where event.fanned_out_at is null and (event.fan_out_after is null or event.fan_out_after <= funding.dispatch_now())
    order by event.created_at limit maximum for update skip locked
  ) as pending;
  if batch is null then
    return json_build_object('events', 0, 'deliveries', 0);
  end if;
  made := funding.fan_out(batch);
  update funding.events as event set fanned_out_at = funding.wall_clock() where event.id = any (batch);
  return json_build_object('events', cardinality(batch), 'deliveries', made);
end
$$;

-- Oldest events that have no deliveries yet, at most `maximum`, and the endpoints that may want them: for a dispatcher that takes one
-- endpoint after the other. Those that took too long before come last, the others in any order, so that one that fails is not always
-- the first. Returns { events, endpoints }.
create or replace function public.pending_fan_out(maximum integer) returns json
language sql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
  with pending as materialized (
    select event.id, event.event from funding.events as event
    where event.fanned_out_at is null and (event.fan_out_after is null or event.fan_out_after <= funding.dispatch_now())
    order by event.created_at limit maximum
  )
  select json_build_object(
    'events', (select coalesce(json_agg(pending.id), '[]') from pending),
    'endpoints', (
      select coalesce(json_agg(endpoint.id order by endpoint.work_timeouts, random()), '[]')
      from funding.webhook_endpoints as endpoint
      where endpoint.state <> 'disabled' and endpoint.events && array(select distinct pending.event from pending)
        and funding.has_webhooks(endpoint.account_id)))
$$;

-- Makes one endpoint's deliveries of some events. The time limit is what an endpoint may take of everybody's time.
create or replace function public.fan_out_to(endpoint_id uuid, events uuid[]) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '3s' as $$
declare
  made bigint := funding.fan_out(array(
    select event.id from funding.events as event where event.id = any (fan_out_to.events) and event.fanned_out_at is null), endpoint_id);
begin
  update funding.webhook_endpoints set work_timeouts = 0 where id = fan_out_to.endpoint_id and work_timeouts > 0;
  return json_build_object('deliveries', made);
end
$$;

-- Notes that every endpoint had its deliveries of some events made.
create or replace function public.finish_fan_out(events uuid[]) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  finished bigint;
begin
  update funding.events as event set fanned_out_at = funding.wall_clock()
  where event.id = any (finish_fan_out.events) and event.fanned_out_at is null;
  get diagnostics finished = row_count;
  return json_build_object('events', finished);
end
$$;

-- Records that the fan-out of an event failed by itself, for every endpoint. It is tried again after a minute, then after twice as long each
-- time, and others go before it. The tenth time, after some 17 hours, it is set aside. Returns { failures, is_set_aside }, or null where
-- there is no such event.
create or replace function public.report_event_failure(event_id uuid, code text, message text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  most_failures constant integer := 10;
  failed funding.events;
begin
  update funding.events as known
  set fan_out_failures = known.fan_out_failures + 1,
      fan_out_after = funding.dispatch_now() + interval '1 minute' * 2 ^ known.fan_out_failures,
      fanned_out_at = case when known.fan_out_failures + 1 >= most_failures then funding.wall_clock() end,
      undeliverable = case when known.fan_out_failures + 1 >= most_failures
        then format('its deliveries cannot be made: %s %s', report_event_failure.code, left(report_event_failure.message, 200)) end,
      data = case when known.fan_out_failures + 1 >= most_failures then coalesce(known.data, json_build_object('id', known.record_id)) else known.data end
  where known.id = report_event_failure.event_id and known.fanned_out_at is null
  returning * into failed;
  if not found then
    return null;
  end if;
  return json_build_object('failures', failed.fan_out_failures, 'is_set_aside', failed.fanned_out_at is not null);
end
$$;

-- Records that making an endpoint's deliveries failed, with the error's code and message. The endpoint is disabled at once or, after a
-- time limit, the third time in a row: a server that is busy for a while must not disable a good endpoint. Returns
-- { endpoint_id, state, disabled_reason }, or null where there is no such endpoint.
create or replace function public.report_endpoint_failure(endpoint_id uuid, code text, message text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  most_timeouts constant integer := 3;
  failed funding.webhook_endpoints;
begin
  update funding.webhook_endpoints set work_timeouts = work_timeouts + 1
  where id = report_endpoint_failure.endpoint_id
  returning * into failed;
  if code <> '57014' then
    perform funding.set_aside(array[endpoint_id], format('its deliveries cannot be made: %s', left(message, 200)));
  elsif failed.work_timeouts >= most_timeouts then
    perform funding.set_aside(array[endpoint_id],
      format('making its deliveries took too long, %s times in a row: narrow its filters', most_timeouts));
  end if;
  return (
    select json_build_object('endpoint_id', endpoint.id, 'state', endpoint.state, 'disabled_reason', endpoint.disabled_reason)
    from funding.webhook_endpoints as endpoint where endpoint.id = report_endpoint_failure.endpoint_id);
end
$$;
