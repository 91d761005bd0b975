-- RPCs of the dashboard for an account and its keys. Each starts with `funding.account_of`, or with `funding.owned_account_of` where it requires an
-- owner, and reads and changes only rows of that account. Their results are bounded, however many keys an account has gathered. (300 a day can be
-- made.)

-- A key as its owner sees it.
create or replace function funding.key_body(api_key funding.api_keys) returns json
language plpgsql stable as $$
begin
  return json_build_object(
    'id', api_key.id,
    'name', api_key.name,
    'display', api_key.display,
    'status', case
      when api_key.revoked_at is not null then 'revoked'
      when api_key.expires_at <= funding.latest_now() then 'expired'
      else 'active' end,
    'created_at', funding.moment(api_key.created_at),
    'expires_at', funding.moment(api_key.expires_at),
    'revoked_at', funding.moment(api_key.revoked_at),
    'last_used_at', funding.moment(api_key.last_used_at),
    'rotated_from', api_key.rotated_from,
    'replaced_by', funding.replacement_of(api_key.id),
    'datasets', api_key.datasets,
    'daily_quota', api_key.daily_quota,
    'addresses', api_key.addresses);
end
$$;

-- The account, its tier and subscription, and its use today. Without a quota, the requests of the day are counted from the account's usage.
create or replace function public.get_account(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_account.user_id, get_account.session_id);
  today constant date := funding.quota_day();
  account funding.accounts;
  subscription funding.subscriptions;
  tier funding.tiers;
  has_access boolean;
  daily_limit bigint;
  used_today bigint;
begin
  select * into account from funding.accounts where accounts.id = own_id;
  select * into subscription from funding.subscriptions where subscriptions.account_id = own_id;
  select * into tier from funding.tiers where tiers.name = coalesce(subscription.tier, 'free');
  has_access := tier.api_access and funding.is_in_force(subscription);
  daily_limit := case when has_access then tier.daily_quota else 0 end;
  if daily_limit < 0 then
    select coalesce(sum(usage.requests), 0) into used_today
    from funding.usage join funding.api_keys on api_keys.id = usage.api_key_id
    where api_keys.account_id = own_id and usage.day = today;
  else
    select coalesce(sum(quota.used), 0) into used_today
    from funding.daily_quota as quota where quota.account_id = own_id and quota.day = today;
  end if;
  return json_build_object(
    'id', account.id,
    'email', funding.account_email(account),
    'role', funding.role_of(own_id, get_account.user_id),
    'created_at', funding.moment(account.created_at),
    'api_access', has_access,
    'tier', json_build_object('name', tier.name, 'api_access', tier.api_access, 'daily_quota', tier.daily_quota),
    'subscription', case when subscription.account_id is not null then json_build_object(
      'status', subscription.status,
      'current_period_end', funding.moment(subscription.current_period_end),
      'in_force', funding.is_in_force(subscription)) end,
    'quota', json_build_object(
      'limit', daily_limit,
      'used', used_today,
      'remaining', case when daily_limit < 0 then -1 else greatest(0, daily_limit - used_today) end,
      'resets_at', funding.moment((today + 1)::timestamp at time zone 'UTC')),
    'keys', json_build_object(
      'active', (select count(*) from funding.api_keys where api_keys.account_id = own_id and not api_keys.is_explorer and funding.is_valid(api_keys)),
      'maximum', funding.setting('maximum_active_keys')),
    'keeps_search_text', account.keeps_search_text);
end
$$;

-- Changes the account's own settings. Only owners may. `changes` may have keeps_search_text. Returns the account.
create or replace function public.update_account(user_id uuid, session_id uuid, changes jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(update_account.user_id, update_account.session_id);
begin
  perform funding.require_write(own_id, 'account_changes');
  update funding.accounts
  set keeps_search_text = coalesce((changes->>'keeps_search_text')::boolean, accounts.keeps_search_text)
  where accounts.id = own_id;
  return funding.count_write(own_id, 'account_changes', public.get_account(update_account.user_id, update_account.session_id));
end
$$;

-- Lists the account's keys, newest first: all active keys, and the newest of the others, `funding.keys_told` in all. The explorer's keys are left
-- out: they end by themselves.
create or replace function public.list_account_keys(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_account_keys.user_id, list_account_keys.session_id);
begin
  return (
    select coalesce(json_agg(funding.key_body(told.api_key) order by (told.api_key).created_at desc, (told.api_key).id), '[]')
    from (
      select own_key as api_key from funding.api_keys as own_key where own_key.account_id = own_id and not own_key.is_explorer
      order by funding.is_valid(own_key) desc, own_key.created_at desc, own_key.id
      limit funding.keys_told()
    ) as told);
end
$$;

-- Adds a key to the account, and returns the key. `limits` are described at `funding.with_limits`.
create or replace function public.create_account_key(
  user_id uuid, session_id uuid, name text, key_hash text, display text, expires_at timestamptz default null, limits jsonb default null)
returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(create_account_key.user_id, create_account_key.session_id);
begin
  perform funding.require_write(own_id, 'key_creations');
  return funding.count_write(own_id, 'key_creations', funding.key_body(funding.create_key(own_id, create_account_key.name,
    create_account_key.key_hash, create_account_key.display, create_account_key.expires_at, create_account_key.limits)));
end
$$;

-- Changes the limits of a key, and returns the key. `limits` are described at `funding.with_limits`.
create or replace function public.limit_account_key(user_id uuid, session_id uuid, key_id uuid, limits jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(limit_account_key.user_id, limit_account_key.session_id);
begin
  perform funding.require_write(own_id, 'key_changes');
  return funding.count_write(own_id, 'key_changes',
    funding.key_body(funding.limit_key(limit_account_key.key_id, limit_account_key.limits, own_id)));
end
$$;

-- Issues a short-lived key to the dashboard's explorer. Returns { id, display, expires_at }. See `funding.issue_explorer_key`.
create or replace function public.create_explorer_key(user_id uuid, session_id uuid, key_hash text, display text) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(create_explorer_key.user_id, create_explorer_key.session_id);
  issued funding.api_keys;
begin
  perform funding.require_write(own_id, 'explorer_keys');
  issued := funding.issue_explorer_key(own_id, create_explorer_key.key_hash, create_explorer_key.display, create_explorer_key.user_id);
  return funding.count_write(own_id, 'explorer_keys',
    json_build_object('id', issued.id, 'display', issued.display, 'expires_at', funding.moment(issued.expires_at)));
end
$$;

-- Replaces a key. Returns the new one. See `funding.rotate_key`.
create or replace function public.rotate_account_key(
  user_id uuid, session_id uuid, key_id uuid, key_hash text, display text, overlap_hours double precision)
returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(rotate_account_key.user_id, rotate_account_key.session_id);
begin
  perform funding.require_write(own_id, 'key_rotations');
  return funding.count_write(own_id, 'key_rotations', funding.key_body(funding.rotate_key(rotate_account_key.key_id,
    rotate_account_key.key_hash, rotate_account_key.display, make_interval(secs => overlap_hours * 3600), own_id)));
end
$$;

-- Revokes a key. Revoking it again writes nothing and counts nothing: otherwise anybody with a session could use up the account's revocations on one
-- key, and its owner could revoke no other.
create or replace function public.revoke_account_key(user_id uuid, session_id uuid, key_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(revoke_account_key.user_id, revoke_account_key.session_id);
  revoked funding.api_keys;
begin
  select * into revoked from funding.api_keys
  where api_keys.id = revoke_account_key.key_id and api_keys.account_id = own_id and api_keys.revoked_at is not null;
  if found then
    return funding.with_write_limit(own_id, 'key_revocations', funding.key_body(revoked));
  end if;
  perform funding.require_write(own_id, 'key_revocations');
  return funding.count_write(own_id, 'key_revocations', funding.key_body(funding.revoke_key(revoke_account_key.key_id, own_id)));
end
$$;
