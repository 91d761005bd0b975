-- The keyword leg: the best records by BM25, from the inverted index or from the records' own vectors.

-- What a leg finds: records and their scores, best first, level ones in the order of their numbers. Null where it finds nothing.
-- A record is named by its number in the inverted index, and by its id only where it has none: to look up ids takes as long as to find the
-- numbers, and of hundreds that are found a page shows twenty.
create type funding.ranking as (numbers integer[], ids uuid[], scores double precision[]);

-- A tsquery for the records that have enough of a query: words that are together worth at least
-- `needed`. It is the union of the smallest sets of words that are, which the text index answers
-- directly. Null when no set of at most `longest` words is worth as much.
create function funding.enough_of(words tsquery[], worths real[], needed real, longest integer) returns tsquery
language sql immutable parallel safe as $$
  with recursive word as (
    select terms, worth, row_number() over (order by worth desc, terms::text) as place
    from unnest(words, worths) as given(terms, worth)
  ), chosen as (
    select place, worth, terms as together, 1 as size from word
    union all
    -- Words come in falling worth, and a set that is worth enough does not grow: what is left is minimal.
    select word.place, chosen.worth + word.worth, chosen.together && word.terms, chosen.size + 1
    from chosen join word on word.place > chosen.place
    where chosen.worth < needed and chosen.size < longest
  )
  select string_agg('(' || together::text || ')', ' | ')::tsquery from chosen where worth >= needed
$$;

-- The words of a query, alone or together, that a record must have: worth `needed` at least. Beyond twelve words the
-- sets are too many to list: then any word will do, and the score alone decides.
create function funding.sufficient_words(asked funding.query_analysis, needed real) returns tsquery
language plpgsql immutable parallel safe as $$
begin
  return case when cardinality(asked.words) > 12 then asked.any_term else funding.enough_of(asked.words, asked.worths, needed, 12) end;
end
$$;

-- The score from which a record has enough of a query for certain: what the words that are not enough alone can bring,
-- a term's weight in a record being less than k1 + 1. Zero where every word is enough. Beyond twelve words it is
-- `needed` itself, which is about what words worth as much bring when a record of average length says them once.
create function funding.sufficient_score(asked funding.query_analysis, needed real) returns real
language plpgsql stable as $$
begin
  if cardinality(asked.words) > 12 then
    return needed;
  end if;
  return (
    select coalesce(least(sum(word.weight), needed * max(word.weight / word.worth)) * (funding.setting('bm25_k1')::real + 1), 0)
    from unnest(asked.worths, asked.word_weights) as word(worth, weight)
    where word.worth < needed);
end
$$;

-- The best records by BM25 with their own vectors: those that the text index finds, within the filter. Of `which`
-- records: `all`, those that the inverted index has (`posted`), or those that it has not (`unposted`).
create function funding.keyword_scan(
  scope funding.search_scope, asked funding.query_analysis, needed real, maximum integer, which text)
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
      where record.document @@ $3 and (%s) %s %s
      order by score desc, number, id
      limit $4
    ) as best
  $search$, scope.dataset, scope.condition,
    case which when 'posted' then 'and record.posting_number is not null' when 'unposted' then 'and record.posting_number is null' else '' end,
    case when cardinality(asked.words) > 12 then 'and -(record.bm25 <#> $2) >= $5' else '' end)
  into best
  using scope.parameters, asked.bm25, funding.sufficient_words(asked, needed), maximum, funding.sufficient_score(asked, needed);
  return best;
end
$$;

-- Whether a record has enough of a query just when it has one of the words that are enough alone, since the others
-- are not enough together. Of a long query, the score decides.
create function funding.needs_a_strong_word(asked funding.query_analysis, needed real) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return cardinality(asked.words) <= 12
    and coalesce((select sum(worth) < needed from unnest(asked.worths) as worth where worth < needed), false);
end
$$;

-- Which places of a vector are above a threshold, as bits; with a `mask`, of the places that are in it. The threshold is
-- given once for each place, or null for zero.
create function funding.places_above(scores extensions.vector, mask bit varying, threshold extensions.vector) returns bit varying
language plpgsql immutable parallel safe as $$
declare
  above bit varying := extensions.binary_quantize(case when threshold is null then scores else scores operator(extensions.-) threshold end);
begin
  return case when mask is null then above else above & mask end;
end
$$;

-- A score that at least `wanted` places of a vector are above, and not many more where scores differ. Zero where no more have
-- any score. How many are above a score falls off about like an exponential: each guess is where it would have fallen to
-- what is wanted. In 80 searches that took 5.5 guesses on average, and halving what is left 6.6.
create function funding.score_of_best(scores extensions.vector, mask bit varying, wanted integer, highest real) returns real
language plpgsql immutable parallel safe as $$
declare
  enough constant double precision := wanted * 1.25;
  low real := 0;
  above_low double precision := bit_count(funding.places_above(scores, mask, null));
  high real := highest;
  above_high double precision := 0.5;
  middle real;
  above bigint;
begin
  for guess in 1..10 loop
    exit when above_low <= enough;
    middle := low + (high - low) * least(greatest(ln(above_low / (wanted * 1.12)) / ln(above_low / above_high), 0.1), 0.9);
    above := bit_count(funding.places_above(scores, mask, funding.filled_vector(middle, extensions.vector_dims(scores))));
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

-- The block that has most of the ones in a list of masks, counted from 1, and what share of all it has: what says most of the
-- others. (Records that change get new numbers, which in time leaves the first blocks almost empty.)
create function funding.fullest_block(masks bit varying[], out place integer, out share double precision)
language plpgsql immutable parallel safe as $$
begin
  select kept.place, coalesce(bit_count(kept.mask) / nullif(sum(bit_count(kept.mask)) over (), 0), 1.0 / cardinality(masks))
  into place, share
  from unnest(masks) with ordinality as kept(mask, place)
  order by bit_count(kept.mask) desc nulls last, kept.place
  limit 1;
end
$$;

-- Of a list of numbered records, best first, the first `maximum` that are in a search's scope, and of which
-- `further_condition` is true: what it may bind is `least_score` as $5 and `words` as $6. Where the scope has bits, the list
-- has no others.
create function funding.numbered(
  scope funding.search_scope, numbers integer[], scores real[], maximum integer, further_condition text, least_score real, words tsquery)
returns funding.ranking
language plpgsql stable as $$
declare
  best funding.ranking;
begin
  if scope.bits is not null and further_condition = 'true' then
    if numbers is not null then
      best := (numbers[1:maximum], array_fill(null::uuid, array[least(cardinality(numbers), maximum)]), scores[1:maximum]);
    end if;
    return best;
  end if;
  execute format($passing$
    select array_agg(passing.number), array_agg(null::uuid), array_agg(passing.score)
    from (
      -- In one order throughout: the join stops when enough have passed.
      select best.number, best.score::double precision
      from unnest($2, $3) with ordinality as best(number, score, place)
      join funding.%I as record on record.posting_number = best.number
      where %s and (%s)
      order by best.place
      limit $4
    ) as passing
  $passing$, scope.dataset, further_condition, case when scope.bits is null then scope.condition else 'true' end)
  into best using scope.parameters, numbers, scores, maximum, least_score, words;
  return best;
end
$$;

-- The best records by BM25 with the inverted index. Each block's scores are a sum of vectors, in which the records
-- above a threshold are picked out as bits: the threshold is read off one block, so that some more than wanted pass. The
-- bits of the scope leave those that the filters keep. Where it has none, filters are checked on the best first, as many as
-- it takes to find `maximum` that pass; so is whether a record has enough of the query, unless that can be read off a second
-- sum, of the strong words alone.
create function funding.keyword_postings(scope funding.search_scope, asked funding.query_analysis, needed real, maximum integer)
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
  highest real := (select sum(weight) from unnest(asked.term_weights) as weight) * (funding.setting('bm25_k1')::real + 1);
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

-- The best records by BM25, best first. A candidate must have words of the query, or their synonyms,
-- that are worth at least `floor_coverage` of its `floor_words` rarest. (A quarter of all fifty words of a
-- long query would be more than relevant records have.)
create function funding.keyword_candidates(scope funding.search_scope, asked funding.query_analysis, maximum integer)
returns funding.ranking
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  needed real := (
    select sum(word.worth) * funding.setting('floor_coverage')::real * 0.9999
    from (
      select worth from unnest(asked.worths) as worth order by worth desc limit funding.setting('floor_words')::integer
    ) as word);
  posted funding.ranking;
  unposted funding.ranking;
begin
  if asked.any_term is null then
    return null;
  end if;
  -- Without bits, the inverted index finds the best of all records, and then asks which of them the filter keeps. Where that
  -- is few of those with any of the words, looking at each is cheaper.
  if scope.bits is null and scope.is_filtered and scope.kept * asked.matching_share < 1500 then
    return funding.keyword_scan(scope, asked, needed, maximum, 'all');
  end if;
  posted := funding.keyword_postings(scope, asked, needed, maximum);
  if not funding.has_unposted(scope.dataset) then
    return posted;
  end if;
  unposted := funding.keyword_scan(scope, asked, needed, maximum, 'unposted');
  return (
    select (array_agg(best.number), array_agg(best.id), array_agg(best.score))::funding.ranking
    from (
      select found.number, found.id, found.score
      from unnest(posted.numbers || unposted.numbers, posted.ids || unposted.ids, posted.scores || unposted.scores) as found(number, id, score)
      order by found.score desc, found.number, found.id
      limit maximum
    ) as best);
end
$$;
