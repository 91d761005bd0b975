-- Audit log of each account: what changed, when and by whom (audit_log.sql). Existing accounts begin with an empty one.

-- No foreign key: see `funding.delete_audit_log`.
create table funding.audit_log (
  account_id uuid not null,
  at timestamptz not null,
  id bigint generated always as identity,
  -- user: who was signed in, by the e-mail address then. operator: a command, or SQL by hand. system: the service itself, Stripe among it.
  actor text not null,
  actor_email text,
  action text not null,
  subject_kind text not null,
  subject_id uuid not null,
  -- Its name then.
  subject_name text not null,
  -- Fields that changed: [{ field, from, to }].
  changes jsonb not null,
  primary key (account_id, at, id),
  constraint audit_log_actor_known check (actor in ('user', 'operator', 'system')),
  constraint audit_log_email_of_user check ((actor = 'user') = (actor_email is not null)),
  constraint audit_log_kind_known check (subject_kind in ('account', 'subscription', 'key', 'webhook', 'saved_search', 'member', 'invitation'))
);
alter table funding.audit_log enable row level security;
create index audit_log_at on funding.audit_log (at);

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('audit_log_days', '400', '400', 'days', '{"type": "integer", "minimum": 30, "maximum": 3650}',
   'How long the audit log of what changed in accounts is kept.');

-- The triggers' functions, and those that they call, as audit_log.sql has them. `weekday_names` comes with that of digests.
set check_function_bodies = off;

create function funding.actor(out kind text, out email text)
language sql stable as $$
  select case when signed_in.email is not null then 'user' when current_setting('role') = 'service_role' then 'system' else 'operator' end,
         signed_in.email
  from (select nullif(current_setting('funding.actor_email', true), '') as email) as signed_in
$$;

create function funding.audited_value(value jsonb) returns jsonb
language sql immutable parallel safe as $$
  select case
    when value is null or value in ('""', '[]', '{}') then 'null'
    when length(value::text) > 500 then to_jsonb(left(value #>> '{}', 500) || '…')
    else value end
$$;

create function funding.audited_changes(before jsonb, after jsonb) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'field', field.name, 'from', funding.audited_value(before->field.name), 'to', funding.audited_value(after->field.name)) order by field.name collate "C"), '[]')
  from (select jsonb_object_keys(before) union select jsonb_object_keys(after)) as field(name)
  where before->field.name is distinct from after->field.name
    and (funding.audited_value(before->field.name) <> 'null' or funding.audited_value(after->field.name) <> 'null')
$$;

create function funding.audited_fields(api_key funding.api_keys) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'name', api_key.name, 'display', api_key.display, 'expires_at', funding.moment(api_key.expires_at),
    'revoked_at', funding.moment(api_key.revoked_at), 'datasets', api_key.datasets, 'daily_quota', api_key.daily_quota,
    'addresses', api_key.addresses)
$$;

create function funding.audited_fields(endpoint funding.webhook_endpoints) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'url', endpoint.url, 'description', endpoint.description, 'events', endpoint.events,
    'filters', (select jsonb_object_agg(item.key, item.value->'query') from jsonb_each(endpoint.filters) as item),
    'deadline_days', endpoint.deadline_days, 'expand', endpoint.expand, 'updated_fields', endpoint.updated_fields, 'state', endpoint.state,
    'disabled_reason', endpoint.disabled_reason)
$$;

create function funding.audited_fields(search funding.saved_searches) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'name', search.name, 'dataset', search.dataset, 'query', search.query, 'address_created_at', funding.moment(search.address_created_at))
$$;

create function funding.audited_fields(digest funding.digests) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'frequency', digest.frequency, 'weekday', (funding.weekday_names())[digest.weekday], 'hour', digest.hour, 'time_zone', digest.time_zone,
    'paused_at', funding.moment(digest.paused_at))
$$;

create function funding.audited_fields(subscription funding.subscriptions) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'tier', subscription.tier, 'status', subscription.status, 'current_period_end', funding.moment(subscription.current_period_end))
$$;

create function funding.audited_fields(account funding.accounts) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'email', account.email, 'user_id', account.auth_user_id, 'keeps_search_text', account.keeps_search_text)
$$;

create function funding.audit(account_id uuid, action text, subject_kind text, subject_id uuid, subject_name text, changes jsonb)
returns void
language sql as $$
  insert into funding.audit_log (account_id, at, actor, actor_email, action, subject_kind, subject_id, subject_name, changes)
  select account.id, funding.wall_clock(), actor.kind, actor.email, audit.action, audit.subject_kind, audit.subject_id,
         left(audit.subject_name, 200), audit.changes
  from funding.accounts as account cross join funding.actor() as actor
  where account.id = audit.account_id
$$;

create function funding.audit_key() returns trigger
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

create function funding.webhook_name(endpoint funding.webhook_endpoints) returns text
language sql immutable parallel safe as $$
  select coalesce(nullif(endpoint.description, ''), endpoint.url)
$$;

create function funding.audit_webhook() returns trigger
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

create function funding.audit_recovery() returns trigger
language plpgsql as $$
begin
  perform funding.audit(endpoint.account_id, 'webhook.recovery_started', 'webhook', endpoint.id, funding.webhook_name(endpoint),
    funding.audited_changes(null, jsonb_build_object('since', funding.moment(new.after_time), 'until', funding.moment(new.until))))
  from funding.webhook_endpoints as endpoint where endpoint.id = new.endpoint_id;
  return null;
end
$$;

create function funding.audit_saved_search() returns trigger
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

create function funding.audit_digest() returns trigger
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

create function funding.audit_subscription() returns trigger
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

create function funding.audit_account() returns trigger
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

create function funding.delete_audit_log() returns trigger
language plpgsql as $$
begin
  delete from funding.audit_log where account_id = old.id;
  return null;
end
$$;

reset check_function_bodies;

-- Columns that somebody chooses. `supabase/tests/audit_log.test.sql` names the others, so that a new one is in one of the lists.
create trigger saved_searches_audit_created after insert on funding.saved_searches
  for each row execute function funding.audit_saved_search();
create trigger saved_searches_audit_updated after update of name, dataset, query, address_hash on funding.saved_searches
  for each row when ((old.name, old.dataset, old.query, old.address_hash) is distinct from (new.name, new.dataset, new.query, new.address_hash))
  execute function funding.audit_saved_search();
create trigger saved_searches_audit_deleted after delete on funding.saved_searches
  for each row execute function funding.audit_saved_search();
create trigger digests_audit_created after insert on funding.digests
  for each row execute function funding.audit_digest();
create trigger digests_audit_updated after update of frequency, weekday, hour, time_zone, paused_at on funding.digests
  for each row when ((old.frequency, old.weekday, old.hour, old.time_zone, old.paused_at is null)
    is distinct from (new.frequency, new.weekday, new.hour, new.time_zone, new.paused_at is null))
  execute function funding.audit_digest();
create trigger digests_audit_deleted after delete on funding.digests
  for each row execute function funding.audit_digest();
