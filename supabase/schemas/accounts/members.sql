-- Members of accounts: the users who may use an account, and their roles. An `owner` does everything; a `member` does everything except deciding who
-- is in the account and what it is charged for. The user of `accounts.auth_user_id`, whose own account it is, is a member like the others:
-- `funding.keep_own_member`.
--
-- Changes of an account's members lock the account's row first and check the caller's role again behind the lock, so that two of them at once cannot
-- leave the account without an owner. Functions that check are volatile: a stable one would not see changes that were committed meanwhile.

-- Role of a user in an account; null where the user is not in it.
create or replace function funding.role_of(account_id uuid, user_id uuid) returns text
language plpgsql volatile as $$
begin
  return (select member.role from funding.members as member where member.account_id = role_of.account_id and member.user_id = role_of.user_id);
end
$$;

-- Raises unless the user is an owner of the account: PT403, or PT404 where the user is not in the account, as for an account that does not exist.
create or replace function funding.require_owner(account_id uuid, user_id uuid) returns void
language plpgsql volatile as $$
declare
  own_role constant text := funding.role_of(account_id, user_id);
begin
  if own_role is null then
    raise sqlstate 'PT404' using message = 'you are in no such account', hint = 'X-Account-Id';
  end if;
  if own_role <> 'owner' then
    raise sqlstate 'PT403' using hint = 'role', message = format(
      'This needs the role owner, and yours in this account is %s. Ask one of its owners.', own_role);
  end if;
end
$$;

-- Makes other changes of the account's members and invitations wait for this one. `may_release` is for a change with which the account's address may
-- go: it takes the stronger lock at once. Two changes that made their locks stronger later would wait for each other.
create or replace function funding.lock_members(account_id uuid, may_release boolean default false) returns void
language plpgsql as $$
begin
  if may_release then
    perform from funding.accounts where accounts.id = lock_members.account_id for update;
  else
    perform from funding.accounts where accounts.id = lock_members.account_id for no key update;
  end if;
end
$$;

-- Present e-mail address of a member; where the user is deleted, the address by which they came.
create or replace function funding.member_email(member funding.members) returns text
language plpgsql stable as $$
begin
  if to_regclass('auth.users') is null then
    return member.email;
  end if;
  return coalesce((select funding.folded_address(auth_user.email) from auth.users as auth_user where auth_user.id = member.user_id and auth_user.email <> ''), member.email);
end
$$;

-- Whether a member's user exists and was not deleted.
create or replace function funding.has_user(member funding.members) returns boolean
language plpgsql stable as $$
begin
  return to_regclass('auth.users') is not null
    and exists (select from auth.users as auth_user where auth_user.id = member.user_id and auth_user.deleted_at is null);
end
$$;

-- Address by which an account is called. Where its own user left, it is the address of the owner who joined first.
create or replace function funding.account_email(account funding.accounts) returns text
language plpgsql stable as $$
begin
  return coalesce(account.email, (
    select funding.member_email(member) from funding.members as member where member.account_id = account.id
    order by member.role = 'owner' desc, member.joined_at, member.id limit 1), account.id || '@account.invalid');
end
$$;

-- Raises unless the account has an owner besides this member. An owner whose user is deleted does not count.
create or replace function funding.require_other_owner(member funding.members) returns void
language plpgsql volatile as $$
begin
  if not exists (
    select from funding.members as other join auth.users as auth_user on auth_user.id = other.user_id
    where other.account_id = member.account_id and other.id <> member.id and other.role = 'owner' and auth_user.deleted_at is null
  ) then
    raise sqlstate 'PT409' using message = 'this is the last owner of the account; make somebody else an owner first';
  end if;
end
$$;

-- Raises PT400 for an unknown role.
create or replace function funding.require_role(role text) returns void
language plpgsql immutable as $$
begin
  if role is null or role not in ('owner', 'member') then
    raise sqlstate 'PT400' using message = 'must be owner or member', hint = 'role';
  end if;
end
$$;

-- Trigger of `members`: withdraws the open invitations of somebody who is an owner no more, in whatever way that came: they could come back by one of
-- them. An invitation knows its owner by the user, because addresses change.
create or replace function funding.withdraw_invitations() returns trigger
language plpgsql as $$
begin
  perform funding.end_invitation(pending, 'withdrawn') from funding.invitations as pending
  where pending.account_id = old.account_id and pending.invited_by_user = old.user_id;
  return null;
end
$$;

-- Whether an invitation still has the authority by which it was made: the operator's, or that of a user who is an owner of the account and exists.
create or replace function funding.is_authorized(invitation funding.invitations) returns boolean
language plpgsql stable as $$
begin
  return invitation.invited_by is null or exists (
    select from funding.members as inviter join auth.users as auth_user on auth_user.id = inviter.user_id
    where inviter.account_id = invitation.account_id and inviter.user_id = invitation.invited_by_user and inviter.role = 'owner'
      and auth_user.deleted_at is null and (auth_user.banned_until is null or auth_user.banned_until <= now()));
end
$$;

-- Present address of the owner who made an invitation; null for the operator.
create or replace function funding.inviter_email(invitation funding.invitations) returns text
language sql stable as $$
  select coalesce((
    select funding.member_email(inviter) from funding.members as inviter
    where inviter.account_id = invitation.account_id and inviter.user_id = invitation.invited_by_user), invitation.invited_by)
$$;

-- Raises PT404 where a user is not in the account, behind its lock: a user who was removed while the request waited gets nothing.
create or replace function funding.require_member(account_id uuid, user_id uuid) returns void
language plpgsql volatile as $$
begin
  if funding.role_of(account_id, user_id) is null then
    raise sqlstate 'PT404' using message = 'you are in no such account', hint = 'X-Account-Id';
  end if;
end
$$;

-- Gives a member another role. Returns the member. PT404 where the account has no such member. The caller has locked the account.
create or replace function funding.change_role(account_id uuid, member_id uuid, role text) returns funding.members
language plpgsql as $$
declare
  changed funding.members;
begin
  perform funding.require_role(change_role.role);
  select * into changed from funding.members as member where member.id = member_id and member.account_id = change_role.account_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no member %s', member_id);
  end if;
  if changed.role = 'owner' and change_role.role <> 'owner' then
    perform funding.require_other_owner(changed);
  end if;
  update funding.members as member set role = change_role.role where member.id = changed.id and member.role <> change_role.role;
  changed.role := change_role.role;
  return changed;
end
$$;

-- Removes a member from an account. Keys, webhooks and saved searches that the member made stay: they are the account's. The caller has locked the
-- account.
create or replace function funding.remove_from_account(account_id uuid, member_id uuid) returns void
language plpgsql as $$
declare
  removed funding.members;
begin
  select * into removed from funding.members as member where member.id = member_id and member.account_id = remove_from_account.account_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no member %s', member_id);
  end if;
  if removed.role = 'owner' then
    perform funding.require_other_owner(removed);
  end if;
  delete from funding.members as member where member.id = removed.id;
  -- These keys are, or may be, in the removed member's browser.
  -- Locked in key order, as `record_usage` does.
  update funding.api_keys as explorer_key set revoked_at = now()
  where explorer_key.id = any (array(
    select own_key.id from funding.api_keys as own_key
    where own_key.account_id = remove_from_account.account_id and own_key.is_explorer and funding.is_valid(own_key)
      and coalesce(own_key.explorer_user_id = removed.user_id, true)
    order by own_key.id for no key update));
end
$$;

-- Removes the member with an e-mail address from an account, or withdraws the address's invitation, as an operator does. A member whose user was
-- deleted keeps an address that another may have by now: who can sign in is meant first.
create or replace function funding.remove_member_by_email(account text, address text) returns void
language plpgsql as $$
declare
  own_id constant uuid := funding.account_id(account);
  member_id uuid;
begin
  perform funding.lock_members(own_id, may_release => true);
  select member.id into member_id from funding.members as member
  where member.account_id = own_id and funding.member_email(member) = funding.folded_address(address)
  order by funding.has_user(member) desc, member.id
  limit 1;
  if found then
    perform funding.remove_from_account(own_id, member_id);
    return;
  end if;
  perform funding.end_invitation(pending, 'withdrawn') from funding.invitations as pending
  where pending.account_id = own_id and pending.email = funding.folded_address(address) and funding.expiry_of(pending) > funding.latest_now();
  if not found then
    raise sqlstate 'PT404' using message = format('%s is neither a member of the account nor invited', address);
  end if;
end
$$;

-- Time until which an invitation can be accepted.
create or replace function funding.expiry_of(invitation funding.invitations) returns timestamptz
language sql stable as $$
  select invitation.created_at + funding.setting('invitation_days')::double precision * interval '1 day'
$$;

-- Invites the user who confirms an e-mail address. Returns the invitation. `invited_by` is an owner's present address and `invited_by_user` the owner;
-- both are null for the operator. The caller has locked the account. The account's expired invitations are deleted, so an earlier one of the address
-- gives way: as soon as nobody can accept it, also while the bounded clock is behind.
create or replace function funding.invite(account_id uuid, email text, role text, invited_by text, invited_by_user uuid default null)
returns funding.invitations
language plpgsql as $$
declare
  address constant text := funding.folded_address(invite.email);
  maximum constant bigint := funding.setting('maximum_invitations')::bigint;
  invitation funding.invitations;
begin
  perform funding.require_role(invite.role);
  if exists (select from funding.members as member where member.account_id = invite.account_id and funding.member_email(member) = address) then
    raise sqlstate 'PT409' using message = format('%s is a member of the account already', address);
  end if;
  delete from funding.invitations as expired where expired.account_id = invite.account_id
    and funding.expiry_of(expired) <= case when expired.email = address then funding.latest_now() else funding.bounded_now() end;
  if (
    select count(*) from funding.invitations as pending
    where pending.account_id = invite.account_id and funding.expiry_of(pending) > funding.latest_now()
  ) >= maximum then
    raise sqlstate 'PT409' using message = format('the account has %s open invitations, which is the most; withdraw one first', maximum);
  end if;
  insert into funding.invitations as pending (account_id, email, role, invited_by, invited_by_user)
  values (invite.account_id, address, invite.role, invite.invited_by, invite.invited_by_user)
  on conflict on constraint invitations_once do nothing
  returning * into invitation;
  if not found then
    raise sqlstate 'PT409' using message = format('%s is invited already; withdraw that invitation first', address);
  end if;
  return invitation;
end
$$;

-- Ends an invitation: accepted, declined or withdrawn. Its trigger logs the outcome.
create or replace function funding.end_invitation(invitation funding.invitations, outcome text) returns void
language plpgsql as $$
begin
  update funding.invitations as pending set outcome = end_invitation.outcome where pending.id = invitation.id;
  delete from funding.invitations as pending where pending.id = invitation.id;
end
$$;

-- Open invitation to an e-mail address, locked together with its account, or PT404: also for an invitation to another address.
create or replace function funding.received_invitation(invitation_id uuid, email text) returns funding.invitations
language plpgsql volatile as $$
declare
  invitation funding.invitations;
begin
  -- The account is locked first, as by a withdrawal of the invitation.
  perform funding.lock_members(pending.account_id) from funding.invitations as pending
  where pending.id = invitation_id and pending.email = received_invitation.email;
  select * into invitation from funding.invitations as pending
  where pending.id = invitation_id and pending.email = received_invitation.email and funding.expiry_of(pending) > funding.latest_now()
    and funding.is_authorized(pending);
  if not found then
    raise sqlstate 'PT404' using message = format('there is no invitation %s', invitation_id), hint = 'invitation';
  end if;
  return invitation;
end
$$;

-- Trigger of `accounts`: makes the account's own user an owner. A new own user takes the place of the former one.
create or replace function funding.keep_own_member() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from funding.members as former where former.account_id = new.id and former.user_id = old.auth_user_id;
  end if;
  if new.auth_user_id is not null then
    insert into funding.members (account_id, user_id, email, role)
    values (new.id, new.auth_user_id, coalesce(new.email, new.id || '@account.invalid'), 'owner')
    on conflict on constraint members_once do update set role = 'owner';
  end if;
  return null;
end
$$;

-- Trigger of `members`: an account whose own user goes is nobody's own any more, and has no address. With its address, the account would be given
-- back to that user at their next sign-in.
create or replace function funding.release_account() returns trigger
language plpgsql as $$
begin
  update funding.accounts set auth_user_id = null, email = null where accounts.id = old.account_id and accounts.auth_user_id = old.user_id;
  return null;
end
$$;
