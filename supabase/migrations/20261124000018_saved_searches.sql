-- Saved searches: a list's parameters under a name, with the number of new records, and a feed and a calendar at a secret address.

create table funding.saved_searches (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  name text not null,
  dataset text not null,
  -- Query string of the list, as its owner sees it.
  query text not null,
  -- The part of it that filters, as a query string and parsed: see `funding.predicate`.
  filter_query text not null,
  filter jsonb not null,
  -- Records that came from this moment on are new to the owner.
  seen_until timestamptz not null,
  -- SHA-256 of the address's token, which is not stored.
  address_hash text,
  address_created_at timestamptz,
  -- Reads of the address: the last one, and those of its UTC day.
  last_read_at timestamptz,
  reads_on_day integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint saved_searches_address_unique unique (address_hash),
  constraint saved_searches_dataset_known check (dataset in ('grants', 'contracts', 'funders')),
  constraint saved_searches_address_complete check ((address_hash is null) = (address_created_at is null))
) with (fillfactor = 70);
alter table funding.saved_searches enable row level security;
create index saved_searches_account on funding.saved_searches (account_id);

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('saved_searches_maximum', '50', '50', 'searches', '{"type": "integer", "minimum": 0, "maximum": 1000}',
   'Saved searches of an account.'),
  ('saved_search_reads', '300', '300', 'a day', '{"type": "integer", "minimum": 1, "maximum": 1000000}',
   'How often the feed and the calendar at one address may be read: every five minutes. They count against no quota.');
insert into funding.settings (name, value, default_value, unit, schema, description)
select 'write_limit_' || kind, maximum::jsonb, maximum::jsonb, 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}', description
from (values
  ('saved_search_creations', '100', 'Searches that an account may save: all that it can have, twice.'),
  ('saved_search_changes', '1000', 'Changes to saved searches: to each search, twenty.'),
  ('saved_search_marks', '5000', 'Marks of what was seen in saved searches: in each search, a hundred.'),
  ('saved_search_deletions', '200', 'Saved searches that an account may delete: more than it can have on a day.'),
  ('saved_search_addresses', '100', 'Secret addresses of feeds and calendars: for each saved search, two.'),
  ('saved_search_revocations', '1000', 'Secret addresses that an account may end: more than it can have on a day.')
) as given(kind, maximum, description);
