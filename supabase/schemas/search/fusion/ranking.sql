-- Ranked search: fusion of the keyword leg and the semantic leg. Each leg returns its best `search_candidates` records, and applies every filter
-- while it looks for them. The legs do not depend on the page, so pages neither repeat nor skip a record. In return, a ranked search lists no more
-- records than the legs return.

-- Records that at least one leg finds, in no order: rank and score in each leg, null where that leg has not found the record, and the similarity to
-- the query. Only the first 100 records of each leg are compared with the query; the similarity of the others is 0. (Comparing all would take longer
-- than finding them.) Without `with_meaning`, only the keyword leg runs. Where the search looks into documents, a record is as near, and has as many
-- of the words, as the best passage of its documents.
create or replace function funding.hybrid_legs(
  scope funding.search_scope, analysis funding.query_analysis, maximum integer, with_meaning boolean)
returns table (slot integer, keyword_rank bigint, keyword_score double precision, semantic_rank bigint, semantic_score double precision,
  similarity double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  search_in constant text := coalesce(scope.parameters->>'search_in', 'records');
  by_words funding.ranked_slots;
  by_meaning funding.ranked_slots;
  by_documents funding.ranked_passages;
  compared constant integer := 100;
  slots integer[];
  similarities double precision[];
begin
  if search_in <> 'documents' then
    by_words := funding.keyword_candidates(scope, analysis, maximum, not with_meaning);
  end if;
  if search_in <> 'records' then
    by_documents := funding.document_candidates(scope, analysis, maximum);
  end if;
  if with_meaning and search_in <> 'documents' then
    analysis := funding.with_feedback(scope, analysis, by_words);
    by_meaning := funding.semantic_candidates(scope, analysis, maximum);
    if search_in <> 'records' then
      by_meaning := funding.with_near_documents(by_meaning, by_documents, analysis, maximum);
    end if;
  end if;
  if search_in <> 'records' then
    by_words := funding.with_documents(by_words, by_documents, maximum);
  end if;
  if with_meaning and search_in <> 'documents' then
    slots := array(select unnest(by_words.slots[:compared]) union select unnest(by_meaning.slots[:compared]));
    similarities := funding.similarities(scope.dataset, analysis, slots);
  end if;
  return query
  select coalesce(word.slot, neighbour.slot), word.rank, word.score, neighbour.rank, neighbour.score,
         -- A passage counts where it is nearer than its record.
         greatest(coalesce(known.similarity, 0), case when neighbour.slot = any (by_documents.slots) then neighbour.score else 0 end)
  from unnest(by_words.slots, by_words.scores) with ordinality as word(slot, score, rank)
  full join unnest(by_meaning.slots, by_meaning.scores) with ordinality as neighbour(slot, score, rank) on neighbour.slot = word.slot
  left join unnest(slots, similarities) as known(slot, similarity) on known.slot = coalesce(word.slot, neighbour.slot);
end
$$;

-- BM25 score that the five heaviest words of a query could give: the rest of a long query is context. 0 for a query of one word, which every record with
-- it answers, and for `similar_to`.
create or replace function funding.possible_keyword_score(scope funding.search_scope, analysis funding.query_analysis) returns double precision
language plpgsql stable as $$
begin
  if scope.parameters ? 'similar_to' or coalesce(cardinality(analysis.word_weights), 0) < 2 then
    return 0;
  end if;
  return (select sum(heaviest.weight) from (select weight from unnest(analysis.word_weights) as weight order by weight desc limit 5) as heaviest)
    * (select fit.bm25_k1 + 1 from funding.lexicon_fit as fit);
end
$$;

-- Fusion of both legs: a reciprocal rank fusion (RRF; Cormack, Clarke and Buettcher, 2009) of three rankings, by keywords, by meaning, and by the sum
-- of both scores. In the sum, a keyword score counts as its share of the best. Scores are divided by the greatest sum possible: 1 is first in all
-- rankings. Two rankings alone would give a weak leg the same voice as a strong one. Under the setting `fusion` = `sum`, only the sum of scores counts.
--
-- A record that only its words find needs the share `floor_keyword` of the possible score: a word in common is noise where neither the other words nor
-- the meaning agree.
--
-- Without meaning, only the keyword leg counts, whatever its weight. A record that only a leg of weight 0 finds has the score 0, and comes last. In
-- no order.
create or replace function funding.hybrid_scores(
  scope funding.search_scope, analysis funding.query_analysis, maximum integer, with_meaning boolean)
returns table (slot integer, keyword_rank bigint, keyword_score double precision, semantic_rank bigint, semantic_score double precision,
  similarity double precision, total double precision, sum_rank bigint, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  k double precision := funding.setting('fusion_k')::double precision;
  keyword_weight double precision := funding.setting('fusion_keyword_weight')::double precision;
  semantic_weight double precision := case when with_meaning then funding.setting('fusion_semantic_weight')::double precision else 0 end;
  sum_weight double precision := case when with_meaning then funding.setting('fusion_sum_weight')::double precision else 0 end;
  -- Weight of the similarity, beside a keyword score of 1.
  similarity_weight double precision := case when semantic_weight > 0 then funding.model_setting('fusion_similarity_weight') else 0 end;
  is_sum boolean := with_meaning and funding.setting('fusion') = '"sum"';
  least_keyword_score double precision := 0;
begin
  with_meaning := with_meaning and analysis.embedding is not null;
  if with_meaning and semantic_weight > 0 then
    least_keyword_score := funding.setting('floor_keyword')::double precision * funding.possible_keyword_score(scope, analysis);
  end if;
  if keyword_weight = 0 and (semantic_weight = 0 or not with_meaning) then
    keyword_weight := 1;
  end if;
  return query
  with scored as materialized (
    select leg.*,
           case when keyword_weight > 0 then coalesce(leg.keyword_score / nullif(max(leg.keyword_score) over (), 0), 0) else 0 end as keyword_share,
           -- Where the keyword leg does not count, a record that only this leg has found must not come before others.
           case when keyword_weight > 0 or leg.semantic_rank is not null then similarity_weight * leg.similarity else 0 end as meaning
    from funding.hybrid_legs(scope, analysis, maximum, with_meaning) as leg
  ), summed as materialized (
    select scored.*, scored.keyword_share + scored.meaning as total,
           row_number() over (order by scored.keyword_share + scored.meaning desc, scored.slot) as sum_rank,
           1 + max(scored.meaning) over () as most
    from scored
  )
  select summed.slot, summed.keyword_rank, summed.keyword_score, summed.semantic_rank, summed.semantic_score, summed.similarity, summed.total,
         summed.sum_rank,
         least(case
           when is_sum then summed.total / summed.most
           else (
             coalesce(keyword_weight / (k + summed.keyword_rank), 0) + coalesce(semantic_weight / (k + summed.semantic_rank), 0)
               + case when summed.total > 0 then sum_weight / (k + summed.sum_rank) else 0 end
           ) / ((keyword_weight + semantic_weight + sum_weight) / (k + 1))
         end, 1)
  from summed
  where summed.semantic_rank is not null or summed.keyword_score >= least_keyword_score;
end
$$;

-- Slots and scores of `funding.hybrid_scores`.
create or replace function funding.hybrid_candidates(
  scope funding.search_scope, analysis funding.query_analysis, maximum integer, with_meaning boolean)
returns funding.ranked_slots
-- A function in SQL would be planned at each call.
language plpgsql stable as $$
begin
  return (
    select (array_agg(found.slot), array_agg(found.score))::funding.ranked_slots
    from funding.hybrid_scores(scope, analysis, maximum, with_meaning) as found);
end
$$;

-- Mode in which a ranked search can run: the given one, or a mode without vectors. There are no vectors before the lexicon's first fit, which matters
-- only if the dataset has records.
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

-- Mode that ranks a list, or null for a list in the order of a field.
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

-- Ids of the records of a dataset with these slots, in the order of the slots. The plan is cached: it is the same for any slots.
create or replace function funding.ids_of(dataset text, slots integer[]) returns uuid[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return case dataset
    when 'grants' then array(
      select record.id
      from unnest(slots) with ordinality as wanted(slot, position) left join funding.grants as record on record.slot = wanted.slot
      order by wanted.position)
    when 'contracts' then array(
      select record.id
      from unnest(slots) with ordinality as wanted(slot, position) left join funding.contracts as record on record.slot = wanted.slot
      order by wanted.position)
    else array(
      select record.id
      from unnest(slots) with ordinality as wanted(slot, position) left join funding.funders as record on record.slot = wanted.slot
      order by wanted.position)
  end;
end
$$;

-- Row limit of each leg of a ranked search.
create or replace function funding.candidates_of(dataset text, mode text) returns integer
language plpgsql stable as $$
begin
  return least(
    funding.setting('search_candidates')::integer,
    case when mode <> 'keyword' and funding.has_vector_index(dataset) then funding.setting('search_candidates_indexed')::integer end);
end
$$;

-- Query of a ranked search: a record (`similar_to`), or the words of the search. A vector of another size is of the model of a moment ago, and is left
-- out.
create or replace function funding.query_of(dataset text, filter jsonb, query_vector extensions.halfvec) returns funding.query_analysis
language plpgsql stable as $$
begin
  if filter ? 'similar_to' then
    return funding.query_like(dataset, (filter->>'similar_to')::uuid);
  end if;
  if extensions.vector_dims(query_vector) <> funding.vector_size(funding.setting('embedding_model')#>>'{}') then
    query_vector := null;
  end if;
  return funding.read_query(filter->>'search', query_vector);
end
$$;

-- Records of a ranked search with their scores, best first, ties by id; at most `most`, or all. `total` counts all. Records whose identifier is the
-- query come first. The mode `keyword` is a hybrid search with the keyword leg alone. It uses no vector index, which alone makes a longer leg
-- expensive, so its limit is `search_candidates`. With `similar_to` in the filter, a record is the query (similar.sql). `query_vector` is the query's
-- vector under an external model. Whatever lists, counts or facets a ranked search gets its records here, and their scores' parts from
-- `funding.score_parts`: another search engine replaces these two. The scores are rounded to six digits, as in a cursor.
--
-- `jit` is off: nothing here runs long enough for compiling to pay, and Postgres would compile where it overestimates how many rows a function
-- returns.
create or replace function funding.ranked(
  dataset text, filter jsonb, mode text, query_vector extensions.halfvec default null, most bigint default null)
returns table (id uuid, score double precision, total bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
declare
  maximum integer := funding.candidates_of(dataset, mode);
  is_similar boolean := filter ? 'similar_to';
  analysis funding.query_analysis := funding.query_of(dataset, filter, query_vector);
  scope funding.search_scope := funding.scope_of(dataset, filter);
  -- With `similar_to`, a search is a filter.
  identifier_matches uuid[] := case when is_similar then '{}' else funding.identifier_matches(scope, maximum) end;
  -- Scales the scores of the legs so that exact identifiers rank first. 1 where no identifier matches.
  score_scale double precision := case when identifier_matches = '{}' then 1 else 0.999 end;
  ranking funding.ranked_slots := case
    -- The record of `similar_to` may have no vector yet: then its words are compared.
    when mode = 'semantic' and not (is_similar and analysis.embedding is null) then funding.semantic_candidates(scope, funding.with_feedback(scope, analysis), maximum)
    else funding.hybrid_candidates(scope, analysis, maximum, mode = 'hybrid')
  end;
  found_records bigint := coalesce(cardinality(ranking.slots), 0);
begin
  -- Keeps all records that tie for the last position. Their ids are read later, and decide the order.
  select array_agg(first.slot), array_agg(first.displayed_score) into ranking
  from (
    -- Rounded to six digits, as in a cursor.
    select found.slot, round(found.score * score_scale * 1000000) / 1000000 as displayed_score
    from unnest(ranking.slots, ranking.scores) as found(slot, score)
    order by displayed_score desc
    fetch first case when most is null or identifier_matches <> '{}' then found_records else most end rows with ties
  ) as first;

  return query
  select listed.id, listed.displayed_score, case when identifier_matches = '{}' then found_records else count(*) over () end
  from (
    select found.id, found.displayed_score
    from unnest(funding.ids_of(dataset, ranking.slots), ranking.scores) as found(id, displayed_score)
    where found.id is not null and found.id <> all (identifier_matches)
    union all
    select unnest(identifier_matches), 1
  ) as listed
  order by listed.displayed_score desc, listed.id
  limit most;
end
$$;
