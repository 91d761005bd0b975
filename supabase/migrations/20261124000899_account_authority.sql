-- Who may do what in an account does not follow from an address, a period, or whoever comes first or last: invitations know the user who made them, a
-- customer of Stripe's whom nobody entitled named waits for an owner, and addresses are compared by one rule.

set check_function_bodies = off;

create function funding.folded_address(address text) returns text
language sql immutable parallel safe as $$
  select lower(address collate "C")
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

-- Every address that is stored satisfies these: the former rule folded more.
alter table funding.accounts
  drop constraint accounts_email_lower_case,
  add constraint accounts_email_folded check (email = funding.folded_address(email) and email like '%_@_%');
alter table funding.invitations
  drop constraint invitations_email_lower_case,
  add constraint invitations_email_folded check (email = funding.folded_address(email) and email like '%_@_%'),
  -- The owner who invites; null for the operator. `invited_by` is their address of that time.
  add column invited_by_user uuid;

-- An invitation whose owner cannot be told any more is not one that counts.
update funding.invitations as pending set invited_by_user = inviter.user_id
from funding.members as inviter
where inviter.account_id = pending.account_id and inviter.role = 'owner' and pending.invited_by in (funding.member_email(inviter), inviter.email);
delete from funding.invitations where invited_by is not null and invited_by_user is null;
alter table funding.invitations
  add constraint invitations_inviter_known check ((invited_by is null) = (invited_by_user is null));

-- A change of the user is an end, too: none is made, and it would be one.
create trigger members_withdraw_invitations_of_removed after delete on funding.members
  for each row when (old.role = 'owner') execute function funding.withdraw_invitations();
create trigger members_withdraw_invitations_of_former_owner after update of role, user_id, account_id on funding.members
  for each row when (old.role = 'owner' and (new.role <> 'owner' or new.user_id <> old.user_id or new.account_id <> old.account_id))
  execute function funding.withdraw_invitations();

-- Customers at Stripe who would pay for an account, as nobody entitled has said. They have no effect until an owner accepts them.
create table funding.offered_customers (
  id uuid primary key default gen_random_uuid(),
  customer_id text not null,
  account_id uuid not null references funding.accounts (id) on delete cascade,
  offered_at timestamptz not null default now(),
  -- When an owner refused it; null while nobody has decided. An accepted customer is in `stripe_customers`.
  refused_at timestamptz,
  constraint offered_customers_customer unique (customer_id)
);
alter table funding.offered_customers enable row level security;
create index offered_customers_account on funding.offered_customers (account_id);

insert into funding.settings (name, value, default_value, unit, schema, description)
select 'write_limit_' || kind, maximum::jsonb, maximum::jsonb, 'a day', '{"type": "integer", "minimum": -1, "maximum": 1000000000}', description
from (values
  ('invitation_clearances', '100', 'How often a user may decline all invitations, counted on the account that they use.'),
  ('customer_acceptances', '100', 'Customers at Stripe who offer to pay for an account, and whom its owners may accept.'),
  ('customer_refusals', '100', 'Customers at Stripe who offer to pay for an account, and whom its owners may refuse.')
) as write_limit(kind, maximum, description);
