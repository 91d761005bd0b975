-- Accounts, tiers, keys and the decision who gets in.

create table funding.tiers (
  name text primary key,
  api_access boolean not null,
  -- Requests a day; -1 is unlimited.
  daily_quota bigint not null,
  constraint tiers_quota_valid check (daily_quota >= -1)
);
alter table funding.tiers enable row level security;
insert into funding.tiers (name, api_access, daily_quota) values
  ('free', false, 0),
  ('developer', true, -1);

create table funding.accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  -- Who signs in to it: a user of Supabase Auth. Null until somebody does.
  auth_user_id uuid,
  created_at timestamptz not null default now(),
  constraint accounts_email_unique unique (email),
  constraint accounts_auth_user_unique unique (auth_user_id),
  constraint accounts_email_lower_case check (email = lower(email) and email like '%_@_%')
);
alter table funding.accounts enable row level security;

-- What an account has paid for. One row an account; without one, the account has the free tier.
create table funding.subscriptions (
  account_id uuid primary key references funding.accounts (id) on delete cascade,
  tier text not null references funding.tiers (name) on update cascade,
  status text not null default 'active',
  -- Null is a subscription without an end.
  current_period_end timestamptz,
  -- How long access goes on past that end: what a payment provider may take to tell us of the renewal.
  grace interval not null default '0',
  updated_at timestamptz not null default now(),
  -- The statuses that Stripe has.
  constraint subscriptions_status_known check (status in
    ('active', 'trialing', 'past_due', 'canceled', 'unpaid', 'paused', 'incomplete', 'incomplete_expired')),
  constraint subscriptions_grace_valid check (grace between interval '0' and interval '7 days')
);
alter table funding.subscriptions enable row level security;
create index subscriptions_tier on funding.subscriptions (tier);

-- Whether a subscription gives access now.
create function funding.is_in_force(subscription funding.subscriptions) returns boolean
language sql stable as $$
  select coalesce(subscription.status in ('active', 'trialing', 'past_due')
    and (subscription.current_period_end is null or subscription.current_period_end + subscription.grace > now()), false)
$$;

create table funding.api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references funding.accounts (id) on delete cascade,
  name text not null,
  -- SHA-256 of the whole key, lower-case hexadecimal. The key itself is never stored.
  key_hash text not null,
  -- What its owner sees afterwards: the first characters and the last four.
  display text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- The key that this one replaces.
  rotated_from uuid references funding.api_keys (id),
  constraint api_keys_hash_unique unique (key_hash),
  constraint api_keys_hash_is_sha256 check (key_hash ~ '^[0-9a-f]{64}$'),
  constraint api_keys_name_length check (char_length(name) between 1 and 100)
);
alter table funding.api_keys enable row level security;
create index api_keys_account on funding.api_keys (account_id);
create index api_keys_rotated_from on funding.api_keys (rotated_from);

-- Requests that count against a daily quota, by UTC day. Accounts without a quota have no rows.
create table funding.daily_quota (
  account_id uuid not null references funding.accounts (id) on delete cascade,
  day date not null,
  used bigint not null,
  primary key (account_id, day)
);
alter table funding.daily_quota enable row level security;

-- Requests by key, UTC day, endpoint, status and response-time bucket: counts that only ever add
-- up, from which error rates and percentiles follow. `latency_bucket_ms` is the bucket's upper
-- bound; 2147483647 stands for everything slower than the last bound.
create table funding.usage (
  api_key_id uuid not null references funding.api_keys (id) on delete cascade,
  day date not null,
  endpoint text not null,
  status smallint not null,
  latency_bucket_ms integer not null,
  requests bigint not null,
  primary key (api_key_id, day, endpoint, status, latency_bucket_ms)
);
alter table funding.usage enable row level security;

-- The same over all keys and days, with the sum of the response times, for whoever watches the whole: totals that only
-- grow, few enough to be read each minute. A total is the sum over its shards. Each connection adds to the shard of its
-- own, so that connections do not wait for each other's commits.
create table funding.usage_totals (
  shard smallint not null,
  endpoint text not null,
  status smallint not null,
  latency_bucket_ms integer not null,
  requests bigint not null,
  duration_ms double precision not null,
  primary key (shard, endpoint, status, latency_bucket_ms)
) with (fillfactor = 70);
alter table funding.usage_totals enable row level security;

-- An admitted caller. `daily_quota` and `remaining` are -1 when unlimited.
create type funding.admission as (
  api_key_id uuid,
  account_id uuid,
  daily_quota bigint,
  remaining bigint
);

-- Admits the holder of a key, counting the request against the account's quota, or raises:
--   PT401  no such key, or revoked, or expired
--   PT403  the account's tier has no API access, or its subscription is not in force
--   PT429  the quota of the UTC day is used up
-- The errors' detail is JSON: api_key_id, daily_quota, remaining. Every data RPC calls this first.
--
-- A request that takes a second round trip was counted by the first: with `is_counted`, only the key and its
-- tier are looked at again.
create function funding.admit(key_hash text, is_counted boolean default false) returns funding.admission
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
      where quota.account_id = found_key.account_id and quota.day = (now() at time zone 'UTC')::date), 0));
  elsif found_key.daily_quota >= 0 then
    -- The account's requests wait for each other here, and would for each other's commits to reach the disk. A crash
    -- of the database may forget the counts of its last half second; usage is kept apart, and durably.
    perform set_config('synchronous_commit', 'off', true);
    -- One statement decides and counts, so parallel requests cannot share the last place.
    insert into funding.daily_quota as quota (account_id, day, used)
    select found_key.account_id, (now() at time zone 'UTC')::date, 1
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

-- Who writes usage, with the number of the last batch of theirs that was counted: a batch that goes again, because
-- nobody heard that it had arrived, is counted once. A process is one writer; on Workers each request is.
create table funding.usage_writers (
  id uuid primary key,
  batch bigint not null,
  created_at timestamptz not null default now(),
  -- Without an index, so that counting on does not touch one.
  written_at timestamptz not null default now()
) with (fillfactor = 70);
alter table funding.usage_writers enable row level security;
create index usage_writers_created_at on funding.usage_writers (created_at);

-- Adds a batch of finished requests to the usage counts. Each item of `events`:
-- { api_key_id, at, endpoint, status, latency_bucket_ms, requests, duration_ms }, with key_hash in place of api_key_id
-- where the request failed before the key was looked up. Keys that do not exist are passed over. The rows are written in key order, so that two batches cannot deadlock.
-- What a clock that is ahead dates in the future is counted now.
-- A writer numbers its batches from 1 and sends the next when this one is in; without a writer, every call counts.
create function public.record_usage(events jsonb, writer uuid default null, batch bigint default null) returns void
language plpgsql security definer set search_path = funding, pg_temp as $$
begin
  if writer is not null then
    insert into funding.usage_writers as known (id, batch) values (writer, record_usage.batch)
    on conflict (id) do update set batch = excluded.batch, written_at = now() where known.batch < excluded.batch;
    if not found then
      return;
    end if;
    -- Whoever is new takes away some who are gone. An hour is longer than anybody goes on sending a batch that is in.
    if batch = 1 then
      delete from funding.usage_writers where id in (
        select old.id from funding.usage_writers as old
        where old.created_at < now() - interval '1 hour' and old.written_at < now() - interval '1 hour'
        order by old.created_at limit 100 for update skip locked);
    end if;
  end if;

  insert into funding.usage as counted (api_key_id, day, endpoint, status, latency_bucket_ms, requests)
  select api_key.id, (least(event.at, now()) at time zone 'UTC')::date, event.endpoint, event.status,
         event.latency_bucket_ms, sum(event.requests)
  from jsonb_to_recordset(events) as event(
    api_key_id uuid, key_hash text, at timestamptz, endpoint text, status smallint, latency_bucket_ms integer, requests bigint)
  join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
  on conflict (api_key_id, day, endpoint, status, latency_bucket_ms)
    do update set requests = counted.requests + excluded.requests;

  insert into funding.usage_totals as counted (shard, endpoint, status, latency_bucket_ms, requests, duration_ms)
  select pg_backend_pid() % 16, event.endpoint, event.status, event.latency_bucket_ms, sum(event.requests),
         coalesce(sum(event.duration_ms), 0)
  from jsonb_to_recordset(events) as event(
    api_key_id uuid, key_hash text, endpoint text, status smallint, latency_bucket_ms integer, requests bigint,
    duration_ms double precision)
  join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
  group by 2, 3, 4
  order by 2, 3, 4
  on conflict (shard, endpoint, status, latency_bucket_ms) do update
    set requests = counted.requests + excluded.requests, duration_ms = counted.duration_ms + excluded.duration_ms;

  -- To the minute is enough for its owner, and spares a row version a request. Locked in key order, too, and no more than
  -- the update itself does: each batch's counts refer to the key and hold it in share, so two that asked for all of it would wait for each other.
  with used as (
    select api_key.id, event.at
    from (
      select item.api_key_id, least(max(item.at), now()) as at
      from jsonb_to_recordset(events) as item(api_key_id uuid, at timestamptz)
      group by 1
    ) as event
    join funding.api_keys as api_key on api_key.id = event.api_key_id
    where api_key.last_used_at is null or api_key.last_used_at < event.at - interval '1 minute'
    order by api_key.id
    for no key update of api_key
  )
  update funding.api_keys as api_key set last_used_at = used.at from used where api_key.id = used.id;
end
$$;
revoke execute on function public.record_usage(jsonb, uuid, bigint) from public, anon, authenticated;
grant execute on function public.record_usage(jsonb, uuid, bigint) to service_role;

-- Managing accounts and keys. Errors that the caller can mend are raised as PT4xx with a message for
-- people: 404 for what does not exist, 400 for what is not allowed, 409 for what stands in the way.

insert into funding.settings (name, value, description) values
  ('maximum_active_keys', '50', 'Keys that an account may have at a time. While old ones are being replaced, twice as many.');

create function funding.account_id(email text) returns uuid
language plpgsql stable as $$
declare
  found_id uuid;
begin
  select accounts.id into found_id from funding.accounts where accounts.email = lower(account_id.email);
  if not found then
    raise sqlstate 'PT404' using message = format('there is no account %s', email);
  end if;
  return found_id;
end
$$;

-- Opens an account on a tier. Returns its id.
create function funding.create_account(email text, tier text default 'developer') returns uuid
language plpgsql as $$
declare
  new_id uuid;
begin
  insert into funding.accounts (email) values (lower(create_account.email))
  on conflict on constraint accounts_email_unique do nothing
  returning accounts.id into new_id;
  if new_id is null then
    raise sqlstate 'PT409' using message = format('there is an account %s already', email);
  end if;
  perform funding.set_tier(email, tier);
  return new_id;
end
$$;

-- Puts an account on a tier, at once and without an end.
create function funding.set_tier(email text, tier text) returns void
language plpgsql as $$
begin
  if not exists (select from funding.tiers where tiers.name = set_tier.tier) then
    raise sqlstate 'PT404' using message = format('there is no tier %s; there are %s', tier,
      (select string_agg(tiers.name, ', ' order by tiers.name) from funding.tiers));
  end if;
  insert into funding.subscriptions (account_id, tier) values (funding.account_id(email), set_tier.tier)
  on conflict (account_id) do update
    set tier = excluded.tier, status = 'active', current_period_end = null, grace = '0', updated_at = now();
end
$$;

-- Whether a key is let in, its account's tier aside.
create function funding.is_valid(api_key funding.api_keys) returns boolean
language sql stable as $$
  select api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > now())
$$;

-- Makes sure that an account may have one more valid key, and makes its other key changes wait for this one.
create function funding.require_room_for_key(account_id uuid, maximum bigint) returns void
language plpgsql as $$
begin
  perform from funding.accounts where accounts.id = require_room_for_key.account_id for no key update;
  if (select count(*) from funding.api_keys as api_key
      where api_key.account_id = require_room_for_key.account_id and funding.is_valid(api_key)) >= maximum then
    raise sqlstate 'PT409' using message = format('the account has %s active keys, which is the most; revoke one first', maximum);
  end if;
end
$$;

-- Adds a key to an account. Returns it.
create function funding.create_key(account_id uuid, name text, key_hash text, display text, expires_at timestamptz)
returns funding.api_keys
language plpgsql as $$
declare
  new_key funding.api_keys;
begin
  if create_key.expires_at <= now() then
    raise sqlstate 'PT400' using message = 'the expiry must be in the future', hint = 'expires_at';
  end if;
  perform funding.require_room_for_key(create_key.account_id, funding.setting('maximum_active_keys')::bigint);
  insert into funding.api_keys (account_id, name, key_hash, display, expires_at)
  values (create_key.account_id, create_key.name, create_key.key_hash, create_key.display, create_key.expires_at)
  returning * into new_key;
  return new_key;
end
$$;

-- Adds a key to the account of an e-mail address. Returns the key's id.
create function funding.create_key(email text, name text, key_hash text, display text, expires_at timestamptz default null)
returns uuid
language sql as $$
  select (funding.create_key(funding.account_id(email), name, key_hash, display, expires_at)).id
$$;

-- Replaces a key by a new one of the same name and expiry, and returns that. The old one stays valid for the overlap,
-- or until its own expiry if that is sooner. A key is replaced once: whoever asks again, because the answer was lost
-- on its way, has a new key already.
--
-- With an account, the key of another one is as unknown as one that does not exist.
create function funding.rotate_key(key_id uuid, key_hash text, display text, overlap_ interval default '24 hours', account_id uuid default null)
returns funding.api_keys
language plpgsql as $$
declare
  old_key funding.api_keys;
  new_key funding.api_keys;
begin
  if overlap_ is null or overlap_ < interval '0' or overlap_ > interval '30 days' then
    raise sqlstate 'PT400' using message = 'the overlap must be from 0 to 30 days', hint = 'overlap_hours';
  end if;
  select * into old_key from funding.api_keys
  where api_keys.id = rotate_key.key_id and api_keys.account_id = coalesce(rotate_key.account_id, api_keys.account_id)
  for no key update;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;
  if not funding.is_valid(old_key) then
    raise sqlstate 'PT409' using message = 'the key is revoked or expired; create a new one';
  end if;
  if exists (select from funding.api_keys where api_keys.rotated_from = old_key.id) then
    raise sqlstate 'PT409' using message = 'the key has been replaced already; rotate the one that replaced it';
  end if;
  perform funding.require_room_for_key(old_key.account_id, 2 * funding.setting('maximum_active_keys')::bigint);
  insert into funding.api_keys (account_id, name, key_hash, display, expires_at, rotated_from)
  values (old_key.account_id, old_key.name, rotate_key.key_hash, rotate_key.display, old_key.expires_at, old_key.id)
  returning * into new_key;
  update funding.api_keys
  set expires_at = least(old_key.expires_at, now() + overlap_)
  where api_keys.id = old_key.id;
  return new_key;
end
$$;

-- Ends a key at once, and returns it. Revoking it twice is no error. With an account, as above.
create function funding.revoke_key(key_id uuid, account_id uuid default null) returns funding.api_keys
language plpgsql as $$
declare
  revoked funding.api_keys;
begin
  update funding.api_keys set revoked_at = coalesce(revoked_at, now())
  where api_keys.id = revoke_key.key_id and api_keys.account_id = coalesce(revoke_key.account_id, api_keys.account_id)
  returning * into revoked;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;
  return revoked;
end
$$;
