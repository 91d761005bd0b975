-- Tiers that accounts are shown, and the price at which each is sold (billing_api.sql).

alter table funding.tiers add column is_listed boolean not null default true;
-- A tier that an operator made for somebody stays between them.
update funding.tiers set is_listed = false
where name not in ('free', 'developer') and not exists (select from funding.tier_prices as price where price.tier = tiers.name);

-- When the price was set last: of several that buy a tier, the newest is sold.
alter table funding.tier_prices add column set_at timestamptz not null default now();

insert into funding.settings (name, value, default_value, unit, schema, description)
select 'write_limit_' || kind, maximum::jsonb, maximum::jsonb, 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}', description
from (values
  ('checkouts', '100', 'Pages of Stripe that an account''s owners may open to subscribe.'),
  ('portal_sessions', '200', 'Pages of Stripe that an account''s owners may open to manage its subscription.')
) as write_limit(kind, maximum, description);
