-- Begins a transaction (database/migrate.ts).
-- Vectors of former models past their days.
create index next_embeddings_kept_since on funding.next_embeddings (kept_since) where kept_since is not null;
