-- Reads on replicas. In a read-only transaction, an RPC that reads writes nothing. Every transaction of a replica (hot standby) is read-only. The RPC
-- then caches nothing and counts nothing: `remaining` is null where the caller has to count the request on the primary, by `public.admit_request`.

-- Whether this transaction may write.
create or replace function funding.may_write() returns boolean
language sql stable as $$
  select current_setting('transaction_read_only') = 'off'
$$;

-- Whether the cache of pages can be read: it is an unlogged table, which a replica does not have.
create or replace function funding.has_caches() returns boolean
language plpgsql stable as $$
begin
  return not pg_is_in_recovery();
end
$$;

-- Writes the heartbeat of replication, if the last one is a second old, or is ahead of the clock, which was set back. Called with each batch of
-- usage, so only while requests come.
create or replace function funding.beat() returns void
language plpgsql
set search_path = funding, pg_temp as $$
declare
  settled timestamptz;
begin
  if not exists (select from funding.replication_heartbeat as last where last.at not between clock_timestamp() - interval '1 second' and clock_timestamp()) then
    return;
  end if;
  settled := funding.settled_until();
  update funding.replication_heartbeat as last set at = clock_timestamp(), settled_until = settled
  where last.singleton = (select locked.singleton from funding.replication_heartbeat as locked for update skip locked);
end
$$;

-- Whether the data of this read-only transaction may be older than the setting `replica_lag_seconds`: no commit of the primary in that time has been
-- replayed. A promoted replica, which follows no primary, is behind, too. Without requests there are no heartbeats. So the replica seems behind to
-- the first request after a pause, which then costs a call of the primary.
create or replace function funding.is_behind() returns boolean
language plpgsql stable as $$
begin
  if funding.may_write() then
    return false;
  end if;
  return greatest((select last.at from funding.replication_heartbeat as last), pg_last_xact_replay_timestamp())
    < clock_timestamp() - funding.setting('replica_lag_seconds')::double precision * interval '1 second';
end
$$;
