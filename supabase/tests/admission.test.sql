-- funding.admit and funding.rpc_result: admission, counting, and the detail of refusals.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(64);

insert into funding.tiers (name, api_access, daily_quota) values
  ('test-three', true, 3), ('test-other', true, 3), ('test-none', true, 0), ('test-closed', false, 5), ('test-unlimited', true, -1);

create function pg_temp.hash(label text) returns text language sql as $$
  select encode(sha256(convert_to(label, 'UTF8')), 'hex')
$$;

create function pg_temp.add_key(label text, holder text, expires timestamptz default null, revoked timestamptz default null)
returns void language sql as $$
  insert into funding.api_keys (account_id, name, key_hash, display, expires_at, revoked_at)
  select accounts.id, label, pg_temp.hash(label), 'fo_live_...', expires, revoked
  from funding.accounts where accounts.email = holder || '@admission.test'
$$;

-- An account with a key of the same name; without a tier, it has no subscription.
create function pg_temp.add_holder(holder text, tier text, status text default 'active', ends timestamptz default null)
returns void language sql as $$
  insert into funding.accounts (email) values (holder || '@admission.test');
  insert into funding.subscriptions (account_id, tier, status, current_period_end)
  select accounts.id, add_holder.tier, add_holder.status, ends
  from funding.accounts where accounts.email = holder || '@admission.test' and add_holder.tier is not null;
  select pg_temp.add_key(holder, holder);
$$;

-- Outcome of a request: its remaining quota, or the refusal's code.
create function pg_temp.outcome(label text) returns text language plpgsql as $$
begin
  return public.admit_request(pg_temp.hash(label))->'admission'->>'remaining';
exception when others then
  return sqlstate;
end
$$;

create function pg_temp.refusal(key_hash text) returns jsonb language plpgsql as $$
declare
  said text;
  detail text;
begin
  perform funding.admit(key_hash);
  return null;
exception when others then
  get stacked diagnostics said = message_text, detail = pg_exception_detail;
  return jsonb_build_object('code', sqlstate, 'message', said, 'detail', detail::jsonb);
end
$$;

create function pg_temp.key_id(label text) returns uuid language sql as $$
  select id from funding.api_keys where key_hash = pg_temp.hash(label)
$$;

create function pg_temp.used(holder text, of_day date default (now() at time zone 'UTC')::date) returns bigint language sql as $$
  select used from funding.daily_quota join funding.accounts on accounts.id = account_id
  where email = holder || '@admission.test' and day = of_day
$$;

-- Keys.
select pg_temp.add_holder('plain', 'developer');
select pg_temp.add_key('revoked', 'plain', null, now() - interval '1 hour');
select pg_temp.add_key('revoked later', 'plain', null, now() + interval '1 hour');
select pg_temp.add_key('expired', 'plain', now() - interval '1 second');
select pg_temp.add_key('expires now', 'plain', now());
select pg_temp.add_key('expires soon', 'plain', now() + interval '1 second');

select is(pg_temp.outcome('plain'), '-1', 'a key of an account on the developer tier is admitted without limit');
select is(pg_temp.refusal(pg_temp.hash('never made')), '{"code": "PT401", "message": "unknown key", "detail": {}}',
  'an unknown key is refused with PT401, and the refusal says nothing more');
select is(pg_temp.outcome('revoked'), 'PT401', 'a revoked key is refused with PT401');
select is(pg_temp.outcome('revoked later'), 'PT401', 'a key that bears a revocation is refused whatever its moment');
select is(pg_temp.outcome('expired'), 'PT401', 'an expired key is refused with PT401');
select is(pg_temp.outcome('expires now'), 'PT401', 'a key is refused from the moment of its expiry on');
select is(pg_temp.outcome('expires soon'), '-1', 'a key is admitted until its expiry');
select is(pg_temp.refusal(pg_temp.hash('revoked'))->'detail', '{}', 'a refusal does not tell a revoked key from an unknown one');
select is(pg_temp.refusal(upper(pg_temp.hash('plain')))->>'code', 'PT401', 'a hash in capitals is no key');
select is(pg_temp.refusal('plain')->>'code', 'PT401', 'a key in the place of its hash is no key');
select is(pg_temp.refusal('')->>'code', 'PT401', 'an empty hash is refused with PT401');
select is(pg_temp.refusal(null)->>'code', 'PT401', 'an absent hash is refused with PT401');
select is(pg_temp.refusal($$' or true --$$)->>'code', 'PT401', 'a hash that is SQL is refused with PT401');

-- Tiers and subscriptions.
select pg_temp.add_holder('no subscription', null);
select pg_temp.add_holder('free', 'free');
select pg_temp.add_holder('closed', 'test-closed');
select pg_temp.add_holder('canceled', 'developer', 'canceled');
select pg_temp.add_holder('canceled early', 'developer', 'canceled', now() + interval '1 day');
select pg_temp.add_holder('ended', 'developer', 'active', now() - interval '1 second');
select pg_temp.add_holder('ends now', 'developer', 'active', now());
select pg_temp.add_holder('running', 'developer', 'active', now() + interval '1 second');
select pg_temp.add_holder('trialing', 'developer', 'trialing');
select pg_temp.add_holder('past due', 'developer', 'past_due');
select pg_temp.add_key('free and revoked', 'free', null, now());

select is(pg_temp.outcome('no subscription'), 'PT403', 'an account without a subscription is refused with PT403');
select is(pg_temp.outcome('free'), 'PT403', 'the free tier is refused with PT403');
select is(pg_temp.outcome('closed'), 'PT403', 'a tier without API access is refused with PT403 though it has a quota');
select is(pg_temp.outcome('canceled'), 'PT403', 'a canceled subscription is refused with PT403');
select is(pg_temp.outcome('canceled early'), 'PT403', 'a canceled subscription is refused with PT403 before its period ends');
select is(pg_temp.outcome('ended'), 'PT403', 'a subscription whose period has ended is refused with PT403');
select is(pg_temp.outcome('ends now'), 'PT403', 'a subscription is refused from the moment of its end on');
select is(pg_temp.outcome('running'), '-1', 'a subscription is in force until its end');
select is(pg_temp.outcome('trialing'), '-1', 'a trial is admitted');
select is(pg_temp.outcome('past due'), '-1', 'a subscription past due is still admitted');
select is(pg_temp.outcome('free and revoked'), 'PT401', 'a revoked key learns nothing of its account');
select is(pg_temp.refusal(pg_temp.hash('free')),
  jsonb_build_object('code', 'PT403', 'message', 'no api access',
    'detail', jsonb_build_object('api_key_id', pg_temp.key_id('free'), 'daily_quota', 0, 'remaining', 0)),
  'the refusal of a tier names the key, and a quota of 0');
select is(pg_temp.refusal(pg_temp.hash('closed'))->'detail'->'daily_quota', '0', 'a tier without API access shows a quota of 0, whatever it says');
select is(pg_temp.used('closed'), null, 'a request refused with PT403 is not counted');

-- Quotas.
select pg_temp.add_holder('metered', 'test-three');
select pg_temp.add_key('metered, second key', 'metered');
select pg_temp.add_holder('neighbour', 'test-three');
insert into funding.daily_quota (account_id, day, used)
select id, (now() at time zone 'UTC')::date + shift, 3
from funding.accounts, unnest(array[-1, 1]) as shift where email = 'metered@admission.test';

select is(funding.admit(pg_temp.hash('metered'))::text,
  row(pg_temp.key_id('metered'), (select id from funding.accounts where email = 'metered@admission.test'), 3, null, null, pg_temp.key_id('metered'), null)::text,
  'an admission tells the key, its account and the quota, and does not count');
select is(pg_temp.used('metered'), null, 'so nothing is locked or written before the request''s work is done');
select is(funding.rpc_result(funding.admit(pg_temp.hash('metered')), null)->'admission'->>'remaining', '2',
  'the result of the request counts it, and tells what remains of the quota');
select is(pg_temp.used('metered'), 1::bigint, 'the first request of a day is counted');
select is(pg_temp.outcome('metered'), '1', 'the second request of three leaves one');
select is(pg_temp.outcome('metered, second key'), '0', 'the third request of three leaves none, whichever of the account''s keys it has');
select is(pg_temp.outcome('metered'), 'PT429', 'the fourth request of three is refused with PT429');
select is(pg_temp.outcome('metered, second key'), 'PT429', 'another key of the account has no quota of its own');
select is(pg_temp.used('metered'), 3::bigint, 'a request refused with PT429 is not counted');
select is(pg_temp.refusal(pg_temp.hash('metered')),
  jsonb_build_object('code', 'PT429', 'message', 'quota exceeded',
    'detail', jsonb_build_object('api_key_id', pg_temp.key_id('metered'), 'daily_quota', 3, 'remaining', 0, 'resets_at', funding.quota_resets_at())),
  'the refusal of a used-up quota names the key and the quota');
select is(pg_temp.outcome('neighbour'), '2', 'another account on the same tier has its own quota');
select is(pg_temp.used('metered', (now() at time zone 'UTC')::date - 1), 3::bigint, 'yesterday''s count is left as it was');
select is(pg_temp.used('metered', (now() at time zone 'UTC')::date + 1), 3::bigint, 'another day''s count is left as it was');
update funding.daily_quota set day = day - 7 from funding.accounts
where accounts.id = account_id and email = 'metered@admission.test' and day <= (now() at time zone 'UTC')::date;
select is(pg_temp.outcome('metered'), '2', 'a used-up quota is whole again on another day');

update funding.daily_quota set used = 3 from funding.accounts
where accounts.id = account_id and email = 'neighbour@admission.test';
update funding.tiers set daily_quota = 2 where name = 'test-three';
select is(pg_temp.refusal(pg_temp.hash('neighbour'))->'detail'->'remaining', '0', 'a quota lowered below its use leaves 0, not less');
select is(pg_temp.used('neighbour'), 3::bigint, 'a quota lowered below its use keeps the count');
update funding.tiers set daily_quota = 5 where name = 'test-three';
select is(pg_temp.outcome('neighbour'), '1', 'a quota raised during the day admits the difference');
update funding.subscriptions set tier = 'test-other' where account_id = (select id from funding.accounts where email = 'neighbour@admission.test');
select is(pg_temp.outcome('neighbour'), 'PT429', 'changing tiers does not start the day''s count again');
update funding.tiers set daily_quota = -1 where name = 'test-three';
update funding.subscriptions set tier = 'test-three' where account_id = (select id from funding.accounts where email = 'neighbour@admission.test');
select is(pg_temp.outcome('neighbour'), '-1', 'a quota that was lifted admits again, without limit');
select is(pg_temp.used('neighbour'), 4::bigint, 'requests without a limit are not counted onto an earlier count');

select pg_temp.add_holder('empty', 'test-none');
select is(pg_temp.refusal(pg_temp.hash('empty')),
  jsonb_build_object('code', 'PT429', 'message', 'quota exceeded',
    'detail', jsonb_build_object('api_key_id', pg_temp.key_id('empty'), 'daily_quota', 0, 'remaining', 0, 'resets_at', funding.quota_resets_at())),
  'a quota of 0 admits nobody');
select is(pg_temp.used('empty'), null, 'a quota of 0 counts nothing');
select pg_temp.add_holder('unlimited', 'test-unlimited');
select is(pg_temp.outcome('unlimited') || ' ' || pg_temp.outcome('unlimited'), '-1 -1', 'an unlimited tier admits again and again');
select is_empty($$select used from funding.daily_quota join funding.accounts on accounts.id = account_id
  where email in ('unlimited@admission.test', 'plain@admission.test')$$, 'an unlimited tier writes no quota row');

-- The day is UTC's wherever the session is.
select pg_temp.add_holder('east', 'test-other');
select pg_temp.add_holder('west', 'test-other');
set local timezone = 'Pacific/Kiritimati';
select is(pg_temp.outcome('east'), '2', 'a session 14 hours ahead is admitted');
set local timezone = 'Pacific/Pago_Pago';
select is(pg_temp.outcome('west'), '2', 'a session 11 hours behind is admitted');
set local timezone = 'UTC';
select is(pg_temp.used('east'), 1::bigint, 'a session ahead of UTC counts on the UTC day');
select is(pg_temp.used('west'), 1::bigint, 'a session behind UTC counts on the UTC day');

-- Two requests that were both admitted with the last one of a quota.
select pg_temp.add_holder('racer', 'test-other');
select pg_temp.outcome('racer'), pg_temp.outcome('racer');
create temporary table racer as select funding.admit(pg_temp.hash('racer')) as admitted from generate_series(1, 2);
select is(funding.rpc_result((select admitted from racer limit 1), null)->'admission'->>'remaining', '0', 'the first to be counted has it');
select throws_ok('select funding.rpc_result((select admitted from racer limit 1), null)', 'PT429', 'quota exceeded', 'the other is refused');
select is(pg_temp.used('racer'), 3::bigint, 'and the count stays within the quota');

-- The RPCs.
select pg_temp.add_holder('caller', 'test-other');
select is(public.admit_request(pg_temp.hash('caller'))::jsonb,
  jsonb_build_object('admission', jsonb_build_object('api_key_id', pg_temp.key_id('caller'), 'daily_quota', 3, 'remaining', 2, 'counted_on', funding.quota_day(), 'is_behind', false), 'body', null),
  'admit_request counts the request and answers the admission alone');
select is(public.get_grant(pg_temp.hash('caller'), gen_random_uuid())::jsonb->'admission'->>'remaining', '1', 'a single-record RPC counts the request');
select is(public.list_funders(pg_temp.hash('caller'), '{"limit": 1, "offset": 0}')::jsonb->'admission'->>'remaining', '0', 'a list RPC counts the request');
select throws_ok(format('select public.list_grants(%L, %L)', pg_temp.hash('caller'), '{"limit": 1, "offset": 0}'), 'PT429', 'quota exceeded',
  'a list RPC refuses a used-up quota');
select throws_ok(format('select public.semantic_search(%L, %L, %L, 1)', pg_temp.hash('free'), 'water', '{grants}'), 'PT403', 'no api access',
  'the semantic search RPC refuses the free tier');
select throws_ok(format('select public.list_contracts(%L, %L)', pg_temp.hash('revoked'), '{"limit": "not a number"}'), 'PT401', 'unknown key',
  'a revoked key is refused before the parameters are looked at');

select * from finish();
rollback;
