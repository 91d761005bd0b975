-- Sign-in: the user who calls an RPC of the account API, and the account that the call is for.

-- Actor of this transaction's changes: the signed-in user, where `funding.account_of` found one; else the service itself, in an RPC; else an
-- operator.
create or replace function funding.actor(out kind text, out email text)
language plpgsql stable as $$
begin
  email := nullif(current_setting('funding.actor_email', true), '');
  kind := case when email is not null then 'user' when current_setting('role') = 'service_role' then 'system' else 'operator' end;
end
$$;

-- User who makes this transaction's changes; null where nobody is signed in. Who somebody is, is asked by it: addresses change.
create or replace function funding.actor_user_id() returns uuid
language plpgsql stable as $$
begin
  return case when (funding.actor()).kind = 'user' then nullif(current_setting('funding.actor_user_id', true), '')::uuid end;
end
$$;

-- Confirmed e-mail address of a signed-in user. The edge has verified the token's signature, issuer, audience and expiry, and passes on the token's
-- user and session. Facts that a token cannot state are read from the schema of Supabase Auth. (`user_metadata.email_verified` in a token can be
-- changed by the token's owner.) Without Supabase, local/auth/schema.sql makes that schema. Raises:
--   PT401  the session was ended, or there is no such user any more
--   PT403  the user's e-mail address is not confirmed
create or replace function funding.signed_in_email(user_id uuid, session_id uuid) returns text
language plpgsql as $$
declare
  signed_in record;
begin
  select funding.folded_address(auth_user.email) as email, auth_user.email_confirmed_at is not null as is_confirmed
  into signed_in
  from auth.sessions as session
  join auth.users as auth_user on auth_user.id = session.user_id
  where session.id = signed_in_email.session_id and session.user_id = signed_in_email.user_id
    and (session.not_after is null or session.not_after > now())
    and (auth_user.banned_until is null or auth_user.banned_until <= now())
    and auth_user.deleted_at is null;
  if not found then
    raise sqlstate 'PT401' using message = 'the session has ended';
  end if;
  if not signed_in.is_confirmed or coalesce(signed_in.email, '') = '' then
    raise sqlstate 'PT403' using message = 'the e-mail address is not confirmed';
  end if;
  -- For the audit log: `funding.actor` and `funding.actor_user_id`.
  perform set_config('funding.actor_email', signed_in.email, true);
  perform set_config('funding.actor_user_id', signed_in_email.user_id::text, true);
  return signed_in.email;
end
$$;

-- Account that the request names instead of the caller's own; null where it names none. The edge function sends it with each call, in a header of its
-- own, as with `funding.client_address`.
create or replace function funding.chosen_account() returns uuid
language sql stable as $$
  select (nullif(current_setting('request.headers', true), '')::json->>'x-account-id')::uuid
$$;

-- Account of a signed-in user: the account that the request names (`funding.chosen_account`), or else the user's own. Raises as
-- `funding.signed_in_email`, and:
--   PT404  the user is not a member of the account that the request names, or there is no such account
--   PT409  the account of the user's e-mail address belongs to another user
--
-- The first sign-in takes the account that an operator opened for the e-mail address, or else makes a new one, on the free tier. Later sign-ins get
-- the same account, also with a new e-mail address: the account takes over the new address.
create or replace function funding.account_of(user_id uuid, session_id uuid) returns uuid
language plpgsql as $$
declare
  own_email constant text := funding.signed_in_email(account_of.user_id, account_of.session_id);
  chosen_id constant uuid := funding.chosen_account();
  account funding.accounts;
begin
  perform set_config('funding.needs_owner', '', true);
  select * into account from funding.accounts where accounts.auth_user_id = account_of.user_id;
  if chosen_id is not null and chosen_id is distinct from account.id then
    if funding.role_of(chosen_id, account_of.user_id) is null then
      raise sqlstate 'PT404' using message = 'you are in no such account', hint = 'X-Account-Id';
    end if;
    return chosen_id;
  end if;
  if account.email = own_email then
    return account.id;
  end if;
  if account.id is not null then
    -- An address that another account has stays with that account.
    update funding.accounts set email = own_email
    where accounts.id = account.id and not exists (select from funding.accounts as other where other.email = own_email);
    return account.id;
  end if;

  -- Two first requests at once meet at one of the two constraints.
  insert into funding.accounts (email, auth_user_id) values (own_email, account_of.user_id)
  on conflict do nothing
  returning * into account;
  if not found then
    -- The address is the user's, so an account of this address that waits for a user becomes theirs.
    update funding.accounts as waiting set auth_user_id = account_of.user_id
    where waiting.email = own_email and waiting.auth_user_id is null
      and not exists (select from funding.accounts as own where own.auth_user_id = account_of.user_id);
    select * into account from funding.accounts where accounts.auth_user_id = account_of.user_id;
  end if;
  if not found then
    raise sqlstate 'PT409' using message = 'the account of your e-mail address belongs to another sign-in';
  end if;
  return account.id;
end
$$;

-- Account of a signed-in user who has to be one of its owners. Called in place of `funding.account_of`. `funding.require_write` then checks it again.
create or replace function funding.owned_account_of(user_id uuid, session_id uuid) returns uuid
language plpgsql as $$
declare
  own_id constant uuid := funding.account_of(owned_account_of.user_id, owned_account_of.session_id);
begin
  perform funding.require_owner(own_id, owned_account_of.user_id);
  perform set_config('funding.needs_owner', 'true', true);
  return own_id;
end
$$;
