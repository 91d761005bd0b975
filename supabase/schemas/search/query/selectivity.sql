-- Scope of a search: the records that it may find, and an estimate of their number.

-- Estimated number of records of a dataset. Zero before the dataset is first analyzed.
create or replace function funding.estimated_records(dataset text) returns double precision
language plpgsql stable as $$
begin
  return (select greatest(reltuples, 0) from pg_class where oid = to_regclass(format('funding.%I', dataset)));
end
$$;

-- Estimated number of records that meet a condition on the row named `record`: the planner's estimate, which reads no record.
create or replace function funding.estimated_matches(dataset text, parameters jsonb, condition text) returns double precision
-- Volatile, because Postgres lets no other function explain.
language plpgsql volatile
set search_path = funding, extensions, pg_temp as $$
declare
  plan json;
begin
  execute format('explain (format json) select from funding.%I as record where %s', dataset,
    replace(condition, '$1', quote_literal(parameters) || '::jsonb'))
  into plan;
  return (plan->0->'Plan'->>'Plan Rows')::double precision;
end
$$;

-- Scope of a search's filter, read once for every leg. It must be read in the legs' snapshot: a new fit may come into force at any
-- time.
create or replace function funding.scope_of(dataset text, filter jsonb) returns funding.search_scope
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  conditions funding.bitmap_condition[];
  matches funding.slot_bitmaps;
  scope funding.search_scope;
begin
  scope.dataset := dataset;
  scope.parameters := filter;
  scope.condition := funding.predicate(dataset, filter);
  scope.is_usual := scope.condition = funding.usual_condition(dataset);
  scope.is_filtered := coalesce(filter->>'opportunity_type', 'open') = 'awarded'
    or exists (
      select from funding.filter_rules(scope_of.dataset) as rule
      where filter ? rule.name and rule.kind <> 'modifier' and not rule.is_always and rule.name <> 'search')
    -- With `similar_to` the record is the query, and a search text is a filter, too.
    or filter ?& array['similar_to', 'search'];
  if filter ? 'similar_to' then
    scope.except_slot := funding.slot_of(dataset, (filter->>'similar_to')::uuid);
  end if;
  scope.records := funding.estimated_records(dataset);
  scope.sealed_end := funding.sealed_end(dataset);
  scope.unsealed := funding.count_unsealed(dataset, scope.sealed_end, 5000);
  if scope.sealed_end > 1 then
    conditions := funding.bitmap_conditions(dataset, filter);
  end if;
  if conditions is not null then
    matches := funding.bitmap_matches(dataset, conditions);
    scope.blocks := coalesce(matches.blocks, '{}');
    scope.bits := coalesce(matches.bits, '{}');
    scope.matching_records := funding.count_of(matches);
  else
    scope.matching_records := funding.estimated_matches(dataset, filter, scope.condition);
  end if;
  return scope;
end
$$;

-- Whether a scope has only records that every list has unless it says otherwise, so that the vectors of these alone have to be compared.
create or replace function funding.is_within_usual(scope funding.search_scope) returns boolean
language plpgsql immutable
set search_path = funding, extensions, pg_temp as $$
declare
  condition text;
begin
  foreach condition in array regexp_split_to_array(funding.usual_condition(scope.dataset), ' and ') loop
    if strpos(' and ' || scope.condition || ' and ', ' and ' || condition || ' and ') = 0 then
      return false;
    end if;
  end loop;
  return true;
end
$$;
