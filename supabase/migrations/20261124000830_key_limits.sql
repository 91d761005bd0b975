-- Limits of a key: the datasets that it reads, and a daily quota of its own. Null is no limit.
alter table funding.api_keys
  add column datasets text[],
  add column daily_quota bigint,
  -- The key on which requests against `daily_quota` are counted: the first of those that replaced each other. Null for the key itself.
  add column quota_key_id uuid,
  add constraint api_keys_datasets_known check (datasets <@ array['grants', 'contracts', 'funders'] and cardinality(datasets) > 0),
  add constraint api_keys_quota_positive check (daily_quota > 0);

-- Requests that count against the quota of a key, by UTC day. Keys without a quota have no rows.
create table funding.daily_key_quota (
  api_key_id uuid not null references funding.api_keys (id) on delete cascade,
  day date not null,
  used bigint not null,
  primary key (api_key_id, day)
);
alter table funding.daily_key_quota enable row level security;
create index daily_key_quota_day on funding.daily_key_quota (day);

alter type funding.admission
  -- Daily quota of the key; null without one.
  add attribute key_quota bigint,
  -- The key on which it is counted.
  add attribute quota_key_id uuid,
  -- Datasets that the key reads; null for all.
  add attribute datasets text[];

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('write_limit_key_changes', '500', '500', 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}',
   'Changes of the limits of an account''s keys.');
