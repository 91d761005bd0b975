-- Subscriptions: whether one gives access.

-- Whether a subscription gives access at a moment. It is stable, as the sum of a time and an interval is: Postgres would not inline it otherwise.
create or replace function funding.is_in_force_at(subscription funding.subscriptions, at timestamptz) returns boolean
language sql stable parallel safe as $$
  select coalesce(subscription.status in ('active', 'trialing', 'past_due')
    and (subscription.current_period_end is null or subscription.current_period_end + subscription.grace > at), false)
$$;

-- Whether a subscription gives access now: requests are let in or refused by it, and let in again when a wrong clock is right.
create or replace function funding.is_in_force(subscription funding.subscriptions) returns boolean
language sql stable as $$
  select funding.is_in_force_at(subscription, now())
$$;

-- Whether an account's subscription includes webhooks, which are part of every tier with API access. By the bounded clock: an event that is fanned out
-- without an account's webhooks is lost to them.
create or replace function funding.has_webhooks(account_id uuid) returns boolean
language plpgsql stable as $$
begin
  return exists (
    select from funding.subscriptions as subscription
    join funding.tiers as tier on tier.name = subscription.tier
    where subscription.account_id = has_webhooks.account_id and tier.api_access
      and funding.is_in_force_at(subscription, funding.bounded_now()));
end
$$;
