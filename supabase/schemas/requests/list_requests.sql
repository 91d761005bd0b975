-- A list request is a filter, an order and a page, each a value of its own.

-- Filter of a request's parameters, which the edge's validation makes of a query string: names as in the API, `states` as an
-- array, dates and moments as text, numbers and booleans as JSON's own. `statuses` and the ranges are parameters of the CommonGrants
-- search alone (functions/common-grants): an array of stored statuses, and { operator, min, max }. Beside the parameters that filter, a filter has:
--   search_in  absent: `search` looks in the records' own words; `documents`, `all`
--   search_mode  absent: records have all words of the search; `ranked_keyword`: enough of them; `semantic`, `hybrid`
--   passage_search  of a stored filter alone: what the search looks for in documents (`funding.with_passage_search`)
--   identifier_matches  ids of the records that have the search as an identifier; absent when the predicate compares identifiers
create or replace function funding.filter_of(dataset text, parameters jsonb) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  filter jsonb := parameters - funding.presentation_parameters() - 'search_mode';
  ranked_by constant text := funding.asked_ranking(parameters);
  identifier_matches jsonb;
begin
  if filter->>'search_in' = 'records' then
    filter := filter - 'search_in';
  end if;
  perform funding.require_rules(dataset, filter);
  if (parameters->>'archived_as_ids')::boolean then
    filter := filter || '{"include_archived": true, "include_versions": true}';
  end if;
  -- A list with `similar_to` has its order by itself, and a search in it is a filter.
  if ranked_by is not null and not parameters ? 'similar_to' then
    filter := filter || jsonb_build_object('search_mode', case ranked_by when 'keyword' then 'ranked_keyword' else ranked_by end);
  end if;
  filter := funding.with_agencies(dataset, filter);
  if parameters ? 'search' then
    identifier_matches := funding.identified_ids(dataset, parameters->>'search');
    if identifier_matches is not null then
      filter := filter || jsonb_build_object('identifier_matches', identifier_matches);
    end if;
  end if;
  return filter;
end
$$;

-- Filter with the names of its agencies, for their ids and abbreviations.
create or replace function funding.with_agencies(dataset text, filter jsonb) returns jsonb
language plpgsql stable as $$
declare
  name text;
begin
  foreach name in array array['agency', 'exclude_agency'] loop
    if jsonb_typeof(filter->name) = 'array' then
      filter := filter || jsonb_build_object(name, (
        select jsonb_agg(funding.agency_name(dataset, agency)) from jsonb_array_elements_text(filter->name) as agency));
    elsif filter ? name then
      filter := filter || jsonb_build_object(name, funding.agency_name(dataset, filter->>name));
    end if;
  end loop;
  return filter;
end
$$;

-- Name of an agency that a filter of a dataset names: by its id as a funder, or by its abbreviation where no record has that as a name itself.
create or replace function funding.agency_name(dataset text, agency text) returns text
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  full_name text;
  is_name boolean;
begin
  if agency ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return coalesce((select funders.name from funding.funders where funders.id = agency::uuid), agency);
  end if;
  select known.name into full_name from funding.agency_abbreviations as known where known.abbreviation = lower(agency);
  if full_name is null then
    return agency;
  end if;
  execute format('select exists (select from funding.%I as record where funding.detail_keys(record.details) && $1)', dataset)
  into is_name using funding.wanted_names('agency', 'agency', to_jsonb(agency));
  return case when is_name then agency else full_name end;
end
$$;

-- Ranking mode that the parameters ask for; null for a list in the order of a field. A search in documents ranks, by their words alone, and one in records and
-- documents ranks, too. Reads no tables.
create or replace function funding.asked_ranking(parameters jsonb) returns text
language plpgsql immutable as $$
begin
  return case
    when parameters ? 'similar_to' then 'hybrid'
    when parameters->>'search_in' = 'documents' then 'keyword'
    when coalesce(parameters->>'search_mode', 'keyword') <> 'keyword' then parameters->>'search_mode'
    when parameters->>'sort_by' = 'relevance' or parameters->>'search_in' = 'all' then 'keyword'
  end;
end
$$;

-- Order of a request's parameters.
create or replace function funding.order_of(dataset text, parameters jsonb) returns funding.list_order
language plpgsql immutable as $$
declare
  sort_by constant text := coalesce(parameters->>'sort_by',
    case when funding.asked_ranking(parameters) is not null then 'relevance' when dataset = 'funders' then 'name' else 'created_at' end);
begin
  return (sort_by, coalesce(parameters->>'order', case when sort_by <> 'relevance' and dataset = 'funders' then 'asc' else 'desc' end));
end
$$;

-- Page of a request's parameters.
create or replace function funding.page_of(parameters jsonb) returns funding.list_page
language plpgsql immutable as $$
begin
  return ((parameters->>'limit')::bigint, (parameters->>'offset')::bigint, parameters->'cursor');
end
$$;

-- List request of a request's parameters, whose days from today are those of now.
create or replace function funding.list_request_of(dataset text, parameters jsonb) returns funding.list_request
language plpgsql stable as $$
begin
  return (funding.filter_of(dataset, funding.with_days(parameters, funding.wall_clock())), funding.order_of(dataset, parameters), funding.page_of(parameters));
end
$$;

-- Raises 22023 unless a search and a page are as small as the edge allows, for every caller: a page without a limit would be the whole table. The
-- offset may be as large as in the CommonGrants lists, which have no cursor.
create or replace function funding.require_bounds(query text, page_size bigint, page_offset bigint) returns void
language plpgsql immutable as $$
begin
  if char_length(query) > 4000
    or coalesce(page_size not between 1 and 10000, true) or coalesce(page_offset not between 0 and 1000000, true) then
    raise invalid_parameter_value using message = 'a search has at most 4000 characters, a page a limit of at most 10000 and an offset of at most 1000000';
  end if;
end
$$;
