-- Segments: the index of a dataset's records, one for each range of slots, as in a log-structured (LSM) inverted index. A fit makes the first ones,
-- of all records that it finds. `funding.seal` makes a small segment of records that came or changed since, and `funding.merge_segments` makes one of
-- several. Neither touches a record: a slot is given out when a record comes or changes (`funding.take_slot`), and stays. So a segment is never
-- changed. If a record is gone, or has another slot, its old slot is masked: in `retired_numbers`, and then in the segment's bitmap `all`.

-- First block of a generation. While a fit is made there are blocks of two generations, of which searches read one. The first segment of a generation
-- is the fit's, and has this number.
create or replace function funding.first_block(generation integer) returns integer
language sql immutable parallel safe as $$
  select generation * 1000000
$$;

-- Last block that a generation can have.
create or replace function funding.last_block(generation integer) returns integer
language sql immutable parallel safe as $$
  select generation * 1000000 + 999999
$$;

-- Blocks of a dataset in the generation in force. (In SQL, so that the function is inlined into the statement.)
create or replace function funding.blocks_of(dataset text) returns setof funding.blocks
language sql stable as $$
  select blocks.* from funding.blocks, funding.lexicon_fit as fit
  where blocks.dataset = blocks_of.dataset and blocks.block between funding.first_block(fit.generation) and funding.last_block(fit.generation)
$$;

-- First slot that no segment has: records with this slot and above are read one by one.
create or replace function funding.sealed_end(dataset text) returns integer
language plpgsql stable as $$
begin
  return (select coalesce(max(blocks.first_slot + blocks.size), 1) from funding.blocks_of(dataset) as blocks);
end
$$;

-- First slot after the segments of the fit in force.
create or replace function funding.fitted_end(dataset text) returns integer
language plpgsql stable as $$
begin
  return (
    select coalesce(max(blocks.first_slot + blocks.size), 1) from funding.blocks_of(dataset) as blocks where blocks.is_fitted);
end
$$;

-- SQL of a table `record` with the records in no segment; `sealed_end` is SQL as well. Few records are taken by themselves, so that the planner looks
-- at the index of slots alone: for these, none of the twenty other indexes is of use.
create or replace function funding.unsealed_records(dataset text, sealed_end text, unsealed bigint) returns text
language sql immutable as $$
  select format('(select * from funding.%I where posting_number >= %s %s) as record', dataset, sealed_end, case when unsealed <= 5000 then 'offset 0' end)
$$;

-- Makes the posting lists of a segment by a fit, and notes its blocks. `records` is described at `funding.index_fields`.
-- The planner cannot know how many words records have, and expects so many that it would sort them all, on disk.
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
    select ($1).dataset, said.term, blocks.block, ('{' || said.weights || '}/' || blocks.size)::sparsevec
    from (
      select word.term, (record.slot - ($1).first_slot) / ($1).block_size as position,
             string_agg((record.slot - ($1).first_slot) %% ($1).block_size + 1 || ':'
               || funding.bm25_weight(word.frequency, record.length, ($2).average_length, ($2).bm25_k1, ($2).bm25_b)
                 -- A word that is not in the lexicon is as rare as a word can be.
                 * coalesce(lexicon.idf, $3), ',') as weights
      from (
        select slot, document, funding.document_length(document, ($2).bm25_title_weight) as length from (%s) as record offset 0
      ) as record
      -- Each frequency is computed once: a weight uses it three times.
      cross join lateral (select term, frequency from funding.term_frequencies(record.document, ($2).bm25_title_weight) offset 0) as word
      left join lexicon on lexicon.term = word.term
      group by 1, 2
    ) as said
    join funding.blocks on blocks.dataset = ($1).dataset and blocks.block = ($1).first_block + said.position
  $postings$, records) using segment, fit, funding.inverse_document_frequency(greatest(fit.documents, 1), 0);
end
$$;

-- Other transactions that are writing to a dataset.
create or replace function funding.writers_of(dataset text) returns text[]
language plpgsql volatile as $$
begin
  -- A writer locks the table before it takes a slot, until its records are visible.
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

-- Highest slot of a dataset up to which every slot has been given out by a transaction that has ended: the records of these slots are visible, or
-- will never be. Null where that slot is not known. It is known where no other transaction is writing to the dataset. Otherwise a call notes the
-- slots given out so far and the present writers, and a later call knows it of these slots once these writers have ended.
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

-- Lets the sequences of slots go on after the highest slots, where records were loaded with their slots.
create or replace function funding.continue_slots() returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  next_slot integer;
  is_behind boolean;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('select greatest(funding.sealed_end(%L), coalesce(max(posting_number), 0) + 1) from funding.%I', dataset, dataset) into next_slot;
    execute format('select last_value + case when is_called then 1 else 0 end < $1 from funding.%I', dataset || '_slots') into is_behind using next_slot;
    if is_behind then
      perform setval(format('funding.%I', dataset || '_slots'), next_slot, false);
    end if;
  end loop;
end
$$;

-- SQL for the records of a dataset with these slots.
create or replace function funding.slotted_records(dataset text, first_slot integer, last_slot integer) returns text
language sql immutable as $$
  select format('select record.posting_number as slot, record.* from funding.%I as record where record.posting_number between %s and %s',
    dataset, first_slot, last_slot)
$$;

-- Makes a segment of the records whose slots are in a range of at most 16,000, by the fit in force.
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

-- Deletes segments of a dataset; without their numbers, all segments, of both generations: the dataset is searched without segments until the next
-- fit.
create or replace function funding.drop_segments(dataset text, segments integer[] default null) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  gone constant integer[] := array(
    select blocks.block from funding.blocks
    where blocks.dataset = drop_segments.dataset and (segments is null or blocks.segment = any (segments)));
begin
  delete from funding.bitmaps where bitmaps.dataset = drop_segments.dataset and (segments is null or block = any (gone));
  delete from funding.ranks where ranks.dataset = drop_segments.dataset and (segments is null or block = any (gone));
  delete from funding.postings where postings.dataset = drop_segments.dataset and (segments is null or block = any (gone));
  delete from funding.segment_values as known
  where known.dataset = drop_segments.dataset and (segments is null or known.segment = any (segments));
  delete from funding.segment_slices as known
  where known.dataset = drop_segments.dataset and (segments is null or known.segment = any (segments));
  delete from funding.blocks where blocks.dataset = drop_segments.dataset and (segments is null or block = any (gone));
  if segments is null then
    delete from funding.retired_numbers where retired_numbers.dataset = drop_segments.dataset;
  end if;
end
$$;

-- Makes a segment of up to `most` slots of records that came or changed since the last segment, where there are at least `fewest`. Returns the number
-- of its records: 0 where there are fewer, where there was no fit, and while another transaction makes segments or may still write such records.
-- Masks retired slots.
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
  -- Masked also where there is nothing to seal: each search takes retired slots out itself as long as they are not masked.
  if exists (select from funding.retired_numbers as retired where retired.dataset = seal.dataset) then
    perform funding.mask_retired(dataset);
  end if;
  sealed_end := funding.sealed_end(dataset);
  last_slot := funding.settled_slot(dataset);
  first_slot := case dataset
    when 'grants' then (select min(record.posting_number) from funding.grants as record where record.posting_number between sealed_end and last_slot)
    when 'contracts' then (select min(record.posting_number) from funding.contracts as record where record.posting_number between sealed_end and last_slot)
    else (select min(record.posting_number) from funding.funders as record where record.posting_number between sealed_end and last_slot)
  end;
  if first_slot is null then
    return 0;
  end if;
  execute format('select count(*) from (select from funding.%I where posting_number between $1 and $2 limit $3) as waiting', dataset)
  into records using first_slot, last_slot, fewest;
  if records < fewest then
    return 0;
  end if;
  -- The slots may have few records: slots of transactions that were rolled back have none.
  last_slot := least(last_slot, first_slot + greatest(least(most, 16000), 1) - 1);
  execute format('select count(*) from funding.%I where posting_number between $1 and $2', dataset) into records using first_slot, last_slot;
  perform funding.make_segment(dataset, first_slot, last_slot);
  perform funding.mask_retired(dataset);
  return records;
end
$$;

-- Takes the retired slots out of the bitmaps `all` of their blocks, so that searches need not.
create or replace function funding.mask_retired(dataset text) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  with gone as (
    delete from funding.retired_numbers as retired where retired.dataset = mask_retired.dataset returning retired.number
  ), masked as (
    select blocks.block, funding.bits_at(array_agg(gone.number - blocks.first_slot + 1), blocks.size) as bits
    from gone join funding.blocks_of(mask_retired.dataset) as blocks
      on gone.number between blocks.first_slot and blocks.first_slot + blocks.size - 1
    group by blocks.block, blocks.size
  )
  update funding.bitmaps set bits = bitmaps.bits & ~ masked.bits
  from masked where bitmaps.dataset = mask_retired.dataset and bitmaps.name = 'all' and bitmaps.block = masked.block
$$;

-- Makes one segment of the newest ones: of as many as are not larger than the segments after them together, and have no more than `most` slots with
-- these. So there are few segments, each record is moved few times, and a segment of about `most` slots stays. Before that, drops segments that have
-- no live record. Returns the number of segments that it merged or dropped.
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

-- Key of the advisory lock that a transaction holds while it makes or deletes segments of a dataset.
create or replace function funding.segments_lock(dataset text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended('segments of ' || dataset, 0)
$$;

-- Seals the records of each dataset that came or changed since the last segment, `most` slots of each. Where there are none, merges segments to some
-- of `most_merged` slots. Where no dataset has either, makes documents of an earlier version anew (renewal.sql) or, where there are none, cleans a
-- dataset (cleaning.sql): of up to a twentieth of `most` records, 100 in 0.1 s. That comes last, because a writer of such a record waits for the end
-- of this call. The caller calls again while it did something. Returns { sealed, merged, renewed, cleaned, failures }: the number of records sealed,
-- of segments merged or dropped, of records looked at for an outdated document, and of records moved; and the errors. An error of one dataset leaves
-- the others alone.
create or replace function public.seal_records(most integer default 2000, most_merged integer default 8000) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '60s' set lock_timeout = '500ms' as $$
declare
  datasets constant text[] := array['funders', 'grants', 'contracts'];
  dataset text;
  records integer;
  sealed integer := 0;
  merged integer := 0;
  renewed integer := 0;
  cleaned integer := 0;
  failures text[] := '{}';
begin
  begin
    perform funding.forget_lost_fit(most);
  exception when others then
    failures := failures || format('a lost fit: %s %s', sqlstate, sqlerrm);
  end;
  foreach dataset in array datasets loop
    begin
      -- Records are not sealed after each batch of a renewal.
      records := funding.seal(dataset, case when funding.has_outdated_documents(dataset) then greatest(most / 2, 64) else 64 end, most);
      sealed := sealed + records;
      if records = 0 then
        merged := merged + funding.merge_segments(dataset, most_merged);
      end if;
    exception when others then
      failures := failures || format('%s: %s %s', dataset, sqlstate, sqlerrm);
    end;
  end loop;
  foreach dataset in array datasets loop
    exit when sealed + merged + renewed > 0;
    begin
      renewed := funding.renew_documents(dataset, greatest(most / 20, 1));
    exception when others then
      failures := failures || format('%s: %s %s', dataset, sqlstate, sqlerrm);
    end;
  end loop;
  foreach dataset in array datasets loop
    exit when sealed + merged + renewed + cleaned > 0;
    begin
      cleaned := funding.clean_segments(dataset, greatest(most / 20, 1), most_merged);
    exception when others then
      failures := failures || format('%s: %s %s', dataset, sqlstate, sqlerrm);
    end;
  end loop;
  return json_build_object('sealed', sealed, 'merged', merged, 'renewed', renewed, 'cleaned', cleaned, 'failures', failures);
end
$$;
