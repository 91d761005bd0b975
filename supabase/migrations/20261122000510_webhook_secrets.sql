-- Every secret that a rotation promised an overlap to signs until that overlap ends, also when the webhook is rotated
-- again within it. There was room for one, and the second rotation dropped the first secret.

-- From here to the end: a lock that grows could wait for a dispatcher that waits for it.
-- (In a block, because `supabase db push` sends a migration as one batch without `begin`, in which Postgres refuses the statement alone.)
do $$
begin
  lock table funding.webhook_endpoints in access exclusive mode;
end
$$;

-- The secrets that an endpoint had before, which sign too until their overlap ends.
create table funding.webhook_former_secrets (
  -- In the order of the rotations.
  id bigint primary key generated always as identity,
  endpoint_id uuid not null references funding.webhook_endpoints (id) on delete cascade,
  -- Sealed, as the present one is.
  secret text not null,
  expires_at timestamptz not null
);
alter table funding.webhook_former_secrets enable row level security;
create index webhook_former_secrets_endpoint on funding.webhook_former_secrets (endpoint_id, id);

insert into funding.webhook_former_secrets (endpoint_id, secret, expires_at)
select id, previous_secret, previous_secret_expires_at from funding.webhook_endpoints
where previous_secret is not null and previous_secret_expires_at > now();

-- The secrets before an endpoint's present one that sign now, the latest first; null when there is none.
create function funding.former_secrets(endpoint_id uuid) returns text[]
language sql volatile as $$
  select array_agg(former.secret order by former.id desc) from funding.webhook_former_secrets as former
  where former.endpoint_id = former_secrets.endpoint_id and former.expires_at > funding.wall_clock()
$$;

-- An endpoint as its owner sees it. Of its secrets, only until when one before the present one still signs.
create or replace function funding.shown_webhook(endpoint funding.webhook_endpoints) returns json
language sql volatile as $$
  select json_build_object(
    'id', endpoint.id, 'url', endpoint.url, 'description', endpoint.description, 'events', endpoint.events,
    'filters', (select coalesce(jsonb_object_agg(key, value->'query'), '{}') from jsonb_each(endpoint.filters)),
    'deadline_days', endpoint.deadline_days, 'state', endpoint.state, 'disabled_reason', endpoint.disabled_reason,
    'failures_in_a_row', endpoint.failures_in_a_row, 'failing_since', funding.moment(endpoint.failing_since),
    'previous_secret_expires_at', (
      select funding.moment(max(former.expires_at)) from funding.webhook_former_secrets as former
      where former.endpoint_id = endpoint.id and former.expires_at > funding.wall_clock()),
    'created_at', funding.moment(endpoint.created_at), 'updated_at', funding.moment(endpoint.updated_at))
$$;

-- Gives an endpoint a new secret. The present one signs beside it until the overlap ends, and so do those before it until
-- theirs end. An overlap of 0 seconds ends all of them at once. PT409 where too many would sign.
create or replace function funding.rotate_webhook_secret(account_id uuid, webhook_id uuid, secret text, overlap_seconds integer) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  endpoint funding.webhook_endpoints := funding.webhook_of(account_id, webhook_id);
  present timestamptz := funding.wall_clock();
  -- How many may sign at a time, the present one among them: each is one more signature in a header.
  maximum constant integer := 5;
  former record;
begin
  delete from funding.webhook_former_secrets as gone
  where gone.endpoint_id = webhook_id and (overlap_seconds <= 0 or gone.expires_at <= present);
  if overlap_seconds > 0 then
    select count(*) as number, min(expires_at) as first_end into former
    from funding.webhook_former_secrets as kept where kept.endpoint_id = webhook_id;
    if former.number + 2 > maximum then
      raise sqlstate 'PT409' using message = format(
        '%s secrets sign already, which is the most; rotate after %s, when the overlap of one has ended, or with overlap_seconds 0, which ends all but the new one at once',
        former.number + 1, funding.moment(former.first_end));
    end if;
    insert into funding.webhook_former_secrets (endpoint_id, secret, expires_at)
    values (webhook_id, endpoint.secret, present + overlap_seconds * interval '1 second');
  end if;
  update funding.webhook_endpoints as changed set secret = rotate_webhook_secret.secret, updated_at = now()
  where changed.id = webhook_id
  returning * into endpoint;
  return funding.shown_webhook(endpoint);
end
$$;

-- Claims deliveries that are due for one attempt each, at most `maximum` of endpoints that do well and `failing_maximum`
-- of those whose last attempt failed, which have places of their own and cannot take the others'. Endpoints take turns:
-- first everybody's first, then everybody's second. Two dispatchers never get the same attempt.
--
-- Returns { signature_header, timeout_ms, deliveries: [{ endpoint_id, event_id, attempt, url, secret, previous_secrets,
-- previous_secret, event, created_at, data, is_failing }] }. The previous secrets come the latest first; the one by itself is
-- the first of them, for dispatchers from before there could be several.
create or replace function public.claim_deliveries(maximum integer, failing_maximum integer) returns json
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
    'previous_secrets', coalesce(former.secrets, '{}'), 'previous_secret', former.secrets[cardinality(former.secrets)],
    'event', event.event, 'created_at', funding.moment(event.created_at), 'data', event.data,
    'is_failing', endpoint.failures_in_a_row > 0)
    order by event.created_at, event.id)
  into claimed
  from taken
  join funding.webhook_endpoints as endpoint on endpoint.id = taken.endpoint_id
  join funding.events as event on event.id = taken.event_id
  cross join lateral (select funding.former_secrets(endpoint.id) as secrets) as former;
  return json_build_object(
    'signature_header', funding.setting('webhook_signature_header'),
    'timeout_ms', funding.setting('webhook_timeout_seconds')::double precision * 1000,
    'deliveries', coalesce(claimed, '[]'));
end
$$;

alter table funding.webhook_endpoints drop column previous_secret, drop column previous_secret_expires_at;

revoke execute on all functions in schema funding from public;
