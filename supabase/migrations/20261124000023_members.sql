-- Members of accounts, and invitations (members.sql). The user whose own an account is becomes its first owner.

-- What accounts and invitations are compared by.
create function funding.folded_address(address text) returns text
language sql immutable parallel safe as $$
  select lower(address collate "C")
$$;

create table funding.members (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  -- A user of Supabase Auth.
  user_id uuid not null,
  -- Their address when they came. `funding.member_email` has the present one.
  email text not null,
  role text not null,
  joined_at timestamptz not null default now(),
  constraint members_once unique (account_id, user_id),
  constraint members_role_known check (role in ('owner', 'member'))
);
alter table funding.members enable row level security;
create index members_user on funding.members (user_id);

create table funding.invitations (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  email text not null,
  role text not null,
  -- The owner who invites, by their address of that time; null for the operator.
  invited_by text,
  -- It can be accepted for `invitation_days`.
  created_at timestamptz not null default funding.latest_now(),
  -- How it ended, for the trigger that logs it: set as the row is deleted.
  outcome text,
  -- The owner who invites; null for the operator.
  invited_by_user uuid,
  constraint invitations_once unique (account_id, email),
  constraint invitations_email_folded check (email = funding.folded_address(email) and email like '%_@_%'),
  constraint invitations_inviter_known check ((invited_by is null) = (invited_by_user is null)),
  constraint invitations_role_known check (role in ('owner', 'member')),
  constraint invitations_outcome_known check (outcome in ('accepted', 'declined', 'withdrawn'))
);
alter table funding.invitations enable row level security;
create index invitations_email on funding.invitations (email, created_at);
create index invitations_created on funding.invitations (created_at);

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('invitation_days', '7', '7', 'days', '{"type": "integer", "minimum": 1, "maximum": 90}',
   'How long an invitation to an account can be accepted. Then it is deleted.'),
  ('maximum_members', '50', '50', 'members', '{"type": "integer", "minimum": 1, "maximum": 1000}',
   'Members that an account may have, its owners among them.'),
  ('maximum_invitations', '50', '50', 'invitations', '{"type": "integer", "minimum": 1, "maximum": 1000}',
   'Open invitations that an account may have at a time.');
insert into funding.settings (name, value, default_value, unit, schema, description)
select 'write_limit_' || kind, maximum::jsonb, maximum::jsonb, 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}', description
from (values
  ('invitation_creations', '100', 'Invitations that an account''s owners may send.'),
  ('invitation_withdrawals', '200', 'Invitations that an account''s owners may withdraw.'),
  ('invitation_acceptances', '200', 'Invitations that a user may accept, counted on the account that they use.'),
  ('invitation_refusals', '200', 'Invitations that a user may decline, counted on the account that they use.'),
  ('invitation_clearances', '100', 'How often a user may decline all invitations, counted on the account that they use.'),
  ('member_changes', '200', 'Changes of the roles of an account''s members.'),
  ('member_removals', '200', 'Members that an account''s owners may remove, and those who leave.')
) as write_limit(kind, maximum, description);

-- The triggers' functions, and those that they call, as members.sql and audit_log.sql have them.
set check_function_bodies = off;

create function funding.member_email(member funding.members) returns text
language plpgsql stable as $$
begin
  if to_regclass('auth.users') is null then
    return member.email;
  end if;
  return coalesce((select lower(auth_user.email) from auth.users as auth_user where auth_user.id = member.user_id and auth_user.email <> ''), member.email);
end
$$;

create function funding.expiry_of(invitation funding.invitations) returns timestamptz
language sql stable as $$
  select invitation.created_at + funding.setting('invitation_days')::double precision * interval '1 day'
$$;

create function funding.audited_fields(member funding.members) returns jsonb
language sql stable as $$
  select jsonb_build_object('role', member.role)
$$;

create function funding.audited_fields(invitation funding.invitations) returns jsonb
language sql stable as $$
  select jsonb_build_object('role', invitation.role)
$$;

create function funding.audit_member() returns trigger
language plpgsql as $$
declare
  former constant funding.members := old;
  present constant funding.members := new;
  either constant funding.members := case when tg_op = 'DELETE' then former else present end;
  name constant text := funding.member_email(either);
  actor constant record := funding.actor();
  action constant text := case
    when tg_op = 'INSERT' then 'member.added'
    when tg_op = 'UPDATE' then 'member.role_changed'
    when actor.email = name then 'member.left'
    else 'member.removed' end;
begin
  if tg_op = 'INSERT' and (actor.kind <> 'operator'
      or exists (select from funding.accounts as own where own.id = present.account_id and own.auth_user_id = present.user_id)) then
    return null;
  end if;
  perform funding.audit(either.account_id, action, 'member', either.id, name,
    funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)));
  return null;
end
$$;

create function funding.audit_invitation() returns trigger
language plpgsql as $$
declare
  former constant funding.invitations := old;
  present constant funding.invitations := new;
  either constant funding.invitations := case when tg_op = 'DELETE' then former else present end;
  action constant text := case tg_op when 'INSERT' then 'invitation.created' else 'invitation.' || coalesce(former.outcome, 'withdrawn') end;
begin
  if funding.expiry_of(either) <= now() then
    return null;
  end if;
  perform funding.audit(either.account_id, action, 'invitation', either.id, either.email, case
    when former.outcome = 'accepted' then funding.audited_changes(null, funding.audited_fields(former))
    else funding.audited_changes(funding.audited_fields(former), funding.audited_fields(present)) end);
  return null;
end
$$;

create function funding.keep_own_member() returns trigger
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

create function funding.release_account() returns trigger
language plpgsql as $$
begin
  update funding.accounts set auth_user_id = null, email = null where accounts.id = old.account_id and accounts.auth_user_id = old.user_id;
  return null;
end
$$;

create function funding.end_invitation(invitation funding.invitations, outcome text) returns void
language plpgsql as $$
begin
  update funding.invitations as pending set outcome = end_invitation.outcome where pending.id = invitation.id;
  delete from funding.invitations as pending where pending.id = invitation.id;
end
$$;

create function funding.withdraw_invitations() returns trigger
language plpgsql as $$
begin
  perform funding.end_invitation(pending, 'withdrawn') from funding.invitations as pending
  where pending.account_id = old.account_id and pending.invited_by_user = old.user_id;
  return null;
end
$$;

reset check_function_bodies;

-- The accounts as they are now. What changes until their table is locked is made up for then (20261124000090).
insert into funding.members (account_id, user_id, email, role, joined_at)
select account.id, account.auth_user_id, account.email, 'owner', account.created_at
from funding.accounts as account where account.auth_user_id is not null;

create trigger members_released after delete on funding.members
  for each row execute function funding.release_account();

create trigger members_audit_created after insert on funding.members
  for each row execute function funding.audit_member();
create trigger members_audit_updated after update of role on funding.members
  for each row when (old.role is distinct from new.role) execute function funding.audit_member();
create trigger members_audit_deleted after delete on funding.members
  for each row execute function funding.audit_member();
create trigger invitations_audit_created after insert on funding.invitations
  for each row execute function funding.audit_invitation();
create trigger invitations_audit_deleted after delete on funding.invitations
  for each row execute function funding.audit_invitation();

-- A change of the user is an end, too: none is made, and it would be one.
create trigger members_withdraw_invitations_of_removed after delete on funding.members
  for each row when (old.role = 'owner') execute function funding.withdraw_invitations();
create trigger members_withdraw_invitations_of_former_owner after update of role, user_id, account_id on funding.members
  for each row when (old.role = 'owner' and (new.role <> 'owner' or new.user_id <> old.user_id or new.account_id <> old.account_id))
  execute function funding.withdraw_invitations();
