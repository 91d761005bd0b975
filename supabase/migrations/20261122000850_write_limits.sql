-- Daily limits of what a signed-in person writes, by account and kind: each write makes rows, or has something sent to an
-- address that the account names. (160 test deliveries went out in 1.6 seconds, and keys were made and revoked for ever.)

-- The writes of an account on the day of its last one, by kind. One row a kind, so there is nothing to delete.
create table funding.account_writes (
  account_id uuid not null references funding.accounts (id) on delete cascade,
  -- The setting `write_limit_KIND` is its limit.
  kind text not null,
  day date not null,
  used bigint not null,
  primary key (account_id, kind)
) with (fillfactor = 70);
alter table funding.account_writes enable row level security;

insert into funding.settings (name, value, default_value, unit, schema, description)
select 'write_limit_' || kind, maximum::jsonb, maximum::jsonb, 'a day',
       '{"type": "integer", "minimum": -1, "maximum": 1000000000}', description
from (values
  ('key_creations', '100', 'Keys that an account may create: all that it can have active, twice. Here and in the next ones -1 is no limit, and 0 allows none.'),
  ('key_rotations', '200', 'Keys that an account may replace: all that can be active while old ones are being replaced, twice.'),
  ('key_revocations', '1000', 'Keys that an account may revoke: more than it can have on a day, so that every key can be ended.'),
  ('webhook_creations', '100', 'Webhooks that an account may create: all that it can have, five times.'),
  ('webhook_changes', '500', 'Changes to webhooks, pausing and starting included: to each webhook, one an hour.'),
  ('webhook_deletions', '200', 'Webhooks that an account may delete: more than it can have on a day.'),
  ('webhook_secret_rotations', '100', 'New secrets of webhooks: for each webhook, five.'),
  ('test_deliveries', '100', 'Test events that an account may send: to each webhook, five. Few for a stranger whose address was named.'),
  ('redeliveries', '500', 'Deliveries made again one by one. A recovery is for more.'),
  ('recoveries', '100', 'Recoveries of what webhooks missed: for each webhook, five.')
) as given(kind, maximum, description);

-- How many writes of a kind an account may make on this day, and how many are left: { limit, remaining, resets_at }. -1 is
-- without a limit.
create function funding.write_limit(account_id uuid, kind text) returns json
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

-- Raises PT429 with the limit as its detail when none of an account's writes of a kind is left. It locks nothing, and is
-- asked first, so that a write which will be refused costs nothing.
create function funding.require_write(account_id uuid, kind text) returns void
language plpgsql stable as $$
declare
  allowed constant json := funding.write_limit(account_id, kind);
begin
  if allowed->>'remaining' = '0' then
    raise sqlstate 'PT429' using detail = allowed, message = format(
      'The account''s limit of %s %s a day is used up. It starts anew at midnight UTC: %s.',
      allowed->>'limit', replace(kind, '_', ' '), allowed->>'resets_at');
  end if;
end
$$;

-- Counts a write and gives its answer, with the limit as `write_limit` in it, or raises as above. The last statement of a
-- write: it locks the account's count of this kind until the transaction ends, which is at once. Where that is refused or
-- fails, so is the count.
create function funding.count_write(account_id uuid, kind text, answer json) returns json
language plpgsql as $$
declare
  maximum constant bigint := funding.setting('write_limit_' || kind)::bigint;
begin
  if maximum >= 0 then
    -- One statement decides and counts, so parallel writes cannot share the last place.
    insert into funding.account_writes as counted (account_id, kind, day, used)
    select count_write.account_id, count_write.kind, funding.quota_day(), 1 where maximum > 0
    on conflict on constraint account_writes_pkey do update
      set used = case when counted.day < excluded.day then 1 else counted.used + 1 end, day = greatest(counted.day, excluded.day)
      where counted.day < excluded.day or counted.used < maximum;
    if not found then
      perform funding.require_write(account_id, kind);
    end if;
  end if;
  return funding.with_write_limit(account_id, kind, answer);
end
$$;

-- An answer with `write_limit` as its last member.
create function funding.with_write_limit(account_id uuid, kind text, answer json) returns json
language sql stable as $$
  select json_object_agg(member.key, member.value order by member.place)
  from (
    select key, value, ordinality as place from json_each(answer) with ordinality
    union all
    select 'write_limit', funding.write_limit(account_id, kind), null
  ) as member
$$;

-- The account RPCs that write: each asks first, and counts last.

create or replace function public.create_account_key(
  user_id uuid, session_id uuid, name text, key_hash text, display text, expires_at timestamptz default null)
returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(create_account_key.user_id, create_account_key.session_id);
begin
  perform funding.require_write(own_id, 'key_creations');
  return funding.count_write(own_id, 'key_creations', funding.key_body(funding.create_key(own_id, create_account_key.name,
    create_account_key.key_hash, create_account_key.display, create_account_key.expires_at)));
end
$$;

-- Gives the new key. See funding.rotate_key.
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

-- Revoking a key again writes nothing and counts nothing: else whoever has a session could use up the account's revocations
-- on one key, and its owner could end no other.
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

do $$
declare
  rpc record;
begin
  for rpc in
    select * from (values
      ('create_webhook', 'webhook_creations', 'webhook jsonb'),
      ('update_webhook', 'webhook_changes', 'webhook_id uuid, changes jsonb'),
      ('delete_webhook', 'webhook_deletions', 'webhook_id uuid'),
      ('rotate_webhook_secret', 'webhook_secret_rotations', 'webhook_id uuid, secret text, overlap_seconds integer'),
      ('resend_webhook_delivery', 'redeliveries', 'webhook_id uuid, event_id uuid'),
      ('recover_webhook', 'recoveries', 'webhook_id uuid, since timestamptz, until timestamptz'),
      ('send_test_event', 'test_deliveries', 'webhook_id uuid, event text, data json')
    ) as listed(name, kind, arguments)
  loop
    execute format($create$
      create or replace function public.%1$I(%2$s) returns json
      language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $body$
      declare
        own_id constant uuid := funding.account_of(%1$s.user_id, %1$s.session_id);
      begin
        perform funding.require_write(own_id, %4$L);
        return funding.count_write(own_id, %4$L, funding.%1$I(%3$s));
      end
      $body$;
    $create$, rpc.name, concat_ws(', ', 'user_id uuid, session_id uuid', rpc.arguments),
      concat_ws(', ', 'own_id', (
        select string_agg(format('%s.%s', rpc.name, split_part(argument, ' ', 1)), ', ' order by place)
        from unnest(string_to_array(rpc.arguments, ', ')) with ordinality as listed(argument, place))), rpc.kind);
  end loop;
end
$$;

revoke execute on all functions in schema funding from public;
