-- Begins a transaction (database/migrate.ts).
-- The keys of tables whose rows are of passages. Writers of vectors wait while they are made. Searches do not.
create unique index grants_vectors_0_passages on funding.grants_vectors_0 (slot, passage);
create unique index grants_vectors_1_passages on funding.grants_vectors_1 (slot, passage);
create unique index contracts_vectors_0_passages on funding.contracts_vectors_0 (slot, passage);
create unique index contracts_vectors_1_passages on funding.contracts_vectors_1 (slot, passage);
create unique index funders_vectors_0_passages on funding.funders_vectors_0 (slot, passage);
create unique index funders_vectors_1_passages on funding.funders_vectors_1 (slot, passage);
create unique index embedding_queue_passages on funding.embedding_queue (dataset, record_id, passage);
create unique index next_embeddings_passages on funding.next_embeddings (model, dataset, record_id, passage);
