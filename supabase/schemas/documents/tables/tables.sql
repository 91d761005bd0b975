-- Tables. Written by npm run schema from the migrations; comments are kept.

-- A document of opportunities, or the reason why it could not be had or read. One of an archive is a document of its own.
create table funding.documents (
  id uuid,
  -- Of the file that the document is, or is in: by its address, or by its name where it has none.
  file_id uuid not null,
  url text,
  -- Name of the file in an operator's folder, where the file has no address.
  file text,
  -- Name within an archive.
  member text,
  -- Of the file that was read, and the version of what read it.
  sha256 text,
  reader integer,
  media_type text,
  pages integer,
  passages integer not null default 0,
  is_cut boolean not null default false,
  -- Facts that it states: [{ name, value, passage, page, sentence }].
  facts jsonb not null default '[]'::jsonb,
  fetched_at timestamptz,
  checked_at timestamptz not null,
  -- Why the last look brought nothing, or why the file cannot be read, as a sentence.
  reason text,
  -- When a file is read again whose reading came to no end.
  retry_at timestamptz,
  constraint documents_pkey primary key (id),
  constraint documents_named check ((url is not null) or (file is not null))
);
alter table funding.documents enable row level security;
create index documents_file on funding.documents (file_id);
create index documents_problem on funding.documents (id) where (reason is not null);

-- Parts of a document's text, of some 200 words, which end where sentences do.
create table funding.document_passages (
  document_id uuid,
  number integer,
  first_page integer,
  last_page integer,
  heading text not null,
  body text not null,
  constraint document_passages_pkey primary key (document_id, number)
);
alter table funding.document_passages enable row level security;

-- Records that have a document, as of the last load.
create table funding.document_records (
  document_id uuid,
  dataset text,
  record_id uuid,
  constraint document_records_pkey primary key (document_id, dataset, record_id),
  constraint document_records_dataset_known check (dataset = any (array['grants', 'contracts']))
);
alter table funding.document_records enable row level security;
create index document_records_record on funding.document_records (record_id);

-- Words of up to 240 passages of a document. A position in `words` is 4 times the passage's place in the part, from 0, plus how often the passage has the
-- word, 1 to 4.
create table funding.document_parts (
  slot integer,
  document_id uuid not null,
  first_passage integer not null,
  words tsvector not null,
  constraint document_parts_pkey primary key (slot)
);
alter table funding.document_parts enable row level security;
create index document_parts_document on funding.document_parts (document_id);

-- Inverted index of parts: for each term, the most that it weighs in one passage of each part of a block. A block has 1,024 slots.
create table funding.document_postings (
  term text,
  block integer,
  weights extensions.sparsevec(1024) not null,
  constraint document_postings_pkey primary key (term, block)
);
alter table funding.document_postings enable row level security;
