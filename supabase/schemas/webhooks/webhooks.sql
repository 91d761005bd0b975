-- Webhooks of an account, as their owner manages them. Every function takes the account of the caller, and raises PT404 for
-- another account's endpoint as for an unknown id.

-- An account's endpoint, or PT404, for functions that only read. It is not locked: the dispatcher writes results of many endpoints at once, and would
-- wait for each.
create or replace function funding.webhook_of(account_id uuid, webhook_id uuid) returns funding.webhook_endpoints
language plpgsql as $$
declare
  endpoint funding.webhook_endpoints;
begin
  select * into endpoint from funding.webhook_endpoints
  where webhook_endpoints.id = webhook_id and webhook_endpoints.account_id = webhook_of.account_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no webhook %s', webhook_id);
  end if;
  return endpoint;
end
$$;

-- An account's endpoint, or PT404. No other transaction changes the endpoint until this one ends. Waits for another transaction for two seconds, and
-- then fails with 55P03: a request that waits holds a connection, which other accounts need.
create or replace function funding.lock_webhook(account_id uuid, webhook_id uuid) returns funding.webhook_endpoints
language plpgsql set lock_timeout = '2s' as $$
begin
  perform from funding.webhook_endpoints as endpoint
  where endpoint.id = webhook_id and endpoint.account_id = lock_webhook.account_id
  for no key update;
  return funding.webhook_of(account_id, webhook_id);
end
$$;

-- An endpoint as its owner sees it. Of its secrets, it shows only the time until which a former one still signs.
create or replace function funding.webhook_body(endpoint funding.webhook_endpoints) returns json
language sql volatile as $$
  select json_build_object(
    'id', endpoint.id, 'url', endpoint.url, 'description', endpoint.description, 'events', endpoint.events,
    'filters', (select coalesce(jsonb_object_agg(key, value->'query'), '{}') from jsonb_each(endpoint.filters)),
    'deadline_days', endpoint.deadline_days, 'expand', endpoint.expand, 'updated_fields', endpoint.updated_fields, 'state', endpoint.state, 'disabled_reason', endpoint.disabled_reason,
    'failures_in_a_row', endpoint.failures_in_a_row, 'failing_since', funding.moment(endpoint.failing_since),
    'previous_secret_expires_at', (
      select funding.moment(max(former.expires_at)) from funding.webhook_former_secrets as former
      where former.endpoint_id = endpoint.id and former.expires_at > funding.latest_now()),
    'created_at', funding.moment(endpoint.created_at), 'updated_at', funding.moment(endpoint.updated_at))
$$;

-- Adds an endpoint: { id, url, description, events, filters, deadline_days, expand, updated_fields, secret }, as the account API makes it.
-- PT409 without a subscription that has webhooks, and at the account's maximum. PT400 for a filter that cannot be evaluated.
create or replace function funding.create_webhook(account_id uuid, webhook jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  endpoint funding.webhook_endpoints;
  maximum integer := funding.setting('webhook_endpoints_maximum')::integer;
begin
  -- Simultaneous creations take turns, so that two cannot both be the last that the limit allows.
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
  insert into funding.webhook_endpoints (id, account_id, url, description, events, filters, deadline_days, expand, updated_fields, secret)
  select given.id, create_webhook.account_id, given.url, given.description, given.events, given.filters, given.deadline_days,
         coalesce(given.expand, '{}'), coalesce(given.updated_fields, '{}'), given.secret
  from jsonb_to_record(webhook) as given(
    id uuid, url text, description text, events text[], filters jsonb, deadline_days integer[], expand text[], updated_fields text[], secret text)
  returning * into endpoint;
  return funding.webhook_body(endpoint);
end
$$;

-- The account's endpoints, oldest first: { webhooks }.
create or replace function funding.list_webhooks(account_id uuid) returns json
language sql set search_path = funding, extensions, pg_temp as $$
  select json_build_object('webhooks', coalesce(json_agg(funding.webhook_body(endpoint) order by endpoint.created_at, endpoint.id), '[]'))
  from funding.webhook_endpoints as endpoint where endpoint.account_id = list_webhooks.account_id
$$;

-- One endpoint, or PT404.
create or replace function funding.get_webhook(account_id uuid, webhook_id uuid) returns json
language sql set search_path = funding, extensions, pg_temp as $$
  select funding.webhook_body(funding.webhook_of(account_id, webhook_id))
$$;

-- Changes the fields that `changes` has: url, description, events, filters, deadline_days, expand, updated_fields, state (active or paused). An
-- endpoint that becomes active starts without its past failures. PT400 for a filter that cannot be evaluated. Failures belong to a URL: a new URL has
-- none.
create or replace function funding.update_webhook(account_id uuid, webhook_id uuid, changes jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  before funding.webhook_endpoints := funding.lock_webhook(account_id, webhook_id);
  given funding.webhook_endpoints := jsonb_populate_record(before,
    changes - array(select key from jsonb_object_keys(changes) as key
                    where key not in ('url', 'description', 'events', 'filters', 'deadline_days', 'expand', 'updated_fields', 'state')));
  is_started boolean := given.state = 'active' and before.state <> 'active';
  forgets_failures boolean := is_started or given.url <> before.url;
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
    deadline_days = given.deadline_days, expand = given.expand, updated_fields = given.updated_fields, state = given.state,
    disabled_reason = case when given.state = 'disabled' then before.disabled_reason end,
    failures_in_a_row = case when forgets_failures then 0 else before.failures_in_a_row end,
    failing_since = case when forgets_failures then null else before.failing_since end,
    last_failure_at = case when forgets_failures then null else before.last_failure_at end,
    retry_at = case when forgets_failures then null else before.retry_at end,
    work_timeouts = case when is_started then 0 else before.work_timeouts end,
    set_aside_at = case when given.state = 'disabled' then before.set_aside_at end,
    deadlines_scanned_on = case when is_new_scan then null else before.deadlines_scanned_on end,
    updated_at = now()
  where changed.id = webhook_id
  returning * into endpoint;
  return funding.webhook_body(endpoint);
end
$$;

-- Removes an endpoint with its deliveries and their attempts: { id, is_deleted }. Where there are very many, it removes a part of them, and disables
-- the endpoint, so that no more come. `is_deleted` is then false, and the next call goes on.
--
-- Locks the endpoint as a deletion does, from the start: a scan of its deadlines refers to it, and locks it later for a change, so that a weaker lock
-- could end in a deadlock. Like `funding.lock_webhook`, it waits for two seconds at most.
create or replace function funding.delete_webhook(account_id uuid, webhook_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp set lock_timeout = '2s' as $$
declare
  -- An attempt may have 32 KB of headers and body, in pieces of 2 KB: 10,000 rows are 160,000 at most.
  most_rows constant integer := 10000;
  deleted integer;
  deleted_deliveries integer := 0;
begin
  perform from funding.webhook_endpoints as endpoint
  where endpoint.id = webhook_id and endpoint.account_id = delete_webhook.account_id
  for update;
  perform funding.webhook_of(account_id, webhook_id);
  delete from funding.webhook_attempts where ctid = any (array(
    select part.ctid from funding.webhook_attempts as part where part.endpoint_id = webhook_id limit most_rows for update));
  get diagnostics deleted = row_count;
  if deleted < most_rows then
    delete from funding.webhook_deliveries where ctid = any (array(
      select part.ctid from funding.webhook_deliveries as part where part.endpoint_id = webhook_id limit most_rows - deleted for update));
    get diagnostics deleted_deliveries = row_count;
  end if;
  if deleted + deleted_deliveries < most_rows then
    delete from funding.webhook_endpoints where id = webhook_id;
    return json_build_object('id', webhook_id, 'is_deleted', true);
  end if;
  update funding.webhook_endpoints set state = 'disabled', disabled_reason = 'You deleted it, and some of its deliveries are left: delete it again.'
  where id = webhook_id and state <> 'disabled';
  delete from funding.webhook_recoveries where endpoint_id = webhook_id;
  return json_build_object('id', webhook_id, 'is_deleted', false);
end
$$;

-- Gives an endpoint a new secret. The present secret signs beside it until the overlap ends, and former secrets sign until theirs end. An overlap of
-- 0 seconds ends all of these at once. PT409 where too many secrets would sign.
create or replace function funding.rotate_webhook_secret(account_id uuid, webhook_id uuid, secret text, overlap_seconds integer) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  endpoint funding.webhook_endpoints := funding.lock_webhook(account_id, webhook_id);
  -- Limit of secrets that sign at a time, the present one included: each adds a signature to a header.
  maximum constant integer := 5;
  former record;
begin
  delete from funding.webhook_former_secrets as gone
  where gone.endpoint_id = webhook_id and (overlap_seconds <= 0 or gone.expires_at <= funding.bounded_now());
  if overlap_seconds > 0 then
    select count(*) as number, min(expires_at) as first_end into former
    from funding.webhook_former_secrets as remaining where remaining.endpoint_id = webhook_id;
    if former.number + 2 > maximum then
      raise sqlstate 'PT409' using message = format(
        '%s secrets sign already, which is the most; rotate after %s, when the overlap of one has ended, or with overlap_seconds 0, which ends all but the new one at once',
        former.number + 1, funding.moment(former.first_end));
    end if;
    insert into funding.webhook_former_secrets (endpoint_id, secret, expires_at)
    values (webhook_id, endpoint.secret, funding.latest_now() + overlap_seconds * interval '1 second');
  end if;
  update funding.webhook_endpoints as changed set secret = rotate_webhook_secret.secret, updated_at = now()
  where changed.id = webhook_id
  returning * into endpoint;
  return funding.webhook_body(endpoint);
end
$$;
