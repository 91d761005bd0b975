-- Tables. Written by npm run schema from the migrations; comments are kept.

create table funding.lexicon (
  term text,
  document_frequency integer not null,
  -- Null for a term too rare to have a place in the fitted space.
  vector extensions.vector(384),
  generation integer,
  constraint lexicon_pkey primary key (generation, term),
  constraint lexicon_frequency_positive check (document_frequency > 0)
);
alter table funding.lexicon enable row level security;
create index lexicon_term_trigrams on funding.lexicon using gin (((term || '')) extensions.gin_trgm_ops);

-- The statistics of the corpus at the last fit. One row.
create table funding.lexicon_fit (
  singleton boolean default true,
  documents integer not null,
  average_length real not null,
  dimensions integer not null,
  fitted_at timestamptz,
  bm25_k1 real not null,
  bm25_b real not null,
  bm25_title_weight real not null,
  generation integer not null default 0,
  vectors integer not null default 0,
  has_singular_order boolean not null default false,
  constraint lexicon_fit_pkey primary key (singleton),
  constraint lexicon_fit_single_row check (singleton)
);
alter table funding.lexicon_fit enable row level security;

-- The fit that is being prepared. Whoever begins another takes its place.
create unlogged table funding.next_fit (
  id uuid,
  documents integer not null,
  average_length real not null,
  dimensions integer not null,
  -- Whether records get their vectors from it; under an external model they keep their own.
  makes_vectors boolean not null,
  bm25_k1 real not null,
  bm25_b real not null,
  bm25_title_weight real not null,
  generation integer not null,
  vectors integer not null,
  is_filling boolean not null default false,
  prepared_at timestamptz not null default now(),
  has_singular_order boolean not null default false,
  constraint next_fit_pkey primary key (id)
);
alter table funding.next_fit enable row level security;

-- Vectors of a model that search does not use yet. They wait here until every record has one, and then move
-- into the records in one transaction.
create table funding.next_embeddings (
  model text,
  dataset text,
  record_id uuid,
  -- The hash of the text that was embedded. A record whose text has changed since needs another vector.
  text_hash text not null,
  embedding extensions.halfvec not null,
  kept_since timestamptz,
  passage integer default 0,
  constraint next_embeddings_pkey primary key (model, dataset, record_id, passage)
);
alter table funding.next_embeddings enable row level security;
create index next_embeddings_kept_since on funding.next_embeddings (kept_since) where (kept_since is not null);

-- Records that wait for a vector of the external model, and those whose text its provider refuses. In the dispatcher's time but for `queued_at`.
create table funding.embedding_queue (
  dataset text,
  record_id uuid,
  queued_at timestamptz not null default now(),
  claimed_until timestamptz,
  attempts integer not null default 0,
  refusal text,
  passage integer default 0,
  constraint embedding_queue_pkey primary key (dataset, record_id, passage),
  constraint embedding_queue_refused_is_not_claimed check ((refusal is null) or (claimed_until is null))
) with (fillfactor=70);
alter table funding.embedding_queue enable row level security;
create index embedding_queue_oldest on funding.embedding_queue (queued_at) where (refusal is null);
create index embedding_queue_refused on funding.embedding_queue (queued_at) where (refusal is not null);
create index embedding_queue_waiting on funding.embedding_queue (attempts, queued_at) where (refusal is null);

-- What external models have cost, and the pause after a failure. One row.
create table funding.embedding_state (
  is_only boolean default true,
  tokens bigint not null default 0,
  requests bigint not null default 0,
  records bigint not null default 0,
  failures bigint not null default 0,
  day date not null default '2026-01-01'::date,
  tokens_today bigint not null default 0,
  minute timestamptz not null default '2026-01-01 00:00:00+00'::timestamptz,
  requests_in_minute integer not null default 0,
  failures_in_a_row integer not null default 0,
  paused_until timestamptz,
  last_failure text,
  next_model text,
  next_since timestamptz,
  constraint embedding_state_pkey primary key (is_only),
  constraint embedding_state_is_only check (is_only)
);
alter table funding.embedding_state enable row level security;

create table funding.synonyms (
  -- One word, in any form: "kids" and "kid" are the same.
  word text,
  means text not null,
  term text generated always as (funding.stem(word)) stored,
  constraint synonyms_pkey primary key (word),
  constraint synonyms_means_present check (means <> ''),
  constraint synonyms_word_is_one_word check (word ~ '^[^\s]+$')
);
alter table funding.synonyms enable row level security;
create index synonyms_term on funding.synonyms (term);
