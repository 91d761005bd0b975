-- The keyword leg: the best records by BM25, from the inverted index or from the records' own vectors.

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
language sql immutable parallel safe as $$
  select case when cardinality(asked.words) > 12 then asked.any_term else funding.enough_of(asked.words, asked.worths, needed, 12) end
$$;

-- The score from which a record has enough of a query for certain: what the words that are not enough alone can bring,
-- a term's weight in a record being less than k1 + 1. Zero where every word is enough. Beyond twelve words it is
-- `needed` itself, which is about what words worth as much bring when a record of average length says them once.
create function funding.sufficient_score(asked funding.query_analysis, needed real) returns real
language sql stable
set search_path = funding, extensions, pg_temp as $$
  select case
    when cardinality(asked.words) > 12 then needed
    else coalesce(least(sum(word.weight), needed * max(word.weight / word.worth)) * (funding.setting('bm25_k1')::real + 1), 0)::real
  end
  from unnest(asked.worths, asked.word_weights) as word(worth, weight)
  where word.worth < needed
$$;

-- The best records by BM25 with their own vectors: those that the text index finds, within the filter. Of `which`
-- records: `all`, those that the inverted index has (`posted`), or those that it has not (`unposted`).
create function funding.keyword_scan(
  dataset text, parameters jsonb, asked funding.query_analysis, needed real, maximum integer, which text)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($search$
    select record.id, -(record.bm25 <#> $2) as score
    from funding.%I as record
    where record.document @@ $3 and (%s) %s %s
    order by score desc, record.id
    limit $4
  $search$, dataset, funding.predicate(dataset, parameters),
    case which when 'posted' then 'and record.posting_number is not null' when 'unposted' then 'and record.posting_number is null' else '' end,
    case when cardinality(asked.words) > 12 then 'and -(record.bm25 <#> $2) >= $5' else '' end)
  using parameters, asked.bm25, funding.sufficient_words(asked, needed), maximum, funding.sufficient_score(asked, needed);
end
$$;

-- Whether a record has enough of a query just when it has one of the words that are enough alone, since the others
-- are not enough together. Of a long query, the score decides.
create function funding.needs_a_strong_word(asked funding.query_analysis, needed real) returns boolean
language sql immutable parallel safe as $$
  select cardinality(asked.words) <= 12 and sum(worth) < needed
  from unnest(asked.worths) as worth
  where worth < needed
$$;

-- The best records by BM25 with the inverted index. Each block's scores are a sum of vectors, in which the records
-- above a threshold are picked out as bits: the threshold is read off a sample, so that some more than wanted pass.
-- Filters are checked on the best first, as many as it takes to find `maximum` that pass; so is whether a record has
-- enough of the query, unless that can be read off a second sum, of the strong words alone.
create function funding.keyword_postings(
  dataset text, parameters jsonb, asked funding.query_analysis, needed real, maximum integer)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  blocks integer;
  block_size integer;
  -- Records are numbered in the order of their ids, which is that of no field: any part of them is a fair sample.
  sample_size integer;
  -- How many of the best are checked against the filter: as many as should hold `maximum` that pass, and some more.
  wanted bigint := maximum * 2 / greatest(funding.estimated_share(dataset, parameters), 0.01);
  is_masked boolean := coalesce(funding.needs_a_strong_word(asked, needed), false);
  sufficient real := funding.sufficient_score(asked, needed);
  threshold real;
  above bigint;
  passing integer;
  ids uuid[];
  scores double precision[];
begin
  select max(postings.block) + 1, max(vector_dims(postings.weights::vector)) into blocks, block_size
  from funding.postings
  where postings.dataset = keyword_postings.dataset and postings.term = any (asked.terms);
  if blocks is null then
    return;
  end if;
  sample_size := least(block_size, greatest(4000, 16000 / blocks));
  loop
    execute format($search$
      with term as materialized (
        select name, array_fill(weight, array[$4])::vector as weight, worth >= $13 as is_strong
        from unnest($2, $3, $12) as asked(name, weight, worth)
      ), scored as materialized (
        select postings.block, sum(postings.weights::vector * term.weight order by term.name) as scores,
               sum(postings.weights::vector) filter (where term.is_strong and $14) as strong
        from term join funding.postings on postings.dataset = $5 and postings.term = term.name
        group by postings.block
      ), threshold as materialized (
        select coalesce((
          select sample.score
          from (select scores, strong from scored order by strong is null, block limit 1) as first_block,
               unnest(subvector(first_block.scores, 1, $6)::real[], subvector(first_block.strong, 1, $6)::real[]) as sample(score, strong)
          where sample.score > 0 and (sample.strong > 0 or not $14)
          order by sample.score desc
          offset 3 + (1.5 * $7 * $6 / ($4 * $8::double precision))::bigint limit 1), 0) as score
      ), above as materialized (
        select scored.block * $4 + hit.place as number, (subvector(scored.scores, hit.place, 1)::real[])[1] as score
        from scored
        cross join threshold
        -- The bits as text: the places of the ones are where the runs of zeros end.
        cross join lateral (
          select (sum(length(zeros) + 1) over (order by position))::integer as place
          from (select binary_quantize(scored.scores - array_fill(threshold.score, array[$4])::vector) as bits) as high,
               string_to_table((case when $14 then high.bits & binary_quantize(scored.strong) else high.bits end)::text, '1')
                 with ordinality as run(zeros, position)
        ) as hit
        where hit.place <= $4
      ), passing as (
        -- Not materialized, and in one order throughout: the join stops when enough have passed.
        select record.id, best.score
        from (select number, score from above order by score desc, number limit $7) as best
        join funding.%I as record on record.posting_number = best.number
        where %s and (%s)
        order by best.score desc, best.number
        limit $11
      )
      select (select score from threshold), (select count(*) from above),
             array_agg(passing.id), array_agg(passing.score)
      from passing
    $search$, dataset,
      case
        -- Any word is enough, or the second sum has told.
        when sufficient = 0 or is_masked then 'true'
        when cardinality(asked.words) > 12 then 'best.score >= $9'
        else '(best.score >= $9 or record.document @@ $10)'
      end,
      funding.predicate(dataset, parameters))
    into threshold, above, ids, scores
    using parameters, asked.terms, asked.term_weights, block_size, dataset, sample_size, wanted, blocks,
          sufficient, case when sufficient > 0 and not is_masked then funding.sufficient_words(asked, needed) end, maximum,
          asked.term_worths, needed, is_masked;
    passing := coalesce(cardinality(ids), 0);
    exit when passing >= maximum or (threshold = 0 and above <= wanted);
    -- The filter keeps fewer of these than of all records. Where it keeps very few, it says more than the words do.
    if passing * 2 < maximum then
      return query select * from funding.keyword_scan(dataset, parameters, asked, needed, maximum, 'posted');
      return;
    end if;
    wanted := wanted * 3;
  end loop;
  return query select * from unnest(ids, scores);
end
$$;

-- Whether a filter keeps so few of the records with any of the query's words that looking at each is cheaper than the
-- inverted index, which finds the best of all records and then asks which of them the filter keeps.
create function funding.has_few_words(dataset text, parameters jsonb, asked funding.query_analysis) returns boolean
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return funding.has_filter(parameters)
    and funding.estimated_matches(dataset, parameters, format('record.document @@ %L', asked.any_term)) < 3000;
end
$$;

-- The best records by BM25, best first. A candidate must have words of the query, or their synonyms,
-- that are worth at least `floor_coverage` of its `floor_words` rarest. (A quarter of all fifty words of a
-- long query would be more than relevant records have.)
create function funding.keyword_candidates(
  dataset text, parameters jsonb, asked funding.query_analysis, maximum integer)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  needed real := (
    select sum(word.worth) * funding.setting('floor_coverage')::real * 0.9999
    from (
      select worth from unnest(asked.worths) as worth order by worth desc limit funding.setting('floor_words')::integer
    ) as word);
  has_unposted boolean;
begin
  if asked.any_term is null then
    return;
  end if;
  if funding.has_few_words(dataset, parameters, asked) then
    return query select * from funding.keyword_scan(dataset, parameters, asked, needed, maximum, 'all');
    return;
  end if;
  execute format('select exists (select from funding.%I where posting_number is null)', dataset) into has_unposted;
  if not has_unposted then
    return query select * from funding.keyword_postings(dataset, parameters, asked, needed, maximum);
    return;
  end if;
  return query
  select found.id, found.score
  from (
    select * from funding.keyword_postings(dataset, parameters, asked, needed, maximum)
    union all
    select * from funding.keyword_scan(dataset, parameters, asked, needed, maximum, 'unposted')
  ) as found
  order by found.score desc, found.id
  limit maximum;
end
$$;
