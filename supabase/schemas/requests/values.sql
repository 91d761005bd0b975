-- Values of fields, in the form in which filters compare them.

-- Name of the bitmap of a field's value. A value too long for an index is named by its hash.
create or replace function funding.bitmap_name(field text, value text) returns text
language sql immutable parallel safe as $$
  select field || case when octet_length(value) <= 200 then '=' || value else '#' || md5(value) end
$$;

-- Keys of an opportunity's details but for some fields: `applicant_type=individual`, `agency=...` with the name in the form in which names are compared; of
-- a code its beginnings, too. (In PL/pgSQL, which keeps the plan: in SQL it was planned for each record.)
create or replace function funding.keys_of_details(details jsonb, without_fields text[]) returns text[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
  return case when details is null then '{}' else array(
    select funding.bitmap_name(known.field, key)
    from funding.detail_fields() as known
    cross join jsonb_array_elements_text(jsonb_path_query_array(details, known.path)) as value
    cross join unnest(funding.beginnings_of(funding.compared_value(known.form, value), known.beginnings)) as key
    where known.field <> all (without_fields) and value is not null)
  end;
end
$$;

-- Keys by which an opportunity's details are filtered. They have an index of their own.
create or replace function funding.detail_keys(details jsonb) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return funding.keys_of_details(details, '{}');
end
$$;

-- Those keys that have bitmaps.
create or replace function funding.detail_bitmaps(details jsonb) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return funding.keys_of_details(details, funding.details_without_bitmaps());
end
$$;

-- A code, and its beginnings of these lengths.
create or replace function funding.beginnings_of(code text, lengths integer[]) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return case when lengths is null then array[code] else array[code] || array(select left(code, length) from unnest(lengths) as length where length < char_length(code)) end;
end
$$;

-- A value in the form in which it is compared.
create or replace function funding.compared_value(form text, value text) returns text
language sql immutable parallel safe as $$
  select case form when 'lower' then lower(value) when 'upper' then upper(value) when 'agency' then funding.name_key(value) else value end
$$;

-- Values that a filter wants, one or a list, in the form in which they are compared.
--
-- In plpgsql, which keeps its plans: a function in SQL would be planned at each call.
create or replace function funding.wanted_values(form text, wanted jsonb) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return case form
    when 'status' then array(select distinct unnest(funding.statuses_meant(value)) from funding.listed_values(wanted) as value)
    else array(select funding.compared_value(form, value) from funding.listed_values(wanted) as value)
  end;
end
$$;

-- Values of a filter, which has one or a list.
create or replace function funding.listed_values(wanted jsonb) returns setof text
language sql immutable parallel safe as $$
  select jsonb_array_elements_text(case jsonb_typeof(wanted) when 'array' then wanted else jsonb_build_array(wanted) end)
$$;

-- Names of the bitmaps of a field for the values that a filter wants, which are the keys of details, too.
create or replace function funding.wanted_names(field text, form text, wanted jsonb) returns text[]
language plpgsql immutable parallel safe as $$
begin
  return array(select funding.bitmap_name(field, value) from unnest(funding.wanted_values(form, wanted)) as value);
end
$$;

-- Keys of the details of records that one of a filter's applicants may apply for. A record that is open to any applicant is open to those, too.
create or replace function funding.wanted_applicant_types(filter jsonb) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select funding.wanted_names('applicant_type', 'exact', filter->'applicant_type')
    || case when coalesce((filter->>'include_unrestricted')::boolean, true) then array['applicant_type=unrestricted'] else '{}' end
$$;

-- Stored statuses that a status filter means: the API has two vocabularies, in which `open` and `posted` are one thing, and
-- `upcoming` and `forecasted` another.
create or replace function funding.statuses_meant(status text) returns text[]
language sql immutable parallel safe as $$
  select case lower(status)
    when 'open' then array['open', 'posted']
    when 'posted' then array['open', 'posted']
    when 'upcoming' then array['upcoming', 'forecasted']
    when 'forecasted' then array['upcoming', 'forecasted']
    else array[lower(status)]
  end
$$;

-- LIKE pattern for text that contains `part`, in which % and _ mean themselves.
create or replace function funding.containing(part text) returns text
language sql immutable parallel safe as $$
  select '%' || replace(replace(replace(part, '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;
