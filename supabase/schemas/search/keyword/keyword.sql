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

-- The largest of some counts: its position, from 1, and its share of their sum. The block with the most records is the best sample of the others.
create or replace function funding.largest_of(counts double precision[], out block_position integer, out share double precision)
language plpgsql immutable parallel safe as $$
begin
  select given.position, coalesce(given.count / nullif(sum(given.count) over (), 0), 1.0 / cardinality(counts))
  into block_position, share
  from unnest(counts) with ordinality as given(count, position)
  order by given.count desc, given.position
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

-- BM25 scores of the records of a block, from the posting lists, and the mask of the records that may be found (null: all). Returns one row, so that
-- Postgres inlines the function: a block's vectors are freed before those of the next are made.
--
-- Coverage: with `strong_idf`, by a second sum, of the words that are worth as much; with `covering_score`, by the score, or by `complete`, the records
-- that have every word. `factors` are the terms' factors as vectors, null for 1.
--
-- A nested loop, which the caller's settings keep, adds the terms in their order: another order could change the last digit.
create or replace function funding.block_scores(
  dataset text, block integer, size integer, terms text[], factors extensions.vector[], word_idfs real[], strong_idf real, covering_score real, complete bit varying,
  in_scope bit varying)
returns table (scores extensions.vector, mask bit varying)
language sql stable as $$
  select covered.scores, case when covered.bits is null then in_scope when in_scope is null then covered.bits else covered.bits & in_scope end
  from (
    select summed.scores, case
        when covering_score is null then extensions.binary_quantize(summed.strong)::bit varying
        else funding.positions_above(summed.scores, null, funding.filled_vector(covering_score, size)) | coalesce(complete, repeat('0', size)::bit varying)
      end as bits
    from (
      select extensions.sum(weighed.weights) as scores, extensions.sum(weighed.weights) filter (where weighed.word_idf >= strong_idf) as strong
      from (
        select term.word_idf, case
            when term.factor is null then postings.weights::extensions.vector
            when block_scores.size = extensions.vector_dims(term.factor) then postings.weights::extensions.vector operator(extensions.*) term.factor
            else postings.weights::extensions.vector operator(extensions.*) extensions.subvector(term.factor, 1, block_scores.size)
          end as weights
        from unnest(block_scores.terms, block_scores.factors, block_scores.word_idfs) as term(name, factor, word_idf)
        join funding.postings on postings.dataset = block_scores.dataset and postings.term = term.name and postings.block = block_scores.block
        -- So that a vector for both sums is made once.
        offset 0
      ) as weighed
    ) as summed
  ) as covered
$$;

-- Best records by BM25, from the posting lists. The scores of a block are a sum of vectors, and a cutoff turns them into bits. One block, the sample,
-- gives a cutoff that slightly more records pass than are wanted. Then each block is summed and read by itself.
--
-- Filters: the scope's bits are a mask of the scores. A scope without bits is checked record by record, best first, until `maximum` have passed.
-- Coverage: bits answer it for strong words, and for long queries, by the score. Otherwise it is checked record by record, too.
create or replace function funding.keyword_postings(scope funding.search_scope, analysis funding.query_analysis, coverage_floor real, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  strong_idf constant real := case when funding.needs_a_strong_word(analysis, coverage_floor) then coverage_floor end;
  -- A long query, whose floor is a score.
  is_long boolean := cardinality(analysis.words) > 12 and coverage_floor > 0;
  covering_score real := funding.covering_score(analysis, coverage_floor);
  -- 'true' where any word is enough, or where the masks answer the coverage.
  further_condition text := case when covering_score = 0 or strong_idf is not null or is_long then 'true' else '(best.score >= $5 or record.lexemes @@ $6)' end;
  complete funding.slot_bitmaps := case when is_long then funding.text_matches(scope, funding.every_word(analysis)) end;
  -- Of each block with the words: its number, the slot before its first one, its size, the records in scope and those with every word (null: not
  -- known), and about how many records with the words are in scope, where those with several words count for each.
  blocks integer[];
  before_blocks integer[];
  sizes integer[];
  in_scope bit varying[];
  completes bit varying[];
  counts double precision[];
  factors vector[];
  -- Number of best records to pick, so that about `maximum` of them pass.
  wanted double precision := maximum
    * case when scope.bits is null then greatest(scope.records, 1) / greatest(scope.matching_records, scope.records * 0.01, 1) else 1 end;
  sample record;
  sample_scores vector;
  sample_mask bit varying;
  -- Whether the sample was chosen by its number of records with a score. At first it is chosen by the size of its posting lists.
  is_counted boolean := false;
  threshold real;
  thresholds vector;
  highest real := (select sum(weight) from unnest(analysis.term_weights) as weight) * (fit.bm25_k1 + 1);
  slots integer[];
  slot_scores real[];
  best funding.ranked_slots;
begin
  select array_agg(listed.block), array_agg(blocks.first_slot - 1), array_agg(blocks.size), array_agg(scope_block.bits), array_agg(complete_block.bits),
         -- A weight takes eight bytes.
         array_agg(listed.bytes / 8.0 * coalesce(bit_count(scope_block.bits)::double precision / blocks.size, 1))
  into blocks, before_blocks, sizes, in_scope, completes, counts
  from (
    select postings.block, sum(pg_column_size(postings.weights)) as bytes
    from unnest(analysis.terms, analysis.term_word_idfs) as term(name, word_idf)
    join funding.postings on postings.dataset = scope.dataset and postings.term = term.name
      and postings.block between funding.first_block(fit.generation) and funding.last_block(fit.generation)
    -- Before the sums: blocks of awards alone have nothing of what most searches look for.
    where scope.blocks is null or postings.block = any (scope.blocks)
    group by postings.block
    having strong_idf is null or bool_or(term.word_idf >= strong_idf)
    order by postings.block
  ) as listed
  join funding.blocks on blocks.dataset = scope.dataset and blocks.block = listed.block
  left join unnest(scope.blocks, scope.bits) as scope_block(block, bits) on scope_block.block = listed.block
  left join unnest(complete.blocks, complete.bits) as complete_block(block, bits) on complete_block.block = listed.block
  where scope.bits is null or scope_block.bits is not null;
  if blocks is null then
    return null;
  end if;
  factors := array(
    select case when term.factor <> 1 then funding.filled_vector(term.factor, (select max(size) from unnest(sizes) as size)) end
    from unnest(analysis.term_factors) with ordinality as term(factor, position) order by term.position);
  sample := funding.largest_of(counts);

  loop
    select block.scores, block.mask into sample_scores, sample_mask
    from funding.block_scores(scope.dataset, blocks[sample.block_position], sizes[sample.block_position], analysis.terms, factors, analysis.term_word_idfs,
      strong_idf, case when is_long then covering_score end, completes[sample.block_position], in_scope[sample.block_position]) as block;
    -- At least seven records of the sample: for few, the guesses do not converge. For one, 9,200 of 797,000 records passed where ten were wanted. And two
    -- standard deviations more than that, since with too few everything is summed again.
    wanted := greatest(wanted, 7 / sample.share);
    threshold := funding.score_of_best(sample_scores, sample_mask,
      ceil(wanted * sample.share + 2 * sqrt(wanted * sample.share))::integer, highest);
    -- The sample may have few records with these words and another block many: records of one year are neighbours. Another sample is taken then. With
    -- five such records in the first sample, and 14,000 in the last of four blocks, this took 1.0 ms instead of 7.5. Few records are read as they are.
    if threshold = 0 and not is_counted and cardinality(sizes) > 1 and (select sum(count) from unnest(counts) as count) > 4 * maximum then
      sample := funding.largest_of(array(
        select bit_count(funding.positions_above(block.scores, block.mask, null))
        from unnest(blocks, sizes, in_scope, completes) with ordinality as listed(block, size, bits, complete, position)
        cross join lateral funding.block_scores(scope.dataset, listed.block, listed.size, analysis.terms, factors, analysis.term_word_idfs,
          strong_idf, case when is_long then covering_score end, listed.complete, listed.bits) as block
        order by listed.position));
      is_counted := true;
      continue;
    end if;

    -- Made once, for the largest block.
    thresholds := case when threshold > 0 then funding.filled_vector(threshold, (select max(size) from unnest(sizes) as size)) end;
    select array_agg(above.slot), array_agg(above.score) into slots, slot_scores
    from (
      select listed.before_block + position as slot, (subvector(block.scores, position, 1)::real[])[1] as score
      from unnest(blocks, before_blocks, sizes, in_scope, completes) with ordinality as listed(block, before_block, size, bits, complete, position_of_block)
      cross join lateral (
        select sample_scores as scores, sample_mask as mask where listed.position_of_block = sample.block_position
        union all
        select other.scores, other.mask
        from funding.block_scores(scope.dataset, listed.block, listed.size, analysis.terms, factors, analysis.term_word_idfs,
          strong_idf, case when is_long then covering_score end, listed.complete, listed.bits) as other
        where listed.position_of_block <> sample.block_position
      ) as block
      cross join lateral unnest(funding.positions_of(funding.positions_above(block.scores, block.mask,
        case listed.size when vector_dims(thresholds) then thresholds else subvector(thresholds, 1, listed.size) end))) as position
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
