-- The explorer's keys: how many each user in an account has, and which row a new one takes.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(13);

insert into funding.accounts (email) values ('team@explorer.test'), ('other@explorer.test');
update funding.settings set value = '2' where name = 'maximum_explorer_keys';
create temporary sequence made;

create function pg_temp.uuid(label text) returns uuid language sql immutable as $$ select md5(label)::uuid $$;
create function pg_temp.hash(label text) returns text language sql as $$ select encode(sha256(convert_to(label, 'UTF8')), 'hex') $$;

-- Issues a key to somebody's explorer. Each expires after the one before.
create function pg_temp.issue(label text, holder text, account text default 'team') returns void language plpgsql as $$
declare
  issued constant funding.api_keys :=
    funding.issue_explorer_key(funding.account_id(account || '@explorer.test'), pg_temp.hash(label), label, pg_temp.uuid(holder));
begin
  update funding.api_keys set expires_at = expires_at + nextval('made') * interval '1 second' where id = issued.id;
end
$$;
create function pg_temp.expire(label text) returns void language sql as $$
  update funding.api_keys set expires_at = now() where key_hash = pg_temp.hash(label)
$$;
create function pg_temp.valid_keys(account text default 'team') returns text language sql as $$
  select string_agg(api_key.display, ' ' order by api_key.display) from funding.api_keys as api_key
  where api_key.account_id = funding.account_id(account || '@explorer.test') and funding.is_valid(api_key)
$$;
create function pg_temp.row_count() returns bigint language sql as $$
  select count(*) from funding.api_keys where account_id = funding.account_id('team@explorer.test')
$$;

select pg_temp.issue('a1', 'ada'), pg_temp.issue('b1', 'ben'), pg_temp.issue('a2', 'ada'), pg_temp.issue('b2', 'ben');
select is(pg_temp.valid_keys(), 'a1 a2 b1 b2', 'each user has as many as the setting says');
select pg_temp.issue('a3', 'ada');
select is(pg_temp.valid_keys(), 'a2 a3 b1 b2', 'one more ends the one of its user that would expire first, and no other user''s');
select is(pg_temp.row_count(), 4::bigint, 'and takes its row');

select pg_temp.expire('b1');
select pg_temp.issue('a4', 'ada');
select is(pg_temp.valid_keys(), 'a3 a4 b2', 'it does so also where a row of somebody else has ended');
select pg_temp.issue('c1', 'cy');
select is(pg_temp.valid_keys(), 'a3 a4 b2 c1', 'a user with room ends nobody''s');
select is(pg_temp.row_count(), 4::bigint, 'a row that has ended is used again, whosever it was');
select is((select explorer_user_id from funding.api_keys where key_hash = pg_temp.hash('c1')), pg_temp.uuid('cy'), 'and is its new user''s');

-- From before the column.
insert into funding.api_keys (account_id, name, key_hash, display, expires_at, is_explorer)
values (funding.account_id('team@explorer.test'), 'Explorer', pg_temp.hash('old'), 'old', now() + interval '15 minutes', true);
select pg_temp.issue('b3', 'ben');
select is(pg_temp.valid_keys(), 'a3 a4 b2 b3 c1 old', 'a key from before the upgrade works on, and counts for no user');
select pg_temp.expire('old');
select pg_temp.issue('c2', 'cy');
select is(pg_temp.valid_keys(), 'a3 a4 b2 b3 c1 c2', 'until it ends');
select is(pg_temp.row_count(), 6::bigint, 'then its row is used again');
select funding.issue_explorer_key(funding.account_id('team@explorer.test'), pg_temp.hash('u' || number), 'u' || number) from generate_series(1, 3) as number;
select is((select count(*) from funding.api_keys where display ~ '^u[123]$'), 2::bigint, 'a call from before, which names no user, finds the function, and room of its own');

select pg_temp.issue('o1', 'ada', 'other');
select is(pg_temp.valid_keys('other'), 'o1', 'a user has keys of their own in each account');
select throws_ok(
  format('update funding.api_keys set is_explorer = false where key_hash = %L', pg_temp.hash('a4')), '23514', null, 'other keys have no such user');

select * from finish();
rollback;
