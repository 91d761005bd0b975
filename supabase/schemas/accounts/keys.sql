-- Keys of an account: adding, replacing, revoking. Errors as in accounts.sql.

-- Whether a key is neither revoked nor expired. The tier of its account is not checked.
create or replace function funding.is_valid(api_key funding.api_keys) returns boolean
language sql stable as $$
  select api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > funding.latest_now())
$$;

-- Raises unless an account may have one more valid key, and makes the account's other key changes wait for this one. The explorer's keys do not
-- count.
create or replace function funding.require_room_for_key(account_id uuid, maximum bigint) returns void
language plpgsql as $$
begin
  perform from funding.accounts where accounts.id = require_room_for_key.account_id for no key update;
  if (select count(*) from funding.api_keys as api_key
      where api_key.account_id = require_room_for_key.account_id and not api_key.is_explorer and funding.is_valid(api_key)) >= maximum then
    raise sqlstate 'PT409' using message = format('the account has %s active keys, which is the most; revoke one first', maximum);
  end if;
end
$$;

-- Adds a key to an account, and returns the key. `limits` are described at `funding.with_limits`.
create or replace function funding.create_key(
  account_id uuid, name text, key_hash text, display text, expires_at timestamptz, limits jsonb default null)
returns funding.api_keys
language plpgsql as $$
declare
  limited constant funding.api_keys := funding.with_limits(null, limits);
  new_key funding.api_keys;
begin
  if create_key.expires_at <= funding.latest_now() then
    raise sqlstate 'PT400' using message = 'the expiry must be in the future', hint = 'expires_at';
  end if;
  perform funding.require_room_for_key(create_key.account_id, funding.setting('maximum_active_keys')::bigint);
  insert into funding.api_keys (account_id, name, key_hash, display, expires_at, datasets, daily_quota, addresses)
  values (create_key.account_id, create_key.name, create_key.key_hash, create_key.display, create_key.expires_at, limited.datasets,
    limited.daily_quota, limited.addresses)
  returning * into new_key;
  return new_key;
end
$$;

-- Issues a short-lived key to the explorer of a user in the account, and returns it. A user who has `maximum_explorer_keys` valid ones loses the one
-- that would expire first: its row is used again. Otherwise a row of the account whose key is no longer valid is used again, with its usage. So an
-- account has at most that many rows for each member. No user's keys end those of another: where they did, and more browsers were open than keys
-- allowed, each request made a key. Keys and callers from before the column have no user, and share a number of their own.
create or replace function funding.issue_explorer_key(account_id uuid, key_hash text, display text, user_id uuid default null)
returns funding.api_keys
language plpgsql as $$
declare
  expiry constant timestamptz := funding.latest_now() + make_interval(mins => funding.setting('explorer_key_minutes')::integer);
  maximum constant bigint := funding.setting('maximum_explorer_keys')::bigint;
  must_end_one boolean;
  issued funding.api_keys;
begin
  perform from funding.accounts where accounts.id = issue_explorer_key.account_id for no key update;
  select count(*) >= maximum into must_end_one
  from funding.api_keys as own_key
  where own_key.account_id = issue_explorer_key.account_id and own_key.is_explorer
    and own_key.explorer_user_id is not distinct from issue_explorer_key.user_id and funding.is_valid(own_key);
  update funding.api_keys as used_again
  set key_hash = issue_explorer_key.key_hash, display = issue_explorer_key.display, explorer_user_id = issue_explorer_key.user_id,
      created_at = now(), expires_at = expiry, revoked_at = null, last_used_at = null
  where used_again.id = (
    select candidate.id
    from funding.api_keys as candidate
    where candidate.account_id = issue_explorer_key.account_id and candidate.is_explorer
      and case when must_end_one
        then candidate.explorer_user_id is not distinct from issue_explorer_key.user_id and funding.is_valid(candidate)
        else not funding.is_valid(candidate) end
    order by candidate.expires_at, candidate.id
    limit 1)
  returning * into issued;
  if not found then
    insert into funding.api_keys (account_id, name, key_hash, display, expires_at, is_explorer, explorer_user_id)
    values (issue_explorer_key.account_id, 'Explorer', issue_explorer_key.key_hash, issue_explorer_key.display, expiry, true,
      issue_explorer_key.user_id)
    returning * into issued;
  end if;
  return issued;
end
$$;

-- Adds a key to the account of an e-mail address. Returns the key's id.
create or replace function funding.create_key(
  email text, name text, key_hash text, display text, expires_at timestamptz default null, limits jsonb default null)
returns uuid
language sql as $$
  select (funding.create_key(funding.account_id(email), name, key_hash, display, expires_at, limits)).id
$$;

-- Key with other limits, those of a JSON object: `datasets` (a list), `daily_quota` (a number) and `addresses` (a list of CIDR ranges). Null is no
-- limit. A limit that is absent stays.
create or replace function funding.with_limits(api_key funding.api_keys, limits jsonb) returns funding.api_keys
language plpgsql immutable as $$
begin
  if limits ? 'datasets' then
    api_key.datasets := case when jsonb_typeof(limits->'datasets') = 'array' then
      array(select jsonb_array_elements_text(limits->'datasets')) end;
  end if;
  if limits ? 'daily_quota' then
    api_key.daily_quota := (limits->>'daily_quota')::bigint;
  end if;
  if limits ? 'addresses' then
    api_key.addresses := case when jsonb_typeof(limits->'addresses') = 'array' then
      array(select jsonb_array_elements_text(limits->'addresses')::cidr) end;
  end if;
  return api_key;
end
$$;

-- Changes the limits of a key, and returns the key. The limits hold from its next request on. `account_id` as in `rotate_key`, `limits` as in
-- `with_limits`.
create or replace function funding.limit_key(key_id uuid, limits jsonb, account_id uuid default null) returns funding.api_keys
language plpgsql as $$
declare
  limited funding.api_keys;
begin
  select * into limited from funding.api_keys
  where api_keys.id = limit_key.key_id and api_keys.account_id = coalesce(limit_key.account_id, api_keys.account_id)
    and not api_keys.is_explorer
  for no key update;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;
  if not funding.is_valid(limited) then
    raise sqlstate 'PT409' using message = 'the key is revoked or expired; create a new one';
  end if;
  limited := funding.with_limits(limited, limits);
  update funding.api_keys set datasets = limited.datasets, daily_quota = limited.daily_quota, addresses = limited.addresses
  where api_keys.id = limited.id
  returning * into limited;
  return limited;
end
$$;

-- Key that replaces a key, or null. A new key that was revoked before it was replaced in turn does not count: the old key still runs out, and can be
-- replaced again.
create or replace function funding.replacement_of(key_id uuid) returns uuid
language sql stable as $$
  select newer.id from funding.api_keys as newer
  where newer.rotated_from = replacement_of.key_id
    and (newer.revoked_at is null or exists (select from funding.api_keys as next where next.rotated_from = newer.id))
  order by newer.created_at desc, newer.id limit 1
$$;

-- Replaces a key by a new one of the same name, expiry and limits, and returns the new key. Both count against one quota. The old key stays valid for
-- the overlap, or until its own expiry if that is sooner. A key is replaced once: a caller that asks again, because the answer was lost on its way,
-- has a new key already. Only if the new key was revoked is the old key replaced again; the next new key then gets the expiry from before the first
-- replacement.
--
-- With an account, the key of another account is as unknown as one that does not exist. So is an explorer's key: the explorer gets a new one instead.
create or replace function funding.rotate_key(key_id uuid, key_hash text, display text, overlap_ interval default '24 hours', account_id uuid default null)
returns funding.api_keys
language plpgsql as $$
declare
  old_key funding.api_keys;
  new_key funding.api_keys;
  full_expiry timestamptz;
begin
  if overlap_ is null or overlap_ < interval '0' or overlap_ > interval '30 days' then
    raise sqlstate 'PT400' using message = 'the overlap must be from 0 to 30 days', hint = 'overlap_hours';
  end if;
  select * into old_key from funding.api_keys
  where api_keys.id = rotate_key.key_id and api_keys.account_id = coalesce(rotate_key.account_id, api_keys.account_id)
    and not api_keys.is_explorer
  for no key update;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no key %s', key_id);
  end if;
  if not funding.is_valid(old_key) then
    raise sqlstate 'PT409' using message = 'the key is revoked or expired; create a new one';
  end if;
  if funding.replacement_of(old_key.id) is not null then
    raise sqlstate 'PT409' using message = 'the key has been replaced already; rotate the one that replaced it';
  end if;
  select coalesce(max(revoked.expires_at), case when count(*) = 0 then old_key.expires_at end) into full_expiry
  from funding.api_keys as revoked where revoked.rotated_from = old_key.id;
  perform funding.require_room_for_key(old_key.account_id, 2 * funding.setting('maximum_active_keys')::bigint);
  insert into funding.api_keys (account_id, name, key_hash, display, expires_at, rotated_from, datasets, daily_quota, quota_key_id, addresses)
  values (old_key.account_id, old_key.name, rotate_key.key_hash, rotate_key.display, full_expiry, old_key.id, old_key.datasets,
    old_key.daily_quota, coalesce(old_key.quota_key_id, old_key.id), old_key.addresses)
  returning * into new_key;
  update funding.api_keys
  set expires_at = least(full_expiry, funding.latest_now() + overlap_)
  where api_keys.id = old_key.id;
  return new_key;
end
$$;

-- Revokes a key at once, and returns it. Revoking it twice is no error. `account_id` as in `rotate_key`.
create or replace function funding.revoke_key(key_id uuid, account_id uuid default null) returns funding.api_keys
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

-- Largest number of keys that a response lists. It is never less than the number of keys that can be active.
create or replace function funding.keys_told() returns bigint
language plpgsql stable as $$
begin
  return greatest(500, 2 * funding.setting('maximum_active_keys')::bigint);
end
$$;
