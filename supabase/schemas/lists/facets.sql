-- Facets: how many of a list's records each value of a field would leave, as the total of the list with the field's parameter set to it.

-- SQL of what a facet counts: the beginning of a query, which ends with `keyed`, the spellings of values with their keys, and `counted`, a value for
-- each key with its number of records. It reads `matching`, which has the records' ids, their values under the facet's name and, where some records are
-- found by all values, whether they are under NAME_by_all.
--
-- Values that are taken together are counted as one, under the spelling that most records have. A value that the parameter does not take, because it
-- is too long, is left out. Where the list is filtered by the parameter, the values are those of the filter: a count of another would be of the
-- records that have both.
create or replace function funding.facet_values(dataset text, facet text, filter jsonb) returns text
language plpgsql immutable as $$
declare
  field record;
begin
  select * into field from funding.facet_fields(dataset) as known where known.name = facet;
  return format($values$
      with spelled as materialized (
        select value, %5$s as records from matching, unnest(matching.%1$I) as value
        where char_length(value) <= 200
        group by value
      ), keyed as materialized (
        select key, value, records, count(*) over (partition by key) as spellings
        from (select %2$s as key, value, records from spelled) as item
        where %4$s
      ), repeated as (
        -- A record may have several spellings of a value, and counts once.
        select keyed.key, count(distinct matching.id) as records
        from matching, unnest(matching.%1$I) as item, keyed
        -- Looked for once: mostly there are none.
        where (select exists (select from keyed where keyed.spellings > 1))
          and matching.%1$I && (select array_agg(keyed.value) from keyed where keyed.spellings > 1) and keyed.spellings > 1 and keyed.value = item
        group by keyed.key
      ), counted as (
        select keyed.key, (array_agg(keyed.value order by keyed.records desc, keyed.value))[1] as value,
               coalesce(%3$s, sum(keyed.records)) + %6$s as records
        from keyed
        group by keyed.key
      )$values$, facet, coalesce(field.key, 'value'),
    -- A single value has a single spelling.
    case when field.key is null or field.values_of like 'array[%' then 'null::bigint'
      else '(select repeated.records from repeated where repeated.key = keyed.key)' end,
    case
      when not filter ? facet then 'true'
      when field.beginnings is null then format('key = any (%s)', field.chosen)
      else format('funding.beginnings_of(key, %L) && %s', field.beginnings, field.chosen)
    end,
    case when field.found_by_all is null then 'count(*)' else format('count(*) filter (where not matching.%I)', facet || '_by_all') end,
    case when field.found_by_all is null then '0' else format('(select count(*) from matching where matching.%I)', facet || '_by_all') end);
end
$$;

-- SQL for the counts of a facet: a JSON array of { value, count }, the most frequent first.
create or replace function funding.facet_counts(dataset text, facet text, filter jsonb) returns text
language plpgsql immutable as $$
begin
  return format($counts$(
      %s
      select coalesce(json_agg(json_build_object('value', most.value, 'count', most.records) order by most.records desc, most.value), '[]')
      from (select counted.value, counted.records from counted order by counted.records desc, counted.value limit 100) as most
    )$counts$, funding.facet_values(dataset, facet, filter));
end
$$;

-- SQL for the amounts of a facet: a JSON array of { value, count, amount }, the largest sum first. A sum is null where no record of the value has an
-- `amount`, which `matching` has as well.
create or replace function funding.facet_amounts(dataset text, facet text, filter jsonb) returns text
language plpgsql immutable as $$
declare
  field record;
begin
  select * into field from funding.facet_fields(dataset) as known where known.name = facet;
  return format($amounts$(
      %2$s, summed as (
        select once.key, sum(once.amount) as amount
        from (
          -- A record may have several spellings of a value, and counts once.
          select distinct keyed.key, matching.id, matching.amount
          from matching, unnest(matching.%1$I) as item join keyed on keyed.value = item
          where matching.amount is not null %3$s
        ) as once
        group by once.key
      )
      select coalesce(json_agg(json_build_object('value', most.value, 'count', most.records, 'amount', most.amount)
        order by most.amount desc nulls last, most.records desc, most.value), '[]')
      from (
        select counted.value, counted.records, (%4$s)::double precision as amount
        from counted left join summed on summed.key = counted.key
        order by amount desc nulls last, counted.records desc, counted.value
        limit 100
      ) as most
    )$amounts$, facet, funding.facet_values(dataset, facet, filter),
    case when field.found_by_all is null then '' else format('and not matching.%I', facet || '_by_all') end,
    case when field.found_by_all is null then 'summed.amount' else format(
      'select sum(part.amount) from (values (summed.amount), ((select sum(matching.amount) from matching where matching.%I))) as part(amount)',
      facet || '_by_all') end);
end
$$;

-- Facets of a list: { NAME: [{ value, count }] } for each of `names`, a JSON array, most frequent first, at most a hundred values each; by amount,
-- { value, count, amount }, the dollars of the records' awards. An award's are what is obligated, else its `amount_max`. The facets of a ranked search
-- are those of the records that it found. `is_last` is that of `funding.cache_page`.
create or replace function funding.facets(
  dataset text, filter jsonb, names jsonb, by_amount boolean, mode text, query_vector extensions.halfvec, is_last boolean) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  key constant text := md5(concat_ws(' ', case when by_amount then 'facet amounts' else 'facet counts' end, names, mode, filter));
  current_version bigint := funding.page_version(dataset, filter ? 'similar_to');
  known funding.pages;
  found_facets json;
begin
  if funding.has_caches() then
    select * into known from funding.pages where pages.dataset = facets.dataset and pages.request_key = key;
  end if;
  if known.version = current_version and known.page is not null then
    return known.page;
  end if;
  if exists (select jsonb_array_elements_text(names) except select field.name from funding.facet_fields(dataset) as field) then
    raise invalid_parameter_value using message = format('%s have no facets %s', dataset, names);
  end if;
  execute format($facets$
    with matching as materialized (
      select record.id, %2$s %5$s from funding.%1$I as record where %3$s
    )
    select json_build_object(%4$s)
  $facets$, dataset,
    (select string_agg(format('%s as %I', field.values_of, field.name)
       || case when field.found_by_all is null then '' else format(', %s as %I', field.found_by_all, field.name || '_by_all') end, ', ')
     from funding.facet_fields(dataset) as field where names ? field.name),
    case when mode is null then funding.predicate(dataset, filter) else 'record.id in (select id from funding.ranked($2, $1, $3, $4))' end,
    (select string_agg(format('%L, %s', name, case when by_amount then funding.facet_amounts(dataset, name, filter)
       else funding.facet_counts(dataset, name, filter) end), ', ') from jsonb_array_elements_text(names) as name),
    case when by_amount then $amount$, case when record.classification = 'awarded_project'
      then coalesce((record.details->>'obligated_amount')::double precision, record.amount_max)::numeric end as amount$amount$ end)
  into found_facets using filter, dataset, mode, query_vector;
  -- Expensive enough to be cached at once.
  perform funding.cache_page(dataset, key, current_version, true, (found_facets, null, null)::funding.listed_page, is_last);
  return found_facets;
end
$$;

-- Facets that a list's parameters ask for. Where they are disjunctive, each is of the list without the filter by its own parameter.
create or replace function funding.asked_facets(
  dataset text, filter jsonb, parameters jsonb, mode text, query_vector extensions.halfvec, is_last boolean) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  names constant jsonb := parameters->'facets';
  by_amount constant boolean := coalesce(parameters->>'facets_sort_by' = 'amount', false);
  own constant text[] := case when parameters->>'facets_mode' = 'disjunctive'
    then array(select name from jsonb_array_elements_text(names) as name where filter ? name) else '{}' end;
  others constant jsonb := names - own;
  name text;
  counts json[] := '{}';
  other_counts json;
begin
  foreach name in array own loop
    counts := counts || (funding.facets(dataset, filter - name, jsonb_build_array(name), by_amount, mode, query_vector,
      is_last and others = '[]' and name = own[cardinality(own)])->name);
  end loop;
  if others <> '[]' then
    other_counts := funding.facets(dataset, filter, others, by_amount, mode, query_vector, is_last);
  end if;
  if own = '{}' then
    return other_counts;
  end if;
  return (
    select json_object_agg(asked.name, coalesce(other_counts->asked.name, counts[array_position(own, asked.name)]) order by asked.position)
    from jsonb_array_elements_text(names) with ordinality as asked(name, position));
end
$$;
