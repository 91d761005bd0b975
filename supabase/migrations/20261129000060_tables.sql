-- Columns that requests read, as this version has them. Requests wait for moments: each column is null at first.
select funding.lock_tables(array['grants', 'contracts', 'events']);
alter table funding.grants add column superseded_by uuid;
alter table funding.contracts add column superseded_by uuid;
alter table funding.events add column version_of uuid;
