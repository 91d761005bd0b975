-- Tables. Written by npm run schema from the migrations; comments are kept.

-- Pages that were asked for more than once, remembered like totals: per request and data version, the funders' too,
-- since records show their names. A page that is asked for once leaves only a note that it was. Losing this table
-- loses nothing, hence unlogged.
create unlogged table funding.pages (
  dataset text,
  request_key text,
  version bigint not null,
  -- Null until the request comes a second time.
  page json,
  next json,
  total bigint,
  remembered_at timestamptz not null default now(),
  constraint pages_pkey primary key (dataset, request_key)
);
alter table funding.pages enable row level security;
alter table funding.pages alter column page set storage external;

-- What `funding.suggested` completes: values of filters, titles and words. `form` is the value as filters compare it, without what case and
-- punctuation make different. `grants`, `contracts` and `funders` are the current records that it finds; null where none has it, archived ones
-- included. `weight` is their sum, and of titles the day.
create table funding.suggestions (
  kind text,
  form text collate pg_catalog."C",
  value text not null,
  label text not null,
  words tsvector not null,
  grants integer,
  contracts integer,
  funders integer,
  weight integer not null,
  constraint suggestions_pkey primary key (kind, form)
);
alter table funding.suggestions enable row level security;
create index suggestions_weight on funding.suggestions (kind, weight desc);
create index suggestions_words on funding.suggestions using gin (words) with (fastupdate=off);

-- Words of the suggestions, in which a mistyped word is looked for, each with the number of suggestions that have it.
create table funding.suggestion_words (
  word text collate pg_catalog."C",
  suggestions integer not null,
  constraint suggestion_words_pkey primary key (word)
);
alter table funding.suggestion_words enable row level security;

-- Version of the data that the suggestions are of, and how long it took to make them.
create table funding.suggestion_renewal (
  is_only boolean default true,
  version bigint not null,
  renewed_at timestamptz not null,
  duration interval not null,
  constraint suggestion_renewal_pkey primary key (is_only),
  constraint suggestion_renewal_is_only check (is_only)
);
alter table funding.suggestion_renewal enable row level security;

-- A renewal of them under way: the next step is `stage`, after this record or word, of up to `size` records. `duration` is that of the steps so far.
create unlogged table funding.suggestion_progress (
  is_only boolean default true,
  method integer not null,
  version bigint not null,
  duration interval not null,
  stage integer not null,
  after text,
  part integer not null,
  size integer not null,
  constraint suggestion_progress_pkey primary key (is_only),
  constraint suggestion_progress_is_only check (is_only)
);
alter table funding.suggestion_progress enable row level security;

-- What its steps have read, each step (`part`) a row for each kind of value, and for each bucket of words: values with their spelling, label, words and
-- current records; words with their lexeme and titles; lexemes with their records. A crash empties both tables, and it begins anew.
create unlogged table funding.suggestion_parts (
  kind text,
  bucket text collate pg_catalog."C",
  part integer,
  dataset text not null,
  forms text[],
  spellings text[],
  labels text[],
  others text[],
  counts integer[] not null,
  constraint suggestion_parts_pkey primary key (kind, bucket, part)
);
alter table funding.suggestion_parts enable row level security;

-- Names of the codes of set-asides, as docs/filters.md has them.
create table funding.set_aside_names (
  code text,
  name text not null,
  constraint set_aside_names_pkey primary key (code)
);
alter table funding.set_aside_names enable row level security;
