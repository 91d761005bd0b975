-- A list request is a filter, an order and a page, each a value of its own. One JSON had all three before: whoever dropped the
-- order to get the filter changed the filter, since a keyword search by relevance needs only enough of its words. So the
-- facets of such a search were those of another list.

-- What a list is sorted by.
create type funding.list_order as (sort_by text, direction text);

-- Which part of a list is asked for. The cursor is { sort_by, order, key, id } of the last record seen, or null.
create type funding.list_page as (page_size bigint, page_offset bigint, after_cursor jsonb);

create type funding.list_request as (
  -- Which records: what `funding.predicate` reads. Whatever lists, counts or ranks them has the same.
  filter jsonb,
  list_order funding.list_order,
  page funding.list_page
);

-- The ids that a search may be, or its alternatives: a record's id is a number, too.
create function funding.query_ids(query text) returns uuid[]
language sql immutable parallel safe as $$
  select array(select form::uuid from unnest(funding.query_identifiers(query)) as form where form ~ '^[0-9a-f]{32}$')
$$;

-- The ids of the records that a search names by number, as JSON, `[]` where it names none. Null where it is no number, and
-- where it names so many that an index of their numbers finds them as soon.
create function funding.named_ids(dataset text, query text) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  most constant integer := 100;
  forms constant text[] := funding.query_identifiers(query);
  ids uuid[];
begin
  if forms = '{}' then
    return null;
  end if;
  ids := case dataset
    when 'grants' then funding.grants_identified(forms, most + 1)
    when 'contracts' then funding.contracts_identified(forms, most + 1)
    when 'funders' then funding.funders_identified(forms, most + 1)
  end;
  if cardinality(ids) > most then
    return null;
  end if;
  return to_jsonb(ids || funding.query_ids(query));
end
$$;

-- The filter of a request's parameters, which are what the edge's validation makes of a query string: names as in the published
-- contract, `states` as an array, dates and moments as text, numbers and booleans as JSON's own. Beside those that filter, a
-- filter has:
--   search_mode  how the search finds: absent when it has every word, `ranked_keyword` when it has enough of them, `semantic`, `hybrid`
--   named        the ids of the records that the search names by number; absent where the records themselves tell
create function funding.filter_of(dataset text, parameters jsonb) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  filter jsonb := (
    select coalesce(jsonb_object_agg(given.key, given.value), '{}')
    from jsonb_each(parameters) as given
    where given.key in ('search', 'opportunity_type', 'include_archived', 'status', 'category', 'states', 'include_national', 'geography',
      'geography_states', 'min_amount', 'max_amount', 'deadline_after', 'deadline_before', 'posted_after', 'naics', 'set_aside'));
  mode constant text := coalesce(parameters->>'search_mode', 'keyword');
  named jsonb;
begin
  if mode <> 'keyword' then
    filter := filter || jsonb_build_object('search_mode', mode);
  elsif parameters->>'sort_by' = 'relevance' then
    filter := filter || '{"search_mode": "ranked_keyword"}';
  end if;
  if parameters ? 'search' then
    named := funding.named_ids(dataset, parameters->>'search');
    if named is not null then
      filter := filter || jsonb_build_object('named', named);
    end if;
  end if;
  return filter;
end
$$;

-- The order of a request's parameters.
create function funding.order_of(dataset text, parameters jsonb) returns funding.list_order
language plpgsql immutable as $$
declare
  sort_by constant text := coalesce(parameters->>'sort_by',
    case when coalesce(parameters->>'search_mode', 'keyword') <> 'keyword' then 'relevance' when dataset = 'funders' then 'name' else 'created_at' end);
begin
  return (sort_by, coalesce(parameters->>'order', case when sort_by <> 'relevance' and dataset = 'funders' then 'asc' else 'desc' end));
end
$$;

-- The page of a request's parameters.
create function funding.page_of(parameters jsonb) returns funding.list_page
language plpgsql immutable as $$
begin
  return ((parameters->>'limit')::bigint, (parameters->>'offset')::bigint, parameters->'cursor');
end
$$;

create function funding.list_request_of(dataset text, parameters jsonb) returns funding.list_request
language plpgsql stable as $$
begin
  return (funding.filter_of(dataset, parameters), funding.order_of(dataset, parameters), funding.page_of(parameters));
end
$$;

drop function funding.filters_of(jsonb);

create function funding.uuid_array(items jsonb) returns uuid[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(item::uuid), '{}') from jsonb_array_elements_text(items) as item
$$;

-- Whether the row named `record` is one that a filter's search names by number, as SQL; null where it names none. It depends on
-- that record alone, unless `named` says which they are.
create function funding.identifier_condition(dataset text, filter jsonb) returns text
language plpgsql immutable
set search_path = funding, pg_temp as $$
begin
  if filter ? 'named' then
    return case when filter->'named' <> '[]' then $c$record.id = any (funding.uuid_array($1->'named'))$c$ end;
  elsif cardinality(funding.query_identifiers(filter->>'search')) > 0 then
    return format(case when funding.query_ids(filter->>'search') = '{}' then '%1$s' else '(%1$s or %2$s)' end,
      format($c$funding.identifier_forms(%s) && funding.query_identifiers($1->>'search')$c$, funding.identifiers_of(dataset)),
      $c$record.id = any (funding.query_ids($1->>'search'))$c$);
  end if;
  return null;
end
$$;

drop function funding.predicate(text, jsonb);

-- The conditions of a filter, as SQL: for lists, counts, searches and (stored) webhook filters, see `funding.filter_of`.
--
-- Which conditions there are depends on which parameters are present, and on what the search asks outright; values are never in
-- the text. The statement around it binds the filter as $1 and names the row `record`.
create function funding.predicate(dataset text, filter jsonb) returns text
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
        $c$record.document @@ websearch_to_tsquery('funding.english', funding.without_repeats(funding.without_dashes($1->>'search')))$c$,
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

-- The records after a cursor, `$2` ({ sort_by, order, key, id } of the last record seen), as conditions: the records of the first
-- come before those of the second. Each can be read off the index of the order.
create or replace function funding.after_cursor(cursor jsonb) returns text[]
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
  seen_key text := format($c$($2->>'key')::%s$c$, key_type);
  seen_id constant text := $c$($2->>'id')::uuid$c$;
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

drop function funding.total(text, jsonb);

-- How many records match a filter: counted by the bitmaps or, where they cannot tell, one by one, and then remembered.
create function funding.total(dataset text, filter jsonb) returns bigint
language plpgsql as $$
declare
  key text := md5(filter::text);
  current_version bigint;
  -- Looked up by the primary key alone: an index on versions looks as good to the planner, and is not.
  known funding.totals;
  answer bigint := funding.bitmap_total(dataset, filter);
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

  execute format('select count(*) from funding.%I as record where %s', dataset, funding.predicate(dataset, filter))
  into answer using filter;

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

drop function funding.bitmap_conditions(text, jsonb);

-- The conditions of a filter, as `funding.predicate` has them. Null where the bitmaps cannot answer one. A ranked search finds by its legs:
-- of its words, a filter has only what it excludes and must have.
create function funding.bitmap_conditions(dataset text, filter jsonb) returns funding.bitmap_condition[]
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
    words := websearch_to_tsquery('funding.english', funding.without_repeats(funding.without_dashes(filter->>'search')))::text;
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

drop function funding.bitmap_page(text, jsonb, text, text);

-- A page, and the total, by one evaluation of the bitmaps. Records without a number are looked at.
create function funding.bitmap_page(dataset text, request funding.list_request) returns funding.found_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := request.filter;
  sort_by constant text := (request.list_order).sort_by;
  direction constant text := (request.list_order).direction;
  answer constant funding.bitmap_answer := funding.bitmap_answer(dataset, filter);
  -- One more, which tells whether another page follows.
  page_size constant bigint := (request.page).page_size + 1;
  page_offset constant bigint := (request.page).page_offset;
  last_place constant bigint := page_offset + page_size;
  passed_over integer := 0;
  is_sliced boolean;
  numbered bigint;
  others bigint := 0;
  other_ids uuid[] := '{}';
  numbers integer[];
  page funding.found_page;
begin
  if answer.size is null then
    return null;
  end if;
  numbered := funding.count_of(answer.matches);
  is_sliced := (request.page).after_cursor is null and not funding.is_soon_found(dataset, sort_by, numbered, page_size, page_offset)
    and exists (select from funding.order_slices where order_slices.dataset = bitmap_page.dataset and field = sort_by);
  if answer.unnumbered > 0 then
    execute format('select count(*), %s from funding.%I as record where record.posting_number is null and %s',
      case when is_sliced then format('coalesce((array_agg(record.id order by %s))[:$2], ''{}'')', funding.sort_order(sort_by, direction)) else 'null' end,
      dataset, funding.predicate(dataset, filter))
    into others, other_ids using filter, last_place;
  end if;
  page.total := numbered + others;
  if is_sliced then
    -- However the others lie among them, so many numbered records are before the page. To leave a few out is not worth it.
    if page_offset - others > 50 then
      passed_over := least(page_offset - others, numbered);
    end if;
    numbers := funding.first_numbers(dataset, sort_by, direction, answer.matches, answer.size, last_place::integer, passed_over);
    page.ids := case dataset
      when 'grants' then funding.grants_in_order(numbers, other_ids, sort_by, direction, page_size, page_offset - passed_over)
      when 'contracts' then funding.contracts_in_order(numbers, other_ids, sort_by, direction, page_size, page_offset - passed_over)
    end;
  end if;
  return page;
end
$$;

drop function funding.scope_of(text, jsonb);

-- The scope of a search's filter, read once for every leg. It is of the same moment as what the legs see: a fit may be put
-- in force at any time.
create function funding.scope_of(dataset text, filter jsonb) returns funding.search_scope
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  size integer;
  conditions funding.bitmap_condition[];
  matches funding.numbered_records;
  scope funding.search_scope;
begin
  scope.dataset := dataset;
  scope.parameters := filter;
  scope.condition := funding.predicate(dataset, filter);
  scope.is_usual := scope.condition = funding.usual_condition(dataset);
  scope.is_filtered := coalesce(filter->>'opportunity_type', 'open') = 'awarded'
    or exists (
      select from jsonb_object_keys(filter) as name
      where name not in ('search', 'search_mode', 'named', 'opportunity_type', 'include_national', 'include_archived'));
  scope.records := funding.about_all(dataset);
  size := funding.bitmap_size(dataset);
  if size is not null then
    conditions := funding.bitmap_conditions(dataset, filter);
  end if;
  if conditions is not null then
    matches := funding.bitmap_matches(dataset, conditions, size);
    scope.blocks := coalesce(matches.blocks, '{}');
    scope.bits := coalesce(matches.bits, '{}');
    scope.kept := funding.count_of(matches);
  else
    scope.kept := funding.about_kept(dataset, filter, scope.condition);
  end if;
  return scope;
end
$$;

revoke execute on all functions in schema funding from public;
