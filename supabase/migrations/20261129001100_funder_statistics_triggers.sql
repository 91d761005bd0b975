-- Begins a transaction (database/migrate.ts).
create or replace function funding.note_funder_statistics_due() returns trigger
language plpgsql security definer
set search_path = funding, extensions, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into funding.funder_statistics_due (funder_id) select distinct record.funder_id from new_records as record;
  elsif tg_op = 'DELETE' then
    insert into funding.funder_statistics_due (funder_id) select distinct record.funder_id from old_records as record;
  else
    insert into funding.funder_statistics_due (funder_id)
    select distinct changed.funder_id
    from old_records as before join new_records as after using (id) cross join lateral (values (before.funder_id), (after.funder_id)) as changed(funder_id)
    where (before.funder_id, before.classification, before.status, before.archived_at, before.created_at, before.amount_max, before.details)
      is distinct from (after.funder_id, after.classification, after.status, after.archived_at, after.created_at, after.amount_max, after.details);
  end if;
  return null;
end
$$;

create trigger grants_statistics_insert after insert on funding.grants referencing new table as new_records for each statement execute function funding.note_funder_statistics_due();
create trigger grants_statistics_update after update on funding.grants referencing old table as old_records new table as new_records for each statement execute function funding.note_funder_statistics_due();
create trigger grants_statistics_delete after delete on funding.grants referencing old table as old_records for each statement execute function funding.note_funder_statistics_due();
create trigger contracts_statistics_insert after insert on funding.contracts referencing new table as new_records for each statement execute function funding.note_funder_statistics_due();
create trigger contracts_statistics_update after update on funding.contracts referencing old table as old_records new table as new_records for each statement execute function funding.note_funder_statistics_due();
create trigger contracts_statistics_delete after delete on funding.contracts referencing old table as old_records for each statement execute function funding.note_funder_statistics_due();

insert into funding.funder_statistics_due (funder_id)
select funder_id from funding.grants union select funder_id from funding.contracts;
