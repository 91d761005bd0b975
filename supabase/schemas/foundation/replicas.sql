-- Reads on replicas. In a read-only transaction, an RPC that reads writes nothing. Every transaction of a replica (hot standby) is read-only. The RPC
-- then caches nothing and counts nothing: `remaining` is null where the caller has to count the request on the primary, by `public.admit_request`.

-- Whether this transaction may write.
create or replace function funding.may_write() returns boolean
language sql stable as $$
  select current_setting('transaction_read_only') = 'off'
$$;

-- Whether the caches of totals and pages can be read: they are unlogged tables, which a replica does not have.
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

-- Calls an RPC that reads, in a read-only transaction. PostgREST begins one for a GET, and for a POST to a function that is stable, so both work on a
-- replica. `arguments` is a JSON object: the RPC's arguments by name. It is text, because PostgREST takes the JSON of an address for a string.
create or replace function public.read_data(rpc text, arguments text) returns json
language plpgsql stable security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  given constant jsonb := arguments;
  key_hash constant text := given->>'key_hash';
  parameters constant jsonb := given->'parameters';
  -- JSON's null means no value.
  query_vector constant jsonb := nullif(given->'query_vector', 'null');
  expand constant jsonb := nullif(given->'expand', 'null');
  if_none_match constant text := given->>'if_none_match';
begin
  if rpc is null or rpc not in ('list_grants', 'list_contracts', 'list_funders', 'get_grant', 'get_contract', 'get_funder', 'get_changes', 'semantic_search') then
    raise invalid_parameter_value using message = format('%s is no RPC that reads', rpc);
  end if;
  return case rpc
    when 'list_grants' then public.list_grants(key_hash, parameters, query_vector, null, if_none_match)
    when 'list_contracts' then public.list_contracts(key_hash, parameters, query_vector, null, if_none_match)
    when 'list_funders' then public.list_funders(key_hash, parameters, query_vector, null, if_none_match)
    when 'get_grant' then public.get_grant(key_hash, (given->>'id')::uuid, expand)
    when 'get_contract' then public.get_contract(key_hash, (given->>'id')::uuid, expand)
    when 'get_funder' then public.get_funder(key_hash, (given->>'id')::uuid, expand)
    when 'get_changes' then public.get_changes(
      key_hash, given->>'dataset', (given->>'id')::uuid, (given->>'maximum')::integer, (given->>'before')::bigint)
    when 'semantic_search' then public.semantic_search(
      key_hash, given->>'query', array(select jsonb_array_elements_text(given->'datasets')), (given->>'maximum')::integer, query_vector,
      (given->>'similar_to')::uuid, coalesce((given->>'explain')::boolean, false))
  end;
end
$$;
