-- Quotas of keys.

-- Requests that count against the quota of a key, by UTC day. Keys without a quota have no rows.
create table funding.daily_key_quota (
  api_key_id uuid not null,
  day date not null,
  used bigint not null,
  primary key (api_key_id, day)
);
alter table funding.daily_key_quota enable row level security;
create index daily_key_quota_day on funding.daily_key_quota (day);

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('write_limit_key_changes', '500', '500', 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}',
   'Changes of the limits of an account''s keys.');
