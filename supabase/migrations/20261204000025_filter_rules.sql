-- Begins a transaction (database/migrate.ts).
-- A filter as the functions of filters read it (funding.filter_rules).
create type funding.filter_rule as (
  datasets text[],
  name text,
  kind text,
  condition text,
  several text,
  beginning text,
  field text,
  form text,
  value text,
  is_ranked boolean,
  is_always boolean,
  is_excluding boolean,
  beginnings integer[]
);
