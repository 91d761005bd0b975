-- The semantic leg: the records nearest in meaning.

-- GRANTS_nearest and so on: the records of a dataset's usual scope that are nearest to a vector, as its index gives them.
do $do$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($create$
      create function funding.%1$s_nearest(meant extensions.halfvec, model text, maximum integer, known_share real) returns funding.ranking
      language plpgsql stable
      set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $body$
      declare
        nearest funding.ranking;
      begin
        select array_agg(found.number), array_agg(found.id), array_agg((1 - found.distance) * known_share) into nearest
        from (
          select record.posting_number as number, case when record.posting_number is null then record.id end as id,
                 record.embedding <=> meant as distance
          from funding.%1$I as record
          where record.embedding_model = model and %2$s
          order by record.embedding <=> meant
          limit maximum
        ) as found;
        return nearest;
      end
      $body$
    $create$, dataset, funding.usual_condition(dataset));
  end loop;
end
$do$;

-- GRANTS_nearest_of and so on: the nearest of the records that have the numbers, by a look at each.
do $do$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($create$
      create function funding.%1$s_nearest_of(
        numbers integer[], meant extensions.halfvec, model text, maximum integer, known_share real)
      returns funding.ranking
      language plpgsql stable
      set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $body$
      declare
        nearest funding.ranking;
      begin
        select array_agg(found.number), array_agg(found.id), array_agg((1 - found.distance) * known_share) into nearest
        from (
          select wanted.number, null::uuid as id, record.embedding <=> meant as distance
          from unnest(numbers) as wanted(number)
          join funding.%1$I as record on record.posting_number = wanted.number
          where record.embedding_model = model
          order by distance
          limit maximum
        ) as found;
        return nearest;
      end
      $body$
    $create$, dataset);
  end loop;
end
$do$;

-- The records of a search's scope that are nearest to a vector, by the index or by a look at each.
create function funding.nearest(
  scope funding.search_scope, meant extensions.halfvec, model text, maximum integer, known_share real, is_exact boolean)
returns funding.ranking
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  numbers integer[];
  nearest funding.ranking;
begin
  if is_exact and scope.is_filtered and scope.bits is not null and not funding.has_unposted(scope.dataset) then
    numbers := array(
      select kept.block * length(kept.bits) + place
      from unnest(scope.blocks, scope.bits) as kept(block, bits) cross join lateral unnest(funding.places_of(kept.bits)) as place);
    return case scope.dataset
      when 'grants' then funding.grants_nearest_of(numbers, meant, model, maximum, known_share)
      when 'contracts' then funding.contracts_nearest_of(numbers, meant, model, maximum, known_share)
      else funding.funders_nearest_of(numbers, meant, model, maximum, known_share)
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
    select array_agg(found.number), array_agg(found.id), array_agg((1 - found.distance) * $5)
    from (
      select record.posting_number as number, case when record.posting_number is null then record.id end as id,
             record.embedding <=> $2 as distance
      from funding.%I as record
      where record.embedding_model = $3 and (%s)
      order by %s
      limit $4
    ) as found
  $search$, scope.dataset, scope.condition,
    -- An expression that is not the index's own is what keeps the planner to the exact scan.
    case when is_exact then '(record.embedding <=> $2) + 0' else 'record.embedding <=> $2' end)
  into nearest
  using scope.parameters, meant, model, maximum, known_share;
  return nearest;
end
$$;

-- The records nearest in meaning, nearest first. The score is the cosine similarity, 0 to 1, times
-- the share of the query that was understood.
create function funding.semantic_candidates(scope funding.search_scope, asked funding.query_analysis, maximum integer)
returns funding.ranking
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  model text := funding.setting('embedding_model')#>>'{}';
  least_score double precision := funding.similarity_floor(model);
  is_exact boolean;
  found funding.ranking;
begin
  if asked.embedding is null then
    return null;
  end if;
  -- Looking at each of few records is cheaper than going by an index made for all of them.
  is_exact := not funding.has_vector_index(scope.dataset) or scope.is_filtered and scope.kept < 5000;
  if not is_exact and not scope.is_usual then
    -- Of what the nearest lists hold, a filter may keep just the far ones. The fewer it keeps, the further away the best are.
    perform set_config('ivfflat.probes', least(greatest(round(42 * sqrt(scope.records / greatest(scope.kept, 1))), 48), 120)::text, true);
  end if;
  found := funding.nearest(scope, asked.embedding, model, maximum, asked.known_share, is_exact);
  -- The index gives up after a while; a filter that keeps fewer records than it passed deserves them all.
  if not is_exact and coalesce(cardinality(found.numbers), 0) < maximum then
    found := funding.nearest(scope, asked.embedding, model, maximum, asked.known_share, true);
  end if;
  return (
    -- The index gives its lists' records in order, and then those of further lists.
    select (array_agg(best.number), array_agg(best.id), array_agg(best.score))::funding.ranking
    from (
      select candidate.number, candidate.id, least(candidate.score, 1) as score
      from unnest(found.numbers, found.ids, found.scores) as candidate(number, id, score)
      where candidate.score >= least_score
      order by score desc, number, id
    ) as best);
end
$$;
