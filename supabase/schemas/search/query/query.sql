-- Analysis of a query: its words, their weights, its meaning, and the terms that stand for its words.

-- Lexeme of a word.
create or replace function funding.stem(word text) returns text
language sql immutable parallel safe as $$
  select (tsvector_to_array(to_tsvector('funding.english', funding.separate_words(word))))[1]
$$;

-- Whether two words are at edit distance 1: one letter inserted, deleted or replaced, or two neighbours swapped.
create or replace function funding.is_one_edit(one text, other text) returns boolean
language sql immutable parallel safe as $$
  select case
    when abs(length(one) - length(other)) > 1 then false
    -- The common beginning and the common end cover all letters but one.
    when same.head + same.tail >= greatest(length(one), length(other)) - 1 then true
    else length(one) = length(other) and same.head + same.tail = length(one) - 2
      and substr(one, same.head + 1, 2) = reverse(substr(other, same.head + 1, 2))
  end
  from (
    select
      (select count(*)::integer from generate_series(1, least(length(one), length(other))) as size where left(one, size) = left(other, size)) as head,
      (select count(*)::integer from generate_series(1, least(length(one), length(other))) as size where right(one, size) = right(other, size)) as tail
  ) as same
$$;

-- Most likely correction of an unknown word: the word of the lexicon at edit distance 1 that the most records have. Null for words of fewer than six
-- letters, which are one letter away from too many others.
create or replace function funding.respelled(unknown text) returns text
language sql stable
set search_path = funding, extensions, pg_temp as $$
  select lexicon.term from funding.lexicon
  where lexicon.generation = (select fit.generation from funding.lexicon_fit as fit)
    and unknown ~ '^[a-z]{6,}$' and (lexicon.term || '') % unknown and funding.is_one_edit(lexicon.term, unknown)
  order by lexicon.document_frequency desc, lexicon.term
  limit 1
$$;

-- Reads a query with the lexicon and the synonyms. A synonym counts, with the weight `synonym_weight`, if more records have it than the word of the
-- query. A word that no record has is replaced by its correction, with the weight `spelling_weight`.
create or replace function funding.analyze_query(query text) returns funding.query_analysis
language plpgsql stable
-- Otherwise Postgres would plan the queries anew at each call, for the number of words.
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  query_lexemes tsvector := to_tsvector('funding.english', funding.with_asked_acronyms(funding.separate_words(funding.wanted_words(query))));
  synonym_weight real := funding.setting('synonym_weight')::real;
  spelling_weight real := funding.setting('spelling_weight')::real;
  k3 real := funding.setting('bm25_k3')::real;
  -- Word limit of a query: the rarest are kept. The most frequent hardly change a score, and each word costs a millisecond.
  most_words constant integer := 200;
  -- Limit of spelling corrections: each takes a search of its own.
  most_misspelt constant integer := 32;
  misspelt text[];
  corrections text[];
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  documents constant integer := greatest(fit.documents, 1);
  candidates text[];
  analysis funding.query_analysis;
begin
  if query_lexemes = '' then
    return analysis;
  end if;
  if length(query_lexemes) > most_words then
    query_lexemes := ts_delete(query_lexemes, array(
      select word.term
      from unnest(tsvector_to_array(query_lexemes)) as word(term)
      left join funding.lexicon on lexicon.generation = fit.generation and lexicon.term = word.term
      order by lexicon.document_frequency nulls last, word.term
      offset most_words));
  end if;
  select array_agg(term) into candidates
  from (
    select unnest(tsvector_to_array(query_lexemes)) as term
    union
    select unnest(tsvector_to_array(to_tsvector('funding.english', funding.separate_words(synonyms.means))))
    from funding.synonyms where synonyms.term = any (tsvector_to_array(query_lexemes)) and synonym_weight > 0
  ) as candidate;

  if spelling_weight > 0 then
    with unknown as materialized (
      select lexeme.term
      from unnest(tsvector_to_array(query_lexemes)) as lexeme(term)
      where not exists (select from funding.lexicon where lexicon.generation = fit.generation and lexicon.term = lexeme.term)
        and not exists (select from funding.synonyms where synonyms.term = lexeme.term)
      limit most_misspelt
    ), word as materialized (
      -- Expensive, so only for unknown words.
      select unknown.term, funding.respelled(unknown.term) as instead from unknown
    )
    select array_agg(word.term), array_agg(word.instead) into misspelt, corrections
    from word where word.instead is not null;
    candidates := candidates || corrections;
  end if;

  with known as materialized (
    select lexicon.term, lexicon.document_frequency, lexicon.vector
    from funding.lexicon where lexicon.generation = fit.generation and lexicon.term = any (candidates)
  ), word as materialized (
    select item.lexeme as term, cardinality(item.positions) as frequency,
           coalesce(known.document_frequency, 0) as document_frequency
    from unnest(query_lexemes) as item left join known on known.term = item.lexeme
  ), query_term as materialized (
    select word.term as word, word.term, word.frequency, 1::real as share, word.document_frequency
    from word
    union all
    select word.term, known.term, word.frequency, synonym_weight, known.document_frequency
    from word
    -- Each synonym once, though two rows may be forms of the word ("farm" and "farming").
    cross join lateral (
      select distinct unnest(tsvector_to_array(to_tsvector('funding.english', funding.separate_words(synonyms.means)))) as term
      from funding.synonyms where synonyms.term = word.term
    ) as synonym
    join known on known.term = synonym.term
    where synonym_weight > 0
      and known.document_frequency > word.document_frequency
      and known.term <> all (tsvector_to_array(query_lexemes))
    union all
    select word.term, known.term, word.frequency, spelling_weight, known.document_frequency
    from unnest(misspelt, corrections) as correction(term, instead)
    join word on word.term = correction.term
    join known on known.term = correction.instead
    where known.term <> all (tsvector_to_array(query_lexemes))
  ), valued as materialized (
    select query_term.*, known.vector,
           funding.inverse_document_frequency(documents, query_term.document_frequency) as idf
    from query_term left join known on known.term = query_term.term
    -- Sums in a fixed order: another order, by another plan, can change the last digit of the query's vector.
    order by query_term.term, query_term.word
  ), known_word as materialized (
    select row_number() over (order by valued.word) as position, valued.word, string_agg(funding.quoted_lexeme(valued.term), ' | ')::tsquery as terms,
           coalesce(
             max(valued.idf) filter (where valued.term = valued.word and valued.document_frequency > 0),
             max(valued.idf) filter (where valued.document_frequency > 0)) as known_idf,
           max(valued.idf) as highest_idf,
           bool_or(valued.vector is not null) as is_known
    from valued group by valued.word
  ), query_word as materialized (
    -- A word that no record has is worth at most twice an average known one. So one misspelt word or place name does not empty the result. Two
    -- such words beside one known word still do.
    select known_word.*, coalesce(known_word.known_idf, least(known_word.highest_idf, 2 * avg(known_word.known_idf) over ()), known_word.highest_idf)::real as idf
    from known_word
  ), term as materialized (
    select valued.term, valued.idf, valued.document_frequency,
           max(valued.share * valued.frequency * (k3 + 1) / (valued.frequency + k3))::real as factor, max(query_word.idf) as word_idf
    from valued join query_word using (word)
    group by valued.term, valued.idf, valued.document_frequency
  )
  select (select string_agg(distinct funding.quoted_lexeme(valued.term), ' | ')::tsquery from valued),
         -- The attribute `bm25`, which nothing reads since 1.2.
         null,
         (select array_agg(term.term order by term.term) from term),
         (select array_agg(term.idf * term.factor order by term.term) from term),
         (select array_agg(term.factor order by term.term) from term),
         -- `term_worths`, which is `term_word_idfs` since 1.2.
         null,
         (select 1 - exp(sum(ln(1 - least(term.document_frequency / documents::double precision, 0.999)))) from term),
         (select array_agg(query_word.terms order by query_word.position) from query_word),
         -- `worths`, which is `word_idfs` since 1.2.
         null,
         (select array_agg(word.weight order by word.position)
          from (
            select query_word.position, sum(term.idf * term.factor order by term.term)::real as weight
            from valued join query_word using (word) join term using (term)
            group by query_word.position
          ) as word),
         -- Weighted by rarity, unlike a record's vector: a query is short, and its rare words show its topic.
         (select l2_normalize(sum(valued.vector
             * array_fill((valued.idf * valued.share * (1 + ln(valued.frequency)))::real, array[384])::vector))::halfvec
          from valued where valued.vector is not null),
         (select sqrt(sum(idf * idf) filter (where is_known) / sum(idf * idf))::real from query_word),
         (select array_agg(term.word_idf order by term.term) from term),
         (select array_agg(query_word.idf order by query_word.position) from query_word)
  into analysis;
  return analysis;
end
$$;

-- Reads a query. Under an external model, `query_vector` is its vector.
create or replace function funding.read_query(query text, query_vector extensions.halfvec) returns funding.query_analysis
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  analysis funding.query_analysis := funding.analyze_query(query);
begin
  if funding.external_model() is not null then
    analysis.embedding := query_vector;
    -- A language model knows every word.
    analysis.known_share := 1;
  end if;
  return analysis;
end
$$;
