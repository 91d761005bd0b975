-- RPC of GET /suggest.

-- Suggestions for what somebody types: { results: [{ kind, value, label, records, datasets }], data_as_of }. Those of the datasets that the key reads.
create or replace function public.suggest(key_hash text, typed text, kinds text[], maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted constant funding.admission := funding.admit(key_hash);
begin
  return funding.rpc_result(admitted, json_build_object(
    'results', funding.suggested(typed,
      -- No kind is as long, and a lexeme must not be longer than 2 KB.
      case when kinds is not null then array(select kind from unnest(kinds) as kind where length(kind) < 60) end,
      coalesce(admitted.datasets, array['grants', 'contracts', 'funders']), least(maximum, 20))));
end
$$;
