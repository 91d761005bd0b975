-- Types. Written by npm run schema from the migrations; comments are kept.

create type funding.segment as (
  dataset text,
  number integer,
  first_block integer,
  first_slot integer,
  slots integer,
  block_size integer
);

create type funding.slot_bitmaps as (
  blocks integer[],
  bits bit varying[]
);
