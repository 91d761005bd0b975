-- Begins a transaction (database/migrate.ts).
-- What functions of 1.1 used, and those of this version do not.
select funding.lock_tables(array['lexicon', 'pages', 'totals', 'funders', 'grants', 'contracts']);

-- Its words have generations.
alter table funding.lexicon
  drop constraint lexicon_pkey, add constraint lexicon_pkey primary key using index lexicon_of_generation, alter column generation drop default;
-- The caches evict by sampling (`funding.evict_stale`, supabase/schemas/totals.sql), which goes by their primary keys alone.
drop index funding.pages_version, funding.pages_remembered_at, funding.totals_version, funding.totals_remembered_at;
-- Vectors are no longer in the records, which no fit changes any more.
drop index if exists funding.grants_embedding, funding.grants_listed_embedding, funding.contracts_embedding,
  funding.contracts_listed_embedding, funding.funders_embedding, funding.grants_without_vector, funding.contracts_without_vector,
  funding.funders_without_vector;
