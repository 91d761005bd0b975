-- Begins a transaction (database/migrate.ts).
-- Moments: names alone change.
select funding.lock_tables(array['grants', 'contracts']);
drop index funding.grants_detail_keys;
drop index funding.contracts_detail_keys;
alter index funding.grants_detail_keys_anew rename to grants_detail_keys;
alter index funding.contracts_detail_keys_anew rename to contracts_detail_keys;
