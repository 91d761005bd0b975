-- Semantic leg of a search: the records nearest in meaning.

-- Grants of the usual scope nearest to a vector, by the vector index. The condition is `funding.usual_condition`, which a partial
-- index has.
create or replace function funding.grants_nearest(meant extensions.halfvec, model text, maximum integer, known_share real) returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  nearest funding.ranked_slots;
begin
  select array_agg(found.slot), array_agg((1 - found.distance) * known_share) into nearest
  from (
    select record.posting_number as slot, record.embedding <=> meant as distance
    from funding.grants as record
    where record.embedding_model = model and record.classification = 'opportunity' and record.archived_at is null
    order by record.embedding <=> meant
    limit maximum
  ) as found;
  return nearest;
end
$$;

-- The same for contracts.
create or replace function funding.contracts_nearest(meant extensions.halfvec, model text, maximum integer, known_share real) returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  nearest funding.ranked_slots;
begin
  select array_agg(found.slot), array_agg((1 - found.distance) * known_share) into nearest
  from (
    select record.posting_number as slot, record.embedding <=> meant as distance
    from funding.contracts as record
    where record.embedding_model = model and record.classification = 'opportunity' and record.archived_at is null
    order by record.embedding <=> meant
    limit maximum
  ) as found;
  return nearest;
end
$$;

-- The same for funders.
create or replace function funding.funders_nearest(meant extensions.halfvec, model text, maximum integer, known_share real) returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  nearest funding.ranked_slots;
begin
  select array_agg(found.slot), array_agg((1 - found.distance) * known_share) into nearest
  from (
    select record.posting_number as slot, record.embedding <=> meant as distance
    from funding.funders as record
    where record.embedding_model = model and true
    order by record.embedding <=> meant
    limit maximum
  ) as found;
  return nearest;
end
$$;

-- Grants nearest to a vector among those with these slots, by comparing each.
create or replace function funding.grants_nearest_of(
  slots integer[], meant extensions.halfvec, model text, maximum integer, known_share real)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  nearest funding.ranked_slots;
begin
  select array_agg(found.slot), array_agg((1 - found.distance) * known_share) into nearest
  from (
    select wanted.slot, record.embedding <=> meant as distance
    from unnest(slots) as wanted(slot)
    join funding.grants as record on record.posting_number = wanted.slot
    where record.embedding_model = model
    order by distance
    limit maximum
  ) as found;
  return nearest;
end
$$;

-- The same for contracts.
create or replace function funding.contracts_nearest_of(
  slots integer[], meant extensions.halfvec, model text, maximum integer, known_share real)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  nearest funding.ranked_slots;
begin
  select array_agg(found.slot), array_agg((1 - found.distance) * known_share) into nearest
  from (
    select wanted.slot, record.embedding <=> meant as distance
    from unnest(slots) as wanted(slot)
    join funding.contracts as record on record.posting_number = wanted.slot
    where record.embedding_model = model
    order by distance
    limit maximum
  ) as found;
  return nearest;
end
$$;

-- The same for funders.
create or replace function funding.funders_nearest_of(
  slots integer[], meant extensions.halfvec, model text, maximum integer, known_share real)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  nearest funding.ranked_slots;
begin
  select array_agg(found.slot), array_agg((1 - found.distance) * known_share) into nearest
  from (
    select wanted.slot, record.embedding <=> meant as distance
    from unnest(slots) as wanted(slot)
    join funding.funders as record on record.posting_number = wanted.slot
    where record.embedding_model = model
    order by distance
    limit maximum
  ) as found;
  return nearest;
end
$$;

-- Records of a search's scope that are nearest to a vector, by the index or by comparing each.
create or replace function funding.nearest(
  scope funding.search_scope, meant extensions.halfvec, model text, maximum integer, known_share real, is_exact boolean)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  slots integer[];
  nearest funding.ranked_slots;
begin
  if is_exact and scope.is_filtered and scope.bits is not null then
    slots := array(
      select blocks.first_slot - 1 + position
      from unnest(scope.blocks, scope.bits) as scope_block(block, bits)
      join funding.blocks on blocks.dataset = scope.dataset and blocks.block = scope_block.block
      cross join lateral unnest(funding.positions_of(scope_block.bits)) as position);
    if scope.unsealed > 0 then
      execute format('select $3 || array(select record.posting_number from %s where %s)',
        funding.unsealed_records(scope.dataset, '$2', scope.unsealed), scope.condition)
      into slots using scope.parameters, scope.sealed_end, slots;
    end if;
    return case scope.dataset
      when 'grants' then funding.grants_nearest_of(slots, meant, model, maximum, known_share)
      when 'contracts' then funding.contracts_nearest_of(slots, meant, model, maximum, known_share)
      else funding.funders_nearest_of(slots, meant, model, maximum, known_share)
    end;
  end if;
  if scope.is_usual and not is_exact then
    return case scope.dataset
      when 'grants' then funding.grants_nearest(meant, model, maximum, known_share)
      when 'contracts' then funding.contracts_nearest(meant, model, maximum, known_share)
      else funding.funders_nearest(meant, model, maximum, known_share)
    end;
  end if;
  execute format($search$
    select array_agg(found.slot), array_agg((1 - found.distance) * $5)
    from (
      select record.posting_number as slot, record.embedding <=> $2 as distance
      from funding.%I as record
      where record.embedding_model = $3 and (%s)
      order by %s
      limit $4
    ) as found
  $search$, scope.dataset, scope.condition,
    -- With another expression than the index's own, the planner makes an exact scan.
    case when is_exact then '(record.embedding <=> $2) + 0' else 'record.embedding <=> $2' end)
  into nearest
  using scope.parameters, meant, model, maximum, known_share;
  return nearest;
end
$$;

-- Loads the extension: Postgres knows its settings, which the next function sets, only after something of it was used.
select '[0]'::extensions.vector;

-- Records nearest in meaning, nearest first. The score is the cosine similarity, 0 to 1, times the share of the query that was
-- understood. A query or a record whose vector is zero has no direction, and no similarity: Postgres sorts a cosine that is not a
-- number above every number.
--
-- A search of the usual scope reads 40 lists of the index. Where they hold fewer records that pass a filter than it wants, it goes on
-- to further ones, up to 192; then it compares every record.
create or replace function funding.semantic_candidates(scope funding.search_scope, asked funding.query_analysis, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp
set ivfflat.probes = 40 set ivfflat.iterative_scan = relaxed_order set ivfflat.max_probes = 192 as $$
declare
  model text := funding.setting('embedding_model')#>>'{}';
  least_score double precision := funding.similarity_floor(model);
  is_exact boolean;
  found funding.ranked_slots;
begin
  if asked.embedding is null or l2_norm(asked.embedding) = 0 then
    return null;
  end if;
  -- Comparing each of few records is cheaper than an index made for all of them.
  is_exact := not funding.has_vector_index(scope.dataset) or scope.is_filtered and scope.kept < 5000;
  if not is_exact and not scope.is_usual then
    -- Of the records in the nearest lists, a filter may match just the far ones. The fewer it matches, the further away the best are.
    perform set_config('ivfflat.probes', least(greatest(round(42 * sqrt(scope.records / greatest(scope.kept, 1))), 48), 120)::text, true);
  end if;
  found := funding.nearest(scope, asked.embedding, model, maximum, asked.known_share, is_exact);
  -- The index gives up after a while. Where it found too few records that pass the filter, all are compared.
  if not is_exact and coalesce(cardinality(found.slots), 0) < maximum then
    found := funding.nearest(scope, asked.embedding, model, maximum, asked.known_share, true);
  end if;
  return (
    -- The index gives its lists' records in order, and then those of further lists.
    select (array_agg(best.slot), array_agg(best.score))::funding.ranked_slots
    from (
      select candidate.slot, greatest(least(candidate.score, 1), 0) as score
      from unnest(found.slots, found.scores) as candidate(slot, score)
      -- A record whose vector is zero is at no distance, which sorts after every number.
      where candidate.score >= least_score and candidate.score < 'infinity'
      order by score desc, slot
    ) as best);
end
$$;
