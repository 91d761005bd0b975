-- Ranked search: the legs, fused. Each leg gives its best `search_candidates` records, with every filter inside the query that
-- finds them. The legs do not depend on the page, so pages neither repeat nor skip a record; in return a ranked search never
-- lists more than the legs give.

-- Records that either leg finds: their ranks and scores in the two legs, null where that leg has not found them, and their similarity in
-- meaning; 0 for those that are not among the first 100 of either, which would take longer to compare than to find. In no order. Without
-- meaning, the keyword leg alone.
create or replace function funding.hybrid_legs(
  scope funding.search_scope, asked funding.query_analysis, maximum integer, with_meaning boolean)
returns table (slot integer, keyword_rank bigint, keyword_score double precision, semantic_rank bigint, semantic_score double precision,
  similarity double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  by_words funding.ranked_slots := funding.keyword_candidates(scope, asked, maximum);
  by_meaning funding.ranked_slots;
  compared constant integer := 100;
  slots integer[];
  similarities double precision[];
begin
  if with_meaning then
    asked := funding.with_feedback(scope, asked, by_words);
    by_meaning := funding.semantic_candidates(scope, asked, maximum);
    slots := array(select unnest(by_words.slots[:compared]) union select unnest(by_meaning.slots[:compared]));
    similarities := funding.similarities(scope.dataset, asked, slots);
  end if;
  return query
  select coalesce(word.slot, meant.slot), word.rank, word.score, meant.rank, meant.score, coalesce(known.similarity, 0)
  from unnest(by_words.slots, by_words.scores) with ordinality as word(slot, score, rank)
  full join unnest(by_meaning.slots, by_meaning.scores) with ordinality as meant(slot, score, rank) on meant.slot = word.slot
  left join unnest(slots, similarities) as known(slot, similarity) on known.slot = coalesce(word.slot, meant.slot);
end
$$;

-- Both legs fused. A reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009) of three rankings: by keywords, by meaning, and by the sum
-- of both scores, in which a keyword score counts as its share of the best. Divided by the greatest sum possible: 1 is first in all. Two
-- rankings alone give a weak leg the same voice as a strong one. Under the setting `fusion` = `sum`, the sum of scores alone.
--
-- Without meaning, the keyword leg is all there is, whatever its weight. What only a leg of weight 0 finds has the score 0, and comes last. In
-- no order.
create or replace function funding.hybrid_candidates(
  scope funding.search_scope, asked funding.query_analysis, maximum integer, with_meaning boolean)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  k double precision := funding.setting('fusion_k')::double precision;
  keyword_weight double precision := funding.setting('fusion_keyword_weight')::double precision;
  semantic_weight double precision := case when with_meaning then funding.setting('fusion_semantic_weight')::double precision else 0 end;
  sum_weight double precision := case when with_meaning then funding.setting('fusion_sum_weight')::double precision else 0 end;
  -- Of the similarity, beside a keyword score of 1.
  similarity_weight double precision := case when semantic_weight > 0 then funding.model_setting('fusion_similarity_weight') else 0 end;
  is_sum boolean := with_meaning and funding.setting('fusion') = '"sum"';
begin
  with_meaning := with_meaning and asked.embedding is not null;
  if keyword_weight = 0 and (semantic_weight = 0 or not with_meaning) then
    keyword_weight := 1;
  end if;
  return (
    with scored as materialized (
      select leg.slot, leg.keyword_rank, leg.semantic_rank,
             case when keyword_weight > 0 then leg.keyword_score / nullif(max(leg.keyword_score) over (), 0) else 0 end as keyword_share,
             -- Beside a keyword leg that does not count, a record that only this leg has found is not to come before others.
             case when keyword_weight > 0 or leg.semantic_rank is not null then similarity_weight * leg.similarity else 0 end as similarity
      from funding.hybrid_legs(scope, asked, maximum, with_meaning) as leg
    ), summed as materialized (
      select scored.*, coalesce(scored.keyword_share, 0) + scored.similarity as total,
             row_number() over (order by coalesce(scored.keyword_share, 0) + scored.similarity desc, scored.slot) as sum_rank
      from scored
    )
    select (array_agg(summed.slot), array_agg(
      least(case
        when is_sum then summed.total / (1 + most.similarity)
        else (
          coalesce(keyword_weight / (k + summed.keyword_rank), 0) + coalesce(semantic_weight / (k + summed.semantic_rank), 0)
            + case when summed.total > 0 then sum_weight / (k + summed.sum_rank) else 0 end
        ) / ((keyword_weight + semantic_weight + sum_weight) / (k + 1))
      end, 1)))::funding.ranked_slots
    from summed cross join (select max(scored.similarity) as similarity from scored) as most);
end
$$;

-- Mode in which a ranked search can run. Before the lexicon's first fit there are no vectors, which matters unless there is nothing
-- to find anyway.
create or replace function funding.available_mode(dataset text, mode text) returns text
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  has_records boolean;
begin
  if mode = 'keyword' or funding.setting('embedding_model') <> '"lexicon"' or (select dimensions > 0 from funding.lexicon_fit) then
    return mode;
  end if;
  execute format('select exists (select from funding.%I)', dataset) into has_records;
  if not has_records then
    return mode;
  end if;
  return funding.mode_without_vectors(mode, 'semantic search has no vectors yet');
end
$$;

-- Mode that ranks a list, or null for one in the order of a field.
create or replace function funding.ranking_mode(dataset text, asked_mode text, vector_is_missing boolean default false) returns text
language plpgsql stable as $$
begin
  if asked_mode is null then
    return null;
  elsif vector_is_missing then
    return funding.mode_without_vectors(asked_mode, 'the query has no vector');
  end if;
  return funding.available_mode(dataset, asked_mode);
end
$$;

-- Ids of the grants with these slots, in the order of the slots.
create or replace function funding.grants_ids(slots integer[]) returns uuid[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select record.id
    from unnest(slots) with ordinality as wanted(slot, position)
    left join funding.grants as record on record.posting_number = wanted.slot
    order by wanted.position);
end
$$;

-- The same for contracts.
create or replace function funding.contracts_ids(slots integer[]) returns uuid[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select record.id
    from unnest(slots) with ordinality as wanted(slot, position)
    left join funding.contracts as record on record.posting_number = wanted.slot
    order by wanted.position);
end
$$;

-- The same for funders.
create or replace function funding.funders_ids(slots integer[]) returns uuid[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    select record.id
    from unnest(slots) with ordinality as wanted(slot, position)
    left join funding.funders as record on record.posting_number = wanted.slot
    order by wanted.position);
end
$$;

-- Ids of the records of a dataset with these slots, in the order of the slots.
create or replace function funding.ids_of(dataset text, slots integer[]) returns uuid[]
language plpgsql stable as $$
begin
  return case dataset
    when 'grants' then funding.grants_ids(slots)
    when 'contracts' then funding.contracts_ids(slots)
    else funding.funders_ids(slots)
  end;
end
$$;

-- Records of a ranked search with their scores, best first, ties by id; the first `most` of them, or all. `total` is how many there
-- are. Records with the identifier that the query is come before all that it describes. The mode `keyword` is a hybrid search that
-- has only its keyword leg. It uses no vector index, which alone makes a longer leg dear, so its limit is `search_candidates`. Under an external
-- model `query_vector` is the query's meaning.
--
-- Nothing in it runs long enough for compiling to pay, which Postgres would do where it overestimates how many rows a function
-- returns: so `jit` is off.
create or replace function funding.ranked(
  dataset text, filter jsonb, mode text, query_vector extensions.halfvec default null, most bigint default null)
returns table (id uuid, score double precision, total bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
declare
  maximum integer := least(
    funding.setting('search_candidates')::integer,
    case when mode <> 'keyword' and funding.has_vector_index(dataset) then funding.setting('search_candidates_indexed')::integer end);
  asked funding.query_analysis := funding.read_query(filter->>'search', query_vector);
  scope funding.search_scope := funding.scope_of(dataset, filter);
  identifier_matches uuid[] := funding.identifier_matches(scope, maximum);
  -- Puts the best described record behind an identified one, and changes nothing where none is identified.
  share double precision := case when identifier_matches = '{}' then 1 else 0.999 end;
  described funding.ranked_slots := case mode
    when 'semantic' then funding.semantic_candidates(scope, funding.with_feedback(scope, asked), maximum)
    else funding.hybrid_candidates(scope, asked, maximum, mode = 'hybrid')
  end;
  described_ones bigint := coalesce(cardinality(described.slots), 0);
begin
  -- Records tied in the last position stay until their ids, or their identifiers, tell which comes first.
  select array_agg(first.slot), array_agg(first.displayed_score) into described
  from (
    -- To six digits, as a cursor has them.
    select found.slot, round(found.score * share * 1000000) / 1000000 as displayed_score
    from unnest(described.slots, described.scores) as found(slot, score)
    order by displayed_score desc
    fetch first case when most is null or identifier_matches <> '{}' then described_ones else most end rows with ties
  ) as first;

  return query
  select listed.id, listed.displayed_score, case when identifier_matches = '{}' then described_ones else count(*) over () end
  from (
    select found.id, found.displayed_score
    from unnest(funding.ids_of(dataset, described.slots), described.scores) as found(id, displayed_score)
    where found.id is not null and found.id <> all (identifier_matches)
    union all
    select unnest(identifier_matches), 1
  ) as listed
  order by listed.displayed_score desc, listed.id
  limit most;
end
$$;

-- Ranking mode that the parameters ask for; null for a list in the order of a field. Reads no tables.
create or replace function funding.asked_ranking(parameters jsonb) returns text
language plpgsql immutable as $$
begin
  return case
    when coalesce(parameters->>'search_mode', 'keyword') <> 'keyword' then parameters->>'search_mode'
    when parameters->>'sort_by' = 'relevance' then 'keyword'
  end;
end
$$;
