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

-- What a query asks for: its terms, how often it says each, and what each is worth.
create function funding.query_terms(query text)
returns table (term text, frequency integer, idf real, is_known boolean)
language sql stable
set search_path = funding, extensions, pg_temp as $$
  select word.lexeme, cardinality(word.positions),
         funding.inverse_document_frequency(greatest(fit.documents, 1), coalesce(lexicon.document_frequency, 0)),
         lexicon.vector is not null
  from unnest(to_tsvector('funding.english', funding.wanted_words(query))) as word
  cross join funding.lexicon_fit as fit
  left join funding.lexicon on lexicon.term = word.lexeme
$$;

-- The best records by BM25, best first.
create function funding.keyword_candidates(dataset text, parameters jsonb, maximum integer)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  query_vector sparsevec;
  any_term tsquery;
  mass real;
  least_coverage real := funding.setting('floor_coverage')::real;
  terms text[];
  weights real[];
begin
  select array_agg(asked.term), array_agg(asked.idf), sum(asked.idf),
         string_agg('''' || replace(replace(asked.term, '\', '\\'), '''', '''''') || '''', ' | ')::tsquery
  into terms, weights, mass, any_term
  from funding.query_terms(parameters->>'search') as asked;
  if terms is null then
    return;
  end if;

  select ('{' || string_agg(place.dimension || ':' || place.weight, ',') || '}/536870912')::sparsevec
  into query_vector
  from (
    select funding.term_dimension(asked.term) as dimension, sum(asked.idf * asked.frequency) as weight
    from funding.query_terms(parameters->>'search') as asked
    group by 1
  ) as place;

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
    where (
      select sum(weight) from unnest($5, $6) as asked(term, weight)
      where candidate.document @@ asked.term
    ) >= $7
    order by candidate.score desc, candidate.id
  $search$, dataset, funding.predicate(dataset, parameters))
  using parameters, query_vector, any_term, maximum,
        array(select ('''' || replace(replace(term, '\', '\\'), '''', '''''') || '''')::tsquery from unnest(terms) as term),
        weights, mass * least_coverage;
end
$$;

-- The query's vector in the fitted space, or null when no word of it is known. `known_share` is how
-- much of the query the vector speaks for: unknown words are directions that no record has.
create function funding.query_embedding(query text, out embedding extensions.halfvec, out known_share real)
language sql stable
set search_path = funding, extensions, pg_temp as $$
  select funding.lexicon_embedding(to_tsvector('funding.english', funding.wanted_words(query)))::halfvec,
         (select sqrt(sum(idf * idf) filter (where is_known) / nullif(sum(idf * idf), 0))::real
          from funding.query_terms(query))
$$;

-- The records nearest in meaning, nearest first. The score is the cosine similarity, 0 to 1.
create function funding.semantic_candidates(dataset text, parameters jsonb, maximum integer)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  model text := funding.setting('embedding_model')#>>'{}';
  least_similarity double precision := (funding.setting('floor_similarity')->>model)::double precision;
  asked record;
begin
  select * into asked from funding.query_embedding(parameters->>'search');
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
  using parameters, asked.embedding, model, maximum, asked.known_share, least_similarity;
end
$$;

-- Both legs fused by reciprocal rank (Cormack, Clarke and Buettcher, 2009), divided by the greatest
-- sum possible: 1 is first in both.
create function funding.hybrid_candidates(dataset text, parameters jsonb, maximum integer)
returns table (id uuid, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  k real := funding.setting('fusion_k')::real;
  keyword_weight real := funding.setting('fusion_keyword_weight')::real;
  semantic_weight real := funding.setting('fusion_semantic_weight')::real;
begin
  return query
  select leg.id,
         sum(leg.weight / (k + leg.position)) / ((keyword_weight + semantic_weight) / (k + 1)) as score
  from (
    select found.id, row_number() over () as position, keyword_weight as weight
    from funding.keyword_candidates(dataset, parameters, maximum) as found
    union all
    select found.id, row_number() over (), semantic_weight
    from funding.semantic_candidates(dataset, parameters, maximum) as found
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

-- A ranked search's records with the score shown, best first, ties by id.
create function funding.ranked(dataset text, parameters jsonb, mode text)
returns table (id uuid, score numeric)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  maximum integer := funding.setting('search_candidates')::integer;
begin
  return query execute format(
    'select found.id, round(found.score::numeric, 6) as score from funding.%I($1, $2, $3) as found order by score desc, found.id',
    case mode when 'semantic' then 'semantic_candidates' when 'hybrid' then 'hybrid_candidates' else 'keyword_candidates' end)
  using dataset, parameters, maximum;
end
$$;
