-- Which deliveries a dispatcher attempts next. A claim is a lease: who dies with it loses nothing, because it ends.

-- Ends the claims of dispatchers that were not heard of in time: their attempts are noted as lost, and are due again.
create function funding.release_lost_claims(present timestamptz) returns void
language sql as $$
  with lost as (
    select delivery.endpoint_id, delivery.event_id from funding.webhook_deliveries as delivery
    where delivery.claimed_until <= present
    order by delivery.claimed_until limit 1000
    for update skip locked
  ), released as (
    update funding.webhook_deliveries as delivery set claimed_at = null, claimed_until = null, due_at = present
    from lost where delivery.endpoint_id = lost.endpoint_id and delivery.event_id = lost.event_id
    returning delivery.endpoint_id, delivery.event_id, delivery.attempts
  )
  insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at, error, message)
  select released.endpoint_id, released.event_id, released.attempts, endpoint.url, funding.wall_clock(), 'lost',
         'The dispatcher ended before it could tell how this attempt did.'
  from released join funding.webhook_endpoints as endpoint on endpoint.id = released.endpoint_id
  on conflict on constraint webhook_attempts_pkey do nothing
$$;

-- Claims deliveries that are due for one attempt each, at most `maximum` of endpoints that do well and `failing_maximum`
-- of those whose last attempt failed, which have places of their own and cannot take the others'. Endpoints take turns:
-- first everybody's first, then everybody's second. Two dispatchers never get the same attempt.
--
-- Returns { signature_header, timeout_ms, deliveries: [{ endpoint_id, event_id, attempt, url, secret, previous_secret,
-- event, created_at, data,
-- is_failing }] }.
create function public.claim_deliveries(maximum integer, failing_maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  present timestamptz := funding.tick();
  lease interval := (funding.setting('webhook_lease_seconds')::text || ' seconds')::interval;
  most_in_flight integer := funding.setting('webhook_in_flight_maximum')::integer;
  claimed json;
begin
  perform funding.release_lost_claims(present);
  with in_flight as (
    select delivery.endpoint_id, count(*) as attempts from funding.webhook_deliveries as delivery
    where delivery.claimed_until is not null group by 1
  ), due as (
    select next.*, endpoint.failures_in_a_row > 0 as is_failing
    from funding.webhook_endpoints as endpoint
    left join in_flight on in_flight.endpoint_id = endpoint.id
    cross join lateral (
      select delivery.endpoint_id, delivery.event_id, delivery.due_at,
             coalesce(in_flight.attempts, 0) + row_number() over (order by delivery.due_at) as place
      from funding.webhook_deliveries as delivery
      where delivery.endpoint_id = endpoint.id and delivery.state = 'pending' and delivery.claimed_until is null
        and delivery.due_at <= present
      order by delivery.due_at
      limit greatest(0, case when endpoint.failures_in_a_row > 0 then 1 else most_in_flight end - coalesce(in_flight.attempts, 0))
    ) as next
    where endpoint.state = 'active' and (endpoint.retry_at is null or endpoint.retry_at <= present)
      and funding.has_webhooks(endpoint.account_id)
  ), chosen as (
    (select endpoint_id, event_id from due where not is_failing order by place, due_at limit maximum)
    union all
    (select endpoint_id, event_id from due where is_failing order by place, due_at limit failing_maximum)
  ), locked as (
    select delivery.endpoint_id, delivery.event_id from funding.webhook_deliveries as delivery
    join chosen on chosen.endpoint_id = delivery.endpoint_id and chosen.event_id = delivery.event_id
    where delivery.state = 'pending' and delivery.claimed_until is null
    for update of delivery skip locked
  ), taken as (
    update funding.webhook_deliveries as delivery
    set attempts = delivery.attempts + 1, claimed_at = present, claimed_until = present + lease
    from locked where delivery.endpoint_id = locked.endpoint_id and delivery.event_id = locked.event_id
    returning delivery.endpoint_id, delivery.event_id, delivery.attempts
  )
  select json_agg(json_build_object(
    'endpoint_id', taken.endpoint_id, 'event_id', taken.event_id, 'attempt', taken.attempts, 'url', endpoint.url,
    'secret', endpoint.secret,
    'previous_secret', case when endpoint.previous_secret_expires_at > funding.wall_clock() then endpoint.previous_secret end,
    'event', event.event, 'created_at', funding.moment(event.created_at), 'data', event.data,
    'is_failing', endpoint.failures_in_a_row > 0)
    order by event.created_at, event.id)
  into claimed
  from taken
  join funding.webhook_endpoints as endpoint on endpoint.id = taken.endpoint_id
  join funding.events as event on event.id = taken.event_id;
  return json_build_object(
    'signature_header', funding.setting('webhook_signature_header'),
    'timeout_ms', funding.setting('webhook_timeout_seconds')::double precision * 1000,
    'deliveries', coalesce(claimed, '[]'));
end
$$;

revoke execute on function public.claim_deliveries(integer, integer) from public, anon, authenticated;
grant execute on function public.claim_deliveries(integer, integer) to service_role;
revoke execute on all functions in schema funding from public;
