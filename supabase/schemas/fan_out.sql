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

-- Makes the deliveries of a batch of events about grants, for every endpoint or for `only_endpoint`. Returns how many were made.
-- Records are read once, so that what the filters see is what is delivered.
create or replace function funding.fan_out_grants(batch uuid[], only_endpoint uuid default null) returns bigint
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  records funding.grants[];
  audience record;
  matched uuid[];
  first_due_at timestamptz := funding.dispatch_now();
  made bigint := 0;
  made_now bigint;
begin
  select array_agg(record) into records from funding.grants as record
  where record.id in (select event.record_id from funding.events as event where event.id = any (batch));
  -- A filter that many endpoints share is evaluated once.
  for audience in
    select endpoint.filters->'grants'->'parameters' as filter, array_agg(endpoint.id) as endpoints
    from funding.webhook_endpoints as endpoint
    where case when only_endpoint is null then endpoint.state <> 'disabled' else endpoint.id = only_endpoint end
      and endpoint.events && array(select distinct event.event from funding.events as event where event.id = any (batch))
      and funding.has_webhooks(endpoint.account_id)
    group by 1
  loop
    begin
      execute format('select array_agg(record.id) from unnest($2) as record where %s',
        case when audience.filter is null then 'true' else funding.predicate('grants', audience.filter) end)
      into matched using audience.filter, records;
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      perform funding.set_aside(audience.endpoints, funding.filter_fault('grants', sqlerrm));
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

  update funding.events as event set data = rendered.body
  from unnest(records) as record cross join lateral (
    select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
    from (
      select record.id, record.title, record.description, record.amount_min, record.amount_max,
             funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography,
             record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
             record.listing_url, funding.moment(record.created_at) as created_at, record.categories
    ) as rendered
    cross join lateral (select rendered.*) as listed
    cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date) as awarded
  ) as rendered
  where event.id = any (batch) and event.record_id = record.id and event.data is null
    and exists (select from funding.webhook_deliveries as delivery where delivery.event_id = event.id);
  return made;
end
$$;

-- The same for contracts.
create or replace function funding.fan_out_contracts(batch uuid[], only_endpoint uuid default null) returns bigint
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  records funding.contracts[];
  audience record;
  matched uuid[];
  first_due_at timestamptz := funding.dispatch_now();
  made bigint := 0;
  made_now bigint;
begin
  select array_agg(record) into records from funding.contracts as record
  where record.id in (select event.record_id from funding.events as event where event.id = any (batch));
  -- A filter that many endpoints share is evaluated once.
  for audience in
    select endpoint.filters->'contracts'->'parameters' as filter, array_agg(endpoint.id) as endpoints
    from funding.webhook_endpoints as endpoint
    where case when only_endpoint is null then endpoint.state <> 'disabled' else endpoint.id = only_endpoint end
      and endpoint.events && array(select distinct event.event from funding.events as event where event.id = any (batch))
      and funding.has_webhooks(endpoint.account_id)
    group by 1
  loop
    begin
      execute format('select array_agg(record.id) from unnest($2) as record where %s',
        case when audience.filter is null then 'true' else funding.predicate('contracts', audience.filter) end)
      into matched using audience.filter, records;
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      perform funding.set_aside(audience.endpoints, funding.filter_fault('contracts', sqlerrm));
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

  update funding.events as event set data = rendered.body
  from unnest(records) as record cross join lateral (
    select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
    from (
      select record.id, record.title, record.description, record.amount_min, record.amount_max,
             funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography,
             record.document_url, record.listing_url, record.naics, record.primary_contact_email, record.set_aside_code,
             record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
             funding.moment(record.created_at) as created_at, record.categories
    ) as rendered
    cross join lateral (select rendered.*) as listed
    cross join lateral (select rendered.*, funding.iso_date(record.project_end_date) as project_end_date) as awarded
  ) as rendered
  where event.id = any (batch) and event.record_id = record.id and event.data is null
    and exists (select from funding.webhook_deliveries as delivery where delivery.event_id = event.id);
  return made;
end
$$;

-- The same for funders.
create or replace function funding.fan_out_funders(batch uuid[], only_endpoint uuid default null) returns bigint
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  records funding.funders[];
  audience record;
  matched uuid[];
  first_due_at timestamptz := funding.dispatch_now();
  made bigint := 0;
  made_now bigint;
begin
  select array_agg(record) into records from funding.funders as record
  where record.id in (select event.record_id from funding.events as event where event.id = any (batch));
  -- A filter that many endpoints share is evaluated once.
  for audience in
    select endpoint.filters->'funders'->'parameters' as filter, array_agg(endpoint.id) as endpoints
    from funding.webhook_endpoints as endpoint
    where case when only_endpoint is null then endpoint.state <> 'disabled' else endpoint.id = only_endpoint end
      and endpoint.events && array(select distinct event.event from funding.events as event where event.id = any (batch))
      and funding.has_webhooks(endpoint.account_id)
    group by 1
  loop
    begin
      execute format('select array_agg(record.id) from unnest($2) as record where %s',
        case when audience.filter is null then 'true' else funding.predicate('funders', audience.filter) end)
      into matched using audience.filter, records;
    exception when others then
      if funding.is_passing_failure(sqlstate) then
        raise;
      end if;
      perform funding.set_aside(audience.endpoints, funding.filter_fault('funders', sqlerrm));
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

  update funding.events as event set data = rendered.body
  from unnest(records) as record cross join lateral (
    select to_json(rendered) as body
    from (
      select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at
    ) as rendered
  ) as rendered
  where event.id = any (batch) and event.record_id = record.id and event.data is null
    and exists (select from funding.webhook_deliveries as delivery where delivery.event_id = event.id);
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
    select dataset, array_agg(id order by created_at, id) as ids from funding.events where id = any (batch) group by 1
  loop
    execute format('select funding.%I($1, $2)', 'fan_out_' || part.dataset) into made_now using part.ids, only_endpoint;
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
    select event.id from funding.events as event where event.fanned_out_at is null
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
