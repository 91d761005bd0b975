-- Account of a signed-in user; the account RPCs see and change no other.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(33);

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

-- A uuid that a test can name.
create function pg_temp.uuid(label text) returns uuid language sql immutable as $$
  select md5(label)::uuid
$$;

create function pg_temp.sign_in(label text, address text, is_confirmed boolean default true) returns void language sql as $$
  insert into auth.users (id, email, email_confirmed_at) values (pg_temp.uuid(label), address, case when is_confirmed then now() end);
  insert into auth.sessions (id, user_id) values (pg_temp.uuid(label || ' session'), pg_temp.uuid(label));
$$;

create function pg_temp.account_of(label text) returns uuid language sql as $$
  select funding.account_of(pg_temp.uuid(label), pg_temp.uuid(label || ' session'))
$$;

create function pg_temp.ask(rpc text, label text, rest text default '') returns json language plpgsql as $$
declare
  answer json;
begin
  execute format('select public.%I(%L, %L %s)', rpc, pg_temp.uuid(label), pg_temp.uuid(label || ' session'), rest) into answer;
  return answer;
end
$$;

-- The account of somebody new.
select pg_temp.sign_in('ada', 'Ada@sign-in.test');
select isnt(pg_temp.account_of('ada'), null, 'a new user gets an account');
select is(pg_temp.account_of('ada'), pg_temp.account_of('ada'), 'the same user has the same account every time');
select is((select email from funding.accounts where auth_user_id = pg_temp.uuid('ada')), 'ada@sign-in.test', 'its address is the user''s, in lower case');
select is_empty($$select from funding.subscriptions where account_id = pg_temp.account_of('ada')$$, 'a new account has no subscription');

-- Refusals.
select throws_ok($$select funding.account_of(pg_temp.uuid('nobody'), pg_temp.uuid('nobody session'))$$, 'PT401', 'the session has ended', 'an unknown user is refused');
select throws_ok($$select funding.account_of(pg_temp.uuid('ada'), pg_temp.uuid('other'))$$, 'PT401', null, 'an unknown session is refused');
select throws_ok($$select funding.account_of(pg_temp.uuid('ada'), null)$$, 'PT401', null, 'a token without a session is refused');
select pg_temp.sign_in('ben', 'ben@sign-in.test');
select throws_ok($$select funding.account_of(pg_temp.uuid('ada'), pg_temp.uuid('ben session'))$$, 'PT401', null, 'a session of another user is refused');
update auth.sessions set not_after = now() where user_id = pg_temp.uuid('ben');
select throws_ok($$select pg_temp.account_of('ben')$$, 'PT401', null, 'a session at its end is refused');
update auth.sessions set not_after = now() + interval '1 hour' where user_id = pg_temp.uuid('ben');
select lives_ok($$select pg_temp.account_of('ben')$$, 'a session before its end is not');
update auth.users set banned_until = now() + interval '1 hour' where id = pg_temp.uuid('ben');
select throws_ok($$select pg_temp.account_of('ben')$$, 'PT401', null, 'a banned user is refused');
update auth.users set banned_until = now() where id = pg_temp.uuid('ben');
select lives_ok($$select pg_temp.account_of('ben')$$, 'a user whose ban is over is not');
update auth.users set deleted_at = now() where id = pg_temp.uuid('ben');
select throws_ok($$select pg_temp.account_of('ben')$$, 'PT401', null, 'a deleted user is refused');
update auth.users set deleted_at = null where id = pg_temp.uuid('ben');
select pg_temp.sign_in('carl', 'carl@sign-in.test', false);
select throws_ok($$select pg_temp.account_of('carl')$$, 'PT403', null, 'a user without a confirmed address is refused');
select is_empty($$select from funding.accounts where email = 'carl@sign-in.test'$$, 'and gets no account');
select pg_temp.sign_in('nameless', null);
select throws_ok($$select pg_temp.account_of('nameless')$$, 'PT403', null, 'a user without an address is refused');

-- An account that an operator opened.
select funding.create_account('dora@sign-in.test');
select pg_temp.sign_in('imposter', 'DORA@sign-in.test', false);
select throws_ok($$select pg_temp.account_of('imposter')$$, 'PT403', null, 'an address that is not confirmed does not get the account that waits for it');
delete from auth.users where id = pg_temp.uuid('imposter');
select pg_temp.sign_in('dora', 'dora@sign-in.test');
select is(pg_temp.account_of('dora'), funding.account_id('dora@sign-in.test'), 'a confirmed address gets the account that waits for it');
update auth.users set email = 'dora@elsewhere.test' where id = pg_temp.uuid('dora');
select pg_temp.sign_in('second dora', 'dora@sign-in.test');
select throws_ok($$select pg_temp.account_of('second dora')$$, 'PT409', null, 'an account that somebody has is not given to who has its address later');
select is((select email from funding.accounts where id = pg_temp.account_of('dora')), 'dora@sign-in.test', 'until the next sign-in an account has its old address');
select is((select email from funding.accounts where auth_user_id = pg_temp.uuid('dora')), 'dora@elsewhere.test', 'and then the new one');
update auth.users set email = 'ada@sign-in.test' where id = pg_temp.uuid('dora');
select lives_ok($$select pg_temp.account_of('dora')$$, 'a user whose new address is that of another account signs in');
select is((select email from funding.accounts where auth_user_id = pg_temp.uuid('dora')), 'dora@elsewhere.test', 'and the account keeps the old one');

-- Two accounts.
select pg_temp.ask('create_account_key', 'ada', format(', %L, %L, %L', 'a', repeat('a', 64), 'a'));
select is((select count(*) from funding.api_keys where account_id = pg_temp.account_of('ada')), 1::bigint, 'a key is made for the account of the caller');
select is(pg_temp.ask('list_account_keys', 'ben')::text, '[]', 'the keys of another account are not listed');
select throws_ok(format($$select pg_temp.ask('revoke_account_key', 'ben', %L)$$, format(', %L', (select id from funding.api_keys where display = 'a'))),
  'PT404', null, 'the key of another account is not revoked');
select throws_ok(
  format($$select pg_temp.ask('rotate_account_key', 'ben', %L)$$,
    format(', %L, %L, %L, 1', (select id from funding.api_keys where display = 'a'), repeat('b', 64), 'b')),
  'PT404', null, 'the key of another account is not rotated');
select throws_ok(
  format($$select pg_temp.ask('get_account_usage', 'ben', %L)$$,
    format(', %L, %L, %L', '2026-01-01', '2026-01-02', (select id from funding.api_keys where display = 'a'))),
  'PT404', null, 'the usage of another account''s key is not shown');
select is((select row(revoked_at, expires_at)::text from funding.api_keys where display = 'a'), '(,)', 'and the key is as it was');

-- A revocation.
select is(pg_temp.ask('revoke_account_key', 'ada', format(', %L', (select id from funding.api_keys where display = 'a')))->>'status', 'revoked', 'a key is revoked by its owner');
select isnt((select revoked_at from funding.api_keys where display = 'a'), null, 'for good');
select is(pg_temp.ask('revoke_account_key', 'ada', format(', %L', (select id from funding.api_keys where display = 'a')))->>'display', 'a', 'and the second time shown as it is');
select throws_ok(format($$select pg_temp.ask('revoke_account_key', 'ben', %L)$$, format(', %L', (select id from funding.api_keys where display = 'a'))),
  'PT404', null, 'a revoked key of another account is not shown');

select * from finish();
rollback;
