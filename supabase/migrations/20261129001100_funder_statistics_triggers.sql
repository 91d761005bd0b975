-- Begins a transaction (database/migrate.ts).
-- Notes whose statistics are to be made anew (supabase/schemas/records/funder_statistics.sql). Importers wait a moment for the triggers.
create trigger grants_statistics_insert after insert on funding.grants referencing new table as new_records for each statement execute function funding.note_funder_statistics_due();
create trigger grants_statistics_update after update on funding.grants referencing old table as old_records new table as new_records for each statement execute function funding.note_funder_statistics_due();
create trigger grants_statistics_delete after delete on funding.grants referencing old table as old_records for each statement execute function funding.note_funder_statistics_due();
create trigger contracts_statistics_insert after insert on funding.contracts referencing new table as new_records for each statement execute function funding.note_funder_statistics_due();
create trigger contracts_statistics_update after update on funding.contracts referencing old table as old_records new table as new_records for each statement execute function funding.note_funder_statistics_due();
create trigger contracts_statistics_delete after delete on funding.contracts referencing old table as old_records for each statement execute function funding.note_funder_statistics_due();

insert into funding.funder_statistics_due (funder_id)
select funder_id from funding.grants union select funder_id from funding.contracts;
