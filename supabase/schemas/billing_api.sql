-- RPCs of the dashboard for tiers, and for Stripe's pages on which owners subscribe and manage the subscription. The edge opens those pages.
-- `prepare_checkout` and `prepare_portal` decide whether it may, and return the data that it has to send to Stripe.

-- Name of an account's tier, whether its subscription is in force or not.
create or replace function funding.tier_of(account_id uuid) returns text
language sql stable as $$
  select coalesce((select subscription.tier from funding.subscriptions as subscription where subscription.account_id = tier_of.account_id), 'free')
$$;

-- Stripe price at which a tier is sold: of the prices that buy the tier, the one that was set last. Null where there is none.
create or replace function funding.sold_price(tier text) returns text
language sql stable as $$
  select price.price_id from funding.tier_prices as price where price.tier = sold_price.tier order by price.set_at desc, price.price_id desc limit 1
$$;

-- Whether a Stripe subscription is ongoing, with access or without: a second subscription would be paid beside it. A subscription that still waits
-- for its first payment (incomplete) is not ongoing: Stripe ends it within a day.
create or replace function funding.is_ongoing(stripe_status text) returns boolean
language sql immutable as $$
  select stripe_status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
$$;

-- Whether an account has an ongoing Stripe subscription that buys a tier. It counts also after its period's end: the event of a renewal may be late,
-- or lost.
create or replace function funding.has_stripe_subscription(account_id uuid) returns boolean
language sql stable as $$
  select exists (
    select from funding.bought_subscriptions(has_stripe_subscription.account_id) as bought where funding.is_ongoing(bought.status))
$$;

-- Stripe customer as which an account pays; null where there is none. Of several customers, the one with an ongoing subscription, or else the one
-- with the latest.
create or replace function funding.stripe_customer_of(account_id uuid) returns text
language sql stable as $$
  select customer.id
  from funding.stripe_customers as customer
  left join funding.stripe_subscriptions as paid on paid.customer_id = customer.id
  where customer.account_id = stripe_customer_of.account_id
  order by coalesce(funding.is_ongoing(paid.status), false) desc, paid.event_at desc nulls last, customer.id
  limit 1
$$;

-- Lists the tiers that the account is shown: its own and all listed ones, at most a hundred. Returns { tiers, has_subscription, has_customer }; the
-- last two are about Stripe. The tier that includes least comes first.
create or replace function public.list_tiers(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_tiers.user_id, list_tiers.session_id);
  own_tier constant text := funding.tier_of(own_id);
begin
  return json_build_object(
    'tiers', (
      select coalesce(json_agg(
        json_build_object(
          'name', shown.name, 'api_access', shown.api_access, 'daily_quota', shown.daily_quota, 'snapshots', shown.snapshots,
          'is_own', shown.name = own_tier, 'has_price', funding.sold_price(shown.name) is not null)
        order by shown.api_access, shown.daily_quota < 0, shown.daily_quota, shown.name), '[]')
      from (
        select * from funding.tiers as tier where tier.is_listed or tier.name = own_tier
        order by tier.name = own_tier desc, tier.name limit 100
      ) as shown),
    'has_subscription', funding.has_stripe_subscription(own_id),
    'has_customer', funding.stripe_customer_of(own_id) is not null);
end
$$;

-- Decides whether an owner may subscribe to a tier at Stripe. Returns { account_id, email, customer_id, price_id, expires_at }: the page ends at
-- `expires_at`, in Unix seconds. That is soon, so that a page which was left open is not paid after another. PT409 where the account would pay twice.
create or replace function public.prepare_checkout(user_id uuid, session_id uuid, tier text) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(prepare_checkout.user_id, prepare_checkout.session_id);
  price constant text := (
    select funding.sold_price(shown.name) from funding.tiers as shown
    where shown.name = prepare_checkout.tier and (shown.is_listed or shown.name = funding.tier_of(own_id)));
  account funding.accounts;
begin
  perform funding.require_write(own_id, 'checkouts');
  if price is null then
    raise sqlstate 'PT400' using message = 'must be a tier that is for sale: GET /account-api/tiers lists them', hint = 'tier';
  end if;
  if funding.has_stripe_subscription(own_id) then
    raise sqlstate 'PT409' using
      message = 'the account has a subscription at Stripe, and would pay twice; change that one on its billing page (POST /account-api/billing/portal)';
  end if;
  select * into account from funding.accounts where accounts.id = own_id;
  return funding.count_write(own_id, 'checkouts', json_build_object(
    'account_id', own_id, 'email', funding.account_email(account), 'customer_id', funding.stripe_customer_of(own_id), 'price_id', price,
    'expires_at', floor(extract(epoch from now()))::bigint + 3600));
end
$$;

-- Decides whether an owner may open the account's billing page at Stripe. Returns { customer_id }. PT404 where the account has never paid there.
create or replace function public.prepare_portal(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(prepare_portal.user_id, prepare_portal.session_id);
  customer constant text := funding.stripe_customer_of(own_id);
begin
  perform funding.require_write(own_id, 'portal_sessions');
  if customer is null then
    raise sqlstate 'PT404' using message = 'the account has no customer at Stripe', hint = 'customer';
  end if;
  return funding.count_write(own_id, 'portal_sessions', json_build_object('customer_id', customer));
end
$$;
