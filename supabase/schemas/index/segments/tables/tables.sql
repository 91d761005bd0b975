-- Tables. Written by npm run schema from the migrations; comments are kept.

create table funding.blocks (
  dataset text,
  -- Number of the block in `bitmaps`, `postings` and `ranks`.
  block integer,
  -- 0 for the records that the fit in force found; the others in no order.
  segment integer not null,
  first_slot integer not null,
  size integer not null,
  -- Whether a fit made it.
  is_fitted boolean not null default false,
  fields text[] not null default '{opportunity_type,status,category,states,amount_max,amount_min,deadline_date,created_at,applicant_type,agency,assistance_listing,funding_instrument,cost_sharing,source,include_archived,naics,set_aside}'::text[],
  constraint blocks_pkey primary key (dataset, block)
);
alter table funding.blocks enable row level security;

-- The inverted index: for each term of a dataset, the BM25 weight that it has in each record of a block, times the term's inverse document frequency,
-- so that most queries need only add.
create table funding.postings (
  dataset text,
  term text,
  block integer,
  weights extensions.sparsevec not null,
  constraint postings_pkey primary key (dataset, term, block)
);
alter table funding.postings enable row level security;

-- Bit-sliced index (O'Neil and Quass) of the orders that a list may have, one for each segment. Each record has a position by `field`, ties
-- by id; a slice is one binary digit of all those positions, as bits of all slots of the segment.
create table funding.segment_slices (
  dataset text,
  field text,
  segment integer,
  slice integer,
  bits bit varying not null,
  constraint segment_slices_pkey primary key (dataset, field, segment, slice)
);
alter table funding.segment_slices enable row level security;
alter table funding.segment_slices alter column bits set storage external;

-- Different values of a field in a segment, counted from the smallest, which is 1.
create table funding.segment_values (
  dataset text,
  field text,
  segment integer,
  value double precision,
  rank integer not null,
  constraint segment_values_pkey primary key (dataset, field, segment, value)
);
alter table funding.segment_values enable row level security;

-- For each record of a block, in the order of their numbers: which of the different values of `field` it has, counted from the
-- smallest, which is 1. 0 where it has none. (A vector's numbers are exact up to 2^24.)
create table funding.ranks (
  dataset text,
  field text,
  block integer,
  ranks extensions.vector not null,
  lowest real,
  highest real,
  valued bit varying,
  constraint ranks_pkey primary key (dataset, field, block)
);
alter table funding.ranks enable row level security;

-- Numbers whose records have gone, or have changed since the fit.
create table funding.retired_slots (
  dataset text,
  slot integer,
  constraint retired_slots_pkey primary key (dataset, slot)
);
alter table funding.retired_slots enable row level security;

-- Highest slot that had been given out at some moment, and the transactions that were writing then: once they have ended, every slot up to
-- it is visible or will never be.
create table funding.slot_marks (
  dataset text,
  slot integer not null,
  writers text[] not null,
  constraint slot_marks_pkey primary key (dataset)
);
alter table funding.slot_marks enable row level security;

-- Datasets whose records have lexemes that an earlier version made (renewal.sql): this one reads words with slashes, initials and dashes before
-- numbers in their parts. `after_id` is the last record that was looked at.
create table funding.document_renewals (
  dataset text,
  after_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  constraint document_renewals_pkey primary key (dataset),
  constraint document_renewals_dataset_known check (dataset = any (array['grants', 'contracts', 'funders']))
);
alter table funding.document_renewals enable row level security;

create sequence funding.grants_slots as integer maxvalue 2147000000;

create sequence funding.contracts_slots as integer maxvalue 2147000000;

create sequence funding.funders_slots as integer maxvalue 2147000000;

create table funding.grants_vectors_0 (
  slot integer,
  embedding extensions.halfvec(384) not null,
  is_usual boolean not null,
  passage integer default 0,
  constraint grants_vectors_0_pkey primary key (slot, passage)
);
alter table funding.grants_vectors_0 enable row level security;
alter table funding.grants_vectors_0 alter column embedding set storage plain;

create table funding.grants_vectors_1 (
  slot integer,
  embedding extensions.halfvec(384) not null,
  is_usual boolean not null,
  passage integer default 0,
  constraint grants_vectors_1_pkey primary key (slot, passage)
);
alter table funding.grants_vectors_1 enable row level security;
alter table funding.grants_vectors_1 alter column embedding set storage plain;

create table funding.contracts_vectors_0 (
  slot integer,
  embedding extensions.halfvec(384) not null,
  is_usual boolean not null,
  passage integer default 0,
  constraint contracts_vectors_0_pkey primary key (slot, passage)
);
alter table funding.contracts_vectors_0 enable row level security;
alter table funding.contracts_vectors_0 alter column embedding set storage plain;

create table funding.contracts_vectors_1 (
  slot integer,
  embedding extensions.halfvec(384) not null,
  is_usual boolean not null,
  passage integer default 0,
  constraint contracts_vectors_1_pkey primary key (slot, passage)
);
alter table funding.contracts_vectors_1 enable row level security;
alter table funding.contracts_vectors_1 alter column embedding set storage plain;

create table funding.funders_vectors_0 (
  slot integer,
  embedding extensions.halfvec(384) not null,
  is_usual boolean not null,
  passage integer default 0,
  constraint funders_vectors_0_pkey primary key (slot, passage)
);
alter table funding.funders_vectors_0 enable row level security;
alter table funding.funders_vectors_0 alter column embedding set storage plain;

create table funding.funders_vectors_1 (
  slot integer,
  embedding extensions.halfvec(384) not null,
  is_usual boolean not null,
  passage integer default 0,
  constraint funders_vectors_1_pkey primary key (slot, passage)
);
alter table funding.funders_vectors_1 enable row level security;
alter table funding.funders_vectors_1 alter column embedding set storage plain;
