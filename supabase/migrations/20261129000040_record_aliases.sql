-- Begins a transaction (database/migrate.ts).
-- Second identifiers of records: Simpler.Grants.gov knows Grants.gov's opportunities by others.
create table funding.record_aliases (
  dataset text,
  source text,
  alias text,
  record_id uuid not null,
  constraint record_aliases_pkey primary key (dataset, source, alias)
);
alter table funding.record_aliases enable row level security;
create index record_aliases_record on funding.record_aliases (record_id);
