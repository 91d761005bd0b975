-- Log of deliveries, and redelivery. Another account's ids are unknown ones, as in webhooks.sql.

-- A delivery as the owner of its endpoint sees it. Its record is named as in the event: later changes are not the event's. The latest attempt
-- distinguishes the rows of a list without a request for each row.
create or replace function funding.delivery_body(delivery funding.webhook_deliveries, event funding.events) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'event_id', event.id, 'event', event.event, 'record_id', event.record_id,
    'record_title', coalesce(event.data->>'title', event.data->>'name'), 'event_created_at', funding.moment(event.created_at),
    'state', delivery.state, 'attempts', delivery.attempts,
    'next_attempt_in_seconds', case when delivery.state = 'pending' and delivery.claimed_until is null
      then greatest(0, round(extract(epoch from delivery.due_at - funding.dispatch_now())))::integer end,
    'created_at', funding.moment(delivery.created_at), 'finished_at', funding.moment(delivery.finished_at),
    'last_attempt', (
      select jsonb_build_object('status', attempt.status, 'error', attempt.error, 'duration_ms', attempt.duration_ms,
        'started_at', funding.moment(attempt.started_at))
      from funding.webhook_attempts as attempt
      where attempt.endpoint_id = delivery.endpoint_id and attempt.event_id = delivery.event_id
      order by attempt.number desc limit 1))
$$;

-- An endpoint's deliveries, newest first: { deliveries, next }, with `next` as the `page` of the next call, or null.
-- `filter` may have state, event, page: { created_at, event_id } and limit. Planned for each filter: the plan for all filters, which a
-- session keeps after five calls, reads every delivery for those that failed.
create or replace function funding.list_webhook_deliveries(account_id uuid, webhook_id uuid, filter jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  page_size integer := least(coalesce((filter->>'limit')::integer, 50), 100);
  found_rows jsonb;
begin
  perform funding.webhook_of(account_id, webhook_id);
  select coalesce(jsonb_agg(jsonb_build_object('body', body, 'at', created_at) order by created_at desc, event_id desc), '[]')
  into found_rows
  from (
    select delivery.created_at, delivery.event_id, funding.delivery_body(delivery, happened) as body
    from funding.webhook_deliveries as delivery join funding.events as happened on happened.id = delivery.event_id
    where delivery.endpoint_id = webhook_id
      and (not filter ? 'state' or delivery.state = filter->>'state')
      and (not filter ? 'event' or happened.event = filter->>'event')
      and (not filter ? 'page' or (delivery.created_at, delivery.event_id)
        < ((filter->'page'->>'created_at')::timestamptz, (filter->'page'->>'event_id')::uuid))
    order by delivery.created_at desc, delivery.event_id desc
    limit page_size + 1
  ) as page;
  return json_build_object(
    'deliveries', coalesce((select jsonb_agg(item->'body' order by position)
      from jsonb_array_elements(found_rows) with ordinality as listed(item, position) where position <= page_size), '[]'),
    'next', case when jsonb_array_length(found_rows) > page_size then
      jsonb_build_object('created_at', funding.exact_moment((found_rows->(page_size - 1)->>'at')::timestamptz), 'event_id', found_rows->(page_size - 1)->'body'->'event_id') end);
end
$$;

-- A delivery of an account's endpoint, or PT404, for functions that only read.
create or replace function funding.delivery_of(account_id uuid, webhook_id uuid, event_id uuid) returns funding.webhook_deliveries
language plpgsql as $$
declare
  delivery funding.webhook_deliveries;
begin
  perform funding.webhook_of(account_id, webhook_id);
  select * into delivery from funding.webhook_deliveries as known
  where known.endpoint_id = webhook_id and known.event_id = delivery_of.event_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no delivery of %s', event_id);
  end if;
  return delivery;
end
$$;

-- A delivery of an account's endpoint, or PT404. No other transaction changes the delivery or the endpoint until this one ends.
create or replace function funding.lock_delivery(account_id uuid, webhook_id uuid, event_id uuid) returns funding.webhook_deliveries
language plpgsql as $$
begin
  perform funding.lock_webhook(account_id, webhook_id);
  perform from funding.webhook_deliveries as known
  where known.endpoint_id = webhook_id and known.event_id = lock_delivery.event_id for update;
  return funding.delivery_of(account_id, webhook_id, event_id);
end
$$;

-- One delivery with its payload and its latest attempts, at most 50: the request, the answer, the time it took, the error.
create or replace function funding.get_webhook_delivery(account_id uuid, webhook_id uuid, event_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  delivery funding.webhook_deliveries := funding.delivery_of(account_id, webhook_id, event_id);
  event funding.events;
begin
  select * into event from funding.events where events.id = delivery.event_id;
  return funding.delivery_body(delivery, event) || jsonb_build_object(
    'payload', jsonb_build_object('id', event.id, 'event', event.event, 'created_at', funding.moment(event.created_at),
        'data', coalesce(funding.event_data(event, delivery.has_details), json_build_object('id', event.record_id)))
      || case when event.event like '%.updated' then jsonb_build_object('changes', funding.event_changes(event)) else '{}' end,
    'log', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'attempt', attempt.number, 'url', attempt.url, 'started_at', funding.moment(attempt.started_at), 'duration_ms', attempt.duration_ms,
        'status', attempt.status, 'error', attempt.error, 'message', attempt.message,
        'request_headers', attempt.request_headers, 'response_headers', attempt.response_headers, 'response_body', attempt.response_body)
        order by attempt.number), '[]')
      from (
        select known.* from funding.webhook_attempts as known
        where known.endpoint_id = webhook_id and known.event_id = get_webhook_delivery.event_id
        order by known.number desc limit 50
      ) as attempt));
end
$$;

-- Delivers an event again, with the same id: now, and by a new schedule if that fails.
create or replace function funding.resend_webhook_delivery(account_id uuid, webhook_id uuid, event_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  delivery funding.webhook_deliveries := funding.lock_delivery(account_id, webhook_id, event_id);
  fault text;
begin
  -- An event without data has a record that could not be shown, or is gone.
  perform funding.render_again(array[delivery.event_id]);
  select events.undeliverable into fault from funding.events where events.id = delivery.event_id and events.data is null;
  if found then
    raise sqlstate 'PT409' using message = coalesce(fault, 'the record is no longer there');
  end if;
  -- A delivery that is under way is repeated if it fails, by the schedule from its beginning.
  update funding.webhook_deliveries as known
  set state = 'pending', failures = 0, finished_at = null,
      due_at = case when known.claimed_until is null then funding.dispatch_now() else known.due_at end
  where known.endpoint_id = webhook_id and known.event_id = delivery.event_id
  returning * into delivery;
  return funding.delivery_body(coalesce(delivery, funding.delivery_of(account_id, webhook_id, event_id)),
    (select events from funding.events where events.id = resend_webhook_delivery.event_id));
end
$$;

-- Delivers the events of a range of time that did not arrive: events whose delivery failed, and events that match the endpoint's filters now and were
-- never delivered, for example because the endpoint was disabled. Earlier events count where their fan-out came in the range: the cause that disabled
-- the endpoint, then or before, kept these events from it. At most 14 days back. Returns { events }, the number of events to look at.
create or replace function funding.recover_webhook(account_id uuid, webhook_id uuid, since timestamptz, until timestamptz) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  -- An event whose fan-out fails for nine hours is parked. There is no index by the time of the fan-out, so rows are read so far back.
  longest_fan_out constant interval := '12 hours';
  first_created_at timestamptz;
  counted bigint;
begin
  perform funding.webhook_of(account_id, webhook_id);
  if since < funding.latest_now() - interval '14 days' then
    raise sqlstate 'PT400' using message = 'must be within the last 14 days', hint = 'since';
  end if;
  if until <= since then
    raise sqlstate 'PT400' using message = 'must be after since', hint = 'until';
  end if;
  first_created_at := coalesce((
    select event.created_at from funding.events as event
    where event.created_at >= recover_webhook.since - longest_fan_out and event.created_at < recover_webhook.since
      and event.fanned_out_at >= recover_webhook.since and event.endpoint_id is null
    order by event.created_at limit 1), since);
  -- Before the lock: results of the endpoint's attempts wait for that, and with them those of other endpoints.
  counted := (
    select count(*) from funding.events as event
    where event.created_at >= first_created_at and event.created_at < recover_webhook.until
      and (event.endpoint_id is null or event.endpoint_id = webhook_id)
      and (event.created_at >= recover_webhook.since or event.fanned_out_at >= recover_webhook.since));
  perform funding.lock_webhook(account_id, webhook_id);
  if exists (select from funding.webhook_recoveries where endpoint_id = webhook_id) then
    raise sqlstate 'PT409' using message = 'a recovery of this webhook is under way';
  end if;
  insert into funding.webhook_recoveries (endpoint_id, since, after_time, after_id, until)
  values (webhook_id, since, first_created_at, '00000000-0000-0000-0000-000000000000', least(until, funding.latest_now()));
  return json_build_object('events', counted);
end
$$;

-- Chooses the recovery to work on next. They take turns, a batch each: first those without a batch, the oldest first. Recoveries that were begun and not
-- finished wait ten seconds, and come last. Returns { recovery_id, endpoint_id }, nulls when there is none.
create or replace function public.next_recovery() returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  present constant timestamptz := funding.dispatch_now();
  chosen funding.webhook_recoveries;
begin
  update funding.webhook_recoveries set tried_at = present
  where id = (
    select waiting.id from funding.webhook_recoveries as waiting
    where waiting.tried_at is null or waiting.tried_at <= present - interval '10 seconds'
    order by waiting.tried_at nulls first, waiting.id
    limit 1
    for update skip locked)
  returning * into chosen;
  return json_build_object('recovery_id', chosen.id, 'endpoint_id', chosen.endpoint_id);
end
$$;

-- Works on a recovery, on at most `maximum` events. Without a recovery, it works on the oldest: dispatchers of earlier versions rely on that. Returns
-- { events, deliveries }.
create or replace function public.continue_recoveries(maximum integer, recovery_id bigint default null) returns json
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
      -- Recoveries that were asked for before the upgrade have no `since`.
      and (recovery.since is null or created_at >= recovery.since or fanned_out_at >= recovery.since)
    order by created_at, id limit maximum
  ) as range;
  if batch is null then
    delete from funding.webhook_recoveries where id = recovery.id;
    return json_build_object('events', 0, 'deliveries', 0);
  end if;
  perform funding.render_again(batch);
  update funding.webhook_deliveries as known set state = 'pending', failures = 0, due_at = funding.dispatch_now(), finished_at = null
  from funding.events as event
  where known.endpoint_id = recovery.endpoint_id and known.event_id = any (batch) and known.state = 'failed'
    and event.id = known.event_id and event.data is not null;
  get diagnostics again = row_count;
  -- It need not wait, but comes after the others.
  update funding.webhook_recoveries set after_time = last_time, after_id = last_id, tried_at = funding.dispatch_now() - interval '10 seconds'
  where id = recovery.id;
  update funding.webhook_endpoints set work_timeouts = 0 where id = recovery.endpoint_id and work_timeouts > 0;
  return json_build_object('events', cardinality(batch), 'deliveries', again + funding.fan_out(
    -- Events that wait for their fan-out come to the endpoint with the fan-out.
    array(
      select id from funding.events
      where id = any (batch) and endpoint_id is null and undeliverable is null and (fanned_out_at is not null or fan_out_failures = 0)),
    recovery.endpoint_id));
end
$$;

-- Sends an endpoint an event with a sample record, and with sample details and changes where it has them. Returns the delivery.
create or replace function funding.send_test_event(account_id uuid, webhook_id uuid, event text, data json, details json, changes json) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  sent funding.events;
  delivery funding.webhook_deliveries;
  endpoint constant funding.webhook_endpoints := funding.lock_webhook(account_id, webhook_id);
begin
  insert into funding.events (event, dataset, record_id, endpoint_id, fanned_out_at, data, details, changes)
  values (send_test_event.event, split_part(send_test_event.event, '.', 1) || 's', (send_test_event.data->>'id')::uuid, webhook_id,
    funding.latest_now(), send_test_event.data, send_test_event.details, send_test_event.changes)
  returning * into sent;
  insert into funding.webhook_deliveries (endpoint_id, event_id, has_details, due_at, created_at)
  values (webhook_id, sent.id, endpoint.expand @> '{details}', funding.dispatch_now(), funding.latest_now())
  returning * into delivery;
  return funding.delivery_body(delivery, sent);
end
$$;
