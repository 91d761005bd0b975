-- What is in of the lists that are imported from an API, by the time of modification that it gives.
create table funding.import_cursors (
  source text,
  address text,
  complete_to timestamptz,
  newest timestamptz,
  oldest timestamptz,
  primary key (source, address)
);
alter table funding.import_cursors enable row level security;
