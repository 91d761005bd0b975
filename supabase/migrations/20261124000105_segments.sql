-- Segments: indexes over ranges of slots, so that records that came or changed are found as fast as those of a fit. What used to be one
-- index of a whole dataset becomes the first segment of it.

-- A fit of version 1.1 that is under way was made for other tables: it is given up, and its command says so.
-- (In a block, because `supabase db push` has no transaction: it holds no lock until the end, and runs no fit beside.)
do $$
begin
  lock table funding.funders, funding.grants, funding.contracts in share row exclusive mode;
  truncate funding.next_fit;
end
$$;

-- A segment of a dataset in blocks: block `first_block + n` has the slots from `first_slot + n * block_size` on.
create type funding.segment as (dataset text, number integer, first_block integer, first_slot integer, slots integer, block_size integer);
-- Slots of records, best first, with their scores.
create type funding.ranked_slots as (slots integer[], scores double precision[]);
-- Slots of a dataset as bits: for each block, those of its slots.
create type funding.slot_bitmaps as (blocks integer[], bits bit varying[]);
-- What the bitmaps tell of a filter: the matching records in segments, the first slot of no segment, and how many records have such slots.
create type funding.bitmap_matches as (sealed funding.slot_bitmaps, sealed_end integer, unsealed bigint);

create table funding.blocks (
  dataset text not null,
  -- Number of the block in `bitmaps`, `postings` and `ranks`.
  block integer not null,
  -- 0 for the records that the fit in force found; the others in no order.
  segment integer not null,
  first_slot integer not null,
  size integer not null,
  -- Whether a fit made it.
  is_fitted boolean not null default false,
  primary key (dataset, block)
);
alter table funding.blocks enable row level security;

-- Different values of a field in a segment, counted from the smallest, which is 1.
create table funding.segment_values (
  dataset text not null,
  field text not null,
  segment integer not null,
  value double precision not null,
  rank integer not null,
  primary key (dataset, field, segment, value)
);
alter table funding.segment_values enable row level security;

-- Bit-sliced index (O'Neil and Quass) of the orders that a list may have, one for each segment. Each record has a position by `field`, ties
-- by id; a slice is one binary digit of all those positions, as bits of all slots of the segment.
create table funding.segment_slices (
  dataset text not null,
  field text not null,
  segment integer not null,
  slice integer not null,
  bits bit varying not null,
  primary key (dataset, field, segment, slice)
);
alter table funding.segment_slices enable row level security;
alter table funding.segment_slices alter column bits set storage external;

-- Highest slot that had been given out at some moment, and the transactions that were writing then: once they have ended, every slot up to
-- it is visible or will never be.
create table funding.slot_marks (
  dataset text primary key,
  slot integer not null,
  writers text[] not null
);
alter table funding.slot_marks enable row level security;

-- The index of a fit is segment 0. (The tables `ranked_values`, `order_slices` and their `next_` ones stay for functions of version 1.1 that
-- run while this is applied; nothing reads them any more.)
insert into funding.segment_values (dataset, field, segment, value, rank) select dataset, field, 0, value, rank from funding.ranked_values;
insert into funding.segment_slices (dataset, field, segment, slice, bits) select dataset, field, 0, slice, bits from funding.order_slices;
insert into funding.blocks (dataset, block, segment, first_slot, size, is_fitted)
select fitted.dataset, block, 0, block * fitted.size + 1, fitted.size, true
from (
  select bitmaps.dataset, max(length(bitmaps.bits)) as size, greatest(
      max(bitmaps.block), (select max(postings.block) from funding.postings where postings.dataset = bitmaps.dataset),
      (select max(length(order_slices.bits)) from funding.order_slices where order_slices.dataset = bitmaps.dataset)
        / max(length(bitmaps.bits)) - 1) as last_block
  from funding.bitmaps where bitmaps.name = 'all' group by 1
) as fitted cross join lateral generate_series(0, fitted.last_block) as block;
