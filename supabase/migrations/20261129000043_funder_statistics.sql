-- Statistics of funders, made by upkeep after their records changed (funder_statistics.sql).
create table funding.funder_statistics (
  funder_id uuid,
  body json not null,
  made_at timestamptz not null,
  constraint funder_statistics_pkey primary key (funder_id)
);
alter table funding.funder_statistics enable row level security;

-- Funders whose statistics are to be made anew, once for each statement that changed a record of theirs. Rows are only added, so that writers do not
-- wait for each other.
create table funding.funder_statistics_due (
  id bigint generated always as identity,
  funder_id uuid not null,
  constraint funder_statistics_due_pkey primary key (id)
);
alter table funding.funder_statistics_due enable row level security;
create index funder_statistics_due_funder on funding.funder_statistics_due (funder_id);
