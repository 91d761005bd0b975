-- Begins a transaction (database/migrate.ts).
-- Moments: names and triggers alone change. A record that is superseded, or no longer, gets another slot, since lists leave it out or show it.
select funding.lock_tables(array['grants', 'contracts']);
drop index funding.grants_listed;
alter index funding.grants_listed_anew rename to grants_listed;
drop index funding.grants_deadline_listed;
alter index funding.grants_deadline_listed_anew rename to grants_deadline_listed;
drop index funding.grants_slot;
alter index funding.grants_slot_anew rename to grants_slot;
drop index funding.contracts_listed;
alter index funding.contracts_listed_anew rename to contracts_listed;
drop index funding.contracts_deadline_listed;
alter index funding.contracts_deadline_listed_anew rename to contracts_deadline_listed;
drop index funding.contracts_slot;
alter index funding.contracts_slot_anew rename to contracts_slot;
drop trigger grants_take_slot on funding.grants;
create trigger grants_take_slot before update on funding.grants for each row when ((new.slot is null) or (old.classification is distinct from new.classification) or (old.status is distinct from new.status) or (old.archived_at is distinct from new.archived_at) or (old.superseded_by is distinct from new.superseded_by) or (old.is_national is distinct from new.is_national) or (old.states is distinct from new.states) or (old.categories is distinct from new.categories) or (old.amount_min is distinct from new.amount_min) or (old.amount_max is distinct from new.amount_max) or (old.deadline_date is distinct from new.deadline_date) or (old.created_at is distinct from new.created_at) or (old.source is distinct from new.source) or (old.details is distinct from new.details)) execute function funding.take_slot();
drop trigger contracts_take_slot on funding.contracts;
create trigger contracts_take_slot before update on funding.contracts for each row when ((new.slot is null) or (old.classification is distinct from new.classification) or (old.status is distinct from new.status) or (old.archived_at is distinct from new.archived_at) or (old.superseded_by is distinct from new.superseded_by) or (old.is_national is distinct from new.is_national) or (old.states is distinct from new.states) or (old.categories is distinct from new.categories) or (old.amount_min is distinct from new.amount_min) or (old.amount_max is distinct from new.amount_max) or (old.deadline_date is distinct from new.deadline_date) or (old.created_at is distinct from new.created_at) or (old.naics is distinct from new.naics) or (old.set_aside_code is distinct from new.set_aside_code) or (old.source is distinct from new.source) or (old.details is distinct from new.details)) execute function funding.take_slot();
create trigger grants_version after update on funding.grants for each row when (old.superseded_by is null and new.superseded_by is not null) execute function funding.note_version();
create trigger contracts_version after update on funding.contracts for each row when (old.superseded_by is null and new.superseded_by is not null) execute function funding.note_version();
