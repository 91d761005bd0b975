-- Extensions, roles, the schema `funding` and its text search: what the first migration makes. Supabase has the roles already; a bare Postgres has not.

-- A body may call functions that come later.
set check_function_bodies = off;

create schema if not exists extensions;
create extension if not exists vector with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists unaccent with schema extensions;

do $$
declare
  role_name text;
begin
  foreach role_name in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin noinherit', role_name);
    end if;
  end loop;
end
$$;

create schema funding;
revoke all on schema funding from public, anon, authenticated, service_role;
grant usage on schema public to service_role;

-- Stemmed English with accents folded, so that "Peña" is found by "Pena".
create text search configuration funding.english (copy = pg_catalog.english);
alter text search configuration funding.english
  alter mapping for hword, hword_part, word with extensions.unaccent, pg_catalog.english_stem;
