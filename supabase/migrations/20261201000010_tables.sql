-- Begins a transaction (database/migrate.ts).
-- All wrong fields of a logged request, and its answer's head.
select funding.lock_tables(array['request_log']);
alter table funding.request_log add column errors jsonb, add column head jsonb;
