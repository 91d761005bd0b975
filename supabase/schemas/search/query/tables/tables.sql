-- Tables. Written by npm run schema from the migrations; comments are kept.

-- Queries themselves are not kept, only hashes of them.
create table funding.query_embeddings (
  model text,
  -- SHA-256 of the text that was embedded.
  text_hash bytea,
  embedding extensions.halfvec not null,
  used_on date not null,
  constraint query_embeddings_pkey primary key (model, text_hash)
);
alter table funding.query_embeddings enable row level security;
create index query_embeddings_used_on on funding.query_embeddings (used_on);
