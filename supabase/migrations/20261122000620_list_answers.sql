-- Searches, pages, facets and answers of a list request's filter, order and page.

drop function funding.named_records(funding.search_scope, integer);

-- The records of a search's scope that the query names by number: an opportunity or solicitation number, an assistance
-- listing, a NAICS code, an EIN.
create function funding.identifier_matches(scope funding.search_scope, maximum integer) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  identified constant text := funding.identifier_condition(scope.dataset, scope.parameters);
  ids uuid[];
begin
  -- Few queries name any record, whatever the filters.
  if identified is null then
    return '{}';
  end if;
  execute format('select array(select record.id from funding.%I as record where (%s) and (%s) order by record.id limit $2)',
    scope.dataset, identified, scope.condition)
  into ids using scope.parameters, maximum;
  return ids;
end
$$;

drop function funding.ranked(text, jsonb, text, extensions.halfvec, bigint);

-- A ranked search's records with the score shown, best first, ties by id; the first `places` of them, or all. `total` is how
-- many there are. Records that the query names by number come before all that it describes. The mode `keyword` is a hybrid
-- search that has only its keyword leg. Only vector indexes make a longer leg dear, so it gives as many as where there is none.
-- Under an external model `query_vector` is the query's meaning.
--
-- Nothing in it runs long enough for compiling to pay, which Postgres would do where it overestimates how many
-- rows a function returns.
create function funding.ranked(
  dataset text, filter jsonb, mode text, query_vector extensions.halfvec default null, places bigint default null)
returns table (id uuid, score double precision, total bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
declare
  maximum integer := least(
    funding.setting('search_candidates')::integer,
    case when mode <> 'keyword' and funding.has_vector_index(dataset) then funding.setting('search_candidates_indexed')::integer end);
  asked funding.query_analysis := funding.read_query(filter->>'search', query_vector);
  scope funding.search_scope := funding.scope_of(dataset, filter);
  named uuid[] := funding.identifier_matches(scope, maximum);
  -- Keeps the best described record behind a named one, and changes nothing where none is named.
  share double precision := case when named = '{}' then 1 else 0.999 end;
  described funding.ranking := case mode
    when 'semantic' then funding.semantic_candidates(scope, asked, maximum)
    else funding.hybrid_candidates(scope, asked, maximum, mode = 'hybrid')
  end;
  described_ones bigint := coalesce(cardinality(described.numbers), 0);
begin
  -- Those that have the last place together are all kept until their ids tell which comes first. Which of them is named, too.
  select array_agg(first.number), array_agg(first.id), array_agg(first.shown) into described
  from (
    -- To six digits: the nearest number that has no more, which is what a cursor gives back.
    select found.number, found.id, round(found.score * share * 1000000) / 1000000 as shown
    from unnest(described.numbers, described.ids, described.scores) as found(number, id, score)
    order by shown desc
    fetch first case when places is null or named <> '{}' then described_ones else places end rows with ties
  ) as first;
  described := funding.with_ids(dataset, described);

  return query
  select listed.id, listed.shown, case when named = '{}' then described_ones else count(*) over () end
  from (
    select found.id, found.shown
    from unnest(described.ids, described.scores) as found(id, shown)
    where found.id <> all (named)
    union all
    select unnest(named), 1
  ) as listed
  order by listed.shown desc, listed.id
  limit places;
end
$$;

drop function funding.page_by_index(text, jsonb, text, text);

-- The records of a page of a list, and one more where another follows, by an index in the order of the list or of its filter. Each is
-- looked at (`xmin` is in no index): where an index has all that is asked for, the planner would rather sort everything that is
-- listed than go through a list in its order, which takes 70 ms in place of 20 for a page at 10,000.
create function funding.page_by_index(dataset text, request funding.list_request) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  sort_order constant text := funding.sort_order((request.list_order).sort_by, (request.list_order).direction);
  condition constant text := funding.predicate(dataset, request.filter);
  after constant text[] := case when (request.page).after_cursor is null then array['true'] else funding.after_cursor((request.page).after_cursor) end;
  -- One more than the page has, to know whether there is a next one. What is passed over may be in both parts.
  part constant text := '(select %s as part, record.* from funding.%I as record where (%s) and %s and record.xmin is not null order by %s %s)';
  ids uuid[];
begin
  execute case cardinality(after)
    when 1 then format('select array(select record.id from funding.%I as record where (%s) and %s and record.xmin is not null order by %s limit $3 + 1 offset $4)',
      dataset, condition, after[1], sort_order)
    else format('select array(select record.id from (%s union all %s) as record order by part, %s limit $3 + 1 offset $4)',
      format(part, 1, dataset, condition, after[1], sort_order, 'limit $3 + 1 + $4'),
      format(part, 2, dataset, condition, after[2], sort_order, 'limit $3 + 1 + $4'),
      sort_order)
  end
  into ids using request.filter, (request.page).after_cursor, (request.page).page_size, (request.page).page_offset;
  return ids;
end
$$;

drop function funding.field_page(text, jsonb, text, text);

-- A page of a list in the order of one of its fields. Its total is null where that has to be counted.
create function funding.field_page(dataset text, request funding.list_request) returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  page constant funding.found_page := funding.bitmap_page(dataset, request);
  ids constant uuid[] := coalesce(page.ids, funding.page_by_index(dataset, request));
  page_size constant bigint := (request.page).page_size;
  sort_by constant text := (request.list_order).sort_by;
  direction constant text := (request.list_order).direction;
  listed funding.listed_page := case dataset
    when 'grants' then funding.grants_listed(ids, page_size, sort_by, direction)
    when 'contracts' then funding.contracts_listed(ids, page_size, sort_by, direction)
    else funding.funders_listed(ids, page_size, sort_by, direction)
  end;
begin
  listed.total := page.total;
  return listed;
end
$$;

drop function funding.ranked_page(text, jsonb, text, extensions.halfvec, text, text);

-- A page of a ranked search, each record with its relevance_score.
create function funding.ranked_page(
  dataset text, request funding.list_request, mode text, query_vector extensions.halfvec)
returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  sort_by constant text := (request.list_order).sort_by;
  direction constant text := (request.list_order).direction;
  after_cursor constant jsonb := (request.page).after_cursor;
  page_size constant bigint := (request.page).page_size;
  first_place constant bigint := (request.page).page_offset + 1;
  last_place constant bigint := (request.page).page_offset + page_size;
  ids uuid[];
  scores double precision[];
  listed funding.listed_page;
  is_own_order boolean := sort_by = 'relevance' and direction = 'desc' and after_cursor is null;
begin
  select array_agg(ranked.id), array_agg(ranked.score), max(ranked.total) into ids, scores, listed.total
  from funding.ranked(dataset, request.filter, mode, query_vector, case when is_own_order then last_place end) as ranked;

  -- In the ranking's own order, a page is a part of it.
  if is_own_order then
    listed.total := coalesce(listed.total, 0);
    if listed.total > last_place then
      listed.next := json_build_object('sort_by', sort_by, 'order', direction, 'key', scores[last_place], 'id', ids[last_place]);
    end if;
    ids := ids[first_place:last_place];
    scores := scores[first_place:last_place];
    listed.page := case dataset
      when 'grants' then funding.grants_scored(ids, scores)
      when 'contracts' then funding.contracts_scored(ids, scores)
      else funding.funders_scored(ids, scores)
    end;
    return listed;
  end if;

  execute format($page$
    with found as materialized (
      select id, score from unnest($1, $5) as found(id, score)
    ), listed as materialized (
      select found.id, found.score, row_number() over (order by %3$s) as place, count(*) over () as following
      from found %4$s
      where %5$s
      order by place
      limit $3 offset $4
    )
    select coalesce(json_agg(shown.body order by found.place), '[]'),
           (array_agg(json_build_object('sort_by', %7$L, 'order', %8$L, 'key', %6$s, 'id', record.id) order by found.place desc) filter (where found.following > $3 + $4))[1],
           (select count(*) from found)
    from listed as found join funding.%1$I as record using (id)
    cross join lateral (%2$s) as shown
  $page$, dataset, funding.shown(dataset, ', found.score as relevance_score'), funding.sort_order(sort_by, direction),
    -- Only another order than the ranking's own needs the records themselves.
    case sort_by when 'relevance' then '' else format('join funding.%I as record using (id)', dataset) end,
    case when after_cursor is null then 'true' else array_to_string(funding.after_cursor(after_cursor), ' or ') end,
    funding.cursor_key(sort_by), sort_by, direction)
  into listed
  using ids, after_cursor, page_size, first_place - 1, scores;
  return listed;
end
$$;

drop function funding.remembered_page(text, jsonb, text, extensions.halfvec, text, text, bigint);

-- A page of a list, from memory when neither data nor ranking has moved since. Without a `mode` it is a list in the
-- order of a field, else a ranked search. `current_version` is what `funding.page_version` says.
create function funding.remembered_page(
  dataset text, request funding.list_request, mode text, query_vector extensions.halfvec, current_version bigint)
returns funding.listed_page
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- The mode may be another than was asked for, while there are no vectors.
  key text := md5(coalesce(mode, '') || request::text);
  known funding.pages;
  listed funding.listed_page;
begin
  -- Looked up by the primary key alone: an index on versions looks as good to the planner, and is not.
  select * into known from funding.pages where pages.dataset = remembered_page.dataset and pages.request_key = key;
  if known.version = current_version and known.page is not null then
    return (known.page, known.next, known.total);
  end if;
  if mode is null then
    listed := funding.field_page(dataset, request);
    listed.total := coalesce(listed.total, funding.total(dataset, request.filter));
  else
    listed := funding.ranked_page(dataset, request, mode, query_vector);
  end if;
  perform funding.remember_page(dataset, key, current_version, coalesce(known.version = current_version, false), listed);
  return listed;
end
$$;

drop function funding.facets(text, jsonb, text, extensions.halfvec);

-- What the records of a list are: { NAME: [{ value, count }] } for each of `names`, a JSON array, most frequent first, at most a
-- hundred values each. Of a ranked search, what it found.
create function funding.facets(dataset text, filter jsonb, names jsonb, mode text, query_vector extensions.halfvec) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  key constant text := md5(concat_ws(' ', 'facets', names, mode, filter));
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
  if exists (select from jsonb_array_elements_text(names) as name where not coalesce(values_of ? name, false)) then
    raise invalid_parameter_value using message = format('%s have no facets %s', dataset, names);
  end if;
  execute format($facets$
    with matching as materialized (
      select %2$s from funding.%1$I as record where %3$s
    )
    select json_build_object(%4$s)
  $facets$, dataset,
    (select string_agg(format('%s as %I', values_of->>name, name), ', ') from jsonb_array_elements_text(names) as name),
    case when mode is null then funding.predicate(dataset, filter) else 'record.id in (select id from funding.ranked($2, $1, $3, $4))' end,
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
     $facet$, name), ', ') from jsonb_array_elements_text(names) as name))
  into answer using filter, dataset, mode, query_vector;
  -- Dear enough to be remembered at once.
  perform funding.remember_page(dataset, key, current_version, true, (answer, null, null)::funding.listed_page);
  return answer;
end
$$;

drop function funding.ranking_mode(text, jsonb, boolean);

-- The mode in which a request's search is asked to rank, or null for a list in the order of a field: what its filter has, without
-- a look at the data.
create function funding.asked_ranking(parameters jsonb) returns text
language plpgsql immutable as $$
begin
  return case
    when coalesce(parameters->>'search_mode', 'keyword') <> 'keyword' then parameters->>'search_mode'
    when parameters->>'sort_by' = 'relevance' then 'keyword'
  end;
end
$$;

-- The mode that ranks a list, or null for one in the order of a field.
create function funding.ranking_mode(dataset text, asked_mode text, vector_is_missing boolean default false) returns text
language plpgsql stable as $$
begin
  if asked_mode is null then
    return null;
  elsif vector_is_missing then
    return funding.mode_without_vectors(asked_mode, 'the query has no vector');
  end if;
  return funding.available_mode(dataset, asked_mode);
end
$$;

-- The answer to a list request: { results, total, next, sort_by, order, search_mode, data_as_of, facets, tag }, or
-- { total, facets } with count_only, or { wanted_embedding } when the query's vector has to be got first. `next` is the
-- cursor of the next page and `facets` what was asked for; either may be null.
--
-- `tag` is what `funding.list_tag` says. To a caller who gives it back with the same parameters, as
-- `known_tag`, the answer is { data_as_of } alone while all else is as it was.
create or replace function funding.list(dataset text, parameters jsonb, query_vector jsonb default null, known_tag text default null) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  asked_mode constant text := coalesce(parameters->>'search_mode', 'keyword');
  request funding.list_request;
  -- Null while nothing is ranked.
  ranked_by text;
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
  -- Before the filter, which names records of this version or a later one.
  current_version := funding.page_version(dataset);
  request := funding.list_request_of(dataset, parameters);
  ranked_by := case
    -- What a search names by number, it finds without vectors.
    when asked_mode = 'semantic' and funding.identifier_condition(dataset, request.filter) is not null then asked_mode
    else funding.ranking_mode(dataset, funding.asked_ranking(parameters), coalesce(meaning.is_missing, false))
  end;

  if not counting then
    tag := funding.list_tag(ranked_by, current_version);
    if tag = known_tag then
      return json_build_object('data_as_of', funding.moment(funding.data_as_of(dataset)));
    end if;
    listed := funding.remembered_page(dataset, request, ranked_by, meaning.vector, current_version);
  elsif ranked_by is not null then
    listed.total := coalesce((select total from funding.ranked(dataset, request.filter, ranked_by, meaning.vector, 1)), 0);
  else
    listed.total := funding.total(dataset, request.filter);
  end if;
  if jsonb_array_length(parameters->'facets') > 0 then
    facets := funding.facets(dataset, request.filter, parameters->'facets', ranked_by, meaning.vector);
  end if;

  if counting then
    return case when facets is null then json_build_object('total', listed.total) else json_build_object('total', listed.total, 'facets', facets) end;
  end if;
  return json_build_object(
    'results', listed.page, 'total', listed.total, 'next', listed.next, 'facets', facets, 'sort_by', (request.list_order).sort_by, 'order', (request.list_order).direction,
    'search_mode', coalesce(ranked_by, asked_mode), 'data_as_of', funding.moment(funding.data_as_of(dataset)), 'tag', tag);
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
create or replace function public.confirm_lists(requests jsonb) returns json
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
      if asked.known_tag = funding.list_tag(funding.ranking_mode(asked.dataset, funding.asked_ranking(asked.parameters)), asked.version) then
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
create or replace function public.semantic_search(
  key_hash text, query text, datasets text[], maximum integer, query_vector jsonb default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, funding.is_second_call(query_vector));
  parameters jsonb := jsonb_build_object('search', query, 'search_mode', 'semantic');
  meaning funding.query_meaning := funding.meaning_of(query, query_vector);
  -- The filter of each dataset.
  filters jsonb;
  names_records boolean;
  results json;
begin
  perform funding.require_bounds(query, maximum, 0);
  if not coalesce(datasets <@ array['grants', 'contracts'] and array_position(datasets, null) is null, false) then
    raise invalid_parameter_value using message = format('no such datasets: %s', datasets);
  end if;
  if meaning.wanted is not null then
    return funding.answer(admitted, json_build_object('wanted_embedding', meaning.wanted));
  end if;
  select jsonb_object_agg(asked.dataset, asked.filter), bool_or(funding.identifier_condition(asked.dataset, asked.filter) is not null)
  into filters, names_records
  from (select name, funding.filter_of(name, parameters) from unnest(datasets) as name) as asked(dataset, filter);
  -- What a query names by number, it finds without vectors.
  if not names_records then
    perform funding.ranking_mode(name, 'semantic', coalesce(meaning.is_missing, false)) from unnest(datasets) as name;
  end if;
  with found as (
    select asked.dataset, ranked.id, ranked.score
    from unnest(datasets) as asked(dataset), funding.ranked(asked.dataset, filters->asked.dataset, 'semantic', meaning.vector, maximum) as ranked
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

-- What is remembered was found by the rules before.
truncate funding.totals, funding.pages;
update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where dataset = 'search';

revoke execute on all functions in schema funding from public;
