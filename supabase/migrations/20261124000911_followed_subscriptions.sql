-- Which Stripe subscription an account's row follows. The functions of 1.1, which do not say it, are gone by now.
--
-- A row with a grace was written from Stripe: an operator's has none. Of the account's subscriptions there it followed the one that says the same, or else
-- the newest. Without any, since its customer was moved to another account, it cannot be told from an operator's, and ends with its period.
update funding.subscriptions as own set stripe_subscription_id = (
  select paid.id
  from funding.stripe_customers as customer join funding.stripe_subscriptions as paid on paid.customer_id = customer.id
  where customer.account_id = own.account_id
  order by (paid.status, paid.current_period_end) is not distinct from (own.status, own.current_period_end) desc, paid.event_at desc, paid.id
  limit 1)
where own.grace > '0' and own.stripe_subscription_id is null;
