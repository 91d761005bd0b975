-- Tables. Written by npm run schema from the migrations; comments are kept.

create table funding.tiers (
  name text,
  api_access boolean not null,
  -- Requests a day; -1 is unlimited.
  daily_quota bigint not null,
  snapshots boolean not null default false,
  is_listed boolean not null default true,
  constraint tiers_pkey primary key (name),
  constraint tiers_quota_valid check (daily_quota >= '-1'::integer)
);
alter table funding.tiers enable row level security;

-- The tier that a Stripe price buys.
create table funding.tier_prices (
  price_id text,
  tier text not null,
  set_at timestamptz not null default now(),
  constraint tier_prices_pkey primary key (price_id),
  constraint tier_prices_form check (price_id ~ '^price_\w{1,250}$')
);
alter table funding.tier_prices enable row level security;
create index tier_prices_tier on funding.tier_prices (tier);

create table funding.accounts (
  id uuid default gen_random_uuid(),
  email text,
  -- Who signs in to it: a user of Supabase Auth. Null until somebody does.
  auth_user_id uuid,
  created_at timestamptz not null default now(),
  keeps_search_text boolean not null default false,
  constraint accounts_pkey primary key (id),
  constraint accounts_auth_user_unique unique (auth_user_id),
  constraint accounts_email_unique unique (email),
  constraint accounts_email_folded check ((email = funding.folded_address(email)) and (email ~~ '%_@_%'))
);
alter table funding.accounts enable row level security;

create table funding.members (
  id uuid default gen_random_uuid(),
  account_id uuid not null,
  -- A user of Supabase Auth.
  user_id uuid not null,
  -- Their address when they came. `funding.member_email` has the present one.
  email text not null,
  role text not null,
  joined_at timestamptz not null default now(),
  constraint members_pkey primary key (id),
  constraint members_once unique (account_id, user_id),
  constraint members_role_known check (role = any (array['owner', 'member']))
);
alter table funding.members enable row level security;
create index members_user on funding.members (user_id);

create table funding.invitations (
  id uuid default gen_random_uuid(),
  account_id uuid not null,
  email text not null,
  role text not null,
  -- The owner who invites, by their address of that time; null for the operator.
  invited_by text,
  -- It can be accepted for `invitation_days`.
  created_at timestamptz not null default funding.latest_now(),
  -- How it ended, for the trigger that logs it: set as the row is deleted.
  outcome text,
  -- The owner who invites; null for the operator.
  invited_by_user uuid,
  constraint invitations_pkey primary key (id),
  constraint invitations_once unique (account_id, email),
  constraint invitations_email_folded check ((email = funding.folded_address(email)) and (email ~~ '%_@_%')),
  constraint invitations_inviter_known check ((invited_by is null) = (invited_by_user is null)),
  constraint invitations_outcome_known check (outcome = any (array['accepted', 'declined', 'withdrawn'])),
  constraint invitations_role_known check (role = any (array['owner', 'member']))
);
alter table funding.invitations enable row level security;
create index invitations_created on funding.invitations (created_at);
create index invitations_email on funding.invitations (email, created_at);

-- What an account has paid for. One row an account; without one, the account has the free tier.
create table funding.subscriptions (
  account_id uuid,
  tier text not null,
  status text not null default 'active',
  -- Null is a subscription without an end.
  current_period_end timestamptz,
  -- How long access goes on past that end: what a payment provider may take to tell us of the renewal.
  grace interval not null default '00:00:00'::interval,
  updated_at timestamptz not null default now(),
  stripe_subscription_id text,
  constraint subscriptions_pkey primary key (account_id),
  constraint subscriptions_grace_valid check ((grace >= '00:00:00'::interval) and (grace <= '7 days'::interval)),
  -- The statuses that Stripe has.
  constraint subscriptions_status_known check (status = any (array['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'paused', 'incomplete', 'incomplete_expired']))
);
alter table funding.subscriptions enable row level security;
create index subscriptions_tier on funding.subscriptions (tier);

create table funding.api_keys (
  id uuid default gen_random_uuid(),
  account_id uuid not null,
  name text not null,
  -- SHA-256 of the whole key, lower-case hexadecimal. The key itself is never stored.
  key_hash text not null,
  -- What its owner sees afterwards: the first characters and the last four.
  display text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- The key that this one replaces.
  rotated_from uuid,
  is_explorer boolean not null default false,
  datasets text[],
  daily_quota bigint,
  quota_key_id uuid,
  addresses cidr[],
  explorer_user_id uuid,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_hash_unique unique (key_hash),
  constraint api_keys_addresses_counted check ((cardinality(addresses) >= 1) and (cardinality(addresses) <= 20) and (array_position(addresses, null::cidr) is null)),
  constraint api_keys_datasets_known check ((datasets <@ array['grants', 'contracts', 'funders']) and (cardinality(datasets) > 0)),
  constraint api_keys_explorer_user_of_explorer check ((explorer_user_id is null) or is_explorer),
  constraint api_keys_hash_is_sha256 check (key_hash ~ '^[0-9a-f]{64}$'),
  constraint api_keys_name_length check ((char_length(name) >= 1) and (char_length(name) <= 100)),
  constraint api_keys_quota_positive check (daily_quota > 0)
);
alter table funding.api_keys enable row level security;
create index api_keys_account on funding.api_keys (account_id);
create index api_keys_rotated_from on funding.api_keys (rotated_from);

-- Requests by key, UTC day, endpoint, status and response-time bucket: counts that only ever add
-- up, from which error rates and percentiles follow. `latency_bucket_ms` is the bucket's upper
-- bound; 2147483647 stands for everything slower than the last bound.
create table funding.usage (
  api_key_id uuid,
  day date,
  endpoint text,
  status smallint,
  latency_bucket_ms integer,
  requests bigint not null,
  constraint usage_pkey primary key (api_key_id, day, endpoint, status, latency_bucket_ms)
);
alter table funding.usage enable row level security;
create index usage_day on funding.usage (day);

create table funding.usage_hours (
  api_key_id uuid,
  -- The first moment of a UTC hour.
  hour timestamptz,
  requests bigint not null,
  client_errors bigint not null,
  server_errors bigint not null,
  -- Requests by response-time bucket: { "50": 12 }.
  latencies jsonb not null,
  constraint usage_hours_pkey primary key (api_key_id, hour)
) with (fillfactor=70);
alter table funding.usage_hours enable row level security;
create index usage_hours_hour on funding.usage_hours (hour);

-- Usage of the months that are no longer kept by day.
create table funding.usage_months (
  api_key_id uuid,
  -- The first day of a UTC month.
  month date,
  -- Requests by status, response-time bucket and endpoint: { "200 50 grants-api/{id}": 12 }.
  counts jsonb not null,
  constraint usage_months_pkey primary key (api_key_id, month),
  constraint usage_months_month_is_first_day check (extract(day from month) = (1)::numeric)
);
alter table funding.usage_months enable row level security;

-- The same over all keys and days, with the sum of the response times, for whoever watches the whole: totals that only
-- grow, few enough to be read each minute. A total is the sum over its shards. Each connection adds to the shard of its
-- own, so that connections do not wait for each other's commits.
create table funding.usage_totals (
  shard smallint,
  endpoint text,
  status smallint,
  latency_bucket_ms integer,
  requests bigint not null,
  duration_ms double precision not null,
  constraint usage_totals_pkey primary key (shard, endpoint, status, latency_bucket_ms)
) with (fillfactor=70);
alter table funding.usage_totals enable row level security;

-- Who writes usage, with the number of the last batch of theirs that was counted: a batch that goes again, because
-- nobody heard that it had arrived, is counted once. A process is one writer; on Workers each request is.
create table funding.usage_writers (
  id uuid,
  batch bigint not null,
  created_at timestamptz not null default funding.latest_now(),
  -- Without an index, so that counting on does not touch one.
  written_at timestamptz not null default funding.latest_now(),
  constraint usage_writers_pkey primary key (id)
) with (fillfactor=70);
alter table funding.usage_writers enable row level security;
create index usage_writers_created_at on funding.usage_writers (created_at);

-- Requests that count against a daily quota, by UTC day. Accounts without a quota have no rows.
create table funding.daily_quota (
  account_id uuid,
  day date,
  used bigint not null,
  constraint daily_quota_pkey primary key (account_id, day)
);
alter table funding.daily_quota enable row level security;
create index daily_quota_day on funding.daily_quota (day);

-- Requests that count against the quota of a key, by UTC day. Keys without a quota have no rows.
create table funding.daily_key_quota (
  api_key_id uuid,
  day date,
  used bigint not null,
  constraint daily_key_quota_pkey primary key (api_key_id, day)
);
alter table funding.daily_key_quota enable row level security;
create index daily_key_quota_day on funding.daily_key_quota (day);

-- The writes of an account on the day of its last one, by kind. One row a kind, so there is nothing to delete.
create table funding.account_writes (
  account_id uuid,
  -- The setting `write_limit_KIND` is its limit.
  kind text,
  day date not null,
  used bigint not null,
  constraint account_writes_pkey primary key (account_id, kind)
) with (fillfactor=70);
alter table funding.account_writes enable row level security;

-- Answers of the account API's writes that were sent with an Idempotency-Key, so that a repetition is answered and not done again.
create table funding.idempotency_keys (
  account_id uuid,
  -- SHA-256 of the Idempotency-Key, which is not stored: it opens `sealed_secret`.
  key_hash text,
  -- SHA-256 of the request's route and input.
  request_hash text not null,
  -- Null only in the transaction of the write.
  response json,
  -- Text of the API key or webhook secret that the response had, sealed with a key that is made of the Idempotency-Key.
  sealed_secret text,
  created_at timestamptz not null default funding.latest_now(),
  constraint idempotency_keys_pkey primary key (account_id, key_hash)
);
alter table funding.idempotency_keys enable row level security;
create index idempotency_keys_created_at on funding.idempotency_keys (created_at);

-- No foreign keys: a check of each row would lock rows of accounts and keys in another order than their owner's writes do, and a key that is
-- deleted keeps its name here.
create table funding.request_log (
  account_id uuid,
  at timestamptz,
  id bigint generated always as identity,
  request_id text not null,
  api_key_id uuid not null,
  -- Name of the key then.
  key_name text not null,
  method text not null,
  -- Function and route: 'grants-api/{id}'.
  endpoint text not null,
  status smallint not null,
  duration_ms real not null,
  -- Name of the problem and its sentence, null for an answer.
  problem text,
  detail text,
  -- Values by name, as the client wrote them, without searches.
  parameters jsonb not null,
  -- Searches by name: the text if the account keeps it, else the number of its characters.
  searches jsonb not null,
  -- Wrong fields: [{ parameter, message }].
  errors jsonb,
  -- Headers of the answer, by name.
  head jsonb,
  constraint request_log_pkey primary key (account_id, at, id)
);
alter table funding.request_log enable row level security;
create index request_log_at on funding.request_log (at);
create index request_log_request_id on funding.request_log (request_id);

-- Requests of an account in an hour, whether they were kept or not.
create table funding.request_log_counts (
  hour timestamptz,
  account_id uuid,
  -- Answered below 400, and refused or failed.
  answered bigint not null,
  failed bigint not null,
  constraint request_log_counts_pkey primary key (hour, account_id)
) with (fillfactor=70);
alter table funding.request_log_counts enable row level security;

-- No foreign key: see `funding.delete_audit_log`.
create table funding.audit_log (
  account_id uuid,
  at timestamptz,
  id bigint generated always as identity,
  -- user: who was signed in, by the e-mail address then. operator: a command, or SQL by hand. system: the service itself, Stripe among it.
  actor text not null,
  actor_email text,
  action text not null,
  subject_kind text not null,
  subject_id uuid not null,
  -- Its name then.
  subject_name text not null,
  -- Fields that changed: [{ field, from, to }].
  changes jsonb not null,
  constraint audit_log_pkey primary key (account_id, at, id),
  constraint audit_log_actor_known check (actor = any (array['user', 'operator', 'system'])),
  constraint audit_log_email_of_user check ((actor = 'user') = (actor_email is not null)),
  constraint audit_log_kind_known check (subject_kind = any (array['account', 'subscription', 'key', 'webhook', 'saved_search', 'member', 'invitation']))
);
alter table funding.audit_log enable row level security;
create index audit_log_at on funding.audit_log (at);

-- Which account a Stripe customer pays for. A checkout without an account at Stripe makes a new customer each time, so
-- an account may have several.
create table funding.stripe_customers (
  id text,
  account_id uuid not null,
  constraint stripe_customers_pkey primary key (id)
);
alter table funding.stripe_customers enable row level security;
create index stripe_customers_account on funding.stripe_customers (account_id);

-- Customers at Stripe who would pay for an account, as nobody entitled has said. They have no effect until an owner accepts them.
create table funding.offered_customers (
  id uuid default gen_random_uuid(),
  customer_id text not null,
  account_id uuid not null,
  offered_at timestamptz not null default now(),
  -- When an owner refused it; null while nobody has decided. An accepted customer is in `stripe_customers`.
  refused_at timestamptz,
  constraint offered_customers_pkey primary key (id),
  constraint offered_customers_customer unique (customer_id)
);
alter table funding.offered_customers enable row level security;
create index offered_customers_account on funding.offered_customers (account_id);

-- Stripe's subscriptions as its newest events have them, also those whose customer is not known yet.
create table funding.stripe_subscriptions (
  id text,
  customer_id text not null,
  price_ids text[] not null,
  status text not null,
  current_period_end timestamptz,
  event_at timestamptz not null,
  payment_failed_at timestamptz,
  constraint stripe_subscriptions_pkey primary key (id)
);
alter table funding.stripe_subscriptions enable row level security;
create index stripe_subscriptions_customer on funding.stripe_subscriptions (customer_id);

-- Events that were applied. Stripe sends an event again for three days at most.
create table funding.stripe_events (
  id text,
  received_at timestamptz not null default funding.latest_now(),
  constraint stripe_events_pkey primary key (id)
);
alter table funding.stripe_events enable row level security;
create index stripe_events_received on funding.stripe_events (received_at);
