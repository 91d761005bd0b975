-- The semantic leg: the records nearest in meaning.

-- The records nearest in meaning, nearest first. The score is the cosine similarity, 0 to 1, times
-- the share of the query that was understood.
create function funding.semantic_candidates(
  dataset text, parameters jsonb, asked funding.query_analysis, maximum integer)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  model text := funding.setting('embedding_model')#>>'{}';
  least_similarity double precision := funding.similarity_floor(model);
  is_exact boolean;
  ids uuid[];
  distances double precision[];
begin
  if asked.embedding is null then
    return;
  end if;
  is_exact := not funding.has_vector_index(dataset)
    or funding.is_selective(dataset, parameters);
  if not is_exact and funding.has_filter(parameters) then
    -- Of what the nearest lists hold, a filter may keep just the far ones.
    perform set_config('ivfflat.probes', '96', true);
  end if;
  loop
    execute format($search$
      select array_agg(nearest.id), array_agg(nearest.distance)
      from (
        select record.id, record.embedding <=> $2 as distance
        from funding.%I as record
        where record.embedding_model = $3 and (%s)
        order by %s
        limit $4
      ) as nearest
    $search$, dataset, funding.predicate(dataset, parameters),
      -- An expression that is not the index's own is what keeps the planner to the exact scan.
      case when is_exact then '(record.embedding <=> $2) + 0' else 'record.embedding <=> $2' end)
    into ids, distances
    using parameters, asked.embedding, model, maximum;
    -- The index gives up after a while; a filter that keeps fewer records than it passed deserves them all.
    exit when is_exact or coalesce(cardinality(ids), 0) >= maximum;
    is_exact := true;
  end loop;

  return query
  select nearest.id, least((1 - nearest.distance) * asked.known_share, 1)
  from unnest(ids, distances) as nearest(id, distance)
  where (1 - nearest.distance) * asked.known_share >= least_similarity
  order by 2 desc, 1;
end
$$;
