-- Retention: what a database keeps as it ages, for how long, and what finds the rows that are to go.

-- Usage of the months that are no longer kept by day.
create table funding.usage_months (
  api_key_id uuid not null,
  -- The first day of a UTC month.
  month date not null,
  -- Requests by status, response-time bucket and endpoint: { "200 50 grants-api/{id}": 12 }.
  counts jsonb not null,
  primary key (api_key_id, month),
  constraint usage_months_month_is_first_day check (extract(day from month) = 1)
);
alter table funding.usage_months enable row level security;

insert into funding.settings (name, value, default_value, unit, schema, description)
select name, value::jsonb, value::jsonb, 'days', format('{"type": "integer", "minimum": %s, "maximum": 3650}', minimum)::jsonb, description
from (values
  ('usage_days', '400', 90,
   'How long usage is kept by key and day. Whole months that are older have one row for each key. At least what one request for usage spans.'),
  ('quota_days', '40', 2,
   'How long the daily counts against quotas are kept.'),
  ('record_change_days', '400', 1,
   'How long the log of what imports changed in records is kept.'),
  ('import_days', '400', 1,
   'How long the log of imports is kept. The imports that tell how fresh a source is stay.'),
  ('deadline_notice_days', '400', 366,
   'How long a deadline notice is remembered, so that it is sent once. A deadline that comes back later is a new one. Over the longest lead time.'),
  ('stripe_event_days', '30', 4,
   'How long the ids of Stripe''s events are kept, so that each is applied once. Over the three days in which Stripe sends one again.')
) as given(name, value, minimum, description);
