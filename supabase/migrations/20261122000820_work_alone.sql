-- An endpoint whose deliveries cannot be made is set aside alone. One filter that Postgres could not evaluate failed the statement
-- that everybody's deliveries are made in, and with it the run of the dispatcher.
--
-- An error in a filter is caught where it is evaluated. A time limit cannot be caught: it ends the whole statement. So the dispatcher
-- then takes endpoint by endpoint, each in a call of its own, and reports the one that fails (`report_endpoint_failure`).

alter table funding.webhook_endpoints
  -- How often in a row making its deliveries, alone, took too long.
  add column work_timeouts integer not null default 0,
  -- When it was disabled because its deliveries could not be made; null when it is not, or its receiver failed.
  add column set_aside_at timestamptz,
  -- When a dispatcher last began to look through its deadlines. In the dispatcher's time, as `deadlines_scanned_at`.
  add column deadlines_tried_at timestamptz;

-- Whether an error is the server's own and passes: connections, deadlocks, resources, locks, shutdowns. Nobody's filter is to
-- blame. 57014, a time limit, is judged apart.
create function funding.is_passing_failure(code text) returns boolean
language sql immutable parallel safe as $$
  select code ~ '^(08|40|53|55|57|58)' and code <> '57014'
$$;

-- What an endpoint's owner reads of a filter that fails.
create function funding.filter_fault(dataset text, message text) returns text
language sql immutable parallel safe as $$
  select format('the filter of %s cannot be evaluated: %s', dataset, left(message, 200))
$$;

-- Disables endpoints whose deliveries cannot be made. Their recoveries end: the owner asks for them again.
create function funding.set_aside(endpoints uuid[], reason text) returns void
language sql as $$
  update funding.webhook_endpoints
  set state = 'disabled', disabled_reason = reason, set_aside_at = funding.wall_clock(), work_timeouts = 0
  where id = any (endpoints) and state <> 'disabled';
  delete from funding.webhook_recoveries where endpoint_id = any (endpoints);
$$;

-- Makes deliveries of a batch of events of one dataset: fan_out_grants and so on. `only_endpoint` narrows it to one endpoint.
-- Records are read once, so that what the filters see is what is delivered. Returns how many were made.
do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($create$
      create or replace function funding.fan_out_%1$s(batch uuid[], only_endpoint uuid default null) returns bigint
      language plpgsql set search_path = funding, extensions, pg_temp as $body$
      declare
        records funding.%1$I[];
        audience record;
        matched uuid[];
        first_due_at timestamptz := funding.dispatch_now();
        made bigint := 0;
        made_now bigint;
      begin
        select array_agg(record) into records from funding.%1$I as record
        where record.id in (select event.record_id from funding.events as event where event.id = any (batch));
        -- A filter that many endpoints share is looked at once.
        for audience in
          select endpoint.filters->%1$L->'parameters' as filter, array_agg(endpoint.id) as endpoints
          from funding.webhook_endpoints as endpoint
          where case when only_endpoint is null then endpoint.state <> 'disabled' else endpoint.id = only_endpoint end
            and endpoint.events && array(select distinct event.event from funding.events as event where event.id = any (batch))
            and funding.has_webhooks(endpoint.account_id)
          group by 1
        loop
          begin
            execute format('select array_agg(record.id) from unnest($2) as record where %%s',
              case when audience.filter is null then 'true' else funding.predicate(%1$L, audience.filter) end)
            into matched using audience.filter, records;
          exception when others then
            if funding.is_passing_failure(sqlstate) then
              raise;
            end if;
            perform funding.set_aside(audience.endpoints, funding.filter_fault(%1$L, sqlerrm));
            continue;
          end;
          insert into funding.webhook_deliveries (endpoint_id, event_id, due_at, created_at)
          select endpoint.id, event.id, first_due_at, funding.wall_clock()
          from unnest(matched) as match(id)
          join funding.events as event on event.record_id = match.id and event.id = any (batch)
          join funding.webhook_endpoints as endpoint
            on endpoint.id = any (audience.endpoints) and endpoint.events @> array[event.event]
          order by event.created_at, event.id, endpoint.id
          on conflict on constraint webhook_deliveries_pkey do nothing;
          get diagnostics made_now = row_count;
          made := made + made_now;
        end loop;

        update funding.events as event set data = shown.body
        from unnest(records) as record cross join lateral (%2$s) as shown
        where event.id = any (batch) and event.record_id = record.id and event.data is null
          and exists (select from funding.webhook_deliveries as delivery where delivery.event_id = event.id);
        return made;
      end
      $body$;
    $create$, dataset, funding.shown(dataset));
  end loop;
end
$$;

-- The oldest events that have no deliveries yet, at most `maximum`, and the endpoints that may want them: for a dispatcher that
-- takes one endpoint after the other. Those that took too long before come last, the others in any order, so that one that fails is not
-- the first for ever. Returns { events, endpoints }.
create function public.pending_fan_out(maximum integer) returns json
language sql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
  with pending as materialized (
    select event.id, event.event from funding.events as event where event.fanned_out_at is null
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
create function public.fan_out_to(endpoint_id uuid, events uuid[]) returns json
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
create function public.finish_fan_out(events uuid[]) returns json
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

-- Takes down that making an endpoint's deliveries failed, with the error's code and message. It is set aside at once or, after a
-- time limit, the third time in a row: a server that is busy for a while must not disable what is well. Returns
-- { endpoint_id, state, disabled_reason }, or null where there is no such endpoint.
create function public.report_endpoint_failure(endpoint_id uuid, code text, message text) returns json
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

-- Whose deadlines are to be looked through next: the endpoint that has waited longest, if any is due to be: each once a UTC day,
-- and again when the data moved. One that is begun and not finished waits ten seconds, and lets the others go first. Returns
-- { endpoint_id }, null when there is none.
create function public.next_deadlines() returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  today constant date := (funding.wall_clock() at time zone 'UTC')::date;
  present constant timestamptz := funding.dispatch_now();
  version constant bigint := (select sum(data_versions.version) from funding.data_versions);
  chosen uuid;
begin
  update funding.webhook_endpoints set deadlines_tried_at = present
  where id = (
    select waiting.id from funding.webhook_endpoints as waiting
    where waiting.state <> 'disabled'
      and waiting.events && array['grant.deadline_approaching', 'contract.deadline_approaching']
      and (waiting.deadlines_scanned_on is distinct from today
        or waiting.deadlines_scanned_version <> version and waiting.deadlines_scanned_at < present - interval '1 minute')
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

drop function public.announce_deadlines(integer);

-- Looks through the deadlines of an endpoint; without one, of that which has waited longest, as dispatchers from before
-- `next_deadlines` ask. At most `maximum` records of a dataset at a time. Returns { endpoints, events }.
create function public.announce_deadlines(maximum integer, only_endpoint uuid default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  -- Before the time is read: what was begun must not seem later than what is finished.
  chosen constant uuid := coalesce(only_endpoint, (public.next_deadlines()->>'endpoint_id')::uuid);
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
  where waiting.id = chosen and waiting.state <> 'disabled'
  for no key update skip locked;
  if not found then
    return json_build_object('endpoints', 0, 'events', 0);
  end if;

  foreach dataset in array array['grants', 'contracts'] loop
    continue when not endpoint.events @> array[funding.event_name(dataset, 'deadline_approaching')];
    begin
      announced := funding.announce_deadlines_of(endpoint, dataset, today, maximum);
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      perform funding.set_aside(array[endpoint.id], funding.filter_fault(dataset, sqlerrm));
      return json_build_object('endpoints', 1, 'events', total);
    end;
    total := total + announced;
    is_complete := is_complete and announced < maximum;
  end loop;
  update funding.webhook_endpoints
  set deadlines_scanned_at = present,
      deadlines_scanned_on = case when is_complete then today else deadlines_scanned_on end,
      deadlines_scanned_version = case when is_complete then version else deadlines_scanned_version end,
      work_timeouts = 0
  where id = endpoint.id;
  -- A deadline that comes back after more than a year is a new one.
  delete from funding.deadline_notices where noted_at < funding.wall_clock() - interval '400 days' and endpoint_id = endpoint.id;
  return json_build_object('endpoints', 1, 'events', total);
end
$$;

-- Which recovery is to be worked on next: the oldest, but those that were begun and not finished wait ten seconds, and come last.
-- Returns { recovery_id, endpoint_id }, nulls when there is none.
create function public.next_recovery() returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  present constant timestamptz := funding.dispatch_now();
  chosen funding.webhook_recoveries;
begin
  update funding.webhook_recoveries set tried_at = present
  where id = (
    select waiting.id from funding.webhook_recoveries as waiting
    where waiting.tried_at is null or waiting.tried_at < present - interval '10 seconds'
    order by waiting.tried_at nulls first, waiting.id
    limit 1
    for update skip locked)
  returning * into chosen;
  return json_build_object('recovery_id', chosen.id, 'endpoint_id', chosen.endpoint_id);
end
$$;

drop function public.continue_recoveries(integer);

-- Works on a recovery; without one, on the oldest, as dispatchers from before `next_recovery` ask. At most `maximum` events.
-- Returns { events, deliveries }.
create function public.continue_recoveries(maximum integer, recovery_id bigint default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  recovery funding.webhook_recoveries;
  batch uuid[];
  last_time timestamptz;
  last_id uuid;
  again bigint;
begin
  select * into recovery from funding.webhook_recoveries
  where recovery_id is null or webhook_recoveries.id = recovery_id
  order by tried_at nulls first, id limit 1 for update skip locked;
  if not found then
    return json_build_object('events', 0, 'deliveries', 0);
  end if;
  select array_agg(id order by created_at, id), (array_agg(created_at order by created_at desc, id desc))[1],
         (array_agg(id order by created_at desc, id desc))[1]
  into batch, last_time, last_id
  from (
    select id, created_at from funding.events
    where (created_at, id) > (recovery.after_time, recovery.after_id) and created_at < recovery.until
      and (endpoint_id is null or endpoint_id = recovery.endpoint_id)
    order by created_at, id limit maximum
  ) as range;
  if batch is null then
    delete from funding.webhook_recoveries where id = recovery.id;
    return json_build_object('events', 0, 'deliveries', 0);
  end if;
  update funding.webhook_deliveries set state = 'pending', failures = 0, due_at = funding.dispatch_now(), finished_at = null
  where endpoint_id = recovery.endpoint_id and event_id = any (batch) and state = 'failed';
  get diagnostics again = row_count;
  update funding.webhook_recoveries set after_time = last_time, after_id = last_id, tried_at = null where id = recovery.id;
  update funding.webhook_endpoints set work_timeouts = 0 where id = recovery.endpoint_id and work_timeouts > 0;
  return json_build_object('events', cardinality(batch), 'deliveries', again + funding.fan_out(
    array(select id from funding.events where id = any (batch) and endpoint_id is null), recovery.endpoint_id));
end
$$;

-- Refuses filters that Postgres cannot evaluate: PT400, which names the filter in its hint, and the parameter where that is known.
-- Each is evaluated on a record without values, in the select list, where no condition hides those after it.
create function funding.require_filters(filters jsonb) returns void
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  empty_record constant jsonb := '{"source_id": "", "identifiers": [], "states": [], "category_keys": []}';
  given record;
  parameter text;
begin
  for given in select item.key as dataset, item.value->'parameters' as filter from jsonb_each(filters) as item loop
    begin
      execute format('select %s from jsonb_populate_record(null::funding.%I, $2) as record', funding.predicate(given.dataset, given.filter), given.dataset)
      using given.filter, empty_record;
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      get stacked diagnostics parameter = pg_exception_hint;
      raise sqlstate 'PT400' using
        message = case when sqlstate = 'PT400' then sqlerrm else 'cannot be evaluated: ' || left(sqlerrm, 200) end,
        hint = concat_ws('.', 'filters', given.dataset, case when sqlstate = 'PT400' then nullif(parameter, '') end);
    end;
  end loop;
end
$$;

-- Adds an endpoint: { id, url, description, events, filters, deadline_days, secret }, as shared/webhooks/endpoint.ts makes it.
-- PT409 without a subscription that has webhooks, and at the account's maximum. PT400 for a filter that cannot be evaluated.
create or replace function funding.create_webhook(account_id uuid, webhook jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  endpoint funding.webhook_endpoints;
  maximum integer := funding.setting('webhook_endpoints_maximum')::integer;
begin
  -- Those who create at once take turns, or two would share the last place.
  perform from funding.accounts where accounts.id = create_webhook.account_id for no key update;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no account %s', account_id);
  end if;
  if not funding.has_webhooks(account_id) then
    raise sqlstate 'PT409' using message = 'the subscription does not include webhooks';
  end if;
  if (select count(*) from funding.webhook_endpoints where webhook_endpoints.account_id = create_webhook.account_id) >= maximum then
    raise sqlstate 'PT409' using message = format('an account has at most %s webhooks', maximum);
  end if;
  perform funding.require_filters(webhook->'filters');
  insert into funding.webhook_endpoints (id, account_id, url, description, events, filters, deadline_days, secret)
  select given.id, create_webhook.account_id, given.url, given.description, given.events, given.filters, given.deadline_days, given.secret
  from jsonb_to_record(webhook) as given(
    id uuid, url text, description text, events text[], filters jsonb, deadline_days integer[], secret text)
  returning * into endpoint;
  return funding.shown_webhook(endpoint);
end
$$;

-- Changes the fields that `changes` has: url, description, events, filters, deadline_days, state (active or paused). One
-- that becomes active starts without its past failures, and not with a filter that cannot be evaluated: PT400.
create or replace function funding.update_webhook(account_id uuid, webhook_id uuid, changes jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  before funding.webhook_endpoints := funding.webhook_of(account_id, webhook_id);
  given funding.webhook_endpoints := jsonb_populate_record(before,
    changes - array(select key from jsonb_object_keys(changes) as key
                    where key not in ('url', 'description', 'events', 'filters', 'deadline_days', 'state')));
  is_started boolean := given.state = 'active' and before.state <> 'active';
  is_new_scan boolean := given.deadline_days <> before.deadline_days or given.filters <> before.filters or given.events <> before.events;
  endpoint funding.webhook_endpoints;
begin
  if not coalesce(changes->>'state' in ('active', 'paused'), not changes ? 'state') then
    raise sqlstate 'PT400' using message = 'must be active or paused', hint = 'state';
  end if;
  if changes ? 'filters' or is_started then
    perform funding.require_filters(given.filters);
  end if;
  update funding.webhook_endpoints as changed set
    url = given.url, description = given.description, events = given.events, filters = given.filters,
    deadline_days = given.deadline_days, state = given.state,
    disabled_reason = case when given.state = 'disabled' then before.disabled_reason end,
    failures_in_a_row = case when is_started then 0 else before.failures_in_a_row end,
    failing_since = case when is_started then null else before.failing_since end,
    last_failure_at = case when is_started then null else before.last_failure_at end,
    retry_at = case when is_started then null else before.retry_at end,
    work_timeouts = case when is_started then 0 else before.work_timeouts end,
    set_aside_at = case when given.state = 'disabled' then before.set_aside_at end,
    deadlines_scanned_on = case when is_new_scan then null else before.deadlines_scanned_on end,
    updated_at = now()
  where changed.id = webhook_id
  returning * into endpoint;
  return funding.shown_webhook(endpoint);
end
$$;

-- What there is to count, in one look: totals that only grow, and how things stand. What may be long is counted to
-- 10,000, from an index, so that the answer costs the same however much has gathered. Records are the planner's
-- estimate. Times are in seconds.
create or replace function public.get_metrics() returns json
language plpgsql stable security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  dispatch_time constant timestamptz := funding.dispatch_now();
  waiting_maximum constant integer := 10000;
begin
  return json_build_object(
    'requests', (
      select coalesce(json_agg(total), '[]') from (
        select endpoint, status, latency_bucket_ms, sum(requests)::bigint as requests, sum(duration_ms) as duration_ms
        from funding.usage_totals group by 1, 2, 3 order by 1, 2, 3) as total),
    'events', (
      select json_build_object('waiting', count(*), 'oldest_seconds', funding.seconds_since(min(created_at)))
      from (select created_at from funding.events where fanned_out_at is null order by created_at limit waiting_maximum) as event),
    'deliveries', (
      select json_build_object('due', count(*), 'oldest_seconds', extract(epoch from dispatch_time - min(due_at)))
      from (
        select delivery.due_at
        from funding.webhook_endpoints as endpoint cross join lateral (
          select due_at from funding.webhook_deliveries
          where endpoint_id = endpoint.id and state = 'pending' and claimed_until is null and due_at < dispatch_time
          order by due_at limit waiting_maximum) as delivery
        -- What is left alone for a while is not late.
        where endpoint.state = 'active' and (endpoint.retry_at is null or endpoint.retry_at < dispatch_time)
        limit waiting_maximum) as delivery),
    'attempts', (
      select coalesce(json_agg(total), '[]') from (
        select outcome, attempts from funding.webhook_attempt_totals order by 1) as total),
    'endpoints', (
      select json_build_object(
        'well', count(*) filter (where state = 'active' and failures_in_a_row = 0),
        'failing', count(*) filter (where state = 'active' and failures_in_a_row > 0),
        'disabled', count(*) filter (where state = 'disabled' and set_aside_at is null),
        'set_aside', count(*) filter (where state = 'disabled' and set_aside_at is not null))
      from funding.webhook_endpoints),
    'dispatcher_seconds', (select funding.seconds_since(wall) from funding.dispatch_clock),
    'sources', (
      select coalesce(json_agg(freshness), '[]') from (
        select source, funding.seconds_since(max(as_of) filter (where outcome in ('completed', 'refused'))) as age_seconds,
               (array_agg(outcome order by id desc) filter (where outcome <> 'running'))[1] as last_outcome
        from funding.imports group by source order by source) as freshness),
    'records', (
      select json_agg(json_build_object('dataset', relation.relname, 'records', greatest(relation.reltuples, 0),
        'without_vector', case relation.relname
          when 'grants' then (select count(*) from (
            select from funding.grants where embedding_model is null limit waiting_maximum) as record)
          when 'contracts' then (select count(*) from (
            select from funding.contracts where embedding_model is null limit waiting_maximum) as record)
          else (select count(*) from (
            select from funding.funders where embedding_model is null limit waiting_maximum) as record)
        end) order by relation.relname)
      from pg_class as relation
      where relation.oid in ('funding.grants'::regclass, 'funding.contracts'::regclass, 'funding.funders'::regclass)),
    'lexicon', (
      select json_build_object('age_seconds', funding.seconds_since(fitted_at), 'documents', documents) from funding.lexicon_fit),
    'database', (
      select json_build_object('connections', numbackends, 'maximum_connections', current_setting('max_connections')::integer,
        'bytes', pg_database_size(datid), 'deadlocks', deadlocks, 'rollbacks', xact_rollback)
      from pg_stat_database where datname = current_database()));
end
$$;

do $$
declare
  rpc text;
begin
  foreach rpc in array array['pending_fan_out', 'fan_out_to', 'finish_fan_out', 'report_endpoint_failure', 'next_deadlines',
    'announce_deadlines', 'next_recovery', 'continue_recoveries'] loop
    execute format('revoke execute on function public.%1$I from public, anon, authenticated; grant execute on function public.%1$I to service_role', rpc);
  end loop;
end
$$;
revoke execute on all functions in schema funding from public;
