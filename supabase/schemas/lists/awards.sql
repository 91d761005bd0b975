-- Awards of an opportunity: those under its number, else earlier ones of its programme.

-- Awards under an opportunity's number, the newest first: ids of a page and one more where another page follows, how sure each is, and the total.
create or replace function funding.awards_by_number(
  number text, after_cursor jsonb, page_size bigint, out ids uuid[], out certainties text[], out total bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  own constant text := upper(number);
  numbers constant text[] := funding.numbers_of_awards(number);
  is_shared constant boolean := 1 < (
    select count(*) from funding.grants as record
    where upper(record.details->>'opportunity_number') = own and record.details ? 'opportunity_number' and record.classification = 'opportunity');
begin
  with linked as materialized (
    select record.id, record.created_at,
           case when upper(record.details->>'opportunity_number') = own and not is_shared then 'certain' else 'likely' end as certainty
    from funding.grants as record
    where record.details ? 'opportunity_number' and upper(record.details->>'opportunity_number') = any (numbers)
      and record.classification = 'awarded_project' and record.archived_at is null
  ), listed as (
    select linked.id, linked.certainty, linked.created_at from linked
    where after_cursor is null or (linked.created_at, linked.id) < ((after_cursor->>'key')::timestamptz, (after_cursor->>'id')::uuid)
    order by linked.created_at desc, linked.id desc
    limit page_size + 1
  )
  select array_agg(listed.id order by listed.created_at desc, listed.id desc), array_agg(listed.certainty order by listed.created_at desc, listed.id desc),
         (select count(*) from linked)
  into ids, certainties, total
  from listed;
end
$$;

-- Names under which publishers give an agency: its abbreviation for its name, the name for the abbreviation, with and without "U.S.".
create or replace function funding.agency_spellings(agency text) returns text[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  plain constant text := regexp_replace(agency, '^(U\.? ?S\.?|United States) (?=\w)', '', 'i');
  full_name constant text := coalesce((select known.name from funding.agency_abbreviations as known where known.abbreviation = lower(agency)), plain);
begin
  return array[agency, full_name, 'U.S. ' || full_name] || array(
    select upper(known.abbreviation) from funding.agency_abbreviations as known where funding.name_key(known.name) = funding.name_key(full_name));
end
$$;

-- Filter of the earlier awards of an opportunity's programme; null where its programme is not known. The same agency is one of those below its
-- department, where it names any.
create or replace function funding.programme_filter(details jsonb, posted_at timestamptz) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  listings constant jsonb := jsonb_path_query_array(details, '$.assistance_listings[*].number');
  agency constant jsonb := details->'agency';
begin
  if listings = '[]' or coalesce(jsonb_array_length(agency), 0) = 0 then
    return null;
  end if;
  return jsonb_build_object('opportunity_type', 'awarded', 'assistance_listing', listings,
    'agency', (
      select jsonb_agg(distinct spelling)
      from jsonb_array_elements_text(case when jsonb_array_length(agency) > 1 then agency - 0 else agency end) as given(name)
      cross join unnest(funding.agency_spellings(given.name)) as spelling),
    'posted_range', jsonb_build_object('operator', 'between', 'min', '0001-01-01T00:00:00Z', 'max', funding.moment(posted_at)));
end
$$;

-- Awards of an opportunity, the newest first: { results, total, next, data_as_of }, each record with its `link` and `certainty`. None of an award;
-- null where there is no such record. `parameters` has `limit`, `cursor` and `expand` of a list.
create or replace function funding.awards_of(record_id uuid, parameters jsonb) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  page_size constant bigint := (parameters->>'limit')::bigint;
  -- Read before the records.
  current_version constant bigint := funding.page_version('grants');
  opportunity record;
  filter jsonb;
  numbered record := row(null);
  listed funding.listed_page := ('[]', null, 0);
  link text := 'number';
begin
  perform funding.require_bounds(null, page_size, 0);
  select record.details, record.created_at, record.classification into opportunity from funding.grants as record where record.id = record_id;
  if not found then
    return null;
  end if;
  if opportunity.classification = 'opportunity' then
    select * into numbered from funding.awards_by_number(opportunity.details->>'opportunity_number', parameters->'cursor', page_size);
    filter := funding.programme_filter(opportunity.details, opportunity.created_at);
    if numbered.total > 0 then
      listed := funding.grants_listed(coalesce(numbered.ids, '{}'), page_size, 'created_at', 'desc');
      listed.total := numbered.total;
    elsif filter is not null then
      link := 'programme';
      listed := funding.cached_page('grants', funding.list_request_of('grants', filter || '{"sort_by": "created_at", "order": "desc", "offset": 0}'
        || jsonb_strip_nulls(jsonb_build_object('limit', page_size, 'cursor', parameters->'cursor'))), null, null, current_version);
    end if;
  end if;
  if parameters->'expand' ? 'details' then
    listed.page := funding.with_details('grants', listed.page);
  end if;
  return json_build_object('results', (
      select coalesce(json_agg(funding.with_member(funding.with_member(item.body, 'link', to_json(link)), 'certainty',
        to_json(case link when 'number' then numbered.certainties[array_position(numbered.ids, (item.body->>'id')::uuid)] else 'possible' end))
        order by item.position), '[]')
      from json_array_elements(listed.page) with ordinality as item(body, position)),
    'total', listed.total, 'next', listed.next, 'data_as_of', funding.moment(funding.data_as_of('grants')));
end
$$;
