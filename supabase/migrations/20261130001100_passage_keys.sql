-- Begins a transaction (database/migrate.ts).
-- The functions know passages by now: rows are told apart by them. In the moment before, a passage's vector waits.
select funding.lock_tables(array['grants_vectors_0', 'grants_vectors_1', 'contracts_vectors_0', 'contracts_vectors_1', 'funders_vectors_0',
  'funders_vectors_1', 'embedding_queue', 'next_embeddings']);
alter table funding.grants_vectors_0 drop constraint grants_vectors_0_pkey, add constraint grants_vectors_0_pkey primary key using index grants_vectors_0_passages;
alter table funding.grants_vectors_1 drop constraint grants_vectors_1_pkey, add constraint grants_vectors_1_pkey primary key using index grants_vectors_1_passages;
alter table funding.contracts_vectors_0 drop constraint contracts_vectors_0_pkey, add constraint contracts_vectors_0_pkey primary key using index contracts_vectors_0_passages;
alter table funding.contracts_vectors_1 drop constraint contracts_vectors_1_pkey, add constraint contracts_vectors_1_pkey primary key using index contracts_vectors_1_passages;
alter table funding.funders_vectors_0 drop constraint funders_vectors_0_pkey, add constraint funders_vectors_0_pkey primary key using index funders_vectors_0_passages;
alter table funding.funders_vectors_1 drop constraint funders_vectors_1_pkey, add constraint funders_vectors_1_pkey primary key using index funders_vectors_1_passages;
alter table funding.embedding_queue drop constraint embedding_queue_pkey, add constraint embedding_queue_pkey primary key using index embedding_queue_passages;
alter table funding.next_embeddings drop constraint next_embeddings_pkey, add constraint next_embeddings_pkey primary key using index next_embeddings_passages;
