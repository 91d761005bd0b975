-- Limits of a key: datasets, and a daily quota of its own.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(98);

insert into funding.tiers (name, api_access, daily_quota) values ('limits-five', true, 5), ('limits-all', true, -1);

create function pg_temp.hash(label text) returns text language sql as $$
  select encode(sha256(convert_to(label, 'UTF8')), 'hex')
$$;

create function pg_temp.add_holder(holder text, tier text) returns void language sql as $$
  insert into funding.accounts (email) values (holder || '@limits.test');
  insert into funding.subscriptions (account_id, tier) select funding.account_id(holder || '@limits.test'), tier;
$$;

create function pg_temp.add_key(label text, holder text, limits jsonb default null) returns uuid language sql as $$
  select funding.create_key(holder || '@limits.test', label, pg_temp.hash(label), 'fo_live_...', null, limits)
$$;

create function pg_temp.key_id(label text) returns uuid language sql as $$
  select id from funding.api_keys where key_hash = pg_temp.hash(label)
$$;

-- Outcome of a request: the quota that it is told and what remains of it, or the refusal's code and message.
create function pg_temp.outcome(label text, datasets text[] default null) returns text language plpgsql as $$
declare
  admission json;
begin
  admission := public.admit_request(pg_temp.hash(label), datasets)->'admission';
  return format('%s of %s', admission->>'remaining', admission->>'daily_quota');
exception when others then
  return format('%s %s', sqlstate, sqlerrm);
end
$$;

create function pg_temp.detail(label text, datasets text[] default null) returns jsonb language plpgsql as $$
declare
  detail text;
begin
  perform public.admit_request(pg_temp.hash(label), datasets);
  return null;
exception when others then
  get stacked diagnostics detail = pg_exception_detail;
  return detail::jsonb;
end
$$;

create function pg_temp.used(label text) returns bigint language sql as $$
  select used from funding.daily_key_quota where api_key_id = pg_temp.key_id(label) and day = funding.quota_day()
$$;

create function pg_temp.used_by_account(holder text) returns bigint language sql as $$
  select used from funding.daily_quota where account_id = funding.account_id(holder || '@limits.test') and day = funding.quota_day()
$$;

create function pg_temp.limits(label text) returns jsonb language sql as $$
  select jsonb_build_object('datasets', datasets, 'daily_quota', daily_quota) from funding.api_keys where key_hash = pg_temp.hash(label)
$$;

-- Sets the client's address as PostgREST does, or that of no client.
create function pg_temp.come_from(address text) returns void language sql as $$
  select set_config('request.headers', coalesce(json_build_object('accept', '*/*', 'x-client-address', address)::text, ''), true)
$$;

create function pg_temp.outcome_from(address text, label text, datasets text[] default null) returns text language sql as $$
  select pg_temp.come_from(address);
  select pg_temp.outcome(label, datasets);
$$;

-- Datasets.
select pg_temp.add_holder('reader', 'limits-all');
select pg_temp.add_key('all', 'reader');
select pg_temp.add_key('grants', 'reader', '{"datasets": ["grants"]}');
select pg_temp.add_key('two', 'reader', '{"datasets": ["grants", "funders"]}');
select is(pg_temp.outcome('all', '{grants,contracts,funders}'), '-1 of -1', 'a key without limits reads all datasets');
select is(pg_temp.outcome('grants', '{grants}'), '-1 of -1', 'a key for grants reads grants');
select is(pg_temp.outcome('grants'), '-1 of -1', 'and is admitted to what reads no dataset');
select is(pg_temp.outcome('grants', '{contracts}'), 'PT403 outside of the datasets of the key', 'and not contracts');
select is(pg_temp.outcome('grants', '{grants,contracts}'), 'PT403 outside of the datasets of the key', 'nor both together');
select is(pg_temp.outcome('two', '{funders}'), '-1 of -1', 'a key for two reads each');
select is(pg_temp.detail('two', '{contracts,grants}'),
  jsonb_build_object('api_key_id', pg_temp.key_id('two'), 'daily_quota', 0, 'remaining', 0,
    'key_datasets', '["grants", "funders"]'::jsonb, 'unread_datasets', '["contracts"]'::jsonb),
  'the refusal names what the key is for, and what it is not');

-- The RPCs.
select pg_temp.add_key('contracts', 'reader', '{"datasets": ["contracts"]}');
select pg_temp.add_key('funders', 'reader', '{"datasets": ["funders"]}');
insert into funding.documents (id, file_id, file, checked_at) select id, id, 'notice.pdf', now() from (select gen_random_uuid() as id) as made;
insert into funding.document_records (document_id, dataset, record_id) select id, 'contracts', gen_random_uuid() from funding.documents where file = 'notice.pdf';
select throws_ok('select public.' || refused.call, 'PT403', 'outside of the datasets of the key', refused.name || ' refuses a key for other datasets')
from (values
  ('list_grants', format('list_grants(%L, %L)', pg_temp.hash('contracts'), '{"limit": 1, "offset": 0}')),
  ('list_contracts', format('list_contracts(%L, %L)', pg_temp.hash('grants'), '{"limit": 1, "offset": 0}')),
  ('list_funders', format('list_funders(%L, %L)', pg_temp.hash('grants'), '{"limit": 1, "offset": 0}')),
  ('get_grant', format('get_grant(%L, %L)', pg_temp.hash('contracts'), gen_random_uuid())),
  ('get_contract', format('get_contract(%L, %L)', pg_temp.hash('grants'), gen_random_uuid())),
  ('get_funder', format('get_funder(%L, %L)', pg_temp.hash('grants'), gen_random_uuid())),
  ('get_organization', format('get_organization(%L, %L)', pg_temp.hash('grants'), gen_random_uuid())),
  ('get_changes', format('get_changes(%L, %L, %L, 1)', pg_temp.hash('grants'), 'contracts', gen_random_uuid())),
  ('list_awards', format('list_awards(%L, %L, %L)', pg_temp.hash('contracts'), gen_random_uuid(), '{"limit": 1}')),
  ('get_document', format('get_document(%L, %L)', pg_temp.hash('grants'), (select id from funding.documents where file = 'notice.pdf'))),
  ('list_addresses', format('list_addresses(%L, %L)', pg_temp.hash('contracts'), 'grants')),
  ('get_funder_statistics', format('get_funder_statistics(%L, %L)', pg_temp.hash('grants'), gen_random_uuid())),
  ('semantic_search', format('semantic_search(%L, %L, %L, 1)', pg_temp.hash('grants'), 'water', '{grants,contracts}')),
  ('list_snapshots', format('list_snapshots(%L, %L)', pg_temp.hash('grants'), 'supabase')),
  ('read_data', format('read_data(%L, %L)', 'list_contracts',
    json_build_object('key_hash', pg_temp.hash('grants'), 'parameters', json_build_object('limit', 1, 'offset', 0))))
) as refused(name, call);
insert into funding.document_records (document_id, dataset, record_id) select id, 'grants', gen_random_uuid() from funding.documents where file = 'notice.pdf';
select is(public.get_document(pg_temp.hash('grants'), (select id from funding.documents where file = 'notice.pdf'))::jsonb->'body'->'total', '0',
  'a document of grants, too, is given to a key for grants');
select throws_ok(
  format('select public.get_document(%L, %L)', pg_temp.hash('funders'), (select id from funding.documents where file = 'notice.pdf')),
  'PT403', 'outside of the datasets of the key', 'and not to one for funders');
select throws_ok(
  format('select public.list_contracts(%L, %L, %L)', pg_temp.hash('grants'), '{"limit": 1, "offset": 0}', '{"is_second_call": true}'),
  'PT403', 'outside of the datasets of the key', 'the second call of a request is refused, too');

-- Quotas.
select pg_temp.add_key('three', 'reader', '{"daily_quota": 3}');
select is(pg_temp.outcome('three'), '2 of 3', 'a key with a quota is counted, though its account has none');
select is((funding.admit(pg_temp.hash('three'), true)).remaining, 2::bigint, 'a request that was counted is told what remains');
select is(pg_temp.outcome('three'), '1 of 3', 'the second request leaves one');
select is(pg_temp.outcome('three', '{grants}'), '0 of 3', 'the third request leaves none');
select is(pg_temp.outcome('three'), 'PT429 quota of the key exceeded', 'the fourth is refused');
select is(pg_temp.detail('three'),
  jsonb_build_object('api_key_id', pg_temp.key_id('three'), 'daily_quota', 3, 'remaining', 0, 'quota_of', 'key', 'resets_at', funding.quota_resets_at()),
  'the refusal tells the quota, and that it is the key''s');
select is(pg_temp.used('three'), 3::bigint, 'and is not counted');
select is(pg_temp.outcome('all'), '-1 of -1', 'another key of the account has no quota');
select is_empty($$select from funding.daily_key_quota where api_key_id = pg_temp.key_id('all')$$, 'and no row');
select is_empty($$select from funding.daily_quota where account_id = funding.account_id('reader@limits.test')$$, 'and neither has the account');
select is(public.withdraw_request(pg_temp.hash('three'))::jsonb->'admission'->'remaining', '1', 'a request that is withdrawn is given back to the key');
update funding.daily_key_quota set day = day - 1 where api_key_id = pg_temp.key_id('three');
select is(public.withdraw_request(pg_temp.hash('three'), funding.quota_day() - 1)::jsonb->'admission'->'remaining', '3',
  'on the day on which it was counted');
select is((select used from funding.daily_key_quota where api_key_id = pg_temp.key_id('three')), 1::bigint, 'which has one less');
select is(pg_temp.outcome('three'), '2 of 3', 'the quota is whole again on another day');

-- Beside the account's quota.
select pg_temp.add_holder('metered', 'limits-five');
select pg_temp.add_key('metered', 'metered');
select pg_temp.add_key('two a day', 'metered', '{"daily_quota": 2}');
select pg_temp.add_key('nine a day', 'metered', '{"daily_quota": 9}');
select is(pg_temp.outcome('two a day'), '1 of 2', 'the quota with less left is told');
select is(pg_temp.outcome('nine a day'), '3 of 5', 'which may be the account''s');
select is(pg_temp.outcome('two a day'), '0 of 2', 'the key''s requests count against both');
select is(pg_temp.outcome('two a day'), 'PT429 quota of the key exceeded', 'the key''s quota refuses, though the account has some left');
select is(pg_temp.used_by_account('metered'), 3::bigint, 'and what it refuses is not counted against the account');
select is(pg_temp.outcome('metered') || ', ' || pg_temp.outcome('metered'), '1 of 5, 0 of 5', 'the other keys have what is left');
select is(pg_temp.outcome('nine a day'), 'PT429 quota exceeded', 'a key is never allowed more than its account');
select is(pg_temp.used('nine a day'), 1::bigint, 'and what the account''s quota refuses is not counted against the key');

-- Two requests that were both admitted with the last one of the key's quota.
select pg_temp.add_key('racer', 'metered', '{"daily_quota": 1}');
update funding.daily_quota set used = 0;
create temporary table racer as select funding.admit(pg_temp.hash('racer')) as admitted from generate_series(1, 2);
select is(funding.rpc_result((select admitted from racer limit 1), null)->'admission'->>'remaining', '0', 'the first to be counted has it');
select throws_ok('select funding.rpc_result((select admitted from racer limit 1), null)', 'PT429', 'quota of the key exceeded', 'the other is refused');
select is(pg_temp.used('racer') || ' ' || pg_temp.used_by_account('metered'), '1 1', 'and counted nowhere');

-- Rotation and changes.
select pg_temp.add_key('old', 'reader', '{"datasets": ["grants"], "daily_quota": 3}');
select pg_temp.outcome('old');
select funding.rotate_key(pg_temp.key_id('old'), pg_temp.hash('new'), 'fo_live_...');
select is(pg_temp.limits('new'), '{"datasets": ["grants"], "daily_quota": 3}', 'the replacement of a key has its limits');
select is(pg_temp.outcome('new') || ', ' || pg_temp.outcome('old'), '1 of 3, 0 of 3', 'and shares its quota');
select funding.rotate_key(pg_temp.key_id('new'), pg_temp.hash('newest'), 'fo_live_...');
select is(pg_temp.outcome('newest'), 'PT429 quota of the key exceeded', 'as does the replacement of that');
select funding.limit_key(pg_temp.key_id('newest'), '{"daily_quota": 4}');
select is(pg_temp.limits('newest'), '{"datasets": ["grants"], "daily_quota": 4}', 'a change leaves the limits that it does not name');
select is(pg_temp.outcome('newest'), '0 of 4', 'a quota that is raised admits the difference');
select funding.limit_key(pg_temp.key_id('newest'), '{"datasets": null, "daily_quota": null}');
select is(pg_temp.limits('newest'), '{"datasets": null, "daily_quota": null}', 'null takes a limit away');
select is(pg_temp.outcome('newest', '{contracts}'), '-1 of -1', 'and the key is as one without');
select throws_ok(format('select funding.limit_key(%L, %L)', pg_temp.key_id('newest'), limits), '23514', null, limits || ' is no limit')
from (values ('{"datasets": []}'), ('{"datasets": ["loans"]}'), ('{"daily_quota": 0}')) as wrong(limits);
select throws_ok(format('select funding.limit_key(%L, %L)', gen_random_uuid(), '{}'), 'PT404', null, 'a key that is not there has no limits');
select throws_ok(format('select funding.limit_key(%L, %L, funding.account_id(%L))', pg_temp.key_id('newest'), '{}', 'metered@limits.test'), 'PT404', null,
  'nor has another account''s');
select funding.revoke_key(pg_temp.key_id('newest'));
select throws_ok(format('select funding.limit_key(%L, %L)', pg_temp.key_id('newest'), '{}'), 'PT409', null, 'nor one that is revoked');

-- Addresses.
select pg_temp.add_key('office', 'reader', '{"addresses": ["203.0.113.0/24", "198.51.100.7/32", "2001:db8::/32"]}');
select is(pg_temp.outcome_from(address, 'office'), '-1 of -1', address || ' is in the key''s ranges')
from (values ('203.0.113.0'), ('203.0.113.255'), ('198.51.100.7'), ('2001:db8::1'), ('2001:db8:ffff:ffff:ffff:ffff:ffff:ffff')) as inside(address);
select is(pg_temp.outcome_from(address, 'office'), 'PT403 outside of the addresses of the key', address || ' is not')
from (values ('203.0.112.255'), ('203.0.114.0'), ('198.51.100.6'), ('2001:db9::'), ('::'), ('0.0.0.0'), ('::ffff:203.0.113.1')) as outside(address);
select is(pg_temp.detail('office'),
  jsonb_build_object('api_key_id', pg_temp.key_id('office'), 'daily_quota', 0, 'remaining', 0,
    'key_addresses', '["203.0.113.0/24", "198.51.100.7/32", "2001:db8::/32"]'::jsonb, 'client_address', '::ffff:203.0.113.1'),
  'the refusal names the key''s ranges, and the address');
select is(pg_temp.outcome_from(null, 'office'), 'PT403 outside of the addresses of the key', 'a client without an address is refused');
select is(pg_temp.detail('office')->'client_address', 'null'::jsonb, 'and told that its address is not known');
select set_config('request.headers', '', true);
select is(pg_temp.outcome('office'), 'PT403 outside of the addresses of the key', 'so is a call without headers');
select set_config('request.headers', '{"x-forwarded-for": "203.0.113.1", "X-Client-Address": "203.0.113.1"}', true);
select is(pg_temp.outcome('office'), 'PT403 outside of the addresses of the key', 'and one with other headers');
select is(pg_temp.outcome_from('nowhere', 'office'), '22P02 invalid input syntax for type inet: "nowhere"', 'what is no address admits nobody');
select is(pg_temp.outcome('all'), '-1 of -1', 'a key for any address is admitted without one');
select is(pg_temp.outcome_from('192.0.2.1', 'unheard of'), 'PT401 unknown key', 'an unknown key is unknown everywhere');

select pg_temp.add_key('both', 'reader', '{"addresses": ["203.0.113.0/24"], "datasets": ["grants"], "daily_quota": 2}');
select is(pg_temp.outcome_from('192.0.2.1', 'both', '{contracts}'), 'PT403 outside of the addresses of the key', 'the address is looked at first');
select is(pg_temp.outcome_from('203.0.113.1', 'both', '{contracts}'), 'PT403 outside of the datasets of the key', 'and then the datasets');
select is(pg_temp.outcome('both', '{grants}'), '1 of 2', 'neither refusal is counted');
select pg_temp.come_from('192.0.2.1');
select throws_ok(format('select public.%s(%L)', rpc, pg_temp.hash('both')), 'PT403', 'outside of the addresses of the key', rpc || ' is refused elsewhere')
from unnest(array['identify_key', 'withdraw_request']) as rpc;
select throws_ok(
  format('select public.read_data(%L, %L)', 'list_grants',
    json_build_object('key_hash', pg_temp.hash('both'), 'parameters', json_build_object('limit', 1, 'offset', 0))),
  'PT403', 'outside of the addresses of the key', 'and so is read_data');
select pg_temp.come_from('203.0.113.1');
select is(public.withdraw_request(pg_temp.hash('both'))::jsonb->'admission'->'remaining', '2', 'a request is withdrawn where it came from');

select funding.rotate_key(pg_temp.key_id('both'), pg_temp.hash('both anew'), 'fo_live_...');
select is(pg_temp.outcome_from('192.0.2.1', 'both anew'), 'PT403 outside of the addresses of the key', 'the replacement of a key has its addresses');
select funding.limit_key(pg_temp.key_id('both anew'), '{"daily_quota": 9}');
select is((select addresses::text from funding.api_keys where key_hash = pg_temp.hash('both anew')), '{203.0.113.0/24}', 'a change of another limit leaves them');
select funding.limit_key(pg_temp.key_id('both anew'), '{"addresses": null}');
select is(pg_temp.outcome('both anew', '{grants}'), '8 of 9', 'null takes them away');
select throws_ok(format('select funding.limit_key(%L, %L)', pg_temp.key_id('both anew'), json_build_object('addresses', addresses)), expected, null,
  addresses::text || ' are no ranges')
from (values ('[]'::jsonb, '23514'), ('[null]', '23514'), ('["10.0.0.1/8"]', '22P02'), ('["nowhere"]', '22P02'),
  ((select jsonb_agg('10.0.0.' || octet) from generate_series(0, 20) as octet), '23514')) as wrong(addresses, expected);

select * from finish();
rollback;
