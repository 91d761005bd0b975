-- Keyword, semantic and hybrid ranking.
--
-- A ranked search is made of legs, each giving its best `search_candidates` records with every
-- filter inside the query that finds them. The legs do not depend on the page asked for, so pages
-- neither repeat nor skip a record; in return a ranked search never lists more than the legs give.

-- The query without the words that it excludes.
create function funding.wanted_words(query text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(query, '(^|\s)-("[^"]+"|\w\S*)', ' ', 'g')
$$;

-- A tsquery of one lexeme or any of several, whatever characters they have.
create function funding.any_of(lexemes text[]) returns tsquery
language sql immutable parallel safe as $$
  select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery
  from unnest(lexemes) as lexeme
$$;

-- What a query asks for, read once and used by every leg.
create type funding.query_analysis as (
  -- Any word of the query or its synonyms; null when the query has no words.
  any_term tsquery,
  -- The query side of BM25: inverse document frequency by how often the query means the term.
  bm25 extensions.sparsevec,
  -- Each word of the query, as itself or a synonym, and what it is worth: its inverse document
  -- frequency, or its best synonym's when no record has the word.
  words tsquery[],
  worths real[],
  -- The query in the fitted space, or null when no word of it is known.
  embedding extensions.halfvec,
  -- How much of the query the vector speaks for: an unknown word is a direction that no record has.
  known_share real
);

-- Reads a query with the lexicon and the synonyms. A synonym counts when these records use it more
-- than the word that was asked, and then with the weight `synonym_weight`.
create function funding.analyze_query(query text) returns funding.query_analysis
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  said tsvector := to_tsvector('funding.english', funding.wanted_words(query));
  synonym_weight real := funding.setting('synonym_weight')::real;
  documents integer := (select greatest(fit.documents, 1) from funding.lexicon_fit as fit);
  candidates text[];
  analysis funding.query_analysis;
begin
  if said = '' then
    return analysis;
  end if;
  select array_agg(term) into candidates
  from (
    select unnest(tsvector_to_array(said)) as term
    union
    select unnest(tsvector_to_array(to_tsvector('funding.english', synonyms.means)))
    from funding.synonyms where synonyms.term = any (tsvector_to_array(said)) and synonym_weight > 0
  ) as candidate;

  with known as materialized (
    select lexicon.term, lexicon.document_frequency, lexicon.vector
    from funding.lexicon where lexicon.term = any (candidates)
  ), word as materialized (
    select item.lexeme as term, cardinality(item.positions) as frequency,
           coalesce(known.document_frequency, 0) as document_frequency
    from unnest(said) as item left join known on known.term = item.lexeme
  ), meant as materialized (
    select word.term as asked, word.term, word.frequency, 1::real as share, word.document_frequency
    from word
    union all
    select word.term, known.term, word.frequency, synonym_weight, known.document_frequency
    from word
    join funding.synonyms on synonyms.term = word.term
    join known on known.term = any (tsvector_to_array(to_tsvector('funding.english', synonyms.means)))
    where synonym_weight > 0
      and known.document_frequency > word.document_frequency
      and known.term <> all (tsvector_to_array(said))
  ), valued as materialized (
    select meant.*, known.vector,
           funding.inverse_document_frequency(documents, meant.document_frequency) as idf
    from meant left join known on known.term = meant.term
  ), asked_word as (
    select funding.any_of(array_agg(valued.term)) as terms,
           coalesce(
             max(valued.idf) filter (where valued.term = valued.asked and valued.document_frequency > 0),
             max(valued.idf) filter (where valued.document_frequency > 0),
             max(valued.idf)) as worth,
           bool_or(valued.vector is not null) as is_known
    from valued group by valued.asked
  ), place as (
    select funding.term_dimension(valued.term) as dimension, max(valued.idf * valued.frequency * valued.share) as weight
    from valued group by 1
  )
  select (select funding.any_of(array_agg(distinct valued.term)) from valued),
         (select ('{' || string_agg(place.dimension || ':' || place.weight, ',') || '}/536870912')::sparsevec from place),
         (select array_agg(asked_word.terms) from asked_word),
         (select array_agg(asked_word.worth) from asked_word),
         (select l2_normalize(sum(valued.vector
             * array_fill((valued.share * (1 + ln(valued.frequency)))::real, array[384])::vector))::halfvec
          from valued where valued.vector is not null),
         (select sqrt(sum(worth * worth) filter (where is_known) / sum(worth * worth))::real from asked_word)
  into analysis;
  return analysis;
end
$$;

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

-- The best records by BM25, best first. A candidate must have words of the query, or their synonyms,
-- that are worth at least `floor_coverage` of all that it asks.
create function funding.keyword_candidates(
  dataset text, parameters jsonb, asked funding.query_analysis, maximum integer)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- Beyond this many words the sets are too many to list, and the floor is kept by a later check.
  most_words constant integer := 12;
  needed real := (select sum(worth) * funding.setting('floor_coverage')::real * 0.9999 from unnest(asked.worths) as worth);
  gate tsquery := asked.any_term;
begin
  if asked.any_term is null then
    return;
  end if;
  if cardinality(asked.words) <= most_words then
    gate := funding.enough_of(asked.words, asked.worths, needed, most_words);
  end if;
  return query execute format($search$
    with candidate as materialized (
      select record.id, -(record.bm25 <#> $2) as score, record.document
      from funding.%I as record
      where record.document @@ $3 and (%s)
      order by record.bm25 <#> $2, record.id
      limit $4
    )
    select candidate.id, candidate.score
    from candidate
    where not $5 or (
      select sum(word.worth) from unnest($6, $7) as word(terms, worth)
      where candidate.document @@ word.terms
    ) >= $8
    order by candidate.score desc, candidate.id
  $search$, dataset, funding.predicate(dataset, parameters))
  using parameters, asked.bm25, gate, maximum,
        cardinality(asked.words) > most_words, asked.words, asked.worths, needed;
end
$$;

-- The records nearest in meaning, nearest first. The score is the cosine similarity, 0 to 1, times
-- the share of the query that was understood.
create function funding.semantic_candidates(
  dataset text, parameters jsonb, asked funding.query_analysis, maximum integer)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  model text := funding.setting('embedding_model')#>>'{}';
begin
  if asked.embedding is null then
    return;
  end if;
  perform set_config('hnsw.ef_search', greatest(maximum, 40)::text, true),
          set_config('hnsw.iterative_scan', 'relaxed_order', true);

  return query execute format($search$
    with nearest as materialized (
      select record.id, (1 - (record.embedding <=> $2)) * $5 as similarity
      from funding.%I as record
      where record.embedding_model = $3 and (%s)
      order by record.embedding <=> $2
      limit $4
    )
    select nearest.id, least(nearest.similarity, 1)
    from nearest
    where nearest.similarity >= $6
    order by nearest.similarity desc, nearest.id
  $search$, dataset, funding.predicate(dataset, parameters))
  using parameters, asked.embedding, model, maximum, asked.known_share,
        (funding.setting('floor_similarity')->>model)::double precision;
end
$$;

-- Both legs fused by reciprocal rank (Cormack, Clarke and Buettcher, 2009), divided by the greatest
-- sum possible: 1 is first in both. Without meaning, the keyword leg is all there is.
create function funding.hybrid_candidates(
  dataset text, parameters jsonb, asked funding.query_analysis, maximum integer, with_meaning boolean)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  k real := funding.setting('fusion_k')::real;
  keyword_weight real := funding.setting('fusion_keyword_weight')::real;
  semantic_weight real := case when with_meaning then funding.setting('fusion_semantic_weight')::real else 0 end;
begin
  return query
  select leg.id,
         sum(leg.weight / (k + leg.position)) / ((keyword_weight + semantic_weight) / (k + 1)) as score
  from (
    select found.id, row_number() over () as position, keyword_weight as weight
    from funding.keyword_candidates(dataset, parameters, asked, maximum) as found
    union all
    select found.id, row_number() over (), semantic_weight
    from funding.semantic_candidates(dataset, parameters, asked, maximum) as found
    where with_meaning
  ) as leg
  group by leg.id;
end
$$;

-- The mode that a ranked search can really run in. Before the lexicon's first fit there are no
-- vectors: hybrid then answers from its keyword leg, and semantic says so (PT503) unless there is
-- nothing to find anyway.
create function funding.available_mode(dataset text, mode text) returns text
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  has_records boolean;
begin
  if funding.setting('embedding_model') <> '"lexicon"' or (select dimensions > 0 from funding.lexicon_fit) then
    return mode;
  end if;
  execute format('select exists (select from funding.%I)', dataset) into has_records;
  if not has_records then
    return mode;
  end if;
  if mode = 'semantic' then
    raise sqlstate 'PT503' using message = 'semantic search has no vectors yet', detail = '{}';
  end if;
  return 'keyword';
end
$$;

-- A ranked search's records with the score shown, best first, ties by id. The mode `keyword` is a
-- hybrid search that has only its keyword leg.
create function funding.ranked(dataset text, parameters jsonb, mode text)
returns table (id uuid, score numeric)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  maximum integer := funding.setting('search_candidates')::integer;
  asked funding.query_analysis := funding.analyze_query(parameters->>'search');
begin
  if mode = 'semantic' then
    return query
    select found.id, round(found.score::numeric, 6) as shown
    from funding.semantic_candidates(dataset, parameters, asked, maximum) as found
    order by shown desc, found.id;
  else
    return query
    select found.id, round(found.score::numeric, 6) as shown
    from funding.hybrid_candidates(dataset, parameters, asked, maximum, mode = 'hybrid') as found
    order by shown desc, found.id;
  end if;
end
$$;
