-- Tables. Written by npm run schema from the migrations; comments are kept.

create table funding.bitmaps (
  dataset text,
  -- What its records have: see `funding.bitmap_name`.
  name text,
  block integer,
  bits bit varying not null,
  constraint bitmaps_pkey primary key (dataset, name, block)
);
alter table funding.bitmaps enable row level security;
