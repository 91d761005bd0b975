-- Page of a list from the bitmap index. It reads only the records of the page, and a few more, however many match the filter.

-- Top-k slots of a segment by a field, among the slots of `matching`, as bits: between `wanted` and `most` of them, or all where fewer match.
-- `matching` begins after the segment's first `before` slots, and may end before its last.
--
-- Each slice has one binary digit of every record's position in the order. It divides the undecided records into two halves. Where the first half and
-- the records selected so far are `wanted` or more, the second half is dropped. Where they are fewer, the first half is selected, and the next slice
-- divides the second. So ties and nulls need no special case, and each slice costs the same, however many records match.
create or replace function funding.first_in_order(
  dataset text, segment integer, field text, direction text, matching bit varying, before integer, wanted integer, most integer) returns bit varying
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  first_ones bit varying := matching # matching;
  how_many integer := 0;
  open_ones bit varying := matching;
  half bit varying;
  in_half integer;
  sliced record;
begin
  if bit_count(matching) <= most then
    return matching;
  end if;
  for sliced in
    select slice, case when before = 0 and length(bits) = length(matching) then bits else substring(bits from before + 1 for length(matching)) end as bits,
           slice = max(slice) over () as is_highest
    from funding.segment_slices as known
    where known.dataset = first_in_order.dataset and known.field = first_in_order.field and known.segment = first_in_order.segment
    order by slice desc
  loop
    half := open_ones & sliced.bits;
    -- The highest slice has the records with a value, which come before the records without one in both directions.
    if direction = 'asc' and not sliced.is_highest then
      half := open_ones # half;
    end if;
    in_half := bit_count(half);
    if how_many + in_half >= wanted then
      open_ones := half;
    else
      first_ones := first_ones | half;
      how_many := how_many + in_half;
      open_ones := open_ones # half;
      in_half := bit_count(open_ones);
    end if;
    exit when how_many + in_half <= most;
  end loop;
  return first_ones | open_ones;
end
$$;

-- Slots of the first `wanted` matching records of each segment, and up to 20 more, in no order. It leaves out the first `skipped` records of the
-- fit's segment.
create or replace function funding.first_slots(
  dataset text, field text, direction text, matches funding.slot_bitmaps, wanted integer, skipped integer)
returns integer[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  fitted constant integer := (select funding.first_block(fit.generation) from funding.lexicon_fit as fit);
  known record;
  matching bit varying;
  block_bits bit varying;
  first_ones bit varying;
  slots integer[] := '{}';
begin
  for known in
    -- An empty segment costs nothing, and neither do the blocks before and after those with matches: the awards of many years, for instance.
    select given.segment, min(given.segment_slot) as segment_slot, min(given.first_slot) as first_slot,
           array_agg(coalesce(given.bits, repeat('0', given.size)::bit varying) order by given.first_slot) as bits
    from (
      select blocks.segment, blocks.first_slot, blocks.size, matched.bits,
             min(blocks.first_slot) over (partition by blocks.segment) as segment_slot,
             min(blocks.first_slot) filter (where matched.bits is not null) over (partition by blocks.segment) as first_matched,
             max(blocks.first_slot) filter (where matched.bits is not null) over (partition by blocks.segment) as last_matched
      from funding.blocks_of(first_slots.dataset) as blocks left join unnest(matches.blocks, matches.bits) as matched(block, bits) using (block)
    ) as given
    where given.first_slot between given.first_matched and given.last_matched
    group by given.segment
  loop
    matching := '';
    foreach block_bits in array known.bits loop
      matching := matching || block_bits;
    end loop;
    -- A slice takes as long as reading about twenty records.
    first_ones := funding.first_in_order(dataset, known.segment, field, direction, matching, known.first_slot - known.segment_slot, wanted, wanted + 20);
    if skipped > 0 and known.segment = fitted then
      first_ones := first_ones # funding.first_in_order(dataset, fitted, field, direction, matching, known.first_slot - known.segment_slot, skipped, skipped);
    end if;
    slots := slots || array(select known.first_slot - 1 + position from unnest(funding.positions_of(first_ones)) as position);
  end loop;
  return slots;
end
$$;

-- Ids of one page of the records with these slots, in the order of a list.
create or replace function funding.slots_in_order(
  dataset text, slots integer[], sort_by text, direction text, page_size bigint, page_offset bigint) returns uuid[]
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return case dataset
    when 'grants' then array(
      select record.id
      from funding.grants as record
      cross join lateral (
        select case sort_by when 'amount_min' then record.amount_min when 'amount_max' then record.amount_max
          when 'deadline_date' then extract(epoch from record.deadline_date) else extract(epoch from record.created_at) end as value) as sorted
      where record.slot = any (slots)
      order by case direction when 'asc' then sorted.value else - sorted.value end nulls last, case direction when 'asc' then record.id end,
        record.id desc
      limit page_size offset page_offset)
    when 'contracts' then array(
      select record.id
      from funding.contracts as record
      cross join lateral (
        select case sort_by when 'amount_min' then record.amount_min when 'amount_max' then record.amount_max
          when 'deadline_date' then extract(epoch from record.deadline_date) else extract(epoch from record.created_at) end as value) as sorted
      where record.slot = any (slots)
      order by case direction when 'asc' then sorted.value else - sorted.value end nulls last, case direction when 'asc' then record.id end,
        record.id desc
      limit page_size offset page_offset)
  end;
end
$$;

-- Page and total of a list, by one evaluation of the bitmaps. Records in no segment are read one by one. The page has no ids where an index finds
-- them sooner, or no slices know the order. Null where the bitmaps cannot answer the filter.
create or replace function funding.bitmap_page(dataset text, request funding.list_request) returns funding.found_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := request.filter;
  sort_by constant text := (request.list_order).sort_by;
  direction constant text := (request.list_order).direction;
  found constant funding.bitmap_matches := funding.match_by_bitmaps(dataset, filter);
  -- One record more than the page, which shows whether another page follows.
  page_size constant bigint := (request.page).page_size + 1;
  page_offset constant bigint := (request.page).page_offset;
  last_position constant bigint := page_offset + page_size;
  skipped integer := 0;
  is_sliced boolean;
  sealed bigint;
  in_first_segment bigint;
  others bigint := 0;
  other_slots integer[] := '{}';
  slots integer[];
  page funding.found_page;
begin
  if found.sealed_end is null then
    return null;
  end if;
  sealed := funding.count_of(found.sealed);
  is_sliced := (request.page).after_cursor is null and not funding.is_soon_found(dataset, filter, sort_by, sealed, page_size, page_offset)
    and exists (select from funding.segment_slices as known where known.dataset = bitmap_page.dataset and known.field = sort_by);
  if found.unsealed > 0 then
    execute format('select count(*), %s from %s where %s',
      case when is_sliced then format('coalesce((array_agg(record.slot order by %s))[:$2], ''{}'')', funding.sort_order(sort_by, direction)) else 'null' end,
      funding.unsealed_records(dataset, '$3', found.unsealed), funding.predicate(dataset, filter))
    into others, other_slots using filter, last_position, found.sealed_end;
  end if;
  page.total := sealed + others;
  if is_sliced then
    if page_offset > 50 then
      in_first_segment := (
        select coalesce(sum(bit_count(matched.bits)), 0)
        from unnest((found.sealed).blocks, (found.sealed).bits) as matched(block, bits)
        join funding.blocks_of(bitmap_page.dataset) as blocks on blocks.block = matched.block
        join funding.lexicon_fit as fit on blocks.segment = funding.first_block(fit.generation));
      -- Number of the fit's records that precede the page even if all other records do. Skipping a few saves no time.
      if page_offset - (page.total - in_first_segment) > 50 then
        skipped := least(page_offset - (page.total - in_first_segment), in_first_segment);
      end if;
    end if;
    slots := funding.first_slots(dataset, sort_by, direction, found.sealed, last_position::integer, skipped) || other_slots;
    page.ids := funding.slots_in_order(dataset, slots, sort_by, direction, page_size, page_offset - skipped);
  end if;
  return page;
end
$$;

-- Whether an index in the order of a list finds a page as fast as the bitmaps. It does for a page among the first thousand records, where the filter
-- matches an eighth of the records of its type, which the index has apart, in the order of their posting time, which says little about other fields:
-- 0.2 ms at 79,700 grants, where the bitmaps take 0.5 to 1. (In the order of deadline or amount, the first records of an index may be just those that a
-- filter excludes, 10 to 100 ms; and for a page at 10,000 all records before it are read, 20 ms.) A page of thousands is read as a whole.
create or replace function funding.is_soon_found(
  dataset text, filter jsonb, sort_by text, matching bigint, page_size bigint, page_offset bigint) returns boolean
language plpgsql stable as $$
declare
  -- Funders have no types.
  types constant text[] := array(
    select own.name from unnest(funding.own_bitmaps(dataset, 'opportunity_type', filter)) as own where dataset <> 'funders');
begin
  return page_size > 1000 or sort_by = 'created_at' and page_offset + page_size <= 1000 and matching * 8 >= (
    select sum(blocks.size) from funding.blocks_of(is_soon_found.dataset) as blocks
    where types = '{}' or exists (
      select from funding.bitmaps where bitmaps.dataset = is_soon_found.dataset and bitmaps.name = any (types) and bitmaps.block = blocks.block));
end
$$;
