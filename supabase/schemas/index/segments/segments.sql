-- Segments: the index of a dataset's records, one for each range of slots, as in a log-structured (LSM) inverted index. A fit makes the first ones,
-- of all records. `funding.seal` makes small segments of records that came or changed since, and `funding.merge_segments` merges several into one
-- (sealing.sql). Both leave records alone: a record gets a slot when it comes or changes (`funding.take_slot`), and keeps it until it changes or is
-- moved (cleaning.sql). A segment never changes, either. The slot of a record that is gone or changed is retired: listed in `retired_slots`, and
-- later masked in the segment's bitmap `all`.

-- First block of a generation, and the number of the fit's segment. While a fit is made, blocks of two generations exist; searches read one.
create or replace function funding.first_block(generation integer) returns integer
language sql immutable parallel safe as $$
  select generation * 1000000
$$;

-- Last block that a generation can have.
create or replace function funding.last_block(generation integer) returns integer
language sql immutable parallel safe as $$
  select generation * 1000000 + 999999
$$;

-- Blocks of a dataset in the generation in force. (In SQL, so that Postgres inlines it.)
create or replace function funding.blocks_of(dataset text) returns setof funding.blocks
language sql stable as $$
  select blocks.* from funding.blocks, funding.lexicon_fit as fit
  where blocks.dataset = blocks_of.dataset and blocks.block between funding.first_block(fit.generation) and funding.last_block(fit.generation)
$$;

-- First slot after the segments. Records from this slot on are read one by one.
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

-- SQL for a table `record` of the records in no segment. `sealed_end` is SQL, too. `offset 0` isolates the subquery where there are few records: the
-- planner then considers only the index of slots, and none of twenty others.
create or replace function funding.unsealed_records(dataset text, sealed_end text, unsealed bigint) returns text
language sql immutable as $$
  select format('(select * from funding.%I where slot >= %s %s) as record', dataset, sealed_end, case when unsealed <= 5000 then 'offset 0' end)
$$;

-- SQL for the records of a dataset with these slots.
create or replace function funding.slotted_records(dataset text, first_slot integer, last_slot integer) returns text
language sql immutable as $$
  select format('select record.* from funding.%I as record where record.slot between %s and %s',
    dataset, first_slot, last_slot)
$$;

-- Deletes segments of a dataset by their numbers. Without numbers, deletes all, of both generations, and the dataset is searched without segments
-- until the next fit.
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
    delete from funding.retired_slots where retired_slots.dataset = drop_segments.dataset;
  end if;
end
$$;

-- Key of the advisory lock for making or deleting segments of a dataset.
create or replace function funding.segments_lock(dataset text) returns bigint
language sql immutable parallel safe as $$
  select hashtextextended('segments of ' || dataset, 0)
$$;

-- Retired slots that are not masked yet, as bits of their blocks. (In SQL, so that Postgres inlines it.)
create or replace function funding.retired_bits(dataset text) returns table (block integer, bits bit varying)
language sql stable as $$
  select blocks.block, funding.bits_at(array_agg(retired.slot - blocks.first_slot + 1), blocks.size)
  from funding.retired_slots as retired
  join funding.blocks_of(retired_bits.dataset) as blocks on retired.slot between blocks.first_slot and blocks.first_slot + blocks.size - 1
  where retired.dataset = retired_bits.dataset
  group by blocks.block, blocks.size
$$;

-- Number of records in no segment, up to `most` + 1, by the index of slots. The plan is cached: planning took ten times as long as counting.
create or replace function funding.count_unsealed(dataset text, sealed_end integer, most integer) returns bigint
language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return case dataset
    when 'grants' then (select count(*) from (select from funding.grants where slot >= sealed_end limit most + 1) as record)
    when 'contracts' then (select count(*) from (select from funding.contracts where slot >= sealed_end limit most + 1) as record)
    when 'funders' then (select count(*) from (select from funding.funders where slot >= sealed_end limit most + 1) as record)
  end;
end
$$;

-- Segments of a dataset, with their number of slots and of live slots, by the bitmaps `all`.
create or replace function funding.segment_shares(dataset text)
returns table (segment integer, first_slot integer, last_slot integer, slots bigint, live bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return query
  select blocks.segment, min(blocks.first_slot), max(blocks.first_slot + blocks.size - 1), sum(blocks.size),
         coalesce(sum(bit_count(case when retired.bits is null then bitmaps.bits else bitmaps.bits & ~ retired.bits end)), 0)::bigint
  from funding.blocks_of(segment_shares.dataset) as blocks
  left join funding.bitmaps on bitmaps.dataset = blocks.dataset and bitmaps.name = 'all' and bitmaps.block = blocks.block
  left join funding.retired_bits(segment_shares.dataset) as retired on retired.block = blocks.block
  group by blocks.segment;
end
$$;

-- Drops segments without a live record, and returns their number. The newest segment stays, so that sealed slots stay sealed. Settled slots are never
-- given out again, so no record comes back to a dropped segment.
create or replace function funding.drop_dead_segments(dataset text) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  sealed_end constant integer := funding.sealed_end(dataset);
  known record;
  has_records boolean;
  dead integer[] := '{}';
begin
  for known in
    select * from funding.segment_shares(dataset) as share where share.live = 0 and share.last_slot + 1 < sealed_end
  loop
    execute format('select exists (select from funding.%I where slot between $1 and $2)', dataset)
    into has_records using known.first_slot, known.last_slot;
    if not has_records then
      dead := dead || known.segment;
    end if;
  end loop;
  if dead <> '{}' then
    perform funding.drop_segments(dataset, dead);
  end if;
  return cardinality(dead);
end
$$;

-- Trigger of a truncated dataset.
create or replace function funding.drop_bitmaps_of_table() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform funding.drop_segments(tg_table_name);
  perform funding.delete_vectors(tg_table_name);
  return null;
end
$$;
