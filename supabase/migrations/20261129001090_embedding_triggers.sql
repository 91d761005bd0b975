-- Begins a transaction (database/migrate.ts).
-- Records get their vectors of an external model from the dispatcher (supabase/schemas/index/fit/embedding_queue.sql). Importers wait a moment for the
-- triggers; where there is an external model, also until the records without a vector are queued.
create trigger grants_embedding_of_new after insert on funding.grants referencing new table as new_records
  for each statement execute function funding.queue_embeddings();
create trigger grants_embedding_of_changed after update on funding.grants
  for each row when (old.title is distinct from new.title or old.description is distinct from new.description)
  execute function funding.queue_embeddings();
create trigger grants_embedding_of_deleted after delete on funding.grants for each row execute function funding.queue_embeddings();

create trigger contracts_embedding_of_new after insert on funding.contracts referencing new table as new_records
  for each statement execute function funding.queue_embeddings();
create trigger contracts_embedding_of_changed after update on funding.contracts
  for each row when (old.title is distinct from new.title or old.description is distinct from new.description)
  execute function funding.queue_embeddings();
create trigger contracts_embedding_of_deleted after delete on funding.contracts for each row execute function funding.queue_embeddings();

create trigger funders_embedding_of_new after insert on funding.funders referencing new table as new_records
  for each statement execute function funding.queue_embeddings();
create trigger funders_embedding_of_changed after update on funding.funders
  for each row when (old.name is distinct from new.name or old.summary is distinct from new.summary)
  execute function funding.queue_embeddings();
create trigger funders_embedding_of_deleted after delete on funding.funders for each row execute function funding.queue_embeddings();

select funding.queue_lacking_vectors();
