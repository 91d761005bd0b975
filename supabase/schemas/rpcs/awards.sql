-- RPC of GET /grants-api/{id}/awards.

-- Awards of an opportunity, for a caller. The body is null for an id that no record has. See `funding.awards_of`.
create or replace function public.list_awards(key_hash text, id uuid, parameters jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, false, array['grants']);
begin
  return funding.rpc_result(admitted, funding.awards_of(id, parameters));
end
$$;
