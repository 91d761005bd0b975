-- Vectors without a direction.
--
-- A word that every record says equally often says nothing: its weight is 0, and so is its vector. A record or a query
-- that has only such words has the zero vector, whose cosine with anything is not a number (NaN). Postgres sorts NaN above every
-- number, so that it passed the floor of similarity and showed as 1. Such a vector is now null: the record is found by
-- its words alone, and such a query finds nothing by meaning.

-- A setting of the extension is known once something of the extension was used.
select '[0]'::extensions.vector;

-- lexicon_embedding and next_lexicon_embedding: the vector of a bag of words in the fitted space, normalised.
-- Frequencies are damped logarithmically. Null when no word has a vector, or they cancel out.
do $$
declare
  lexicon text;
begin
  foreach lexicon in array array['lexicon', 'next_lexicon'] loop
    execute format($create$
      create or replace function funding.%1$s_embedding(document tsvector) returns extensions.vector
      language sql stable parallel safe
      set search_path = funding, extensions, pg_temp as $body$
        select case when vector_norm(total) > 0 then l2_normalize(total) end
        from (
          select sum(
            case when cardinality(word.positions) > 1
              then known.vector * array_fill((1 + ln(cardinality(word.positions)))::real, array[384])::vector
              else known.vector
            end) as total
          from unnest(document) as word
          join funding.%1$I as known on known.term = word.lexeme and known.vector is not null
        ) as summed
      $body$
    $create$, lexicon);
  end loop;
end
$$;

-- The records nearest in meaning, nearest first. The score is the cosine similarity, 0 to 1, times
-- the share of the query that was understood. A query or a record whose vector is zero has no direction, and no similarity.
--
-- How many lists a search of the usual scope looks through: 40. Where they hold fewer records that pass a filter than it wants, it
-- goes on to further ones, up to 192; then it looks at every record.
create or replace function funding.semantic_candidates(scope funding.search_scope, asked funding.query_analysis, maximum integer)
returns funding.ranking
language plpgsql stable
set search_path = funding, extensions, pg_temp
set ivfflat.probes = 40 set ivfflat.iterative_scan = relaxed_order set ivfflat.max_probes = 192 as $$
declare
  model text := funding.setting('embedding_model')#>>'{}';
  least_score double precision := funding.similarity_floor(model);
  is_exact boolean;
  found funding.ranking;
begin
  if asked.embedding is null or l2_norm(asked.embedding) = 0 then
    return null;
  end if;
  -- Looking at each of few records is cheaper than going by an index made for all of them.
  is_exact := not funding.has_vector_index(scope.dataset) or scope.is_filtered and scope.kept < 5000;
  if not is_exact and not scope.is_usual then
    -- Of what the nearest lists hold, a filter may keep just the far ones. The fewer it keeps, the further away the best are.
    perform set_config('ivfflat.probes', least(greatest(round(42 * sqrt(scope.records / greatest(scope.kept, 1))), 48), 120)::text, true);
  end if;
  found := funding.nearest(scope, asked.embedding, model, maximum, asked.known_share, is_exact);
  -- The index gives up after a while; a filter that keeps fewer records than it passed deserves them all.
  if not is_exact and coalesce(cardinality(found.numbers), 0) < maximum then
    found := funding.nearest(scope, asked.embedding, model, maximum, asked.known_share, true);
  end if;
  return (
    -- The index gives its lists' records in order, and then those of further lists.
    select (array_agg(best.number), array_agg(best.id), array_agg(best.score))::funding.ranking
    from (
      select candidate.number, candidate.id, greatest(least(candidate.score, 1), 0) as score
      from unnest(found.numbers, found.ids, found.scores) as candidate(number, id, score)
      -- A record whose vector is zero is at no distance, which sorts after every number.
      where candidate.score >= least_score and candidate.score < 'infinity'
      order by score desc, number, id
    ) as best);
end
$$;

-- Those of the last fit, so that nobody has to fit again.
update funding.lexicon set vector = null where extensions.vector_norm(vector) = 0;
do $$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format(
      $clear$update funding.%I set embedding = null where embedding_model = 'lexicon' and extensions.l2_norm(embedding) = 0$clear$, dataset);
  end loop;
end
$$;
