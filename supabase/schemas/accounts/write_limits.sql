-- Rate limits: daily limits of a signed-in user's writes, by account and kind. Each such write makes rows, or has something sent to an address that
-- the account names.

-- Limit of an account's writes of a kind on this day: { limit, remaining, resets_at }. -1 means no limit.
create or replace function funding.write_limit(account_id uuid, kind text) returns json
language plpgsql stable as $$
declare
  today constant date := funding.quota_day();
  maximum constant bigint := funding.setting('write_limit_' || kind)::bigint;
  -- A write that began before midnight may come after one of the new day.
  used_today constant bigint := coalesce((
    select counted.used from funding.account_writes as counted
    where counted.account_id = write_limit.account_id and counted.kind = write_limit.kind and counted.day >= today), 0);
begin
  return json_build_object(
    'limit', maximum,
    'remaining', case when maximum < 0 then -1 else greatest(0, maximum - used_today) end,
    'resets_at', case when maximum >= 0 then funding.moment((today + 1)::timestamp at time zone 'UTC') end);
end
$$;

-- Begins a write. Raises PT429 with the limit as its detail when an account has no write of a kind left, and 53100 when the disk has no room for one:
-- that is checked first and without a lock, so that a write which will be refused costs nothing. Then whoever makes the write stays in the account,
-- and in the role that the write needs, until it ends: a removal waits for it, and a write that waited for a removal is refused.
create or replace function funding.require_write(account_id uuid, kind text) returns void
language plpgsql volatile as $$
declare
  allowed constant json := funding.write_limit(account_id, kind);
  actor_id constant uuid := nullif(current_setting('funding.actor_user_id', true), '')::uuid;
begin
  perform funding.require_room();
  if allowed->>'remaining' = '0' then
    raise sqlstate 'PT429' using detail = allowed, message = format(
      'The account''s limit of %s %s a day is used up. It starts anew at midnight UTC: %s.',
      allowed->>'limit', replace(kind, '_', ' '), allowed->>'resets_at');
  end if;
  if actor_id is null then
    return;
  end if;
  if current_setting('funding.needs_owner', true) = 'true' then
    perform funding.lock_members(require_write.account_id);
    perform funding.require_owner(require_write.account_id, actor_id);
  else
    -- Members' writes do not wait for each other.
    perform from funding.accounts where accounts.id = require_write.account_id for key share;
    perform funding.require_member(require_write.account_id, actor_id);
  end if;
end
$$;

-- Counts a write and returns its result, with the limit as `write_limit` in it, or raises as `require_write` does. It is the last statement of a
-- write: it locks the account's count of this kind until the transaction ends, which is at once. A write that is refused or fails is not counted.
create or replace function funding.count_write(account_id uuid, kind text, body json) returns json
language plpgsql as $$
declare
  maximum constant bigint := funding.setting('write_limit_' || kind)::bigint;
begin
  if maximum >= 0 then
    -- One statement checks the limit and counts, so parallel writes cannot share the last one of a limit.
    insert into funding.account_writes as counted (account_id, kind, day, used)
    select count_write.account_id, count_write.kind, funding.quota_day(), 1 where maximum > 0
    on conflict on constraint account_writes_pkey do update
      set used = case when counted.day < excluded.day then 1 else counted.used + 1 end, day = greatest(counted.day, excluded.day)
      where counted.day < excluded.day or counted.used < maximum;
    if not found then
      perform funding.require_write(account_id, kind);
    end if;
  end if;
  return funding.with_write_limit(account_id, kind, body);
end
$$;

-- A result with `write_limit` as its last member.
create or replace function funding.with_write_limit(account_id uuid, kind text, body json) returns json
language sql stable as $$
  select json_object_agg(member.key, member.value order by member.position)
  from (
    select key, value, ordinality as position from json_each(body) with ordinality
    union all
    select 'write_limit', funding.write_limit(account_id, kind), null
  ) as member
$$;
