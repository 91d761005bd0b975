-- Keyword, semantic and hybrid ranking.
--
-- A ranked search is made of legs, each giving its best `search_candidates` records with every
-- filter inside the query that finds them. The legs do not depend on the page asked for, so pages
-- neither repeat nor skip a record; in return a ranked search never lists more than the legs give.

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
-- vectors, which matters unless there is nothing to find anyway.
create function funding.available_mode(dataset text, mode text) returns text
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  has_records boolean;
begin
  if mode = 'keyword' or funding.setting('embedding_model') <> '"lexicon"' or (select dimensions > 0 from funding.lexicon_fit) then
    return mode;
  end if;
  execute format('select exists (select from funding.%I)', dataset) into has_records;
  if not has_records then
    return mode;
  end if;
  return funding.mode_without_vectors(mode, 'semantic search has no vectors yet');
end
$$;

-- The records that a query names by number: an opportunity or solicitation number, an assistance listing,
-- or, for contracts, a NAICS code.
create function funding.named_records(dataset text, parameters jsonb, maximum integer) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  ids uuid[];
begin
  if dataset = 'funders' then
    return '{}';
  end if;
  execute format($named$
    select array_agg(named.id) from (
      select record.id from funding.%I as record
      where (%s) and (%s)
      order by record.id
      limit $2
    ) as named
  $named$, dataset,
    case dataset
      when 'contracts' then $c$record.identifier_keys @> array[lower(btrim($1->>'search'))] or record.naics = btrim($1->>'search')$c$
      else $c$record.identifier_keys @> array[lower(btrim($1->>'search'))]$c$
    end,
    funding.predicate(dataset, parameters))
  into ids using parameters, maximum;
  return coalesce(ids, '{}');
end
$$;

-- What a query asks for, with `query_vector` as its meaning under a model outside the database.
create function funding.read_query(query text, query_vector extensions.halfvec) returns funding.query_analysis
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  asked funding.query_analysis := funding.analyze_query(query);
begin
  if funding.external_model() is not null then
    asked.embedding := query_vector;
    -- A model of language knows every word.
    asked.known_share := 1;
  end if;
  return asked;
end
$$;

-- A ranked search's records with the score shown, best first, ties by id. Records that the query names by
-- number come before all that it describes. The mode `keyword` is a hybrid search that has only its
-- keyword leg. Only vector indexes make a longer leg dear, so it gives as many as where there is none. Under an
-- external model `query_vector` is the query's meaning.
--
-- Nothing in it runs long enough for compiling to pay, which Postgres would do where it overestimates how many
-- rows a function returns.
create function funding.ranked(dataset text, parameters jsonb, mode text, query_vector extensions.halfvec default null)
returns table (id uuid, score numeric)
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
declare
  maximum integer := least(
    funding.setting('search_candidates')::integer,
    case when mode <> 'keyword' and funding.has_vector_index(dataset) then funding.setting('search_candidates_indexed')::integer end);
  asked funding.query_analysis := funding.read_query(parameters->>'search', query_vector);
  named uuid[] := funding.named_records(dataset, parameters, maximum);
  -- Keeps the best described record behind a named one, and changes nothing where none is named.
  share numeric := case when named = '{}' then 1 else 0.999 end;
begin
  return query execute format($ranked$
    select found.id, round(found.score::numeric * $6, 6) as shown
    from funding.%I($1, $2, $3, $4 %s) as found
    where found.id <> all ($5)
    union all
    select unnest($5), 1.000000
    order by shown desc, id
  $ranked$,
    case mode when 'semantic' then 'semantic_candidates' else 'hybrid_candidates' end,
    case mode when 'semantic' then '' when 'hybrid' then ', true' else ', false' end)
  using dataset, parameters, asked, maximum, named, share;
end
$$;
