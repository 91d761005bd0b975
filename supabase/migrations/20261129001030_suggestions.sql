-- Begins a transaction (database/migrate.ts).
-- What GET /suggest completes: values of filters, titles and words, with the records that each finds (supabase/schemas/lists/suggestions.sql).
create table funding.suggestions (
  kind text,
  form text collate "C",
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
create index suggestions_words on funding.suggestions using gin (words) with (fastupdate = off);

create table funding.suggestion_words (
  word text collate "C",
  suggestions integer not null,
  constraint suggestion_words_pkey primary key (word)
);
alter table funding.suggestion_words enable row level security;

create table funding.suggestion_renewal (
  is_only boolean default true,
  version bigint not null,
  renewed_at timestamptz not null,
  duration interval not null,
  constraint suggestion_renewal_pkey primary key (is_only),
  constraint suggestion_renewal_is_only check (is_only)
);
alter table funding.suggestion_renewal enable row level security;

-- A renewal of them under way, and what its steps have read so far. A crash empties both, and it begins anew.
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

create unlogged table funding.suggestion_parts (
  kind text,
  bucket text collate "C",
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

create table funding.set_aside_names (
  code text,
  name text not null,
  constraint set_aside_names_pkey primary key (code)
);
alter table funding.set_aside_names enable row level security;
insert into funding.set_aside_names (code, name) values
  ('SBA', 'Total small business'), ('SBP', 'Partial small business'), ('8A', '8(a)'), ('8AN', '8(a) sole source'),
  ('HZC', 'HUBZone, historically underutilized business'), ('HZS', 'HUBZone sole source'),
  ('SDVOSBC', 'SDVOSB, service-disabled veteran-owned small business'), ('SDVOSBS', 'SDVOSB sole source'),
  ('WOSB', 'Women-owned small business'), ('WOSBSS', 'WOSB sole source'),
  ('EDWOSB', 'Economically disadvantaged women-owned small business'), ('EDWOSBSS', 'EDWOSB sole source'), ('LAS', 'Local area'),
  ('IEE', 'Indian economic enterprise'), ('ISBEE', 'Indian small business economic enterprise'), ('BICIV', 'Buy Indian'),
  ('VSA', 'VOSB, veteran-owned small business'), ('VSS', 'VOSB sole source'), ('HMT', 'Total HBCU or minority institution'),
  ('HMP', 'Partial HBCU or minority institution'), ('VSB', 'Very small business'), ('ESB', 'Emerging small business'),
  ('RSB', 'Reserved for small business');
