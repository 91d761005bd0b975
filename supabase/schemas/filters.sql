-- The one predicate builder, for lists, counts, searches and webhook filters (stored as parameters).
--
-- The predicate's text depends only on which parameters are present; their values are never in it. Building it per request, rather than writing `(p
-- is null or ...)`, lets the planner use the indexes.

-- Conditions of a filter, as SQL: for lists, counts, searches and (stored) webhook filters. See `funding.filter_of`.
--
-- The conditions depend on which parameters are present, on whether the search requires or excludes words, and on the operators of ranges; values are
-- never in the text. The statement around it binds the filter as $1 and names the row `record`.
create or replace function funding.predicate(dataset text, filter jsonb) returns text
language plpgsql immutable as $$
declare
  conditions text[] := '{}';
  mode constant text := coalesce(filter->>'search_mode', 'keyword');
  -- A record matches if the search is its identifier.
  identified constant text := funding.identifier_condition(dataset, filter);
  is_excluding constant boolean := coalesce(filter->>'search', '') like '%-%' and funding.excluded_words(filter->>'search') is not null;
  excluding constant text := $c$not record.document @@ funding.excluded_words($1->>'search')$c$;
begin
  if filter ? 'search' then
    if mode = 'keyword' then
      conditions := array_append(conditions, format(
        case when identified is null then '%1$s' when is_excluding then '(%1$s or %2$s and %3$s)' else '(%1$s or %2$s)' end,
        $c$record.document @@ funding.parse_query($1->>'search')$c$,
        identified, excluding));
    else
      -- A ranking weighs the words; the words and phrases that the query excludes or quotes stay conditions.
      if is_excluding then
        conditions := array_append(conditions, excluding);
      end if;
      if mode = 'ranked_keyword' and funding.required_phrases(filter->>'search') is not null then
        conditions := array_append(conditions, format(
          case when identified is null then '%1$s' else '(%1$s or %2$s)' end,
          $c$record.document @@ funding.required_phrases($1->>'search')$c$, identified));
      end if;
    end if;
  end if;

  if dataset in ('grants', 'contracts') then
    case coalesce(filter->>'opportunity_type', 'open')
      when 'open' then conditions := array_append(conditions, $c$record.classification = 'opportunity'$c$);
      when 'awarded' then conditions := array_append(conditions, $c$record.classification = 'awarded_project'$c$);
      else null;
    end case;
    if not coalesce((filter->>'include_archived')::boolean, false) then
      conditions := array_append(conditions, $c$record.archived_at is null$c$);
    end if;
    if filter ? 'status' then
      conditions := array_append(conditions, case
        -- One status, and not a list of one: an index has the records of a single value in the order of the list.
        when cardinality(funding.statuses_meant(filter->>'status')) = 1 then $c$record.status = lower($1->>'status')$c$
        else $c$record.status = any (funding.statuses_meant($1->>'status'))$c$
      end);
    end if;
    if filter ? 'category' then
      conditions := array_append(conditions, $c$record.category_keys @> array[lower($1->>'category')]$c$);
    end if;
    if filter ? 'states' then
      conditions := array_append(conditions, case
        when coalesce((filter->>'include_national')::boolean, false)
          then $c$(record.states && funding.text_array($1->'states') or record.is_national)$c$
        else $c$record.states && funding.text_array($1->'states')$c$
      end);
    end if;
    if filter ? 'geography' then
      conditions := array_append(conditions, case
        when mode = 'hybrid' and filter ? 'geography_states'
          then $c$record.states && funding.text_array($1->'geography_states')$c$
        else $c$record.geography ilike funding.containing($1->>'geography')$c$
      end);
    end if;
    if filter ? 'min_amount' then
      conditions := array_append(conditions, $c$record.amount_max >= ($1->>'min_amount')::double precision$c$);
    end if;
    if filter ? 'max_amount' then
      conditions := array_append(conditions, $c$record.amount_min <= ($1->>'max_amount')::double precision$c$);
    end if;
    if filter ? 'deadline_after' then
      conditions := array_append(conditions, $c$record.deadline_date > ($1->>'deadline_after')::date$c$);
    end if;
    if filter ? 'deadline_before' then
      conditions := array_append(conditions, $c$record.deadline_date < ($1->>'deadline_before')::date$c$);
    end if;
    if filter ? 'posted_after' then
      conditions := array_append(conditions, $c$record.created_at > ($1->>'posted_after')::timestamptz$c$);
    end if;
    if filter ?| funding.detail_parameters() then
      conditions := conditions || array(
        select format('funding.detail_keys(record.details) && funding.wanted_detail_keys($1, %L)', parameter)
        from unnest(funding.detail_parameters()) as parameter where filter ? parameter);
    end if;
    if filter ? 'funder_id' then
      conditions := array_append(conditions, $c$record.funder_id = ($1->>'funder_id')::uuid$c$);
    end if;
    if filter ? 'source' then
      conditions := array_append(conditions, $c$record.source = $1->>'source'$c$);
    end if;
  end if;

  if filter ? 'updated_after' then
    -- Compared in the milliseconds that records show: by its microseconds, a record would be later than the time that it shows.
    conditions := array_append(conditions, $c$record.updated_at >= ($1->>'updated_after')::timestamptz + interval '1 ms'$c$);
  end if;

  if dataset = 'grants' then
    if filter ? 'statuses' then
      conditions := array_append(conditions, $c$record.status = any (funding.text_array($1->'statuses'))$c$);
    end if;
    conditions := conditions || array_remove(array[
      funding.range_condition(filter, 'deadline_range', 'record.deadline_date', 'date'),
      funding.range_condition(filter, 'amount_min_range', 'record.amount_min', 'double precision'),
      funding.range_condition(filter, 'amount_max_range', 'record.amount_max', 'double precision'),
      funding.range_condition(filter, 'total_funding_range', $c$(record.details->>'total_funding')::double precision$c$, 'double precision')], null);
  end if;

  if dataset = 'contracts' then
    if filter ? 'naics' then
      conditions := array_append(conditions, $c$record.naics = $1->>'naics'$c$);
    end if;
    if filter ? 'set_aside' then
      conditions := array_append(conditions, $c$upper(record.set_aside_code) = upper($1->>'set_aside')$c$);
    end if;
  end if;

  return coalesce(nullif(array_to_string(conditions, ' and '), ''), 'true');
end
$$;

-- Condition of a filter's range ({ operator, min, max }), as SQL: the value is `between` its bounds, both included, or `outside` of them. A record
-- without the value meets neither. Null where the filter has no such range; a range is never ignored.
create or replace function funding.range_condition(filter jsonb, parameter text, value text, bound_type text) returns text
language plpgsql immutable parallel safe as $$
begin
  return case when filter ? parameter then format(
    case filter->parameter->>'operator'
      when 'outside' then '(%1$s < ($1->%2$L->>''min'')::%3$s or %1$s > ($1->%2$L->>''max'')::%3$s)'
      else '%1$s between ($1->%2$L->>''min'')::%3$s and ($1->%2$L->>''max'')::%3$s'
    end, value, parameter, bound_type) end;
end
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

-- Query without dashes between words: they are punctuation ("Clean Water - Round 2"), and exclude nothing.
create or replace function funding.without_dashes(query text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(query, '(^|\s)-+(?=\s|$)', ' ', 'g')
$$;

-- A long query with each word and phrase once, except those next to `or`: each is looked up by itself, and a word that occurs 450 times took fifteen
-- times as long as a single one.
create or replace function funding.without_repeats(query text) returns text
language plpgsql immutable parallel safe as $$
begin
  if length(query) <= 200 then
    return without_repeats.query;
  end if;
  return (
    select string_agg(token, ' ' order by position)
    from (
      select token, position, is_bound, row_number() over (partition by token, is_bound order by position) as occurrence
      from (
        select token, position,
               coalesce('or' in (lower(token), lower(lag(token, 1, '') over words), lower(lead(token, 1, '') over words)), false) as is_bound
        from (
          select matched[1] as token, position
          from regexp_matches(query, '(?:[^\s"]*"[^"]*")+[^\s"]*|\S+', 'g') with ordinality as found(matched, position)
        ) as token
        window words as (order by position)
      ) as neighbour
    ) as counted
    where is_bound or occurrence = 1);
end
$$;

-- LIKE pattern for text that contains `part`, in which % and _ mean themselves.
create or replace function funding.containing(part text) returns text
language sql immutable parallel safe as $$
  select '%' || replace(replace(replace(part, '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;

-- SQL condition of every list that does not say otherwise: `funding.predicate` of no parameters. It has indexes of its own, and statements with
-- cached plans.
create or replace function funding.usual_condition(dataset text) returns text
language plpgsql immutable as $$
begin
  return case dataset when 'funders' then 'true' else $c$record.classification = 'opportunity' and record.archived_at is null$c$ end;
end
$$;
