-- Whose account a signed-in user's is.
--
-- The edge verifies a token's signature, issuer, audience and expiry, and passes on which user and session it
-- names. What a token cannot say is looked up where Supabase Auth keeps it: that the session was not ended, that the
-- user still exists, and that the e-mail address is confirmed. (`user_metadata.email_verified` in a token is for its
-- owner to change.) The schema auth is Supabase's; where there is none, local/auth/schema.sql makes the part that
-- this reads.

-- The account of a user, as the edge verified, or raises:
--   PT401  the session was ended, or there is no such user any more
--   PT403  the user's e-mail address is not confirmed
--   PT409  the account of that e-mail address is another user's
--
-- At the first sign-in that is the account which an operator opened for the e-mail address, or else a new one, on the
-- free tier. Later it is the same account whatever the address becomes, and the account follows the address.
create function funding.account_of(user_id uuid, session_id uuid) returns uuid
language plpgsql as $$
declare
  signed_in record;
  account funding.accounts;
begin
  select lower(auth_user.email) as email, auth_user.email_confirmed_at is not null as is_confirmed
  into signed_in
  from auth.sessions as session
  join auth.users as auth_user on auth_user.id = session.user_id
  where session.id = account_of.session_id and session.user_id = account_of.user_id
    and (session.not_after is null or session.not_after > now())
    and (auth_user.banned_until is null or auth_user.banned_until <= now())
    and auth_user.deleted_at is null;
  if not found then
    raise sqlstate 'PT401' using message = 'the session has ended';
  end if;
  if not signed_in.is_confirmed or coalesce(signed_in.email, '') = '' then
    raise sqlstate 'PT403' using message = 'the e-mail address is not confirmed';
  end if;

  select * into account from funding.accounts where accounts.auth_user_id = account_of.user_id;
  if found and account.email = signed_in.email then
    return account.id;
  end if;
  if found then
    -- An address that another account has is left to that one.
    update funding.accounts set email = signed_in.email
    where accounts.id = account.id and not exists (select from funding.accounts as other where other.email = signed_in.email);
    return account.id;
  end if;

  -- The address is the user's, so an account that waits for it is theirs. Two first requests at once meet here.
  insert into funding.accounts as existing (email, auth_user_id) values (signed_in.email, account_of.user_id)
  on conflict on constraint accounts_email_unique do update set auth_user_id = excluded.auth_user_id
    where existing.auth_user_id is null or existing.auth_user_id = excluded.auth_user_id
  returning * into account;
  if not found then
    raise sqlstate 'PT409' using message = 'the account of your e-mail address belongs to another sign-in';
  end if;
  return account.id;
end
$$;
