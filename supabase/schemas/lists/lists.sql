-- Lists and single records, as the RPCs return them.

-- Version of a list: its ranking, the version of its data, and the day where its parameters are relative to that. While the version is the same, the list
-- is the same: the edge function's list cache revalidates by the version.
create or replace function funding.list_version(ranked_by text, version bigint, parameters jsonb) returns text
language plpgsql stable as $$
begin
  return concat_ws('.', coalesce(ranked_by, 'field'), version,
    case when funding.is_relative(parameters) then funding.publishers_day(0, funding.wall_clock()) #>> '{}' end);
end
$$;

-- Records with these ids as the API shows them, in the order of the ids, without those that there are not. `expand` is that of `funding.single`.
create or replace function funding.named_records(dataset text, ids uuid[], expand jsonb) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- A page, since the plans of pages are cached.
  page json := case dataset
    when 'grants' then (funding.grants_listed(ids, cardinality(ids), null, null)).page
    when 'contracts' then (funding.contracts_listed(ids, cardinality(ids), null, null)).page
    when 'funders' then (funding.funders_listed(ids, cardinality(ids), null, null)).page
  end;
begin
  return case when expand ? 'details' then funding.with_details(dataset, page, expand ? 'checks') else page end;
end
$$;

-- Result of a request for records by their ids, whatever they are: as that of `funding.list`, with the ids that no record has in `missing`.
create or replace function funding.list_of_ids(dataset text, parameters jsonb, if_none_match text) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  ids constant uuid[] := array(select named.id::uuid from jsonb_array_elements_text(parameters->'ids') with ordinality as named(id, position) order by position);
  -- Read before the records.
  list_version constant text := funding.list_version(null, funding.page_version(dataset), parameters);
  page json;
  missing uuid[];
begin
  perform funding.require_bounds(null, cardinality(ids), 0);
  if list_version = if_none_match and not coalesce(parameters->'expand' ? 'checks', false) then
    return json_build_object('data_as_of', funding.moment(funding.data_as_of(dataset)));
  end if;
  page := funding.named_records(dataset, ids, parameters->'expand');
  missing := array(
    select named.id from unnest(ids) with ordinality as named(id, position)
    where named.id <> all (array(select (item.body->>'id')::uuid from json_array_elements(page) as item(body)))
    order by position);
  return json_build_object(
    'results', page, 'missing', missing, 'archived', null, 'last_updated_at', null, 'total', cardinality(ids) - cardinality(missing), 'next', null,
    'facets', null, 'sort_by', 'ids', 'order', 'asc', 'search_mode', 'keyword', 'data_as_of', funding.moment(funding.data_as_of(dataset)),
    'understood', null, 'tag', list_version);
end
$$;

-- Result of a list request: { results, archived, last_updated_at, total, next, sort_by, order, search_mode, data_as_of, understood, facets, tag }, or
-- { total, facets } with count_only, or that of `funding.list_of_ids` with ids, or { wanted_embedding } when the query's vector is needed first. `next` is the cursor of the next page.
-- `archived`, `facets`, `understood` (explain.sql) and `marks` (marks.sql) are there if the request asks for them, and `last_updated_at` in a feed
-- (feed.sql); each may be null.
--
-- `tag` is `funding.list_version`. A caller that gives it back with the same parameters, as `if_none_match`, gets only { data_as_of } while the list
-- is unchanged.
create or replace function funding.list(dataset text, parameters jsonb, query_vector jsonb default null, if_none_match text default null) returns json
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
  list_version text;
  listed funding.listed_page;
  facets json;
  has_facets constant boolean := coalesce(jsonb_array_length(parameters->'facets') > 0, false);
  is_detailed constant boolean := coalesce(parameters->'expand' ? 'details', false);
  has_checks constant boolean := coalesce(parameters->'expand' ? 'checks', false);
  archived_apart constant boolean := coalesce((parameters->>'archived_as_ids')::boolean, false);
  is_feed boolean;
  settled_until timestamptz;
  feed record;
  last_updated_at text;
  archived json;
  understood json;
  marks json;
begin
  if parameters ? 'ids' then
    return funding.list_of_ids(dataset, parameters, if_none_match);
  end if;
  perform funding.require_bounds(parameters->>'search', case when counting then 1 else (parameters->>'limit')::bigint end,
    case when counting then 0 else (parameters->>'offset')::bigint end);
  if asked_mode <> 'keyword' then
    meaning := funding.meaning_of(parameters->>'search', query_vector);
    if meaning.wanted is not null then
      return json_build_object('wanted_embedding', meaning.wanted);
    end if;
  end if;
  -- Read before the filter is made: the filter's `identifier_matches` are then of this version or a later one.
  current_version := funding.page_version(dataset, parameters ? 'similar_to');
  if asked_mode = 'semantic' then
    request := funding.list_request_of(dataset, parameters);
  end if;
  ranked_by := case
    -- An identifier is found without vectors.
    when asked_mode = 'semantic' and funding.identifier_condition(dataset, request.filter) is not null then asked_mode
    else funding.ranking_mode(dataset, funding.asked_ranking(parameters), coalesce(meaning.is_missing, false))
  end;
  list_version := funding.list_version(ranked_by, current_version, parameters);
  is_feed := coalesce(ranked_by is null and coalesce(parameters->>'sort_by' = 'updated_at', false) and (funding.order_of(dataset, parameters)).direction = 'asc', false);
  -- The feed's end and the checks of records move on without a new version of the data, so neither is ever answered as unchanged.
  if list_version = if_none_match and not counting and not is_feed and not has_checks then
    return json_build_object('data_as_of', funding.moment(funding.data_as_of(dataset)));
  end if;

  -- Not made before: in the other modes, making the filter would be a third of the cost of confirming a cached page.
  if request.filter is null then
    request := funding.list_request_of(dataset, parameters);
  end if;
  -- Before the page, which is cached last and evicts: of many pages, the facets are cached once.
  if has_facets and not (counting or is_feed) then
    facets := funding.asked_facets(dataset, request.filter, parameters, ranked_by, meaning.vector, false);
  end if;
  if not counting and is_feed then
    settled_until := funding.settled_until();
    select * into feed from funding.feed_page(dataset, request, settled_until, parameters->'expand', archived_apart);
    listed := feed.listed;
    listed.total := coalesce(listed.total, funding.total(dataset, request.filter, not has_facets));
    archived := feed.archived;
    last_updated_at := feed.last_updated_at;
  elsif not counting then
    listed := funding.cached_page(dataset, request, ranked_by, meaning.vector, current_version);
  elsif ranked_by is not null then
    listed.total := coalesce((select total from funding.ranked(dataset, request.filter, ranked_by, meaning.vector, 1)), 0);
  else
    listed.total := funding.total(dataset, request.filter, not has_facets);
  end if;
  -- After a total, which may be cached: what evicts caches nothing more.
  if has_facets and (counting or is_feed) then
    facets := funding.asked_facets(dataset, request.filter, parameters, ranked_by, meaning.vector, true);
  end if;
  if is_detailed and not counting and not is_feed then
    listed.page := funding.with_details(dataset, listed.page, has_checks);
  end if;
  if archived_apart and not counting and not is_feed then
    select parts.current_records, parts.archived into listed.page, archived from funding.without_archived(dataset, listed.page) as parts;
  end if;
  if (parameters->>'explain')::boolean and not counting then
    listed.page := funding.with_explanations(dataset, request.filter, ranked_by, meaning.vector, listed.page);
    understood := funding.understood(dataset, request.filter, ranked_by, meaning.vector);
  end if;
  if (parameters->>'passages')::boolean and not counting then
    listed.page := funding.with_passages(dataset, request.filter, meaning.vector, listed.page);
  end if;
  if not counting and ((parameters->>'highlight')::boolean or (parameters->>'passages')::boolean) then
    marks := json_build_array(funding.with_member(
      funding.marks(dataset, request.filter, ranked_by, meaning.vector, listed.page),
      'passages_only', to_json(not coalesce((parameters->>'highlight')::boolean, false))));
  end if;

  if counting then
    return case when facets is null then json_build_object('total', listed.total) else json_build_object('total', listed.total, 'facets', facets) end;
  end if;
  return json_build_object(
    'results', listed.page, 'archived', archived, 'last_updated_at', last_updated_at, 'total', listed.total, 'next', listed.next, 'facets', facets, 'sort_by', (request.list_order).sort_by, 'order', (request.list_order).direction,
    'search_mode', coalesce(ranked_by, asked_mode), 'data_as_of', funding.moment(funding.data_as_of(dataset)), 'understood', understood, 'marks', marks, 'tag', list_version);
end
$$;

-- One record as the API shows it, or null. `expand` is a JSON array of the parts to add: "details", with it "checks" (links.sql), and, of a grant or contract for the catalogue's pages,
-- "archived_at", which is null of a current record.
create or replace function funding.single(dataset text, record_id uuid, expand jsonb default null) returns json
language plpgsql stable as $$
declare
  shown json := funding.named_records(dataset, array[record_id], expand)->0;
  archived_at timestamptz;
begin
  if shown is null or dataset = 'funders' or not coalesce(expand ? 'archived_at', false) then
    return shown;
  end if;
  execute format('select record.archived_at from funding.%I as record where record.id = $1', dataset)
    into archived_at using (shown->>'id')::uuid;
  return shown::jsonb || jsonb_build_object('archived_at', funding.moment(archived_at));
end
$$;
