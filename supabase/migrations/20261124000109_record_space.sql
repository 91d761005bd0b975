-- Searches wait for what follows, which is therefore last.

-- The words of two generations.
alter table funding.lexicon add column generation integer not null default 0;
create unique index lexicon_of_generation on funding.lexicon (generation, term);
alter table funding.lexicon drop constraint lexicon_pkey;
alter table funding.lexicon add constraint lexicon_pkey primary key using index lexicon_of_generation, alter column generation drop default;

-- Vectors are no longer in the records, which no fit changes any more.
drop index if exists funding.grants_embedding, funding.grants_listed_embedding, funding.contracts_embedding,
  funding.contracts_listed_embedding, funding.funders_embedding, funding.grants_without_vector, funding.contracts_without_vector,
  funding.funders_without_vector;
-- A page keeps a tenth for changes of what no index has. It was half, for the vectors of the next fit.
alter table funding.funders set (fillfactor = 90);
alter table funding.grants set (fillfactor = 90);
alter table funding.contracts set (fillfactor = 90);

-- What `expand=details` shows beside a record's own fields, as far as its source says it: { FIELD: VALUE }. Null until an import or an
-- embedded server's demo data filled it: to be filled for the first time is no change of the record.
alter table funding.grants add column details jsonb;
alter table funding.contracts add column details jsonb;
