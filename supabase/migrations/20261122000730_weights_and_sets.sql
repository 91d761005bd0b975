-- The legs and their fusion do not depend on what the weights are set to: which records have a word, and which a search finds, is
-- one thing, and what that adds to their order another.

-- The best records by BM25 with the inverted index. Each block's scores are a sum of vectors, in which the records
-- above a threshold are picked out as bits: the threshold is read off one block, so that some more than wanted pass. The
-- bits of the scope leave those that the filters keep. Where it has none, filters are checked on the best first, as many as
-- it takes to find `maximum` that pass; so is whether a record has enough of the query, unless that can be read off a second
-- sum, of the strong words alone.
create or replace function funding.keyword_postings(scope funding.search_scope, asked funding.query_analysis, needed real, maximum integer)
returns funding.ranking
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  is_masked boolean := funding.needs_a_strong_word(asked, needed);
  sufficient real := funding.sufficient_score(asked, needed);
  further_condition text := case
    -- Any word is enough, or the second sum has told.
    when sufficient = 0 or is_masked then 'true'
    when cardinality(asked.words) > 12 then 'best.score >= $5'
    else '(best.score >= $5 or record.document @@ $6)'
  end;
  blocks integer[];
  -- For each of the blocks, the records' scores and which of them may be found; null for all.
  scores vector[];
  masks bit varying[];
  block_size integer;
  -- How many of the best are picked: as many as should hold `maximum` that pass, and some more.
  wanted double precision := maximum * 1.15
    * case when scope.bits is null then greatest(scope.records, 1) / greatest(scope.kept, scope.records * 0.01, 1) else 1 end;
  sample record;
  threshold real;
  thresholds vector;
  highest real := (select sum(weight) from unnest(asked.term_weights) as weight) * ((select fit.bm25_k1 from funding.lexicon_fit as fit) + 1);
  numbers integer[];
  number_scores real[];
  best funding.ranking;
begin
  select array_agg(summed.block), array_agg(summed.scores),
         array_agg(case when summed.strong is null then kept.bits when kept.bits is null then summed.strong else summed.strong & kept.bits end)
  into blocks, scores, masks
  from (
    -- In one order throughout: what is added in another can differ in its last digit.
    select ordered.block, sum(case
             when ordered.factor = 1 then ordered.weights::vector
             else ordered.weights::vector * funding.filled_vector(ordered.factor, vector_dims(ordered.weights::vector))
           end) as scores,
           binary_quantize(sum(ordered.weights::vector) filter (where ordered.is_strong)) as strong
    from (
      select postings.block, postings.weights, term.factor, is_masked and term.worth >= needed as is_strong
      from unnest(asked.terms, asked.term_factors, asked.term_worths) as term(name, factor, worth)
      join funding.postings on postings.dataset = scope.dataset and postings.term = term.name
      order by postings.block, term.name
    ) as ordered
    group by ordered.block
    having not is_masked or bool_or(ordered.is_strong)
    order by ordered.block
  ) as summed
  left join unnest(scope.blocks, scope.bits) as kept(block, bits) on kept.block = summed.block
  where scope.bits is null or kept.bits is not null;
  if blocks is null then
    return null;
  end if;
  block_size := vector_dims(scores[1]);
  sample := funding.fullest_block(masks);

  loop
    threshold := funding.score_of_best(scores[sample.place], masks[sample.place], ceil(wanted * sample.share)::integer, highest);
    thresholds := case when threshold > 0 then funding.filled_vector(threshold, block_size) end;

    select array_agg(above.number), array_agg(above.score) into numbers, number_scores
    from (
      select block.number * block_size + place as number, (subvector(block.scores, place, 1)::real[])[1] as score
      from unnest(blocks, scores, masks) as block(number, scores, mask)
      cross join lateral unnest(funding.places_of(funding.places_above(block.scores, block.mask, thresholds))) as place
      order by score desc, number
    ) as above;

    best := funding.numbered(scope, numbers, number_scores, maximum, further_condition, sufficient,
      case when further_condition like '%$6%' then funding.sufficient_words(asked, needed) end);
    exit when cardinality(best.numbers) >= maximum or threshold = 0;
    -- What was checked keeps fewer of these than of all records. Where it keeps very few, it says more than the words do.
    if (scope.bits is null or further_condition <> 'true') and coalesce(cardinality(best.numbers), 0) * 2 < maximum then
      return funding.keyword_scan(scope, asked, needed, maximum, 'posted');
    end if;
    wanted := wanted * 3;
  end loop;
  return best;
end
$$;

-- The best of the records that have every word of a query, as itself or what stands for it, whatever their scores.
create function funding.keyword_complete(scope funding.search_scope, asked funding.query_analysis, maximum integer)
returns funding.ranking
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  best funding.ranking;
begin
  execute format($search$
    select array_agg(best.number), array_agg(best.id), array_agg(best.score)
    from (
      select record.posting_number as number, case when record.posting_number is null then record.id end as id,
             -(record.bm25 <#> $2) as score
      from funding.%I as record
      where record.document @@ $3 and (%s)
      order by score desc, number, id
      limit $4
    ) as best
  $search$, scope.dataset, scope.condition)
  into best
  using scope.parameters, asked.bm25,
    (select string_agg('(' || word.terms::text || ')', ' & ')::tsquery from unnest(asked.words) as word(terms)), maximum;
  return best;
end
$$;

-- The best records by BM25, best first. A candidate must have words of the query, or their synonyms,
-- that are worth at least `floor_coverage` of its `floor_words` rarest. (A quarter of all fifty words of a
-- long query would be more than relevant records have.) Of more than twelve words the score decides, which the weights and the
-- record's length can make small: those that have all of them are candidates at any score.
create or replace function funding.keyword_candidates(scope funding.search_scope, asked funding.query_analysis, maximum integer)
returns funding.ranking
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  needed real := (
    select sum(word.worth) * funding.setting('floor_coverage')::real * 0.9999
    from (
      select worth from unnest(asked.worths) as worth order by worth desc limit funding.setting('floor_words')::integer
    ) as word);
  -- Without bits, the inverted index finds the best of all records, and then asks which of them the filter keeps. Where that
  -- is few of those with any of the words, looking at each is cheaper.
  is_scanned boolean := scope.bits is null and scope.is_filtered and scope.kept * asked.matching_share < 1500;
  found funding.ranking;
  unposted funding.ranking;
  complete funding.ranking;
begin
  if asked.any_term is null then
    return null;
  end if;
  if is_scanned then
    found := funding.keyword_scan(scope, asked, needed, maximum, 'all');
  else
    found := funding.keyword_postings(scope, asked, needed, maximum);
    if funding.has_unposted(scope.dataset) then
      unposted := funding.keyword_scan(scope, asked, needed, maximum, 'unposted');
    end if;
  end if;
  if cardinality(asked.words) > 12 then
    complete := funding.keyword_complete(scope, asked, maximum);
  end if;
  if unposted.numbers is null and complete.numbers is null then
    return found;
  end if;
  return (
    select (array_agg(best.number), array_agg(best.id), array_agg(best.score))::funding.ranking
    from (
      select every.number, every.id, max(every.score) as score
      from unnest(found.numbers || unposted.numbers || complete.numbers, found.ids || unposted.ids || complete.ids,
        found.scores || unposted.scores || complete.scores) as every(number, id, score)
      group by every.number, every.id
      order by score desc, every.number, every.id
      limit maximum
    ) as best);
end
$$;

-- Both legs fused by reciprocal rank (Cormack, Clarke and Buettcher, 2009), divided by the greatest sum
-- possible: 1 is first in both. Without meaning, the keyword leg is all there is, whatever its weight. What only a leg of weight 0
-- finds has the score 0, and comes last. In no order.
create or replace function funding.hybrid_candidates(
  scope funding.search_scope, asked funding.query_analysis, maximum integer, with_meaning boolean)
returns funding.ranking
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  k double precision := funding.setting('fusion_k')::double precision;
  keyword_weight double precision := funding.setting('fusion_keyword_weight')::double precision;
  semantic_weight double precision := case when with_meaning then funding.setting('fusion_semantic_weight')::double precision else 0 end;
  by_words funding.ranking := funding.keyword_candidates(scope, asked, maximum);
  by_meaning funding.ranking := case when with_meaning then funding.semantic_candidates(scope, asked, maximum) end;
begin
  if keyword_weight = 0 and (semantic_weight = 0 or by_meaning.numbers is null) then
    keyword_weight := 1;
  end if;
  return (
    select (array_agg(fused.number), array_agg(fused.id), array_agg(fused.score))::funding.ranking
    from (
      select leg.number, leg.id, least(sum(leg.weight / (k + leg.position)) / ((keyword_weight + semantic_weight) / (k + 1)), 1) as score
      from (
        select found.number, found.id, found.position, keyword_weight as weight
        from unnest(by_words.numbers, by_words.ids) with ordinality as found(number, id, position)
        union all
        select found.number, found.id, found.position, semantic_weight
        from unnest(by_meaning.numbers, by_meaning.ids) with ordinality as found(number, id, position)
      ) as leg
      group by leg.number, leg.id
    ) as fused);
end
$$;

revoke execute on all functions in schema funding from public;
