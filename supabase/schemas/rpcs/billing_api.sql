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

-- Whether an account has an ongoing Stripe subscription that buys a tier. It counts also after its period's end: the event of a renewal may be late,
-- or lost.
create or replace function funding.has_stripe_subscription(account_id uuid) returns boolean
language sql stable as $$
  select exists (
    select from funding.bought_subscriptions(has_stripe_subscription.account_id) as bought where funding.is_ongoing(bought.status))
$$;

-- Stripe customer as which an account pays; null where there is none. Of several customers, the one whose subscription the account follows, or else
-- one with an ongoing subscription, or else the one with the latest.
create or replace function funding.stripe_customer_of(account_id uuid) returns text
language sql stable as $$
  select customer.id
  from funding.stripe_customers as customer
  left join funding.stripe_subscriptions as paid on paid.customer_id = customer.id
  where customer.account_id = stripe_customer_of.account_id
  order by paid.id is not distinct from (
             select own.stripe_subscription_id from funding.subscriptions as own where own.account_id = stripe_customer_of.account_id)
             and paid.id is not null desc,
           coalesce(funding.is_ongoing(paid.status), false) desc, paid.event_at desc nulls last, customer.id
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

-- Offers of customers to pay for an account: those without a decision first, then the newest, at most a hundred. Each has the subscription of the
-- customer that would give most.
create or replace function public.list_offered_customers(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_offered_customers.user_id, list_offered_customers.session_id);
begin
  return json_build_object('offers', (
    select coalesce(json_agg(funding.offer_body(listed.offered)
      order by (listed.offered).refused_at is null desc, (listed.offered).offered_at desc, (listed.offered).id), '[]')
    from (
      select offered from funding.offered_customers as offered where offered.account_id = own_id
      order by offered.refused_at is null desc, offered.offered_at desc, offered.id limit 100
    ) as listed));
end
$$;

-- An offer as the account's members see it.
create or replace function funding.offer_body(offered funding.offered_customers) returns json
language plpgsql stable as $$
begin
  return json_build_object(
    'id', offered.id, 'customer', offered.customer_id, 'offered_at', funding.moment(offered.offered_at),
    'refused_at', funding.moment(offered.refused_at),
    'subscription', (
      select json_build_object('tier', paid.tier, 'status', paid.status, 'current_period_end', funding.moment(paid.current_period_end))
      from funding.subscriptions_of_customer(offered.customer_id) as paid
      order by funding.is_ongoing(paid.status) desc, funding.tier_rank(paid.tier) desc, paid.current_period_end desc nulls last, paid.id limit 1));
end
$$;

-- Decides about an offer, as owners do. An accepted customer pays for the account from then on, beside the others. A refused one has no effect, and is
-- not asked about again; it can still be accepted. Returns { id, accepted }.
create or replace function public.decide_offered_customer(user_id uuid, session_id uuid, offer_id uuid, accepted boolean) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(decide_offered_customer.user_id, decide_offered_customer.session_id);
  kind constant text := case when decide_offered_customer.accepted then 'customer_acceptances' else 'customer_refusals' end;
  offered funding.offered_customers;
begin
  -- First the customer and then the account, which `require_write` locks, as with each event of Stripe's: in the other order, both would wait.
  perform funding.lock_stripe_customer(known.customer_id)
  from funding.offered_customers as known where known.id = offer_id and known.account_id = own_id;
  perform funding.require_write(own_id, kind);
  select * into offered from funding.offered_customers as known where known.id = offer_id and known.account_id = own_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no offer %s', offer_id);
  end if;
  if decide_offered_customer.accepted then
    delete from funding.offered_customers as known where known.id = offered.id;
    insert into funding.stripe_customers (id, account_id) values (offered.customer_id, own_id);
    perform funding.audit(own_id, 'customer.accepted', 'subscription', own_id, offered.customer_id, '[]');
    perform funding.follow_stripe(own_id);
  else
    update funding.offered_customers as known set refused_at = now() where known.id = offered.id and known.refused_at is null;
    if found then
      perform funding.audit(own_id, 'customer.refused', 'subscription', own_id, offered.customer_id, '[]');
    end if;
  end if;
  return funding.count_write(own_id, kind, json_build_object('id', offered.id, 'accepted', decide_offered_customer.accepted));
end
$$;
