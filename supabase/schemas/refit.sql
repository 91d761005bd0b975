-- A fit is prepared in tables beside those that searches use, in batches: the next lexicon, what each record will be found by,
-- and the next posting lists. Adopting it moves all of that into place in one transaction, so that a search is answered by one
-- fit or by the other. Readers do not wait for it. Writers do, for the time that moving finished vectors takes: 4 s on 115,700
-- records. A crash empties the tables of the next fit, which are unlogged, and the fit starts again.

-- Deletes what was prepared.
create or replace function funding.forget_fit() returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  truncate funding.next_fit, funding.next_lexicon, funding.next_vectors, funding.next_postings,
    funding.next_blocks, funding.next_bitmaps, funding.next_ranks, funding.next_segment_values, funding.next_segment_slices
$$;

-- Begins to prepare a fit, in place of any other. Returns its id, which each further step has to name. Weights of BM25 that are
-- not given are those of the settings.
create or replace function funding.begin_fit(documents integer, average_length real, dimensions integer,
  bm25_k1 real default funding.setting('bm25_k1')::real, bm25_b real default funding.setting('bm25_b')::real,
  bm25_title_weight real default funding.setting('bm25_title_weight')::real) returns uuid
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid := gen_random_uuid();
begin
  perform funding.forget_fit();
  insert into funding.next_fit (id, documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight, makes_vectors, keeps_numbers)
  values (fit, documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight, funding.setting('embedding_model') = '"lexicon"', (
    select bool_and(slots <= 1.5 * records) from (
      select funding.slots_needed('funders') as slots, count(*) as records from funding.funders
      union all select funding.slots_needed('grants'), count(*) from funding.grants
      union all select funding.slots_needed('contracts'), count(*) from funding.contracts
    ) as needed
  ) is not false);
  return fit;
end
$$;

-- Fit in preparation. Raises when another was begun, so that two cannot be mixed.
create or replace function funding.fit_in_preparation(fit uuid) returns funding.next_fit
language plpgsql stable as $$
declare
  found_fit funding.next_fit;
begin
  select * into found_fit from funding.next_fit where id = fit;
  if not found then
    raise exception 'this fit was given up, because another was begun' using errcode = 'PT409';
  end if;
  return found_fit;
end
$$;

-- Adds terms to the next lexicon, each with its inverse document frequency. A vector is the text of one, or null.
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

-- Computes, by the next lexicon, what up to `maximum` records of a dataset (null: all) will be found by: those after `after`,
-- by id, that are not prepared as they now are. Returns how many, and the last one's id.
create or replace function funding.prepare_records(
  fit uuid, dataset text, after uuid, maximum integer, out prepared integer, out last_id uuid)
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  highest integer;
begin
  execute format($highest$
    select greatest(
      (select max(posting_number) from funding.next_vectors where dataset = $1),
      (select max(posting_number) from funding.%I where $2),
      0)
  $highest$, dataset)
  into highest using dataset, next.keeps_numbers;
  execute format($prepare$
    with written as (
      insert into funding.next_vectors as ready (dataset, id, row_version, posting_number, bm25, embedding)
      select $1, record.id, record.xmin,
             coalesce(case when $9 then record.posting_number end, $10
               + count(*) filter (where record.posting_number is null or not $9) over (order by record.id)),
             funding.bm25_document(record.document, $4, $5, $6, $7),
             case when $8 then funding.next_lexicon_embedding(record.document)::halfvec end
      from funding.%I as record
      where record.id > $2 and record.xmin is distinct from (
        select ready.row_version from funding.next_vectors as ready where ready.dataset = $1 and ready.id = record.id)
      order by record.id
      limit $3
      on conflict on constraint next_vectors_pkey do update
        set row_version = excluded.row_version, bm25 = excluded.bm25, embedding = excluded.embedding
      returning ready.id
    )
    select count(*), (array_agg(written.id order by written.id desc))[1] from written
  $prepare$, dataset)
  into prepared, last_id
  using dataset, after, maximum, next.average_length, next.bm25_k1, next.bm25_b, next.bm25_title_weight, next.makes_vectors,
        next.keeps_numbers, highest;
end
$$;

-- Segment that a fit prepares of a dataset, and its records as SQL: those that are prepared as they now are. Null where there are none.
create or replace function funding.segment_in_preparation(dataset text, out segment funding.segment, out records text)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  slots constant integer := (select max(posting_number) from funding.next_vectors where next_vectors.dataset = segment_in_preparation.dataset);
begin
  if slots is null then
    return;
  end if;
  -- A dense vector holds no more than sixteen thousand.
  segment := (dataset, 0, 0, 1, slots, least(slots, 16000));
  records := format('select ready.posting_number as slot, record.*
    from funding.next_vectors as ready join funding.%1$I as record on record.id = ready.id and record.xmin = ready.row_version
    where ready.dataset = %1$L', dataset);
end
$$;

-- Makes a dataset's next posting lists. A term that came without its inverse document frequency (`reindex_records` copies the lexicon) gets
-- it here.
create or replace function funding.prepare_postings(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  prepared constant record := funding.segment_in_preparation(dataset);
begin
  update funding.next_lexicon set worth = funding.inverse_document_frequency(greatest(next.documents, 1), document_frequency)
  where worth is null;
  if prepared.segment is not null then
    perform funding.index_words(prepared.segment, prepared.records, 'next_', next.average_length, next.bm25_k1, next.bm25_b,
      -- A word that is not in the lexicon is as rare as a word can be.
      next.bm25_title_weight, format('coalesce(lexicon.worth, %s)', funding.inverse_document_frequency(greatest(next.documents, 1), 0)));
  end if;
end
$$;

-- Makes a dataset's next bitmaps, after its posting lists.
create or replace function funding.prepare_bitmaps(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  prepared constant record := funding.segment_in_preparation(dataset);
begin
  if prepared.segment is not null then
    perform funding.index_fields(prepared.segment, prepared.records, 'next_', next.documents * 0.01);
  end if;
end
$$;

-- Puts a dataset's prepared segment in force, in place of all that it has, once its records have their slots. Those that changed since they
-- were prepared have other slots.
create or replace function funding.adopt_segment(dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  perform funding.drop_segments(dataset);
  insert into funding.blocks (dataset, block, segment, first_slot, size)
  select next.dataset, block, segment, first_slot, size from funding.next_blocks as next where next.dataset = adopt_segment.dataset;
  insert into funding.postings (dataset, term, block, weights)
  select next.dataset, term, block, weights from funding.next_postings as next where next.dataset = adopt_segment.dataset;
  insert into funding.bitmaps (dataset, name, block, bits)
  select next.dataset, name, block, bits from funding.next_bitmaps as next where next.dataset = adopt_segment.dataset;
  insert into funding.ranks (dataset, field, block, ranks)
  select next.dataset, field, block, ranks from funding.next_ranks as next where next.dataset = adopt_segment.dataset;
  insert into funding.segment_values (dataset, field, segment, value, rank)
  select next.dataset, field, segment, value, rank from funding.next_segment_values as next where next.dataset = adopt_segment.dataset;
  insert into funding.segment_slices (dataset, field, segment, slice, bits)
  select next.dataset, field, segment, slice, bits from funding.next_segment_slices as next where next.dataset = adopt_segment.dataset;
  execute format($retired$
    insert into funding.retired_numbers (dataset, number)
    select $1, ready.posting_number from funding.next_vectors as ready
    where ready.dataset = $1 and not exists (
      select from funding.%I as record where record.id = ready.id and record.posting_number = ready.posting_number)
  $retired$, dataset) using dataset;
end
$$;

-- Puts what was prepared in force, in the caller's transaction: searches use the old fit until it commits. A record that came or
-- changed since it was prepared is computed here, and gets a slot above those of the segment.
create or replace function funding.adopt_fit(fit uuid) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  adopted text;
begin
  foreach adopted in array array['funders', 'grants', 'contracts'] loop
    perform pg_advisory_xact_lock(funding.segments_lock(adopted));
  end loop;
  -- From here on a writer waits for this transaction, and indexes its records by the new fit.
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  if next.makes_vectors <> (funding.setting('embedding_model') = '"lexicon"') then
    raise exception 'this fit was given up, because the embedding model was changed' using errcode = 'PT409';
  end if;

  -- They may be of slots that are given out again.
  delete from funding.slot_marks;
  delete from funding.lexicon;
  insert into funding.lexicon (term, document_frequency, vector)
  select term, document_frequency, vector from funding.next_lexicon;
  update funding.lexicon_fit
  set documents = next.documents, average_length = next.average_length, dimensions = next.dimensions, bm25_k1 = next.bm25_k1,
      bm25_b = next.bm25_b, bm25_title_weight = next.bm25_title_weight, fitted_at = now();

  foreach adopted in array array['funders', 'grants', 'contracts'] loop
    -- In this transaction, as nobody else can give out slots until it ends.
    execute format('alter sequence funding.%I restart with %s', adopted || '_slots', (
      select coalesce(max(first_slot + size), 1) from funding.next_blocks where next_blocks.dataset = adopted));
    execute format($stragglers$
      update funding.%I as record
      set bm25 = funding.bm25_document(record.document, $2, $3, $4, $5), posting_number = null %s
      where not exists (
        select from funding.next_vectors as ready
        where ready.dataset = $1 and ready.id = record.id and ready.row_version = record.xmin)
    $stragglers$, adopted, case when next.makes_vectors
      then $c$, embedding = funding.lexicon_embedding(record.document)::halfvec, embedding_model = 'lexicon'$c$ else '' end)
    using adopted, next.average_length, next.bm25_k1, next.bm25_b, next.bm25_title_weight;

    execute format($move$
      update funding.%I as record
      set bm25 = ready.bm25, posting_number = ready.posting_number %s
      from funding.next_vectors as ready
      where ready.dataset = $1 and ready.id = record.id and ready.row_version = record.xmin
    $move$, adopted, case when next.makes_vectors then $c$, embedding = ready.embedding, embedding_model = 'lexicon'$c$ else '' end)
    using adopted;
    perform funding.adopt_segment(adopted);
  end loop;
end
$$;

-- Indexes every record anew by the lexicon as it stands and with its weights, in the caller's transaction. Returns their number.
create or replace function funding.reindex_records() returns bigint
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid := (select funding.begin_fit(documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight) from funding.lexicon_fit);
  dataset text;
  total bigint := 0;
begin
  insert into funding.next_lexicon (term, document_frequency, vector)
  select term, document_frequency, vector from funding.lexicon;
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    total := total + (funding.prepare_records(fit, dataset, '00000000-0000-0000-0000-000000000000', null)).prepared;
    perform funding.prepare_postings(fit, dataset);
    perform funding.prepare_bitmaps(fit, dataset);
  end loop;
  perform funding.adopt_fit(fit);
  perform funding.forget_fit();
  return total;
end
$$;
