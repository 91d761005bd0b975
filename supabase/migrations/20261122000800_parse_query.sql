-- One place reads the text of a search. Postgres' own parser stacks a run of operators, and forty dashes before a word overflowed
-- its stack: an internal error, which answered 500 and, in a webhook's filter, stopped everybody's deliveries.

-- A query whose dashes exclude or are not there. A dash excludes when it stands directly before a word or phrase. Several
-- dashes in a row, and one before space or other operators, are punctuation ("Clean Water - Round 2"); so no run is left for the parser.
create function funding.without_stray_dashes(query text) returns text
language sql immutable parallel safe as $$
  select case when strpos(query, '-') = 0 then query else regexp_replace(query,
    -- What is in quotes stays as it is. The spaces beside \s are those that only some locales count among it.
    '("[^"]*"?)|(?<![^\s\u0085\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff!&|()"])(?:--+|-(?=[\s\u0085\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff!&|()]|$))',
    '\1 ', 'g') end
$$;

-- What a search's text asks for: the one function that hands user text to Postgres' parser. PT400, which names the parameter in
-- its hint, where the parser gives up all the same. A time limit or want of memory is not the text's fault and passes through.
-- The planner calls it once for a statement: values are constants to it (`execute ... using`).
create function funding.parse_query(query text) returns tsquery
language plpgsql immutable strict parallel restricted as $$
begin
  -- The dashes last, because leaving out a repetition can open or close a quote.
  return websearch_to_tsquery('funding.english', funding.without_stray_dashes(funding.without_repeats(funding.without_dashes(query))));
exception when data_exception or syntax_error or program_limit_exceeded or internal_error then
  raise sqlstate 'PT400' using message = 'cannot be read as a search: use words, phrases in quotes, -words and or', hint = 'search';
end
$$;

-- The words that a ranked search excludes ("water -rights"), or null when it excludes none.
create or replace function funding.excluded_words(query text) returns tsquery
language sql immutable parallel restricted as $$
  select case when numnode(words) > 0 then words end
  from (
    select funding.parse_query(string_agg(excluded[1], ' or ')) as words
    from regexp_matches(query, '(?:^|\s)-("[^"]+"|\w\S*)', 'g') as excluded
  ) as given
$$;

-- The phrases in quotes that a keyword ranking must find, or null when the query has none. A text of more
-- than twelve words quotes in passing.
create or replace function funding.required_phrases(query text) returns tsquery
language sql immutable parallel restricted as $$
  select case when numnode(phrases) > 0 then phrases end
  from (
    select funding.parse_query(string_agg(quoted[1], ' ')) as phrases
    from regexp_matches(query, '(?:^|\s)("[^"]+")', 'g') as quoted
    where cardinality(regexp_split_to_array(btrim(query), '\s+')) <= 12
  ) as given
$$;

-- The conditions of a filter, as SQL: for lists, counts, searches and (stored) webhook filters, see `funding.filter_of`.
--
-- Which conditions there are depends on which parameters are present, and on what the search asks outright; values are never in
-- the text. The statement around it binds the filter as $1 and names the row `record`.
create or replace function funding.predicate(dataset text, filter jsonb) returns text
language plpgsql immutable as $$
declare
  conditions text[] := '{}';
  mode constant text := coalesce(filter->>'search_mode', 'keyword');
  -- A record that the search names by number has what it asks for.
  identified constant text := funding.identifier_condition(dataset, filter);
  is_excluding constant boolean := coalesce(filter->>'search' like '%-%' and funding.excluded_words(filter->>'search') is not null, false);
  excluding constant text := $c$not record.document @@ funding.excluded_words($1->>'search')$c$;
begin
  if filter ? 'search' then
    if mode = 'keyword' then
      conditions := array_append(conditions, format(
        case when identified is null then '%1$s' when is_excluding then '(%1$s or %2$s and %3$s)' else '(%1$s or %2$s)' end,
        $c$record.document @@ funding.parse_query($1->>'search')$c$,
        identified, excluding));
    else
      -- A ranking weighs the words. What it must and must not have is what the query says outright.
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
        -- One status, and not a list of one: what an index has for a single value is in the order of the list.
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

-- The conditions of a filter, as `funding.predicate` has them. Null where the bitmaps cannot answer one. A ranked search finds by its legs:
-- of its words, a filter has only what it excludes and must have.
create or replace function funding.bitmap_conditions(dataset text, filter jsonb) returns funding.bitmap_condition[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- Every record that has a number.
  conditions funding.bitmap_condition[] := array[('', 'value', 'all', null)];
  -- A word costs as much as ten values.
  most_words constant integer := 8;
  mode constant text := coalesce(filter->>'search_mode', 'keyword');
  words text;
  wanted text[];
begin
  if filter - '{search,search_mode,named,opportunity_type,include_archived,status,category,states,include_national,min_amount,max_amount,deadline_after,deadline_before,posted_after,naics,set_aside}'::text[] <> '{}' then
    return null;
  end if;

  if mode = 'keyword' and filter ? 'search' then
    -- No bitmap has the records that a search names by number.
    if funding.identifier_condition(dataset, filter) is not null then
      return null;
    end if;
    words := funding.parse_query(filter->>'search')::text;
    -- No phrases, and no alternatives.
    if words !~ $c$\A!?'[^'\\]+'( & !?'[^'\\]+')*\Z$c$ then
      return null;
    end if;
    wanted := string_to_array(words, ' & ');
    if cardinality(wanted) > most_words then
      return null;
    end if;
    conditions := conditions || array(
      select ('search ' || place, case when word like '!%' then 'without' else 'word' end, btrim(word, '!'''), null)::funding.bitmap_condition
      from unnest(wanted) with ordinality as item(word, place));
  elsif filter->>'search' like '%-%' and funding.excluded_words(filter->>'search') is not null
    or mode = 'ranked_keyword' and funding.required_phrases(filter->>'search') is not null then
    return null;
  end if;

  if dataset = 'funders' then
    return conditions;
  end if;
  case coalesce(filter->>'opportunity_type', 'open')
    when 'open' then conditions := conditions || ('opportunity_type', 'value', 'classification=opportunity', null)::funding.bitmap_condition;
    when 'awarded' then conditions := conditions || ('opportunity_type', 'value', 'classification=awarded_project', null)::funding.bitmap_condition;
    else null;
  end case;
  if not coalesce((filter->>'include_archived')::boolean, false) then
    conditions := conditions || ('include_archived', 'value', 'current', null)::funding.bitmap_condition;
  end if;
  if filter ? 'status' then
    conditions := conditions || array(
      select ('status', 'value', 'status=' || status, null)::funding.bitmap_condition
      from unnest(funding.statuses_meant(filter->>'status')) as status);
  end if;
  if filter ? 'category' then
    conditions := conditions || ('category', 'value', funding.bitmap_name('category', lower(filter->>'category')), null)::funding.bitmap_condition;
  end if;
  if filter ? 'states' then
    conditions := conditions || array(
      select ('states', 'value', name, null)::funding.bitmap_condition
      from (
        select funding.bitmap_name('state', state) as name from unnest(funding.text_array(filter->'states')) as state
        union
        select 'national' where (filter->>'include_national')::boolean
      ) as alternative);
  end if;
  if filter ? 'min_amount' then
    conditions := conditions || ('min_amount', 'from', 'amount_max', filter->>'min_amount')::funding.bitmap_condition;
  end if;
  if filter ? 'max_amount' then
    conditions := conditions || ('max_amount', 'upto', 'amount_min', filter->>'max_amount')::funding.bitmap_condition;
  end if;
  if filter ? 'deadline_after' then
    conditions := conditions || ('deadline_after', 'above', 'deadline_date', extract(epoch from (filter->>'deadline_after')::date))::funding.bitmap_condition;
  end if;
  if filter ? 'deadline_before' then
    conditions := conditions || ('deadline_before', 'below', 'deadline_date', extract(epoch from (filter->>'deadline_before')::date))::funding.bitmap_condition;
  end if;
  if filter ? 'posted_after' then
    conditions := conditions || ('posted_after', 'above', 'created_at', extract(epoch from (filter->>'posted_after')::timestamptz))::funding.bitmap_condition;
  end if;
  if dataset = 'contracts' then
    if filter ? 'naics' then
      conditions := conditions || ('naics', 'value', funding.bitmap_name('naics', filter->>'naics'), null)::funding.bitmap_condition;
    end if;
    if filter ? 'set_aside' then
      conditions := conditions || ('set_aside', 'value', funding.bitmap_name('set_aside', upper(filter->>'set_aside')), null)::funding.bitmap_condition;
    end if;
  end if;
  return conditions;
end
$$;

-- What is remembered was found by the rules before.
truncate funding.totals, funding.pages;
update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where dataset = 'search';

revoke execute on all functions in schema funding from public;
