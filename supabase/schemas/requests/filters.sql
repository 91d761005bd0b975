-- The one predicate builder, for lists, counts, searches and webhook filters (stored as parameters).
--
-- The predicate's text depends only on which parameters are present; their values are never in it. Building it per request, rather than writing `(p
-- is null or ...)`, lets the planner use the indexes.

-- Raises 22023 where a filter has a key that no rule has: it would be ignored. Here and below, the plan of the rules is kept: it would be made anew for
-- each call, which takes longer than the call.
create or replace function funding.require_rules(dataset text, filter jsonb) returns void
language plpgsql immutable set plan_cache_mode = force_generic_plan as $$
declare
  unknown constant jsonb := filter - array(select rule.name from funding.filter_rules(require_rules.dataset) as rule);
begin
  if unknown <> '{}' then
    raise invalid_parameter_value using message = format('%s have no filter %s', dataset, (select string_agg(name, ', ') from jsonb_object_keys(unknown) as name));
  end if;
end
$$;

-- Conditions of a filter, as SQL: for lists, counts, searches and (stored) webhook filters. See `funding.filter_of`.
--
-- The conditions depend on which parameters are present, on whether each has one value, several, or beginnings of codes, on whether the search requires or
-- excludes words, and on the operators of ranges; values are never in the text. The statement around it binds the filter as $1 and names the row `record`.
create or replace function funding.predicate(dataset text, filter jsonb) returns text
language plpgsql immutable set plan_cache_mode = force_generic_plan as $$
declare
  rule record;
  conditions text[] := '{}';
begin
  perform funding.require_rules(dataset, filter);
  for rule in
    select known.* from funding.filter_rules(predicate.dataset) as known
    where (filter ? known.name or known.is_always) and known.kind <> 'modifier' and known.name <> 'search'
  loop
    conditions := array_append(conditions, case
      -- Sources' time zones have different days.
      when rule.form = 'day' and rule.kind in ('above', 'below') and jsonb_typeof(filter->rule.name) = 'object' then
        format('%s %s %s', rule.value, case rule.kind when 'above' then '>' else '<' end,
          funding.day_expression(format('($1->%L)', rule.name), filter->rule.name))
      else case rule.kind
      when 'own' then funding.own_condition(dataset, rule.name, filter)
      when 'within' then funding.range_condition(filter, rule.name, rule.value, rule.form)
      when 'value' then format(case when rule.is_excluding then '(%s) is not true' else '%s' end,
        funding.value_condition(rule.name, filter->rule.name, rule.form, rule.condition, rule.several, rule.beginning, rule.beginnings))
      else rule.condition
    end end);
  end loop;
  -- Last: it may look into documents, and Postgres orders the conditions of a `where` by their costs, but not those of a `case` or a `filter`.
  if filter ? 'search' then
    conditions := array_append(conditions, funding.own_condition(dataset, 'search', filter));
  end if;
  return coalesce(nullif(array_to_string(conditions, ' and '), ''), 'true');
end
$$;

-- Condition that a record has a value that a filter wants, as SQL. One value is compared as such, and not as a list of one: an index has the records of a
-- single value in the order of the list. Members as in `funding.filter_rules`.
create or replace function funding.value_condition(
  name text, wanted jsonb, form text, condition text, several text, beginning text, beginnings integer[]) returns text
language plpgsql immutable as $$
begin
  if beginning is not null and exists (select from funding.listed_values(wanted) as code where char_length(code) = any (beginnings)) then
    return case when jsonb_typeof(wanted) = 'array' then (
      select '(' || string_agg(format(beginning, format('($1->%L->>%s)', name, position - 1)), ' or ') || ')'
      from generate_series(1, jsonb_array_length(wanted)) as position)
      else format(beginning, format('($1->>%L)', name)) end;
  end if;
  return case
    when several is not null and (jsonb_typeof(wanted) = 'array' or form = 'status' and cardinality(funding.wanted_values(form, wanted)) > 1) then several
    else condition
  end;
end
$$;

-- Condition of a filter that no rule of shared/catalogue expresses, as SQL; null where it leaves out no record. `funding.own_bitmaps` has the same
-- filters.
create or replace function funding.own_condition(dataset text, name text, filter jsonb) returns text
language plpgsql immutable as $$
begin
  case name
    when 'search' then
      return funding.search_condition(dataset, filter);
    when 'opportunity_type' then
      return case coalesce(filter->>'opportunity_type', 'open')
        when 'open' then $c$record.classification = 'opportunity'$c$
        when 'awarded' then $c$record.classification = 'awarded_project'$c$
      end;
    when 'include_archived' then
      return case when not coalesce((filter->>'include_archived')::boolean, false) then $c$record.archived_at is null$c$ end;
    when 'include_versions' then
      return case when not coalesce((filter->>'include_versions')::boolean, false) then $c$record.superseded_by is null$c$ end;
    when 'states' then
      return case when coalesce((filter->>'include_national')::boolean, false)
        then $c$(record.states && funding.text_array($1->'states') or record.is_national)$c$
        else $c$record.states && funding.text_array($1->'states')$c$ end;
    when 'closing_within' then
      return format($c$(record.status = any ('{open,posted}') and record.deadline_date between %s and %s)$c$,
        funding.day_expression($c$($1->'closing_within'->'from')$c$, filter->'closing_within'->'from'),
        funding.day_expression($c$($1->'closing_within'->'upto')$c$, filter->'closing_within'->'upto'));
    when 'geography' then
      return case when filter->>'search_mode' = 'hybrid' and filter ? 'geography_states'
        then $c$record.states && funding.text_array($1->'geography_states')$c$
        else $c$record.geography ilike funding.containing($1->>'geography')$c$ end;
    when 'applicant_type' then
      return $c$funding.detail_keys(record.details) && funding.wanted_applicant_types($1)$c$;
  end case;
end
$$;

-- Condition of a filter's search, as SQL; null where it leaves out no record. A record matches if the search is its identifier. A ranking weighs the
-- words; the words and phrases that the query excludes or quotes stay conditions.
create or replace function funding.search_condition(dataset text, filter jsonb) returns text
language plpgsql immutable as $$
declare
  mode constant text := coalesce(filter->>'search_mode', 'keyword');
  identified constant text := funding.identifier_condition(dataset, filter);
  is_excluding constant boolean := filter->>'search' like '%-%' and funding.excluded_words(filter->>'search') is not null;
  excluding constant text := $c$not record.lexemes @@ funding.excluded_words($1->>'search')$c$;
  own_words constant text := $c$record.lexemes @@ funding.parse_query($1->>'search')$c$;
begin
  if mode = 'keyword' and funding.is_in_documents(filter) then
    return format(case when is_excluding then '(%1$s(%2$s) and %3$s)' else '(%1$s%2$s)' end,
      case filter->>'search_in' when 'all' then own_words || ' or ' else '' end,
      concat_ws(' or ', identified, funding.document_condition(dataset, filter)), excluding);
  elsif mode = 'keyword' then
    return format(
      case when identified is null then '%1$s' when is_excluding then '(%1$s or %2$s and %3$s)' else '(%1$s or %2$s)' end,
      own_words, identified, excluding);
  end if;
  return nullif(concat_ws(' and ',
    case when is_excluding then excluding end,
    case when mode = 'ranked_keyword' and funding.required_phrases(filter->>'search') is not null then format(
      case when identified is null then '%1$s' else '(%1$s or %2$s)' end,
      $c$record.lexemes @@ funding.required_phrases($1->>'search')$c$, identified) end), '');
end
$$;

-- Whether a filter's search looks into documents.
create or replace function funding.is_in_documents(filter jsonb) returns boolean
language sql immutable parallel safe as $$
  select filter ? 'search' and filter->>'search_in' in ('documents', 'all')
$$;

-- Condition that a document of the row `record` has a passage that a filter's search finds, as SQL: what lists find (document_search.sql). The filter has
-- `passage_search` (document_filters.sql). Subqueries without `record` are answered once, for the first record with a document. `offset 0` keeps Postgres
-- from looking into the documents of all records before it has those that meet the other conditions.
create or replace function funding.document_condition(dataset text, filter jsonb) returns text
language plpgsql immutable as $$
declare
  -- What a passage must have or lack beside enough words, as in a ranking by words.
  condition constant text := $c$funding.passage_condition($1 || '{"search_mode": "ranked_keyword"}')$c$;
  has_condition constant boolean := funding.passage_condition(filter || '{"search_mode": "ranked_keyword"}') is not null;
  phrases constant tsquery := funding.required_phrases(filter->>'search');
begin
  if not filter ? 'passage_search' then
    raise invalid_parameter_value using message = 'a filter whose search looks into documents needs passage_search';
  end if;
  return format($c$exists (
      select from funding.document_records as linked join funding.document_parts as part on part.document_id = linked.document_id
      where linked.record_id = record.id and linked.dataset = %1$L
        and get_bit((select funding.possible_parts($1->'passage_search'))[part.slot / 1024 + 1], part.slot %% 1024) = 1
        and %2$s
      offset 0)$c$, dataset, case
    when phrases is not null then
      format($c$part.words @@ funding.without_order(funding.required_phrases($1->>'search')) and funding.has_passage(part.slot, $1->'passage_search', %s)$c$, condition)
    when has_condition then format($c$funding.has_passage(part.slot, $1->'passage_search', %s)$c$, condition)
    else $c$(get_bit((select funding.certain_parts($1->'passage_search'))[part.slot / 1024 + 1], part.slot % 1024) = 1
          or funding.has_passage(part.slot, $1->'passage_search', null))$c$
  end);
end
$$;

-- Phrases as words that may stand anywhere: a text without them has none of the phrases.
create or replace function funding.without_order(phrases tsquery) returns tsquery
language sql immutable parallel safe as $$
  select regexp_replace(phrases::text, $c$ <(-|\d+)> (?=['(!])$c$, ' & ', 'g')::tsquery
$$;

-- Condition of a filter's range ({ operator, min, max }), as SQL: the value is `between` its bounds, both included, or `outside` of them. A record
-- without the value meets neither.
create or replace function funding.range_condition(filter jsonb, name text, value text, form text) returns text
language plpgsql immutable parallel safe as $$
begin
  return format(
    case filter->name->>'operator'
      when 'outside' then '(%1$s < ($1->%2$L->>''min'')::%3$s or %1$s > ($1->%2$L->>''max'')::%3$s)'
      else '%1$s between ($1->%2$L->>''min'')::%3$s and ($1->%2$L->>''max'')::%3$s'
    end, value, name, case form when 'day' then 'date' when 'moment' then 'timestamptz' else 'double precision' end);
end
$$;

-- SQL condition of every list that does not say otherwise: `funding.predicate` of no parameters. It has indexes of its own, and statements with
-- cached plans.
create or replace function funding.usual_condition(dataset text) returns text
language plpgsql immutable as $$
begin
  return case dataset when 'funders' then 'true' else $c$record.classification = 'opportunity' and record.archived_at is null and record.superseded_by is null$c$ end;
end
$$;
