-- What billing shows and asks owners (billing_api.sql).

-- Customers at Stripe who would pay for an account, as nobody entitled has said. They have no effect until an owner accepts them.
create table funding.offered_customers (
  id uuid primary key default gen_random_uuid(),
  customer_id text not null,
  account_id uuid not null,
  offered_at timestamptz not null default now(),
  -- When an owner refused it; null while nobody has decided. An accepted customer is in `stripe_customers`.
  refused_at timestamptz,
  constraint offered_customers_customer unique (customer_id)
);
alter table funding.offered_customers enable row level security;
create index offered_customers_account on funding.offered_customers (account_id);

insert into funding.settings (name, value, default_value, unit, schema, description)
select 'write_limit_' || kind, maximum::jsonb, maximum::jsonb, 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}', description
from (values
  ('checkouts', '100', 'Pages of Stripe that an account''s owners may open to subscribe.'),
  ('portal_sessions', '200', 'Pages of Stripe that an account''s owners may open to manage its subscription.'),
  ('customer_acceptances', '100', 'Customers at Stripe who offer to pay for an account, and whom its owners may accept.'),
  ('customer_refusals', '100', 'Customers at Stripe who offer to pay for an account, and whom its owners may refuse.')
) as write_limit(kind, maximum, description);
