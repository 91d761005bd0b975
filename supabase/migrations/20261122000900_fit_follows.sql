-- A load that a fit follows at once does not compute BM25 vectors.
--
-- The first fit computes them anew for every record, because it changes the average length. On the demo records the vectors were
-- nearly half of the time that loading took. A session says so by `set funding.fit_follows to 'on'`; until the fit is adopted, the
-- records that it wrote are found by no keyword search. The first start of the embedded stack does, before it answers anybody.

create or replace function funding.index_record() returns trigger
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit funding.lexicon_fit;
begin
  select * into fit from funding.lexicon_fit;
  if tg_table_name = 'funders' then
    new.document := funding.record_document(new.name, new.summary);
  else
    new.document := funding.record_document(new.title, new.description);
  end if;
  new.bm25 := case when current_setting('funding.fit_follows', true) is distinct from 'on'
    then funding.bm25_document(new.document, fit.average_length, fit.bm25_k1, fit.bm25_b, fit.bm25_title_weight) end;
  new.posting_number := null;
  -- A vector of an external model belongs to text that is gone; the embedder makes the new one.
  new.embedding := null;
  new.embedding_model := null;
  if fit.dimensions > 0 and funding.setting('embedding_model') = '"lexicon"' then
    new.embedding := funding.lexicon_embedding(new.document)::halfvec;
    new.embedding_model := 'lexicon';
  end if;
  return new;
end
$$;
