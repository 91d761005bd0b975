-- The part of a hosted Supabase database that migrations and PostgREST rely on. Run once, as the superuser, in the new database.
\set ON_ERROR_STOP on
\getenv authenticator_password AUTHENTICATOR_PASSWORD

create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit password :'authenticator_password';
grant anon, authenticated, service_role to authenticator;

-- Supabase's limits. service_role has none of its own, so through PostgREST it keeps authenticator's.
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';

create schema extensions;
grant usage on schema public, extensions to anon, authenticated, service_role;
alter role postgres set search_path = "$user", public, extensions;
