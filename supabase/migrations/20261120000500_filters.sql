-- One predicate builder for lists, counts, searches and (stored as parameters) webhook filters.
--
-- The text it returns depends only on which parameters are present; their values are never in it.
-- The statement around it binds the parameter object as $1 and names the row `record`. Building the
-- predicate per request rather than writing `(p is null or ...)` lets the planner use the indexes.

-- The conditions of a list request's parameters, as SQL.
--
-- `parameters` is what the edge's validation makes of a query string: names as in the published
-- contract, `states` as an array, dates and moments as text, numbers and booleans as JSON's own.
create function funding.predicate(dataset text, parameters jsonb) returns text
language plpgsql immutable as $$
declare
  conditions text[] := '{}';
  mode text := coalesce(parameters->>'search_mode', 'keyword');
begin
  if parameters ? 'search' then
    if mode = 'keyword' and parameters->>'sort_by' is distinct from 'relevance' then
      conditions := array_append(conditions, $c$record.document @@ websearch_to_tsquery('funding.english', funding.without_repeats(funding.without_dashes($1->>'search')))$c$);
    else
      -- A ranking weighs the words. What it must and must not have is what the query says outright.
      if parameters->>'search' like '%-%' and funding.excluded_words(parameters->>'search') is not null then
        conditions := array_append(conditions, $c$not record.document @@ funding.excluded_words($1->>'search')$c$);
      end if;
      if mode = 'keyword' and funding.required_phrases(parameters->>'search') is not null then
        conditions := array_append(conditions, $c$record.document @@ funding.required_phrases($1->>'search')$c$);
      end if;
    end if;
  end if;

  if dataset in ('grants', 'contracts') then
    case coalesce(parameters->>'opportunity_type', 'open')
      when 'open' then conditions := array_append(conditions, $c$record.classification = 'opportunity'$c$);
      when 'awarded' then conditions := array_append(conditions, $c$record.classification = 'awarded_project'$c$);
      else null;
    end case;
    if not coalesce((parameters->>'include_archived')::boolean, false) then
      conditions := array_append(conditions, $c$record.archived_at is null$c$);
    end if;
    if parameters ? 'status' then
      conditions := array_append(conditions, case
        -- One status, and not a list of one: what an index has for a single value is in the order of the list.
        when cardinality(funding.statuses_meant(parameters->>'status')) = 1 then $c$record.status = lower($1->>'status')$c$
        else $c$record.status = any (funding.statuses_meant($1->>'status'))$c$
      end);
    end if;
    if parameters ? 'category' then
      conditions := array_append(conditions, $c$record.category_keys @> array[lower($1->>'category')]$c$);
    end if;
    if parameters ? 'states' then
      conditions := array_append(conditions, case
        when coalesce((parameters->>'include_national')::boolean, false)
          then $c$(record.states && funding.text_array($1->'states') or record.is_national)$c$
        else $c$record.states && funding.text_array($1->'states')$c$
      end);
    end if;
    if parameters ? 'geography' then
      conditions := array_append(conditions, case
        when mode = 'hybrid' and parameters ? 'geography_states'
          then $c$record.states && funding.text_array($1->'geography_states')$c$
        else $c$record.geography ilike funding.containing($1->>'geography')$c$
      end);
    end if;
    if parameters ? 'min_amount' then
      conditions := array_append(conditions, $c$record.amount_max >= ($1->>'min_amount')::double precision$c$);
    end if;
    if parameters ? 'max_amount' then
      conditions := array_append(conditions, $c$record.amount_min <= ($1->>'max_amount')::double precision$c$);
    end if;
    if parameters ? 'deadline_after' then
      conditions := array_append(conditions, $c$record.deadline_date > ($1->>'deadline_after')::date$c$);
    end if;
    if parameters ? 'deadline_before' then
      conditions := array_append(conditions, $c$record.deadline_date < ($1->>'deadline_before')::date$c$);
    end if;
    if parameters ? 'posted_after' then
      conditions := array_append(conditions, $c$record.created_at > ($1->>'posted_after')::timestamptz$c$);
    end if;
  end if;

  if dataset = 'contracts' then
    if parameters ? 'naics' then
      conditions := array_append(conditions, $c$record.naics = $1->>'naics'$c$);
    end if;
    if parameters ? 'set_aside' then
      conditions := array_append(conditions, $c$upper(record.set_aside_code) = upper($1->>'set_aside')$c$);
    end if;
  end if;

  return coalesce(nullif(array_to_string(conditions, ' and '), ''), 'true');
end
$$;

-- The stored statuses that a status filter means: the contract publishes two vocabularies, in
-- which `open` and `posted` are one thing, and `upcoming` and `forecasted` another.
create function funding.statuses_meant(status text) returns text[]
language sql immutable parallel safe as $$
  select case lower(status)
    when 'open' then array['open', 'posted']
    when 'posted' then array['open', 'posted']
    when 'upcoming' then array['upcoming', 'forecasted']
    when 'forecasted' then array['upcoming', 'forecasted']
    else array[lower(status)]
  end
$$;

-- A dash between words is punctuation ("Clean Water - Round 2"), not the sign that excludes the next.
create function funding.without_dashes(query text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(query, '(^|\s)-+(?=\s|$)', ' ', 'g')
$$;

-- A long query with each word and phrase once, but for what `or` binds: each is looked up by itself, and a word said 450
-- times took fifteen times as long as said once.
create function funding.without_repeats(query text) returns text
language sql immutable parallel safe as $$
  select case when length(query) <= 200 then query else (
    select string_agg(token, ' ' order by place)
    from (
      select token, place, is_bound, row_number() over (partition by token, is_bound order by place) as occurrence
      from (
        select token, place,
               coalesce('or' in (lower(token), lower(lag(token, 1, '') over words), lower(lead(token, 1, '') over words)), false) as is_bound
        from (
          select matched[1] as token, place
          from regexp_matches(query, '-?"[^"]*"|\S+', 'g') with ordinality as found(matched, place)
        ) as token
        window words as (order by place)
      ) as neighbour
    ) as counted
    where is_bound or occurrence = 1
  ) end
$$;

create function funding.text_array(items jsonb) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(item), '{}') from jsonb_array_elements_text(items) as item
$$;

-- A LIKE pattern for text that contains `part`, in which % and _ mean themselves.
create function funding.containing(part text) returns text
language sql immutable parallel safe as $$
  select '%' || replace(replace(replace(part, '\', '\\'), '%', '\%'), '_', '\_') || '%'
$$;

-- The words that a ranked search excludes ("water -rights"), or null when it excludes none.
create function funding.excluded_words(query text) returns tsquery
language sql immutable parallel safe as $$
  select case when numnode(words) > 0 then words end
  from (
    select websearch_to_tsquery('funding.english', string_agg(excluded[1], ' or ')) as words
    from regexp_matches(query, '(?:^|\s)-("[^"]+"|\w\S*)', 'g') as excluded
  ) as given
$$;

-- The phrases in quotes that a keyword ranking must find, or null when the query has none. A text of more
-- than twelve words quotes in passing.
create function funding.required_phrases(query text) returns tsquery
language sql immutable parallel safe as $$
  select case when numnode(phrases) > 0 then phrases end
  from (
    select websearch_to_tsquery('funding.english', string_agg(quoted[1], ' ')) as phrases
    from regexp_matches(query, '(?:^|\s)("[^"]+")', 'g') as quoted
    where cardinality(regexp_split_to_array(btrim(query), '\s+')) <= 12
  ) as given
$$;

-- What a list is sorted by, as SQL.
create function funding.sort_key(sort_by text) returns text
language plpgsql immutable as $$
declare
  sort_key text := case sort_by
    when 'created_at' then 'record.created_at'
    when 'deadline_date' then 'record.deadline_date'
    when 'amount_min' then 'record.amount_min'
    when 'amount_max' then 'record.amount_max'
    when 'title' then 'funding.title_key(record.title) collate "C"'
    when 'name' then 'funding.title_key(record.name) collate "C"'
    when 'relevance' then 'found.score'
  end;
begin
  if sort_key is null then
    raise invalid_parameter_value using message = format('no such order: %s', sort_by);
  end if;
  return sort_key;
end
$$;

-- The order of a list, as SQL. Nulls last in both directions; ties by id in the same direction, but those of a
-- ranking always upwards.
create function funding.sort_order(sort_by text, direction text) returns text
language plpgsql immutable as $$
begin
  if direction is null or direction not in ('asc', 'desc') then
    raise invalid_parameter_value using message = format('no such order: %s %s', sort_by, direction);
  end if;
  return format(case
    when sort_by = 'relevance' then '%1$s %2$s, found.id asc'
    when sort_by in ('deadline_date', 'amount_min', 'amount_max') then '%1$s %2$s nulls last, record.id %2$s'
    else '%1$s %2$s, record.id %2$s'
  end, funding.sort_key(sort_by), direction);
end
$$;

-- The records after a cursor, `$1->'cursor'` ({ sort_by, order, key, id } of the last record seen), as conditions:
-- the records of the first come before those of the second. Each can be read off the index of the order.
create function funding.after_cursor(cursor jsonb) returns text[]
language plpgsql immutable as $$
declare
  sort_key text := funding.sort_key(cursor->>'sort_by');
  key_type text := case cursor->>'sort_by'
    when 'created_at' then 'timestamptz'
    when 'deadline_date' then 'date'
    when 'title' then 'text'
    when 'name' then 'text'
    else 'double precision'
  end;
  seen_key text := format($c$($1->'cursor'->>'key')::%s$c$, key_type);
  seen_id constant text := $c$($1->'cursor'->>'id')::uuid$c$;
  further text := case cursor->>'order' when 'asc' then '>' else '<' end;
begin
  if cursor->>'sort_by' = 'relevance' then
    return array[format('(%1$s %2$s %3$s or %1$s = %3$s and found.id > %4$s)', sort_key, further, seen_key, seen_id)];
  end if;
  -- Nulls are last, and ordered by id.
  if cursor->>'key' is null then
    return array[format('%s is null and record.id %s %s', sort_key, further, seen_id)];
  end if;
  return array_remove(array[
    format('(%s, record.id) %s (%s, %s)', sort_key, further, seen_key, seen_id),
    case when cursor->>'sort_by' in ('deadline_date', 'amount_min', 'amount_max') then format('%s is null', sort_key) end
  ], null);
end
$$;

-- The key in the cursor of the row named `record`, as SQL: what `after_cursor` reads.
create function funding.cursor_key(sort_by text) returns text
language sql immutable as $$
  select case sort_by when 'created_at' then 'funding.moment(record.created_at)' else funding.sort_key(sort_by) end
$$;

-- Exact totals that were counted one by one, remembered per filter set and data version. The version is read before the rows
-- are counted, so a change in between can only leave a total under a version that nobody asks for
-- again. Losing this table loses nothing, hence unlogged.
create unlogged table funding.totals (
  dataset text not null,
  filter_key text not null,
  version bigint not null,
  total bigint not null,
  remembered_at timestamptz not null default now(),
  primary key (dataset, filter_key)
);
alter table funding.totals enable row level security;
create index totals_version on funding.totals (dataset, version);
create index totals_remembered_at on funding.totals (remembered_at);

-- Deletes two rows of a memory that are of an older version, and two that are too old. Whoever remembers calls it, so it
-- must go by the indexes however the table has grown since the planner last looked at it.
create function funding.forget_stale(memory text, dataset text, version bigint, longest interval) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set enable_seqscan = off set enable_sort = off as $$
begin
  -- Twice, so that the plans are kept.
  if memory = 'totals' then
    delete from funding.totals where ctid = any (array(
      select ctid from funding.totals as old where old.dataset = forget_stale.dataset and old.version < forget_stale.version
      order by old.version limit 2 for update skip locked
    ) || array(
      select ctid from funding.totals as old where old.remembered_at < now() - longest
      order by old.remembered_at limit 2 for update skip locked
    ));
  else
    delete from funding.pages where ctid = any (array(
      select ctid from funding.pages as old where old.dataset = forget_stale.dataset and old.version < forget_stale.version
      order by old.version limit 2 for update skip locked
    ) || array(
      select ctid from funding.pages as old where old.remembered_at < now() - longest
      order by old.remembered_at limit 2 for update skip locked
    ));
  end if;
end
$$;

-- The parameters that say what is in a list, without those that say how it is shown.
create function funding.filters_of(parameters jsonb) returns jsonb
language sql immutable parallel safe as $$
  select parameters - '{sort_by,order,limit,offset,cursor,count_only,facets}'::text[]
$$;

-- How many records match the filters: counted by the bitmaps or, where they cannot tell, one by one, and then remembered.
create function funding.total(dataset text, parameters jsonb) returns bigint
language plpgsql as $$
declare
  filters jsonb := funding.filters_of(parameters);
  key text := md5(filters::text);
  current_version bigint;
  -- Looked up by the primary key alone: an index on versions looks as good to the planner, and is not.
  known funding.totals;
  answer bigint := funding.bitmap_total(dataset, filters);
begin
  if answer is not null then
    return answer;
  end if;
  select data_versions.version into current_version
  from funding.data_versions where data_versions.dataset = total.dataset;

  select * into known from funding.totals where totals.dataset = total.dataset and totals.filter_key = key;
  if known.version = current_version then
    return known.total;
  end if;

  execute format('select count(*) from funding.%I as record where %s', dataset, funding.predicate(dataset, filters))
  into answer using filters;

  insert into funding.totals as remembered (dataset, filter_key, version, total)
  values (total.dataset, key, current_version, answer)
  on conflict on constraint totals_pkey do update
    set version = excluded.version, total = excluded.total, remembered_at = excluded.remembered_at
    where remembered.version < excluded.version;
  -- Each new total takes up to four old ones with it, so the table stays the size of an hour's use.
  perform funding.forget_stale('totals', dataset, current_version, interval '1 hour');
  return answer;
end
$$;
