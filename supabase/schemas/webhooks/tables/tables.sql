-- Tables. Written by npm run schema from the migrations; comments are kept.

create table funding.events (
  -- The id that receivers see. It stays the same whenever and however often the event is delivered.
  id uuid default gen_random_uuid(),
  event text not null,
  dataset text not null,
  record_id uuid not null,
  created_at timestamptz(3) not null default funding.latest_now(),
  -- Null until deliveries were made of it. Not a position in a sequence: transactions commit in another order than they
  -- take numbers, and a reader who remembers the last number passes over what commits later.
  fanned_out_at timestamptz,
  -- The record as the API showed it when the first delivery was made. Null while there is none.
  data json,
  -- The one endpoint that this is for: its deadline notices and tests are nobody else's.
  endpoint_id uuid,
  undeliverable text,
  fan_out_failures smallint not null default 0,
  fan_out_after timestamptz,
  changes json,
  changed_fields text[],
  details_only boolean not null default false,
  details json,
  version_of uuid,
  constraint events_pkey primary key (id),
  constraint events_dataset_is_the_events check (dataset = (split_part(event, '.', 1) || 's')),
  constraint events_event_known check (event = any (array['grant.created', 'grant.updated', 'grant.deadline_approaching', 'grant.documents_changed', 'contract.created', 'contract.updated', 'contract.deadline_approaching', 'contract.documents_changed', 'funder.created', 'funder.updated']))
);
alter table funding.events enable row level security;
create index events_created_at on funding.events (created_at, id);
create index events_endpoint on funding.events (endpoint_id) where (endpoint_id is not null);
create index events_pending on funding.events (created_at) where (fanned_out_at is null);
create index events_undeliverable on funding.events (created_at) where (undeliverable is not null);

create table funding.webhook_endpoints (
  id uuid,
  account_id uuid not null,
  url text not null,
  description text not null default '',
  events text[] not null,
  -- By dataset, a list endpoint's own parameters: { grants: { query, parameters } }, as the owner wrote them and as
  -- `funding.predicate` reads them. A dataset that is not named is not filtered.
  filters jsonb not null default '{}'::jsonb,
  -- Days before a deadline at which deadline_approaching is sent.
  deadline_days integer[] not null default '{7}'::integer[],
  -- Encrypted outside the database (AES-GCM): it never sees a secret.
  secret text not null,
  state text not null default 'active',
  disabled_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Failures without a success in between. Those that overlap in time count as one: a burst of requests into one outage
  -- is one failure, not many. Times are the dispatcher's (see `dispatch_now`).
  failures_in_a_row integer not null default 0,
  failing_since timestamptz,
  last_failure_at timestamptz,
  -- No attempt before this.
  retry_at timestamptz,
  -- When its deadlines were looked through last, on which day, and at which version of the data.
  deadlines_scanned_at timestamptz,
  deadlines_scanned_on date,
  deadlines_scanned_version bigint,
  work_timeouts integer not null default 0,
  set_aside_at timestamptz,
  deadlines_tried_at timestamptz,
  expand text[] not null default '{}'::text[],
  updated_fields text[] not null default '{}'::text[],
  deadlines_scanned_since timestamptz,
  constraint webhook_endpoints_pkey primary key (id),
  constraint webhook_endpoints_days_valid check ((cardinality(deadline_days) >= 1) and (cardinality(deadline_days) <= 10) and (1 <= all (deadline_days)) and (365 >= all (deadline_days))),
  constraint webhook_endpoints_disabled_has_reason check ((state = 'disabled') = (disabled_reason is not null)),
  constraint webhook_endpoints_events_present check (cardinality(events) > 0),
  constraint webhook_endpoints_expand_known check (expand <@ array['details']),
  constraint webhook_endpoints_state_known check (state = any (array['active', 'paused', 'disabled']))
);
alter table funding.webhook_endpoints enable row level security;
create index webhook_endpoints_account on funding.webhook_endpoints (account_id, created_at);

-- The secrets that an endpoint had before, which sign too until their overlap ends.
create table funding.webhook_former_secrets (
  -- In the order of the rotations.
  id bigint generated always as identity,
  endpoint_id uuid not null,
  -- Sealed, as the present one is.
  secret text not null,
  expires_at timestamptz not null,
  constraint webhook_former_secrets_pkey primary key (id)
);
alter table funding.webhook_former_secrets enable row level security;
create index webhook_former_secrets_endpoint on funding.webhook_former_secrets (endpoint_id, id);

create table funding.webhook_deliveries (
  endpoint_id uuid,
  event_id uuid,
  state text not null default 'pending',
  -- Attempts begun, which is the number of the latest.
  attempts integer not null default 0,
  -- Failed attempts of the present schedule: a resend begins it anew.
  failures integer not null default 0,
  -- When the next attempt may begin, and while one is under way, when it was begun and until when it is waited for.
  -- In the dispatcher's time.
  due_at timestamptz not null,
  claimed_at timestamptz,
  claimed_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  has_details boolean not null default false,
  constraint webhook_deliveries_pkey primary key (endpoint_id, event_id),
  constraint webhook_deliveries_claim_is_whole check ((claimed_at is null) = (claimed_until is null)),
  constraint webhook_deliveries_finished_has_time check ((state = 'pending') = (finished_at is null)),
  constraint webhook_deliveries_only_pending_is_claimed check ((claimed_at is null) or (state = 'pending')),
  constraint webhook_deliveries_state_known check (state = any (array['pending', 'succeeded', 'failed']))
) with (fillfactor=70);
alter table funding.webhook_deliveries enable row level security;
create index webhook_deliveries_claimed on funding.webhook_deliveries (claimed_until) where (claimed_until is not null);
create index webhook_deliveries_due on funding.webhook_deliveries (endpoint_id, due_at) where ((state = 'pending') and (claimed_until is null));
create index webhook_deliveries_event on funding.webhook_deliveries (event_id);
create index webhook_deliveries_log on funding.webhook_deliveries (endpoint_id, created_at, event_id);
create index webhook_deliveries_unsettled on funding.webhook_deliveries (endpoint_id, created_at, event_id) where (state <> 'succeeded');

create table funding.webhook_attempts (
  endpoint_id uuid,
  event_id uuid,
  number integer,
  url text not null,
  started_at timestamptz not null,
  -- Null for an attempt whose dispatcher ended before it could tell.
  duration_ms integer,
  -- Null when there was no answer.
  status smallint,
  -- What went wrong, as a name: timeout, connection, address, redirect, status, secret, lost.
  error text,
  message text,
  request_headers jsonb,
  response_headers jsonb,
  response_body text,
  constraint webhook_attempts_pkey primary key (endpoint_id, event_id, number)
);
alter table funding.webhook_attempts enable row level security;

-- Attempts by how they went: `succeeded`, or the error's name. Totals that only grow, for whoever watches.
create table funding.webhook_attempt_totals (
  outcome text,
  attempts bigint not null,
  constraint webhook_attempt_totals_pkey primary key (outcome)
) with (fillfactor=70);
alter table funding.webhook_attempt_totals enable row level security;

-- A range of events that an endpoint is to get again, or for the first time. The dispatcher works through it.
create table funding.webhook_recoveries (
  id bigint generated always as identity,
  endpoint_id uuid not null,
  -- The events after this one, by time and id, are still to be looked at.
  after_time timestamptz not null,
  after_id uuid not null,
  until timestamptz not null,
  requested_at timestamptz not null default now(),
  tried_at timestamptz,
  since timestamptz,
  constraint webhook_recoveries_pkey primary key (id)
);
alter table funding.webhook_recoveries enable row level security;
create index webhook_recoveries_endpoint on funding.webhook_recoveries (endpoint_id);
comment on column funding.webhook_recoveries.tried_at is 'When a dispatcher last began a part of it that it has not finished. In the dispatcher''s time.';
comment on column funding.webhook_recoveries.since is 'The moment that its owner gave. Of events of before it, those are looked at whose fan-out came after it. Null where it was asked for before there was this column.';

-- What an endpoint was told. A deadline that moves does not change it: the move itself is an update.
create table funding.deadline_notices (
  endpoint_id uuid,
  record_id uuid,
  days integer,
  noted_at timestamptz not null,
  constraint deadline_notices_pkey primary key (endpoint_id, record_id, days)
);
alter table funding.deadline_notices enable row level security;
create index deadline_notices_noted_at on funding.deadline_notices (noted_at);
