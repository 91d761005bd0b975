-- The audit log: each change once, by whom, without secrets; nothing of what failed, changed nothing, or is traffic.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(66);

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
  insert into auth.users (id, email, email_confirmed_at) values (pg_temp.uuid(label), initcap(label) || '@audit.test', now());
  insert into auth.sessions (id, user_id) values (pg_temp.uuid(label || ' session'), pg_temp.uuid(label));
$$;

-- Entries since the last look, oldest first: 'action by actor of name'.
create temporary table looked (until bigint);
insert into looked select coalesce(max(id), 0) from funding.audit_log;
-- Those of others, who may have named something with so many letters.
create temporary table earlier as select coalesce(max(id), 0) as until from funding.audit_log;
create function pg_temp.logged() returns text language plpgsql as $$
declare
  entries text;
begin
  select string_agg(format('%s by %s of %s', action, coalesce(actor_email, actor), subject_name), ', ' order by id) into entries
  from funding.audit_log where id > (select until from looked);
  update looked set until = (select coalesce(max(id), until) from funding.audit_log);
  return coalesce(entries, 'nothing');
end
$$;
-- What changed by the latest entry.
create function pg_temp.changed() returns text language sql as $$
  select string_agg(format('%s %s>%s', item->>'field', coalesce(item->>'from', '-'), coalesce(item->>'to', '-')), ', ' order by item->>'field')
  from (select changes from funding.audit_log order by id desc limit 1) as latest, jsonb_array_elements(latest.changes) as item
$$;
-- A call of the account API, as somebody; 'refused' where it fails. Each is a transaction of its own in life: nobody is signed in after it.
create function pg_temp.ask(label text, rpc text, rest text default '') returns json language plpgsql as $$
declare
  answer json;
begin
  begin
    execute format('select public.%I(%L, %L %s)', rpc, pg_temp.uuid(label), pg_temp.uuid(label || ' session'), rest) into answer;
  exception when others then
    answer := to_json('refused: ' || sqlerrm);
  end;
  perform set_config('funding.actor_email', '', true);
  return answer;
end
$$;
create function pg_temp.key(name text) returns uuid language sql as $$
  select id from funding.api_keys where api_keys.name = key.name and display ~ '^(fo_live_..…..|f)$' order by created_at desc, rotated_from nulls last limit 1
$$;

-- Accounts and subscriptions.
select pg_temp.sign_in('ada'), pg_temp.sign_in('ben');
select pg_temp.ask('ada', 'get_account'), pg_temp.ask('ada', 'get_account');
select is(pg_temp.logged(), 'account.created by ada@audit.test of ada@audit.test', 'the first sign-in makes the account, and the second nothing');
select pg_temp.ask('ada', 'update_account', $$, '{"keeps_search_text": true}'$$);
select is(pg_temp.logged(), 'account.updated by ada@audit.test of ada@audit.test', 'a setting is changed by its user');
select is(pg_temp.changed(), 'keeps_search_text false>true', 'with its value before and after');
select pg_temp.ask('ada', 'update_account', $$, '{"keeps_search_text": true}'$$);
select is(pg_temp.logged(), 'nothing', 'one that stays as it was is no change');
select funding.set_tier('ada@audit.test', 'developer');
select is(pg_temp.logged(), 'subscription.created by operator of developer', 'a tier is an operator''s change');
select funding.set_tier('ada@audit.test', 'developer');
select is(pg_temp.logged(), 'nothing', 'the same tier again is none');
select funding.add_tier('audit', true, 10, false);
select funding.change_subscription('ada@audit.test', 'audit', 'trialing', '2027-01-31Z');
select is(pg_temp.logged(), 'subscription.updated by operator of audit', 'a tier, a status and an end are one change');
select is(pg_temp.changed(), 'current_period_end ->2027-01-31T00:00:00.000Z, status active>trialing, tier developer>audit', 'which has all three');
select funding.set_tier('ada@audit.test', 'developer');
select is(pg_temp.changed(), 'current_period_end 2027-01-31T00:00:00.000Z>-, status trialing>active, tier audit>developer', 'a tier alone is active, without an end');
select funding.create_account('waits@audit.test', 'developer');
select funding.attach_user('waits@audit.test', pg_temp.uuid('waiting user')), funding.attach_user('waits@audit.test', null);
select pg_temp.logged();
select is((select string_agg(action, ' ' order by id) from funding.audit_log where account_id = funding.account_id('waits@audit.test')),
  'account.created subscription.created account.user_attached account.user_detached member.removed', 'an account that an operator opens, and whose users change');
select throws_ok($$select funding.set_tier('ada@audit.test', 'none such')$$, 'PT404');
select is(pg_temp.logged(), 'nothing', 'an unknown tier changes nothing');
update auth.users set email = 'Ada.L@audit.test' where id = pg_temp.uuid('ada');
select pg_temp.ask('ada', 'get_account');
select is(pg_temp.logged(), 'account.updated by ada.l@audit.test of ada.l@audit.test', 'an account follows the user''s address');
select is(pg_temp.changed(), 'email ada@audit.test>ada.l@audit.test', 'of which both are there');

-- Stripe. A tier that an operator set stays while it includes more, so it goes first.
select funding.set_tier('ada.l@audit.test', 'free');
select pg_temp.logged();
select funding.set_price('price_audit', 'audit'), funding.attach_customer('ada.l@audit.test', 'cus_audit');
set local role service_role;
select public.record_billing_event('{"id": "evt_1", "created": 1800000000, "customer_id": "cus_audit", "account_id": null, "failed_subscription_id": null,
  "subscription": {"id": "sub_1", "status": "active", "price_ids": ["price_audit"], "current_period_end": 4102444800}}');
select public.record_billing_event('{"id": "evt_1", "created": 1800000000, "customer_id": "cus_audit", "account_id": null, "failed_subscription_id": null,
  "subscription": {"id": "sub_1", "status": "active", "price_ids": ["price_audit"], "current_period_end": 4102444800}}');
reset role;
select is(pg_temp.logged(), 'subscription.updated by system of audit', 'an event of Stripe is the system''s change, and its repetition none');
set local role service_role;
select public.record_billing_event('{"id": "evt_2", "created": 1800000001, "customer_id": "cus_audit", "account_id": null, "failed_subscription_id": null,
  "subscription": {"id": "sub_1", "status": "active", "price_ids": ["price_without_tier"], "current_period_end": 4102444800}}');
reset role;
select is(pg_temp.logged(), 'subscription.deleted by system of audit', 'and so is one by which it no longer buys a tier');
select funding.set_tier('ada.l@audit.test', 'developer');

-- Keys.
select pg_temp.logged();
select pg_temp.ask('ada', 'create_account_key', format($$, 'Production', %L, 'fo_live_Ab…yz', null, '{"daily_quota": 5}'$$, repeat('a', 64)));
select is(pg_temp.logged(), 'key.created by ada.l@audit.test of Production', 'a key is created');
select is(pg_temp.changed(), 'daily_quota ->5, display ->fo_live_Ab…yz, name ->Production', 'with what it is known by, and its limits');
select pg_temp.ask('ada', 'limit_account_key', format($$, %L, '{"daily_quota": 7, "datasets": ["grants"], "addresses": ["203.0.113.0/24"]}'$$, pg_temp.key('Production')));
select is(pg_temp.logged(), 'key.updated by ada.l@audit.test of Production', 'its limits are changed');
select is(pg_temp.changed(), 'addresses ->["203.0.113.0/24"], daily_quota 5>7, datasets ->["grants"]', 'from these to those');
select pg_temp.ask('ada', 'limit_account_key', format($$, %L, '{"daily_quota": 7}'$$, pg_temp.key('Production')));
select is(pg_temp.logged(), 'nothing', 'the limits that it has are no change');
create temporary table rotated as select pg_temp.key('Production') as old_id;
select pg_temp.ask('ada', 'rotate_account_key', format($$, %L, %L, 'fo_live_Cd…wx', 24$$, old_id, repeat('b', 64))) from rotated;
select is(pg_temp.logged(), 'key.rotated by ada.l@audit.test of Production', 'a rotation is one change, of the old key');
select is((select subject_id from funding.audit_log order by id desc limit 1), (select old_id from rotated), 'by its id');
select matches(pg_temp.changed(), '^expires_at ->\S+Z, replaced_by ->' || id || '$', 'with its end and the new key') from funding.api_keys where rotated_from = (select old_id from rotated);
select pg_temp.ask('ada', 'rotate_account_key', format($$, %L, %L, 'fo_live_Ef…uv', 24$$, old_id, repeat('c', 64))) from rotated;
select is(pg_temp.logged(), 'nothing', 'one that is refused is none');
select pg_temp.ask('ada', 'revoke_account_key', format(', %L', old_id)), pg_temp.ask('ada', 'revoke_account_key', format(', %L', old_id)) from rotated;
select is(pg_temp.logged(), 'key.revoked by ada.l@audit.test of Production', 'a revocation is one change, also when it is asked for twice');
select funding.revoke_key(id) from funding.api_keys where rotated_from = (select old_id from rotated);
select is(pg_temp.logged(), 'key.revoked by operator of Production', 'a command''s is an operator''s');
select pg_temp.ask('ada', 'create_explorer_key', format($$, %L, 'e'$$, repeat('e', 64)));
select public.record_usage(jsonb_build_array(jsonb_build_object('key_hash', repeat('b', 64), 'api_key_id', pg_temp.key('Production'), 'at', now(),
  'endpoint', 'grants-api', 'status', 200, 'latency_bucket_ms', 50, 'requests', 1, 'duration_ms', 1)));
select isnt((select last_used_at from funding.api_keys where id = pg_temp.key('Production')), null, 'a key is used');
select is(pg_temp.logged(), 'nothing', 'the explorer''s keys and the use of a key are not there');
create function pg_temp.create_once(name text) returns json language sql as $$
  select pg_temp.ask('ada', 'write_once', format($f$, 'idempotent', 'request', 'create_account_key', %L$f$,
    json_build_object('name', name, 'key_hash', repeat('f', 64), 'display', 'f')))
$$;
select pg_temp.create_once('Once'), pg_temp.create_once('Once');
select is(pg_temp.logged(), 'key.created by ada.l@audit.test of Once', 'a POST that is sent again changes nothing more');

select pg_temp.ask('ada', 'create_account_key', format($$, 'Late', %L, 'd', now() - interval '1 day'$$, repeat('d', 64)));
select pg_temp.ask('ben', 'get_account'), pg_temp.logged();
select pg_temp.ask('ben', 'revoke_account_key', format(', %L', pg_temp.key('Once')));
select is(pg_temp.logged(), 'nothing', 'an expiry in the past and another account''s key change nothing');

-- Webhooks.
create function pg_temp.webhook(changes text, rpc text default 'update_webhook') returns json language sql as $$
  select pg_temp.ask('ada', rpc, format(', %L %s', pg_temp.uuid('hook'), changes))
$$;
select pg_temp.ask('ada', 'create_webhook', format(', %L', jsonb_build_object('id', pg_temp.uuid('hook'), 'url', 'https://hooks.example.org/one',
  'description', 'Slack', 'events', '["grant.created"]'::jsonb, 'filters', '{"grants": {"query": "states=OH", "parameters": {"states": ["OH"]}}}'::jsonb,
  'deadline_days', '[7]'::jsonb, 'secret', 'sealed-hook-secret')));
select is(pg_temp.logged(), 'webhook.created by ada.l@audit.test of Slack', 'a webhook is created');
select matches(pg_temp.changed(), 'filters ->."grants": "states=OH".*url ->https://hooks.example.org/one', 'with its filters and address');
select pg_temp.webhook($$, '{"url": "https://hooks.example.org/two"}'$$);
select is(pg_temp.changed(), 'url https://hooks.example.org/one>https://hooks.example.org/two', 'its address is changed');
select is(pg_temp.logged(), 'webhook.updated by ada.l@audit.test of Slack', 'which is one change');
select pg_temp.webhook($$, 'another-sealed-secret', 3600$$, 'rotate_webhook_secret');
select matches(pg_temp.changed(), '^previous_secret_expires_at ->\S+Z$', 'of a new secret, only until when the former one signs');
select is(pg_temp.logged(), 'webhook.secret_rotated by ada.l@audit.test of Slack', 'its secret is rotated');
select pg_temp.webhook($$, '{"state": "paused"}'$$), pg_temp.webhook($$, '{"state": "paused"}'$$), pg_temp.webhook($$, '{"state": "active"}'$$);
select is(pg_temp.logged(), 'webhook.paused by ada.l@audit.test of Slack, webhook.resumed by ada.l@audit.test of Slack', 'it is paused and goes on');
select pg_temp.webhook(format(', %L, %L', now() - interval '1 day', now()), 'recover_webhook'), pg_temp.webhook(format(', %L, %L', now() - interval '20 days', now()), 'recover_webhook');
select is(pg_temp.logged(), 'webhook.recovery_started by ada.l@audit.test of Slack', 'a recovery is started, and one that is refused is not');
insert into funding.events (id, event, dataset, record_id) values (pg_temp.uuid('event'), 'grant.created', 'grants', pg_temp.uuid('record'));
insert into funding.webhook_deliveries (endpoint_id, event_id, due_at, created_at, attempts, claimed_at, claimed_until)
values (pg_temp.uuid('hook'), pg_temp.uuid('event'), now(), now(), 1, now(), now() + interval '1 minute');
create function pg_temp.attempt(attempt integer, status integer) returns void language plpgsql as $$
begin
  update funding.webhook_deliveries as known set attempts = attempt.attempt, claimed_at = clock_timestamp(), claimed_until = now() + interval '1 minute'
  where known.event_id = md5('event')::uuid;
  set local role service_role;
  perform public.finish_deliveries(jsonb_build_array(jsonb_build_object('endpoint_id', md5('hook')::uuid, 'event_id', md5('event')::uuid,
    'attempt', attempt, 'url', 'https://hooks.example.org/two', 'started_at', now(), 'duration_ms', 1, 'status', status)));
  reset role;
end
$$;
select pg_temp.attempt(1, 500);
select is((select failures_in_a_row from funding.webhook_endpoints where id = pg_temp.uuid('hook')), 1, 'an attempt fails');
select is(pg_temp.logged(), 'nothing', 'which is no change of the account');
select pg_temp.attempt(2, 410);
select is(pg_temp.logged(), 'webhook.disabled by system of Slack', 'a webhook whose receiver is gone is disabled by the system');
select is(pg_temp.changed(), 'disabled_reason ->the receiver answered 410 Gone, state active>disabled', 'for this reason');
select pg_temp.webhook('', 'delete_webhook');
select is(pg_temp.logged(), 'webhook.deleted by ada.l@audit.test of Slack', 'it is deleted');

-- Saved searches and digests.
create function pg_temp.saved() returns uuid language sql as $$ select id from funding.saved_searches where account_id = funding.account_id('ada.l@audit.test') $$;
create function pg_temp.search(changes text, rpc text default 'update_saved_search') returns json language sql as $$
  select pg_temp.ask('ada', rpc, format(', %L %s', pg_temp.saved(), changes))
$$;
select pg_temp.ask('ada', 'create_saved_search', $$, '{"name": "Water", "dataset": "grants", "query": "states=OH", "filter_query": "states=OH", "filter": {"states": ["OH"]}}'$$);
select pg_temp.search($$, '{"name": "Water, Ohio"}'$$), pg_temp.search('', 'mark_saved_search_seen');
select is(pg_temp.logged(), 'saved_search.created by ada.l@audit.test of Water, saved_search.updated by ada.l@audit.test of Water, Ohio', 'a search is saved and renamed; what was seen is no change');
select pg_temp.search(format(', %L', repeat('1', 64)), 'issue_saved_search_address');
select is(pg_temp.logged(), 'saved_search.address_issued by ada.l@audit.test of Water, Ohio', 'it gets an address');
select public.read_saved_search(repeat('1', 64), 'feed');
select is(pg_temp.logged(), 'nothing', 'which is read without a change');
select pg_temp.search('', 'revoke_saved_search_address'), pg_temp.search('', 'revoke_saved_search_address');
select is(pg_temp.logged(), 'saved_search.address_revoked by ada.l@audit.test of Water, Ohio', 'and loses it once');
create function pg_temp.digest(hour integer) returns json language sql as $$
  select pg_temp.search(format($f$, '{"digest": {"frequency": "weekly", "weekday": "monday", "hour": %s, "time_zone": "UTC"}}'$f$, hour))
$$;
select pg_temp.digest(8), pg_temp.digest(8), pg_temp.digest(9);
select is(pg_temp.logged(), 'digest.created by ada.l@audit.test of Water, Ohio, digest.updated by ada.l@audit.test of Water, Ohio', 'a digest is set and changed');
select is(pg_temp.changed(), 'hour 8>9', 'to another hour');
update funding.digests set refusals = 2 where saved_search_id = pg_temp.saved();
insert into funding.digest_mails (saved_search_id, due_at, records_from, records_until, state, attempts, token_hash, first_tried_at, claimed_until)
values (pg_temp.saved(), '2026-11-01Z', now(), now(), 'claimed', 1, repeat('2', 64), now(), now() + interval '1 minute');
do $$
declare
  search_id constant uuid := pg_temp.saved();
begin
  set local role service_role;
  perform public.finish_digest(search_id, '2026-11-01Z', 1, 'refused');
end
$$;
reset role;
select is(pg_temp.logged(), 'digest.paused by system of Water, Ohio', 'one that the mail server refuses is paused by the system');
select pg_temp.digest(9), pg_temp.search($$, '{"digest": null}'$$), pg_temp.digest(9);
select is(pg_temp.logged(), 'digest.resumed by ada.l@audit.test of Water, Ohio, digest.ended by ada.l@audit.test of Water, Ohio, digest.created by ada.l@audit.test of Water, Ohio', 'it goes on, ends, and begins');
set local role service_role;
select public.unsubscribe_digest(repeat('2', 64)), public.unsubscribe_digest(repeat('2', 64));
reset role;
select is(pg_temp.logged(), 'digest.unsubscribed by system of Water, Ohio', 'the link in a mail ends it once');
select pg_temp.digest(9), pg_temp.logged();
select pg_temp.search('', 'delete_saved_search');
select is(pg_temp.logged(), 'saved_search.deleted by ada.l@audit.test of Water, Ohio', 'a saved search goes with its digest, as one change');

-- What is kept of a value.
select is(funding.audited_changes(null, '{"a": "", "b": [], "c": 1}'), '[{"field": "c", "from": null, "to": 1}]', 'what is empty from the start is no change');
select is(length(funding.audited_value(to_jsonb(repeat('x', 5000))) #>> '{}'), 501, 'long values are cut');
select is_empty(
  $$select entry from funding.audit_log as entry
    where entry.id > (select until from earlier) and (entry::text ~ repeat('a', 64) or entry::text ~ '(b{64}|c{64}|d{64}|e{64}|f{64}|1{64}|2{64}|sealed-hook-secret|another-sealed-secret)')$$,
  'no hash, token or secret is anywhere in the table');

-- Columns: a new one is either logged, or named here.
select set_eq(
  $$select format('%s.%s', relation.relname, attribute.attname)
    from pg_class as relation join pg_attribute as attribute on attribute.attrelid = relation.oid and attribute.attnum > 0 and not attribute.attisdropped
    where relation.oid in ('funding.api_keys'::regclass, 'funding.webhook_endpoints'::regclass, 'funding.saved_searches'::regclass,
      'funding.digests'::regclass, 'funding.subscriptions'::regclass, 'funding.accounts'::regclass, 'funding.members'::regclass)
      and not exists (
        select from pg_trigger as known
        where known.tgrelid = relation.oid and known.tgname like '%\_audit\_updated' and attribute.attnum = any (known.tgattr::smallint[]))$$,
  array[
    -- Set once.
    'api_keys.id', 'api_keys.account_id', 'api_keys.key_hash', 'api_keys.created_at', 'api_keys.rotated_from', 'api_keys.quota_key_id',
    'api_keys.is_explorer', 'webhook_endpoints.id', 'webhook_endpoints.account_id', 'webhook_endpoints.created_at', 'saved_searches.id',
    'saved_searches.account_id', 'saved_searches.created_at', 'digests.saved_search_id', 'subscriptions.account_id', 'accounts.id', 'accounts.created_at',
    'members.id', 'members.account_id', 'members.user_id', 'members.email', 'members.joined_at',
    -- Change with traffic.
    'api_keys.explorer_user_id',
    'api_keys.last_used_at', 'webhook_endpoints.failures_in_a_row', 'webhook_endpoints.failing_since', 'webhook_endpoints.last_failure_at',
    'webhook_endpoints.retry_at', 'webhook_endpoints.deadlines_scanned_at', 'webhook_endpoints.deadlines_scanned_on', 'webhook_endpoints.deadlines_scanned_since',
    'webhook_endpoints.deadlines_scanned_version', 'webhook_endpoints.deadlines_tried_at', 'webhook_endpoints.work_timeouts',
    'saved_searches.seen_until', 'saved_searches.last_read_at', 'saved_searches.reads_on_day', 'digests.next_at', 'digests.reported_until',
    'digests.last_sent_at', 'digests.last_failed_at', 'digests.tried_at', 'digests.tries', 'digests.refusals',
    -- Change with another that is logged.
    'webhook_endpoints.updated_at', 'webhook_endpoints.set_aside_at', 'saved_searches.updated_at', 'saved_searches.filter_query', 'saved_searches.filter',
    'saved_searches.address_created_at', 'subscriptions.grace', 'subscriptions.stripe_subscription_id', 'subscriptions.updated_at'],
  'every column of these tables is logged when it changes, or named here');

-- Reading.
create function pg_temp.list(label text, filter jsonb) returns text language sql as $$
  select coalesce(string_agg(entry->>'action', ' '), 'nothing')
  from json_array_elements(pg_temp.ask(label, 'list_audit_log', format(', %L', filter))->'entries') as entry
$$;
select is(pg_temp.list('ben', '{}'), 'account.created', 'an account sees its own entries alone');
select is(pg_temp.list('ada', jsonb_build_object('kind', 'key', 'subject', old_id)), 'key.revoked key.rotated key.updated key.created', 'entries of a key, newest first') from rotated;
select is(pg_temp.list('ada', jsonb_build_object('subject', id)), 'key.revoked key.rotated', 'those of a replacement begin with the rotation') from funding.api_keys where rotated_from = (select old_id from rotated);
select is(pg_temp.list('ada', '{"action": "webhook.disabled"}'), 'webhook.disabled', 'of an action');
select is(pg_temp.list('ada', jsonb_build_object('until', at)), 'nothing', 'before a moment')
  from (select min(at) as at from funding.audit_log where account_id = funding.account_id('ada.l@audit.test')) as first;

-- Ends.
update funding.audit_log set at = at - interval '500 days' where action = 'webhook.created' and account_id = funding.account_id('ada.l@audit.test');
select results_eq($$select (public.prune_table('audit_log', 100)->>'rows')::integer$$, array[1], 'entries go after 400 days');
delete from funding.accounts where email = 'ada.l@audit.test';
select is((select count(*) from funding.audit_log where account_id not in (select id from funding.accounts)), 0::bigint, 'the log goes with its account');
select cmp_ok((select count(*) from funding.audit_log), '>', 0::bigint, 'and others'' stay');

select * from finish();
rollback;
