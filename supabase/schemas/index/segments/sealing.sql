-- Sealing: makes segments of records that came or changed, and merges them (segments.sql).

-- Makes the blocks and posting lists of a segment by a fit. `funding.index_fields` describes `records`. Merge joins are off: the planner
-- overestimates the number of words, and would sort all of them on disk.
create or replace function funding.index_words(segment funding.segment, records text, fit funding.lexicon_fit) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp set enable_mergejoin = off set work_mem = '64MB' as $$
begin
  insert into funding.blocks (dataset, block, segment, first_slot, size, fields)
  select segment.dataset, segment.first_block + position, segment.number, segment.first_slot + position * segment.block_size,
         least(segment.block_size, segment.slots - position * segment.block_size), funding.indexed_fields(segment.dataset)
  from generate_series(0, (segment.slots - 1) / segment.block_size) as position;
  execute format($postings$
    with lexicon as materialized (
      select known.term, funding.inverse_document_frequency(greatest(($2).documents, 1), known.document_frequency) as idf
      from funding.lexicon as known where known.generation = ($2).generation
    )
    insert into funding.postings (dataset, term, block, weights)
    select ($1).dataset, posting.term, blocks.block, ('{' || posting.weights || '}/' || blocks.size)::sparsevec
    from (
      select word.term, (record.slot - ($1).first_slot) / ($1).block_size as position,
             string_agg((record.slot - ($1).first_slot) %% ($1).block_size + 1 || ':'
               || funding.bm25_weight(word.frequency, record.length, ($2).average_length, ($2).bm25_k1, ($2).bm25_b)
                 -- A word that is not in the lexicon is as rare as a word can be.
                 * coalesce(lexicon.idf, $3), ',') as weights
      from (
        select slot, lexemes, funding.record_length(lexemes, ($2).bm25_title_weight) as length from (%s) as record offset 0
      ) as record
      -- Each frequency is computed once: a weight uses it three times.
      cross join lateral (select term, frequency from funding.term_frequencies(record.lexemes, ($2).bm25_title_weight) offset 0) as word
      left join lexicon on lexicon.term = word.term
      group by 1, 2
    ) as posting
    join funding.blocks on blocks.dataset = ($1).dataset and blocks.block = ($1).first_block + posting.position
  $postings$, records) using segment, fit, funding.inverse_document_frequency(greatest(fit.documents, 1), 0);
end
$$;

-- Other transactions that write to a dataset now.
create or replace function funding.writers_of(dataset text) returns text[]
language plpgsql volatile as $$
begin
  -- A writer locks the table before it takes a slot, and holds the lock until its records are visible.
  return (
    select coalesce(array_agg(distinct held.virtualtransaction), '{}')
    from pg_locks as held
    where held.locktype = 'relation' and held.granted and held.relation = to_regclass(format('funding.%I', dataset))
      and held.database = (select oid from pg_database where datname = current_database())
      and held.mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      -- A prepared transaction has no process.
      and held.pid is distinct from pg_backend_pid());
end
$$;

-- Highest settled slot of a dataset. A slot is settled when the transactions that were given it and all lower slots have ended: its record is
-- visible, or will never be. Null while that is unknown. Without other writers, every slot is settled. Otherwise a call stores the highest slot and
-- the present writers, and a later call returns that slot once these writers have ended.
create or replace function funding.settled_slot(dataset text) returns integer
language plpgsql as $$
declare
  highest integer;
  writing text[];
  mark funding.slot_marks;
  settled integer;
begin
  execute format('select case when is_called then last_value else last_value - 1 end from funding.%I', dataset || '_slots') into highest;
  -- Listed after `highest` was read, since a writer locks the table before it takes a slot.
  writing := funding.writers_of(dataset);
  if writing = '{}' then
    return highest;
  end if;
  select * into mark from funding.slot_marks where slot_marks.dataset = settled_slot.dataset;
  if mark.slot is not null and not mark.writers && writing then
    settled := mark.slot;
  end if;
  if mark.slot is null or settled is not null then
    insert into funding.slot_marks (dataset, slot, writers) values (settled_slot.dataset, highest, writing)
    on conflict on constraint slot_marks_pkey do update set slot = excluded.slot, writers = excluded.writers;
  end if;
  return settled;
end
$$;

-- Advances the sequences of slots past the highest slots, after records were loaded with their slots.
create or replace function funding.continue_slots() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  next_slot integer;
  is_behind boolean;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('select greatest(funding.sealed_end(%L), coalesce(max(slot), 0) + 1) from funding.%I', dataset, dataset) into next_slot;
    execute format('select last_value + case when is_called then 1 else 0 end < $1 from funding.%I', dataset || '_slots') into is_behind using next_slot;
    if is_behind then
      perform setval(format('funding.%I', dataset || '_slots'), next_slot, false);
    end if;
  end loop;
end
$$;

-- Makes a segment of a range of at most 16,000 slots, by the fit in force.
create or replace function funding.make_segment(dataset text, first_slot integer, last_slot integer) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  -- Not the first block, which is the fit's.
  block constant integer := (
    select coalesce(max(blocks.block), funding.first_block(fit.generation)) + 1 from funding.blocks_of(make_segment.dataset) as blocks);
  segment constant funding.segment := (dataset, block, block, first_slot, last_slot - first_slot + 1, last_slot - first_slot + 1);
  records constant text := funding.slotted_records(dataset, first_slot, last_slot);
begin
  perform funding.index_words(segment, records, fit);
  perform funding.index_fields(segment, records, fit);
end
$$;

-- Seals a dataset: makes a segment, of up to `most` slots, of the records that came or changed since the last segment, and masks retired slots.
-- Returns the number of records in the segment. Makes no segment, and returns 0, with fewer than `fewest` records, before the first fit, and while
-- another transaction makes segments or may still write such records.
create or replace function funding.seal(dataset text, fewest integer default 64, most integer default 2000) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  sealed_end integer;
  first_slot integer;
  last_slot integer;
  records integer;
begin
  if (select fitted_at is null from funding.lexicon_fit) or not pg_try_advisory_xact_lock(funding.segments_lock(dataset)) then
    return 0;
  end if;
  -- Masks even where there is nothing to seal: until then, each search leaves retired slots out itself.
  if exists (select from funding.retired_slots as retired where retired.dataset = seal.dataset) then
    perform funding.mask_retired(dataset);
  end if;
  sealed_end := funding.sealed_end(dataset);
  last_slot := funding.settled_slot(dataset);
  first_slot := case dataset
    when 'grants' then (select min(record.slot) from funding.grants as record where record.slot between sealed_end and last_slot)
    when 'contracts' then (select min(record.slot) from funding.contracts as record where record.slot between sealed_end and last_slot)
    else (select min(record.slot) from funding.funders as record where record.slot between sealed_end and last_slot)
  end;
  if first_slot is null then
    return 0;
  end if;
  execute format('select count(*) from (select from funding.%I where slot between $1 and $2 limit $3) as waiting', dataset)
  into records using first_slot, last_slot, fewest;
  if records < fewest then
    return 0;
  end if;
  -- A range of slots may have few records: slots of transactions that were rolled back have none.
  last_slot := least(last_slot, first_slot + greatest(least(most, 16000), 1) - 1);
  execute format('select count(*) from funding.%I where slot between $1 and $2', dataset) into records using first_slot, last_slot;
  perform funding.make_segment(dataset, first_slot, last_slot);
  perform funding.mask_retired(dataset);
  return records;
end
$$;

-- Removes retired slots from the bitmaps `all`. Until then each search leaves these slots out itself.
create or replace function funding.mask_retired(dataset text) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  with gone as (
    delete from funding.retired_slots as retired where retired.dataset = mask_retired.dataset returning retired.slot
  ), masked as (
    select blocks.block, funding.bits_at(array_agg(gone.slot - blocks.first_slot + 1), blocks.size) as bits
    from gone join funding.blocks_of(mask_retired.dataset) as blocks
      on gone.slot between blocks.first_slot and blocks.first_slot + blocks.size - 1
    group by blocks.block, blocks.size
  )
  update funding.bitmaps set bits = bitmaps.bits & ~ masked.bits
  from masked where bitmaps.dataset = mask_retired.dataset and bitmaps.name = 'all' and bitmaps.block = masked.block
$$;

-- Merges the newest run of segments, each no larger than all newer ones together, up to `most` slots in all. So there are few segments, each record
-- is copied few times, and a segment of about `most` slots is not merged again. First drops segments without a live record. Returns the number of
-- segments that it merged or dropped.
create or replace function funding.merge_segments(dataset text, most integer default 8000) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  known record;
  merged integer[] := '{}';
  first_slot integer;
  last_slot integer;
  dropped integer;
begin
  if not pg_try_advisory_xact_lock(funding.segments_lock(dataset)) then
    return 0;
  end if;
  dropped := funding.drop_dead_segments(dataset);
  for known in
    select blocks.segment, blocks.first_slot as first_one, blocks.first_slot + blocks.size - 1 as last_one
    from funding.blocks_of(merge_segments.dataset) as blocks
    where not blocks.is_fitted
    order by blocks.first_slot desc
  loop
    exit when last_slot - known.first_one + 1 > least(most, 16000)
      or known.last_one - known.first_one + 1 > last_slot - first_slot + 1;
    last_slot := coalesce(last_slot, known.last_one);
    first_slot := known.first_one;
    merged := merged || known.segment;
  end loop;
  if cardinality(merged) < 2 then
    return dropped;
  end if;
  perform funding.drop_segments(dataset, merged);
  perform funding.make_segment(dataset, first_slot, last_slot);
  return cardinality(merged) + dropped;
end
$$;
