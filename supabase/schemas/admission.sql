-- Admission: each data RPC identifies the key and checks its account's tier and quota first, and counts the request last.

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

-- Admits the holder of a key, without a lock, or raises:
--   PT401  no such key, or revoked, or expired
--   PT403  the account's tier has no API access, or its subscription is not in force
--   PT429  the quota of the UTC day is used up
-- The errors' detail is JSON: api_key_id, daily_quota, remaining. Every data RPC calls this first, and `funding.rpc_result` last, which
-- counts the request: `remaining` is null until then.
--
-- In a read-only transaction the quota is not looked at: the request is counted on the primary, perhaps already (replicas.sql).
--
-- With `is_counted` only the key and its tier are checked: an earlier call counted the request, or nothing is to be counted.
create or replace function funding.admit(key_hash text, is_counted boolean default false) returns funding.admission
language plpgsql as $$
declare
  found_key record;
  admitted funding.admission;
begin
  select api_key.id, api_key.account_id,
         coalesce(tier.api_access, false) as api_access,
         coalesce(tier.daily_quota, 0) as daily_quota,
         coalesce(quota.used, 0) as used,
         funding.is_in_force(subscription) as in_force
  into found_key
  from funding.api_keys as api_key
  left join funding.subscriptions as subscription on subscription.account_id = api_key.account_id
  left join funding.tiers as tier on tier.name = subscription.tier
  left join funding.daily_quota as quota on quota.account_id = api_key.account_id and quota.day = funding.quota_day()
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

  admitted := (found_key.id, found_key.account_id, found_key.daily_quota, null);
  if found_key.daily_quota < 0 then
    admitted.remaining := -1;
  elsif is_counted then
    admitted.remaining := greatest(0, found_key.daily_quota - found_key.used);
  elsif found_key.used >= found_key.daily_quota and funding.may_write() then
    perform funding.refuse_quota(admitted);
  end if;
  return admitted;
end
$$;

-- Counts a request against its account's quota, and returns what remains of that, or raises PT429 where nothing does.
--
-- The row of an account and day is locked until the RPC commits, so the account's requests wait here for each other: `funding.rpc_result`
-- calls this last. Whoever holds the row longer than `lock_timeout` says has stopped, and those who wait would fill the connections of all
-- accounts: they fail with 55P03. (A lock of a row is waited for in two steps, each with that limit.)
create or replace function funding.count_request(admitted funding.admission) returns bigint
language plpgsql set lock_timeout = '250ms' as $$
declare
  used_today bigint;
begin
  -- Nobody waits for the disk. A crash of the database may lose the counts of its last half second; usage is recorded elsewhere, and
  -- durably.
  perform set_config('synchronous_commit', 'off', true);
  -- One statement decides and counts, so parallel requests cannot share the last one of a limit.
  insert into funding.daily_quota as quota (account_id, day, used)
  values (admitted.account_id, funding.quota_day(), 1)
  on conflict (account_id, day) do update set used = quota.used + 1
    where quota.used < admitted.daily_quota
  returning quota.used into used_today;
  if used_today is null then
    perform funding.refuse_quota(admitted);
  end if;
  return admitted.daily_quota - used_today;
end
$$;

-- Refuses a request whose account's quota is used up: PT429.
create or replace function funding.refuse_quota(admitted funding.admission) returns void
language plpgsql immutable as $$
begin
  raise sqlstate 'PT429' using message = 'quota exceeded',
    detail = json_build_object('api_key_id', admitted.api_key_id, 'daily_quota', admitted.daily_quota, 'remaining', 0);
end
$$;

-- Result of every RPC: the admission, and the body. Counts the request, unless it was counted before or counts against no quota; so it is
-- called once the body is made. In a read-only transaction it cannot count (replicas.sql): `remaining` stays null, and the caller counts. A
-- replica that is far behind says so, by `is_behind`. Where the body says that a vector is wanted, the admission names the day on which the request was counted
-- (null where it counts against no quota): whether it stays counted is known only after the second call, and midnight may come in between.
create or replace function funding.rpc_result(admitted funding.admission, body json) returns json
language plpgsql as $$
declare
  is_behind constant boolean := funding.is_behind();
begin
  if admitted.remaining is null and funding.may_write() then
    admitted.remaining := funding.count_request(admitted);
  end if;
  -- Looking for the member would parse every page.
  if starts_with(body::text, '{"wanted_embedding"') then
    return json_build_object(
      'admission', json_build_object(
        'api_key_id', admitted.api_key_id,
        'daily_quota', admitted.daily_quota,
        'remaining', admitted.remaining,
        'counted_on', case when admitted.daily_quota >= 0 then funding.quota_day() end,
        'is_behind', is_behind),
      'body', body);
  end if;
  return json_build_object(
    'admission', json_build_object(
      'api_key_id', admitted.api_key_id,
      'daily_quota', admitted.daily_quota,
      'remaining', admitted.remaining,
      'is_behind', is_behind),
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
language plpgsql security definer set search_path = funding, extensions, pg_temp set lock_timeout = '250ms' as $$
declare
  admitted funding.admission := funding.admit(key_hash, true);
begin
  update funding.daily_quota as quota set used = quota.used - 1
  where quota.account_id = admitted.account_id and quota.day = coalesce(counted_on, funding.quota_day()) and quota.used > 0;
  return funding.rpc_result(funding.admit(key_hash, true), null);
end
$$;
