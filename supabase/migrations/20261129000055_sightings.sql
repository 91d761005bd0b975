-- When imports last had a record: a row for a source's full list, and rows for records that no full list tells of (sightings.sql).
create table funding.full_lists (
  dataset text,
  source text,
  seen_at timestamptz not null,
  constraint full_lists_pkey primary key (dataset, source)
);
alter table funding.full_lists enable row level security;

create table funding.sightings (
  record_id uuid,
  seen_at timestamptz,
  is_missing boolean not null default false,
  constraint sightings_pkey primary key (record_id)
) with (fillfactor = 80);
alter table funding.sightings enable row level security;
