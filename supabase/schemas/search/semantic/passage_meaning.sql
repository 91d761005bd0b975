-- Meaning of the passages by which documents find records.

-- Vectors of the best passages are made for a search and not kept: each fit of the lexicon would make those of all documents anew. Under an external
-- model passages have none, and documents are found by their words.

-- Records nearest in meaning, with those whose best passage is nearer than they are: the first `compared` that documents find.
create or replace function funding.with_passage_meaning(
  by_meaning funding.ranked_slots, by_documents funding.ranked_passages, analysis funding.query_analysis, maximum integer)
returns funding.ranked_slots
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  compared constant integer := 3;
  generation constant integer := (select fit.generation from funding.lexicon_fit as fit);
  least_score constant double precision := funding.model_setting('floor_similarity');
begin
  -- A zero vector has no direction.
  if funding.external_model() is not null or analysis.embedding is null or l2_norm(analysis.embedding) = 0 then
    return by_meaning;
  end if;
  return (
    select (array_agg(best.slot), array_agg(best.score))::funding.ranked_slots
    from (
      select every.slot, max(every.score) as score
      from (
        select found.slot, found.score from unnest(by_meaning.slots, by_meaning.scores) as found(slot, score)
        union all
        select found.slot, greatest(1 - (funding.lexicon_embedding(funding.passage_lexemes(passage.heading, passage.body), generation) <=> analysis.embedding::vector), 0)
          * analysis.known_share
        from unnest(by_documents.slots[:compared], by_documents.documents[:compared], by_documents.numbers[:compared]) as found(slot, document_id, number)
        join funding.document_passages as passage on passage.document_id = found.document_id and passage.number = found.number
      ) as every
      where every.score >= least_score
      group by every.slot
      order by score desc, every.slot
      limit maximum
    ) as best);
end
$$;
