-- Begins a transaction (database/migrate.ts).
-- Opportunities by their number, and the versions that a record superseded. The indexes of what lists show take the place of those before in the next file.
create index grants_version_key on funding.grants (funding.version_key(details)) where (classification = 'opportunity' and details ? 'opportunity_number');
create index contracts_version_key on funding.contracts (funding.version_key(details)) where (classification = 'opportunity' and details ? 'opportunity_number');
create index grants_superseded_by on funding.grants (superseded_by) where (superseded_by is not null);
create index contracts_superseded_by on funding.contracts (superseded_by) where (superseded_by is not null);
create index grants_listed_anew on funding.grants (classification, created_at, id) include (status, amount_min, amount_max, deadline_date, is_national)
  where (archived_at is null and superseded_by is null);
create index contracts_listed_anew on funding.contracts (classification, created_at, id) include (status, amount_min, amount_max, deadline_date, is_national)
  where (archived_at is null and superseded_by is null);
create index grants_deadline_listed_anew on funding.grants (deadline_date, id) where (archived_at is null and superseded_by is null);
create index contracts_deadline_listed_anew on funding.contracts (deadline_date, id) where (archived_at is null and superseded_by is null);
create index grants_slot_anew on funding.grants (slot) include (id, classification, archived_at, superseded_by);
create index contracts_slot_anew on funding.contracts (slot) include (id, classification, archived_at, superseded_by);
