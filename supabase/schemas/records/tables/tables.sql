-- Tables. Written by npm run schema from the migrations; comments are kept.

create table funding.grants (
  id uuid,
  title text not null,
  description text not null,
  amount_min double precision,
  amount_max double precision,
  deadline_date date,
  project_end_date date,
  status text not null,
  classification text not null,
  geography text,
  states text[] not null default '{}'::text[],
  is_national boolean not null default false,
  funder_id uuid not null,
  listing_url text,
  created_at timestamptz(3) not null,
  categories text[] not null default '{}'::text[],
  category_keys text[] not null generated always as (funding.lowercased(categories)) stored,
  identifiers text[] not null default '{}'::text[],
  source text not null,
  source_id text not null,
  content_hash text not null,
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  lexemes tsvector not null default ''::tsvector,
  slot integer,
  details jsonb,
  first_seen_at timestamptz,
  stated_status text,
  stated_archived_at timestamptz,
  superseded_by uuid,
  constraint grants_pkey primary key (id),
  constraint grants_source_unique unique (source, source_id),
  constraint grants_amounts_finite check ((amount_min < 'Infinity'::double precision) and (amount_max < 'Infinity'::double precision)),
  constraint grants_amounts_in_order check (amount_min <= amount_max),
  constraint grants_amounts_not_negative check ((amount_min >= (0)::double precision) and (amount_max >= (0)::double precision)),
  constraint grants_awarded_has_no_deadline check ((classification = 'opportunity') or (deadline_date is null)),
  constraint grants_classification_known check (classification = any (array['opportunity', 'awarded_project'])),
  constraint grants_national_names_no_state check (not (is_national and (cardinality(states) > 0))),
  constraint grants_opportunity_has_no_project_end check ((classification = 'awarded_project') or (project_end_date is null)),
  constraint grants_status_known check (status = any (array['open', 'posted', 'closed', 'forecasted', 'upcoming'])),
  constraint grants_title_present check (title <> '')
) with (fillfactor=90);
alter table funding.grants enable row level security;
create index grants_amount_max_ascending on funding.grants (amount_max, id);
create index grants_amount_max_descending on funding.grants (amount_max desc nulls last, id desc);
create index grants_amount_min_ascending on funding.grants (amount_min, id);
create index grants_amount_min_descending on funding.grants (amount_min desc nulls last, id desc);
create index grants_categories on funding.grants using gin (category_keys);
create index grants_closing on funding.grants (deadline_date) where ((archived_at is null) and (classification = 'opportunity') and (status = any (array['open', 'posted', 'forecasted', 'upcoming'])));
create index grants_created_at on funding.grants (created_at, id);
create index grants_deadline_ascending on funding.grants (deadline_date, id);
create index grants_deadline_descending on funding.grants (deadline_date desc nulls last, id desc);
create index grants_deadline_listed on funding.grants (deadline_date, id) where ((archived_at is null) and (superseded_by is null));
create index grants_detail_keys on funding.grants using gin (funding.detail_keys(details));
create index grants_first_seen_at on funding.grants (first_seen_at) where (first_seen_at is not null);
create index grants_funder on funding.grants (funder_id);
create index grants_geography on funding.grants using gin (geography extensions.gin_trgm_ops);
create index grants_identifier_forms on funding.grants using gin (funding.identifier_forms(identifiers));
create index grants_lexemes on funding.grants using gin (lexemes);
create index grants_listed on funding.grants (classification, created_at, id) include (status, amount_min, amount_max, deadline_date, is_national) where ((archived_at is null) and (superseded_by is null));
create index grants_national on funding.grants (created_at) where is_national;
create index grants_number_keys on funding.grants using gin (funding.number_keys((details ->> 'opportunity_number'))) with (fastupdate=off) where (details ? 'opportunity_number');
create index grants_opportunity_number on funding.grants (upper((details ->> 'opportunity_number'))) where (details ? 'opportunity_number');
create index grants_planned on funding.grants (stated_archived_at) where ((archived_at is null) and (stated_archived_at is not null));
create index grants_slot on funding.grants (slot) include (id, classification, archived_at, superseded_by);
create index grants_states on funding.grants using gin (states);
create index grants_status on funding.grants (status, created_at);
create index grants_superseded_by on funding.grants (superseded_by) where (superseded_by is not null);
create index grants_title on funding.grants (funding.title_key(title) collate "C", id);
create index grants_unposted on funding.grants (id) where (slot is null);
create index grants_updated_at on funding.grants (updated_at, id);
create index grants_version_key on funding.grants (funding.version_key(details)) where ((classification = 'opportunity') and (details ? 'opportunity_number'));

create table funding.contracts (
  id uuid,
  title text not null,
  description text not null,
  amount_min double precision,
  amount_max double precision,
  deadline_date date,
  project_end_date date,
  status text not null,
  classification text not null,
  geography text,
  states text[] not null default '{}'::text[],
  is_national boolean not null default false,
  document_url text,
  listing_url text,
  naics text,
  primary_contact_email text,
  set_aside_code text,
  funder_id uuid not null,
  created_at timestamptz(3) not null,
  categories text[] not null default '{}'::text[],
  category_keys text[] not null generated always as (funding.lowercased(categories)) stored,
  identifiers text[] not null default '{}'::text[],
  source text not null,
  source_id text not null,
  content_hash text not null,
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  lexemes tsvector not null default ''::tsvector,
  slot integer,
  details jsonb,
  first_seen_at timestamptz,
  stated_status text,
  stated_archived_at timestamptz,
  superseded_by uuid,
  constraint contracts_pkey primary key (id),
  constraint contracts_source_unique unique (source, source_id),
  constraint contracts_amounts_finite check ((amount_min < 'Infinity'::double precision) and (amount_max < 'Infinity'::double precision)),
  constraint contracts_amounts_in_order check (amount_min <= amount_max),
  constraint contracts_amounts_not_negative check ((amount_min >= (0)::double precision) and (amount_max >= (0)::double precision)),
  constraint contracts_awarded_has_no_deadline check ((classification = 'opportunity') or (deadline_date is null)),
  constraint contracts_classification_known check (classification = any (array['opportunity', 'awarded_project'])),
  constraint contracts_naics_six_digits check (naics ~ '^[0-9]{6}$'),
  constraint contracts_national_names_no_state check (not (is_national and (cardinality(states) > 0))),
  constraint contracts_opportunity_has_no_project_end check ((classification = 'awarded_project') or (project_end_date is null)),
  constraint contracts_status_lower_case check ((status <> '') and (status = lower(status))),
  constraint contracts_title_present check (title <> '')
) with (fillfactor=90);
alter table funding.contracts enable row level security;
create index contracts_amount_max_ascending on funding.contracts (amount_max, id);
create index contracts_amount_max_descending on funding.contracts (amount_max desc nulls last, id desc);
create index contracts_amount_min_ascending on funding.contracts (amount_min, id);
create index contracts_amount_min_descending on funding.contracts (amount_min desc nulls last, id desc);
create index contracts_categories on funding.contracts using gin (category_keys);
create index contracts_closing on funding.contracts (deadline_date) where ((archived_at is null) and (classification = 'opportunity') and (status = any (array['open', 'posted', 'forecasted', 'upcoming'])));
create index contracts_created_at on funding.contracts (created_at, id);
create index contracts_deadline_ascending on funding.contracts (deadline_date, id);
create index contracts_deadline_descending on funding.contracts (deadline_date desc nulls last, id desc);
create index contracts_deadline_listed on funding.contracts (deadline_date, id) where ((archived_at is null) and (superseded_by is null));
create index contracts_detail_keys on funding.contracts using gin (funding.detail_keys(details));
create index contracts_first_seen_at on funding.contracts (first_seen_at) where (first_seen_at is not null);
create index contracts_funder on funding.contracts (funder_id);
create index contracts_geography on funding.contracts using gin (geography extensions.gin_trgm_ops);
create index contracts_identifier_forms on funding.contracts using gin (funding.identifier_forms(array_append(identifiers, naics)));
create index contracts_lexemes on funding.contracts using gin (lexemes);
create index contracts_listed on funding.contracts (classification, created_at, id) include (status, amount_min, amount_max, deadline_date, is_national) where ((archived_at is null) and (superseded_by is null));
create index contracts_naics on funding.contracts (naics, created_at);
create index contracts_national on funding.contracts (created_at) where is_national;
create index contracts_planned on funding.contracts (stated_archived_at) where ((archived_at is null) and (stated_archived_at is not null));
create index contracts_set_aside on funding.contracts (upper(set_aside_code), created_at);
create index contracts_slot on funding.contracts (slot) include (id, classification, archived_at, superseded_by);
create index contracts_states on funding.contracts using gin (states);
create index contracts_status on funding.contracts (status, created_at);
create index contracts_superseded_by on funding.contracts (superseded_by) where (superseded_by is not null);
create index contracts_title on funding.contracts (funding.title_key(title) collate "C", id);
create index contracts_unposted on funding.contracts (id) where (slot is null);
create index contracts_updated_at on funding.contracts (updated_at, id);
create index contracts_version_key on funding.contracts (funding.version_key(details)) where ((classification = 'opportunity') and (details ? 'opportunity_number'));

create table funding.funders (
  id uuid,
  name text not null,
  summary text,
  website text,
  created_at timestamptz(3) not null,
  source text not null,
  source_id text not null,
  content_hash text not null,
  updated_at timestamptz not null default now(),
  lexemes tsvector not null default ''::tsvector,
  slot integer,
  first_seen_at timestamptz,
  constraint funders_pkey primary key (id),
  constraint funders_source_unique unique (source, source_id),
  constraint funders_name_present check (name <> '')
) with (fillfactor=90);
alter table funding.funders enable row level security;
create index funders_created_at on funding.funders (created_at, id);
create index funders_first_seen_at on funding.funders (first_seen_at) where (first_seen_at is not null);
create index funders_identifier_forms on funding.funders using gin (funding.identifier_forms(array[source_id]));
create index funders_lexemes on funding.funders using gin (lexemes);
create index funders_name on funding.funders (funding.title_key(name) collate "C", id);
create index funders_slot on funding.funders (slot) include (id);
create index funders_unposted on funding.funders (id) where (slot is null);
create index funders_updated_at on funding.funders (updated_at, id);

-- Other codes by which sources know a funder than its own source_id. (No foreign key: the funders can then be
-- truncated and loaded anew, and a code whose funder is gone is passed over.)
create table funding.funder_codes (
  source text,
  code text,
  funder_id uuid not null,
  constraint funder_codes_pkey primary key (source, code)
);
alter table funding.funder_codes enable row level security;

create sequence funding.funder_name_order as bigint;

create table funding.funder_names (
  funder_id uuid,
  -- Of the name as it is compared. A name may be longer than an index takes.
  name_hash uuid,
  -- As it was spelt last.
  name text not null,
  -- Which funder had the name first: a moment would not tell apart those of one transaction.
  known_order bigint not null default nextval('funding.funder_name_order'::regclass),
  -- In which order names were given up; null while the funder is called so.
  former_order bigint,
  constraint funder_names_pkey primary key (funder_id, name_hash)
);
alter table funding.funder_names enable row level security;
create index funder_names_hash on funding.funder_names (name_hash);

-- Empty but for what transactions under way are writing: see `lock_funders`.
create table funding.funder_locks (
  key uuid,
  constraint funder_locks_pkey primary key (key)
);
alter table funding.funder_locks enable row level security;

-- Statistics of funders, as the API shows them.
create table funding.funder_statistics (
  funder_id uuid,
  body json not null,
  made_at timestamptz not null,
  constraint funder_statistics_pkey primary key (funder_id)
);
alter table funding.funder_statistics enable row level security;

-- Funders whose statistics are to be made anew: a row for each statement that changed a record of theirs. Rows are only added, so that writers do not
-- wait for each other.
create table funding.funder_statistics_due (
  id bigint generated always as identity,
  funder_id uuid not null,
  constraint funder_statistics_due_pkey primary key (id)
);
alter table funding.funder_statistics_due enable row level security;
create index funder_statistics_due_funder on funding.funder_statistics_due (funder_id);

-- Numbers whose opportunities are to be linked anew.
create table funding.version_links_due (
  id bigint generated always as identity,
  dataset text not null,
  key text not null,
  constraint version_links_due_pkey primary key (id)
);
alter table funding.version_links_due enable row level security;
create index version_links_due_key on funding.version_links_due (dataset, key);

-- Each run of the importer.
create table funding.imports (
  id bigint generated always as identity,
  -- Where the records are from, and what read them: several importers may know one source's records.
  source text not null,
  importer text not null,
  datasets text[] not null,
  file text not null,
  -- Whether the file was all that the source lists, so that what it lacked was archived.
  is_full boolean not null,
  -- When the file was written: what it says may have changed since.
  as_of timestamptz not null,
  started_at timestamptz not null default funding.latest_now(),
  finished_at timestamptz,
  -- 'refused': all was imported, but so many records are not in the file that none was archived.
  -- 'interrupted': nobody said how it ended; the process was killed.
  outcome text not null default 'running',
  -- { read, repeated, rejected, grants: { inserted, updated, unchanged, archived }, ... }
  counts jsonb not null default '{}'::jsonb,
  message text,
  has_final_line_break boolean,
  constraint imports_pkey primary key (id),
  constraint imports_finished_has_time check ((outcome = 'running') = (finished_at is null)),
  constraint imports_outcome_known check (outcome = any (array['running', 'completed', 'refused', 'failed', 'interrupted']))
);
alter table funding.imports enable row level security;
create index imports_of_contracts on funding.imports (as_of) where ((outcome = any (array['completed', 'refused'])) and (datasets @> array['contracts']));
create index imports_of_funders on funding.imports (as_of) where ((outcome = any (array['completed', 'refused'])) and (datasets @> array['funders']));
create index imports_of_grants on funding.imports (as_of) where ((outcome = any (array['completed', 'refused'])) and (datasets @> array['grants']));
create index imports_source on funding.imports (source, started_at);

-- What an import changed in records that were there before: the fields that changed, with what they held.
-- What they hold since is in the record, or in its next change.
create table funding.record_changes (
  id bigint generated always as identity,
  dataset text not null,
  record_id uuid not null,
  changed_at timestamptz not null default funding.latest_now(),
  previous jsonb not null,
  constraint record_changes_pkey primary key (id)
);
alter table funding.record_changes enable row level security;
create index record_changes_changed_at on funding.record_changes (changed_at);
create index record_changes_record on funding.record_changes (dataset, record_id, changed_at);

-- Time zones of sources whose publisher is elsewhere than on the US East coast.
create table funding.source_time_zones (
  source text,
  time_zone text not null,
  constraint source_time_zones_pkey primary key (source)
);
alter table funding.source_time_zones enable row level security;

-- What is in of the lists that are imported from an API: all that was modified until `complete_to`, and between `newest` and `oldest` of an interrupted import.
create table funding.import_cursors (
  source text,
  address text,
  complete_to timestamptz,
  newest timestamptz,
  oldest timestamptz,
  constraint import_cursors_pkey primary key (source, address)
);
alter table funding.import_cursors enable row level security;

-- Newest full list of a source that was imported whole: when it was written. It had every record of the source but those that are missing in `sightings`.
create table funding.full_lists (
  dataset text,
  source text,
  seen_at timestamptz not null,
  constraint full_lists_pkey primary key (dataset, source)
);
alter table funding.full_lists enable row level security;

-- Records of files that are no full lists, and those that a full list lacks: when an import's input last had one.
create table funding.sightings (
  record_id uuid,
  seen_at timestamptz,
  is_missing boolean not null default false,
  constraint sightings_pkey primary key (record_id)
) with (fillfactor=80);
alter table funding.sightings enable row level security;

-- Addresses of records, and what was found there.
create table funding.links (
  url_hash uuid,
  url text not null,
  checked_at timestamptz not null,
  status text not null,
  reason text,
  failures smallint not null default 0,
  failed_at timestamptz,
  constraint links_pkey primary key (url_hash),
  constraint links_status_known check (status = any (array['ok', 'failing', 'broken', 'unknown']))
);
alter table funding.links enable row level security;

create table funding.record_aliases (
  dataset text,
  source text,
  alias text,
  record_id uuid not null,
  constraint record_aliases_pkey primary key (dataset, source, alias)
);
alter table funding.record_aliases enable row level security;
create index record_aliases_record on funding.record_aliases (record_id);
