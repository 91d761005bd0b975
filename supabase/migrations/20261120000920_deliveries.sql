-- An event on its way to an endpoint, and each attempt to get it there.

create table funding.webhook_deliveries (
  endpoint_id uuid not null references funding.webhook_endpoints (id) on delete cascade,
  event_id uuid not null references funding.events (id) on delete cascade,
  state text not null default 'pending',
  -- Attempts begun, which is the number of the latest.
  attempts integer not null default 0,
  -- Failed attempts of the present schedule: a resend begins it anew.
  failures integer not null default 0,
  -- When the next attempt may begin, and while one is under way, when it was begun and until when it is waited for.
  -- In the dispatcher's time.
  due_at timestamptz not null,
  claimed_at timestamptz,
  claimed_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (endpoint_id, event_id),
  constraint webhook_deliveries_state_known check (state in ('pending', 'succeeded', 'failed')),
  constraint webhook_deliveries_finished_has_time check ((state = 'pending') = (finished_at is null)),
  constraint webhook_deliveries_claim_is_whole check ((claimed_at is null) = (claimed_until is null)),
  constraint webhook_deliveries_only_pending_is_claimed check (claimed_at is null or state = 'pending')
) with (fillfactor = 70);
alter table funding.webhook_deliveries enable row level security;
create index webhook_deliveries_due on funding.webhook_deliveries (endpoint_id, due_at)
  where state = 'pending' and claimed_until is null;
create index webhook_deliveries_claimed on funding.webhook_deliveries (claimed_until) where claimed_until is not null;
create index webhook_deliveries_log on funding.webhook_deliveries (endpoint_id, created_at, event_id);
create index webhook_deliveries_event on funding.webhook_deliveries (event_id);

create table funding.webhook_attempts (
  endpoint_id uuid not null,
  event_id uuid not null,
  number integer not null,
  url text not null,
  started_at timestamptz not null,
  -- Null for an attempt whose dispatcher ended before it could tell.
  duration_ms integer,
  -- Null when there was no answer.
  status smallint,
  -- What went wrong, as a name: timeout, connection, address, redirect, status, secret, lost.
  error text,
  message text,
  request_headers jsonb,
  response_headers jsonb,
  response_body text,
  primary key (endpoint_id, event_id, number),
  constraint webhook_attempts_delivery foreign key (endpoint_id, event_id)
    references funding.webhook_deliveries (endpoint_id, event_id) on delete cascade
);
alter table funding.webhook_attempts enable row level security;

-- The server's clock: the one place to ask, so that a test can move it.
create function funding.wall_clock() returns timestamptz
language sql volatile as $$
  select clock_timestamp()
$$;

-- The dispatcher's own time. It runs as the server's clock does, never backwards, and over a gap it moves on by no more
-- than `webhook_clock_step_seconds`: neither a clock that jumps nor a day without a dispatcher makes every retry due at
-- once, and one that is set back stops nothing. Waits and leases are in this time; what people see is in the server's.
create table funding.dispatch_clock (
  only_row boolean primary key default true,
  wall timestamptz not null,
  dispatch_time timestamptz not null,
  constraint dispatch_clock_has_one_row check (only_row)
);
alter table funding.dispatch_clock enable row level security;
insert into funding.dispatch_clock (wall, dispatch_time) values (now(), now());

create function funding.dispatch_now() returns timestamptz
language sql volatile as $$
  select dispatch_time + least(greatest(funding.wall_clock() - wall, interval '0'),
    (funding.setting('webhook_clock_step_seconds')::text || ' seconds')::interval)
  from funding.dispatch_clock
$$;

-- Moves the clock on, and tells the time. Who finds another at it need not wait.
create function funding.tick() returns timestamptz
language plpgsql as $$
declare
  ticked timestamptz;
begin
  perform from funding.dispatch_clock for update skip locked;
  if found then
    update funding.dispatch_clock set dispatch_time = funding.dispatch_now(), wall = funding.wall_clock()
    where funding.wall_clock() - wall not between interval '0' and interval '1 second'
    returning dispatch_time into ticked;
  end if;
  return coalesce(ticked, funding.dispatch_now());
end
$$;

-- Makes deliveries of a batch of events of one dataset: fan_out_grants and so on. `only_endpoint` narrows it to one that
-- recovers. Records are read once, so that what the filters see is what is delivered. Returns how many were made.
do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($create$
      create function funding.fan_out_%1$s(batch uuid[], only_endpoint uuid default null) returns bigint
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
          exception when data_exception then
            -- One filter that cannot be evaluated must not stop the others' events.
            update funding.webhook_endpoints set state = 'disabled', disabled_reason = 'the filter cannot be evaluated: ' || sqlerrm
            where id = any (audience.endpoints);
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

-- The same for a batch of any datasets.
create function funding.fan_out(batch uuid[], only_endpoint uuid default null) returns bigint
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

-- Makes deliveries of the oldest events that have none yet, at most `maximum` of them; returns { events, deliveries }.
-- Events are found by their not being fanned out, so one that commits late is as good as any. Several dispatchers at
-- once take different ones.
create function public.fan_out_events(maximum integer) returns json
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

-- Forgets events that are older than is kept, with their deliveries and attempts: at most `maximum`. Returns { events }.
create function public.prune_events(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  pruned bigint;
  oldest timestamptz := funding.wall_clock() - (funding.setting('webhook_retention_days')::text || ' days')::interval;
begin
  delete from funding.events where id in (
    select event.id from funding.events as event where event.created_at < oldest
    order by event.created_at limit maximum for update skip locked);
  get diagnostics pruned = row_count;
  return json_build_object('events', pruned);
end
$$;

revoke execute on function public.fan_out_events(integer), public.prune_events(integer) from public, anon, authenticated;
grant execute on function public.fan_out_events(integer), public.prune_events(integer) to service_role;
revoke execute on all functions in schema funding from public;
