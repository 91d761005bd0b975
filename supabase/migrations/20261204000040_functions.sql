-- Begins a transaction (database/migrate.ts).
-- Stands for the functions in supabase/schemas. A release has them here. Written by npm run schema.
do $$ begin
  raise exception 'this version is not released: npm run schema -- --whole writes its functions into this migration, then begin again';
end $$;
drop function if exists funding.nearest_records(funding.search_scope, extensions.halfvec, integer, real, boolean, integer);
