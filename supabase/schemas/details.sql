-- Details of opportunities: data of their sources beyond a record's own fields, in the column `details`.

-- Keys by which an opportunity's details are filtered: `applicant_type=individual`, `agency=...` with the name in the form in which names are
-- compared. They have an index of their own, and each key has a bitmap.
create or replace function funding.detail_keys(details jsonb) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select case when details is null then '{}' else
    array(
      select field || '=' || value
      from unnest(array['applicant_type', 'funding_instrument'], array['applicant_types', 'funding_instrument']) as listed(field, name),
           jsonb_array_elements_text(coalesce(details->listed.name, '[]')) as value)
    || array(select 'assistance_listing=' || (item->>'number') from jsonb_array_elements(coalesce(details->'assistance_listings', '[]')) as item)
    || array(select funding.agency_key(name) from jsonb_array_elements_text(coalesce(details->'agency', '[]')) as name)
    || case when details->>'cost_sharing' is null then '{}' else array['cost_sharing=' || (details->>'cost_sharing')] end
  end
$$;

-- Key of an organization in an opportunity's path of agencies.
create or replace function funding.agency_key(name text) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
declare
  key constant text := funding.name_key(name);
begin
  return funding.bitmap_name('agency', key);
end
$$;

-- Parameters of a list that filter by keys of details.
create or replace function funding.detail_parameters() returns text[]
language sql immutable parallel safe as $$
  select array['applicant_type', 'funding_instrument', 'assistance_listing', 'agency', 'cost_sharing']
$$;

-- Keys for such a parameter of a filter: a matching record has one of them. A record that is open to any applicant is open to the requested ones,
-- too.
create or replace function funding.wanted_detail_keys(filter jsonb, parameter text) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select case parameter
    when 'agency' then
      case jsonb_typeof(filter->'agency')
        when 'array' then array(select funding.agency_key(name) from jsonb_array_elements_text(filter->'agency') as name)
        else array[funding.agency_key(filter->>'agency')]
      end
    when 'applicant_type' then array(
      select 'applicant_type=' || type from jsonb_array_elements_text(filter->'applicant_type') as type
      union
      select 'applicant_type=unrestricted' where coalesce((filter->>'include_unrestricted')::boolean, true))
    when 'funding_instrument' then array(
      select 'funding_instrument=' || instrument from jsonb_array_elements_text(filter->'funding_instrument') as instrument)
    else array[parameter || '=' || (filter->>parameter)]
  end
$$;

-- SQL for the details of a record, as the API shows them with `expand=details`. It reads the row named `record`. A detail that the source does not
-- give is null, an empty list, or false.
create or replace function funding.details_expression(dataset text) returns text
language plpgsql immutable parallel safe as $$
begin
  return format('json_build_object(%s ''source'', record.source, ''updated_at'', funding.moment(record.updated_at))',
    case when dataset <> 'funders' then (
      select string_agg(format(case kind when 'list' then '%1$L, coalesce(record.details->%1$L, ''[]''),' when 'flag' then '%1$L, coalesce(record.details->%1$L, ''false''),'
        else '%1$L, record.details->%1$L,' end, name), ' ' order by position)
      from unnest(
        array['opportunity_number', 'notice_type', 'agency', 'applicant_types', 'eligibility_text', 'assistance_listings', 'funding_instrument', 'cost_sharing',
          'expected_awards', 'total_funding', 'psc', 'place_of_performance', 'documents', 'deadline_at', 'deadline_assumed', 'deadline_note'],
        array['value', 'value', 'list', 'list', 'value', 'list', 'list', 'value', 'value', 'value', 'value', 'value', 'list', 'value', 'flag', 'value'])
        with ordinality as field(name, kind, position))
    end);
end
$$;

-- Page of records with the details of each, as its last member. A record that was deleted since has none.
create or replace function funding.with_details(dataset text, page json) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  detailed json;
begin
  execute format($details$
    select coalesce(json_agg(case when record.id is null then item.body else funding.with_member(item.body, 'details', %s) end order by item.position), '[]')
    from json_array_elements($1) with ordinality as item(body, position)
    left join funding.%I as record on record.id = (item.body->>'id')::uuid
  $details$, funding.details_expression(dataset), dataset)
  into detailed using page;
  return detailed;
end
$$;
