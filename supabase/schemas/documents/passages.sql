-- Passages that the words of a search find in some documents: the one rule, for lists, webhooks and saved searches.

-- Best passages of parts by weighted terms, at most `most` of each part. Scores are those of BM25, for passages of one length.
create or replace function funding.best_passages(parts integer[], terms text[], term_weights real[], most integer)
returns table (slot integer, document_id uuid, number integer, score double precision)
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select part.slot, part.document_id, part.first_passage + best.place, best.score
  from funding.document_parts as part
  cross join lateral (
    select (position - 1) / 4 as place,
           sum(term_weights[array_position(terms, word.lexeme)] * funding.passage_weight((position - 1) % 4 + 1))::double precision as score
    from unnest(ts_filter(setweight(part.words, 'A', terms), '{a}')) as word
    cross join unnest(word.positions) as position
    group by 1 order by score desc, 1 limit most
  ) as best
  where part.slot = any (parts);
end
$$;

-- Best passages of parts that have at least a score, and what the condition asks of them; null asks nothing. With a condition, the best twenty passages
-- of a part are looked into.
create or replace function funding.matching_passages(
  parts integer[], terms text[], term_weights real[], least_score double precision, condition tsquery, most integer)
returns table (slot integer, document_id uuid, number integer, score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  if condition is null then
    return query select best.* from funding.best_passages(parts, terms, term_weights, most) as best where best.score >= least_score;
  else
    return query
    select best.* from funding.best_passages(parts, terms, term_weights, 20) as best
    join funding.document_passages as passage on passage.document_id = best.document_id and passage.number = best.number
    where best.score >= least_score and funding.passage_lexemes(passage.heading, passage.body) @@ condition;
  end if;
end
$$;

-- For a stored filter, which looks at records one by one, the index says of most parts whether a passage has the score: to read a part of 8,000 words takes
-- a millisecond. `search` is { terms, weights, least_score } (`funding.with_passage_search`). Bits of parts are those of each block of 1,024, from the first.

-- Parts of which a passage may have the score of a search: all its words together are worth as much.
create or replace function funding.possible_parts(search jsonb) returns bit varying[]
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  return (
    with found as materialized (
      select weighted.block, binary_quantize(sum(weighted.weights) - array_fill((search->>'least_score')::real, array[1024])::vector)::bit varying as bits
      from funding.weighted_blocks(search) as weighted group by weighted.block
    )
    select array_agg(coalesce(found.bits, repeat('0', 1024)::bit varying) order by listed.block)
    from generate_series(0, (select max(found.block) from found)) as listed(block) left join found using (block));
end
$$;

-- Parts of which a passage has the score of a search for certain: by one of its words alone.
create or replace function funding.certain_parts(search jsonb) returns bit varying[]
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  return (
    with found as materialized (
      select weighted.block, bit_or(binary_quantize(weighted.weights - array_fill((search->>'least_score')::real, array[1024])::vector))::bit varying as bits
      from funding.weighted_blocks(search) as weighted group by weighted.block
    )
    select array_agg(coalesce(found.bits, repeat('0', 1024)::bit varying) order by listed.block)
    from generate_series(0, (select max(found.block) from found)) as listed(block) left join found using (block));
end
$$;

-- Weights of each term of a search in the parts of each block.
create or replace function funding.weighted_blocks(search jsonb) returns table (block integer, weights extensions.vector)
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select postings.block, postings.weights::vector * term.weights
  from (
    select given.name, array_fill(given.weight, array[1024])::vector as weights
    from unnest(funding.text_array(search->'terms'), (search->>'weights')::real[]) as given(name, weight)
    offset 0
  ) as term
  join funding.document_postings as postings on postings.term = term.name
  order by term.name;
end
$$;

-- Whether a part has a passage that a search finds: what `funding.matching_passages` returns. It ends with the first passage that meets the condition.
create or replace function funding.has_passage(part integer, search jsonb, condition tsquery) returns boolean
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  terms constant text[] := funding.text_array(search->'terms');
  term_weights constant real[] := search->>'weights';
  least_score constant double precision := search->>'least_score';
begin
  if condition is null then
    return exists (select from funding.best_passages(array[part], terms, term_weights, 1) as best where best.score >= least_score);
  else
    return exists (
      select from funding.best_passages(array[part], terms, term_weights, 20) as best
      join funding.document_passages as passage on passage.document_id = best.document_id and passage.number = best.number
      where best.score >= least_score and funding.passage_lexemes(passage.heading, passage.body) @@ condition);
  end if;
end
$$;
