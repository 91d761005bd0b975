-- Index of documents by the words of their passages. A document has parts of up to 240 passages. A block of the inverted index has 1,024 parts; the weight of
-- a term in a part is that in the passage which has it most often. So the weights of a search's terms together are at least the score of the best passage,
-- and only parts above a score need be looked into (block-max, as Ding and Suel, 2011). The index has no fit: it is exact after each change.

-- Weight of a word in a passage: how often it is there, saturated as in BM25. Passages have about one length, so that it is not normalised.
create or replace function funding.passage_weight(frequency integer) returns real
language sql immutable parallel safe as $$
  select (least(frequency, 4) * 2.2 / (least(frequency, 4) + 1.2))::real
$$;

-- Words of a passage, with its headings'.
create or replace function funding.passage_lexemes(heading text, body text) returns tsvector
language sql immutable parallel safe as $$
  select to_tsvector('funding.english', funding.with_acronyms(funding.separate_words(concat_ws(E'\n', nullif(heading, ''), body))))
$$;

-- Adds the passages of documents to the index.
create or replace function funding.index_documents(ids uuid[]) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  -- Of each new part: its document, and its first passage.
  part_documents uuid[];
  first_passages integer[];
  slots integer[];
begin
  select array_agg(part.document_id order by part.document_id, part.first_passage), array_agg(part.first_passage order by part.document_id, part.first_passage)
  into part_documents, first_passages
  from (
    select passage.document_id, min(passage.number) as first_passage
    from funding.document_passages as passage where passage.document_id = any (ids)
    group by passage.document_id, (passage.number - 1) / 240
  ) as part;
  -- Slots that removed parts left come first.
  slots := array(
    select free.slot
    from generate_series(0, (select coalesce(max(known.slot), -1) from funding.document_parts as known) + cardinality(part_documents)) as free(slot)
    where not exists (select from funding.document_parts as known where known.slot = free.slot)
    order by 1 limit cardinality(part_documents));
  insert into funding.document_parts (slot, document_id, first_passage, words)
  select part.slot, part.document_id, part.first_passage, coalesce((
    select string_agg(format('''%s'':%s', replace(replace(word.term, '\', '\\'), '''', ''''''), word.positions), ' ')::tsvector
    from (
      select said.lexeme as term,
             string_agg(((passage.number - part.first_passage) * 4 + least(cardinality(said.positions), 4))::text, ',' order by passage.number) as positions
      from funding.document_passages as passage
      cross join unnest(funding.passage_lexemes(passage.heading, passage.body)) as said
      where passage.document_id = part.document_id and passage.number between part.first_passage and part.first_passage + 239
      group by said.lexeme
    ) as word), '')
  from unnest(slots, part_documents, first_passages) as part(slot, document_id, first_passage);
  insert into funding.document_postings as known (term, block, weights)
  select word.lexeme, part.slot / 1024,
         ('{' || string_agg(part.slot % 1024 + 1 || ':' || funding.passage_weight(funding.highest_frequency(word.positions)), ',' order by part.slot)
           || '}/1024')::sparsevec
  from funding.document_parts as part cross join unnest(part.words) as word
  where part.slot = any (slots)
  group by 1, 2
  order by 1, 2
  on conflict on constraint document_postings_pkey do update set weights = (known.weights::vector + excluded.weights::vector)::sparsevec;
end
$$;

-- Most that a word is in one passage, by its positions in a part's words.
create or replace function funding.highest_frequency(positions smallint[]) returns integer
language sql immutable parallel safe as $$
  select max((position - 1) % 4 + 1) from unnest(positions) as position
$$;

-- Takes documents out of the index.
create or replace function funding.unindex_documents(ids uuid[]) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  with part as (
    delete from funding.document_parts as known where known.document_id = any (ids) returning known.slot, known.words
  ), gone as (
    select part.slot / 1024 as block, array_agg(part.slot % 1024 + 1) as positions from part group by 1
  ), kept as (
    select gone.block, (
      select array_agg(case when position = any (gone.positions) then 0 else 1 end order by position)::vector from generate_series(1, 1024) as position) as mask
    from gone
  ), touched as (
    select distinct term, part.slot / 1024 as block from part cross join unnest(tsvector_to_array(part.words)) as term
  ), changed as (
    select postings.term, postings.block, (postings.weights::vector * kept.mask)::sparsevec as weights
    from touched join kept using (block) join funding.document_postings as postings using (term, block)
  ), emptied as (
    delete from funding.document_postings as postings using changed
    where postings.term = changed.term and postings.block = changed.block and l2_norm(changed.weights) = 0
  )
  update funding.document_postings as postings set weights = changed.weights
  from changed
  where postings.term = changed.term and postings.block = changed.block and l2_norm(changed.weights) > 0;
end
$$;
