-- Where events go: an account's endpoints, what each wants to hear of, and how it has been doing.

create table funding.webhook_endpoints (
  id uuid primary key,
  account_id uuid not null references funding.accounts (id) on delete cascade,
  url text not null,
  description text not null default '',
  events text[] not null,
  -- By dataset, a list endpoint's own parameters: { grants: { query, parameters } }, as the owner wrote them and as
  -- `funding.predicate` reads them. A dataset that is not named is not filtered.
  filters jsonb not null default '{}',
  -- Days before a deadline at which deadline_approaching is sent.
  deadline_days integer[] not null default '{7}',
  -- Encrypted outside the database (AES-GCM): it never sees a secret.
  secret text not null,
  -- The one before, which signs too until a rotation's overlap ends.
  previous_secret text,
  previous_secret_expires_at timestamptz,
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
  constraint webhook_endpoints_state_known check (state in ('active', 'paused', 'disabled')),
  constraint webhook_endpoints_disabled_has_reason check ((state = 'disabled') = (disabled_reason is not null)),
  constraint webhook_endpoints_events_present check (cardinality(events) > 0),
  constraint webhook_endpoints_days_valid check (
    cardinality(deadline_days) between 1 and 10 and 1 <= all (deadline_days) and 365 >= all (deadline_days))
);
alter table funding.webhook_endpoints enable row level security;
create index webhook_endpoints_account on funding.webhook_endpoints (account_id, created_at);

alter table funding.events add constraint events_endpoint_exists
  foreign key (endpoint_id) references funding.webhook_endpoints (id) on delete cascade;

insert into funding.settings (name, value, description) values
  ('webhook_signature_header', '"X-Service-Signature"', 'The header with the hexadecimal HMAC-SHA256 of a webhook''s body.'),
  ('webhook_timeout_seconds', '15', 'How long a receiver may take to answer.'),
  ('webhook_retry_seconds', '[5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]',
   'Waits between the attempts of a delivery, each give or take a fifth. One attempt more than there are waits.'),
  ('webhook_lease_seconds', '60', 'After how long an attempt of which nothing was heard is made again. Over the timeout, and then some.'),
  ('webhook_in_flight_maximum', '8', 'Attempts at a time to one endpoint. One that is failing gets one at a time.'),
  ('webhook_backoff_after', '5', 'From how many failures in a row an endpoint is left alone for a while.'),
  ('webhook_backoff_seconds', '[5, 3600]', 'For how long at first and at most; it doubles with each failure.'),
  ('webhook_disable_after', '{"failures": 20, "days": 5}', 'An endpoint that failed so often in a row, or for so long, is disabled.'),
  ('webhook_warn_at', '[5, 10, 15]', 'Failures in a row at which the dispatcher''s log warns.'),
  ('webhook_endpoints_maximum', '20', 'Endpoints an account may have.'),
  ('webhook_retention_days', '30', 'How long events, deliveries and attempts are kept. Over the 14 days that can be recovered.'),
  ('webhook_clock_step_seconds', '120', 'The most that the dispatcher''s clock moves between two looks at the server''s. Over the time between two runs.');

-- Whether an account's subscription includes webhooks, which are part of every tier with API access.
create function funding.has_webhooks(account_id uuid) returns boolean
language sql stable as $$
  select exists (
    select from funding.subscriptions as subscription
    join funding.tiers as tier on tier.name = subscription.tier
    where subscription.account_id = has_webhooks.account_id and tier.api_access and funding.is_in_force(subscription))
$$;

revoke execute on all functions in schema funding from public;
