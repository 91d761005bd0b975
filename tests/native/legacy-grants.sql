-- Supabase projects made before the autumn of 2026 give the API roles every new object in public. Under these defaults
-- "revoke ... from public" does not shut anon out: the migration must also revoke from anon and authenticated.
\set ON_ERROR_STOP on

alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
