-- Bitmap index (O'Neil and Quass, 1997) over the fields that lists are filtered by: one bitmap for each value that a filter may ask for. A filter
-- combines bitmaps by `and` and `or`, and its total is the number of bits that are left.
--
-- Each version of a record has a slot, a number of its own: the column `slot`. Segments (segments.sql) cover ranges of slots, in blocks.
-- Each block has one bitmap for a name. Posting lists have the same blocks. They are bitmaps too, of the weights that are not zero; for frequent
-- words, these bitmaps are stored. Values that are compared by size are stored as ranks, one vector a block.

-- SQL for the names of the bitmaps that have the row named `record`: an array, in which some names are null or repeated. The bitmap `all` has every
-- record of a segment.
create or replace function funding.bitmap_names(dataset text) returns text
language sql immutable as $$
  select $c$array['all']$c$ || coalesce((select string_agg(' || ' || names, '') from funding.bitmap_fields(bitmap_names.dataset) as names), '')
    || case when dataset <> 'funders' then ' || funding.detail_bitmaps(record.details)' else '' end
$$;

-- Columns that the bitmaps are made of.
create or replace function funding.filtered_columns(dataset text) returns setof text
language sql immutable as $$
  select unnest(array['classification', 'status', 'archived_at', 'superseded_by', 'is_national', 'states', 'categories', 'amount_min', 'amount_max',
    'deadline_date', 'project_end_date', 'created_at', 'source', 'details'])
  union all
  select unnest(array['naics', 'set_aside_code']) where dataset = 'contracts'
$$;

-- Bits of a block with ones at these positions. (A block has at most 16,000 records: a vector has no more dimensions.)
create or replace function funding.bits_at(positions integer[], size integer) returns bit varying
language plpgsql immutable parallel safe as $$
declare
  bits bit varying := substring(0::bit(16000) for size);
  one_position integer;
begin
  foreach one_position in array positions loop
    bits := set_bit(bits, one_position - 1, 1);
  end loop;
  return bits;
end
$$;

-- Makes the bitmaps, ranks and orders of a segment by a fit. The segment's posting lists are there already. `records` is SQL for its records, with
-- their `slot`. A word that a hundredth of the fit's records have gets a bitmap. (Making one from weights takes 50 microseconds in each block.)
create or replace function funding.index_fields(segment funding.segment, records text, fit funding.lexicon_fit) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  digits constant integer := length(ltrim(segment.slots::bit(32)::text, '0'));
  ranked record;
begin
  execute format($bitmaps$
    insert into funding.bitmaps (dataset, name, block, bits)
    select ($1).dataset, given.name, blocks.block, funding.bits_at(given.positions, blocks.size)
    from (
      select named.name, (record.slot - ($1).first_slot) / ($1).block_size as position,
             array_agg((record.slot - ($1).first_slot) %% ($1).block_size + 1) as positions
      from (%s) as record cross join lateral (select distinct unnest(%s) as name) as named
      where named.name is not null
      group by 1, 2
    ) as given
    join funding.blocks on blocks.dataset = ($1).dataset and blocks.block = ($1).first_block + given.position
  $bitmaps$, records, funding.bitmap_names(segment.dataset)) using segment;

  insert into funding.bitmaps (dataset, name, block, bits)
  select postings.dataset, funding.bitmap_name('word', postings.term), postings.block, binary_quantize(postings.weights::vector)
  from funding.blocks
  join funding.postings on postings.dataset = blocks.dataset and postings.block = blocks.block
  join funding.lexicon
    on lexicon.generation = fit.generation and lexicon.term = postings.term and lexicon.document_frequency >= fit.documents * 0.01
  where blocks.dataset = segment.dataset and blocks.segment = segment.number;

  for ranked in select * from funding.ranked_fields(segment.dataset) loop
    execute format($ranks$
      with ranked as materialized (
        select record.slot, %2$s as value, dense_rank() over (order by %2$s) as rank
        from (%1$s) as record where %2$s is not null
      ), noted as (
        insert into funding.segment_values (dataset, field, segment, value, rank)
        select distinct ($1).dataset, $2, ($1).number, ranked.value, ranked.rank from ranked
      )
      insert into funding.ranks (dataset, field, block, ranks, lowest, highest, valued)
      select ($1).dataset, $2, ($1).first_block + (slot - ($1).first_slot) / ($1).block_size, array_agg(rank order by slot)::vector,
             min(nullif(rank, 0)), max(rank), binary_quantize(array_agg(rank order by slot)::vector)
      from (
        -- Not a join: the planner knows the size of neither side, and may compare each row with each.
        select slot, max(rank)::real as rank
        from (
          select slot, rank from ranked
          union all
          select slot, 0 from generate_series(($1).first_slot, ($1).first_slot + $3 - 1) as slot
        ) as given
        group by slot
      ) as slotted
      group by 3
    $ranks$, records, ranked.value) using segment, ranked.field, segment.slots;

    continue when ranked.sort_column is null;
    execute format($slices$
      with placed as materialized (
        select array_agg(given.position order by given.slot) as positions
        from (
          select slot, sum(position)::integer as position
          from (
            select record.slot,
                   row_number() over (order by record.%2$I, record.id) + case when record.%2$I is null then 0 else 1 << $4 end as position
            from (%1$s) as record
            union all
            select slot, 0 from generate_series(($1).first_slot, ($1).first_slot + $3 - 1) as slot
          ) as slotted
          group by slot
        ) as given
      )
      insert into funding.segment_slices (dataset, field, segment, slice, bits)
      select ($1).dataset, $2, ($1).number, slice,
             (select string_agg((position >> slice & 1)::text, '') from unnest(placed.positions) as position)::bit varying
      from placed, generate_series(0, $4) as slice
    $slices$, records, ranked.sort_column) using segment, ranked.field, segment.slots, digits;
  end loop;
end
$$;

-- Trigger: gives a record another slot when the record comes, or changes in a column that filters read. (`index_record` causes a new slot for a
-- change of the record's text.)
create or replace function funding.take_slot() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.slot := nextval(format('funding.%I', tg_table_name || '_slots'));
  return new;
end
$$;

-- Trigger: retires the slot of a record that got another one or was deleted (its tombstone).
create or replace function funding.retire_slot() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into funding.retired_slots (dataset, slot) values (tg_table_name, old.slot) on conflict do nothing;
  return null;
end
$$;
