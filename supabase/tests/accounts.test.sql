-- Opening accounts, changing their tier, and making, rotating and revoking keys.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(69);

create function pg_temp.hash(label text) returns text language sql as $$
  select encode(sha256(convert_to(label, 'UTF8')), 'hex')
$$;

create function pg_temp.is_admitted(label text) returns boolean language plpgsql as $$
begin
  perform funding.admit(pg_temp.hash(label));
  return true;
exception when sqlstate 'PT401' or sqlstate 'PT403' then
  return false;
end
$$;

create function pg_temp.key(label text) returns funding.api_keys language sql as $$
  select api_keys from funding.api_keys where key_hash = pg_temp.hash(label)
$$;

create function pg_temp.tier_of(holder text) returns text language sql as $$
  select tier from funding.subscriptions join funding.accounts on accounts.id = account_id where email = holder
$$;

-- create_account
select isnt(funding.create_account('Ada@Accounts.Test'), null, 'create_account gives the new account''s id');
select is((select count(*) from funding.accounts where email = 'ada@accounts.test'), 1::bigint, 'an account''s address is kept in lower case');
select is(pg_temp.tier_of('ada@accounts.test'), 'developer', 'a new account is on the developer tier unless told otherwise');
select isnt(funding.create_account('free@accounts.test', 'free'), null, 'an account can be opened on the free tier');
select is(pg_temp.tier_of('free@accounts.test'), 'free', 'an account opened on a tier is on that tier');
select throws_ok($$select funding.create_account('ada@accounts.test')$$, 'PT409', 'there is an account ada@accounts.test already',
  'an address has one account');
select throws_ok($$select funding.create_account('ADA@accounts.test')$$, 'PT409', 'there is an account ADA@accounts.test already',
  'an address in capitals is the same address');
select throws_like($$select funding.create_account('gold@accounts.test', 'gold')$$, 'there is no tier gold; there are %developer%free%',
  'an unknown tier is refused with the tiers there are');
select throws_ok($$select funding.create_account('gold@accounts.test', 'gold')$$, 'PT404', null, 'an unknown tier is a PT404');
select is_empty($$select from funding.accounts where email = 'gold@accounts.test'$$, 'a refused tier leaves no account behind');
select throws_ok($$select funding.create_account('nobody')$$, '23514', null, 'an address without an @ is refused');
select throws_ok($$select funding.create_account('')$$, '23514', null, 'an empty address is refused');
select throws_ok($$select funding.create_account(null)$$, 'PT400', null, 'an absent address is refused');

-- set_tier
select lives_ok($$select funding.set_tier('Free@accounts.test', 'developer')$$, 'set_tier finds an account by its address in any case');
select is(pg_temp.tier_of('free@accounts.test'), 'developer', 'set_tier changes the tier');
select is((select count(*) from funding.subscriptions join funding.accounts on accounts.id = account_id where email = 'free@accounts.test'),
  1::bigint, 'an account has one subscription');
update funding.subscriptions set status = 'canceled', current_period_end = now() - interval '1 day'
where account_id = funding.account_id('free@accounts.test');
select funding.create_key('free@accounts.test', 'k', pg_temp.hash('returning'), 'k');
select ok(not pg_temp.is_admitted('returning'), 'a canceled account is not admitted');
select lives_ok($$select funding.set_tier('free@accounts.test', 'developer')$$, 'a canceled account can be put on a tier');
select ok(pg_temp.is_admitted('returning'), 'set_tier puts a subscription in force again, without an end');
select throws_ok($$select funding.set_tier('nobody@accounts.test', 'developer')$$, 'PT404', 'there is no account nobody@accounts.test',
  'set_tier refuses an unknown account');
select throws_ok($$select funding.set_tier('ada@accounts.test', 'Developer')$$, 'PT404', null, 'set_tier refuses an unknown tier');
select is(pg_temp.tier_of('ada@accounts.test'), 'developer', 'a refused tier changes nothing');

-- create_key
select is(funding.create_key('ADA@accounts.test', 'laptop', pg_temp.hash('laptop'), 'fo_live_abcd...wxyz'), (pg_temp.key('laptop')).id,
  'create_key gives the key''s id');
select ok(pg_temp.is_admitted('laptop'), 'a new key is admitted at once');
select is((pg_temp.key('laptop')).expires_at, null, 'a key does not expire unless told to');
select is((pg_temp.key('laptop')).last_used_at, null, 'a new key was never used');
select isnt(funding.create_key('ada@accounts.test', 'short', pg_temp.hash('short'), 'k', now() + interval '1 hour'), null, 'a key can be given an expiry');
select throws_ok($$select funding.create_key('ada@accounts.test', 'late', pg_temp.hash('late'), 'k', now())$$, 'PT400',
  'the expiry must be in the future', 'a key that is expired from the start is refused');
select throws_ok($$select funding.create_key('nobody@accounts.test', 'k', pg_temp.hash('k'), 'k')$$, 'PT404',
  'there is no account nobody@accounts.test', 'create_key refuses an unknown account');
select throws_ok($$select funding.create_key('ada@accounts.test', 'again', pg_temp.hash('laptop'), 'k')$$, '23505', null, 'a key is given once');
select throws_ok($$select funding.create_key('ada@accounts.test', 'k', 'fo_live_abc', 'k')$$, '23514', null, 'a key itself is never stored in the place of its hash');
select throws_ok($$select funding.create_key('ada@accounts.test', 'k', upper(pg_temp.hash('k')), 'k')$$, '23514', null, 'a hash in capitals is refused');
select throws_ok($$select funding.create_key('ada@accounts.test', '', pg_temp.hash('k'), 'k')$$, '23514', null, 'a key has a name');
select is_empty($$select from funding.api_keys where key_hash = pg_temp.hash('k')$$, 'a refused key is not stored');

-- rotate_key
select is((funding.rotate_key((pg_temp.key('laptop')).id, pg_temp.hash('laptop 2'), 'new')).id, (pg_temp.key('laptop 2')).id, 'rotate_key gives the new key');
select is(row((pg_temp.key('laptop 2')).account_id, (pg_temp.key('laptop 2')).name, (pg_temp.key('laptop 2')).rotated_from)::text,
  row((pg_temp.key('laptop')).account_id, 'laptop', (pg_temp.key('laptop')).id)::text,
  'the new key has the account and the name of the old one, and names it');
select ok(pg_temp.is_admitted('laptop') and pg_temp.is_admitted('laptop 2'), 'both keys are admitted during the overlap');
select ok((pg_temp.key('laptop')).expires_at - now() between interval '24 hours' and interval '24 hours 1 minute', 'the old key expires after 24 hours unless told otherwise');
select is((pg_temp.key('laptop 2')).expires_at, null, 'the new key does not expire');
select isnt((funding.rotate_key((pg_temp.key('short')).id, pg_temp.hash('short 2'), 'new', interval '30 days')).id, null, 'an overlap of 30 days is allowed');
select is((pg_temp.key('short')).expires_at, now() + interval '1 hour', 'an overlap does not lengthen a key''s own expiry');
select isnt((funding.rotate_key((pg_temp.key('laptop 2')).id, pg_temp.hash('laptop 3'), 'new', interval '0')).id, null, 'an overlap of nothing is allowed');
select ok(not pg_temp.is_admitted('laptop 2'), 'without an overlap the old key ends at once');
select ok(pg_temp.is_admitted('laptop 3'), 'without an overlap the new key is admitted at once');
select throws_ok($$select funding.rotate_key((pg_temp.key('laptop 3')).id, pg_temp.hash('x'), 'x', interval '-1 second')$$, 'PT400',
  'the overlap must be from 0 to 30 days', 'a negative overlap is refused');
select throws_ok($$select funding.rotate_key((pg_temp.key('laptop 3')).id, pg_temp.hash('x'), 'x', interval '30 days 1 second')$$, 'PT400',
  'the overlap must be from 0 to 30 days', 'an overlap over 30 days is refused');
select throws_ok($$select funding.rotate_key((pg_temp.key('laptop 3')).id, pg_temp.hash('endless'), 'x', null)$$, 'PT400', null,
  'an absent overlap is refused, rather than leaving the old key valid for ever');
select throws_ok($$select funding.rotate_key((pg_temp.key('laptop 2')).id, pg_temp.hash('x'), 'x')$$, 'PT409',
  'the key is revoked or expired; create a new one', 'an expired key is not rotated');
select throws_ok($$select funding.rotate_key((pg_temp.key('laptop')).id, pg_temp.hash('x'), 'x')$$, 'PT409',
  'the key has been replaced already; rotate the one that replaced it', 'a key that was replaced is not replaced again');
select throws_ok($$select funding.rotate_key('00000000-0000-4000-8000-000000000000', pg_temp.hash('x'), 'x')$$, 'PT404',
  'there is no key 00000000-0000-4000-8000-000000000000', 'an unknown key is not rotated');
select is_empty($$select from funding.api_keys where key_hash = pg_temp.hash('x')$$, 'a refused rotation makes no key');
select is((pg_temp.key('laptop 3')).expires_at, null, 'a refused rotation leaves the old key as it was');

-- revoke_key
select lives_ok($$select funding.revoke_key((pg_temp.key('laptop 3')).id)$$, 'a key can be revoked');
select ok(not pg_temp.is_admitted('laptop 3'), 'a revoked key ends at once');
select ok(pg_temp.is_admitted('laptop'), 'the other keys of the account stay valid');
update funding.api_keys set revoked_at = now() - interval '1 day' where key_hash = pg_temp.hash('laptop 3');
select lives_ok($$select funding.revoke_key((pg_temp.key('laptop 3')).id)$$, 'revoking a key twice is no error');
select is((pg_temp.key('laptop 3')).revoked_at, now() - interval '1 day', 'revoking a key twice keeps the first moment');
select throws_ok($$select funding.rotate_key((pg_temp.key('laptop 3')).id, pg_temp.hash('x'), 'x')$$, 'PT409',
  'the key is revoked or expired; create a new one', 'a revoked key is not rotated');
select throws_ok($$select funding.revoke_key('00000000-0000-4000-8000-000000000000')$$, 'PT404',
  'there is no key 00000000-0000-4000-8000-000000000000', 'revoke_key refuses an unknown key');

-- A replacement that is revoked replaces nothing any more.
select lives_ok($$select funding.revoke_key((pg_temp.key('short 2')).id)$$, 'a replacement can be revoked while the old key is valid');
select is(funding.replacement_of((pg_temp.key('short')).id), null, 'a replacement that was revoked replaces nothing');
update funding.api_keys set expires_at = now() + interval '30 minutes' where key_hash = pg_temp.hash('short');
select isnt((funding.rotate_key((pg_temp.key('short')).id, pg_temp.hash('short 3'), 'new', interval '2 hours')).id, null,
  'a key whose replacement was revoked is replaced again');
select is((pg_temp.key('short 3')).expires_at, now() + interval '1 hour', 'the second replacement has the expiry from before the first');
select is(funding.replacement_of((pg_temp.key('short')).id), (pg_temp.key('short 3')).id, 'the second replacement replaces the key');
select throws_ok($$select funding.rotate_key((pg_temp.key('short')).id, pg_temp.hash('x'), 'x')$$, 'PT409',
  'the key has been replaced already; rotate the one that replaced it', 'and then it is not replaced a third time');
select isnt((funding.rotate_key((pg_temp.key('short 3')).id, pg_temp.hash('short 4'), 'new', interval '10 minutes')).id, null, 'a second replacement is rotated');
select lives_ok($$select funding.revoke_key((pg_temp.key('short 3')).id)$$, 'and revoked');
select is(funding.replacement_of((pg_temp.key('short')).id), (pg_temp.key('short 3')).id,
  'a replacement that was replaced in turn before it was revoked still replaces the key');
delete from funding.accounts where email = 'ada@accounts.test';
select is_empty($$select from funding.api_keys where key_hash in (pg_temp.hash('laptop'), pg_temp.hash('laptop 2'), pg_temp.hash('laptop 3'))$$,
  'an account that is deleted takes its keys with it, rotated ones included');

select * from finish();
rollback;
