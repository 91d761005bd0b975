-- What an account's owner does with its webhooks. Every function takes the account whose owner asks, and knows no other
-- account's endpoints: they raise PT404 as an unknown id does.

-- An account's endpoint, or PT404.
create function funding.webhook_of(account_id uuid, webhook_id uuid) returns funding.webhook_endpoints
language plpgsql as $$
declare
  endpoint funding.webhook_endpoints;
begin
  select * into endpoint from funding.webhook_endpoints
  where webhook_endpoints.id = webhook_id and webhook_endpoints.account_id = webhook_of.account_id
  for no key update;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no webhook %s', webhook_id);
  end if;
  return endpoint;
end
$$;

-- An endpoint as its owner sees it. Of its secrets, only until when the one before still signs.
create function funding.shown_webhook(endpoint funding.webhook_endpoints) returns json
language sql stable as $$
  select json_build_object(
    'id', endpoint.id, 'url', endpoint.url, 'description', endpoint.description, 'events', endpoint.events,
    'filters', (select coalesce(jsonb_object_agg(key, value->'query'), '{}') from jsonb_each(endpoint.filters)),
    'deadline_days', endpoint.deadline_days, 'state', endpoint.state, 'disabled_reason', endpoint.disabled_reason,
    'failures_in_a_row', endpoint.failures_in_a_row, 'failing_since', funding.moment(endpoint.failing_since),
    'previous_secret_expires_at', case when endpoint.previous_secret_expires_at > now() then funding.moment(endpoint.previous_secret_expires_at) end,
    'created_at', funding.moment(endpoint.created_at), 'updated_at', funding.moment(endpoint.updated_at))
$$;

-- Adds an endpoint: { id, url, description, events, filters, deadline_days, secret }, as shared/webhooks/endpoint.ts makes it.
-- PT409 without a subscription that has webhooks, and at the account's maximum.
create function funding.create_webhook(account_id uuid, webhook jsonb) returns json
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
  insert into funding.webhook_endpoints (id, account_id, url, description, events, filters, deadline_days, secret)
  select given.id, create_webhook.account_id, given.url, given.description, given.events, given.filters, given.deadline_days, given.secret
  from jsonb_to_record(webhook) as given(
    id uuid, url text, description text, events text[], filters jsonb, deadline_days integer[], secret text)
  returning * into endpoint;
  return funding.shown_webhook(endpoint);
end
$$;

-- The account's endpoints, oldest first: { webhooks }.
create function funding.list_webhooks(account_id uuid) returns json
language sql set search_path = funding, extensions, pg_temp as $$
  select json_build_object('webhooks', coalesce(json_agg(funding.shown_webhook(endpoint) order by endpoint.created_at, endpoint.id), '[]'))
  from funding.webhook_endpoints as endpoint where endpoint.account_id = list_webhooks.account_id
$$;

create function funding.get_webhook(account_id uuid, webhook_id uuid) returns json
language sql set search_path = funding, extensions, pg_temp as $$
  select funding.shown_webhook(funding.webhook_of(account_id, webhook_id))
$$;

-- Changes the fields that `changes` has: url, description, events, filters, deadline_days, state (active or paused). One
-- that becomes active starts without its past failures.
create function funding.update_webhook(account_id uuid, webhook_id uuid, changes jsonb) returns json
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
  update funding.webhook_endpoints as changed set
    url = given.url, description = given.description, events = given.events, filters = given.filters,
    deadline_days = given.deadline_days, state = given.state,
    disabled_reason = case when given.state = 'disabled' then before.disabled_reason end,
    failures_in_a_row = case when is_started then 0 else before.failures_in_a_row end,
    failing_since = case when is_started then null else before.failing_since end,
    last_failure_at = case when is_started then null else before.last_failure_at end,
    retry_at = case when is_started then null else before.retry_at end,
    deadlines_scanned_on = case when is_new_scan then null else before.deadlines_scanned_on end,
    updated_at = now()
  where changed.id = webhook_id
  returning * into endpoint;
  return funding.shown_webhook(endpoint);
end
$$;

-- Removes an endpoint with all its deliveries.
create function funding.delete_webhook(account_id uuid, webhook_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
begin
  perform funding.webhook_of(account_id, webhook_id);
  delete from funding.webhook_endpoints where id = webhook_id;
  return json_build_object('id', webhook_id);
end
$$;

-- Gives an endpoint a new secret. The old one signs beside it until the overlap ends; 0 seconds ends it at once.
create function funding.rotate_webhook_secret(account_id uuid, webhook_id uuid, secret text, overlap_seconds integer) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  endpoint funding.webhook_endpoints := funding.webhook_of(account_id, webhook_id);
begin
  update funding.webhook_endpoints as changed set
    previous_secret = case when overlap_seconds > 0 then changed.secret end,
    previous_secret_expires_at = case when overlap_seconds > 0 then now() + overlap_seconds * interval '1 second' end,
    secret = rotate_webhook_secret.secret, updated_at = now()
  where changed.id = webhook_id
  returning * into endpoint;
  return funding.shown_webhook(endpoint);
end
$$;

revoke execute on all functions in schema funding from public;
