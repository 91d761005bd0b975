-- The tables that requests read or write, as this version has them. From the lock on requests wait, until this migration is committed: each statement
-- is quick whatever the tables hold, and whoever alters another table adds it to the list. Functions of 1.1 go on using them.
select funding.lock_tables(array[
  -- In the order in which requests reach them.
  'stripe_events', 'stripe_subscriptions', 'stripe_customers', 'usage_writers', 'api_keys', 'accounts', 'subscriptions', 'tiers', 'tier_prices', 'lexicon_fit', 'lexicon',
  'ranks', 'funders', 'grants', 'contracts', 'imports', 'events', 'dispatch_clock', 'record_changes', 'webhook_endpoints', 'webhook_deliveries',
  'webhook_recoveries']);

alter table funding.accounts
  -- Whether the words that the account searches for are kept in its request log.
  add column keeps_search_text boolean not null default false,
  -- Null for an account whose own user left: `funding.release_account`.
  alter column email drop not null,
  -- Every address that is stored satisfies it: the former rule folded more. (20261124000895 looks at them.)
  drop constraint accounts_email_lower_case,
  add constraint accounts_email_folded check (email = funding.folded_address(email) and email like '%_@_%') not valid;

alter table funding.api_keys
  -- Whether it is one of the dashboard's explorer: short-lived, made from a sign-in.
  add column is_explorer boolean not null default false,
  -- Limits: the datasets that it reads, and a daily quota of its own. Null is no limit.
  add column datasets text[],
  add column daily_quota bigint,
  -- The key on which requests against `daily_quota` are counted: the first of those that replaced each other. Null for the key itself.
  add column quota_key_id uuid,
  -- Address ranges that it is limited to. Null is no limit.
  add column addresses cidr[],
  -- User whose explorer has it: each user in an account has a few, which are used again. Null for other keys.
  add column explorer_user_id uuid,
  add constraint api_keys_explorer_user_of_explorer check (explorer_user_id is null or is_explorer) not valid,
  add constraint api_keys_datasets_known check (datasets <@ array['grants', 'contracts', 'funders'] and cardinality(datasets) > 0) not valid,
  add constraint api_keys_quota_positive check (daily_quota > 0) not valid,
  add constraint api_keys_addresses_counted
    check (cardinality(addresses) between 1 and 20 and array_position(addresses, null) is null) not valid;

-- Whether a tier includes snapshots: whoever may ask without a limit may read everything anyway. Whether accounts are shown it: a tier that an operator
-- made for somebody stays between them.
alter table funding.tiers add column snapshots boolean not null default false, add column is_listed boolean not null default true;
update funding.tiers
set snapshots = api_access and daily_quota = -1,
    is_listed = name in ('free', 'developer') or exists (select from funding.tier_prices as price where price.tier = tiers.name);
-- When the price was set last: of several that buy a tier, the newest is sold.
alter table funding.tier_prices add column set_at timestamptz not null default now();

-- The Stripe subscription that an account's row follows (billing.sql). Null is a row that an operator set.
alter table funding.subscriptions add column stripe_subscription_id text;
-- Time of the newest event of a failed payment. Later than `event_at`, it makes an active subscription past due.
alter table funding.stripe_subscriptions add column payment_failed_at timestamptz;

alter table funding.lexicon_fit
  -- Generation of the lexicon and of the segments, and vectors that are searched: 0 or 1 each. (A model outside the database has vectors and no
  -- lexicon, so they change by themselves.)
  add column generation integer not null default 0, add column vectors integer not null default 0,
  -- Whether the first dimensions of a fit's vectors say most, so that the cosine of a prefix means something. Fits of 1.1 have no such order.
  add column has_singular_order boolean not null default false;
-- The words of two generations.
alter table funding.lexicon add column generation integer not null default 0;

-- What a block of ranks says without being read (bitmap_filters.sql). Null for a segment of an earlier version, until its next fit.
alter table funding.ranks
  -- Least and greatest rank of a record of the block that has a value; null and 0 where none has.
  add column lowest real, add column highest real,
  -- Records of the block that have a value.
  add column valued bit varying;

-- `first_seen_at`: when a record first came into the catalogue: the moment of its change. Null for those that were there before this column.
-- `details`: what `expand=details` shows beside a record's own fields, as far as its source says it: { FIELD: VALUE }. Null until an import or an
-- embedded server's demo data filled it: to be filled for the first time is no change of the record.
-- `stated_...`: what a record's source states, where it differs from what is shown: a status that time has closed, an archive date that is planned
-- (due_dates.sql). Null where an earlier version wrote the record: its status and archive date are then as stated.
alter table funding.funders add column first_seen_at timestamptz;
alter table funding.grants add column details jsonb, add column first_seen_at timestamptz, add column stated_status text,
  add column stated_archived_at timestamptz;
alter table funding.contracts add column details jsonb, add column first_seen_at timestamptz, add column stated_status text,
  add column stated_archived_at timestamptz;

-- Latest moment of a change, in milliseconds since 1970 (supabase/schemas/feed.sql).
create sequence funding.change_moments as bigint;
alter table funding.events
  -- Why an event cannot be delivered as it is: it is set aside alone, so that nothing else waits for it. It has no data then, unless somebody had it before.
  add column undeliverable text,
  -- Fan-outs that failed with this event among theirs, and until when, in the dispatcher's time, others go before it.
  add column fan_out_failures smallint not null default 0,
  add column fan_out_after timestamptz,
  -- [{ field, from, to }] of an update. Null in the other events, and in those from before this was noted.
  add column changes json,
  -- Their fields.
  add column changed_fields text[],
  -- Whether the update changed details alone, of which webhooks are told that ask for details.
  add column details_only boolean not null default false,
  -- The record's details as the API showed them when they were first delivered.
  add column details json;

alter table funding.webhook_endpoints
  -- What is added to the records of its events.
  add column expand text[] not null default '{}',
  -- Fields of which one must have changed for an update to be sent. Empty for any.
  add column updated_fields text[] not null default '{}',
  -- Midnight from which on the deadlines of an endpoint were scanned. Days begin at another moment in each time zone; `deadlines_scanned_on`, a day in UTC,
  -- is not used any more.
  add column deadlines_scanned_since timestamptz,
  add constraint webhook_endpoints_expand_known check (expand <@ array['details']) not valid;
-- Whether the delivery has the record's details: every attempt sends the same, whatever becomes of its endpoint.
alter table funding.webhook_deliveries add column has_details boolean not null default false;
-- A recovery has events of before its range, too, whose fan-out came in it: it begins before the moment that its owner gave.
alter table funding.webhook_recoveries add column since timestamptz;
comment on column funding.webhook_recoveries.since is
  'The moment that its owner gave. Of events of before it, those are looked at whose fan-out came after it. Null where it was asked for before there was this column.';

-- The bounded clock (clock.sql): its time when the server's clock was `wall`, and how long that clock has run evenly since its last jump. A machine
-- without a battery starts in 1970: no database of this version is older than the version.
alter table funding.dispatch_clock
  add column bounded timestamptz not null default greatest(now(), timestamptz '2026-11-24T00:00:00Z'),
  add column even_for interval not null default '0';
alter table funding.dispatch_clock alter column bounded drop default, alter column even_for drop default;
-- Both as of now: the transaction may have begun long before.
update funding.dispatch_clock as clock
set dispatch_time = dispatch_time + least(greatest(present.moment - wall, interval '0'),
      (funding.setting('webhook_clock_step_seconds')::text || ' seconds')::interval),
    wall = present.moment, bounded = greatest(present.moment, clock.bounded)
from (select clock_timestamp() as moment offset 0) as present;
alter table funding.events alter column created_at set default funding.latest_now();
alter table funding.record_changes alter column changed_at set default funding.latest_now();
alter table funding.imports alter column started_at set default funding.latest_now();
alter table funding.stripe_events alter column received_at set default funding.latest_now();
alter table funding.usage_writers alter column created_at set default funding.latest_now(), alter column written_at set default funding.latest_now();

-- Attributes that functions of 1.1 do not read. First slot of no segment, and how many records have such a slot, up to 5,001; about how many records of
-- a scope its filter matches (it was `kept`); slot of the record that those of a search are to be like (`similar_to`), which is not found itself.
alter type funding.search_scope add attribute sealed_end integer, add attribute unsealed bigint, add attribute matching_records double precision,
  add attribute except_slot integer;
-- `term_word_idfs`: inverse document frequency of the word that a term stands for; the highest, where it stands for several. `word_idfs`: of each
-- word, its own, or that of what stands for it when no record has the word. They were `term_worths` and `worths`.
alter type funding.query_analysis add attribute term_word_idfs real[], add attribute word_idfs real[];
alter type funding.admission
  -- Daily quota of the key; null without one.
  add attribute key_quota bigint,
  -- The key on which it is counted.
  add attribute quota_key_id uuid,
  -- Datasets that the key reads; null for all.
  add attribute datasets text[];

-- What the new tables refer to. They are empty, but for the members.
alter table funding.idempotency_keys
  add constraint idempotency_keys_account_id_fkey foreign key (account_id) references funding.accounts (id) on delete cascade;
alter table funding.usage_months
  add constraint usage_months_api_key_id_fkey foreign key (api_key_id) references funding.api_keys (id) on delete cascade;
alter table funding.usage_hours
  add constraint usage_hours_api_key_id_fkey foreign key (api_key_id) references funding.api_keys (id) on delete cascade;
alter table funding.daily_key_quota
  add constraint daily_key_quota_api_key_id_fkey foreign key (api_key_id) references funding.api_keys (id) on delete cascade;
alter table funding.saved_searches
  add constraint saved_searches_account_id_fkey foreign key (account_id) references funding.accounts (id) on delete cascade;
alter table funding.invitations
  add constraint invitations_account_id_fkey foreign key (account_id) references funding.accounts (id) on delete cascade;
alter table funding.offered_customers
  add constraint offered_customers_account_id_fkey foreign key (account_id) references funding.accounts (id) on delete cascade;
alter table funding.members
  add constraint members_account_id_fkey foreign key (account_id) references funding.accounts (id) on delete cascade not valid;
-- Users of accounts that came, changed or went since the members were copied.
delete from funding.members as known
where not exists (select from funding.accounts as account where account.id = known.account_id and account.auth_user_id = known.user_id);
insert into funding.members (account_id, user_id, email, role, joined_at)
select account.id, account.auth_user_id, account.email, 'owner', account.created_at
from funding.accounts as account
where account.auth_user_id is not null
  and not exists (select from funding.members as known where known.account_id = account.id and known.user_id = account.auth_user_id);

-- Columns that somebody chooses. `supabase/tests/audit_log.test.sql` names the others, so that a new one is in one of the lists.
create trigger api_keys_audit_created after insert on funding.api_keys
  for each row when (not new.is_explorer and new.rotated_from is null) execute function funding.audit_key();
-- A rotation may set the expiry that there was, so there is no comparison here.
create trigger api_keys_audit_updated after update of name, display, expires_at, revoked_at, datasets, daily_quota, addresses on funding.api_keys
  for each row when (not new.is_explorer) execute function funding.audit_key();
create trigger api_keys_audit_deleted after delete on funding.api_keys
  for each row when (not old.is_explorer) execute function funding.audit_key();
create trigger webhook_endpoints_audit_created after insert on funding.webhook_endpoints
  for each row execute function funding.audit_webhook();
create trigger webhook_endpoints_audit_updated
  after update of url, description, events, filters, deadline_days, expand, updated_fields, secret, state, disabled_reason on funding.webhook_endpoints
  for each row when ((old.url, old.description, old.events, old.filters, old.deadline_days, old.expand, old.updated_fields, old.secret, old.state,
    old.disabled_reason) is distinct from (new.url, new.description, new.events, new.filters, new.deadline_days, new.expand, new.updated_fields,
    new.secret, new.state, new.disabled_reason))
  execute function funding.audit_webhook();
create trigger webhook_endpoints_audit_deleted after delete on funding.webhook_endpoints
  for each row execute function funding.audit_webhook();
create trigger webhook_recoveries_audit_created after insert on funding.webhook_recoveries
  for each row execute function funding.audit_recovery();
create trigger subscriptions_audit_created after insert on funding.subscriptions
  for each row execute function funding.audit_subscription();
create trigger subscriptions_audit_updated after update of tier, status, current_period_end on funding.subscriptions
  for each row when ((old.tier, old.status, old.current_period_end) is distinct from (new.tier, new.status, new.current_period_end))
  execute function funding.audit_subscription();
create trigger subscriptions_audit_deleted after delete on funding.subscriptions
  for each row execute function funding.audit_subscription();
create trigger accounts_audit_created after insert on funding.accounts
  for each row execute function funding.audit_account();
create trigger accounts_audit_updated after update of email, auth_user_id, keeps_search_text on funding.accounts
  for each row when ((old.email, old.auth_user_id, old.keeps_search_text) is distinct from (new.email, new.auth_user_id, new.keeps_search_text))
  execute function funding.audit_account();
-- Its name comes after those of the foreign keys' triggers, in whose order it fires.
create trigger accounts_audit_deleted after delete on funding.accounts
  for each row execute function funding.delete_audit_log();
create trigger accounts_member_created after insert on funding.accounts
  for each row execute function funding.keep_own_member();
create trigger accounts_member_updated after update of auth_user_id on funding.accounts
  for each row when (old.auth_user_id is distinct from new.auth_user_id) execute function funding.keep_own_member();
