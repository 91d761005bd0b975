-- Fan-out: the deliveries of an event, one for each endpoint whose filter matches.
--
-- An error in a filter is caught where the filter is evaluated, and disables only that endpoint. A time limit cannot be caught: it ends the whole
-- statement. The dispatcher then takes one endpoint after the other, each in a call of its own, and reports the endpoint that fails
-- (`report_endpoint_failure`).

-- Reason that an endpoint's owner reads when a filter fails.
create or replace function funding.filter_fault(dataset text, message text) returns text
language sql immutable parallel safe as $$
  select format('the filter of %s cannot be evaluated: %s', dataset, left(message, 200))
$$;

-- Disables endpoints whose deliveries cannot be made. Their recoveries end: the owner starts them again.
create or replace function funding.disable_endpoints(endpoints uuid[], reason text) returns void
language sql as $$
  update funding.webhook_endpoints
  set state = 'disabled', disabled_reason = reason, set_aside_at = funding.latest_now(), work_timeouts = 0
  where id = any (endpoints) and state <> 'disabled';
  delete from funding.webhook_recoveries where endpoint_id = any (endpoints);
$$;

-- Finds the records on which a query fails, one by one: { id: message }. `query` reads $1, a filter, and $2, the records. The query is tried on
-- halves, so that a few such records among thousands are soon found.
create or replace function funding.failing_records(query text, filter jsonb, records anyarray) returns jsonb
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  half constant integer := cardinality(records) / 2;
begin
  execute query using filter, records;
  return '{}';
exception when others then
  if funding.is_passing_failure(sqlstate) then
    raise;
  end if;
  if half = 0 then
    return jsonb_build_object(to_jsonb(records[1])->>'id', left(sqlerrm, 200));
  end if;
  return funding.failing_records(query, filter, records[:half]) || funding.failing_records(query, filter, records[half + 1:]);
end
$$;

-- Filter of a webhook, as `funding.predicate` reads it: its days are those of now, its agencies names, and its search in documents is analysed.
create or replace function funding.webhook_filter(dataset text, filter jsonb) returns jsonb
language plpgsql stable as $$
begin
  return funding.with_passage_search(funding.with_agencies(dataset, funding.with_days(filter, funding.bounded_now())));
end
$$;

-- Ids of the records that match a filter, of some records of a dataset. Where the filter fails on some of the records, but not on an empty record,
-- the other records are matched all the same: `faults` is then { record id: message }. Raises when the filter itself is at fault.
create or replace function funding.match_records(dataset text, filter jsonb, records anyarray, out matched uuid[], out faults jsonb)
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := funding.webhook_filter(dataset, match_records.filter);
  query constant text := format('select array_agg(record.id) from unnest($2) as record where %s',
    case when filter is null then 'true' else funding.predicate(dataset, filter) end);
begin
  faults := '{}';
  execute query into matched using filter, records;
exception when others then
  if funding.is_passing_failure(sqlstate) or filter is null then
    raise;
  end if;
  perform funding.try_filter(dataset, filter);
  faults := funding.failing_records(query, filter, records);
  execute query into matched
  using filter, funding.records_without(records, array(select key::uuid from jsonb_object_keys(faults) as key));
end
$$;

-- Records without those that have one of some ids.
create or replace function funding.records_without(records anyarray, without uuid[]) returns anyarray
language sql stable as $$
  select coalesce(array_agg(record), records[1:0]) from unnest(records) as record where (to_jsonb(record)->>'id')::uuid <> all (without)
$$;

-- Records that cannot be shown, one by one: { id: reason }. Raises when an empty record cannot be shown either: the fault is not the records'.
create or replace function funding.unshowable_records(dataset text, records anyarray) returns jsonb
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  rendering constant text := format('cross join lateral (%s) as rendered', funding.record_query(dataset));
begin
  execute format('select count(rendered.body) from jsonb_populate_record(null::funding.%I, $1) as record %s', dataset, rendering) using '{}'::jsonb;
  return (
    select coalesce(jsonb_object_agg(item.key, format('the record cannot be shown: %s', item.value)), '{}')
    from jsonb_each_text(
      funding.failing_records('select count(rendered.body) from unnest($2) as record ' || rendering, null, coalesce(records, records[1:0]))) as item);
end
$$;

-- Fails the deliveries of an event to some endpoints before any attempt; makes the missing ones as failed. The endpoints' owners see the reason as the
-- message of an attempt.
create or replace function funding.fail_deliveries(endpoints uuid[], event_id uuid, reason text) returns void
language sql as $$
  with failed as (
    insert into funding.webhook_deliveries as known (endpoint_id, event_id, has_details, state, attempts, due_at, created_at, finished_at)
    select endpoint.id, fail_deliveries.event_id, endpoint.expand @> '{details}', 'failed', 1, funding.dispatch_now(), funding.latest_now(),
           funding.latest_now()
    from funding.webhook_endpoints as endpoint where endpoint.id = any (endpoints)
    on conflict on constraint webhook_deliveries_pkey do update
      set state = 'failed', attempts = known.attempts + 1, finished_at = excluded.finished_at
      where known.state = 'pending' and known.claimed_until is null
    returning known.endpoint_id, known.attempts
  )
  insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at, error, message)
  select failed.endpoint_id, fail_deliveries.event_id, failed.attempts, endpoint.url, funding.latest_now(), 'record',
         format('Not sent: %s', fail_deliveries.reason)
  from failed join funding.webhook_endpoints as endpoint on endpoint.id = failed.endpoint_id
$$;

-- Stores records, as the API shows them, as the data of their events, where an event has deliveries and no data yet. Stores their details, too, where
-- a delivery has details. A record that cannot be shown is left out alone: its events stay without data, and their deliveries fail with the reason.
create or replace function funding.render_events(dataset text, records anyarray, batch uuid[]) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  statement constant text := format($render$
    update funding.events as event
    set data = coalesce(event.data, rendered.body), undeliverable = null,
        details = coalesce(event.details, case when wanted.has_details then detailed.details end)
    from unnest($1) as record cross join lateral (%s) as rendered cross join lateral (select %s as details) as detailed
    join (
      select delivery.event_id, bool_or(delivery.has_details) as has_details from funding.webhook_deliveries as delivery
      where delivery.event_id = any ($2) group by 1
    ) as wanted on true
    where event.id = wanted.event_id and event.record_id = record.id
      and (event.data is null or event.details is null and wanted.has_details)
  $render$, funding.record_query(dataset), funding.details_expression(dataset));
  faults jsonb;
  event record;
begin
  execute statement using records, batch;
exception when others then
  if funding.is_passing_failure(sqlstate) then
    raise;
  end if;
  faults := funding.unshowable_records(dataset, records);
  execute statement using funding.records_without(records, array(select key::uuid from jsonb_object_keys(faults) as key)), batch;
  for event in
    update funding.events as known set undeliverable = faults->>known.record_id::text
    where known.id = any (batch) and faults ? known.record_id::text and known.data is null
      and exists (select from funding.webhook_deliveries as delivery where delivery.event_id = known.id)
    returning known.id, known.undeliverable
  loop
    perform funding.fail_deliveries(
      array(select delivery.endpoint_id from funding.webhook_deliveries as delivery where delivery.event_id = event.id),
      event.id, event.undeliverable);
  end loop;
end
$$;

-- Makes the deliveries of a batch of events about some records of a dataset, for every endpoint or for `only_endpoint`. Returns the number of
-- deliveries. The caller reads the records once, so that the delivered records are the ones that the filters see.
create or replace function funding.fan_out_records(dataset text, records anyarray, batch uuid[], only_endpoint uuid) returns bigint
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  audience record;
  found record;
  fault record;
  first_due_at timestamptz := funding.dispatch_now();
  present constant timestamptz := funding.latest_now();
  made bigint := 0;
  made_now bigint;
begin
  -- A filter that many endpoints share is evaluated once.
  for audience in
    select endpoint.filters->fan_out_records.dataset->'parameters' as filter, array_agg(endpoint.id) as endpoints
    from funding.webhook_endpoints as endpoint
    where case when only_endpoint is null then endpoint.state <> 'disabled' else endpoint.id = only_endpoint end
      and exists (select from funding.events as happened where happened.id = any (batch) and funding.wants_event(endpoint, happened))
      and funding.has_webhooks(endpoint.account_id)
    group by 1
  loop
    begin
      select * into found from funding.match_records(dataset, audience.filter, records);
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      perform funding.disable_endpoints(audience.endpoints, funding.filter_fault(dataset, sqlerrm));
      continue;
    end;
    insert into funding.webhook_deliveries (endpoint_id, event_id, has_details, due_at, created_at)
    select endpoint.id, happened.id, endpoint.expand @> '{details}', first_due_at, present
    from unnest(found.matched) as match(id)
    join funding.events as happened on happened.record_id = match.id and happened.id = any (batch)
    join funding.webhook_endpoints as endpoint
      on endpoint.id = any (audience.endpoints) and funding.wants_event(endpoint, happened)
    order by happened.created_at, happened.id, endpoint.id
    on conflict on constraint webhook_deliveries_pkey do nothing;
    get diagnostics made_now = row_count;
    made := made + made_now;
    -- Records on which the filter fails: whether the endpoint wants them is not known.
    for fault in
      select happened.id as event_id, array_agg(endpoint.id) as endpoints, item.value as message
      from jsonb_each_text(found.faults) as item
      join funding.events as happened on happened.record_id = item.key::uuid and happened.id = any (batch)
      join funding.webhook_endpoints as endpoint
        on endpoint.id = any (audience.endpoints) and funding.wants_event(endpoint, happened)
      -- An existing delivery has its payload, and the filter need not match any more.
      where not exists (
        select from funding.webhook_deliveries as known where known.endpoint_id = endpoint.id and known.event_id = happened.id)
      group by happened.id, item.value
    loop
      perform funding.fail_deliveries(fault.endpoints, fault.event_id,
        format('the filter of %s cannot be evaluated on this record: %s', dataset, fault.message));
    end loop;
  end loop;
  perform funding.render_events(dataset, records, batch);
  return made;
end
$$;

-- Makes the deliveries of a batch of events of any datasets. Returns their number.
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

-- Batch size of the next fan-out: `maximum`, divided by eight for each failed fan-out of the oldest event. So an event that fails is soon isolated.
create or replace function funding.fan_out_size(maximum integer) returns integer
language plpgsql volatile as $$
begin
  return greatest(1, (maximum / 8 ^ coalesce((
    select least(event.fan_out_failures, 10) from funding.events as event
    where event.fanned_out_at is null and (event.fan_out_after is null or event.fan_out_after <= funding.dispatch_now())
    order by event.created_at limit 1), 0))::integer);
end
$$;

-- Whether an endpoint has a recovery, or an unfinished scan of deadlines.
create or replace function funding.has_unfinished_work(endpoint funding.webhook_endpoints) returns boolean
language plpgsql stable as $$
begin
  return endpoint.events && array['grant.deadline_approaching', 'contract.deadline_approaching']
      and coalesce(endpoint.deadlines_tried_at > coalesce(endpoint.deadlines_scanned_at, '-infinity'), false)
    or exists (select from funding.webhook_recoveries as recovery where recovery.endpoint_id = endpoint.id);
end
$$;

-- Makes deliveries of the oldest events that have none yet, at most `maximum` events; returns { events, deliveries }. It looks for events that are
-- not fanned out, so an event that commits late is not missed. Several dispatchers at once take different events.
create or replace function public.fan_out_events(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  batch uuid[];
  made bigint;
begin
  select array_agg(pending.id) into batch from (
    select event.id from funding.events as event
    where event.fanned_out_at is null and (event.fan_out_after is null or event.fan_out_after <= funding.dispatch_now())
    order by event.created_at limit funding.fan_out_size(maximum) for update skip locked
  ) as pending;
  if batch is null then
    return json_build_object('events', 0, 'deliveries', 0);
  end if;
  made := funding.fan_out(batch);
  update funding.events as event set fanned_out_at = funding.latest_now() where event.id = any (batch);
  -- No endpoint failed for these events. An endpoint with a recovery or a scan under way keeps its count: that work is counted by itself. An endpoint
  -- whose row is locked is left to the next call.
  update funding.webhook_endpoints set work_timeouts = 0
  where id = any (array(
    select waiting.id from funding.webhook_endpoints as waiting
    where waiting.work_timeouts > 0 and waiting.state <> 'disabled' and not funding.has_unfinished_work(waiting)
    for no key update skip locked));
  return json_build_object('events', cardinality(batch), 'deliveries', made);
end
$$;

-- Oldest events that have no deliveries yet, at most `maximum`, and the endpoints that may want them: for a dispatcher that takes one endpoint after
-- the other. Endpoints that took too long before come last, the others in random order, so that an endpoint that fails is not always the first.
-- Returns { events, endpoints }.
create or replace function public.pending_fan_out(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
begin
  return (
    with pending as materialized (
      select event.id, event.event from funding.events as event
      where event.fanned_out_at is null and (event.fan_out_after is null or event.fan_out_after <= funding.dispatch_now())
      order by event.created_at limit funding.fan_out_size(maximum)
    )
    select json_build_object(
      'events', (select coalesce(json_agg(pending.id), '[]') from pending),
      'endpoints', (
        select coalesce(json_agg(endpoint.id order by endpoint.work_timeouts, random()), '[]')
        from funding.webhook_endpoints as endpoint
        where endpoint.state <> 'disabled' and endpoint.events && array(select distinct pending.event from pending)
          and funding.has_webhooks(endpoint.account_id))));
end
$$;

-- Makes one endpoint's deliveries of some events. The time limit is one endpoint's part of the dispatcher's time.
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

-- Marks events as fanned out: the deliveries to every endpoint have been made.
create or replace function public.finish_fan_out(events uuid[]) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  finished bigint;
begin
  update funding.events as event set fanned_out_at = funding.latest_now()
  where event.id = any (finish_fan_out.events) and event.fanned_out_at is null;
  get diagnostics finished = row_count;
  return json_build_object('events', finished);
end
$$;

-- Records that the fan-out of `events` failed for `endpoints`, out of `tried` endpoints that were attempted. Of several events, fewer are tried
-- together the next time, and no endpoint is blamed. A single event waits for a minute, then for twice as long each time, and other events go before
-- it. If it failed for some of several endpoints, or for the only one, the failure counts as theirs as well (`report_endpoint_failure`): an endpoint
-- for which other events fail as well is disabled. The tenth time, after some nine hours, the event is parked, if other events went through
-- meanwhile: the deliveries to these endpoints fail. Returns { is_set_aside, disabled: [endpoint id] }; `is_set_aside`: the event is parked.
create or replace function public.report_fan_out_failure(events uuid[], endpoints uuid[], tried integer, code text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  most_failures constant integer := 10;
  present constant timestamptz := funding.dispatch_now();
  reason constant text := format('its deliveries could not be made (%s)', report_fan_out_failure.code);
  failed funding.events;
  disabled uuid[] := '{}';
begin
  if cardinality(events) > 1 then
    update funding.events as known set fan_out_failures = least(known.fan_out_failures + 1, 1000)
    where known.id = any (events) and known.fanned_out_at is null;
    return json_build_object('is_set_aside', false, 'disabled', disabled);
  end if;
  -- Another dispatcher may have reported the same failure.
  update funding.events as known
  set fan_out_failures = least(known.fan_out_failures + 1, 1000),
      fan_out_after = present + interval '1 minute' * 2 ^ least(known.fan_out_failures, 10)
  where known.id = events[1] and known.fanned_out_at is null and (known.fan_out_after is null or known.fan_out_after <= present)
  returning * into failed;
  if not found then
    return json_build_object('is_set_aside', false, 'disabled', disabled);
  end if;
  if cardinality(endpoints) < tried or tried = 1 then
    disabled := array(
      select endpoint.id from unnest(endpoints) as endpoint(id)
      where public.report_endpoint_failure(endpoint.id, '57014', null)->>'state' = 'disabled');
  end if;
  if disabled <> '{}' then
    -- Events that failed because of a disabled endpoint need not wait.
    update funding.events as known set fan_out_failures = 0, fan_out_after = null
    where known.fanned_out_at is null and known.fan_out_failures > 0;
    return json_build_object('is_set_aside', false, 'disabled', disabled);
  end if;
  if failed.fan_out_failures >= most_failures and exists (
    select from funding.events as other where other.fanned_out_at > failed.created_at and other.id <> failed.id and other.undeliverable is null)
  then
    update funding.events as known set fanned_out_at = funding.latest_now(), undeliverable = reason where known.id = failed.id;
    begin
      perform funding.fail_deliveries(endpoints, failed.id, reason);
    exception when query_canceled or others then
      -- The cause that prevents the deliveries may prevent this as well. The event has the reason.
      null;
    end;
  end if;
  return json_build_object('disabled', disabled,
    'is_set_aside', exists (select from funding.events as known where known.id = failed.id and known.fanned_out_at is not null));
end
$$;

-- Retries the dead letters, for an operator who has found the reason: parked events are fanned out again, and deliveries that failed
-- with them are sent. Returns the number of these events. Events whose deliveries failed, and whose records are gone since, do not count.
create or replace function funding.retry_undeliverable() returns bigint
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  retried constant uuid[] := array(select event.id from funding.events as event where event.undeliverable is not null for update);
begin
  update funding.events as event set undeliverable = null, fan_out_failures = 0, fan_out_after = null,
    -- An event for one endpoint alone has its delivery already.
    fanned_out_at = case when event.endpoint_id is not null then event.fanned_out_at end
  where event.id = any (retried);
  perform funding.render_again(retried);
  update funding.webhook_deliveries as delivery set state = 'pending', failures = 0, due_at = funding.dispatch_now(), finished_at = null
  from funding.events as event
  where event.id = any (retried) and event.data is not null and delivery.event_id = event.id and delivery.state = 'failed';
  return (
    select count(*) from funding.events as event
    where event.id = any (retried)
      and (event.data is not null or not exists (select from funding.webhook_deliveries as delivery where delivery.event_id = event.id)));
end
$$;

-- Stores the data, or the details, of events that have none, though their deliveries need them.
create or replace function funding.render_again(batch uuid[]) returns void
language plpgsql as $$
declare
  part record;
begin
  for part in
    select dataset, array_agg(id order by created_at, id) as ids, array_agg(distinct record_id) as records
    from funding.events as event
    where id = any (batch)
      and (data is null or details is null and exists (
        select from funding.webhook_deliveries as delivery where delivery.event_id = event.id and delivery.has_details))
    group by 1
  loop
    execute format('select funding.render_events($1, (select array_agg(record) from funding.%I as record where record.id = any ($2)), $3)', part.dataset)
    using part.dataset, part.records, part.ids;
  end loop;
end
$$;

-- Records a failure to make an endpoint's deliveries, with the error's code and message. The endpoint is disabled at once or, after a time limit, the
-- third time in a row: a server that is busy for a while must not disable a good endpoint. Returns { endpoint_id, state, disabled_reason }, or null
-- where there is no such endpoint.
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
    perform funding.disable_endpoints(array[endpoint_id], format('its deliveries cannot be made: %s', left(message, 200)));
  elsif failed.work_timeouts >= most_timeouts then
    perform funding.disable_endpoints(array[endpoint_id],
      format('making its deliveries took too long, %s times in a row: narrow its filters', most_timeouts));
  end if;
  return (
    select json_build_object('endpoint_id', endpoint.id, 'state', endpoint.state, 'disabled_reason', endpoint.disabled_reason)
    from funding.webhook_endpoints as endpoint where endpoint.id = report_endpoint_failure.endpoint_id);
end
$$;
