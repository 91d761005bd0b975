-- Keyword, semantic and hybrid ranking.
--
-- A ranked search is made of legs, each giving its best `search_candidates` records with every
-- filter inside the query that finds them. The legs do not depend on the page asked for, so pages
-- neither repeat nor skip a record; in return a ranked search never lists more than the legs give.

-- Both legs fused by reciprocal rank (Cormack, Clarke and Buettcher, 2009), divided by the greatest
-- sum possible: 1 is first in both. Without meaning, the keyword leg is all there is. In no order.
create function funding.hybrid_candidates(
  scope funding.search_scope, asked funding.query_analysis, maximum integer, with_meaning boolean)
returns funding.ranking
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  k real := funding.setting('fusion_k')::real;
  keyword_weight real := funding.setting('fusion_keyword_weight')::real;
  semantic_weight real := case when with_meaning then funding.setting('fusion_semantic_weight')::real else 0 end;
  by_words funding.ranking := funding.keyword_candidates(scope, asked, maximum);
  by_meaning funding.ranking := case when with_meaning then funding.semantic_candidates(scope, asked, maximum) end;
begin
  return (
    select (array_agg(fused.number), array_agg(fused.id), array_agg(fused.score))::funding.ranking
    from (
      select leg.number, leg.id, sum(leg.weight / (k + leg.position)) / ((keyword_weight + semantic_weight) / (k + 1)) as score
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
create function funding.named_records(scope funding.search_scope, maximum integer) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  name text := lower(btrim(scope.parameters->>'search'));
  ids uuid[];
begin
  -- Few queries name any record, whatever the filters.
  if not (case scope.dataset
    when 'grants' then exists (select from funding.grants where identifier_keys @> array[name])
    when 'contracts' then exists (select from funding.contracts where identifier_keys @> array[name])
      or exists (select from funding.contracts where naics = name)
    else false
  end) then
    return '{}';
  end if;
  execute format($named$
    select array_agg(named.id) from (
      select record.id from funding.%I as record
      where (%s) and (%s)
      order by record.id
      limit $2
    ) as named
  $named$, scope.dataset,
    case scope.dataset
      when 'contracts' then $c$record.identifier_keys @> array[$3] or record.naics = $3$c$
      else $c$record.identifier_keys @> array[$3]$c$
    end,
    scope.condition)
  into ids using scope.parameters, maximum, name;
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

-- GRANTS_ids and so on: the ids of the records that have the numbers, in their order.
do $do$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($create$
      create function funding.%1$s_ids(numbers integer[]) returns uuid[]
      language plpgsql stable set plan_cache_mode = force_generic_plan as $body$
      begin
        return array(
          select record.id
          from unnest(numbers) with ordinality as wanted(number, place)
          left join funding.%1$I as record on record.posting_number = wanted.number
          order by wanted.place);
      end
      $body$
    $create$, dataset);
  end loop;
end
$do$;

-- What was found, each record with its id.
create function funding.with_ids(dataset text, ranking funding.ranking) returns funding.ranking
language plpgsql stable as $$
declare
  numbered constant uuid[] := case dataset
    when 'grants' then funding.grants_ids(ranking.numbers)
    when 'contracts' then funding.contracts_ids(ranking.numbers)
    else funding.funders_ids(ranking.numbers)
  end;
begin
  ranking.ids := array(
    select coalesce(given.id, given.numbered_id)
    from unnest(ranking.ids, numbered) with ordinality as given(id, numbered_id, place)
    order by given.place);
  return ranking;
end
$$;

-- A ranked search's records with the score shown, best first, ties by id; the first `places` of them, or all. `total` is how
-- many there are. Records that the query names by number come before all that it describes. The mode `keyword` is a hybrid
-- search that has only its keyword leg. Only vector indexes make a longer leg dear, so it gives as many as where there is none.
-- Under an external model `query_vector` is the query's meaning.
--
-- Nothing in it runs long enough for compiling to pay, which Postgres would do where it overestimates how many
-- rows a function returns.
create function funding.ranked(
  dataset text, parameters jsonb, mode text, query_vector extensions.halfvec default null, places bigint default null)
returns table (id uuid, score double precision, total bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
declare
  maximum integer := least(
    funding.setting('search_candidates')::integer,
    case when mode <> 'keyword' and funding.has_vector_index(dataset) then funding.setting('search_candidates_indexed')::integer end);
  asked funding.query_analysis := funding.read_query(parameters->>'search', query_vector);
  scope funding.search_scope := funding.scope_of(dataset, parameters);
  named uuid[] := funding.named_records(scope, maximum);
  -- Keeps the best described record behind a named one, and changes nothing where none is named.
  share double precision := case when named = '{}' then 1 else 0.999 end;
  described funding.ranking := case mode
    when 'semantic' then funding.semantic_candidates(scope, asked, maximum)
    else funding.hybrid_candidates(scope, asked, maximum, mode = 'hybrid')
  end;
  described_ones bigint := coalesce(cardinality(described.numbers), 0);
begin
  -- Those that have the last place together are all kept until their ids tell which comes first. Which of them is named, too.
  select array_agg(first.number), array_agg(first.id), array_agg(first.shown) into described
  from (
    -- To six digits: the nearest number that has no more, which is what a cursor gives back.
    select found.number, found.id, round(found.score * share * 1000000) / 1000000 as shown
    from unnest(described.numbers, described.ids, described.scores) as found(number, id, score)
    order by shown desc
    fetch first case when places is null or named <> '{}' then described_ones else places end rows with ties
  ) as first;
  described := funding.with_ids(dataset, described);

  return query
  select listed.id, listed.shown, case when named = '{}' then described_ones else count(*) over () end
  from (
    select found.id, found.shown
    from unnest(described.ids, described.scores) as found(id, shown)
    where found.id <> all (named)
    union all
    select unnest(named), 1
  ) as listed
  order by listed.shown desc, listed.id
  limit places;
end
$$;
