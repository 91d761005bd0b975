-- RPCs of the dashboard for webhooks: each calls the function of the same name in `funding`, for the account of the user and
-- session. Those that write are limited (write_limits.sql).

-- Creates a webhook.
create or replace function public.create_webhook(user_id uuid, session_id uuid, webhook jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(create_webhook.user_id, create_webhook.session_id);
begin
  perform funding.require_write(own_id, 'webhook_creations');
  return funding.count_write(own_id, 'webhook_creations', funding.create_webhook(own_id, create_webhook.webhook));
end
$$;

-- Deadlines that a webhook would be notified of at once.
create or replace function public.preview_webhook(user_id uuid, session_id uuid, webhook jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(preview_webhook.user_id, preview_webhook.session_id);
begin
  return funding.preview_webhook(own_id, preview_webhook.webhook);
end
$$;

-- The account's webhooks.
create or replace function public.list_webhooks(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_webhooks.user_id, list_webhooks.session_id);
begin
  return funding.list_webhooks(own_id);
end
$$;

-- One webhook.
create or replace function public.get_webhook(user_id uuid, session_id uuid, webhook_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_webhook.user_id, get_webhook.session_id);
begin
  return funding.get_webhook(own_id, get_webhook.webhook_id);
end
$$;

-- Changes a webhook.
create or replace function public.update_webhook(user_id uuid, session_id uuid, webhook_id uuid, changes jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(update_webhook.user_id, update_webhook.session_id);
begin
  perform funding.require_write(own_id, 'webhook_changes');
  return funding.count_write(own_id, 'webhook_changes', funding.update_webhook(own_id, update_webhook.webhook_id, update_webhook.changes));
end
$$;

-- Deletes a webhook, or some of its deliveries: { id, is_deleted }. Only the call that deletes the webhook counts, and has `write_limit` as well.
create or replace function public.delete_webhook(user_id uuid, session_id uuid, webhook_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(delete_webhook.user_id, delete_webhook.session_id);
  deletion json;
begin
  perform funding.require_write(own_id, 'webhook_deletions');
  deletion := funding.delete_webhook(own_id, delete_webhook.webhook_id);
  return case when (deletion->>'is_deleted')::boolean then funding.count_write(own_id, 'webhook_deletions', deletion) else deletion end;
end
$$;

-- Gives a webhook a new secret.
create or replace function public.rotate_webhook_secret(user_id uuid, session_id uuid, webhook_id uuid, secret text, overlap_seconds integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(rotate_webhook_secret.user_id, rotate_webhook_secret.session_id);
begin
  perform funding.require_write(own_id, 'webhook_secret_rotations');
  return funding.count_write(own_id, 'webhook_secret_rotations', funding.rotate_webhook_secret(own_id, rotate_webhook_secret.webhook_id, rotate_webhook_secret.secret, rotate_webhook_secret.overlap_seconds));
end
$$;

-- Deliveries of a webhook, newest first.
create or replace function public.list_webhook_deliveries(user_id uuid, session_id uuid, webhook_id uuid, filter jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_webhook_deliveries.user_id, list_webhook_deliveries.session_id);
begin
  return funding.list_webhook_deliveries(own_id, list_webhook_deliveries.webhook_id, list_webhook_deliveries.filter);
end
$$;

-- One delivery, with its attempts.
create or replace function public.get_webhook_delivery(user_id uuid, session_id uuid, webhook_id uuid, event_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_webhook_delivery.user_id, get_webhook_delivery.session_id);
begin
  return funding.get_webhook_delivery(own_id, get_webhook_delivery.webhook_id, get_webhook_delivery.event_id);
end
$$;

-- Delivers an event again.
create or replace function public.resend_webhook_delivery(user_id uuid, session_id uuid, webhook_id uuid, event_id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(resend_webhook_delivery.user_id, resend_webhook_delivery.session_id);
begin
  perform funding.require_write(own_id, 'redeliveries');
  return funding.count_write(own_id, 'redeliveries', funding.resend_webhook_delivery(own_id, resend_webhook_delivery.webhook_id, resend_webhook_delivery.event_id));
end
$$;

-- Delivers the events of a range of time that did not arrive.
create or replace function public.recover_webhook(user_id uuid, session_id uuid, webhook_id uuid, since timestamptz, until timestamptz) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(recover_webhook.user_id, recover_webhook.session_id);
begin
  perform funding.require_write(own_id, 'recoveries');
  return funding.count_write(own_id, 'recoveries', funding.recover_webhook(own_id, recover_webhook.webhook_id, recover_webhook.since, recover_webhook.until));
end
$$;

-- Sends a sample event.
create or replace function public.send_test_event(user_id uuid, session_id uuid, webhook_id uuid, event text, data json, details json default null,
                                                  changes json default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(send_test_event.user_id, send_test_event.session_id);
begin
  perform funding.require_write(own_id, 'test_deliveries');
  return funding.count_write(own_id, 'test_deliveries', funding.send_test_event(own_id, send_test_event.webhook_id, send_test_event.event, send_test_event.data,
    send_test_event.details, send_test_event.changes));
end
$$;
