-- A fit is made beside the one in force, as another generation: its lexicon, each record's vector by it, with the indexes of those, and one
-- segment of all records. It comes into force when `lexicon_fit` names its generation (`funding.adopt_fit`), so that a search is answered by one
-- fit or by the other. It changes no record, and nobody waits for it: while it fills its vectors, whoever writes a record writes its vector
-- for both (`funding.store_vector`).

-- Deletes what belongs to the generation that is not in force: the fit before, or one that is being made, which is given up.
create or replace function funding.forget_fit() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  known_dataset text;
  other_generation constant integer := (select 1 - generation from funding.lexicon_fit);
  other_vectors constant integer := (select 1 - vectors from funding.lexicon_fit);
begin
  delete from funding.next_fit;
  delete from funding.lexicon where generation = other_generation;
  foreach known_dataset in array array['funders', 'grants', 'contracts'] loop
    perform funding.drop_segments(known_dataset, array(
      select distinct blocks.segment from funding.blocks
      where blocks.dataset = known_dataset
        and blocks.block between funding.first_block(other_generation) and funding.last_block(other_generation)));
    perform funding.delete_vectors(known_dataset, other_vectors);
  end loop;
end
$$;

-- Begins a fit, in place of any other that is being made. Returns its id, which each further step has to name. Weights of BM25 that are
-- not given are those of the settings.
create or replace function funding.begin_fit(documents integer, average_length real, dimensions integer,
  bm25_k1 real default funding.setting('bm25_k1')::real, bm25_b real default funding.setting('bm25_b')::real,
  bm25_title_weight real default funding.setting('bm25_title_weight')::real) returns uuid
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid := gen_random_uuid();
  makes_vectors constant boolean := funding.setting('embedding_model') = '"lexicon"';
begin
  perform funding.forget_fit();
  perform funding.renumber_slots(dataset) from unnest(array['funders', 'grants', 'contracts']) as dataset;
  insert into funding.next_fit (
    id, documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight, makes_vectors, generation, vectors)
  select fit, begin_fit.documents, begin_fit.average_length, begin_fit.dimensions, begin_fit.bm25_k1, begin_fit.bm25_b, begin_fit.bm25_title_weight,
         makes_vectors, 1 - former.generation, case when makes_vectors then 1 - former.vectors else former.vectors end
  from funding.lexicon_fit as former;
  return fit;
end
$$;

-- Fit that is being made. Raises when another was begun, so that two cannot be mixed.
create or replace function funding.fit_in_preparation(fit uuid) returns funding.next_fit
language plpgsql as $$
declare
  found_fit funding.next_fit;
begin
  update funding.next_fit set prepared_at = now() where id = fit returning * into found_fit;
  if not found then
    raise exception 'this fit was given up, because another was begun' using errcode = 'PT409';
  end if;
  return found_fit;
end
$$;

-- Gives up a fit of which nothing was heard for six hours, and deletes what it had made: the command that made it was ended.
create or replace function funding.forget_lost_fit() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  if exists (select from funding.next_fit where prepared_at < now() - interval '6 hours') then
    perform funding.forget_fit();
  end if;
end
$$;

-- Adds terms to the next lexicon. A vector is the text of one, or null.
create or replace function funding.prepare_terms(fit uuid, terms text[], document_frequencies integer[], vectors text[]) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  insert into funding.lexicon (generation, term, document_frequency, vector)
  select next.generation, item.term, item.frequency, item.vector::vector
  from unnest(terms, document_frequencies, vectors) as item(term, frequency, vector);
end
$$;

-- Says that the next lexicon is complete. Whoever begins to write to the datasets from now on also writes vectors by it.
create or replace function funding.start_filling(fit uuid) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  update funding.next_fit set is_filling = true where id = next.id;
end
$$;

-- Makes the vectors, by the next lexicon, of up to `maximum` records of a dataset (null: all): those after a slot. Whoever was writing when the
-- lexicon became complete has to have ended. Returns how many records it read, and the last one's slot.
create or replace function funding.prepare_vectors(
  fit uuid, dataset text, after integer, maximum integer, out prepared integer, out last_slot integer)
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  execute format($prepare$
    with record as materialized (
      select record.posting_number, record.document, %3$s as is_usual
      from funding.%1$I as record where record.posting_number > $1 order by record.posting_number limit $2
    ), stored as (
      insert into funding.%2$I (slot, embedding, is_usual)
      select made.posting_number, made.embedding, made.is_usual
      from (
        select record.posting_number, record.is_usual, case when $4 then funding.lexicon_embedding(record.document, $3)::halfvec end as embedding
        from record
      ) as made
      where made.embedding is not null
      on conflict do nothing
    )
    select count(*), max(record.posting_number) from record
  $prepare$, dataset, funding.vectors_table(dataset, next.vectors), funding.usual_condition(dataset))
  into prepared, last_slot using after, maximum, next.generation, next.makes_vectors;
end
$$;

-- Deletes the next vectors of records that changed or went while theirs were being made.
create or replace function funding.prune_vectors(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  if next.makes_vectors then
    execute format('delete from funding.%I as known where not exists (select from funding.%I as record where record.posting_number = known.slot)',
      funding.vectors_table(dataset, next.vectors), dataset);
  end if;
end
$$;

-- Next fit as a row of `lexicon_fit`.
create or replace function funding.as_lexicon_fit(next funding.next_fit) returns funding.lexicon_fit
language sql immutable as $$
  select jsonb_populate_record(null::funding.lexicon_fit, to_jsonb(next))
$$;

-- Makes the posting lists of the next segment of all records of a dataset, by the next lexicon. False where it is not known of any slot whether its record
-- is visible yet: to be called again.
create or replace function funding.prepare_postings(fit uuid, dataset text) returns boolean
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  block constant integer := funding.first_block(next.generation);
  last_slot integer;
  first_slot integer;
begin
  -- Seals look at the same marks.
  perform pg_advisory_xact_lock(funding.segments_lock(dataset));
  last_slot := funding.settled_slot(dataset);
  if last_slot is null then
    return false;
  end if;
  execute format('select min(posting_number) from funding.%I where posting_number <= $1', dataset) into first_slot using last_slot;
  if first_slot is not null then
    perform funding.index_words(
      -- A dense vector holds no more than sixteen thousand.
      (dataset, block, block, first_slot, last_slot - first_slot + 1, least(last_slot - first_slot + 1, 16000)),
      funding.slotted_records(dataset, first_slot, last_slot), funding.as_lexicon_fit(next));
  end if;
  return true;
end
$$;

-- Makes the bitmaps of the next segment of a dataset, after its posting lists.
create or replace function funding.prepare_bitmaps(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  segment funding.segment;
begin
  select known.dataset, known.segment, min(known.block), min(known.first_slot), sum(known.size), max(known.size) into segment
  from funding.blocks as known
  where known.dataset = prepare_bitmaps.dataset and known.segment = funding.first_block(next.generation)
  group by 1, 2;
  if segment.number is not null then
    perform funding.index_fields(segment, funding.slotted_records(dataset, segment.first_slot, segment.first_slot + segment.slots - 1),
      funding.as_lexicon_fit(next));
  end if;
end
$$;

-- Puts a fit in force: searches use the former one until this transaction ends. Writers do not wait for it.
create or replace function funding.adopt_fit(fit uuid) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  adopted text;
begin
  if next.makes_vectors <> (funding.setting('embedding_model') = '"lexicon"') then
    raise exception 'this fit was given up, because the embedding model was changed' using errcode = 'PT409';
  end if;
  foreach adopted in array array['funders', 'grants', 'contracts'] loop
    -- Slots that were retired while the segment was made are masked with the others. Whoever masks them elsewhere has this lock.
    perform pg_advisory_xact_lock(funding.segments_lock(adopted));
    delete from funding.retired_numbers where dataset = adopted;
    execute format($alive$
      update funding.bitmaps as known
      set bits = alive.bits
      from (
        select blocks.block, coalesce(
          funding.bits_at(array_agg(record.posting_number - blocks.first_slot + 1) filter (where record.posting_number is not null), blocks.size),
          repeat('0', blocks.size)::bit varying) as bits
        from funding.blocks
        left join funding.%1$I as record on record.posting_number between blocks.first_slot and blocks.first_slot + blocks.size - 1
        where blocks.dataset = %1$L and blocks.segment = $1
        group by blocks.block, blocks.size
      ) as alive
      where known.dataset = %1$L and known.name = 'all' and known.block = alive.block
    $alive$, adopted) using funding.first_block(next.generation);
  end loop;
  update funding.lexicon_fit
  set documents = next.documents, average_length = next.average_length, dimensions = next.dimensions, bm25_k1 = next.bm25_k1,
      bm25_b = next.bm25_b, bm25_title_weight = next.bm25_title_weight, generation = next.generation, vectors = next.vectors, fitted_at = now();
  delete from funding.next_fit;
  -- Pages in caches are of the former fit.
  update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where data_versions.dataset = 'search';
end
$$;

-- Indexes every record anew by the lexicon as it stands and with its weights, in the caller's transaction, in which nobody else may write to the
-- datasets. Returns their number.
create or replace function funding.reindex_records() returns bigint
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid := (select funding.begin_fit(documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight) from funding.lexicon_fit);
  vectors constant integer := (select next.vectors from funding.next_fit as next);
  dataset text;
  total bigint := 0;
begin
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  perform funding.drop_vector_indexes(vectors);
  insert into funding.lexicon (generation, term, document_frequency, vector)
  select next.generation, known.term, known.document_frequency, known.vector
  from funding.next_fit as next join funding.lexicon as known on known.generation = 1 - next.generation;
  perform funding.start_filling(fit);
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    total := total + (funding.prepare_vectors(fit, dataset, 0, null)).prepared;
    perform funding.prepare_postings(fit, dataset);
    perform funding.prepare_bitmaps(fit, dataset);
  end loop;
  perform funding.refresh_vector_indexes(vectors);
  perform funding.adopt_fit(fit);
  perform funding.forget_fit();
  return total;
end
$$;
