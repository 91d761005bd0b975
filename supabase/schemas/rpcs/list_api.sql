-- RPCs for lists, single records, their changes, and semantic search. Each admits its caller first, and counts the request last, in `funding.rpc_result`.

-- Admits the holder of a key to a list, as `funding.admit` does, and to the record that the results are to be similar to (`similar_to`): the key has
-- to read that record's dataset as well. An id without a record is left to the list, whose error names the parameter.
create or replace function funding.admit_list(key_hash text, dataset text, parameters jsonb, query_vector jsonb) returns funding.admission
language plpgsql as $$
declare
  admitted constant funding.admission := funding.admit(key_hash, funding.is_second_call(query_vector), array[dataset]);
begin
  if admitted.datasets is not null and parameters ? 'similar_to' then
    perform funding.require_readable(admitted, (parameters->>'similar_to')::uuid);
  end if;
  return admitted;
end
$$;

-- Raises PT403 where a record is in a dataset that the key does not read. The ids of records are public.
create or replace function funding.require_readable(admitted funding.admission, record_id uuid) returns void
language plpgsql stable as $$
declare
  unread text;
begin
  foreach unread in array array(select unnest(array['grants', 'contracts', 'funders']) except select unnest(admitted.datasets)) loop
    if funding.slot_of(unread, record_id) is not null then
      perform funding.refuse_datasets(admitted, array[unread]);
    end if;
  end loop;
end
$$;

-- List of grants. See `funding.list`; `query_vector` is described at `funding.meaning_of`. `known_tag` is the name of `if_none_match` in the edge
-- functions of 1.1, which call this until they are replaced.
create or replace function public.list_grants(
  key_hash text, parameters jsonb, query_vector jsonb default null, known_tag text default null, if_none_match text default null)
returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit_list(key_hash, 'grants', parameters, query_vector);
begin
  return funding.rpc_result(admitted, funding.list('grants', parameters, query_vector, coalesce(if_none_match, known_tag)));
end
$$;

-- List of contracts, as `list_grants`.
create or replace function public.list_contracts(
  key_hash text, parameters jsonb, query_vector jsonb default null, known_tag text default null, if_none_match text default null)
returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit_list(key_hash, 'contracts', parameters, query_vector);
begin
  return funding.rpc_result(admitted, funding.list('contracts', parameters, query_vector, coalesce(if_none_match, known_tag)));
end
$$;

-- List of funders, as `list_grants`.
create or replace function public.list_funders(
  key_hash text, parameters jsonb, query_vector jsonb default null, known_tag text default null, if_none_match text default null)
returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit_list(key_hash, 'funders', parameters, query_vector);
begin
  return funding.rpc_result(admitted, funding.list('funders', parameters, query_vector, coalesce(if_none_match, known_tag)));
end
$$;

-- One grant. The body is null for an id that no record has. `expand` is described at `funding.single`.
create or replace function public.get_grant(key_hash text, id uuid, expand jsonb default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, false, array['grants']);
begin
  return funding.rpc_result(admitted, funding.single('grants', id, expand));
end
$$;

-- One contract, as `get_grant`.
create or replace function public.get_contract(key_hash text, id uuid, expand jsonb default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, false, array['contracts']);
begin
  return funding.rpc_result(admitted, funding.single('contracts', id, expand));
end
$$;

-- One funder, as `get_grant`.
create or replace function public.get_funder(key_hash text, id uuid, expand jsonb default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, false, array['funders']);
begin
  return funding.rpc_result(admitted, funding.single('funders', id, expand));
end
$$;

-- Changes of a record, for a caller. The body is null for an id that no record has.
create or replace function public.get_changes(key_hash text, dataset text, id uuid, maximum integer, before bigint default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, false, array[dataset]);
begin
  return funding.rpc_result(admitted, funding.changes_of(dataset, id, maximum, before));
end
$$;

-- Opportunities nearest in meaning to a query, or to a record (`similar_to`), over one dataset or both: { results, search_mode, understood,
-- marks, data_as_of }, or { wanted_embedding } when the query's vector is needed first.
create or replace function public.semantic_search(
  key_hash text, query text, datasets text[], maximum integer, query_vector jsonb default null, similar_to uuid default null,
  explain boolean default false, highlight boolean default false) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, funding.is_second_call(query_vector), datasets);
  parameters jsonb := case
    when similar_to is null then jsonb_build_object('search', query, 'search_mode', 'semantic')
    else jsonb_build_object('similar_to', similar_to)
  end;
  meaning funding.query_meaning := case when similar_to is null then funding.meaning_of(query, query_vector) else (null, null, false)::funding.query_meaning end;
  -- The filter of each dataset.
  filters jsonb;
  is_identifier boolean;
  results json;
  marks json;
begin
  perform funding.require_bounds(query, maximum, 0);
  if not coalesce(datasets <@ array['grants', 'contracts'] and array_position(datasets, null) is null, false) then
    raise invalid_parameter_value using message = format('no such datasets: %s', datasets);
  end if;
  if admitted.datasets is not null and similar_to is not null then
    perform funding.require_readable(admitted, similar_to);
  end if;
  if meaning.wanted is not null then
    return funding.rpc_result(admitted, json_build_object('wanted_embedding', meaning.wanted));
  end if;
  select jsonb_object_agg(asked.dataset, asked.filter), bool_or(funding.identifier_condition(asked.dataset, asked.filter) is not null)
  into filters, is_identifier
  from (select name, funding.filter_of(name, parameters) from unnest(datasets) as name) as asked(dataset, filter);
  -- An identifier is found without vectors.
  if not is_identifier then
    perform funding.ranking_mode(name, 'semantic', coalesce(meaning.is_missing, false)) from unnest(datasets) as name;
  end if;
  with found as (
    select asked.dataset, ranked.id, ranked.score
    from unnest(datasets) as asked(dataset), funding.ranked(asked.dataset, filters->asked.dataset, 'semantic', meaning.vector, maximum) as ranked
    order by ranked.score desc, ranked.id
    limit maximum
  ), page as (
    select found.dataset, json_agg(
      funding.with_member(
        funding.with_member(funding.single(found.dataset, found.id), 'type', to_json(found.dataset)),
        'relevance_score', to_json(found.score))) as records
    from found group by found.dataset
  )
  select coalesce(json_agg(item.body order by (item.body->>'relevance_score')::double precision desc, (item.body->>'id')::uuid), '[]')
  into results
  from page, lateral json_array_elements(case
    when explain then funding.with_explanations(page.dataset, filters->page.dataset, 'semantic', meaning.vector, page.records)
    else page.records
  end) as item(body);
  if highlight and similar_to is null then
    select json_agg(funding.marks(page.dataset, filters->page.dataset, 'semantic', meaning.vector, page.records)) into marks
    from (
      select item->>'type' as dataset, json_agg(item) as records from json_array_elements(results) as item group by 1
    ) as page;
  end if;
  return funding.rpc_result(admitted, json_build_object(
    'results', results,
    'search_mode', 'semantic',
    'marks', marks,
    'understood', case when explain then funding.understood(datasets[1], filters->datasets[1], 'semantic', meaning.vector) end,
    -- As fresh as the older of the datasets.
    'data_as_of', (select funding.moment(min(funding.data_as_of(asked.dataset))) from unnest(datasets) as asked(dataset))));
end
$$;
