-- The three datasets. Field meanings are those of the published contract; the columns after
-- `categories` are ours: where a record came from, and what search needs.

-- The stable id of a record: the same source and source id give the same UUID on every machine,
-- so a client's stored ids survive a database rebuilt from the same sources. (RFC 9562 version 8.)
create function funding.record_id(dataset text, source text, source_id text) returns uuid
language sql immutable parallel safe as $$
  select overlay(overlay(digest placing '8' from 13) placing 'a' from 17)::uuid
  -- A slash inside a source cannot be taken for the one that ends it.
  from md5(dataset || '/' || replace(replace(source, '%', '%25'), '/', '%2F') || '/' || source_id) as digest
$$;

-- How a name is compared: case, accents, punctuation and spacing do not matter. Letters of every script
-- do, so only what is known to be punctuation is dropped.
create function funding.name_key(name text) returns text
language sql immutable parallel safe as $$
  select btrim(regexp_replace(lower(extensions.unaccent('extensions.unaccent'::regdictionary, name)), '[\s\u00a0\u2000-\u200b\u202f\u3000!-/:-@\[-`{-~]+', ' ', 'g'))
$$;

-- What titles and names are sorted by. The beginning is enough, and no index takes a text of any length.
create function funding.title_key(title text) returns text
language sql immutable parallel safe as $$
  select left(lower(title), 300)
$$;

create function funding.lower_all(values_ text[]) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(lower(value) order by position), '{}')
  from unnest(values_) with ordinality as item(value, position)
$$;

create table funding.funders (
  id uuid primary key,
  name text not null,
  summary text,
  website text,
  created_at timestamptz(3) not null,
  source text not null,
  source_id text not null,
  content_hash text not null,
  updated_at timestamptz not null default now(),
  document tsvector not null default '',
  bm25 extensions.sparsevec(536870912),
  embedding extensions.halfvec(384),
  embedding_model text,
  posting_number integer,
  constraint funders_source_unique unique (source, source_id),
  constraint funders_name_present check (name <> '')
);

create table funding.grants (
  id uuid primary key,
  title text not null,
  description text not null,
  amount_min double precision,
  amount_max double precision,
  deadline_date date,
  project_end_date date,
  status text not null,
  classification text not null,
  geography text,
  states text[] not null default '{}',
  is_national boolean not null default false,
  funder_id uuid not null references funding.funders (id),
  listing_url text,
  created_at timestamptz(3) not null,
  categories text[] not null default '{}',
  category_keys text[] not null generated always as (funding.lower_all(categories)) stored,
  identifiers text[] not null default '{}',
  identifier_keys text[] not null generated always as (funding.lower_all(identifiers)) stored,
  source text not null,
  source_id text not null,
  content_hash text not null,
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  document tsvector not null default '',
  bm25 extensions.sparsevec(536870912),
  embedding extensions.halfvec(384),
  embedding_model text,
  posting_number integer,
  constraint grants_source_unique unique (source, source_id),
  constraint grants_title_present check (title <> ''),
  constraint grants_status_known check (status in ('open', 'posted', 'closed', 'forecasted', 'upcoming')),
  constraint grants_classification_known check (classification in ('opportunity', 'awarded_project')),
  constraint grants_awarded_has_no_deadline check (classification = 'opportunity' or deadline_date is null),
  constraint grants_opportunity_has_no_project_end check (classification = 'awarded_project' or project_end_date is null),
  constraint grants_national_names_no_state check (not (is_national and cardinality(states) > 0)),
  constraint grants_amounts_in_order check (amount_min <= amount_max),
  constraint grants_amounts_not_negative check (amount_min >= 0 and amount_max >= 0),
  constraint grants_amounts_finite check (amount_min < 'infinity' and amount_max < 'infinity')
);

create table funding.contracts (
  id uuid primary key,
  title text not null,
  description text not null,
  amount_min double precision,
  amount_max double precision,
  deadline_date date,
  project_end_date date,
  status text not null,
  classification text not null,
  geography text,
  states text[] not null default '{}',
  is_national boolean not null default false,
  document_url text,
  listing_url text,
  naics text,
  primary_contact_email text,
  set_aside_code text,
  funder_id uuid not null references funding.funders (id),
  created_at timestamptz(3) not null,
  categories text[] not null default '{}',
  category_keys text[] not null generated always as (funding.lower_all(categories)) stored,
  identifiers text[] not null default '{}',
  identifier_keys text[] not null generated always as (funding.lower_all(identifiers)) stored,
  source text not null,
  source_id text not null,
  content_hash text not null,
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  document tsvector not null default '',
  bm25 extensions.sparsevec(536870912),
  embedding extensions.halfvec(384),
  embedding_model text,
  posting_number integer,
  constraint contracts_source_unique unique (source, source_id),
  constraint contracts_title_present check (title <> ''),
  constraint contracts_status_lower_case check (status <> '' and status = lower(status)),
  constraint contracts_classification_known check (classification in ('opportunity', 'awarded_project')),
  constraint contracts_awarded_has_no_deadline check (classification = 'opportunity' or deadline_date is null),
  constraint contracts_opportunity_has_no_project_end check (classification = 'awarded_project' or project_end_date is null),
  constraint contracts_national_names_no_state check (not (is_national and cardinality(states) > 0)),
  constraint contracts_amounts_in_order check (amount_min <= amount_max),
  constraint contracts_amounts_not_negative check (amount_min >= 0 and amount_max >= 0),
  constraint contracts_amounts_finite check (amount_min < 'infinity' and amount_max < 'infinity'),
  constraint contracts_naics_six_digits check (naics ~ '^[0-9]{6}$')
);

-- Ranking reads the vectors of hundreds of rows a query and the text of twenty. Vectors therefore
-- stay in the row, and the long text is what moves out of line when a row outgrows its page share.
alter table funding.funders alter column bm25 set storage main, alter column embedding set storage plain;
alter table funding.grants alter column bm25 set storage main, alter column embedding set storage plain;
alter table funding.contracts alter column bm25 set storage main, alter column embedding set storage plain;

alter table funding.funders enable row level security;
alter table funding.grants enable row level security;
alter table funding.contracts enable row level security;

-- One index for each filter and sort that the API offers. Sorting ties are broken by id in the
-- direction of the sort, so an index on a column that is never null serves both directions;
-- nullable columns need one for each, because nulls come last either way.
do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    execute format('create index %1$s_created_at on funding.%1$s (created_at, id)', dataset);
    -- What every list has unless it says otherwise: one classification, nothing archived. It counts them, too.
    -- The fields of the simple filters are in it, so that their totals are counted without a look at the records.
    execute format('create index %1$s_listed on funding.%1$s (classification, created_at, id)
      include (status, amount_min, amount_max, deadline_date, is_national) where archived_at is null', dataset);
    execute format('create index %1$s_title on funding.%1$s ((funding.title_key(title) collate "C"), id)', dataset);
    execute format('create index %1$s_deadline_ascending on funding.%1$s (deadline_date asc nulls last, id asc)', dataset);
    execute format('create index %1$s_deadline_descending on funding.%1$s (deadline_date desc nulls last, id desc)', dataset);
    -- What was archived has old deadlines, and would all be passed over before the first that is listed.
    execute format('create index %1$s_deadline_listed on funding.%1$s (deadline_date asc nulls last, id asc) where archived_at is null', dataset);
    execute format('create index %1$s_amount_min_ascending on funding.%1$s (amount_min asc nulls last, id asc)', dataset);
    execute format('create index %1$s_amount_min_descending on funding.%1$s (amount_min desc nulls last, id desc)', dataset);
    execute format('create index %1$s_amount_max_ascending on funding.%1$s (amount_max asc nulls last, id asc)', dataset);
    execute format('create index %1$s_amount_max_descending on funding.%1$s (amount_max desc nulls last, id desc)', dataset);
    execute format('create index %1$s_status on funding.%1$s (status, created_at)', dataset);
    execute format('create index %1$s_funder on funding.%1$s (funder_id)', dataset);
    execute format('create index %1$s_states on funding.%1$s using gin (states)', dataset);
    execute format('create index %1$s_national on funding.%1$s (created_at) where is_national', dataset);
    execute format('create index %1$s_categories on funding.%1$s using gin (category_keys)', dataset);
    execute format('create index %1$s_identifiers on funding.%1$s using gin (identifier_keys)', dataset);
    execute format('create index %1$s_geography on funding.%1$s using gin (geography extensions.gin_trgm_ops)', dataset);
  end loop;
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format('create index %1$s_document on funding.%1$s using gin (document)', dataset);
    -- The records that a search found by number: mostly it asks of them no more than what every list has.
    execute format('create index %1$s_posting_number on funding.%1$s (posting_number) include (%2$s)', dataset,
      case when dataset = 'funders' then 'id' else 'id, classification, archived_at' end);
    execute format('create index %1$s_unposted on funding.%1$s (id) where posting_number is null', dataset);
  end loop;
end
$$;

create index contracts_naics on funding.contracts (naics, created_at);
create index contracts_set_aside on funding.contracts (upper(set_aside_code), created_at);
create index funders_name on funding.funders ((funding.title_key(name) collate "C"), id);
create index funders_created_at on funding.funders (created_at, id);
create index funders_name_key on funding.funders (funding.name_key(name));

-- A number that moves with every committed change to a dataset, and one (`search`) to what ranks them. Whatever is
-- remembered about a dataset is remembered with these numbers, and so can never be wrong.
create table funding.data_versions (
  dataset text primary key,
  version bigint not null default 0,
  changed_at timestamptz not null default now()
);
alter table funding.data_versions enable row level security;
insert into funding.data_versions (dataset) values ('grants'), ('contracts'), ('funders'), ('search');

create function funding.note_data_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update funding.data_versions
  set version = version + 1, changed_at = clock_timestamp()
  where dataset = coalesce(tg_argv[0], tg_table_name);
  return null;
end
$$;

create trigger funders_changed after insert or update or delete or truncate on funding.funders
  for each statement execute function funding.note_data_change();
create trigger grants_changed after insert or update or delete or truncate on funding.grants
  for each statement execute function funding.note_data_change();
create trigger contracts_changed after insert or update or delete or truncate on funding.contracts
  for each statement execute function funding.note_data_change();
create trigger settings_changed after insert or update or delete or truncate on funding.settings
  for each statement execute function funding.note_data_change('search');
