-- Digests: what is new in a saved search, by e-mail, each day or each week.

create table funding.digests (
  saved_search_id uuid primary key references funding.saved_searches (id) on delete cascade,
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
  constraint digests_frequency_known check (frequency in ('daily', 'weekly')),
  constraint digests_weekday_of_weekly check ((frequency = 'weekly') = (weekday is not null)),
  constraint digests_weekday_valid check (weekday between 1 and 7),
  constraint digests_hour_valid check (hour between 0 and 23)
) with (fillfactor = 70);
alter table funding.digests enable row level security;
create index digests_next_at on funding.digests (next_at);

-- One row for each mail, written before it is sent. The primary key is the promise: one mail at most for each search and period.
create table funding.digest_mails (
  saved_search_id uuid not null references funding.saved_searches (id) on delete cascade,
  -- The period: when the digest was due.
  due_at timestamptz not null,
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
  constraint digest_mails_state_known check (state in ('claimed', 'waiting', 'sent', 'unknown', 'refused', 'failed', 'empty')),
  constraint digest_mails_claim_complete check ((state = 'claimed') = (claimed_until is not null)),
  constraint digest_mails_retry_complete check ((state = 'waiting') = (retry_at is not null))
) with (fillfactor = 70);
alter table funding.digest_mails enable row level security;
create index digest_mails_created_at on funding.digest_mails (created_at);
create index digest_mails_open on funding.digest_mails (saved_search_id) where state in ('claimed', 'waiting');
create index digest_mails_result_at on funding.digest_mails (result_at);

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('digest_mail_days', '90', '90', 'days', '{"type": "integer", "minimum": 30, "maximum": 3650}',
   'How long the rows of digests that were sent are kept, and so how long the link in one unsubscribes.'),
  ('digest_retry_hours', '6', '6', 'hours', '{"type": "integer", "minimum": 0, "maximum": 12}',
   'How long a digest is tried again that was certainly not sent. Its records are then in the next one.');
