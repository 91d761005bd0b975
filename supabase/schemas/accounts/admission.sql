-- Admission: each data RPC identifies the key and checks its account's tier and quota first, and counts the request last.

-- Day that requests are counted on now.
create or replace function funding.quota_day() returns date
language sql stable as $$
  select (funding.latest_now() at time zone 'UTC')::date
$$;

-- Admits the holder of a key, without a lock, or raises:
--   PT401  no such key, or revoked, or expired
--   PT403  the client's address is in none of the key's ranges; or the account's tier has no API access, or its subscription is not in force; or
--          the key does not read all of these `datasets`
--   PT429  the quota of the UTC day is used up: the account's, or the key's own
-- The errors' detail is JSON: api_key_id, daily_quota, remaining. Every data RPC calls this function first, and `funding.rpc_result` last. That one
-- counts the request: `remaining` is null until then, and -1 where there is no quota.
--
-- In a read-only transaction the quotas are not checked: the primary counts the request, and may have counted it already (replicas.sql).
--
-- With `is_counted` only the key, its addresses, its tier and its datasets are checked: an earlier call counted the request, or nothing is to be
-- counted.
--
-- 'catalogue' in the place of a hash is the public catalogue, whose visitors have no key: the function of that name limits them, where an operator turned
-- it on. No key has this hash. It reads all datasets, and counts against no quota.
create or replace function funding.admit(key_hash text, is_counted boolean default false, datasets text[] default null)
returns funding.admission
language plpgsql as $$
declare
  found_key record;
  admitted funding.admission;
begin
  if admit.key_hash = 'catalogue' then
    admitted.daily_quota := -1;
    admitted.remaining := -1;
    return admitted;
  end if;
  select api_key.id, api_key.account_id, api_key.datasets, api_key.addresses, api_key.daily_quota as key_quota,
         coalesce(api_key.quota_key_id, api_key.id) as quota_key_id,
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
    and (api_key.expires_at is null or api_key.expires_at > funding.latest_now());

  if not found then
    raise sqlstate 'PT401' using message = 'unknown key', detail = '{}';
  end if;
  -- Checked first, so that a client with a stolen key at another address learns nothing else about the key's account.
  if found_key.addresses is not null then
    perform funding.require_address(found_key.id, found_key.addresses);
  end if;
  if not (found_key.api_access and found_key.in_force) then
    raise sqlstate 'PT403' using message = 'no api access',
      detail = json_build_object('api_key_id', found_key.id, 'daily_quota', 0, 'remaining', 0);
  end if;

  admitted := (found_key.id, found_key.account_id, found_key.daily_quota, null, found_key.key_quota, found_key.quota_key_id,
    found_key.datasets);
  -- The comparison is null, and so refuses nothing, where the key or the request has no datasets.
  if not admit.datasets <@ admitted.datasets then
    perform funding.refuse_datasets(admitted, admit.datasets);
  end if;
  if admitted.daily_quota < 0 and admitted.key_quota is null then
    admitted.remaining := -1;
  elsif is_counted then
    admitted := funding.with_remaining(admitted, found_key.used, funding.used_by_key(admitted));
  elsif funding.may_write() then
    if admitted.key_quota is not null and funding.used_by_key(admitted) >= admitted.key_quota then
      perform funding.refuse_key_quota(admitted);
    end if;
    if admitted.daily_quota >= 0 and found_key.used >= admitted.daily_quota then
      perform funding.refuse_quota(admitted);
    end if;
  end if;
  return admitted;
end
$$;

-- Datasets of which a key has to read one alone: null, which `funding.admit` takes for any key, where it reads one of them or there are none; else all,
-- for which it is refused.
create or replace function funding.datasets_if_unread(key_hash text, datasets text[]) returns text[]
language plpgsql stable as $$
begin
  return (
    select datasets_if_unread.datasets from funding.api_keys as api_key
    where api_key.key_hash = datasets_if_unread.key_hash and cardinality(datasets_if_unread.datasets) > 0
      and not datasets_if_unread.datasets && api_key.datasets);
end
$$;

-- Address of the client that sent this request; null where it is not known. The functions send it with each call, in a header of their own. PostgREST
-- takes these calls only from the service role, so nobody else can set the header.
create or replace function funding.client_address() returns inet
language sql stable as $$
  -- The setting is empty, not null, where an earlier transaction of the session had headers.
  select (nullif(current_setting('request.headers', true), '')::json->>'x-client-address')::inet
$$;

-- Raises PT403 unless the client's address is known and in one of the key's ranges.
create or replace function funding.require_address(key_id uuid, ranges cidr[]) returns void
language plpgsql stable as $$
declare
  client_address constant inet := funding.client_address();
begin
  if client_address <<= any (ranges) then
    return;
  end if;
  raise sqlstate 'PT403' using message = 'outside of the addresses of the key',
    detail = json_build_object('api_key_id', key_id, 'daily_quota', 0, 'remaining', 0, 'key_addresses', ranges,
      'client_address', host(client_address));
end
$$;

-- Requests of today that count against the quota of a key.
create or replace function funding.used_by_key(admitted funding.admission) returns bigint
language plpgsql stable as $$
begin
  if admitted.key_quota is null then
    return 0;
  end if;
  return coalesce((
    select quota.used from funding.daily_key_quota as quota
    where quota.api_key_id = admitted.quota_key_id and quota.day = funding.quota_day()), 0);
end
$$;

-- Returns the admission with the `daily_quota` and `remaining` of the quota that has less left: the account's or the key's.
create or replace function funding.with_remaining(admitted funding.admission, used bigint, used_by_key bigint) returns funding.admission
language plpgsql immutable as $$
declare
  left_of_key constant bigint := greatest(0, admitted.key_quota - used_by_key);
begin
  admitted.remaining := case when admitted.daily_quota >= 0 then greatest(0, admitted.daily_quota - used) end;
  if admitted.key_quota is not null and left_of_key <= coalesce(admitted.remaining, left_of_key) then
    admitted.daily_quota := admitted.key_quota;
    admitted.remaining := left_of_key;
  end if;
  return admitted;
end
$$;

-- Counts a request against the quotas of its key and of its account. Returns the admission with the remainder of the quota that has less left. Raises
-- PT429 where one of the quotas is used up, and then counts against neither.
--
-- The row of a key or an account and day is locked until the RPC commits, so requests of the same key or account wait here for each other:
-- `funding.rpc_result` calls this function last. A transaction that holds the row for longer than `lock_timeout` has stopped, and the waiting
-- requests would fill the connections of all accounts: they fail with 55P03. (A lock of a row is waited for in two steps, each with that limit.) The
-- key's row always comes first. So two requests never wait for each other's rows, and requests with the account's other keys wait only for the last
-- step.
create or replace function funding.count_request(admitted funding.admission) returns funding.admission
language plpgsql set lock_timeout = '250ms' as $$
declare
  used_today bigint;
  used_by_key_today bigint;
begin
  -- No request waits for the disk. A crash of the database may lose the counts of its last half second; usage is recorded elsewhere, and durably.
  perform set_config('synchronous_commit', 'off', true);
  -- One statement checks the quota and counts, so parallel requests cannot share the last request of a quota.
  if admitted.key_quota is not null then
    insert into funding.daily_key_quota as quota (api_key_id, day, used)
    values (admitted.quota_key_id, funding.quota_day(), 1)
    on conflict (api_key_id, day) do update set used = quota.used + 1
      where quota.used < admitted.key_quota
    returning quota.used into used_by_key_today;
    if used_by_key_today is null then
      perform funding.refuse_key_quota(admitted);
    end if;
  end if;
  if admitted.daily_quota >= 0 then
    insert into funding.daily_quota as quota (account_id, day, used)
    values (admitted.account_id, funding.quota_day(), 1)
    on conflict (account_id, day) do update set used = quota.used + 1
      where quota.used < admitted.daily_quota
    returning quota.used into used_today;
    if used_today is null then
      perform funding.refuse_quota(admitted);
    end if;
  end if;
  return funding.with_remaining(admitted, used_today, used_by_key_today);
end
$$;

-- Time at which the quotas of this day begin anew, by the database's clock: the clock of the edge function may be in the next day already.
create or replace function funding.quota_resets_at() returns text
language plpgsql stable as $$
begin
  return funding.moment((funding.quota_day() + 1)::timestamp at time zone 'UTC');
end
$$;

-- Refuses a request whose account's quota is used up: PT429.
create or replace function funding.refuse_quota(admitted funding.admission) returns void
language plpgsql stable as $$
begin
  raise sqlstate 'PT429' using message = 'quota exceeded',
    detail = json_build_object('api_key_id', admitted.api_key_id, 'daily_quota', admitted.daily_quota, 'remaining', 0,
      'resets_at', funding.quota_resets_at());
end
$$;

-- Refuses a request whose key's quota is used up: PT429, with `quota_of` in its detail.
create or replace function funding.refuse_key_quota(admitted funding.admission) returns void
language plpgsql stable as $$
begin
  raise sqlstate 'PT429' using message = 'quota of the key exceeded',
    detail = json_build_object('api_key_id', admitted.api_key_id, 'daily_quota', admitted.key_quota, 'remaining', 0, 'quota_of', 'key',
      'resets_at', funding.quota_resets_at());
end
$$;

-- Refuses a request whose key does not read all of its datasets: PT403, with the key's datasets and the others in its detail.
create or replace function funding.refuse_datasets(admitted funding.admission, datasets text[]) returns void
language plpgsql immutable as $$
begin
  raise sqlstate 'PT403' using message = 'outside of the datasets of the key',
    detail = json_build_object('api_key_id', admitted.api_key_id, 'daily_quota', 0, 'remaining', 0, 'key_datasets', admitted.datasets,
      'unread_datasets', array(
        select asked.name from unnest(datasets) with ordinality as asked(name, position)
        where asked.name <> all (admitted.datasets) order by asked.position));
end
$$;

-- Result of every RPC: the admission, and the body. Counts the request, unless it was counted before or counts against no quota. So it is called once
-- the body is made. In a read-only transaction it cannot count (replicas.sql): `remaining` stays null, and the client of the RPC counts the request
-- on the primary. `is_behind` says that a replica is far behind. Where the body asks for a vector, or is null, the admission names the day on which
-- the request is counted (null where it counts against no quota): only a second call decides whether the request stays counted, and midnight may pass
-- before that call.
create or replace function funding.rpc_result(admitted funding.admission, body json) returns json
language plpgsql as $$
declare
  is_behind constant boolean := funding.is_behind();
begin
  if admitted.remaining is null and funding.may_write() then
    admitted := funding.count_request(admitted);
  end if;
  -- Looking for the member would parse every page.
  if body is null or starts_with(body::text, '{"wanted_embedding"') then
    return json_build_object(
      'admission', json_build_object(
        'api_key_id', admitted.api_key_id,
        'daily_quota', admitted.daily_quota,
        'remaining', admitted.remaining,
        'counted_on', case when admitted.remaining is distinct from -1 then funding.quota_day() end,
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

-- Admits and counts a request that needs no data, such as one with wrong parameters. `datasets` are those of its route.
create or replace function public.admit_request(key_hash text, datasets text[] default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  return funding.rpc_result(funding.admit(key_hash, false, datasets), null);
end
$$;

-- Admits the holder of a key without counting a request, so that PT429 is never raised. It serves answers that a caller gets before it asks for data,
-- such as the list of MCP's tools.
create or replace function public.identify_key(key_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  return funding.rpc_result(funding.admit(key_hash, true), null);
end
$$;

-- Takes back the count of a request that failed on our side after the RPC that counted it. The count is taken from the day on which the request was
-- counted, since midnight may have passed.
create or replace function public.withdraw_request(key_hash text, counted_on date default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set lock_timeout = '250ms' as $$
declare
  admitted funding.admission := funding.admit(key_hash, true);
begin
  if admitted.key_quota is not null then
    update funding.daily_key_quota as quota set used = quota.used - 1
    where quota.api_key_id = admitted.quota_key_id and quota.day = coalesce(counted_on, funding.quota_day()) and quota.used > 0;
  end if;
  update funding.daily_quota as quota set used = quota.used - 1
  where quota.account_id = admitted.account_id and quota.day = coalesce(counted_on, funding.quota_day()) and quota.used > 0;
  return funding.rpc_result(funding.admit(key_hash, true), null);
end
$$;
