-- RPC of GET /funders-api/{id}/statistics.

-- Statistics of a funder, for a caller. The body is null for an id that no funder has. See `funding.statistics_of_funder`.
create or replace function public.get_funder_statistics(key_hash text, id uuid) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array['funders', 'grants', 'contracts']);
begin
  return funding.rpc_result(admitted, funding.known_statistics(id));
end
$$;
