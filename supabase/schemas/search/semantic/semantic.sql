-- Semantic leg of a search: the records whose vectors are nearest to the query's.

-- Bitmap of a scope's sealed records, from the slot `first` on: one bit shows whether a record is in the scope. Null where the blocks lie far apart:
-- filling the gaps would take longer than looking records up.
create or replace function funding.sealed_bits(scope funding.search_scope, out first integer, out bits bit varying)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  span bigint;
  size bigint;
  block record;
begin
  select coalesce(min(blocks.first_slot), 1), max(blocks.first_slot::bigint + blocks.size) - min(blocks.first_slot), sum(blocks.size)
  into first, span, size
  from funding.blocks where blocks.dataset = scope.dataset and blocks.block = any (scope.blocks);
  if span > greatest(8 * size, 1000000) then
    return;
  end if;
  bits := '';
  for block in
    select blocks.first_slot, scope_block.bits
    from unnest(scope.blocks, scope.bits) as scope_block(block, bits)
    join funding.blocks on blocks.dataset = scope.dataset and blocks.block = scope_block.block
    order by blocks.first_slot
  loop
    bits := bits || repeat('0', block.first_slot - first - length(bits))::bit varying || block.bits;
  end loop;
end
$$;

-- Records of a scope nearest to a vector: by the vector index, or with `is_exact` by comparing every record. Where records have passages, the nearest
-- vector of each counts. `most_vectors` is how many the index gives at most, and `vectors` how many it gave. `farthest` is the place of the farthest of
-- them among all vectors that the index gave before a filter, where it has one.
create or replace function funding.nearest_records(
  scope funding.search_scope, query_vector extensions.halfvec, maximum integer, known_share real, is_exact boolean, most_vectors integer default null,
  out slots integer[], out scores double precision[], out vectors integer, out farthest integer)
language plpgsql stable
set search_path = funding, extensions, pg_temp set enable_sort = on set enable_hashjoin = on set enable_mergejoin = on as $$
declare
  table_name constant text := funding.vectors_table(scope.dataset, (select fit.vectors from funding.lexicon_fit as fit));
  listed integer[];
  first_sealed integer;
  sealed bit varying;
  near text;
  meets_filter text := 'true';
  -- Counting the places saves the sample. A filter that keeps fewer has matches so far apart that it seldom would, and a filter within the scan is quicker.
  with_place constant boolean := not is_exact and not scope.is_usual and scope.matching_records > scope.records / 8;
begin
  if is_exact and scope.is_filtered and scope.bits is not null then
    listed := array(
      select blocks.first_slot - 1 + position
      from unnest(scope.blocks, scope.bits) as scope_block(block, bits)
      join funding.blocks on blocks.dataset = scope.dataset and blocks.block = scope_block.block
      cross join lateral unnest(funding.positions_of(scope_block.bits)) as position);
    if scope.unsealed > 0 then
      execute format('select $3 || array(select record.slot from %s where %s)',
        funding.unsealed_records(scope.dataset, '$2', scope.unsealed), scope.condition)
      into listed using scope.parameters, scope.sealed_end, listed;
    end if;
    near := format('select wanted.slot, known.embedding <=> $2 as distance, null as place
      from unnest($5) as wanted(slot) join funding.%I as known on known.slot = wanted.slot', table_name);
  else
    if not scope.is_usual then
      -- `offset 0` makes Postgres look up single records: otherwise it reads the whole table.
      meets_filter := format('exists (select from funding.%I as record where record.slot = known.slot and %s offset 0)',
        scope.dataset, scope.condition);
      if scope.bits is not null then
        select found.first, found.bits into first_sealed, sealed from funding.sealed_bits(scope) as found;
      end if;
      if sealed is not null then
        -- Reading a bit takes a fiftieth of the time of looking up the record.
        meets_filter := format('case when known.slot >= $6 then %s when known.slot - $8 between 0 and length($7) - 1 then get_bit($7, known.slot - $8) = 1 end',
          meets_filter);
      end if;
    end if;
    near := format('select known.slot, %s as distance, %s as place from funding.%I as known where %s and %s %s',
      -- `+ 0`: the planner uses the index only for the index's own expression.
      case when is_exact then '(known.embedding <=> $2) + 0' else 'known.embedding <=> $2' end,
      case when with_place then 'row_number() over ()' else 'null' end, table_name,
      case when funding.is_within_usual(scope) then 'known.is_usual' else 'true' end,
      case when with_place then 'true' else meets_filter end,
      -- Index order: the scan stops when enough records have passed.
      case when not is_exact then 'order by known.embedding <=> $2 offset 0' end);
    if with_place then
      near := format('select known.* from (%s) as known where %s', near, meets_filter);
    end if;
    if not is_exact then
      -- Keeps the plan that reads vectors in index order and looks up the record of each. Soon after a fit, the planner's estimates favour comparing
      -- and sorting all of them, which takes five times as long. (The function's definition sets these settings too, so they end with the call.)
      perform set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true);
    end if;
  end if;
  if most_vectors is not null then
    near := format('select near.slot, min(near.distance) as distance, max(near.place) as place, sum(count(*)) over () as vectors
      from (%s %s) as near group by near.slot',
      near, case when not is_exact then 'limit $9' end);
  end if;
  execute format('select array_agg(found.slot), array_agg((1 - found.distance) * $4), %s, max(found.place) from (select * from (%s) as near %s limit $3) as found',
    case when most_vectors is null then 'count(*)' else 'max(found.vectors)' end, near,
    case when is_exact or most_vectors is not null then 'order by distance' end)
  into slots, scores, vectors, farthest
  using scope.parameters, query_vector, maximum, known_share, listed, scope.sealed_end, sealed, first_sealed, most_vectors;
end
$$;

-- Loads pgvector, so that Postgres knows its settings, which the definition of the next function sets.
select '[0]'::extensions.vector;

-- Similarities of a sample of a dataset's records to a query, greatest first. The sample is the first 256 records by id. Ids are hashes, so these are as
-- good as drawn at random, and stay the same whatever the filter, however often they change, and whichever segments they are in.
create or replace function funding.sampled_similarities(scope funding.search_scope, query_vector extensions.halfvec) returns double precision[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  slots integer[];
begin
  execute format('select array(select record.slot from funding.%I as record order by record.id limit 256)', scope.dataset) into slots;
  return (
    select array_agg(sampled.similarity order by sampled.similarity desc)
    from (
      -- The distance of a zero vector is NaN.
      select max(nullif(1 - (known.embedding <=> query_vector), 'NaN')) as similarity
      from funding.vectors_of_slots(scope.dataset, (select fit.vectors from funding.lexicon_fit as fit), slots) as known
      group by known.slot
    ) as sampled
    where sampled.similarity is not null);
end
$$;

-- Similarity of the last record that a query may find by meaning: the share `semantic_share` of a dataset, at least 25 of the sample. Null where it has
-- fewer. In a catalogue of one subject every record is similar to every query, and only what stands out from the others is about it.
create or replace function funding.outstanding_similarity(scope funding.search_scope, query_vector extensions.halfvec) returns double precision
language plpgsql stable as $$
declare
  similarities constant double precision[] := funding.sampled_similarities(scope, query_vector);
begin
  return similarities[greatest(ceil(cardinality(similarities) * funding.setting('semantic_share')::double precision), 25)];
end
$$;

-- Records nearest in meaning, nearest first. The score is the cosine similarity, 0 to 1, times the share of the query that was understood. It has two
-- floors: `floor_similarity`, and what stands out from the dataset. A zero vector has no direction: the cosine is NaN, which Postgres
-- sorts above every number, so such records are left out.
--
-- A search of the usual scope reads 48 lists of the index. If too few of their records pass the filter, it reads up to 192 lists, and at last
-- compares every record.
create or replace function funding.semantic_candidates(scope funding.search_scope, analysis funding.query_analysis, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp
set ivfflat.probes = 48 set ivfflat.iterative_scan = relaxed_order set ivfflat.max_probes = 192 as $$
declare
  least_score double precision := funding.model_setting('floor_similarity');
  semantic_share constant double precision := funding.setting('semantic_share');
  vectors_per_record constant integer := funding.vectors_per_record(scope.dataset);
  -- About how many vectors the index has that a search in this scope reads.
  indexed double precision;
  is_exact boolean;
  most_vectors integer := maximum * vectors_per_record;
  vectors integer;
  farthest integer;
  found funding.ranked_slots;
begin
  if analysis.embedding is null or l2_norm(analysis.embedding) = 0 then
    return null;
  end if;
  indexed := case when funding.is_within_usual(scope) then funding.usual_vectors(scope.dataset) else scope.records end;
  -- Comparing few records costs less than reading lists, which grow with the number of all records.
  is_exact := not funding.has_vector_index(scope.dataset)
    or scope.is_filtered and scope.matching_records < case when scope.bits is null then 5000 else greatest(5000, indexed / 20) end;
  if not is_exact and not scope.is_usual then
    -- A more selective filter reads more lists: the fewer records match, the further away the best of them are.
    perform set_config('ivfflat.probes', least(greatest(round(60 * sqrt(indexed / greatest(scope.matching_records, 1))), 60), 150)::text, true);
  end if;
  loop
    select near.slots, near.scores, near.vectors, near.farthest into found.slots, found.scores, vectors, farthest
    from funding.nearest_records(scope, analysis.embedding, maximum, analysis.known_share, is_exact, most_vectors) as near;
    exit when is_exact or cardinality(found.slots) = maximum;
    if vectors = most_vectors and most_vectors < 64 * maximum then
      -- Passages of the same records may have taken the places of other records.
      most_vectors := most_vectors * 4;
    else
      -- The index stops at `max_probes`.
      is_exact := true;
    end if;
  end loop;
  -- Reading the sample takes as long as the rest of the leg. The nearest half of the share that stands out stands out whatever the sample is: these are
  -- the nearest without a filter, and with one those before which the index gave so few others.
  if semantic_share < 1 and coalesce(farthest > indexed / coalesce(vectors_per_record, 1) * semantic_share / 2,
    scope.is_filtered or maximum > scope.matching_records * semantic_share) then
    -- A little less, since the index may compute the last digit otherwise.
    least_score := greatest(least_score, (funding.outstanding_similarity(scope, analysis.embedding) - 0.000001) * analysis.known_share);
  end if;
  return (
    -- Sorts again: the index returns records in order only within each round of lists.
    select (array_agg(best.slot), array_agg(best.score))::funding.ranked_slots
    from (
      select candidate.slot, greatest(least(candidate.score, 1), 0) as score
      from unnest(found.slots, found.scores) as candidate(slot, score)
      -- `< 'infinity'` leaves out NaN, the score of a zero vector.
      where candidate.score >= least_score and candidate.score < 'infinity' and candidate.slot is distinct from scope.except_slot
      order by score desc, slot
    ) as best);
end
$$;

-- Query's vector, moved towards the direction of `centroid`, a sum of records' vectors; half-way at weight 1. Unchanged where either vector is zero.
create or replace function funding.moved_towards(embedding extensions.halfvec, centroid extensions.vector, weight real) returns extensions.halfvec
language plpgsql immutable parallel safe
set search_path = extensions, pg_temp as $$
begin
  if vector_norm(centroid) > 0 and l2_norm(embedding) > 0 then
    return l2_normalize(l2_normalize(embedding::vector) + l2_normalize(centroid) * array_fill(weight, array[vector_dims(embedding)])::vector)::halfvec;
  end if;
  return embedding;
end
$$;

-- Query whose vector has moved towards the records that its words find best: Rocchio's feedback (1971), without anybody's judgement (pseudo-relevance
-- feedback). In a mixed catalogue only a few dimensions concern the topic of a query, and the records that its words find show which. A record's
-- weight is the eighth power of its score as a share of the best: near copies of the first record count like it, others hardly.
--
-- Feedback ignores filters: it comes from the records that the search alone finds. So a query means the same under every filter, and a facet counts
-- the records that a filter by it would find. The vector of a record (`similar_to`) stays as it is. `by_words` is the keyword leg's result in the
-- scope, used where the scope has no filter.
create or replace function funding.with_feedback(scope funding.search_scope, analysis funding.query_analysis, by_words funding.ranked_slots default null)
returns funding.query_analysis
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  weight real := funding.model_setting('feedback_weight');
  centroid vector;
begin
  if weight = 0 or scope.parameters ? 'similar_to' or analysis.embedding is null or l2_norm(analysis.embedding) = 0 then
    return analysis;
  end if;
  if not scope.is_usual then
    by_words := funding.keyword_candidates(funding.scope_of(scope.dataset, (
      select jsonb_object_agg(given.key, given.value) from jsonb_each(scope.parameters) as given where given.key in ('search', 'search_mode'))), analysis, 10, false);
  elsif by_words is null then
    by_words := funding.keyword_candidates(scope, analysis, 10, false);
  end if;
  if by_words.slots is null then
    return analysis;
  end if;
  select sum(known.embedding::vector * array_fill(best.weight, array[vector_dims(known.embedding)])::vector order by best.position)
  into centroid
  from (
    -- At least 0.2: a product with a smaller weight could underflow, which is an error.
    select found.slot, found.position, power(greatest(found.score / nullif(by_words.scores[1], 0), 0.2), 8)::real as weight
    from unnest(by_words.slots[1:10], by_words.scores[1:10]) with ordinality as found(slot, score, position)
  ) as best
  join funding.vectors_of_slots(scope.dataset, (select fit.vectors from funding.lexicon_fit as fit), by_words.slots[1:10]) as known
    on known.slot = best.slot and known.passage = 0;
  analysis.embedding := funding.moved_towards(analysis.embedding, centroid, weight);
  return analysis;
end
$$;

-- Similarity of records to a query, 0 to 1, in the order of their slots: that of the nearest passage; null for a record that has no vector. Under a lexicon with its dimensions in
-- the order of singular values, it is the mean of the cosines over the first 48 and the first 192. Beside keywords, few dimensions rank better in a
-- catalogue of one subject, and many in a mixed catalogue.
create or replace function funding.similarities(dataset text, analysis funding.query_analysis, slots integer[]) returns double precision[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  has_prefixes constant boolean := fit.has_singular_order and funding.external_model() is null;
  first_48 constant halfvec := subvector(analysis.embedding, 1, 48);
  first_192 constant halfvec := subvector(analysis.embedding, 1, 192);
begin
  return (
    select array_agg(near.score * analysis.known_share order by wanted.position)
    from unnest(slots) with ordinality as wanted(slot, position)
    left join (
      select known.slot,
             -- The distance of a zero vector is NaN.
             max(greatest(case when has_prefixes then
               (coalesce(nullif(1 - (subvector(known.embedding, 1, 48) <=> first_48), 'NaN'), 0)
                 + coalesce(nullif(1 - (subvector(known.embedding, 1, 192) <=> first_192), 'NaN'), 0)) / 2
             else coalesce(nullif(1 - (known.embedding <=> analysis.embedding), 'NaN'), 0) end, 0)) as score
      from funding.vectors_of_slots(dataset, fit.vectors, slots) as known
      group by known.slot
    ) as near using (slot)
  );
end
$$;
