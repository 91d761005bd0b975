-- Tables. Written by npm run schema from the migrations; comments are kept.

create table funding.saved_searches (
  id uuid default gen_random_uuid(),
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
  constraint saved_searches_pkey primary key (id),
  constraint saved_searches_address_unique unique (address_hash),
  constraint saved_searches_address_complete check ((address_hash is null) = (address_created_at is null)),
  constraint saved_searches_dataset_known check (dataset = any (array['grants', 'contracts', 'funders']))
) with (fillfactor=70);
alter table funding.saved_searches enable row level security;
create index saved_searches_account on funding.saved_searches (account_id);

create table funding.digests (
  saved_search_id uuid,
  frequency text not null,
  -- Day of a weekly digest: 1 is Monday, 7 is Sunday.
  weekday smallint,
  -- Hour of the day in `time_zone`, which is a name of IANA's.
  hour smallint not null,
  time_zone text not null,
  next_at timestamptz not null,
  -- Records that came from this moment on are in the next digest.
  reported_until timestamptz not null,
  last_sent_at timestamptz,
  -- When a digest was last not sent, or may not have been.
  last_failed_at timestamptz,
  -- When a dispatcher last chose it, in the dispatcher's time, and how often since it was last claimed.
  tried_at timestamptz,
  tries smallint not null default 0,
  -- Mails in a row that the mail server refused, and when the digest was paused for them: in place of being tried each day.
  refusals smallint not null default 0,
  paused_at timestamptz,
  constraint digests_pkey primary key (saved_search_id),
  constraint digests_frequency_known check (frequency = any (array['daily', 'weekly'])),
  constraint digests_hour_valid check ((hour >= 0) and (hour <= 23)),
  constraint digests_weekday_of_weekly check ((frequency = 'weekly') = (weekday is not null)),
  constraint digests_weekday_valid check ((weekday >= 1) and (weekday <= 7))
) with (fillfactor=70);
alter table funding.digests enable row level security;
create index digests_next_at on funding.digests (next_at);

-- One row for each mail, written before it is sent. The primary key is the promise: one mail at most for each search and period.
create table funding.digest_mails (
  saved_search_id uuid,
  -- The period: when the digest was due.
  due_at timestamptz,
  -- Its records came from the first to the second moment.
  records_from timestamptz not null,
  records_until timestamptz not null,
  -- claimed: a dispatcher is sending it. waiting: it was certainly not sent, and is tried again. sent. unknown: it may have been sent.
  -- refused: the mail server does not take it. failed: it was not sent, and is not tried again. empty: its records left before it was.
  state text not null,
  attempts smallint not null,
  -- SHA-256 of the token that unsubscribes, which is in the mail alone.
  token_hash text not null,
  -- In the dispatcher's time: the first attempt, the end of the present claim, the next attempt, and the last result.
  first_tried_at timestamptz not null,
  claimed_until timestamptz,
  retry_at timestamptz,
  result_at timestamptz,
  created_at timestamptz not null default funding.latest_now(),
  constraint digest_mails_pkey primary key (saved_search_id, due_at),
  constraint digest_mails_token_unique unique (token_hash),
  constraint digest_mails_claim_complete check ((state = 'claimed') = (claimed_until is not null)),
  constraint digest_mails_retry_complete check ((state = 'waiting') = (retry_at is not null)),
  constraint digest_mails_state_known check (state = any (array['claimed', 'waiting', 'sent', 'unknown', 'refused', 'failed', 'empty']))
) with (fillfactor=70);
alter table funding.digest_mails enable row level security;
create index digest_mails_created_at on funding.digest_mails (created_at);
create index digest_mails_open on funding.digest_mails (saved_search_id) where (state = any (array['claimed', 'waiting']));
create index digest_mails_result_at on funding.digest_mails (result_at);
