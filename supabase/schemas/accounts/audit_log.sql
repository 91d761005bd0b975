-- Audit log: the changes in an account, with their time and actor. Triggers write it in the transaction of the change, so that no way of making a
-- change is left out: the account API, commands, Stripe, the dispatcher, SQL by hand. A change that fails or changes nothing is not logged. The
-- triggers fire for columns that are set on purpose; columns that change with traffic (`last_used_at`, failures, reads) cost nothing.

-- A value as the log keeps it: its first five hundred characters, and null for an empty text or list.
create or replace function funding.audited_value(value jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  return case
    when value is null or value in ('""', '[]', '{}') then 'null'
    when length(value::text) > 500 then to_jsonb(left(value #>> '{}', 500) || '…')
    else value end;
end
$$;

-- Fields that differ between two objects, each as { field, from, to }. A null object has none.
create or replace function funding.audited_changes(before jsonb, after jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'field', field.name, 'from', funding.audited_value(before->field.name), 'to', funding.audited_value(after->field.name)) order by field.name collate "C"), '[]')
    from (select jsonb_object_keys(before) union select jsonb_object_keys(after)) as field(name)
    where before->field.name is distinct from after->field.name
      and (funding.audited_value(before->field.name) <> 'null' or funding.audited_value(after->field.name) <> 'null'));
end
$$;

-- Fields of a key that the log shows. Here and below: never a secret or the hash of one.
create or replace function funding.audited_fields(api_key funding.api_keys) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'name', api_key.name, 'display', api_key.display, 'expires_at', funding.moment(api_key.expires_at),
    'revoked_at', funding.moment(api_key.revoked_at), 'datasets', api_key.datasets, 'daily_quota', api_key.daily_quota,
    'addresses', api_key.addresses);
end
$$;

-- Fields of a webhook that the log shows.
create or replace function funding.audited_fields(endpoint funding.webhook_endpoints) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'url', endpoint.url, 'description', endpoint.description, 'events', endpoint.events,
    'filters', (select jsonb_object_agg(item.key, item.value->'query') from jsonb_each(endpoint.filters) as item),
    'deadline_days', endpoint.deadline_days, 'expand', endpoint.expand, 'updated_fields', endpoint.updated_fields, 'state', endpoint.state,
    'disabled_reason', endpoint.disabled_reason);
end
$$;

-- Fields of a saved search that the log shows.
create or replace function funding.audited_fields(search funding.saved_searches) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'name', search.name, 'dataset', search.dataset, 'query', search.query, 'address_created_at', funding.moment(search.address_created_at));
end
$$;

-- Fields of a digest that the log shows.
create or replace function funding.audited_fields(digest funding.digests) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'frequency', digest.frequency, 'weekday', (funding.weekday_names())[digest.weekday], 'hour', digest.hour, 'time_zone', digest.time_zone,
    'paused_at', funding.moment(digest.paused_at));
end
$$;

-- Fields of a subscription that the log shows.
create or replace function funding.audited_fields(subscription funding.subscriptions) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'tier', subscription.tier, 'status', subscription.status, 'current_period_end', funding.moment(subscription.current_period_end));
end
$$;

-- Fields of an account that the log shows.
create or replace function funding.audited_fields(account funding.accounts) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object(
    'email', account.email, 'user_id', account.auth_user_id, 'keeps_search_text', account.keeps_search_text);
end
$$;

-- Fields of a member that the log shows.
create or replace function funding.audited_fields(member funding.members) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object('role', member.role);
end
$$;

-- Fields of an invitation that the log shows.
create or replace function funding.audited_fields(invitation funding.invitations) returns jsonb
language plpgsql stable as $$
begin
  return jsonb_build_object('role', invitation.role);
end
$$;

-- Writes a change into the log of its account. Writes nothing where the account is gone: a deletion that follows from the account's is no change of
-- its own.
create or replace function funding.audit(account_id uuid, action text, subject_kind text, subject_id uuid, subject_name text, changes jsonb)
returns void
language plpgsql as $$
begin
  insert into funding.audit_log (account_id, at, actor, actor_email, action, subject_kind, subject_id, subject_name, changes)
  select account.id, funding.latest_now(), actor.kind, actor.email, audit.action, audit.subject_kind, audit.subject_id,
         left(audit.subject_name, 200), audit.changes
  from funding.accounts as account cross join funding.actor() as actor
  where account.id = audit.account_id;
end
$$;

-- Trigger of `api_keys`, except for the explorer's keys. A rotation is one change, of the old key: the rotation sets the old key's expiry, after it
-- has made the new key in the same transaction.
create or replace function funding.audit_key() returns trigger
language plpgsql as $$
declare
  former constant funding.api_keys := old;
  present constant funding.api_keys := new;
  before constant jsonb := funding.audited_fields(former);
  after jsonb := funding.audited_fields(present);
  action text := case tg_op when 'INSERT' then 'key.created' when 'DELETE' then 'key.deleted' else 'key.updated' end;
  replacement uuid;
begin
  if tg_op = 'UPDATE' and present.revoked_at is not null and former.revoked_at is null then
    action := 'key.revoked';
  elsif tg_op = 'UPDATE' and before - 'expires_at' = after - 'expires_at' then
    select newer.id into replacement from funding.api_keys as newer
    where newer.rotated_from = present.id and newer.created_at = now() and newer.revoked_at is null;
    if found then
      action := 'key.rotated';
      after := after || jsonb_build_object('replaced_by', replacement);
    end if;
  end if;
  if before <> after then
    perform funding.audit(coalesce(present.account_id, former.account_id), action, 'key', coalesce(present.id, former.id),
      coalesce(present.name, former.name), funding.audited_changes(before, after));
  end if;
  return null;
end
$$;

-- Name of a webhook in the log: its description, or else its address.
create or replace function funding.webhook_name(endpoint funding.webhook_endpoints) returns text
language sql immutable parallel safe as $$
  select coalesce(nullif(endpoint.description, ''), endpoint.url)
$$;

-- Trigger of `webhook_endpoints`. Of secrets, the log shows only that there is a new one, and the time until which former ones sign.
create or replace function funding.audit_webhook() returns trigger
language plpgsql as $$
declare
  former constant funding.webhook_endpoints := old;
  present constant funding.webhook_endpoints := new;
  before constant jsonb := funding.audited_fields(former);
  after jsonb := funding.audited_fields(present);
  action text := case tg_op when 'INSERT' then 'webhook.created' when 'DELETE' then 'webhook.deleted' else 'webhook.updated' end;
begin
  if tg_op = 'UPDATE' and present.secret <> former.secret then
    action := 'webhook.secret_rotated';
    after := after || jsonb_build_object('previous_secret_expires_at', (
      select funding.moment(max(earlier.expires_at)) from funding.webhook_former_secrets as earlier where earlier.endpoint_id = present.id));
  elsif tg_op = 'UPDATE' and present.state <> former.state then
    action := case present.state when 'disabled' then 'webhook.disabled' when 'paused' then 'webhook.paused' else 'webhook.resumed' end;
  end if;
  perform funding.audit(coalesce(present.account_id, former.account_id), action, 'webhook', coalesce(present.id, former.id),
    coalesce(funding.webhook_name(present), funding.webhook_name(former)), funding.audited_changes(before, after));
  return null;
end
$$;

-- Trigger of `webhook_recoveries`: logs the start of a recovery.
create or replace function funding.audit_recovery() returns trigger
language plpgsql as $$
begin
  perform funding.audit(endpoint.account_id, 'webhook.recovery_started', 'webhook', endpoint.id, funding.webhook_name(endpoint),
    funding.audited_changes(null, jsonb_build_object('since', funding.moment(coalesce(new.since, new.after_time)), 'until', funding.moment(new.until))))
  from funding.webhook_endpoints as endpoint where endpoint.id = new.endpoint_id;
  return null;
end
$$;

-- Trigger of `saved_searches`. Of addresses, the log shows only that there is a new one, or that there is none any more.
create or replace function funding.audit_saved_search() returns trigger
language plpgsql as $$
declare
  former constant funding.saved_searches := old;
  present constant funding.saved_searches := new;
  action constant text := case
    when tg_op = 'INSERT' then 'saved_search.created'
    when tg_op = 'DELETE' then 'saved_search.deleted'
    when present.address_hash is not distinct from former.address_hash then 'saved_search.updated'
    when present.address_hash is null then 'saved_search.address_revoked'
    else 'saved_search.address_issued' end;
begin
  perform funding.audit(coalesce(present.account_id, former.account_id), action, 'saved_search', coalesce(present.id, former.id),
    coalesce(present.name, former.name), funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)));
  return null;
end
$$;

-- Trigger of `digests`. The log shows a digest's changes as those of its saved search. A deletion without a user comes from the link in a mail. The
-- deletion of a digest with its saved search is no change of its own.
create or replace function funding.audit_digest() returns trigger
language plpgsql as $$
declare
  former constant funding.digests := old;
  present constant funding.digests := new;
  action constant text := case
    when tg_op = 'INSERT' then 'digest.created'
    when tg_op = 'DELETE' and (funding.actor()).kind = 'system' then 'digest.unsubscribed'
    when tg_op = 'DELETE' then 'digest.ended'
    when present.paused_at is not null and former.paused_at is null then 'digest.paused'
    when present.paused_at is null and former.paused_at is not null then 'digest.resumed'
    else 'digest.updated' end;
begin
  perform funding.audit(search.account_id, action, 'saved_search', search.id, search.name,
    funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)))
  from funding.saved_searches as search where search.id = coalesce(present.saved_search_id, former.saved_search_id);
  return null;
end
$$;

-- Trigger of `subscriptions`. An account has one subscription, with the account's id.
create or replace function funding.audit_subscription() returns trigger
language plpgsql as $$
declare
  former constant funding.subscriptions := old;
  present constant funding.subscriptions := new;
  own_id constant uuid := coalesce(present.account_id, former.account_id);
  action constant text := case tg_op
    when 'INSERT' then 'subscription.created' when 'DELETE' then 'subscription.deleted' else 'subscription.updated' end;
begin
  perform funding.audit(own_id, action, 'subscription', own_id, coalesce(present.tier, former.tier),
    funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)));
  return null;
end
$$;

-- Trigger of `accounts`.
create or replace function funding.audit_account() returns trigger
language plpgsql as $$
declare
  former constant funding.accounts := old;
  present constant funding.accounts := new;
  action constant text := case
    when tg_op = 'INSERT' then 'account.created'
    when present.auth_user_id is not distinct from former.auth_user_id then 'account.updated'
    when present.auth_user_id is null then 'account.user_detached'
    else 'account.user_attached' end;
begin
  perform funding.audit(present.id, action, 'account', present.id, coalesce(present.email, former.email, present.id::text),
    funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)));
  return null;
end
$$;

-- Trigger of `members`. A member who joins by an invitation is logged by the end of the invitation, and the account's own user by the change of the
-- account.
create or replace function funding.audit_member() returns trigger
language plpgsql as $$
declare
  former constant funding.members := old;
  present constant funding.members := new;
  either constant funding.members := case when tg_op = 'DELETE' then former else present end;
  name constant text := funding.member_email(either);
  actor constant record := funding.actor();
  action constant text := case
    when tg_op = 'INSERT' then 'member.added'
    when tg_op = 'UPDATE' then 'member.role_changed'
    when funding.actor_user_id() = either.user_id then 'member.left'
    else 'member.removed' end;
begin
  if tg_op = 'INSERT' and (actor.kind <> 'operator'
      or exists (select from funding.accounts as own where own.id = present.account_id and own.auth_user_id = present.user_id)) then
    return null;
  end if;
  perform funding.audit(either.account_id, action, 'member', either.id, name,
    funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)));
  return null;
end
$$;

-- Trigger of `invitations`. The end of an expired invitation is not logged. An accepted invitation is logged with the role that it gives.
create or replace function funding.audit_invitation() returns trigger
language plpgsql as $$
declare
  former constant funding.invitations := old;
  present constant funding.invitations := new;
  either constant funding.invitations := case when tg_op = 'DELETE' then former else present end;
  action constant text := case tg_op when 'INSERT' then 'invitation.created' else 'invitation.' || coalesce(former.outcome, 'withdrawn') end;
begin
  if funding.expiry_of(either) <= funding.latest_now() then
    return null;
  end if;
  perform funding.audit(either.account_id, action, 'invitation', either.id, either.email, case
    when former.outcome = 'accepted' then funding.audited_changes(null, funding.audited_fields(former))
    else funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)) end);
  return null;
end
$$;

-- Trigger of `accounts`: deletes the log with its account. It replaces a foreign key, which would lock the account after its key or webhook, while a
-- deletion locks them in the other order. The trigger fires after the cascades, which wait for changes that are under way, so no row is added later.
create or replace function funding.delete_audit_log() returns trigger
language plpgsql as $$
begin
  delete from funding.audit_log where account_id = old.id;
  return null;
end
$$;

-- An entry as its account sees it.
create or replace function funding.audit_body(entry funding.audit_log) returns json
language sql stable as $$
  select json_build_object(
    'id', entry.id::text, 'at', funding.moment(entry.at),
    'actor', json_build_object('kind', entry.actor, 'email', entry.actor_email),
    'action', entry.action,
    'subject', json_build_object('kind', entry.subject_kind, 'id', entry.subject_id, 'name', entry.subject_name),
    'changes', entry.changes)
$$;

-- Lists the account's audit log, newest first: { entries, next }, with `next` as the `page` of the next call, or null. `filter` may have action,
-- kind, subject (an id, also the id of the key that replaced a rotated one), since, until, page: { at, id } and limit.
create or replace function public.list_audit_log(user_id uuid, session_id uuid, filter jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_audit_log.user_id, list_audit_log.session_id);
  page_size constant integer := least(coalesce((filter->>'limit')::integer, 50), 100);
  result json;
begin
  with found as (
    select entry, entry.at, entry.id
    from funding.audit_log as entry
    where entry.account_id = own_id
      and (not filter ? 'action' or entry.action = filter->>'action')
      and (not filter ? 'kind' or entry.subject_kind = filter->>'kind')
      and (not filter ? 'subject' or entry.subject_id = (filter->>'subject')::uuid
        or entry.changes @> jsonb_build_array(jsonb_build_object('field', 'replaced_by', 'to', filter->>'subject')))
      and (not filter ? 'since' or entry.at >= (filter->>'since')::timestamptz)
      and (not filter ? 'until' or entry.at < (filter->>'until')::timestamptz)
      and (not filter ? 'page' or (entry.at, entry.id) < ((filter->'page'->>'at')::timestamptz, (filter->'page'->>'id')::bigint))
    order by entry.at desc, entry.id desc
    limit page_size + 1
  ), numbered as (
    select found.*, row_number() over (order by found.at desc, found.id desc) as position from found
  )
  select json_build_object(
    'entries', coalesce(json_agg(funding.audit_body(numbered.entry) order by numbered.position)
      filter (where numbered.position <= page_size), '[]'),
    'next', case when count(*) > page_size then (
      select json_build_object('at', funding.exact_moment(last.at), 'id', last.id::text)
      from numbered as last where last.position = page_size) end)
  into result from numbered;
  return result;
end
$$;
