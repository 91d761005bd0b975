-- Admission: each data RPC identifies the key, checks its account's tier, and counts the request.

-- Whether a subscription gives access now.
create or replace function funding.is_in_force(subscription funding.subscriptions) returns boolean
language sql stable as $$
  select coalesce(subscription.status in ('active', 'trialing', 'past_due')
    and (subscription.current_period_end is null or subscription.current_period_end + subscription.grace > now()), false)
$$;

-- Day that requests are counted on now.
create or replace function funding.quota_day() returns date
language sql stable as $$
  select (now() at time zone 'UTC')::date
$$;

-- Admits the holder of a key, counting the request against the account's quota, or raises:
--   PT401  no such key, or revoked, or expired
--   PT403  the account's tier has no API access, or its subscription is not in force
--   PT429  the quota of the UTC day is used up
-- The errors' detail is JSON: api_key_id, daily_quota, remaining. Every data RPC calls this first.
--
-- With `is_counted` only the key and its tier are checked: an earlier call counted the request, or nothing is to be counted.
create or replace function funding.admit(key_hash text, is_counted boolean default false) returns funding.admission
language plpgsql as $$
declare
  found_key record;
  admitted funding.admission;
  used_today bigint;
begin
  select api_key.id, api_key.account_id,
         coalesce(tier.api_access, false) as api_access,
         coalesce(tier.daily_quota, 0) as daily_quota,
         funding.is_in_force(subscription) as in_force
  into found_key
  from funding.api_keys as api_key
  left join funding.subscriptions as subscription on subscription.account_id = api_key.account_id
  left join funding.tiers as tier on tier.name = subscription.tier
  where api_key.key_hash = admit.key_hash
    and api_key.revoked_at is null
    and (api_key.expires_at is null or api_key.expires_at > now());

  if not found then
    raise sqlstate 'PT401' using message = 'unknown key', detail = '{}';
  end if;
  if not (found_key.api_access and found_key.in_force) then
    raise sqlstate 'PT403' using message = 'no api access',
      detail = json_build_object('api_key_id', found_key.id, 'daily_quota', 0, 'remaining', 0);
  end if;

  admitted := (found_key.id, found_key.account_id, found_key.daily_quota, -1);
  if found_key.daily_quota >= 0 and is_counted then
    admitted.remaining := greatest(0, found_key.daily_quota - coalesce((
      select quota.used from funding.daily_quota as quota
      where quota.account_id = found_key.account_id and quota.day = funding.quota_day()), 0));
  elsif found_key.daily_quota >= 0 then
    -- The account's requests wait here for each other's commits, and without this also for the disk. A crash of the database may
    -- lose the counts of its last half second; usage is recorded elsewhere, and durably.
    perform set_config('synchronous_commit', 'off', true);
    -- One statement decides and counts, so parallel requests cannot share the last one of a limit.
    insert into funding.daily_quota as quota (account_id, day, used)
    select found_key.account_id, funding.quota_day(), 1
    where found_key.daily_quota > 0
    on conflict (account_id, day) do update set used = quota.used + 1
      where quota.used < found_key.daily_quota
    returning quota.used into used_today;
    if used_today is null then
      raise sqlstate 'PT429' using message = 'quota exceeded',
        detail = json_build_object('api_key_id', found_key.id, 'daily_quota', found_key.daily_quota, 'remaining', 0);
    end if;
    admitted.remaining := found_key.daily_quota - used_today;
  end if;
  return admitted;
end
$$;

-- Result of every RPC: the admission, and the body. Where the body says that a vector is wanted, the admission names the day on which
-- the request was counted (null where it counts against no quota): whether it stays counted is known only after the second call,
-- and midnight may come in between.
create or replace function funding.rpc_result(admitted funding.admission, body json) returns json
language plpgsql stable as $$
begin
  -- Looking for the member would parse every page.
  if starts_with(body::text, '{"wanted_embedding"') then
    return json_build_object(
      'admission', json_build_object(
        'api_key_id', admitted.api_key_id,
        'daily_quota', admitted.daily_quota,
        'remaining', admitted.remaining,
        'counted_on', case when admitted.daily_quota >= 0 then funding.quota_day() end),
      'body', body);
  end if;
  return json_build_object(
    'admission', json_build_object(
      'api_key_id', admitted.api_key_id,
      'daily_quota', admitted.daily_quota,
      'remaining', admitted.remaining),
    'body', body);
end
$$;

-- Admits and counts a request that needs no data, such as one with wrong parameters.
create or replace function public.admit_request(key_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  return funding.rpc_result(funding.admit(key_hash), null);
end
$$;

-- Admits the holder of a key without counting a request, so that PT429 is never raised: for what a caller sees before it asks for
-- anything, such as the list of MCP's tools.
create or replace function public.identify_key(key_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  return funding.rpc_result(funding.admit(key_hash, true), null);
end
$$;

-- Takes back the count of a request that failed on our side after the RPC that counted it: on the day on which it was counted,
-- since midnight may have passed.
create or replace function public.withdraw_request(key_hash text, counted_on date default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  admitted funding.admission := funding.admit(key_hash, true);
begin
  update funding.daily_quota as quota set used = quota.used - 1
  where quota.account_id = admitted.account_id and quota.day = coalesce(counted_on, funding.quota_day()) and quota.used > 0;
  return funding.rpc_result(funding.admit(key_hash, true), null);
end
$$;
