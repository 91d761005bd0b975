-- Begins a transaction (database/migrate.ts).
-- What functions of 1.2 used, and those of this version do not.
select funding.lock_tables(array['agency_abbreviations', 'totals']);
delete from funding.settings where name in ('fusion_feedback_weight', 'fusion_field_weight');
drop table funding.agency_abbreviations, funding.totals;
