-- Members of accounts and invitations: who is in, as what, and that an account never loses its last owner.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(57);

-- Without Supabase Auth: the columns of it that are read.
do $$
begin
  if to_regclass('auth.users') is null then
    create schema if not exists auth;
    create table auth.users (id uuid primary key, email varchar(255), email_confirmed_at timestamptz, banned_until timestamptz,
      deleted_at timestamptz);
    create table auth.sessions (id uuid primary key, user_id uuid, not_after timestamptz);
  end if;
end
$$;
create function pg_temp.uuid(label text) returns uuid language sql immutable as $$ select md5(label)::uuid $$;
create function pg_temp.sign_in(label text) returns void language sql as $$
  insert into auth.users (id, email, email_confirmed_at) values (pg_temp.uuid(label), initcap(label) || '@members.test', now());
  insert into auth.sessions (id, user_id) values (pg_temp.uuid(label || ' session'), pg_temp.uuid(label));
$$;
-- The account that requests name from now on; null for each caller's own.
create function pg_temp.choose(account_id uuid) returns void language sql as $$
  select set_config('request.headers', case when account_id is null then '' else json_build_object('x-account-id', account_id)::text end, true)
$$;
-- A call of the account API, as somebody; the error's code and text where it fails. Nobody is signed in after it.
create function pg_temp.ask(label text, rpc text, rest text default '') returns json language plpgsql as $$
declare
  answer json;
begin
  begin
    execute format('select public.%I(%L, %L %s)', rpc, pg_temp.uuid(label), pg_temp.uuid(label || ' session'), rest) into answer;
  exception when others then
    answer := to_json(sqlstate || ' ' || sqlerrm);
  end;
  perform set_config('funding.actor_email', '', true);
  return answer;
end
$$;
create temporary table shared (id uuid);
-- Members of the shared account: 'ada owner, ben member'.
create function pg_temp.members() returns text language sql as $$
  select coalesce(string_agg(split_part(funding.member_email(member), '@', 1) || ' ' || member.role, ', ' order by funding.member_email(member)), 'nobody')
  from funding.members as member where member.account_id = (select id from shared)
$$;
create function pg_temp.member(label text) returns uuid language sql as $$
  select member.id from funding.members as member where member.account_id = (select id from shared) and member.user_id = pg_temp.uuid(label)
$$;
create function pg_temp.invitation(label text) returns uuid language sql as $$
  select invitation.id from funding.invitations as invitation
  where invitation.account_id = (select id from shared) and invitation.email = label || '@members.test'
$$;
create function pg_temp.join(label text, role text) returns json language sql as $$
  select pg_temp.ask('ada', 'create_invitation', format(', %L, %L', label || '@members.test', role));
  select pg_temp.ask(label, 'accept_invitation', format(', %L', pg_temp.invitation(label)));
$$;
-- Somebody's request about the shared account.
create function pg_temp.there(label text, rpc text, rest text default '') returns text language plpgsql as $$
declare
  answer text;
begin
  perform pg_temp.choose((select id from shared));
  answer := pg_temp.ask(label, rpc, rest)::text;
  perform pg_temp.choose(null);
  return answer;
end
$$;

select pg_temp.sign_in(label) from unnest(array['ada', 'ben', 'carl', 'dora', 'eve']) as label;
insert into shared select (pg_temp.ask('ada', 'get_account')->>'id')::uuid;

-- Whose own account it is.
select is(pg_temp.members(), 'ada owner', 'the user whose own account it is is its owner');
update funding.accounts set auth_user_id = pg_temp.uuid('eve') where id = (select id from shared);
select is(pg_temp.members(), 'eve owner', 'another user takes the place of the present one');
update funding.accounts set auth_user_id = null where id = (select id from shared);
select is(pg_temp.members(), 'nobody', 'an account that waits for its user has no member');
select pg_temp.ask('ada', 'get_account');
select is(pg_temp.members(), 'ada owner', 'and gets one by the first sign-in');

-- Invitations.
select is(pg_temp.ask('ada', 'create_invitation', $$, 'Ben@Members.Test', 'member'$$)->>'email', 'ben@members.test', 'an owner invites an address');
select is(pg_temp.ask('carl', 'accept_invitation', format(', %L', pg_temp.invitation('ben')))::text, to_json(format('PT404 there is no invitation %s', pg_temp.invitation('ben')))::text,
  'nobody else accepts it');
select is(pg_temp.ask('carl', 'withdraw_invitation', format(', %L', pg_temp.invitation('ben')))::text, to_json(format('PT404 there is no invitation %s', pg_temp.invitation('ben')))::text,
  'nor withdraws it');
select is(pg_temp.ask('ben', 'list_memberships')->'invitations'->0->>'account_email', 'ada@members.test', 'whoever has the address sees it');
select is(pg_temp.ask('ben', 'accept_invitation', format(', %L', pg_temp.invitation('ben')))->>'role', 'member', 'and accepts it');
select is(pg_temp.members(), 'ada owner, ben member', 'which makes them a member');
select is_empty($$select 1 from funding.invitations where account_id = (select id from shared)$$, 'and ends it');
select is(pg_temp.join('dora', 'admin')::text, '"PT404 there is no invitation "', 'there is no other role');
select throws_ok($$update funding.members set role = 'admin' where user_id = pg_temp.uuid('ben')$$, '23514', null, 'not even by SQL');

-- The account of a request.
select is(pg_temp.there('ben', 'get_account')::json->>'id', (select id::text from shared), 'a member uses the account that the request names');
select isnt(pg_temp.ask('ben', 'get_account')->>'id', (select id::text from shared), 'and without one their own');
select is(pg_temp.there('carl', 'get_account'), '"PT404 you are in no such account"', 'nobody else does');
select pg_temp.choose(pg_temp.uuid('no account'));
select is(pg_temp.ask('carl', 'get_account')::text, '"PT404 you are in no such account"', 'and is told no more than of one that does not exist');
select pg_temp.choose(pg_temp.uuid('no account'));
select is(pg_temp.ask('eve', 'list_memberships')::text, '"PT404 you are in no such account"', 'a request that names an account');
select is_empty($$select 1 from funding.accounts where auth_user_id = pg_temp.uuid('eve')$$, 'opens none');
select pg_temp.choose(null);

-- Roles.
select is(pg_temp.there('ben', rpc, arguments), '"PT403 This needs the role owner, and yours in this account is member. Ask one of its owners."', rpc || ' takes an owner')
from (values
  ('create_invitation', $$, 'eve@members.test', 'member'$$),
  ('withdraw_invitation', format(', %L', pg_temp.uuid('x'))),
  ('update_member', format($$, %L, '{"role": "owner"}'$$, pg_temp.member('ben'))),
  ('remove_member', format(', %L', pg_temp.member('ada'))),
  ('update_account', $$, '{"keeps_search_text": true}'$$)
) as owners(rpc, arguments);
select is(pg_temp.there('ben', 'create_account_key', $$, 'of ben', repeat('b', 64), 'b'$$)::json->>'name', 'of ben', 'a member manages keys');

-- The last owner.
select is(pg_temp.ask('ada', 'remove_member', format(', %L', pg_temp.member('ada')))::text, '"PT409 this is the last owner of the account; make somebody else an owner first"',
  'the last owner does not leave');
select is(pg_temp.ask('ada', 'update_member', format($$, %L, '{"role": "member"}'$$, pg_temp.member('ada')))::text, '"PT409 this is the last owner of the account; make somebody else an owner first"',
  'nor becomes a member');
select pg_temp.join('dora', 'owner');
update auth.users set deleted_at = now() where id = pg_temp.uuid('dora');
select is(left(pg_temp.ask('ada', 'remove_member', format(', %L', pg_temp.member('ada')))::text, 6), '"PT409', 'an owner whose user is deleted does not count');
update auth.users set deleted_at = null where id = pg_temp.uuid('dora');
select is(pg_temp.members(), 'ada owner, ben member, dora owner', 'nothing has changed by that');
select is(pg_temp.there('dora', 'update_member', format($$, %L, '{"role": "member"}'$$, pg_temp.member('ada')))::json->>'role', 'member', 'with another owner, the first becomes a member');
select is(pg_temp.ask('ada', 'get_account')->>'role', 'member', 'of the account that is their own');
select is(pg_temp.there('ada', 'update_account', $$, '{"keeps_search_text": true}'$$)::text ~ 'PT403', true, 'with a member''s rights');
select is(pg_temp.there('dora', 'update_member', format($$, %L, '{"role": "owner"}'$$, pg_temp.member('ada')))::json->>'role', 'owner', 'until they are an owner again');

-- Invitations end with the rights of whoever made them.
select pg_temp.there('ada', 'create_invitation', $$, 'ada.again@members.test', 'owner'$$);
select pg_temp.there('dora', 'create_invitation', $$, 'fred@members.test', 'member'$$);
select pg_temp.there('dora', 'update_member', format($$, %L, '{"role": "owner"}'$$, pg_temp.member('ada')));
select isnt(pg_temp.invitation('ada.again'), null, 'an owner who stays one keeps their invitations');
select pg_temp.there('dora', 'update_member', format($$, %L, '{"role": "member"}'$$, pg_temp.member('ada')));
select is(pg_temp.invitation('ada.again'), null, 'those of an owner who becomes a member are withdrawn');
select isnt(pg_temp.invitation('fred'), null, 'and others'' are not');
select pg_temp.there('dora', 'withdraw_invitation', format(', %L', pg_temp.invitation('fred')));
select pg_temp.there('dora', 'update_member', format($$, %L, '{"role": "owner"}'$$, pg_temp.member('ada')));
select pg_temp.there('ada', 'create_invitation', $$, 'ada.again@members.test', 'owner'$$);

-- Digests and names go by the account's own user, and without one by the owner who has been there longest.
insert into funding.tiers (name, api_access, daily_quota) values ('members-test', true, -1);
select funding.set_tier('ada@members.test', 'members-test');
select is(funding.digest_recipient((select id from shared)), 'ada@members.test', 'digests go to the account''s own user');
select is(pg_temp.there('dora', 'remove_member', format(', %L', pg_temp.member('ada')))::json->>'id' is not null, true, 'the user who began it is removed');
select is(pg_temp.members(), 'ben member, dora owner', 'and is in it no more');
select is(pg_temp.invitation('ada.again'), null, 'their invitations are withdrawn, so that they do not come back by one');
select is(pg_temp.there('ada', 'list_account_keys'), '"PT404 you are in no such account"', 'and has no access');
select throws_ok(format('select funding.require_member(%L, %L)', (select id from shared), pg_temp.uuid('ada')), 'PT404', 'you are in no such account',
  'nor what a request for a key that waited for the removal looks at');
select lives_ok(format('select funding.require_member(%L, %L)', (select id from shared), pg_temp.uuid('ben')), 'who is still in it has');
select isnt(pg_temp.ask('ada', 'get_account')->>'id', (select id::text from shared), 'not by their next sign-in either, which opens another account');
select is(funding.digest_recipient((select id from shared)), 'dora@members.test', 'digests go to the owner');
select is(funding.account_id((select id::text from shared)), (select id from shared), 'operators name the account by its id');
select is((select count(*) from funding.api_keys where account_id = (select id from shared)), 1::bigint, 'its keys stay');
select is((select string_agg(action || ' ' || split_part(subject_name, '@', 1), ', ' order by id) from funding.audit_log
  where account_id = (select id from shared) and subject_kind = 'member' and action <> 'member.role_changed'),
  'member.removed ada, member.removed eve, member.removed ada', 'the log has who was removed: twice by an operator, who gave the account to others');

-- Addresses that somebody had: a member is told by the user.
select pg_temp.sign_in('gina');
insert into funding.members (account_id, user_id, email, role)
  values ((select id from shared), pg_temp.uuid('gone'), 'gina@members.test', 'member'), ((select id from shared), pg_temp.uuid('gina'), 'g@members.test', 'owner');
select pg_temp.there('gina', 'remove_member', format(', %L', pg_temp.member('gone')));
select is((select action from funding.audit_log where account_id = (select id from shared) order by id desc limit 1), 'member.removed',
  'who removes somebody with their address has not left');
insert into funding.members (account_id, user_id, email, role) values ((select id from shared), pg_temp.uuid('gone'), 'gina@members.test', 'member');
select funding.remove_member_by_email((select id::text from shared), 'Gina@Members.test');
select is(pg_temp.member('gina'), null, 'an operator means who can sign in');
select funding.remove_member_by_email((select id::text from shared), 'gina@members.test');
select is(pg_temp.member('gone'), null, 'and then the one whose user is gone');

-- One rule for addresses: A to Z alone.
select is(funding.folded_address('Ada.ÉK@Members.TEST' || U&'\212A\0130'), 'ada.Ék@members.test' || U&'\212A\0130', 'no other character is folded');
select throws_ok($$insert into funding.accounts (email) values ('A@members.test')$$, '23514', null, 'accounts have folded addresses');
select throws_ok(format($$insert into funding.invitations (account_id, email, role) values (%L, 'A@members.test', 'member')$$, (select id from shared)), '23514', null,
  'and invitations');

-- Ends.
select pg_temp.there('dora', 'create_invitation', $$, 'eve@members.test', 'member'$$);
update funding.invitations set created_at = now() - interval '8 days' where id = pg_temp.invitation('eve');
select is(pg_temp.there('dora', 'list_invitations'), '{"invitations" : []}', 'an invitation that has expired is not shown');
select results_eq($$select (public.prune_table('invitations', 100)->>'rows')::integer$$, array[1], 'and goes');
select pg_temp.there('dora', 'create_invitation', $$, 'eve@members.test', 'member'$$);
delete from funding.accounts where id = (select id from shared);
select is((select count(*) from funding.members where account_id = (select id from shared))
  + (select count(*) from funding.invitations where account_id = (select id from shared))
  + (select count(*) from funding.audit_log where account_id = (select id from shared)), 0::bigint, 'members, invitations and the log go with the account');

select * from finish();
rollback;
