-- A fit is made beside the one in force, as another generation: its lexicon, each record's vector by that lexicon, with the vectors' indexes, and
-- segments of all records. It comes into force when `lexicon_fit` names its generation (`funding.adopt_fit`), so that a search is answered by one fit
-- or by the other. A fit changes no record, and nobody waits for it. While it fills its vectors, a transaction that writes a record writes the
-- record's vectors for both fits (`funding.store_vector`).

-- Locks the row that names the generation in force, and returns it: a transaction that changes the generation, or deletes the other one, relies on
-- this row. Searches do not wait.
create or replace function funding.lock_fit() returns funding.lexicon_fit
language plpgsql volatile as $$
declare
  fit funding.lexicon_fit;
begin
  select * into fit from funding.lexicon_fit for update;
  return fit;
end
$$;

-- Deletes the data of the generation that is not in force: of the former fit, or of a fit that is being made. A fit that is being made is given up,
-- unless `gives_up` is false: then nothing is deleted.
create or replace function funding.forget_fit(gives_up boolean default true) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := funding.lock_fit();
  known_dataset text;
begin
  if not gives_up and exists (select from funding.next_fit) then
    return;
  end if;
  delete from funding.next_fit;
  delete from funding.lexicon where generation = 1 - fit.generation;
  foreach known_dataset in array array['funders', 'grants', 'contracts'] loop
    perform funding.drop_segments(known_dataset, array(
      select distinct blocks.segment from funding.blocks
      where blocks.dataset = known_dataset
        and blocks.block between funding.first_block(1 - fit.generation) and funding.last_block(1 - fit.generation)));
    perform funding.delete_vectors(known_dataset, 1 - fit.vectors);
  end loop;
end
$$;

-- Whether the tables of vectors with a number have any vector. Looked up by their indexes: `exists` would read all deleted rows until a vacuum.
create or replace function funding.has_vectors(vectors integer) returns boolean
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  if vectors = 0 then
    return (select min(slot) from funding.grants_vectors_0) is not null
      or (select min(slot) from funding.contracts_vectors_0) is not null
      or (select min(slot) from funding.funders_vectors_0) is not null;
  end if;
  return (select min(slot) from funding.grants_vectors_1) is not null
    or (select min(slot) from funding.contracts_vectors_1) is not null
    or (select min(slot) from funding.funders_vectors_1) is not null;
end
$$;

-- Gives up a fit that was not continued for six hours, because the command that made it has ended. Then deletes what is left of the generation that is
-- not in force, and of a replaced embedding model: at most `most` rows of each table and one segment at a time. Returns whether it deleted any.
create or replace function funding.forget_lost_fit(most integer default 2000) returns boolean
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  known_dataset text;
  segment record;
  deleted integer;
  all_deleted integer := 0;
begin
  if not exists (select from funding.next_fit where prepared_at < funding.bounded_now() - interval '6 hours') and (
    exists (select from funding.next_fit) or not (
      -- By the index: `exists` would read every word of the generation in force to find none of the other.
      (select min(term) from funding.lexicon where generation = 1 - fit.generation) is not null
      or exists (select from funding.blocks where block between funding.first_block(1 - fit.generation) and funding.last_block(1 - fit.generation))
      or funding.has_vectors(1 - fit.vectors))) then
    return false;
  end if;
  -- Another transaction that has locked the row deletes the rest.
  select * into fit from funding.lexicon_fit for update skip locked;
  if not found then
    return false;
  end if;
  delete from funding.next_fit where prepared_at < funding.bounded_now() - interval '6 hours';
  if exists (select from funding.next_fit) then
    return false;
  end if;
  foreach known_dataset in array array['funders', 'grants', 'contracts'] loop
    select known.segment into segment from funding.blocks as known
    where known.dataset = known_dataset and known.block between funding.first_block(1 - fit.generation) and funding.last_block(1 - fit.generation) limit 1;
    if found then
      perform funding.drop_segments(known_dataset, array[segment.segment]);
      all_deleted := all_deleted + 1;
    end if;
    execute format('delete from funding.%1$I where ctid = any (array(select ctid from funding.%1$I limit $1))',
      funding.vectors_table(known_dataset, 1 - fit.vectors)) using most;
    get diagnostics deleted = row_count;
    all_deleted := all_deleted + deleted;
  end loop;
  -- The lexicon goes last: its rows show that something is left.
  if all_deleted = 0 then
    delete from funding.lexicon where ctid = any (array(select ctid from funding.lexicon where generation = 1 - fit.generation limit most));
    get diagnostics all_deleted = row_count;
  end if;
  return all_deleted > 0;
end
$$;

-- Begins a fit, in place of any other that is being made. Returns its id, which each further step has to name. Weights of BM25 that are
-- not given are those of the settings.
create or replace function funding.begin_fit(documents integer, average_length real, dimensions integer,
  bm25_k1 real default funding.setting('bm25_k1')::real, bm25_b real default funding.setting('bm25_b')::real,
  bm25_title_weight real default funding.setting('bm25_title_weight')::real, has_singular_order boolean default false) returns uuid
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  former constant funding.lexicon_fit := funding.lock_fit();
  fit constant uuid := gen_random_uuid();
  makes_vectors constant boolean := funding.setting('embedding_model') = '"lexicon"';
begin
  perform funding.require_room();
  perform funding.forget_fit();
  perform funding.renumber_slots(dataset) from unnest(array['funders', 'grants', 'contracts']) as dataset;
  if makes_vectors then
    perform funding.resize_vectors(1 - former.vectors, 'lexicon');
  end if;
  insert into funding.next_fit (
    id, documents, average_length, dimensions, bm25_k1, bm25_b, bm25_title_weight, has_singular_order, makes_vectors, generation, vectors)
  values (fit, begin_fit.documents, begin_fit.average_length, begin_fit.dimensions, begin_fit.bm25_k1, begin_fit.bm25_b, begin_fit.bm25_title_weight,
    begin_fit.has_singular_order, makes_vectors, 1 - former.generation, case when makes_vectors then 1 - former.vectors else former.vectors end);
  return fit;
end
$$;

-- Fit that is being made. Raises PT409 when the fit was given up, so that two fits cannot be mixed.
create or replace function funding.fit_in_preparation(fit uuid) returns funding.next_fit
language plpgsql as $$
declare
  found_fit funding.next_fit;
begin
  perform funding.require_room();
  update funding.next_fit set prepared_at = now() where id = fit returning * into found_fit;
  if not found then
    raise exception 'this fit was given up, because another was begun or the embedding model was changed: run npm run lexicon again' using errcode = 'PT409';
  end if;
  return found_fit;
end
$$;

-- Adds terms to the next lexicon. A vector is given as text, or null.
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

-- Marks the next lexicon as complete. Transactions that begin to write to the datasets from now on also write vectors by this lexicon. Deletes
-- the vectors that writers stored for an earlier fit. Transactions that were writing when this fit began must have ended.
create or replace function funding.start_filling(fit uuid) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  if next.makes_vectors then
    perform funding.delete_vectors(dataset, next.vectors) from unnest(array['funders', 'grants', 'contracts']) as dataset;
  end if;
  update funding.next_fit set is_filling = true where id = next.id;
end
$$;

-- Makes the vectors, by the next lexicon, of up to `maximum` records of a dataset (null: all): those after a slot. Transactions that were writing
-- when the lexicon became complete must have ended. Returns the number of records that it read, and the slot of the last one.
create or replace function funding.prepare_vectors(
  fit uuid, dataset text, after integer, maximum integer, out prepared integer, out last_slot integer)
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
begin
  execute format($prepare$
    with record as materialized (
      select record.slot, record.lexemes, %3$s as is_usual
      from funding.%1$I as record where record.slot > $1 order by record.slot limit $2
    ), made as materialized (
      -- Not within `stored`, which would make each vector twice: once to see whether the vector is null.
      select record.slot, record.is_usual, case when $4 then funding.lexicon_embedding(record.lexemes, $3)::halfvec end as embedding
      from record
    ), stored as (
      insert into funding.%2$I (slot, embedding, is_usual)
      select made.slot, made.embedding, made.is_usual from made
      where made.embedding is not null
      on conflict do nothing
    )
    select count(*), max(record.slot) from record
  $prepare$, dataset, funding.vectors_table(dataset, next.vectors), funding.usual_condition(dataset))
  into prepared, last_slot using after, maximum, next.generation, next.makes_vectors;
end
$$;

-- Next fit as a row of `lexicon_fit`.
create or replace function funding.as_lexicon_fit(next funding.next_fit) returns funding.lexicon_fit
language sql immutable as $$
  select jsonb_populate_record(null::funding.lexicon_fit, to_jsonb(next))
$$;

-- Last slot that the next segment of a dataset can have: `funding.settled_slot`. Null where the slot is not known yet: then the caller calls again.
create or replace function funding.last_slot_to_prepare(dataset text) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  -- Sealing uses the same marks.
  perform pg_advisory_xact_lock(funding.segments_lock(dataset));
  return funding.settled_slot(dataset);
end
$$;

-- Makes the posting lists of the next segments of a dataset, by the next lexicon: of all records up to a slot. There is one segment for each run of
-- slots without a gap of 4,000, since a segment takes space and time for its gaps as well.
create or replace function funding.prepare_postings(fit uuid, dataset text, last_slot integer) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  block integer := funding.first_block(next.generation);
  run record;
begin
  for run in execute format($runs$
    select min(slot) as first_slot, max(slot) as last_slot
    from (
      select given.slot, sum(given.is_new) over (order by given.slot) as stretch
      from (
        select slot, case when slot - lag(slot) over (order by slot) > 4000 then 1 else 0 end as is_new
        from funding.%I where slot <= $1
      ) as given
    ) as stretches
    group by stretch order by 1
  $runs$, dataset) using last_slot
  loop
    perform funding.index_words(
      -- A dense vector holds no more than sixteen thousand values.
      (dataset, block, block, run.first_slot, run.last_slot - run.first_slot + 1, least(run.last_slot - run.first_slot + 1, 16000)),
      funding.slotted_records(dataset, run.first_slot, run.last_slot), funding.as_lexicon_fit(next));
    block := block + (run.last_slot - run.first_slot) / 16000 + 1;
  end loop;
  update funding.blocks as known set is_fitted = true
  where known.dataset = prepare_postings.dataset and known.block between funding.first_block(next.generation) and funding.last_block(next.generation);
end
$$;

-- Makes the bitmaps of the next segments of a dataset, after their posting lists.
create or replace function funding.prepare_bitmaps(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  next funding.next_fit := funding.fit_in_preparation(fit);
  segment funding.segment;
begin
  for segment in
    select known.dataset, known.segment, min(known.block), min(known.first_slot), sum(known.size)::integer, max(known.size)
    from funding.blocks as known
    where known.dataset = prepare_bitmaps.dataset
      and known.block between funding.first_block(next.generation) and funding.last_block(next.generation)
    group by 1, 2
  loop
    perform funding.index_fields(segment, funding.slotted_records(dataset, segment.first_slot, segment.first_slot + segment.slots - 1),
      funding.as_lexicon_fit(next));
  end loop;
end
$$;

-- Puts a fit in force: searches use the former one until this transaction ends. Writers do not wait for this transaction.
create or replace function funding.adopt_fit(fit uuid) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  former constant funding.lexicon_fit := funding.lock_fit();
  next funding.next_fit := funding.fit_in_preparation(fit);
  adopted text;
begin
  if next.makes_vectors <> (funding.setting('embedding_model') = '"lexicon"') then
    raise exception 'this fit was given up, because the embedding model was changed' using errcode = 'PT409';
  end if;
  foreach adopted in array array['funders', 'grants', 'contracts'] loop
    -- Slots that were retired while the segments were made are masked with the others. Other transactions take this lock before they mask slots.
    perform pg_advisory_xact_lock(funding.segments_lock(adopted));
    delete from funding.retired_slots where dataset = adopted;
    execute format($alive$
      update funding.bitmaps as known
      set bits = alive.bits
      from (
        select blocks.block, case when count(record.slot) > 0
            then funding.bits_at(array_agg(record.slot - blocks.first_slot + 1) filter (where record.slot is not null), blocks.size)
            else repeat('0', blocks.size)::bit varying
          end as bits
        from funding.blocks
        left join funding.%1$I as record on record.slot between blocks.first_slot and blocks.first_slot + blocks.size - 1
        where blocks.dataset = %1$L and blocks.block between $1 and $2
        group by blocks.block, blocks.size
      ) as alive
      where known.dataset = %1$L and known.name = 'all' and known.block = alive.block
    $alive$, adopted) using funding.first_block(next.generation), funding.last_block(next.generation);
  end loop;
  update funding.lexicon_fit
  set documents = next.documents, average_length = next.average_length, dimensions = next.dimensions, bm25_k1 = next.bm25_k1,
      bm25_b = next.bm25_b, bm25_title_weight = next.bm25_title_weight, has_singular_order = next.has_singular_order, generation = next.generation, vectors = next.vectors, fitted_at = now();
  delete from funding.next_fit;
  -- Pages in caches are of the former fit.
  update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where data_versions.dataset = 'search';
end
$$;

-- Indexes every record anew by the present lexicon and its weights, in the caller's transaction. Nobody else may write to the datasets meanwhile.
-- Returns the number of records.
create or replace function funding.reindex_records() returns bigint
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit uuid;
  vectors integer;
  dataset text;
  total bigint := 0;
begin
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  select funding.begin_fit(former.documents, former.average_length, former.dimensions, former.bm25_k1, former.bm25_b, former.bm25_title_weight,
    former.has_singular_order)
  into fit from funding.lexicon_fit as former;
  vectors := (select next.vectors from funding.next_fit as next);
  perform funding.drop_vector_indexes(vectors);
  insert into funding.lexicon (generation, term, document_frequency, vector)
  select next.generation, known.term, known.document_frequency, known.vector
  from funding.next_fit as next join funding.lexicon as known on known.generation = 1 - next.generation;
  perform funding.start_filling(fit);
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    total := total + (funding.prepare_vectors(fit, dataset, 0, null)).prepared;
    perform funding.prepare_postings(fit, dataset, funding.last_slot_to_prepare(dataset));
    perform funding.prepare_bitmaps(fit, dataset);
  end loop;
  perform funding.refresh_vector_indexes(vectors);
  perform funding.adopt_fit(fit);
  perform funding.forget_fit();
  return total;
end
$$;
