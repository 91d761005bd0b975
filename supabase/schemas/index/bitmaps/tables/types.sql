-- Types. Written by npm run schema from the migrations; comments are kept.

-- A condition of a filter, as the bitmaps answer it. Those that one parameter makes are alternatives.
create type funding.bitmap_condition as (
  parameter text,
  -- 'value' (in the bitmap `name`), 'lacks' (not in it), 'word' (has the lexeme `name`), 'without' (has it not), or how the field `name` compares
  -- with the bound: 'above', 'from', 'below', 'upto'.
  kind text,
  name text,
  bound double precision
);

create type funding.bitmap_matches as (
  sealed funding.slot_bitmaps,
  sealed_end integer,
  unsealed bigint
);

create type funding.found_page as (
  ids uuid[],
  total bigint
);
