-- Requests of each account, one by one, for some days. Written with the usage, in batches: `funding.log_requests`.

-- No foreign keys: a check of each row would lock rows of accounts and keys in another order than their owner's writes do, and a key that is
-- deleted keeps its name here.
create table funding.request_log (
  account_id uuid not null,
  at timestamptz not null,
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
  primary key (account_id, at, id)
);
alter table funding.request_log enable row level security;
create index request_log_request_id on funding.request_log (request_id);
create index request_log_at on funding.request_log (at);

-- Requests of an account in an hour, whether they were kept or not.
create table funding.request_log_counts (
  hour timestamptz not null,
  account_id uuid not null,
  -- Answered below 400, and refused or failed.
  answered bigint not null,
  failed bigint not null,
  primary key (hour, account_id)
) with (fillfactor = 70);
alter table funding.request_log_counts enable row level security;

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('request_log_days', '7', '7', 'days', '{"type": "integer", "minimum": 1, "maximum": 90}',
   'How long an account''s requests are kept one by one.'),
  ('request_log_account_maximum', '500', '500', 'an hour', '{"type": "integer", "minimum": 0, "maximum": 1000000}',
   'Requests of an account that the log keeps: the first of each hour that were answered, and as many that failed. 0 keeps none.'),
  ('request_log_maximum', '10000', '10000', 'an hour', '{"type": "integer", "minimum": 0, "maximum": 10000000}',
   'Requests of all accounts that the log keeps. At 400 bytes each, seven full days are some 700 MB.'),
  ('write_limit_account_changes', '200', '200', 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}',
   'Changes of an account''s own settings.');
