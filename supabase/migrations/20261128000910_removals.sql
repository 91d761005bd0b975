-- Begins a transaction (database/migrate.ts).
-- What functions of 1.2 used, and those of this version do not.
delete from funding.settings where name = 'fusion_feedback_weight';
