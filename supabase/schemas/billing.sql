-- Subscriptions that Stripe drives. Stripe's events come more than once and in any order. So the state of each Stripe subscription is stored with the
-- time of its newest event, and an account's own subscription follows from all of its Stripe subscriptions.

-- Rank of a subscription's status by its progress: a second event of the same second may not lower it. (Stripe's times are whole seconds, and a
-- subscription is often made and paid within one. Canceled is for ever.)
create or replace function funding.stripe_status_rank(status text) returns integer
language sql immutable as $$
  select case status when 'incomplete' then 0 when 'trialing' then 1 when 'canceled' then 9 when 'incomplete_expired' then 9 else 2 end
$$;

-- An account's subscriptions at Stripe that have a price which buys a tier. Of several such prices in one subscription, the first counts. An active
-- subscription with a failed payment after its newest event is past due: its own event about that says the same, and more, but may come later.
create or replace function funding.bought_subscriptions(account_id uuid)
returns table (id text, tier text, status text, current_period_end timestamptz, event_at timestamptz)
language sql stable as $$
  select paid.id, price.tier,
         case when paid.status in ('active', 'trialing') and paid.payment_failed_at > paid.event_at then 'past_due' else paid.status end,
         paid.current_period_end, paid.event_at
  from funding.stripe_customers as customer
  join funding.stripe_subscriptions as paid on paid.customer_id = customer.id
  join lateral (
    select tier_prices.tier
    from unnest(paid.price_ids) with ordinality as item(price_id, position)
    join funding.tier_prices on tier_prices.price_id = item.price_id
    order by item.position limit 1
  ) as price on true
  where customer.account_id = bought_subscriptions.account_id
$$;

-- Makes an account's subscription follow its subscriptions at Stripe: of those with a price that buys a tier, the one that gives access for longest,
-- or else the one that changed last. `stripe_subscription_id` is the id of that one; null marks an operator's row. A subscription at Stripe replaces
-- an operator's row only if it gives access. Where no subscription at Stripe buys a tier, a row that followed one is deleted, and an operator's row
-- stays.
create or replace function funding.follow_stripe(account_id uuid) returns void
language plpgsql as $$
declare
  -- Stripe finishes an invoice about an hour after the period's end, and may have to send its event again.
  renewal_grace constant interval := '1 day';
  bought record;
begin
  -- Events of two customers of one account take turns: the later event sees the rows that the earlier one wrote.
  perform from funding.accounts where accounts.id = follow_stripe.account_id for no key update;
  select candidate.* into bought
  from (
    select paid.*, coalesce(
      paid.status in ('active', 'trialing', 'past_due') and paid.current_period_end + renewal_grace > funding.bounded_now(), false) as gives_access
    from funding.bought_subscriptions(follow_stripe.account_id) as paid
  ) as candidate
  order by candidate.gives_access desc,
           case when candidate.gives_access then candidate.current_period_end else candidate.event_at end desc, candidate.id
  limit 1;
  if not found then
    delete from funding.subscriptions as own where own.account_id = follow_stripe.account_id and own.stripe_subscription_id is not null;
    return;
  end if;
  insert into funding.subscriptions as own (account_id, tier, status, current_period_end, grace, stripe_subscription_id)
  values (follow_stripe.account_id, bought.tier, bought.status, bought.current_period_end, renewal_grace, bought.id)
  on conflict on constraint subscriptions_pkey do update
    set tier = excluded.tier, status = excluded.status, current_period_end = excluded.current_period_end,
        grace = excluded.grace, stripe_subscription_id = excluded.stripe_subscription_id, updated_at = now()
    where (own.stripe_subscription_id is not null or bought.gives_access)
      and (own.tier, own.status, own.current_period_end, own.grace, own.stripe_subscription_id)
        is distinct from (excluded.tier, excluded.status, excluded.current_period_end, excluded.grace, excluded.stripe_subscription_id);
end
$$;

-- Makes events of one Stripe customer, and changes of its account, wait for one another until the transaction ends.
create or replace function funding.lock_stripe_customer(customer_id text) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('stripe customer ' || customer_id, 0))
$$;

-- Sets the account that a Stripe customer pays for. The subscription of the account that it paid for before is updated, too.
create or replace function funding.attach_customer(email text, customer_id text) returns void
language plpgsql as $$
declare
  new_id constant uuid := funding.account_id(email);
  former_id uuid;
begin
  if attach_customer.customer_id !~ '^cus_\w{1,250}$' then
    raise sqlstate 'PT400' using message = format('%s is not the id of a Stripe customer', customer_id);
  end if;
  perform funding.lock_stripe_customer(attach_customer.customer_id);
  select known.account_id into former_id from funding.stripe_customers as known where known.id = attach_customer.customer_id;
  insert into funding.stripe_customers (id, account_id) values (attach_customer.customer_id, new_id)
  on conflict on constraint stripe_customers_pkey do update set account_id = excluded.account_id;
  -- In the order of the accounts' ids, as everywhere: each call locks its account.
  perform funding.follow_stripe(paying.account_id)
  from (select distinct id as account_id from unnest(array[former_id, new_id]) as id where id is not null order by id) as paying;
end
$$;

-- Sets the tier that a Stripe price buys; the tier is sold at this price from now on. With null, the price buys no tier. If the tier changes,
-- accounts with an ongoing subscription that has the price follow at once; without a tier they are on the tier free.
create or replace function funding.set_price(price_id text, tier text) returns void
language plpgsql as $$
declare
  former_tier constant text := (select known.tier from funding.tier_prices as known where known.price_id = set_price.price_id);
begin
  if set_price.tier is null then
    delete from funding.tier_prices where tier_prices.price_id = set_price.price_id;
    if not found then
      raise sqlstate 'PT404' using message = format('the price %s buys no tier', price_id);
    end if;
  else
    if not exists (select from funding.tiers where tiers.name = set_price.tier) then
      raise sqlstate 'PT404' using message = format('there is no tier %s', set_price.tier);
    end if;
    insert into funding.tier_prices (price_id, tier, set_at) values (set_price.price_id, set_price.tier, clock_timestamp())
    on conflict on constraint tier_prices_pkey do update set tier = excluded.tier, set_at = excluded.set_at;
  end if;
  if set_price.tier is not distinct from former_tier then
    return;
  end if;
  perform funding.follow_stripe(paying.account_id)
  from (
    select distinct customer.account_id
    from funding.stripe_subscriptions as paid join funding.stripe_customers as customer on customer.id = paid.customer_id
    where set_price.price_id = any (paid.price_ids) and funding.is_ongoing(paid.status)
    order by customer.account_id
  ) as paying;
end
$$;

-- Applies an event of Stripe's. The edge has verified its signature. `event`:
--   id, created (Unix seconds), customer_id
--   account_id    account that the checkout or the subscription names, or null
--   subscription  { id, status, price_ids, current_period_end (Unix seconds) } as it was then, or null
--   failed_subscription_id  subscription with a failed payment, or null
-- Returns { outcome, account_id }; the outcome is `applied`, `duplicate`, or `unknown-customer`: then the event is stored, and applied with the
-- customer's checkout. `account_id` is the account that the customer pays for. It stays the same where a later event names another account.
create or replace function public.record_billing_event(event jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  happened_at constant timestamptz := to_timestamp((event->>'created')::double precision);
  customer constant text := event->>'customer_id';
  paid constant jsonb := nullif(event->'subscription', 'null');
  named constant uuid := (event->>'account_id')::uuid;
  paying uuid;
begin
  insert into funding.stripe_events (id) values (event->>'id') on conflict do nothing;
  if not found then
    return json_build_object('outcome', 'duplicate', 'account_id', null);
  end if;
  -- Events of one customer are applied one after the other.
  perform funding.lock_stripe_customer(customer);

  if paid is not null then
    insert into funding.stripe_subscriptions as known (id, customer_id, price_ids, status, current_period_end, event_at)
    values (paid->>'id', customer, array(select jsonb_array_elements_text(paid->'price_ids')), paid->>'status',
      to_timestamp((paid->>'current_period_end')::double precision), happened_at)
    on conflict on constraint stripe_subscriptions_pkey do update
      set customer_id = excluded.customer_id, price_ids = excluded.price_ids, status = excluded.status,
          current_period_end = excluded.current_period_end, event_at = excluded.event_at
      where (excluded.event_at, funding.stripe_status_rank(excluded.status)) >= (known.event_at, funding.stripe_status_rank(known.status))
        and known.status not in ('canceled', 'incomplete_expired');
  end if;
  -- Stored apart from the state in the subscription's own events: an event that was made earlier may still come.
  update funding.stripe_subscriptions as known set payment_failed_at = happened_at
  where known.id = event->>'failed_subscription_id' and (known.payment_failed_at < happened_at) is not false;

  if exists (select from funding.accounts where accounts.id = named) then
    insert into funding.stripe_customers (id, account_id) values (customer, named)
    on conflict on constraint stripe_customers_pkey do nothing;
  end if;
  select stripe_customers.account_id into paying from funding.stripe_customers where stripe_customers.id = customer;
  if paying is null then
    return json_build_object('outcome', 'unknown-customer', 'account_id', null);
  end if;
  perform funding.follow_stripe(paying);
  return json_build_object('outcome', 'applied', 'account_id', paying);
end
$$;
