-- Types. Written by npm run schema from the migrations; comments are kept.

-- An admitted caller. `daily_quota` and `remaining` are -1 when unlimited.
create type funding.admission as (
  api_key_id uuid,
  account_id uuid,
  daily_quota bigint,
  remaining bigint,
  key_quota bigint,
  quota_key_id uuid,
  datasets text[]
);
