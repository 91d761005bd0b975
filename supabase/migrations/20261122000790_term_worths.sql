-- A fit computes a term's inverse document frequency once.
--
-- The inverted index did so for each word of each record, in exact decimals: a third of the time that it took to prepare. The
-- weights are the same.

alter table funding.next_lexicon add column worth real;

-- Adds terms to the next lexicon, with what each is worth. A vector is the text of one, or null.
create or replace function funding.prepare_terms(fit uuid, terms text[], document_frequencies integer[], vectors text[]) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  insert into funding.next_lexicon (term, document_frequency, vector, worth)
  select item.term, item.frequency, item.vector::vector, funding.inverse_document_frequency(greatest(next.documents, 1), item.frequency)
  from unnest(terms, document_frequencies, vectors) as item(term, frequency, vector);
end
$$;

-- Makes a dataset's next inverted index, of the records that are prepared as they now are. A term that came without its worth
-- (`reindex_records` copies the lexicon) gets it here.
create or replace function funding.prepare_postings(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  update funding.next_lexicon set worth = funding.inverse_document_frequency(greatest(next.documents, 1), document_frequency)
  where worth is null;
  execute format($postings$
    insert into funding.next_postings (dataset, term, block, weights)
    select $1, word.term, (ready.posting_number - 1) / 16000,
           ('{' || string_agg((ready.posting_number - 1) %% 16000 + 1 || ':'
             || funding.bm25_weight(word.frequency, length.terms, $2, $3, $4) * coalesce(lexicon.worth, $7), ',') || '}/' || $6)::sparsevec
    from funding.next_vectors as ready
    join funding.%I as record on record.id = ready.id and record.xmin = ready.row_version
    cross join lateral (select sum(frequency) as terms from funding.term_frequencies(record.document, $5)) as length
    cross join lateral funding.term_frequencies(record.document, $5) as word
    left join funding.next_lexicon as lexicon on lexicon.term = word.term
    where ready.dataset = $1
    group by 2, 3
  $postings$, dataset)
  using dataset, next.average_length, next.bm25_k1, next.bm25_b, next.bm25_title_weight,
        (select least(max(posting_number), 16000) from funding.next_vectors where next_vectors.dataset = prepare_postings.dataset),
        -- A word that is not in the lexicon.
        funding.inverse_document_frequency(greatest(next.documents, 1), 0);
end
$$;
