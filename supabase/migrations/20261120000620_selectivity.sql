-- Which records a search may find, and about how many.

-- What every list has unless it says otherwise, as SQL: `funding.predicate` of no parameters. It has indexes of its own,
-- and statements whose plans are kept.
create function funding.usual_condition(dataset text) returns text
language plpgsql immutable as $$
begin
  return case dataset when 'funders' then 'true' else $c$record.classification = 'opportunity' and record.archived_at is null$c$ end;
end
$$;

-- Whether a dataset has an approximate vector index; small ones have none.
create function funding.has_vector_index(dataset text) returns boolean
language plpgsql stable as $$
begin
  return coalesce((
    select indisvalid from pg_index where indexrelid = to_regclass(format('funding.%I', dataset || '_embedding'))
  ), false);
end
$$;

-- About how many records a dataset has. Zero before it is first analyzed.
create function funding.about_all(dataset text) returns double precision
language plpgsql stable as $$
begin
  return (select greatest(reltuples, 0) from pg_class where oid = to_regclass(format('funding.%I', dataset)));
end
$$;

-- About how many records a condition on the row named `record` keeps: the planner's own estimate, which costs no look at
-- them.
create function funding.about_kept(dataset text, parameters jsonb, condition text) returns double precision
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

-- Which records a search may find.
create type funding.search_scope as (
  dataset text,
  parameters jsonb,
  -- What the parameters ask of the row named `record`, as SQL.
  condition text,
  -- Which of the numbered records those are, by the bitmaps; null where these cannot tell.
  blocks integer[],
  bits bit varying[],
  -- Whether it is what every list has unless it says otherwise.
  is_usual boolean,
  -- Whether there is a filter of its own. What every request has keeps most records.
  is_filtered boolean,
  -- About how many records there are, and how many of them are kept.
  records double precision,
  kept double precision
);

-- The scope of a request's parameters, read once for every leg. It is of the same moment as what the legs see: a fit may be put
-- in force at any time.
create function funding.scope_of(dataset text, parameters jsonb) returns funding.search_scope
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  size integer;
  conditions funding.bitmap_condition[];
  matches funding.numbered_records;
  scope funding.search_scope;
begin
  scope.dataset := dataset;
  scope.parameters := parameters;
  scope.condition := funding.predicate(dataset, parameters);
  scope.is_usual := scope.condition = funding.usual_condition(dataset);
  scope.is_filtered := coalesce(parameters->>'opportunity_type', 'open') = 'awarded'
    or funding.filters_of(parameters) - '{search,search_mode,opportunity_type,include_national,include_archived}'::text[] <> '{}';
  scope.records := funding.about_all(dataset);
  size := funding.bitmap_size(dataset);
  -- What is asked of a ranked search's words is no filter that the bitmaps know.
  if size is not null and position('record.document' in scope.condition) = 0 then
    conditions := funding.bitmap_conditions(dataset, funding.filters_of(parameters) - '{search,search_mode}'::text[]);
  end if;
  if conditions is not null then
    matches := funding.bitmap_matches(dataset, conditions, size);
    scope.blocks := coalesce(matches.blocks, '{}');
    scope.bits := coalesce(matches.bits, '{}');
    scope.kept := funding.count_of(matches);
  else
    scope.kept := funding.about_kept(dataset, parameters, scope.condition);
  end if;
  return scope;
end
$$;

-- Whether a dataset has records that came or changed since the inverted index was made.
create function funding.has_unposted(dataset text) returns boolean
language plpgsql stable as $$
begin
  return case dataset
    when 'grants' then exists (select from funding.grants where posting_number is null)
    when 'contracts' then exists (select from funding.contracts where posting_number is null)
    else exists (select from funding.funders where posting_number is null)
  end;
end
$$;
