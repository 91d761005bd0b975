-- What the dashboard asks. Each RPC starts with funding.account_of, and reads and changes rows of that account alone.

-- A key as its owner sees it.
create function funding.key_body(api_key funding.api_keys) returns json
language plpgsql stable as $$
begin
  return json_build_object(
    'id', api_key.id,
    'name', api_key.name,
    'display', api_key.display,
    'status', case
      when api_key.revoked_at is not null then 'revoked'
      when api_key.expires_at <= now() then 'expired'
      else 'active' end,
    'created_at', funding.moment(api_key.created_at),
    'expires_at', funding.moment(api_key.expires_at),
    'revoked_at', funding.moment(api_key.revoked_at),
    'last_used_at', funding.moment(api_key.last_used_at),
    'rotated_from', api_key.rotated_from,
    'replaced_by', (select newer.id from funding.api_keys as newer where newer.rotated_from = api_key.id));
end
$$;

-- The account, its tier and subscription, and what it used today. Without a quota the requests of the day are counted
-- from its usage.
create function public.get_account(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(get_account.user_id, get_account.session_id);
  today constant date := (now() at time zone 'UTC')::date;
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
    'email', account.email,
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
      'active', (select count(*) from funding.api_keys where api_keys.account_id = own_id and funding.is_valid(api_keys)),
      'maximum', funding.setting('maximum_active_keys')));
end
$$;

-- The account's keys, newest first.
create function public.list_account_keys(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(list_account_keys.user_id, list_account_keys.session_id);
begin
  return (
    select coalesce(json_agg(funding.key_body(api_key) order by api_key.created_at desc, api_key.id), '[]')
    from funding.api_keys as api_key where api_key.account_id = own_id);
end
$$;

create function public.create_account_key(
  user_id uuid, session_id uuid, name text, key_hash text, display text, expires_at timestamptz default null)
returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(create_account_key.user_id, create_account_key.session_id);
begin
  return funding.key_body(funding.create_key(own_id, create_account_key.name, create_account_key.key_hash,
    create_account_key.display, create_account_key.expires_at));
end
$$;

-- Gives the new key. See funding.rotate_key.
create function public.rotate_account_key(
  user_id uuid, session_id uuid, key_id uuid, key_hash text, display text, overlap_hours double precision)
returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(rotate_account_key.user_id, rotate_account_key.session_id);
begin
  return funding.key_body(funding.rotate_key(rotate_account_key.key_id, rotate_account_key.key_hash,
    rotate_account_key.display, make_interval(secs => overlap_hours * 3600), own_id));
end
$$;

create function public.revoke_account_key(user_id uuid, session_id uuid, key_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(revoke_account_key.user_id, revoke_account_key.session_id);
begin
  return funding.key_body(funding.revoke_key(revoke_account_key.key_id, own_id));
end
$$;

revoke execute on function
  public.get_account(uuid, uuid),
  public.list_account_keys(uuid, uuid),
  public.create_account_key(uuid, uuid, text, text, text, timestamptz),
  public.rotate_account_key(uuid, uuid, uuid, text, text, double precision),
  public.revoke_account_key(uuid, uuid, uuid)
from public, anon, authenticated;
grant execute on function
  public.get_account(uuid, uuid),
  public.list_account_keys(uuid, uuid),
  public.create_account_key(uuid, uuid, text, text, text, timestamptz),
  public.rotate_account_key(uuid, uuid, uuid, text, text, double precision),
  public.revoke_account_key(uuid, uuid, uuid)
to service_role;
