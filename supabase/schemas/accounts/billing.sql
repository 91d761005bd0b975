-- Subscriptions that Stripe drives. Stripe's events come more than once and in any order. So the state of each Stripe subscription is stored with the
-- time of its newest event, and an account's own subscription follows from all of its Stripe subscriptions.

-- Rank of a subscription's status by its progress: a second event of the same second may not lower it. (Stripe's times are whole seconds, and a
-- subscription is often made and paid within one. Canceled is for ever.)
create or replace function funding.stripe_status_rank(status text) returns integer
language sql immutable as $$
  select case status when 'incomplete' then 0 when 'trialing' then 1 when 'canceled' then 9 when 'incomplete_expired' then 9 else 2 end
$$;

-- Whether a Stripe subscription is ongoing, with access or without: a second subscription would be paid beside it. A subscription that still waits
-- for its first payment (incomplete) is not ongoing: Stripe ends it within a day.
create or replace function funding.is_ongoing(stripe_status text) returns boolean
language sql immutable as $$
  select stripe_status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
$$;

-- A customer's subscriptions at Stripe that have a price which buys a tier. Of several such prices in one subscription, the first counts. An active
-- subscription with a failed payment after its newest event is past due: its own event about that says the same, and more, but may come later.
create or replace function funding.subscriptions_of_customer(customer_id text)
returns table (id text, tier text, status text, current_period_end timestamptz, event_at timestamptz)
language sql stable as $$
  select paid.id, price.tier,
         case when paid.status in ('active', 'trialing') and paid.payment_failed_at > paid.event_at then 'past_due' else paid.status end,
         paid.current_period_end, paid.event_at
  from funding.stripe_subscriptions as paid
  join lateral (
    select tier_prices.tier
    from unnest(paid.price_ids) with ordinality as item(price_id, position)
    join funding.tier_prices on tier_prices.price_id = item.price_id
    order by item.position limit 1
  ) as price on true
  where paid.customer_id = subscriptions_of_customer.customer_id
$$;

-- The same of all customers who pay for an account.
create or replace function funding.bought_subscriptions(account_id uuid)
returns table (id text, tier text, status text, current_period_end timestamptz, event_at timestamptz)
language sql stable as $$
  select paid.*
  from funding.stripe_customers as customer cross join lateral funding.subscriptions_of_customer(customer.id) as paid
  where customer.account_id = bought_subscriptions.account_id
$$;

-- Order of tiers by what they include: API access, requests a day, snapshots. The greater includes more.
create or replace function funding.tier_rank(tier text) returns numeric[]
language sql stable as $$
  select array[known.api_access::integer, case when known.daily_quota < 0 then 1e30 else known.daily_quota end, known.snapshots::integer]
  from funding.tiers as known where known.name = tier_rank.tier
$$;

-- Makes an account's subscription follow its subscriptions at Stripe. Of those with a price that buys a tier and that give access, the one of the tier
-- that includes most, and of one tier the one that gives access for longest: nobody lowers an account by a subscription beside its own. Where none
-- gives access, the one that changed last. `stripe_subscription_id` is the id of that one; null marks an operator's row. A subscription at Stripe
-- replaces an operator's row only if it gives access and, while that row is in force, its tier includes as much; or if the operator says so
-- (`by_operator`). Where no subscription at Stripe buys a tier, a row that followed one is deleted, and an operator's row stays.
create or replace function funding.follow_stripe(account_id uuid, by_operator boolean default false) returns void
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
           case when candidate.gives_access then funding.tier_rank(candidate.tier) end desc,
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
    where (own.stripe_subscription_id is not null
        or bought.gives_access and (by_operator or not funding.is_in_force_at(own, funding.bounded_now()) or funding.tier_rank(bought.tier) >= funding.tier_rank(own.tier)))
      and (own.tier, own.status, own.current_period_end, own.grace, own.stripe_subscription_id)
        is distinct from (excluded.tier, excluded.status, excluded.current_period_end, excluded.grace, excluded.stripe_subscription_id);
end
$$;

-- Makes events of one Stripe customer, and changes of its account, wait for one another until the transaction ends.
create or replace function funding.lock_stripe_customer(customer_id text) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('stripe customer ' || customer_id, 0))
$$;

-- Sets the account that a Stripe customer pays for, as an operator does. The subscription of the account that it paid for before is updated, too.
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
  delete from funding.offered_customers as offered where offered.customer_id = attach_customer.customer_id;
  -- In the order of the accounts' ids, as everywhere: each call locks its account.
  perform funding.follow_stripe(paying.account_id, by_operator => paying.account_id = new_id)
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
--   opened_by     user who opened the checkout here, or null
--   is_by_operator  whether the operator named the account, in the metadata of a subscription
--   subscription  { id, status, price_ids, current_period_end (Unix seconds) } as it was then, or null
--   failed_subscription_id  subscription with a failed payment, or null
-- Returns { outcome, account_id }; the outcome is `applied`, `duplicate`, `unknown-customer` or `undecided`. With the last two the event is stored, and
-- applied with the customer's checkout, or when an owner accepts the customer. `account_id` is the account that the customer pays for, or would pay
-- for. It stays the same where a later event names another account.
--
-- Whoever knows an account's id can name it in a checkout of a payment link. So a customer pays for an account without a question only if it is the
-- account's first, and somebody who is an owner opened the checkout, or the operator named the account. Each other customer is a question for the
-- owners, without any effect until they decide (billing_api.sql).
create or replace function public.record_billing_event(event jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  happened_at constant timestamptz := to_timestamp((event->>'created')::double precision);
  customer constant text := event->>'customer_id';
  paid constant jsonb := nullif(event->'subscription', 'null');
  named uuid := (event->>'account_id')::uuid;
  paying uuid;
  is_known boolean;
  is_entitled boolean;
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

  select stripe_customers.account_id into paying from funding.stripe_customers where stripe_customers.id = customer;
  if paying is null and named is not null then
    -- Of two customers at once, one is the first.
    perform from funding.accounts where accounts.id = named for no key update;
    is_known := found;
    is_entitled := not exists (select from funding.stripe_customers as other where other.account_id = named)
      and (coalesce((event->>'is_by_operator')::boolean, false) or exists (
        select from funding.members as member
        where member.account_id = named and member.user_id = (event->>'opened_by')::uuid and member.role = 'owner'));
    if is_known and not is_entitled then
      insert into funding.offered_customers (customer_id, account_id) values (customer, named)
      on conflict on constraint offered_customers_customer do nothing;
      if found then
        perform funding.audit(named, 'customer.offered', 'subscription', named, customer, '[]');
      end if;
    elsif is_known then
      insert into funding.stripe_customers (id, account_id) values (customer, named);
      delete from funding.offered_customers as offered where offered.customer_id = customer;
      paying := named;
    end if;
  end if;
  if paying is null then
    select offered.account_id into named from funding.offered_customers as offered where offered.customer_id = customer;
    return json_build_object('outcome', case when found then 'undecided' else 'unknown-customer' end, 'account_id', case when found then named end);
  end if;
  perform funding.follow_stripe(paying);
  return json_build_object('outcome', 'applied', 'account_id', paying);
end
$$;
