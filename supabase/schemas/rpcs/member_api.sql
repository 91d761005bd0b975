-- RPCs of the dashboard for an account's members and invitations, and for the accounts that a user is in. A user who is not in an account gets the
-- same answer as for an account that does not exist.

-- A member as the account's members see them. `user_id` is the caller's.
create or replace function funding.member_body(member funding.members, user_id uuid) returns json
language plpgsql stable as $$
begin
  return json_build_object(
    'id', member.id, 'email', funding.member_email(member), 'role', member.role, 'joined_at', funding.moment(member.joined_at),
    'is_you', member.user_id = member_body.user_id);
end
$$;

-- An invitation as the account's members see it.
create or replace function funding.invitation_body(invitation funding.invitations) returns json
language sql stable as $$
  select json_build_object(
    'id', invitation.id, 'email', invitation.email, 'role', invitation.role, 'invited_by', funding.inviter_email(invitation),
    'created_at', funding.moment(invitation.created_at), 'expires_at', funding.moment(funding.expiry_of(invitation)))
$$;

-- An invitation as the invited user sees it.
create or replace function funding.received_body(invitation funding.invitations) returns json
language sql stable as $$
  select json_build_object(
    'id', invitation.id, 'account_email', funding.account_email(account), 'role', invitation.role, 'invited_by', funding.inviter_email(invitation),
    'created_at', funding.moment(invitation.created_at), 'expires_at', funding.moment(funding.expiry_of(invitation)))
  from funding.accounts as account where account.id = invitation.account_id
$$;

-- An account as one of its members sees it in the list of memberships.
create or replace function funding.membership_body(member funding.members) returns json
language sql stable as $$
  select json_build_object(
    'account_id', account.id, 'email', funding.account_email(account), 'role', member.role,
    'is_own', account.auth_user_id is not distinct from member.user_id)
  from funding.accounts as account where account.id = member.account_id
$$;

-- Accounts that the user is in, their own first and at most a hundred, and open invitations to their address, one of each account, newest first:
-- { memberships, invitations, next }. There are fifty invitations on a page; `next` is the `page` of the next call, { at, id }, or null. Whoever has
-- many accounts can make many invitations, but hides none by them.
create or replace function public.list_memberships(user_id uuid, session_id uuid, page jsonb default null) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_memberships.user_id, list_memberships.session_id);
  own_email constant text := (funding.actor()).email;
  page_size constant integer := 50;
  invitations json;
  next_page json;
begin
  with found as (
    select pending, pending.created_at, pending.id
    from funding.invitations as pending
    where pending.email = own_email and funding.expiry_of(pending) > funding.latest_now() and funding.is_authorized(pending)
      and (page is null or (pending.created_at, pending.id) < ((page->>'at')::timestamptz, (page->>'id')::uuid))
    order by pending.created_at desc, pending.id desc
    limit page_size + 1
  ), numbered as (
    select found.*, row_number() over (order by found.created_at desc, found.id desc) as position from found
  )
  select coalesce(json_agg(funding.received_body(numbered.pending) order by numbered.position) filter (where numbered.position <= page_size), '[]'),
         case when count(*) > page_size then (
           select json_build_object('at', funding.exact_moment(last.created_at), 'id', last.id)
           from numbered as last where last.position = page_size) end
  into invitations, next_page from numbered;
  return json_build_object(
    'memberships', (
      select coalesce(json_agg(funding.membership_body(listed.member) order by listed.is_own desc, (listed.member).joined_at, (listed.member).id), '[]')
      from (
        select member, account.auth_user_id is not distinct from member.user_id as is_own
        from funding.members as member join funding.accounts as account on account.id = member.account_id
        where member.user_id = list_memberships.user_id
        order by is_own desc, member.account_id = own_id desc, member.joined_at, member.id limit 100
      ) as listed),
    'invitations', invitations,
    'next', next_page);
end
$$;

-- The account's members: owners first, then in the order in which they joined. There are at most `maximum_members`.
create or replace function public.list_members(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_members.user_id, list_members.session_id);
begin
  return json_build_object('members', (
    select coalesce(json_agg(funding.member_body(member, list_members.user_id) order by member.role = 'owner' desc, member.joined_at, member.id), '[]')
    from funding.members as member where member.account_id = own_id));
end
$$;

-- Changes a member: `changes` has the role. Returns the member.
create or replace function public.update_member(user_id uuid, session_id uuid, member_id uuid, changes jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(update_member.user_id, update_member.session_id);
begin
  perform funding.require_write(own_id, 'member_changes');
  return funding.count_write(own_id, 'member_changes',
    funding.member_body(funding.change_role(own_id, update_member.member_id, changes->>'role'), update_member.user_id));
end
$$;

-- Removes a member from the account. An owner may remove anybody, and a member only themselves. Returns { id }.
create or replace function public.remove_member(user_id uuid, session_id uuid, member_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(remove_member.user_id, remove_member.session_id);
begin
  -- Before `require_write`, whose lock is weaker: two removals would wait for each other.
  perform funding.lock_members(own_id, may_release => true);
  perform funding.require_write(own_id, 'member_removals');
  if not exists (
    select from funding.members as member
    where member.id = remove_member.member_id and member.account_id = own_id and member.user_id = remove_member.user_id
  ) then
    perform funding.require_owner(own_id, remove_member.user_id);
  end if;
  perform funding.remove_from_account(own_id, remove_member.member_id);
  return funding.count_write(own_id, 'member_removals', json_build_object('id', remove_member.member_id));
end
$$;

-- The account's open invitations, newest first. There are at most `maximum_invitations`.
create or replace function public.list_invitations(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_invitations.user_id, list_invitations.session_id);
begin
  return json_build_object('invitations', (
    select coalesce(json_agg(funding.invitation_body(pending) order by pending.created_at desc, pending.id), '[]')
    from funding.invitations as pending where pending.account_id = own_id and funding.expiry_of(pending) > funding.latest_now()));
end
$$;

-- Invites the user who confirms an e-mail address. Returns the invitation.
create or replace function public.create_invitation(user_id uuid, session_id uuid, email text, role text) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(create_invitation.user_id, create_invitation.session_id);
begin
  perform funding.require_write(own_id, 'invitation_creations');
  return funding.count_write(own_id, 'invitation_creations', funding.invitation_body(
    funding.invite(own_id, create_invitation.email, create_invitation.role, (funding.actor()).email, create_invitation.user_id)));
end
$$;

-- Withdraws an invitation of the account. Returns { id }.
create or replace function public.withdraw_invitation(user_id uuid, session_id uuid, invitation_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.owned_account_of(withdraw_invitation.user_id, withdraw_invitation.session_id);
  invitation funding.invitations;
begin
  perform funding.require_write(own_id, 'invitation_withdrawals');
  select * into invitation from funding.invitations as pending
  where pending.id = invitation_id and pending.account_id = own_id and funding.expiry_of(pending) > funding.latest_now();
  if not found then
    raise sqlstate 'PT404' using message = format('there is no invitation %s', invitation_id);
  end if;
  perform funding.end_invitation(invitation, 'withdrawn');
  return funding.count_write(own_id, 'invitation_withdrawals', json_build_object('id', invitation.id));
end
$$;

-- Accepts an invitation to the caller's address. Returns the membership. Like declining, it counts for the account that the request is made in.
create or replace function public.accept_invitation(user_id uuid, session_id uuid, invitation_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(accept_invitation.user_id, accept_invitation.session_id);
  maximum constant bigint := funding.setting('maximum_members')::bigint;
  invitation funding.invitations;
  joined funding.members;
begin
  perform funding.require_write(own_id, 'invitation_acceptances');
  invitation := funding.received_invitation(accept_invitation.invitation_id, (funding.actor()).email);
  if (select count(*) from funding.members as member where member.account_id = invitation.account_id) >= maximum then
    raise sqlstate 'PT409' using message = format('the account has %s members, which is the most', maximum);
  end if;
  insert into funding.members as member (account_id, user_id, email, role)
  values (invitation.account_id, accept_invitation.user_id, invitation.email, invitation.role)
  on conflict on constraint members_once do nothing
  returning * into joined;
  if not found then
    raise sqlstate 'PT409' using message = 'you are in the account already';
  end if;
  perform funding.end_invitation(invitation, 'accepted');
  return funding.count_write(own_id, 'invitation_acceptances', funding.membership_body(joined));
end
$$;

-- Declines an invitation to the caller's address. Returns { id }.
create or replace function public.decline_invitation(user_id uuid, session_id uuid, invitation_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(decline_invitation.user_id, decline_invitation.session_id);
  invitation funding.invitations;
begin
  perform funding.require_write(own_id, 'invitation_refusals');
  invitation := funding.received_invitation(decline_invitation.invitation_id, (funding.actor()).email);
  perform funding.end_invitation(invitation, 'declined');
  return funding.count_write(own_id, 'invitation_refusals', json_build_object('id', invitation.id));
end
$$;

-- Declines all open invitations to the caller's address. Returns { declined }: how many there were.
create or replace function public.decline_invitations(user_id uuid, session_id uuid) returns json
language plpgsql security definer set search_path = funding, pg_temp as $$
declare
  own_id constant uuid := funding.account_of(decline_invitations.user_id, decline_invitations.session_id);
  own_email constant text := (funding.actor()).email;
  account_ids constant uuid[] := array(
    select pending.account_id from funding.invitations as pending where pending.email = own_email order by pending.account_id);
  declined bigint;
begin
  perform funding.require_write(own_id, 'invitation_clearances');
  -- In the order of the accounts' ids, as everywhere.
  perform funding.lock_members(listed.account_id) from unnest(account_ids) as listed(account_id);
  select count(*) into declined
  from funding.invitations as pending, lateral funding.end_invitation(pending, 'declined')
  where pending.email = own_email and pending.account_id = any (account_ids) and funding.expiry_of(pending) > funding.latest_now();
  return funding.count_write(own_id, 'invitation_clearances', json_build_object('declined', declined));
end
$$;
