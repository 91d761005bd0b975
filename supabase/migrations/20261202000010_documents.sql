-- Begins a transaction (database/migrate.ts).
-- Documents of opportunities: their texts in passages, the facts that they state, and the index of their words.
create type funding.ranked_passages as (
  slots integer[],
  scores double precision[],
  documents uuid[],
  numbers integer[]
);

create table funding.documents (
  id uuid primary key,
  file_id uuid not null,
  url text,
  file text,
  member text,
  sha256 text,
  reader integer,
  media_type text,
  pages integer,
  passages integer not null default 0,
  is_cut boolean not null default false,
  facts jsonb not null default '[]',
  fetched_at timestamptz,
  checked_at timestamptz not null,
  reason text,
  constraint documents_named check (url is not null or file is not null)
);
alter table funding.documents enable row level security;
create index documents_file on funding.documents (file_id);
create index documents_problem on funding.documents (id) where reason is not null;

create table funding.document_passages (
  document_id uuid references funding.documents on delete cascade,
  number integer,
  first_page integer,
  last_page integer,
  heading text not null,
  body text not null,
  primary key (document_id, number)
);
alter table funding.document_passages enable row level security;

create table funding.document_records (
  document_id uuid references funding.documents on delete cascade,
  dataset text,
  record_id uuid,
  primary key (document_id, dataset, record_id),
  constraint document_records_dataset_known check (dataset in ('grants', 'contracts'))
);
alter table funding.document_records enable row level security;
create index document_records_record on funding.document_records (record_id);

create table funding.document_parts (
  slot integer primary key,
  document_id uuid not null references funding.documents on delete cascade,
  first_passage integer not null,
  words tsvector not null
);
alter table funding.document_parts enable row level security;
create index document_parts_document on funding.document_parts (document_id);

create table funding.document_postings (
  term text,
  block integer,
  weights extensions.sparsevec(1024) not null,
  primary key (term, block)
);
alter table funding.document_postings enable row level security;

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('document_weight', '0.9', '0.9', 'share', '{"type": "number", "minimum": 0, "maximum": 1}',
   'Weight of the best passage of a record''s documents beside the record''s own words, where a search looks in both.'),
  ('floor_passage', '0.3', '0.3', 'share', '{"type": "number", "minimum": 0, "maximum": 1}',
   'Share of what the words of a search are worth that a passage of a document must have.');

create trigger document_parts_data_change after insert or delete on funding.document_parts
  for each statement execute function funding.note_data_change('search');
create trigger document_records_data_change after insert or delete on funding.document_records
  for each statement execute function funding.note_data_change('search');
