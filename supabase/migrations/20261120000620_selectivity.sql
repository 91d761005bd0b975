-- Which way to search: by an index made for all records, or by looking at the few that a filter keeps.

-- Whether a dataset has an approximate vector index; small ones have none.
create function funding.has_vector_index(dataset text) returns boolean
language sql stable as $$
  select coalesce((
    select indisvalid from pg_index where indexrelid = to_regclass(format('funding.%I', dataset || '_embedding'))
  ), false)
$$;

-- About how many records a filter keeps, and of these a further condition: the planner's own estimate, which costs no
-- look at them.
create function funding.estimated_matches(dataset text, parameters jsonb, condition text default 'true') returns double precision
-- Volatile, because Postgres lets no other function explain.
language plpgsql volatile
set search_path = funding, extensions, pg_temp as $$
declare
  plan json;
begin
  execute format('explain (format json) select from funding.%I as record where %s and (%s)', dataset,
    condition, replace(funding.predicate(dataset, parameters), '$1', quote_literal(parameters) || '::jsonb'))
  into plan;
  return (plan->0->'Plan'->>'Plan Rows')::double precision;
end
$$;

-- Whether a request has a filter of its own. What every request has keeps most records.
create function funding.has_filter(parameters jsonb) returns boolean
language sql immutable parallel safe as $$
  select funding.filters_of(parameters) - '{search,search_mode,opportunity_type,include_national,include_archived}'::text[] <> '{}'
    or coalesce(parameters->>'opportunity_type', 'open') = 'awarded'
$$;

-- Whether a filter keeps so few records that looking at each is cheaper than going by an index made
-- for all of them.
create function funding.is_selective(dataset text, parameters jsonb) returns boolean
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return funding.has_filter(parameters) and funding.estimated_matches(dataset, parameters) < 5000;
end
$$;

-- About how much of a dataset a filter keeps, 0 to 1.
create function funding.estimated_share(dataset text, parameters jsonb) returns double precision
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- Negative before the first analyze.
  records double precision := (select reltuples from pg_class where oid = format('funding.%I', dataset)::regclass);
begin
  return case when records > 0 then least(funding.estimated_matches(dataset, parameters) / records, 1) else 1 end;
end
$$;
