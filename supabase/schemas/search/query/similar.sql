-- More like this: a search whose query is a record (`similar_to`).

-- Dataset and slot of the record with an id, in the searched dataset or another. Raises PT400, which names the parameter, for an id that no record
-- has.
create or replace function funding.find_record(dataset text, record_id uuid, out found_dataset text, out slot integer)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  foreach found_dataset in array array[dataset] || array_remove(array['grants', 'contracts', 'funders'], dataset) loop
    slot := funding.slot_of(found_dataset, record_id);
    if slot is not null then
      return;
    end if;
  end loop;
  raise sqlstate 'PT400' using message = 'must be the id of a grant, contract or funder; no record has this one', hint = 'similar_to';
end
$$;

-- Slot of the record of a dataset with an id; null where the dataset has no such record.
create or replace function funding.slot_of(dataset text, record_id uuid) returns integer
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  slot integer;
begin
  execute format('select record.slot from funding.%I as record where record.id = $1', dataset) into slot using record_id;
  return slot;
end
$$;

-- Query made of a record: its stored vector, and its eight most telling words: those with the highest inverse document frequency times weight
-- in the record. (Each further word costs a millisecond.)
create or replace function funding.query_like(dataset text, record_id uuid) returns funding.query_analysis
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  most_words constant integer := 8;
  likeness constant record := funding.find_record(dataset, record_id);
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  documents constant integer := greatest(fit.documents, 1);
  lexemes tsvector;
  analysis funding.query_analysis;
begin
  execute format('select record.lexemes from funding.%I as record where record.slot = $1', likeness.found_dataset)
  into lexemes using likeness.slot;
  select string_agg(funding.quoted_lexeme(best.term), ' | ')::tsquery as any_term,
         array_agg(best.term order by best.term) as terms,
         array_agg(best.idf * best.weight order by best.term) as term_weights,
         array_agg(best.weight order by best.term) as term_factors,
         array_agg(best.idf order by best.term) as term_word_idfs,
         1 - exp(sum(ln(1 - least(best.document_frequency / documents::double precision, 0.999)))) as matching_share,
         array_agg(funding.quoted_lexeme(best.term)::tsquery order by best.term) as words,
         array_agg(best.idf order by best.term) as word_idfs,
         array_agg(best.idf * best.weight order by best.term) as word_weights
  into analysis.any_term, analysis.terms, analysis.term_weights, analysis.term_factors, analysis.term_word_idfs, analysis.matching_share,
       analysis.words, analysis.word_idfs, analysis.word_weights
  from (
    select word.term, coalesce(lexicon.document_frequency, 0) as document_frequency,
           funding.inverse_document_frequency(documents, coalesce(lexicon.document_frequency, 0)) as idf,
           funding.bm25_weight(word.frequency, funding.record_length(lexemes, fit.bm25_title_weight), fit.average_length, fit.bm25_k1, fit.bm25_b) as weight
    from funding.term_frequencies(lexemes, fit.bm25_title_weight) as word
    left join funding.lexicon on lexicon.generation = fit.generation and lexicon.term = word.term
    -- A word that only this record has finds no other record.
    where coalesce(lexicon.document_frequency, 2) > 1
    order by funding.inverse_document_frequency(documents, coalesce(lexicon.document_frequency, 0))
      * funding.bm25_weight(word.frequency, 1, 1, fit.bm25_k1, 0) desc, word.term
    limit most_words
  ) as best;
  execute format('select known.embedding from funding.%I as known where known.slot = $1 and known.passage = 0', funding.vectors_table(likeness.found_dataset, fit.vectors))
  into analysis.embedding using likeness.slot;
  analysis.known_share := 1;
  return analysis;
end
$$;
