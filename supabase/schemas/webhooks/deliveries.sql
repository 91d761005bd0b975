-- Deliveries: the choice of those that a dispatcher attempts next, and the effects of an attempt on the delivery and on its endpoint. A claim is a
-- lease: when its dispatcher dies, the claim ends by itself.

-- Ends the claims of dispatchers that did not report in time. Their attempts are logged as lost, and count as failures of the delivery, but not of
-- its endpoint. So a delivery that crashes its dispatcher is retried as seldom as one that fails, and in the end not at all.
create or replace function funding.release_lost_claims(present timestamptz) returns void
language plpgsql as $$
begin
  -- The usual case: each poll of each dispatcher asks.
  if not exists (select from funding.webhook_deliveries as delivery where delivery.claimed_until <= present) then
    return;
  end if;
  with lost as (
    select delivery.endpoint_id, delivery.event_id, funding.retry_wait(delivery.failures, null, null) as wait_seconds
    from funding.webhook_deliveries as delivery
    where delivery.claimed_until <= present
    order by delivery.claimed_until limit 1000
    for update skip locked
  ), released as (
    update funding.webhook_deliveries as delivery
    set claimed_at = null, claimed_until = null, failures = delivery.failures + 1,
        state = case when lost.wait_seconds is null then 'failed' else 'pending' end,
        due_at = coalesce(present + lost.wait_seconds * interval '1 second', delivery.due_at),
        finished_at = case when lost.wait_seconds is null then funding.latest_now() end
    from lost where delivery.endpoint_id = lost.endpoint_id and delivery.event_id = lost.event_id
    returning delivery.endpoint_id, delivery.event_id, delivery.attempts
  ), counted as (
    insert into funding.webhook_attempt_totals as known (outcome, attempts)
    select 'lost', count(*) from released having count(*) > 0
    on conflict (outcome) do update set attempts = known.attempts + excluded.attempts
  )
  insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at, error, message)
  select released.endpoint_id, released.event_id, released.attempts, endpoint.url, funding.latest_now(), 'lost',
         'The dispatcher ended before it could tell how this attempt did.'
  from released join funding.webhook_endpoints as endpoint on endpoint.id = released.endpoint_id
  on conflict on constraint webhook_attempts_pkey do nothing;
end
$$;

-- Former secrets of an endpoint that still sign, the latest first; null when there is none.
create or replace function funding.former_secrets(endpoint_id uuid) returns text[]
language plpgsql volatile as $$
begin
  return (
    select array_agg(former.secret order by former.id desc) from funding.webhook_former_secrets as former
    where former.endpoint_id = former_secrets.endpoint_id and former.expires_at > funding.latest_now());
end
$$;

-- Endpoints with deliveries that wait for an attempt now, whatever the endpoint's own state. Goes from endpoint to endpoint in the index of pending
-- deliveries (a loose index scan), so that its time does not grow with the endpoints for which nothing waits, nor with the deliveries of each. (With
-- 2,000 endpoints and one delivery, a claim took 21 ms when it asked each endpoint, and 2 since; embedded, by hand.)
create or replace function funding.awaited_endpoints(present timestamptz) returns setof uuid
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  next_id uuid;
begin
  select delivery.endpoint_id into next_id from funding.webhook_deliveries as delivery
  where delivery.state = 'pending' and delivery.claimed_until is null
  order by delivery.endpoint_id, delivery.due_at limit 1;
  while next_id is not null loop
    if exists (
      select from funding.webhook_deliveries as delivery
      where delivery.endpoint_id = next_id and delivery.state = 'pending' and delivery.claimed_until is null and delivery.due_at <= present)
    then
      return next next_id;
    end if;
    next_id := (
      select delivery.endpoint_id from funding.webhook_deliveries as delivery
      where delivery.state = 'pending' and delivery.claimed_until is null and delivery.endpoint_id > next_id
      order by delivery.endpoint_id, delivery.due_at limit 1);
  end loop;
end
$$;

-- Claims due deliveries for one attempt each: at most `maximum` of endpoints that do well, and at most `failing_maximum` of endpoints whose last
-- attempt failed, which have slots of their own. Endpoints take turns: the first delivery of each, then the second of each. Two dispatchers never get
-- the same attempt.
--
-- Returns { signature_header, timeout_ms, deliveries: [{ endpoint_id, event_id, attempt, url, secret, previous_secrets,
-- previous_secret, event, created_at, data, changes, is_failing }] }. The previous secrets come the latest first. `previous_secret` is the oldest of
-- them, for dispatchers of versions that knew only one.
create or replace function public.claim_deliveries(maximum integer, failing_maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  present timestamptz := funding.tick();
  lease interval := (funding.setting('webhook_lease_seconds')::text || ' seconds')::interval;
  most_in_flight integer := funding.setting('webhook_in_flight_maximum')::integer;
  awaited uuid[];
  claimed json;
begin
  perform funding.release_lost_claims(present);
  awaited := array(select funding.awaited_endpoints(present));
  -- Nearly always nothing is due. The statement below would make an idle poll take twice as long (embedded, by hand: 2.1 ms in place of 0.9).
  if exists (
    select from funding.webhook_endpoints as endpoint
    where endpoint.id = any (awaited) and endpoint.state = 'active' and (endpoint.retry_at is null or endpoint.retry_at <= present))
  then
    with in_flight as (
      select delivery.endpoint_id, count(*) as attempts from funding.webhook_deliveries as delivery
      where delivery.claimed_until is not null group by 1
    ), due as (
      select next.*, endpoint.failures_in_a_row > 0 as is_failing
      from funding.webhook_endpoints as endpoint
      left join in_flight on in_flight.endpoint_id = endpoint.id
      cross join lateral (
        select delivery.endpoint_id, delivery.event_id, delivery.due_at,
               coalesce(in_flight.attempts, 0) + row_number() over (order by delivery.due_at) as position
        from funding.webhook_deliveries as delivery
        where delivery.endpoint_id = endpoint.id and delivery.state = 'pending' and delivery.claimed_until is null
          and delivery.due_at <= present
        order by delivery.due_at
        limit greatest(0, case when endpoint.failures_in_a_row > 0 then 1 else most_in_flight end - coalesce(in_flight.attempts, 0))
      ) as next
      where endpoint.id = any (awaited) and endpoint.state = 'active' and (endpoint.retry_at is null or endpoint.retry_at <= present)
        and funding.has_webhooks(endpoint.account_id)
    ), chosen as (
      (select endpoint_id, event_id from due where not is_failing order by position, due_at limit maximum)
      union all
      (select endpoint_id, event_id from due where is_failing order by position, due_at limit failing_maximum)
    ), locked as (
      select delivery.endpoint_id, delivery.event_id from funding.webhook_deliveries as delivery
      join chosen on chosen.endpoint_id = delivery.endpoint_id and chosen.event_id = delivery.event_id
      where delivery.state = 'pending' and delivery.claimed_until is null
      for update of delivery skip locked
    ), taken as (
      update funding.webhook_deliveries as delivery
      set attempts = delivery.attempts + 1, claimed_at = present, claimed_until = present + lease
      from locked where delivery.endpoint_id = locked.endpoint_id and delivery.event_id = locked.event_id
      returning delivery.endpoint_id, delivery.event_id, delivery.attempts, delivery.has_details
    )
    select json_agg(json_build_object(
      'endpoint_id', taken.endpoint_id, 'event_id', taken.event_id, 'attempt', taken.attempts, 'url', endpoint.url,
      'secret', endpoint.secret,
      'previous_secrets', coalesce(former.secrets, '{}'), 'previous_secret', former.secrets[cardinality(former.secrets)],
      'event', happened.event, 'created_at', funding.moment(happened.created_at), 'data', funding.event_data(happened, taken.has_details),
      'changes', funding.event_changes(happened),
      'is_failing', endpoint.failures_in_a_row > 0)
      order by happened.created_at, happened.id)
    into claimed
    from taken
    join funding.webhook_endpoints as endpoint on endpoint.id = taken.endpoint_id
    join funding.events as happened on happened.id = taken.event_id
    cross join lateral (select funding.former_secrets(endpoint.id) as secrets) as former;
  end if;
  return json_build_object(
    'signature_header', funding.setting('webhook_signature_header'),
    'timeout_ms', funding.setting('webhook_timeout_seconds')::double precision * 1000,
    'deliveries', coalesce(claimed, '[]'));
end
$$;

-- A wait with jitter, give or take a fifth, so that deliveries that failed together do not come back together.
create or replace function funding.jittered(seconds double precision) returns double precision
language sql volatile as $$
  select seconds * (0.8 + 0.4 * random())
$$;

-- Wait in seconds between a failed attempt and the next, or null when there is no next. A receiver's Retry-After lengthens the wait, to twice the
-- scheduled one at most.
create or replace function funding.retry_wait(failures integer, status integer, retry_after_seconds double precision) returns double precision
language plpgsql volatile as $$
declare
  scheduled constant double precision := (funding.setting('webhook_retry_seconds')->failures)::double precision;
begin
  -- `least` and `greatest` ignore nulls: without a next attempt there is no wait, whatever the receiver asks for.
  return case when scheduled is not null and status is distinct from 410 then
    least(greatest(funding.jittered(scheduled), retry_after_seconds), 2 * scheduled)
  end;
end
$$;

-- Reason to disable an endpoint after a failure, or null.
create or replace function funding.disabling_reason(failures_in_a_row integer, failing_for interval, is_gone boolean) returns text
language plpgsql stable as $$
declare
  setting constant jsonb := funding.setting('webhook_disable_after');
begin
  return case
    when is_gone then 'the receiver answered 410 Gone'
    when failures_in_a_row >= (setting->'failures')::integer then format('%s attempts in a row failed', failures_in_a_row)
    when failing_for >= ((setting->'days')::text || ' days')::interval then format('every attempt has failed for %s days', setting->'days')
  end;
end
$$;

-- Backoff of an endpoint after a number of failures in a row, in seconds; null for none. (After 1,024 failures, the power of two would exceed the
-- range of a number.)
create or replace function funding.backoff_seconds(failures_in_a_row integer) returns double precision
language plpgsql volatile as $$
declare
  first constant integer := funding.setting('webhook_backoff_after')::integer;
  setting constant jsonb := funding.setting('webhook_backoff_seconds');
begin
  return case when failures_in_a_row >= first then
    funding.jittered(least((setting->1)::double precision, (setting->0)::double precision * 2 ^ least(failures_in_a_row - first, 100)))
  end;
end
$$;

-- Records the results of attempts. `results` is [{ endpoint_id, event_id, attempt, url, started_at, duration_ms, status, error, message,
-- retry_after_seconds, request_headers, response_headers, response_body }]; a status from 200 to 299 without an error is a success.
--
-- A result that comes after its claim has ended is logged all the same. It decides nothing any more, unless it is a success: then the event has
-- arrived.
--
-- For the endpoint, only the results of its receiver count: not a secret that we cannot read, nor a result of the URL that the endpoint had before.
--
-- Returns { warnings: [{ endpoint_id, state, failures_in_a_row, disabled_reason }] }, for an operator.
create or replace function public.finish_deliveries(results jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  present timestamptz := funding.dispatch_now();
  endpoint_results jsonb;
  warnings json;
begin
  -- Endpoints are locked first and in the order of their ids, so that two batches cannot deadlock.
  perform from funding.webhook_endpoints as endpoint
  where endpoint.id in (select (item->>'endpoint_id')::uuid from jsonb_array_elements(results) as item)
  order by endpoint.id for no key update;

  with result as (
    select given.*, given.error is null and given.status between 200 and 299 as is_success
    from jsonb_to_recordset(results) as given(
      endpoint_id uuid, event_id uuid, attempt integer, url text, started_at timestamptz, duration_ms integer, status integer,
      error text, message text, retry_after_seconds double precision, request_headers jsonb, response_headers jsonb,
      response_body text)
    join funding.webhook_deliveries as known on known.endpoint_id = given.endpoint_id and known.event_id = given.event_id
  ), before as (
    select delivery.endpoint_id, delivery.event_id, delivery.claimed_at, delivery.failures, result.attempt, result.status,
           result.is_success, result.retry_after_seconds, result.error is distinct from 'secret' as is_receivers, result.url,
           case when not result.is_success
             then funding.retry_wait(delivery.failures, result.status, result.retry_after_seconds) end as wait_seconds
    from funding.webhook_deliveries as delivery
    join result on result.endpoint_id = delivery.endpoint_id and result.event_id = delivery.event_id
    where delivery.state = 'pending' and (result.is_success or delivery.attempts = result.attempt and delivery.claimed_until is not null)
      or delivery.state = 'failed' and result.is_success
    order by delivery.endpoint_id, delivery.event_id
    for update of delivery
  ), logged as (
    insert into funding.webhook_attempts as known (endpoint_id, event_id, number, url, started_at, duration_ms, status, error,
      message, request_headers, response_headers, response_body)
    select endpoint_id, event_id, attempt, url, started_at, duration_ms, status, error, message, request_headers,
           response_headers, response_body
    from result order by endpoint_id, event_id, attempt
    on conflict on constraint webhook_attempts_pkey do update set
      started_at = excluded.started_at, duration_ms = excluded.duration_ms, status = excluded.status, error = excluded.error,
      message = excluded.message, request_headers = excluded.request_headers, response_headers = excluded.response_headers,
      response_body = excluded.response_body
  ), settled as (
    update funding.webhook_deliveries as delivery set
      state = case when before.is_success then 'succeeded' when before.wait_seconds is null then 'failed' else 'pending' end,
      failures = delivery.failures + case when before.is_success then 0 else 1 end,
      due_at = coalesce(present + before.wait_seconds * interval '1 second', delivery.due_at),
      finished_at = case when before.wait_seconds is null then funding.latest_now() end,
      claimed_at = null, claimed_until = null
    from (select distinct on (endpoint_id, event_id) * from before order by endpoint_id, event_id, is_success desc, attempt desc) as before
    where delivery.endpoint_id = before.endpoint_id and delivery.event_id = before.event_id
  )
  select jsonb_object_agg(endpoint_id, counted) into endpoint_results from (
    select before.endpoint_id, jsonb_build_object(
      'has_success', bool_or(is_success), 'is_gone', bool_or(status = 410 and not is_success),
      'failed_after', max(claimed_at) filter (where not is_success),
      -- The wait is at most twice the scheduled one. After the last attempt of a delivery there is no wait, and other deliveries of the endpoint do
      -- not wait.
      'retry_after', max(least(retry_after_seconds, wait_seconds)) filter (where status in (429, 503) and wait_seconds is not null)) as counted
    from before join funding.webhook_endpoints as endpoint on endpoint.id = before.endpoint_id and endpoint.url = before.url
    where before.is_receivers group by 1
  ) as by_endpoint;

  -- Endpoints that did well before and do well now are not written.
  with changed as (
    select endpoint.id,
           coalesce((counted->>'has_success')::boolean, false) and not (counted->>'is_gone')::boolean as is_well,
           coalesce((counted->>'is_gone')::boolean, false) as is_gone,
           (counted->>'failed_after')::timestamptz as failed_after,
           (counted->>'retry_after')::double precision as retry_after
    from jsonb_each(endpoint_results) as item(endpoint_id, counted)
    join funding.webhook_endpoints as endpoint on endpoint.id = item.endpoint_id::uuid
  ), counted as (
    select changed.*, endpoint.failures_in_a_row + 1 as failures,
           coalesce(endpoint.failing_since, present) as since
    from changed join funding.webhook_endpoints as endpoint on endpoint.id = changed.id
    where not changed.is_well
      -- A failure is part of the last one if its attempt was claimed before the last one was known.
      and (changed.is_gone or endpoint.last_failure_at is null or changed.failed_after > endpoint.last_failure_at)
  ), failed as (
    update funding.webhook_endpoints as endpoint set
      failures_in_a_row = counted.failures, failing_since = counted.since, last_failure_at = present,
      retry_at = present + greatest(funding.backoff_seconds(counted.failures), counted.retry_after) * interval '1 second',
      state = case when reason.text is not null then 'disabled' else endpoint.state end,
      disabled_reason = coalesce(reason.text, endpoint.disabled_reason)
    from counted cross join lateral (
      select funding.disabling_reason(counted.failures, present - counted.since, counted.is_gone) as text) as reason
    where endpoint.id = counted.id
    returning endpoint.id as endpoint_id, endpoint.state, endpoint.failures_in_a_row, endpoint.disabled_reason
  ), recovered as (
    update funding.webhook_endpoints as endpoint
    set failures_in_a_row = 0, failing_since = null, last_failure_at = null, retry_at = null
    from changed where endpoint.id = changed.id and changed.is_well and endpoint.failures_in_a_row > 0
  )
  select json_agg(failed) into warnings from failed
  where failed.state = 'disabled' or funding.setting('webhook_warn_at') @> to_jsonb(failed.failures_in_a_row);

  -- Last, since all dispatchers write these rows.
  insert into funding.webhook_attempt_totals as known (outcome, attempts)
  select coalesce(given.error, case when given.status between 200 and 299 then 'succeeded' else 'status' end), count(*)
  from jsonb_to_recordset(results) as given(status integer, error text)
  group by 1 order by 1
  on conflict (outcome) do update set attempts = known.attempts + excluded.attempts;
  return json_build_object('warnings', coalesce(warnings, '[]'));
end
$$;
