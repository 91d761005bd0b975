-- What lists and single records are answered, and the RPCs that the edge calls.

-- What the records of a list are: { NAME: [{ value, count }] } for each facet asked for in `parameters->'facets'`,
-- most frequent first, at most a hundred values each. Of a ranked search, what it found.
create function funding.facets(dataset text, parameters jsonb, mode text, query_vector extensions.halfvec) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  asked jsonb := funding.filters_of(parameters) || jsonb_build_object('facets', parameters->'facets');
  key text := md5(coalesce(mode, '') || asked::text);
  current_version bigint := funding.page_version(dataset);
  -- What a record has of each: the values in a list.
  values_of constant jsonb := case dataset
    when 'funders' then '{}'
    when 'grants' then '{"status": "array[record.status]", "states": "record.states", "category": "record.categories"}'
    else '{"status": "array[record.status]", "states": "record.states", "category": "record.categories",
      "naics": "array[record.naics]", "set_aside": "array[record.set_aside_code]"}'
  end;
  known funding.pages;
  answer json;
begin
  select * into known from funding.pages where pages.dataset = facets.dataset and pages.request_key = key;
  if known.version = current_version and known.page is not null then
    return known.page;
  end if;
  if exists (select from jsonb_array_elements_text(asked->'facets') as name where not coalesce(values_of ? name, false)) then
    raise invalid_parameter_value using message = format('%s have no facets %s', dataset, asked->'facets');
  end if;
  execute format($facets$
    with matching as materialized (
      select %2$s from funding.%1$I as record where %3$s
    )
    select json_build_object(%4$s)
  $facets$, dataset,
    (select string_agg(format('%s as %I', values_of->>name, name), ', ') from jsonb_array_elements_text(asked->'facets') as name),
    case when mode is null then funding.predicate(dataset, asked) else 'record.id in (select id from funding.ranked($2, $1, $3, $4))' end,
    (select string_agg(format($facet$
       %1$L, (
         select coalesce(json_agg(json_build_object('value', value, 'count', records) order by records desc, value), '[]')
         from (
           select value, count(*) as records from matching, unnest(matching.%1$I) as value
           where value is not null
           group by value
           order by records desc, value
           limit 100
         ) as counted)
     $facet$, name), ', ') from jsonb_array_elements_text(asked->'facets') as name))
  into answer using asked, dataset, mode, query_vector;
  -- Dear enough to be remembered at once.
  perform funding.remember_page(dataset, key, current_version, true, (answer, null, null)::funding.listed_page);
  return answer;
end
$$;

-- Raises 22023 unless a search and a page are as small as the edge lets them be, whatever called: a page without a limit
-- would be the whole table.
create function funding.require_bounds(query text, page_size bigint, page_offset bigint) returns void
language plpgsql immutable as $$
begin
  if char_length(query) > 4000
    or coalesce(page_size not between 1 and 10000, true) or coalesce(page_offset not between 0 and 10000, true) then
    raise invalid_parameter_value using message = 'a search has at most 4000 characters, a page a limit and an offset of at most 10000';
  end if;
end
$$;

-- The mode that ranks a list, or null for one in the order of a field.
create function funding.ranking_mode(dataset text, parameters jsonb, vector_is_missing boolean default false) returns text
language plpgsql stable as $$
declare
  asked_mode text := coalesce(parameters->>'search_mode', 'keyword');
begin
  if asked_mode = 'keyword' and parameters->>'sort_by' is distinct from 'relevance' then
    return null;
  elsif vector_is_missing then
    return funding.mode_without_vectors(asked_mode, 'the query has no vector');
  end if;
  return funding.available_mode(dataset, asked_mode);
end
$$;

-- What says of which data and ranking the answer to a list request is: while it is the same, so is the answer.
create function funding.list_tag(ranked_by text, version bigint) returns text
language plpgsql immutable as $$
begin
  return coalesce(ranked_by, 'field') || '.' || version;
end
$$;

-- The answer to a list request: { results, total, next, sort_by, order, search_mode, data_as_of, facets, tag }, or
-- { total, facets } with count_only, or { wanted_embedding } when the query's vector has to be got first. `next` is the
-- cursor of the next page and `facets` what was asked for; either may be null.
--
-- `tag` is what `funding.list_tag` says. To a caller who gives it back with the same parameters, as
-- `known_tag`, the answer is { data_as_of } alone while all else is as it was.
create function funding.list(dataset text, parameters jsonb, query_vector jsonb default null, known_tag text default null) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  asked_mode text := coalesce(parameters->>'search_mode', 'keyword');
  -- Null while nothing is ranked.
  ranked_by text;
  sort_by text := coalesce(parameters->>'sort_by',
    case when asked_mode <> 'keyword' then 'relevance' when dataset = 'funders' then 'name' else 'created_at' end);
  direction text := coalesce(parameters->>'order',
    case when sort_by = 'relevance' then 'desc' when dataset = 'funders' then 'asc' else 'desc' end);
  counting boolean := coalesce((parameters->>'count_only')::boolean, false);
  meaning funding.query_meaning;
  current_version bigint;
  tag text;
  listed funding.listed_page;
  facets json;
begin
  perform funding.require_bounds(parameters->>'search', case when counting then 1 else (parameters->>'limit')::bigint end,
    case when counting then 0 else (parameters->>'offset')::bigint end);
  if asked_mode <> 'keyword' then
    meaning := funding.meaning_of(parameters->>'search', query_vector);
    if meaning.wanted is not null then
      return json_build_object('wanted_embedding', meaning.wanted);
    end if;
  end if;
  ranked_by := funding.ranking_mode(dataset, parameters, coalesce(meaning.is_missing, false));

  if not counting then
    current_version := funding.page_version(dataset);
    tag := funding.list_tag(ranked_by, current_version);
    if tag = known_tag then
      return json_build_object('data_as_of', funding.moment(funding.data_as_of(dataset)));
    end if;
    listed := funding.remembered_page(dataset, parameters, ranked_by, meaning.vector, sort_by, direction, current_version);
  elsif ranked_by is not null then
    listed.total := coalesce((select total from funding.ranked(dataset, parameters, ranked_by, meaning.vector, 1)), 0);
  else
    listed.total := funding.total(dataset, parameters);
  end if;
  if jsonb_array_length(parameters->'facets') > 0 then
    facets := funding.facets(dataset, parameters, ranked_by, meaning.vector);
  end if;

  if counting then
    return case when facets is null then json_build_object('total', listed.total) else json_build_object('total', listed.total, 'facets', facets) end;
  end if;
  return json_build_object(
    'results', listed.page, 'total', listed.total, 'next', listed.next, 'facets', facets, 'sort_by', sort_by, 'order', direction,
    'search_mode', coalesce(ranked_by, asked_mode), 'data_as_of', funding.moment(funding.data_as_of(dataset)), 'tag', tag);
end
$$;

create function funding.single(dataset text, record_id uuid) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  found_record json;
begin
  execute format('select shown.body from funding.%I as record cross join lateral (%s) as shown where record.id = $1',
    dataset, funding.shown(dataset))
  into found_record using record_id;
  return found_record;
end
$$;

-- What every RPC returns: who was admitted, and the answer.
create function funding.answer(admitted funding.admission, body json) returns json
language plpgsql stable as $$
begin
  return json_build_object(
    'admission', json_build_object(
      'api_key_id', admitted.api_key_id,
      'daily_quota', admitted.daily_quota,
      'remaining', admitted.remaining),
    'body', body);
end
$$;

-- Admits and counts a request that needs no data, such as one whose parameters are wrong.
create function public.admit_request(key_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  return funding.answer(funding.admit(key_hash), null);
end
$$;

-- Takes back the count of a request that failed on our side after the RPC that counted it.
create function public.withdraw_request(key_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  admitted funding.admission := funding.admit(key_hash, true);
begin
  update funding.daily_quota as quota set used = quota.used - 1
  where quota.account_id = admitted.account_id and quota.day = (now() at time zone 'UTC')::date and quota.used > 0;
  return funding.answer(funding.admit(key_hash, true), null);
end
$$;

-- A list and a single-record RPC for each dataset: list_grants, get_grant and so on. Single-record RPCs
-- answer a null body for an id that no record has. `query_vector` is what `funding.meaning_of` says, `known_tag`
-- what `funding.list` does.
do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($create$
      create function public.list_%1$s(key_hash text, parameters jsonb, query_vector jsonb default null, known_tag text default null)
      returns json
      language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $body$
      declare
        admitted funding.admission := funding.admit(key_hash, funding.is_second_call(query_vector));
      begin
        return funding.answer(admitted, funding.list(%1$L, parameters, query_vector, known_tag));
      end
      $body$;

      create function public.get_%2$s(key_hash text, id uuid) returns json
      language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $body$
      declare
        admitted funding.admission := funding.admit(key_hash);
      begin
        return funding.answer(admitted, funding.single(%1$L, id));
      end
      $body$;
    $create$, dataset, rtrim(dataset, 's'));
  end loop;
end
$$;

-- Answers many requests for lists at once, each of which its caller knows already: { dataset, key_hash, parameters,
-- known_tag }, the last three as the dataset's list RPC takes them. One answer each, in the order of asking:
--   { admission, body: { data_as_of } }                    the list is what it was; the request is admitted and counted
--   { failure: { code, message, details, hint } }          the error that the list RPC raises
--   null                                                   ask the list RPC: the list has changed, or its RPC would wait
-- What one request comes to is nothing to the others, and no list is made for any. Whether a query's vector is at hand
-- does not matter, since the list that it would make is the one that the caller has.
--
-- A quota stays locked until all are answered, so they are admitted in the order of their accounts, which all calls
-- share. Where another request holds one, while it makes a list for example, nobody waits for long.
create function public.confirm_lists(requests jsonb) returns json
language plpgsql security definer
set search_path = funding, extensions, pg_temp set statement_timeout = '5s' set lock_timeout = '5s' as $$
declare
  -- How long the others wait for somebody's quota: a request that makes no list is done with it sooner. A second time,
  -- not at all.
  patience text := '10ms';
  asked record;
  answers json[] := array_fill(null::json, array[coalesce(jsonb_array_length(requests), 0)]);
  message text;
  details text;
  hint text;
begin
  for asked in
    with request as materialized (
      select item.place, given.*, api_key.account_id
      from jsonb_array_elements(requests) with ordinality as item(request, place)
      cross join lateral jsonb_to_record(item.request) as given(dataset text, key_hash text, parameters jsonb, known_tag text)
      left join funding.api_keys as api_key on api_key.key_hash = given.key_hash
    )
    select request.*, data.version, data.data_as_of
    from request
    join (
      select dataset, funding.page_version(dataset) as version, funding.moment(funding.data_as_of(dataset)) as data_as_of
      from (select distinct request.dataset from request where request.dataset in ('grants', 'contracts', 'funders')) as named
    ) as data using (dataset)
    order by request.account_id, request.place
  loop
    perform set_config('lock_timeout', patience, true);
    begin
      if asked.known_tag = funding.list_tag(funding.ranking_mode(asked.dataset, asked.parameters), asked.version) then
        answers[asked.place] := funding.answer(funding.admit(asked.key_hash), json_build_object('data_as_of', asked.data_as_of));
      end if;
    exception
      -- The list RPC waits for the lock, and admits before it says that it cannot search.
      when lock_not_available or sqlstate 'PT503' then
        patience := '1ms';
      when others then
        get stacked diagnostics message = message_text, details = pg_exception_detail, hint = pg_exception_hint;
        answers[asked.place] := json_build_object('failure', json_build_object(
          'code', sqlstate, 'message', message, 'details', nullif(details, ''), 'hint', nullif(hint, '')));
    end;
  end loop;
  return to_json(answers);
end
$$;

-- The opportunities nearest in meaning, over one dataset or both: { results, search_mode, data_as_of }, or
-- { wanted_embedding } when the query's vector has to be got first.
create function public.semantic_search(
  key_hash text, query text, datasets text[], maximum integer, query_vector jsonb default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, funding.is_second_call(query_vector));
  parameters jsonb := jsonb_build_object('search', query, 'search_mode', 'semantic');
  meaning funding.query_meaning := funding.meaning_of(query, query_vector);
  dataset text;
  results json;
begin
  perform funding.require_bounds(query, maximum, 0);
  if not coalesce(datasets <@ array['grants', 'contracts'] and array_position(datasets, null) is null, false) then
    raise invalid_parameter_value using message = format('no such datasets: %s', datasets);
  end if;
  if meaning.wanted is not null then
    return funding.answer(admitted, json_build_object('wanted_embedding', meaning.wanted));
  end if;
  if meaning.is_missing then
    perform funding.mode_without_vectors('semantic', 'the query has no vector');
  end if;
  foreach dataset in array datasets loop
    perform funding.available_mode(dataset, 'semantic');
  end loop;
  with found as (
    select asked.dataset, ranked.id, ranked.score
    from unnest(datasets) as asked(dataset), funding.ranked(asked.dataset, parameters, 'semantic', meaning.vector, maximum) as ranked
    order by ranked.score desc, ranked.id
    limit maximum
  )
  select coalesce(json_agg(
    funding.with_member(
      funding.with_member(funding.single(found.dataset, found.id), 'type', to_json(found.dataset)),
      'relevance_score', to_json(found.score))
    order by found.score desc, found.id), '[]')
  into results from found;
  return funding.answer(admitted, json_build_object(
    'results', results,
    'search_mode', 'semantic',
    -- As fresh as the staler of them.
    'data_as_of', (select funding.moment(min(funding.data_as_of(asked.dataset))) from unnest(datasets) as asked(dataset))));
end
$$;

do $$
declare
  rpc text;
begin
  foreach rpc in array array[
    'admit_request(text)', 'withdraw_request(text)',
    'list_grants(text, jsonb, jsonb, text)', 'list_contracts(text, jsonb, jsonb, text)', 'list_funders(text, jsonb, jsonb, text)',
    'confirm_lists(jsonb)', 'get_grant(text, uuid)', 'get_contract(text, uuid)', 'get_funder(text, uuid)',
    'semantic_search(text, text, text[], integer, jsonb)'
  ] loop
    execute format('revoke execute on function public.%s from public, anon, authenticated', rpc);
    execute format('grant execute on function public.%s to service_role', rpc);
  end loop;
end
$$;
revoke execute on all functions in schema funding from public;
