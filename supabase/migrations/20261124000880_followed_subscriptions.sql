-- The Stripe subscription that an account's row follows, and failed payments apart from a subscription's own events (billing.sql).

-- Null is a row that an operator set.
alter table funding.subscriptions add column stripe_subscription_id text;
-- Time of the newest event of a failed payment. Later than `event_at`, it makes an active subscription past due.
alter table funding.stripe_subscriptions add column payment_failed_at timestamptz;

-- A row with a grace was written from Stripe: an operator's has none. Of the account's subscriptions there it followed the one that says the same, or else
-- the newest. Without any, since its customer was moved to another account, it cannot be told from an operator's, and ends with its period.
update funding.subscriptions as own set stripe_subscription_id = (
  select paid.id
  from funding.stripe_customers as customer join funding.stripe_subscriptions as paid on paid.customer_id = customer.id
  where customer.account_id = own.account_id
  order by (paid.status, paid.current_period_end) is not distinct from (own.status, own.current_period_end) desc, paid.event_at desc, paid.id
  limit 1)
where own.grace > '0';
