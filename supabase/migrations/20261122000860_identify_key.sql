-- Admits the holder of a key without counting a request, so that PT429 is never raised: for what a caller gets to see
-- before it asks for anything, such as the list of MCP's tools.
create function public.identify_key(key_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  return funding.answer(funding.admit(key_hash, true), null);
end
$$;
revoke execute on function public.identify_key(text) from public, anon, authenticated;
grant execute on function public.identify_key(text) to service_role;
