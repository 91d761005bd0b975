-- Begins a transaction (database/migrate.ts).
-- Stands for the functions in supabase/schemas. A release has them here. Written by npm run schema.
do $$ begin
  raise exception 'this version is not released: npm run schema -- --whole writes its functions into this migration, then begin again';
end $$;
drop function if exists funding.embedded_text(text, text);
drop function if exists funding.embedded_text_of(text);
drop function if exists funding.lacks_vector(text);
drop function if exists funding.nearest(funding.search_scope, extensions.halfvec, integer, real, boolean);
drop function if exists funding.record_text(text, uuid);
drop function if exists funding.records_to_embed(text, text, uuid, integer);
drop function if exists funding.vector_index_memory(integer);
drop function if exists funding.vectors_at(text, integer, integer[]);
