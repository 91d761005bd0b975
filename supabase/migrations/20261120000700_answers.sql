-- Records as the API shows them, and the RPCs that the edge calls.
--
-- What every request calls is in PL/pgSQL, which keeps its plans: an SQL function that cannot be inlined is planned for
-- each request, and together these took as long as the rest of a remembered list.

-- A JSON object with one more member at its end. (jsonb would reorder the members.)
create function funding.with_member(body json, name text, value json) returns json
language sql immutable parallel safe as $$
  select (left(body::text, -1) || ', ' || to_json(name)::text || ' : ' || value::text || '}')::json
$$;

-- RFC 3339 in UTC with milliseconds, whatever the session's time zone and date style.
create function funding.moment(at timestamptz) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$$;

create function funding.iso_date(day date) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(day, 'YYYY-MM-DD');
end
$$;

-- A record as the API shows it, as SQL: a query of one column, `body`, that reads the row named `record`. (Text
-- in the statement rather than a function of the record, which would be called for each: twice as fast.)
create function funding.shown(dataset text) returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then $f$
      select to_json(shown) as body
      from (select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at) as shown
    $f$
    else format($o$
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(shown) end as body
      from (
        select record.id, record.title, record.description, record.amount_min, record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography, %s
               record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               %s funding.moment(record.created_at) as created_at, record.categories
      ) as shown
      cross join lateral (select shown.*, funding.iso_date(record.project_end_date) as project_end_date) as awarded
    $o$,
      case dataset when 'contracts' then 'record.document_url, record.listing_url, record.naics, record.primary_contact_email, record.set_aside_code,' else '' end,
      case dataset when 'contracts' then '' else 'record.listing_url,' end)
  end
$$;

-- A page of a list: the records as JSON, the cursor that the next page begins after (null at the end), and, where the
-- list is a ranked search, how many records that found.
create type funding.listed_page as (page json, next json, total bigint);

-- A page of a list in the order of one of its fields.
create function funding.field_page(dataset text, parameters jsonb, sort_by text, direction text) returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  sort_order text := funding.sort_order(sort_by, direction);
  after text[] := case when parameters ? 'cursor' then funding.after_cursor(parameters->'cursor') else array['true'] end;
  -- One more than the page has, to know whether there is a next one. What is passed over may be in both parts.
  part constant text := '(select %s as part, record.* from funding.%I as record where (%s) and %s order by %s %s)';
  listed funding.listed_page;
begin
  execute format($page$
    select coalesce(json_agg(shown.body order by record.place) filter (where record.place <= $2), '[]'),
           (array_agg(%s) filter (where record.place = $2 and record.is_followed))[1]
    from (
      select record.*, row_number() over () as place, count(*) over () > $2 as is_followed from (%s) as record
    ) as record
    cross join lateral (%s) as shown
  $page$, funding.cursor_of(sort_by, direction),
    case cardinality(after)
      when 1 then format(part, 1, dataset, funding.predicate(dataset, parameters), after[1], sort_order, 'limit $2 + 1 offset $3')
      else format('select * from (%s union all %s) as record order by part, %s limit $2 + 1 offset $3',
        format(part, 1, dataset, funding.predicate(dataset, parameters), after[1], sort_order, 'limit $2 + 1 + $3'),
        format(part, 2, dataset, funding.predicate(dataset, parameters), after[2], sort_order, 'limit $2 + 1 + $3'),
        sort_order)
    end,
    funding.shown(dataset))
  into listed.page, listed.next
  using parameters, (parameters->>'limit')::bigint, (parameters->>'offset')::bigint;
  return listed;
end
$$;

-- Pages that were asked for more than once, remembered like totals: per request and data version, the funders' too,
-- since records show their names. A page that is asked for once leaves only a note that it was. Losing this table
-- loses nothing, hence unlogged.
create unlogged table funding.pages (
  dataset text not null,
  request_key text not null,
  version bigint not null,
  -- Null until the request comes a second time.
  page json,
  next json,
  total bigint,
  remembered_at timestamptz not null default now(),
  primary key (dataset, request_key)
);
alter table funding.pages enable row level security;
alter table funding.pages alter column page set storage external;
create index pages_version on funding.pages (dataset, version);
create index pages_remembered_at on funding.pages (remembered_at);

-- The version of all that a dataset's pages show. Versions only grow, so their sum is the same only when each is. It
-- has to be read before the records are.
create function funding.page_version(dataset text) returns bigint
language plpgsql stable as $$
begin
  return (
    select sum(data_versions.version)::bigint from funding.data_versions
    where data_versions.dataset in (page_version.dataset, 'funders', 'search'));
end
$$;

-- Remembers a page that was just made, if the request came before.
create function funding.remember_page(
  dataset text, request_key text, version bigint, came_before boolean, listed funding.listed_page) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- What a page of a hundred long records comes to; more is not worth its place.
  most_characters constant integer := 400000;
begin
  insert into funding.pages as remembered (dataset, request_key, version, page, next, total)
  values (remember_page.dataset, remember_page.request_key, remember_page.version,
          case when came_before and length(listed.page::text) <= most_characters then listed.page end, listed.next, listed.total)
  on conflict on constraint pages_pkey do update
    set version = excluded.version, page = excluded.page, next = excluded.next, total = excluded.total, remembered_at = excluded.remembered_at
    where remembered.version < excluded.version or remembered.page is null;
  -- Each page takes up to four old ones with it, so the table stays the size of what some minutes' requests repeat.
  perform funding.forget_stale('pages', dataset, version, interval '10 minutes');
end
$$;

-- A page of a ranked search, each record with its relevance_score.
create function funding.ranked_page(
  dataset text, parameters jsonb, mode text, query_vector extensions.halfvec, sort_by text, direction text)
returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  listed funding.listed_page;
begin
  execute format($page$
    with found as materialized (
      select ranked.id, ranked.score from funding.ranked($2, $1, $3, $6) as ranked
    ), listed as materialized (
      select found.id, found.score, row_number() over (order by %3$s) as place, count(*) over () as following
      from found %4$s
      where %5$s
      order by place
      limit $4 offset $5
    )
    select coalesce(json_agg(funding.with_member(shown.body, 'relevance_score', to_json(found.score)) order by found.place), '[]'),
           (array_agg(%6$s order by found.place desc) filter (where found.following > $4 + $5))[1],
           (select count(*) from found)
    from listed as found join funding.%1$I as record using (id)
    cross join lateral (%2$s) as shown
  $page$, dataset, funding.shown(dataset), funding.sort_order(sort_by, direction),
    -- Only another order than the ranking's own needs the records themselves.
    case sort_by when 'relevance' then '' else format('join funding.%I as record using (id)', dataset) end,
    case when parameters ? 'cursor' then array_to_string(funding.after_cursor(parameters->'cursor'), ' or ') else 'true' end,
    funding.cursor_of(sort_by, direction))
  into listed
  using parameters, dataset, mode, (parameters->>'limit')::bigint, (parameters->>'offset')::bigint, query_vector;
  return listed;
end
$$;

-- A page of a list, from memory when neither data nor ranking has moved since. Without a `mode` it is a list in the
-- order of a field, else a ranked search. `current_version` is what `funding.page_version` says.
create function funding.remembered_page(
  dataset text, parameters jsonb, mode text, query_vector extensions.halfvec, sort_by text, direction text, current_version bigint)
returns funding.listed_page
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- The mode may be another than was asked for, while there are no vectors.
  key text := md5(coalesce(mode, '') || parameters::text);
  known funding.pages;
  listed funding.listed_page;
begin
  -- Looked up by the primary key alone: an index on versions looks as good to the planner, and is not.
  select * into known from funding.pages where pages.dataset = remembered_page.dataset and pages.request_key = key;
  if known.version = current_version and known.page is not null then
    return (known.page, known.next, known.total);
  end if;
  listed := case
    when mode is null then funding.field_page(dataset, parameters, sort_by, direction)
    else funding.ranked_page(dataset, parameters, mode, query_vector, sort_by, direction)
  end;
  perform funding.remember_page(dataset, key, current_version, coalesce(known.version = current_version, false), listed);
  return listed;
end
$$;

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

-- The answer to a list request: { results, total, next, sort_by, order, search_mode, data_as_of, facets, tag }, or
-- { total, facets } with count_only, or { wanted_embedding } when the query's vector has to be got first. `next` is the
-- cursor of the next page and `facets` what was asked for; either may be null.
--
-- `tag` says of which data and ranking the answer is. To a caller who gives it back with the same parameters, as
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
  if asked_mode <> 'keyword' or sort_by = 'relevance' then
    ranked_by := case
      when meaning.is_missing then funding.mode_without_vectors(asked_mode, 'the query has no vector')
      else funding.available_mode(dataset, asked_mode)
    end;
  end if;

  if not counting then
    current_version := funding.page_version(dataset);
    tag := coalesce(ranked_by, 'field') || '.' || current_version;
    if tag = known_tag then
      return json_build_object('data_as_of', funding.moment(funding.data_as_of(dataset)));
    end if;
    listed := funding.remembered_page(dataset, parameters, ranked_by, meaning.vector, sort_by, direction, current_version);
  elsif ranked_by is not null then
    listed.total := (select count(*) from funding.ranked(dataset, parameters, ranked_by, meaning.vector));
  end if;
  if ranked_by is null then
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
    from unnest(datasets) as asked(dataset), funding.ranked(asked.dataset, parameters, 'semantic', meaning.vector) as ranked
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
    'get_grant(text, uuid)', 'get_contract(text, uuid)', 'get_funder(text, uuid)',
    'semantic_search(text, text, text[], integer, jsonb)'
  ] loop
    execute format('revoke execute on function public.%s from public, anon, authenticated', rpc);
    execute format('grant execute on function public.%s to service_role', rpc);
  end loop;
end
$$;
revoke execute on all functions in schema funding from public;
