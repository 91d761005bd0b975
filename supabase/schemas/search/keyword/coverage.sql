-- Coverage: keywords find a record when the query's words in it are together worth at least a floor. The floor is a share of the worth of the query's
-- rarest words.

-- A tsquery for the records that cover enough of a query: their words are together worth at least `coverage_floor`. It is the union of the smallest
-- such sets of words; the text index answers it directly. Null when no set of at most `longest` words is worth as much.
create or replace function funding.covering_sets(words tsquery[], idfs real[], coverage_floor real, longest integer) returns tsquery
-- A function in SQL would be planned at each call, which takes 0.5 ms.
language plpgsql immutable parallel safe set plan_cache_mode = force_generic_plan as $$
begin
  return (
    with recursive word as (
      select terms, idf, row_number() over (order by idf desc, terms::text) as position
      from unnest(words, idfs) as given(terms, idf)
    ), chosen as (
      select position, idf, terms as together, 1 as size from word
      union all
      -- Words come by falling idf, and a set that is worth enough does not grow. So the sets are minimal.
      select word.position, chosen.idf + word.idf, chosen.together && word.terms, chosen.size + 1
      from chosen join word on word.position > chosen.position
      where chosen.idf < coverage_floor and chosen.size < longest
    )
    select string_agg('(' || together::text || ')', ' | ')::tsquery from chosen where idf >= coverage_floor);
end
$$;

-- A tsquery for the words of a query, alone or together, that a record must have: worth at least `coverage_floor`. Without a floor any word is enough.
-- Beyond twelve words the sets are too many to list: then any word matches, and only the score decides.
create or replace function funding.covering_words(analysis funding.query_analysis, coverage_floor real) returns tsquery
language plpgsql immutable parallel safe as $$
begin
  return case when coverage_floor <= 0 or cardinality(analysis.words) > 12 then analysis.any_term else funding.covering_sets(analysis.words, analysis.word_idfs, coverage_floor, 12) end;
end
$$;

-- Score that proves that a record covers enough of a query: the highest score of the words that are not enough alone (a term's weight in a record is
-- at most k1 + 1), and a little more, since sums are rounded. Zero where every word is enough alone. Beyond twelve words it is `coverage_floor` itself,
-- about the score of words of that worth in a record of average length that has each of them once.
create or replace function funding.covering_score(analysis funding.query_analysis, coverage_floor real) returns real
language plpgsql stable as $$
begin
  if cardinality(analysis.words) > 12 then
    return coverage_floor;
  end if;
  return (
    select coalesce(least(sum(word.weight), coverage_floor * max(word.weight / word.idf)) * ((select fit.bm25_k1 from funding.lexicon_fit as fit) + 1) * 1.0001, 0)
    from unnest(analysis.word_idfs, analysis.word_weights) as word(idf, weight)
    where word.idf < coverage_floor);
end
$$;

-- Whether a record covers enough of a query exactly when it has one of the words that are enough alone: the other words are not enough together.
-- False for a long query: there the score decides.
create or replace function funding.needs_a_strong_word(analysis funding.query_analysis, coverage_floor real) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return cardinality(analysis.words) <= 12
    and coalesce((select sum(idf) < coverage_floor from unnest(analysis.word_idfs) as idf where idf < coverage_floor), false);
end
$$;

-- A tsquery for the records that have every word of a query, or a synonym or correction of it.
create or replace function funding.every_word(analysis funding.query_analysis) returns tsquery
language plpgsql immutable parallel safe as $$
begin
  return (select string_agg('(' || word.terms::text || ')', ' & ')::tsquery from unnest(analysis.words) as word(terms));
end
$$;
