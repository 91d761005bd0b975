-- Begins a transaction (database/migrate.ts).
-- Vectors of any size in the tables that hold those of several models, the model that dispatchers embed by for a change to come, and vectors of
-- passages. Requests wait for moments: no table is written anew.
select funding.lock_tables(array['query_embeddings', 'next_embeddings', 'embedding_state', 'embedding_queue', 'grants_vectors_0', 'grants_vectors_1',
  'contracts_vectors_0', 'contracts_vectors_1', 'funders_vectors_0', 'funders_vectors_1']);
alter table funding.query_embeddings alter column embedding type extensions.halfvec;
alter table funding.next_embeddings alter column embedding type extensions.halfvec, add column kept_since timestamptz,
  add column passage integer not null default 0;
alter table funding.embedding_queue add column passage integer not null default 0;
alter table funding.grants_vectors_0 add column passage integer not null default 0;
alter table funding.grants_vectors_1 add column passage integer not null default 0;
alter table funding.contracts_vectors_0 add column passage integer not null default 0;
alter table funding.contracts_vectors_1 add column passage integer not null default 0;
alter table funding.funders_vectors_0 add column passage integer not null default 0;
alter table funding.funders_vectors_1 add column passage integer not null default 0;
alter table funding.embedding_state add column next_model text, add column next_since timestamptz;

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('former_vector_days', '30', '30', 'days', '{"type": "integer", "minimum": 0, "maximum": 3650}',
   'Days for which the records'' vectors of a former external model are kept: until then going back to it costs nothing.'),
  ('embedding_passage_characters', '1800', '1800', 'characters', '{"type": "integer", "minimum": 0, "maximum": 8000}',
   'Length of a passage: an external model embeds the passages of a longer text as well. 0 embeds none. Holds for records that are embedded from then on.');

update funding.settings
set schema = '{"type": "string", "pattern": "^(lexicon|(?!.*@[0-9]+$)(openai|supabase|workers-ai)/[^[:space:]]+|openai/[^[:space:]]+@(25[6-9]|2[6-9][0-9]|[3-9][0-9]{2}|[12][0-9]{3}|30[0-6][0-9]|307[0-2]))$", "description": "lexicon, openai/NAME, openai/NAME@SIZE with a size from 256 to 3072, supabase/NAME or workers-ai/NAME"}'
where name = 'embedding_model';
