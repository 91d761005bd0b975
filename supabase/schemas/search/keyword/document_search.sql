-- Search in documents (`search_in` = documents or all): a record is found by the best passage of its documents, by its words.

-- Least score of a passage that a search finds: it has words of the search that are worth the share `floor_passage`.
create or replace function funding.least_passage_score(analysis funding.query_analysis) returns double precision
language plpgsql stable as $$
begin
  return funding.setting('floor_passage')::double precision * (select sum(idf) from unnest(analysis.word_idfs) as idf) * 0.9999;
end
$$;

-- Best passages of some parts that a search finds.
create or replace function funding.found_passages(wanted integer[], analysis funding.query_analysis, filter jsonb, most integer)
returns table (slot integer, document_id uuid, number integer, score double precision)
language plpgsql stable as $$
begin
  return query
  select found.*
  from funding.matching_passages(
    wanted, analysis.terms, analysis.term_weights, funding.least_passage_score(analysis), funding.passage_condition(filter), most) as found;
end
$$;

-- Sums of the weights of a search's terms in the parts of each block: no passage of a part has a higher score. A nested loop adds the terms in their
-- order, since another could change the last digit. (To sort the vectors took longer than to add them.)
create or replace function funding.part_bounds(analysis funding.query_analysis, out blocks integer[], out bounds extensions.vector[])
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan
set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off as $$
begin
  select array_agg(summed.block), array_agg(summed.bounds) into blocks, bounds
  from (
    select postings.block, sum(postings.weights::vector * term.weights) as bounds
    from (
      select given.name, funding.filled_vector(given.weight, 1024) as weights
      from unnest(analysis.terms, analysis.term_weights) as given(name, weight)
      offset 0
    ) as term
    join funding.document_postings as postings on postings.term = term.name
    group by postings.block
    order by postings.block
  ) as summed;
end
$$;

-- Records that have parts, in the scope of a search: the slot of each, with the part's place in the list. At most `most`, in the list's order. The usual
-- scope has statements whose plan is kept.
create or replace function funding.records_of_parts(
  scope funding.search_scope, condition text, parts integer[], most integer, out record_slots integer[], out places integer[])
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if condition = funding.usual_condition(scope.dataset) and scope.dataset = 'grants' then
    select array_agg(found.slot), array_agg(found.place) into record_slots, places
    from (
      select record.slot, listed.place
      from unnest(parts) with ordinality as listed(part, place)
      join funding.document_parts as part on part.slot = listed.part
      join funding.document_records as linked on linked.document_id = part.document_id and linked.dataset = 'grants'
      join funding.grants as record on record.id = linked.record_id
      where record.classification = 'opportunity' and record.archived_at is null and record.superseded_by is null
      order by listed.place, record.slot limit most
    ) as found;
  else
    execute format($parts$
      select array_agg(found.slot), array_agg(found.place)
      from (
        select record.slot, listed.place
        from unnest($2) with ordinality as listed(part, place)
        join funding.document_parts as part on part.slot = listed.part
        join funding.document_records as linked on linked.document_id = part.document_id and linked.dataset = %1$L
        join funding.%1$I as record on record.id = linked.record_id
        where %2$s
        order by listed.place, record.slot limit $3
      ) as found
    $parts$, scope.dataset, condition)
    into record_slots, places using scope.parameters, parts, most;
  end if;
end
$$;

-- Parts that records of a scope have, as bits of each of these blocks: for a filter that few records match, which may be far down the list of parts.
create or replace function funding.part_masks(scope funding.search_scope, condition text, blocks integer[]) returns bit varying[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  parts integer[];
begin
  execute format($parts$
    select array_agg(distinct part.slot)
    from funding.%1$I as record
    join funding.document_records as linked on linked.record_id = record.id and linked.dataset = %1$L
    join funding.document_parts as part on part.document_id = linked.document_id
    where %2$s
  $parts$, scope.dataset, condition)
  into parts using scope.parameters;
  return array(
    select case when listed.block = any (given.blocks)
        then funding.bits_at(array(select part % 1024 + 1 from unnest(parts) as part where part / 1024 = listed.block), 1024)
        else repeat('0', 1024)::bit varying end
    from unnest(blocks) with ordinality as listed(block, position)
    cross join (select array(select distinct part / 1024 from unnest(parts) as part) as blocks) as given
    order by listed.position);
end
$$;

-- Records of a scope by the best passage of their documents, best first: at most 200, beside records' own words 30. Parts are looked into from the
-- highest bound on: the first `scored` that the scope's records have are scored by their passages. A record that only a later part finds keeps that part's
-- bound, below all of these, and has no passage.
create or replace function funding.document_candidates(scope funding.search_scope, analysis funding.query_analysis, maximum integer)
returns funding.ranked_passages
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  is_alone constant boolean := scope.parameters->>'search_in' = 'documents';
  scored constant integer := case when is_alone then 24 else 12 end;
  most constant integer := least(maximum, case when is_alone then 200 else 30 end);
  passage_condition constant tsquery := funding.passage_condition(scope.parameters);
  condition constant text := funding.predicate(scope.dataset, scope.parameters - array['search', 'search_mode', 'identifier_matches'])
    || case when passage_condition is not null and funding.excluded_words(scope.parameters->>'search') is not null then $c$ and not record.lexemes @@ funding.excluded_words($1->>'search')$c$ else '' end;
  least_score constant real := funding.least_passage_score(analysis);
  highest constant real := (select sum(weight) from unnest(analysis.term_weights) as weight) * funding.passage_weight(4);
  known record;
  -- Of each block, the parts that may be found; null: all.
  masks bit varying[];
  sample record;
  wanted double precision := 2 * most;
  threshold real;
  rounds integer := 0;
  slots integer[];
  bounds real[];
  -- One for each record of a part: the record's slot, and the part's place among the slots.
  record_slots integer[];
  places integer[];
  exact_parts integer[];
begin
  if analysis.any_term is null then
    return null;
  end if;
  select * into known from funding.part_bounds(analysis);
  if known.blocks is null then
    return null;
  end if;
  if scope.is_filtered and scope.matching_records < 1000 then
    masks := funding.part_masks(scope, condition, known.blocks);
  end if;
  sample := funding.largest_of(array(
    select bit_count(funding.positions_above(given.bounds, given.mask, null))
    from unnest(known.bounds, masks) with ordinality as given(bounds, mask, position) order by given.position));
  loop
    threshold := greatest(
      funding.score_of_best(known.bounds[sample.block_position], masks[sample.block_position], ceil(greatest(wanted, 8 / sample.share) * sample.share)::integer, highest), least_score);
    select array_agg(above.slot), array_agg(above.bound) into slots, bounds
    from (
      select block.number * 1024 + position - 1 as slot, (subvector(block.bounds, position, 1)::real[])[1] as bound
      from unnest(known.blocks, known.bounds, masks) as block(number, bounds, mask)
      cross join lateral unnest(funding.positions_of(funding.positions_above(block.bounds, block.mask, funding.filled_vector(threshold, 1024)))) as position
      order by bound desc, slot
    ) as above;
    -- At first only as many as are needed where each has a record in the scope.
    select found.record_slots, found.places into record_slots, places
    from funding.records_of_parts(scope, condition, case when rounds = 0 then slots[1:3 * most] else slots end, 3 * most) as found;
    exit when (select count(distinct slot) from unnest(record_slots) as slot) >= most
      or threshold <= least_score and (rounds > 0 or coalesce(cardinality(slots), 0) <= 3 * most);
    rounds := rounds + 1;
    wanted := wanted * 8;
  end loop;
  exact_parts := array(select slots[place] from unnest(places) as place group by place order by place limit scored);
  return (
    with exact as materialized (
      select found.slot as part, found.document_id, found.number, found.score
      from funding.matching_passages(exact_parts, analysis.terms, analysis.term_weights, least_score, passage_condition, 1) as found
    )
    select (array_agg(best.slot), array_agg(best.score), array_agg(best.document_id), array_agg(best.number))::funding.ranked_passages
    from (
      select found.*
      from (
        select distinct on (listed.slot) listed.slot, coalesce(exact.score, least(listed.bound, lowest.score)) as score, exact.document_id, exact.number
        from (select given.slot, slots[given.place] as part, bounds[given.place] as bound from unnest(record_slots, places) as given(slot, place)) as listed
        cross join (select min(exact.score) as score from exact) as lowest
        left join exact on exact.part = listed.part
        -- Where a passage must have or lack more than words, one that was not looked into finds nothing.
        where exact.score is not null or passage_condition is null and listed.part <> all (exact_parts)
        order by listed.slot, score desc, exact.document_id, exact.number
      ) as found
      order by found.score desc, found.slot
      limit most
    ) as best);
end
$$;

-- Two rankings as one: the better of a record's scores counts.
create or replace function funding.better_of(one funding.ranked_slots, other funding.ranked_slots, maximum integer) returns funding.ranked_slots
language plpgsql stable as $$
begin
  return (
    select (array_agg(best.slot), array_agg(best.score))::funding.ranked_slots
    from (
      select every.slot, max(every.score) as score
      from (
        select found.slot, found.score from unnest(one.slots, one.scores) as found(slot, score)
        union all
        select found.slot, found.score from unnest(other.slots, other.scores) as found(slot, score)
      ) as every
      group by every.slot
      order by score desc, every.slot
      limit maximum
    ) as best);
end
$$;

-- Keyword leg with what documents find: the score of a passage has the weight `document_weight`.
create or replace function funding.with_documents(own funding.ranked_slots, documents funding.ranked_passages, maximum integer)
returns funding.ranked_slots
language plpgsql stable as $$
declare
  weight constant double precision := funding.setting('document_weight')::double precision;
begin
  if documents.slots is null then
    return own;
  end if;
  return funding.better_of(own,
    (documents.slots, array(select score * weight from unnest(documents.scores) with ordinality as given(score, place) order by place)), maximum);
end
$$;

-- Semantic leg with what documents find: a passage is as near as the share of the words that it has, by their weights, times 0.6. One that has a word
-- often has up to 1.7 times its weight. Passages have no vectors: those of three a search, made anew, took six milliseconds and ranked no better.
create or replace function funding.with_near_documents(
  by_meaning funding.ranked_slots, documents funding.ranked_passages, analysis funding.query_analysis, maximum integer)
returns funding.ranked_slots
language plpgsql stable as $$
declare
  possible_score constant double precision := (select nullif(sum(idf), 0) from unnest(analysis.word_idfs) as idf);
  least_similarity constant double precision := funding.model_setting('floor_similarity');
  near funding.ranked_slots;
begin
  if documents.slots is null or analysis.embedding is null then
    return by_meaning;
  end if;
  select array_agg(found.slot), array_agg(found.similarity) into near
  from (
    select given.slot, least(1, 0.6 * given.score / possible_score) as similarity from unnest(documents.slots, documents.scores) as given(slot, score)
  ) as found
  where found.similarity >= least_similarity;
  return funding.better_of(by_meaning, near, maximum);
end
$$;
