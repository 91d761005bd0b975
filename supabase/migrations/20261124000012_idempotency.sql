-- Answers of the account API's writes that were sent with an Idempotency-Key, so that a repetition is answered and not done again.
create table funding.idempotency_keys (
  account_id uuid not null,
  -- SHA-256 of the Idempotency-Key, which is not stored: it opens `sealed_secret`.
  key_hash text not null,
  -- SHA-256 of the request's route and input.
  request_hash text not null,
  -- Null only in the transaction of the write.
  response json,
  -- Text of the API key or webhook secret that the response had, sealed with a key that is made of the Idempotency-Key.
  sealed_secret text,
  created_at timestamptz not null default funding.latest_now(),
  primary key (account_id, key_hash)
);
alter table funding.idempotency_keys enable row level security;
create index idempotency_keys_created_at on funding.idempotency_keys (created_at);

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('idempotency_key_days', '1', '1', 'days', '{"type": "integer", "minimum": 1, "maximum": 30}',
   'How long a POST of the account API is remembered, so that a repetition gets its answer.');
