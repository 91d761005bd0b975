-- Accounts, tiers and subscriptions, as an operator's commands change them. Errors that the caller can correct are raised as PT4xx with a message for
-- people: 404 for something that does not exist, 400 for something that is not allowed, 409 for a conflict.

-- E-mail address as it is stored and compared, everywhere: the letters A to Z in lower case, and every other character as it is. `lower` alone would
-- fold by the database's locale: it takes U+212A, the sign for kelvin, for a k, and so another person's address for this one.
create or replace function funding.folded_address(address text) returns text
language sql immutable parallel safe as $$
  select lower(address collate "C")
$$;

-- Id of the account with an e-mail address, or PT404. An account has no address after its own user left it; its id names it then.
create or replace function funding.account_id(email text) returns uuid
language plpgsql stable as $$
declare
  found_id uuid;
begin
  if account_id.email ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    select accounts.id into found_id from funding.accounts where accounts.id = account_id.email::uuid;
  else
    select accounts.id into found_id from funding.accounts where accounts.email = funding.folded_address(account_id.email);
  end if;
  if found_id is null then
    raise sqlstate 'PT404' using message = format('there is no account %s', email);
  end if;
  return found_id;
end
$$;

-- Opens an account on a tier. Returns its id.
create or replace function funding.create_account(email text, tier text default 'developer') returns uuid
language plpgsql as $$
declare
  new_id uuid;
begin
  if create_account.email is null then
    raise sqlstate 'PT400' using message = 'an account is opened for an e-mail address';
  end if;
  insert into funding.accounts (email) values (funding.folded_address(create_account.email))
  on conflict on constraint accounts_email_unique do nothing
  returning accounts.id into new_id;
  if new_id is null then
    raise sqlstate 'PT409' using message = format('there is an account %s already', email);
  end if;
  perform funding.set_tier(email, tier);
  return new_id;
end
$$;

-- Puts an account on a tier, at once and without an end.
create or replace function funding.set_tier(email text, tier text) returns void
language sql as $$
  select funding.change_subscription(email, tier, null, null)
$$;

-- Makes an account a user's own. The user whose own it was is no member any more; other members stay. With null, the account is no user's own. An
-- account that is no user's own waits for a user with its e-mail address.
create or replace function funding.attach_user(email text, user_id uuid) returns void
language plpgsql as $$
begin
  if exists (select from funding.accounts where auth_user_id = attach_user.user_id and accounts.id <> funding.account_id(attach_user.email)) then
    raise sqlstate 'PT409' using message = format('the user %s signs in to another account', user_id);
  end if;
  update funding.accounts set auth_user_id = attach_user.user_id where accounts.id = funding.account_id(attach_user.email);
end
$$;

-- Adds a tier. A daily quota of -1 is unlimited. A tier that is not listed is shown only to the accounts on it.
create or replace function funding.add_tier(name text, api_access boolean, daily_quota bigint, snapshots boolean, is_listed boolean default true) returns void
language plpgsql as $$
begin
  if add_tier.name !~ '^[a-z0-9][a-z0-9-]{0,39}$' then
    raise sqlstate 'PT400' using message = 'a tier''s name is 1 to 40 lower-case letters, digits and hyphens';
  end if;
  insert into funding.tiers (name, api_access, daily_quota, snapshots, is_listed)
  values (add_tier.name, add_tier.api_access, add_tier.daily_quota, add_tier.snapshots, add_tier.is_listed)
  on conflict on constraint tiers_pkey do nothing;
  if not found then
    raise sqlstate 'PT409' using message = format('there is a tier %s already', add_tier.name);
  end if;
end
$$;

-- Changes the settings of a tier, for all its accounts and at once. Null leaves a setting as it is.
create or replace function funding.change_tier(name text, api_access boolean, daily_quota bigint, snapshots boolean, is_listed boolean default null)
returns void
language plpgsql as $$
begin
  update funding.tiers
  set api_access = coalesce(change_tier.api_access, tiers.api_access), daily_quota = coalesce(change_tier.daily_quota, tiers.daily_quota),
      snapshots = coalesce(change_tier.snapshots, tiers.snapshots), is_listed = coalesce(change_tier.is_listed, tiers.is_listed)
  where tiers.name = change_tier.name;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no tier %s', change_tier.name);
  end if;
end
$$;

-- Removes a tier that no account has and no price buys. The tier free stays: accounts without a subscription have it.
create or replace function funding.remove_tier(name text) returns void
language plpgsql as $$
declare
  subscribers constant bigint := (select count(*) from funding.subscriptions where subscriptions.tier = remove_tier.name);
  prices constant bigint := (select count(*) from funding.tier_prices where tier_prices.tier = remove_tier.name);
begin
  if remove_tier.name = 'free' then
    raise sqlstate 'PT409' using message = 'the tier free cannot be removed: accounts without a subscription have it';
  end if;
  if subscribers > 0 then
    raise sqlstate 'PT409' using message = format('%s accounts are on the tier %s; put them on another first', subscribers, remove_tier.name);
  end if;
  if prices > 0 then
    raise sqlstate 'PT409' using message = format('the tier %s is sold at %s prices; take those from it first', remove_tier.name, prices);
  end if;
  delete from funding.tiers where tiers.name = remove_tier.name;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no tier %s', remove_tier.name);
  end if;
end
$$;

-- Changes an account's subscription, or gives it one. A tier makes the subscription active and without an end, unless a status or an end is given,
-- too. Without a tier, null leaves a part as it is; the end `infinity` means no end. The change is one statement, and so one change in the audit log.
-- From then on the row is an operator's: it follows no Stripe subscription until one gives access (billing.sql).
create or replace function funding.change_subscription(email text, tier text, status text, period_end timestamptz) returns void
language plpgsql as $$
begin
  if change_subscription.tier is not null and not exists (select from funding.tiers where tiers.name = change_subscription.tier) then
    raise sqlstate 'PT404' using message = format('there is no tier %s; there are %s', tier,
      (select string_agg(tiers.name, ', ' order by tiers.name) from funding.tiers));
  end if;
  insert into funding.subscriptions as own (account_id, tier, status, current_period_end)
  values (funding.account_id(email), coalesce(change_subscription.tier, 'free'), coalesce(change_subscription.status, 'active'),
    nullif(period_end, 'infinity'))
  on conflict on constraint subscriptions_pkey do update
    set tier = coalesce(change_subscription.tier, own.tier),
        status = coalesce(change_subscription.status, case when change_subscription.tier is null then own.status else 'active' end),
        current_period_end = case
          when period_end is not null then nullif(period_end, 'infinity')
          when change_subscription.tier is null then own.current_period_end end,
        grace = '0', stripe_subscription_id = null, updated_at = now();
end
$$;
