-- Begins a transaction (database/migrate.ts).
-- Fields that a block of a segment has bitmaps or ranks of: a filter on a later one is left to the predicate until the next fit. Blocks of 1.2.0 have
-- these; the functions of this release name them themselves.
select funding.lock_tables(array['blocks']);
alter table funding.blocks add column fields text[] not null default
  '{opportunity_type,status,category,states,amount_max,amount_min,deadline_date,created_at,applicant_type,agency,assistance_listing,funding_instrument,cost_sharing,source,include_archived,naics,set_aside}';
