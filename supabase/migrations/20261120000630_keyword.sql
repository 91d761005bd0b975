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

-- What a record that has these words of the query is worth.
create function funding.worth_of(words bigint, worths real[]) returns real
language sql immutable parallel safe as $$
  select coalesce(sum(worth), 0)::real
  from unnest(worths) with ordinality as word(worth, place)
  where words & (1::bigint << least(place - 1, 62)::integer) <> 0
$$;

-- The best records by BM25 with their own vectors: those that the text index finds, within the filter.
-- With `unposted`, only records that the inverted index does not have.
create function funding.keyword_scan(
  dataset text, parameters jsonb, asked funding.query_analysis, needed real, maximum integer, unposted boolean)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- Beyond this many words the sets are too many to list, and the floor is kept by a later check.
  most_words constant integer := 12;
  is_long boolean := cardinality(asked.words) > most_words;
begin
  return query execute format($search$
    with candidate as materialized (
      select record.id, -(record.bm25 <#> $2) as score, case when $5 then record.document end as document
      from funding.%I as record
      where record.document @@ $3 and (%s) %s
    ), best as materialized (
      select * from candidate order by candidate.score desc, candidate.id limit case when $5 then $4 * 5 else $4 end
    )
    select best.id, best.score
    from best
    where not $5 or (
      select sum(word.worth) from unnest($6, $7) as word(terms, worth)
      where best.document @@ word.terms
    ) >= $8
    order by best.score desc, best.id
    limit $4
  $search$, dataset, funding.predicate(dataset, parameters),
    case when unposted then 'and record.posting_number is null' else '' end)
  using parameters, asked.bm25,
        case when is_long then asked.any_term else funding.enough_of(asked.words, asked.worths, needed, most_words) end,
        maximum, is_long, asked.words, asked.worths, needed;
end
$$;

-- The best records by BM25 with the inverted index. Filters are checked on the best first, as many as it
-- takes to find `maximum` that pass.
create function funding.keyword_postings(
  dataset text, parameters jsonb, asked funding.query_analysis, needed real, maximum integer)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  numbers integer[];
  scores double precision[];
  said bigint[];
  checked integer := maximum * 3;
  ids uuid[];
  passed double precision[];
begin
  loop
    -- Summing the postings again for a second, deeper look costs less than sorting them all at once.
    select array_agg(best.number), array_agg(best.score), array_agg(best.words)
    into numbers, scores, said
    from (
      select posting.number, sum(posting.score) as score, bit_or(posting.words) as words
      from (
        select unnest(postings.numbers) as number,
               (unnest(postings.weights) * term.weight)::double precision as score, term.words
        from unnest(asked.terms, asked.term_weights, asked.term_words) as term(term, weight, words)
        join funding.postings on postings.dataset = keyword_postings.dataset and postings.term = term.term
      ) as posting
      group by posting.number
      order by score desc
      limit checked
    ) as best;

    execute format($search$
      select array_agg(passing.id), array_agg(passing.score)
      from (
        select record.id, best.score
        from unnest($2, $3, $4) as best(number, score, words)
        join funding.%I as record on record.posting_number = best.number
        where funding.worth_of(best.words, $5) >= $6 and (%s)
        order by best.score desc, record.id
        limit $7
      ) as passing
    $search$, dataset, funding.predicate(dataset, parameters))
    into ids, passed
    using parameters, numbers, scores, said, asked.worths, needed, maximum;
    exit when coalesce(cardinality(ids), 0) >= maximum or coalesce(cardinality(numbers), 0) < checked;
    checked := checked * 8;
  end loop;
  return query select * from unnest(ids, passed);
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
begin
  if asked.any_term is null then
    return;
  end if;
  if funding.is_selective(dataset, parameters) then
    return query select * from funding.keyword_scan(dataset, parameters, asked, needed, maximum, false);
    return;
  end if;
  return query
  select found.id, found.score
  from (
    select * from funding.keyword_postings(dataset, parameters, asked, needed, maximum)
    union all
    select * from funding.keyword_scan(dataset, parameters, asked, needed, maximum, true)
  ) as found
  order by found.score desc, found.id
  limit maximum;
end
$$;
