-- RPC that reads in a read-only transaction, as on a replica (replicas.sql).

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
  if rpc is null or rpc not in ('list_grants', 'list_contracts', 'list_funders', 'get_grant', 'get_contract', 'get_funder', 'get_organization', 'get_changes', 'list_awards', 'get_document', 'list_addresses', 'get_funder_statistics', 'semantic_search') then
    raise invalid_parameter_value using message = format('%s is no RPC that reads', rpc);
  end if;
  return case rpc
    when 'list_grants' then public.list_grants(key_hash, parameters, query_vector, null, if_none_match)
    when 'list_contracts' then public.list_contracts(key_hash, parameters, query_vector, null, if_none_match)
    when 'list_funders' then public.list_funders(key_hash, parameters, query_vector, null, if_none_match)
    when 'get_grant' then public.get_grant(key_hash, (given->>'id')::uuid, expand)
    when 'get_contract' then public.get_contract(key_hash, (given->>'id')::uuid, expand)
    when 'get_funder' then public.get_funder(key_hash, (given->>'id')::uuid, expand)
    when 'get_organization' then public.get_organization(key_hash, (given->>'id')::uuid, (given->>'at')::timestamptz)
    when 'get_changes' then public.get_changes(
      key_hash, given->>'dataset', (given->>'id')::uuid, (given->>'maximum')::integer, (given->>'before')::bigint)
    when 'list_awards' then public.list_awards(key_hash, (given->>'id')::uuid, parameters)
    when 'get_document' then public.get_document(
      key_hash, (given->>'id')::uuid, (given->>'page')::integer, (given->>'maximum')::integer, (given->>'skipped')::integer)
    when 'list_addresses' then public.list_addresses(key_hash, given->>'dataset', given->>'part')
    when 'get_funder_statistics' then public.get_funder_statistics(key_hash, (given->>'id')::uuid)
    when 'semantic_search' then public.semantic_search(
      key_hash, given->>'query', array(select jsonb_array_elements_text(given->'datasets')), (given->>'maximum')::integer, query_vector,
      (given->>'similar_to')::uuid, coalesce((given->>'explain')::boolean, false),
      coalesce((given->>'highlight')::boolean, false))
  end;
end
$$;
