-- Keyword leg of a search: the best records by BM25. Sealed records are scored from the posting lists (inverted index), records in no segment from
-- their own words.

-- BM25 score of a record by its own words. Returns one row, so that Postgres inlines the function. It takes 12 to 16 microseconds: functions of text
-- search first drop all words but the query's, which get the label D, and only these become rows. A word of the title counts as `bm25_title_weight`
-- words, as in `funding.term_frequencies`.
create or replace function funding.bm25_scores(lexemes tsvector, analysis funding.query_analysis, fit funding.lexicon_fit)
returns table (score double precision)
language sql immutable parallel safe as $$
  select sum(analysis.term_weights[array_position(analysis.terms, word.term)] * funding.bm25_weight(
    word.frequency, record.length, fit.average_length, fit.bm25_k1, fit.bm25_b))
  -- `offset 0`, so that the length is computed once.
  from (select funding.record_length(lexemes, fit.bm25_title_weight) as length offset 0) as record
  cross join (
    select counted.term, sum(counted.frequency) as frequency
    from (
      select word.lexeme as term, cardinality(word.positions)::double precision as frequency
      from unnest(ts_filter(setweight(lexemes, 'D', analysis.terms), '{d}')) as word
      union all
      select word.lexeme, (fit.bm25_title_weight - 1) * cardinality(word.positions)
      from unnest(ts_filter(setweight(ts_filter(lexemes, '{a}'), 'D', analysis.terms), '{d}')) as word
    ) as counted
    group by counted.term
  ) as word
$$;

-- Best records among those in no segment. Their scores have a statement of their own, whose plan is kept: planned anew for each scope, it took three
-- times as long as the scores.
create or replace function funding.keyword_unsealed(
  scope funding.search_scope, analysis funding.query_analysis, coverage_floor real, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  is_long constant boolean := cardinality(analysis.words) > 12;
  covering_score constant real := funding.covering_score(analysis, coverage_floor);
  every_word constant tsquery := case when is_long then funding.every_word(analysis) end;
  slots integer[];
  texts tsvector[];
begin
  execute format('select array_agg(matching.slot), array_agg(matching.lexemes) from (select record.slot, record.lexemes from %s where record.lexemes @@ $2 and (%s) %s) as matching',
    funding.unsealed_records(scope.dataset, '$4', scope.unsealed), scope.condition,
    -- More than 5,000 are unsealed only before the first fit, or where nothing seals. Then `ts_rank`, ten times as fast, picks the candidates.
    case when scope.unsealed > 5000 then 'order by ts_rank(record.lexemes, $5) desc limit greatest(2 * $3, 2000)' end)
  into slots, texts
  using scope.parameters, funding.covering_words(analysis, coverage_floor), maximum, scope.sealed_end, analysis.any_term;
  return (
    select (array_agg(best.slot), array_agg(best.score))::funding.ranked_slots
    from (
      select record.slot, scored.score
      from funding.lexicon_fit as fit
      cross join unnest(slots, texts) as record(slot, lexemes)
      cross join lateral funding.bm25_scores(record.lexemes, analysis, fit) as scored
      where not is_long or scored.score >= covering_score or record.lexemes @@ every_word
      order by score desc, record.slot
      limit maximum
    ) as best);
end
$$;

-- Records of segments that have certain words, within the scope of a search, by the text index.
create or replace function funding.text_matches(scope funding.search_scope, words tsquery) returns funding.slot_bitmaps
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  found funding.slot_bitmaps;
begin
  execute format($matches$
    with match as materialized (
      select record.slot from funding.%I as record where record.lexemes @@ $2 and record.slot < $3 and (%s)
    )
    select coalesce(array_agg(block.block), '{}'), coalesce(array_agg(block.bits), '{}')
    from (
      select blocks.block, funding.bits_at(array_agg(match.slot - blocks.first_slot + 1), blocks.size) as bits
      from match
      join funding.blocks_of($4) as blocks on match.slot between blocks.first_slot and blocks.first_slot + blocks.size - 1
      group by blocks.block, blocks.size
    ) as block
  $matches$, scope.dataset, scope.condition)
  into found using scope.parameters, words, scope.sealed_end, scope.dataset;
  return found;
end
$$;

-- Positions of the elements above a cutoff, as bits; with a `mask`, only those in the mask. `threshold` is a vector filled with the cutoff; null
-- means 0.
create or replace function funding.positions_above(scores extensions.vector, mask bit varying, threshold extensions.vector) returns bit varying
language plpgsql immutable parallel safe as $$
declare
  above bit varying := extensions.binary_quantize(case when threshold is null then scores else scores operator(extensions.-) threshold end);
begin
  return case when mask is null then above else above & mask end;
end
$$;

-- Cutoff that at least `wanted` elements of a vector exceed, but not many more. 0 where no more elements than that have a score. The number of
-- elements above a score falls about exponentially as the score rises, so each guess interpolates that curve. In 80 searches this took 5.5 guesses on
-- average, and bisection 6.6.
create or replace function funding.score_of_best(scores extensions.vector, mask bit varying, wanted integer, highest real) returns real
language plpgsql immutable parallel safe as $$
declare
  enough constant double precision := wanted * 1.25;
  low real := 0;
  above_low double precision := bit_count(funding.positions_above(scores, mask, null));
  high real := highest;
  above_high double precision := 0.5;
  middle real;
  above bigint;
begin
  for guess in 1..10 loop
    exit when above_low <= enough;
    middle := low + (high - low) * least(greatest(ln(above_low / (wanted * 1.12)) / ln(above_low / above_high), 0.1), 0.9);
    above := bit_count(funding.positions_above(scores, mask, funding.filled_vector(middle, extensions.vector_dims(scores))));
    if above >= wanted then
      low := middle;
      above_low := above;
    else
      high := middle;
      above_high := greatest(above, 0.5);
    end if;
  end loop;
  return low;
end
$$;

-- Block whose mask has the most ones, counted from 1, and its share of all ones: the best sample of the other blocks. A null mask stands for ones
-- alone.
create or replace function funding.fullest_block(masks bit varying[], sizes integer[], out block_position integer, out share double precision)
language plpgsql immutable parallel safe as $$
begin
  select given.position, coalesce(given.ones / nullif(sum(given.ones) over (), 0), 1.0 / cardinality(masks))
  into block_position, share
  from (
    select position, coalesce(bit_count(mask), size)::double precision as ones
    from unnest(masks, sizes) with ordinality as item(mask, size, position)
  ) as given
  order by given.ones desc, given.position
  limit 1;
end
$$;

-- Filters a list of records, best first: returns the first `maximum` that are in the scope and meet `further_condition`, which may bind `least_score`
-- as $5 and `words` as $6. Where the scope has bits, all records of the list are in the scope already.
create or replace function funding.best_in_scope(
  scope funding.search_scope, slots integer[], scores real[], maximum integer, further_condition text, least_score real, words tsquery)
returns funding.ranked_slots
language plpgsql stable as $$
declare
  best funding.ranked_slots;
begin
  if scope.bits is not null and further_condition = 'true' then
    if slots is not null then
      best := (slots[1:maximum], scores[1:maximum]);
    end if;
    return best;
  end if;
  execute format($passing$
    select array_agg(passing.slot), array_agg(passing.score)
    from (
      -- Keeps the list's order, so that the join stops when enough records have passed.
      select best.slot, best.score::double precision
      from unnest($2, $3) with ordinality as best(slot, score, position)
      join funding.%I as record on record.slot = best.slot
      where %s and (%s)
      order by best.position
      limit $4
    ) as passing
  $passing$, scope.dataset, further_condition, case when scope.bits is null then scope.condition else 'true' end)
  into best using scope.parameters, slots, scores, maximum, least_score, words;
  return best;
end
$$;

-- Best records by BM25, from the posting lists. The scores of a block are a sum of vectors, and a cutoff turns them into bits. One block, the sample,
-- gives a cutoff that slightly more records pass than are wanted.
--
-- Filters: the scope's bits are a mask of the scores. A scope without bits is checked record by record, best first, until `maximum` have passed.
-- Coverage: bits answer it for strong words, by a second sum of these words alone, and for long queries, by the score. Otherwise it is checked record
-- by record, too.
create or replace function funding.keyword_postings(scope funding.search_scope, analysis funding.query_analysis, coverage_floor real, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  is_masked boolean := funding.needs_a_strong_word(analysis, coverage_floor);
  -- A long query, whose floor is a score.
  is_long boolean := cardinality(analysis.words) > 12 and coverage_floor > 0;
  covering_score real := funding.covering_score(analysis, coverage_floor);
  -- 'true' where any word is enough, or where the masks answer the coverage.
  further_condition text := case when covering_score = 0 or is_masked or is_long then 'true' else '(best.score >= $5 or record.lexemes @@ $6)' end;
  complete funding.slot_bitmaps := case when is_long then funding.text_matches(scope, funding.every_word(analysis)) end;
  -- Of each block: the slot before its first one, its size, its scores, and the mask of the records that may be found (null: all).
  before_blocks integer[];
  sizes integer[];
  scores vector[];
  masks bit varying[];
  -- Number of best records to pick, so that about 1.15 * `maximum` of them pass.
  wanted double precision := maximum * 1.15
    * case when scope.bits is null then greatest(scope.records, 1) / greatest(scope.matching_records, scope.records * 0.01, 1) else 1 end;
  sample record;
  -- Whether the sample was chosen by its number of records with a score. At first it is chosen by its number of records in scope.
  is_counted boolean := false;
  threshold real;
  thresholds vector;
  highest real := (select sum(weight) from unnest(analysis.term_weights) as weight) * (fit.bm25_k1 + 1);
  slots integer[];
  slot_scores real[];
  best funding.ranked_slots;
begin
  select array_agg(blocks.first_slot - 1), array_agg(blocks.size), array_agg(summed.scores),
         array_agg(case when covering.bits is null then scope_block.bits when scope_block.bits is null then covering.bits else covering.bits & scope_block.bits end)
  into before_blocks, sizes, scores, masks
  from (
    -- Sums in a fixed order: another order can change the last digit.
    select ordered.block, sum(case
             when ordered.factor = 1 then ordered.weights::vector
             else ordered.weights::vector * funding.filled_vector(ordered.factor, vector_dims(ordered.weights::vector))
           end) as scores,
           binary_quantize(sum(ordered.weights::vector) filter (where ordered.is_strong)) as strong
    from (
      select postings.block, postings.weights, term.factor, is_masked and term.word_idf >= coverage_floor as is_strong
      from unnest(analysis.terms, analysis.term_factors, analysis.term_word_idfs) as term(name, factor, word_idf)
      join funding.postings on postings.dataset = scope.dataset and postings.term = term.name
        and postings.block between funding.first_block(fit.generation) and funding.last_block(fit.generation)
      -- Before the sums: blocks of awards alone have nothing of what most searches look for.
      where scope.blocks is null or postings.block = any (scope.blocks)
      order by postings.block, term.name
    ) as ordered
    group by ordered.block
    having not is_masked or bool_or(ordered.is_strong)
    order by ordered.block
  ) as summed
  join funding.blocks on blocks.dataset = scope.dataset and blocks.block = summed.block
  left join unnest(scope.blocks, scope.bits) as scope_block(block, bits) on scope_block.block = summed.block
  left join unnest(complete.blocks, complete.bits) as complete_block(block, bits) on complete_block.block = summed.block
  cross join lateral (
    select case
        when not is_long then summed.strong
        when complete_block.bits is null then above.bits
        else above.bits | complete_block.bits
      end as bits
    from (select funding.positions_above(summed.scores, null, funding.filled_vector(covering_score, blocks.size)) as bits) as above
  ) as covering
  where scope.bits is null or scope_block.bits is not null;
  if scores is null then
    return null;
  end if;
  sample := funding.fullest_block(masks, sizes);

  loop
    -- At least eight records of the sample: for fewer, the guesses do not converge. For one, 9,200 of 797,000 records passed where ten were wanted.
    wanted := greatest(wanted, 8 / sample.share);
    threshold := funding.score_of_best(scores[sample.block_position], masks[sample.block_position], ceil(wanted * sample.share)::integer, highest);
    -- The sample may have few records with these words and another block many: records of one year are neighbours. Another sample is taken then. With
    -- five such records in the first sample, and 14,000 in the last of four blocks, this takes 1.0 ms instead of 7.5.
    if threshold = 0 and not is_counted and cardinality(sizes) > 1 then
      sample := funding.fullest_block(array(
        select funding.positions_above(given.scores, given.mask, null) from unnest(scores, masks) with ordinality as given(scores, mask, position) order by given.position), sizes);
      is_counted := true;
      continue;
    end if;

    -- Made once, for the largest block.
    thresholds := case when threshold > 0 then funding.filled_vector(threshold, (select max(size) from unnest(sizes) as size)) end;
    select array_agg(above.slot), array_agg(above.score) into slots, slot_scores
    from (
      select block.slots_before + position as slot, (subvector(block.scores, position, 1)::real[])[1] as score
      from unnest(before_blocks, sizes, scores, masks) as block(slots_before, size, scores, mask)
      cross join lateral unnest(funding.positions_of(funding.positions_above(block.scores, block.mask,
        case block.size when vector_dims(thresholds) then thresholds else subvector(thresholds, 1, block.size) end))) as position
      order by score desc, slot
    ) as above;

    best := funding.best_in_scope(scope, slots, slot_scores, maximum, further_condition, covering_score,
      case when further_condition like '%$6%' then funding.covering_words(analysis, coverage_floor) end);
    exit when cardinality(best.slots) >= maximum or threshold = 0;
    -- Fewer than half of the wanted records passed: the filter is more selective among records with these words than among all.
    if (scope.bits is null or further_condition <> 'true') and coalesce(cardinality(best.slots), 0) * 2 < maximum then
      return funding.keyword_matches(scope, analysis, coverage_floor, maximum);
    end if;
    wanted := wanted * 3;
  end loop;
  return best;
end
$$;

-- Best records by BM25 for a selective filter: the text index finds the records with the query's words that match it, and only these are scored.
create or replace function funding.keyword_matches(scope funding.search_scope, analysis funding.query_analysis, coverage_floor real, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  select matches.blocks, matches.bits into scope.blocks, scope.bits
  from funding.text_matches(scope, funding.covering_words(analysis, coverage_floor)) as matches;
  return funding.keyword_postings(scope, analysis, case when cardinality(analysis.words) > 12 then coverage_floor else 0 end, maximum);
end
$$;

-- Best records by BM25, best first. A candidate has words of the query, or their synonyms, worth at least the share `floor_coverage` of the query's
-- `floor_words` rarest words. (Not of all words: relevant records rarely have a quarter of fifty words.) For a query of more than twelve words the
-- score decides instead. Weights and length can make a score small, so a record with all words is a candidate at any score. Without `is_floored`, one
-- word is enough: beside meaning the floor takes a seventh of a search, and ranks no better (npm run relevance -- --parts).
create or replace function funding.keyword_candidates(
  scope funding.search_scope, analysis funding.query_analysis, maximum integer, is_floored boolean default true)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  coverage_floor real := case when not is_floored then 0 else (
    select sum(word.idf) * funding.setting('floor_coverage')::real * 0.9999
    from (
      select idf from unnest(analysis.word_idfs) as idf order by idf desc limit funding.setting('floor_words')::integer
    ) as word) end;
  found funding.ranked_slots;
  unsealed funding.ranked_slots;
begin
  if analysis.any_term is null then
    return null;
  end if;
  if scope.sealed_end > 1 then
    -- Without bits, the filter is checked on the best of all records. Where it matches few records with any of the words, finding these is cheaper.
    if scope.bits is null and scope.is_filtered and scope.matching_records * analysis.matching_share < 1500 then
      found := funding.keyword_matches(scope, analysis, coverage_floor, maximum);
    else
      found := funding.keyword_postings(scope, analysis, coverage_floor, maximum);
    end if;
  end if;
  if scope.unsealed > 0 then
    unsealed := funding.keyword_unsealed(scope, analysis, coverage_floor, maximum);
  end if;
  if unsealed.slots is null and scope.except_slot is null then
    return found;
  end if;
  return (
    select (array_agg(best.slot), array_agg(best.score))::funding.ranked_slots
    from (
      select every.slot, every.score
      from unnest(found.slots || unsealed.slots, found.scores || unsealed.scores) as every(slot, score)
      where every.slot is distinct from scope.except_slot
      order by score desc, every.slot
      limit maximum
    ) as best);
end
$$;
