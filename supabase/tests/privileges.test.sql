-- Privileges. The catalogue has the grants; the second half tries them as each role.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(77);

-- Supabase lets the API roles use the extensions' functions, and pgTAP is one of them.
grant usage on schema extensions to anon, authenticated, service_role;

create temporary table api_role (name text);
insert into api_role values ('anon'), ('authenticated'), ('service_role');

create temporary table rpc (signature text);
insert into rpc values
  ('admit_request(text, text[])'),
  ('identify_key(text)'),
  ('create_account_key(uuid, uuid, text, text, text, timestamp with time zone, jsonb)'),
  ('create_explorer_key(uuid, uuid, text, text)'),
  ('limit_account_key(uuid, uuid, uuid, jsonb)'),
  ('get_account(uuid, uuid)'),
  ('get_account_request(uuid, uuid, text)'),
  ('get_latest_records(uuid, uuid, timestamp with time zone)'),
  ('get_account_usage(uuid, uuid, date, date, uuid, text[])'),
  ('list_account_requests(uuid, uuid, jsonb)'),
  ('list_audit_log(uuid, uuid, jsonb)'),
  ('list_memberships(uuid, uuid, jsonb)'),
  ('list_members(uuid, uuid)'),
  ('update_member(uuid, uuid, uuid, jsonb)'),
  ('remove_member(uuid, uuid, uuid)'),
  ('list_invitations(uuid, uuid)'),
  ('create_invitation(uuid, uuid, text, text)'),
  ('withdraw_invitation(uuid, uuid, uuid)'),
  ('accept_invitation(uuid, uuid, uuid)'),
  ('decline_invitation(uuid, uuid, uuid)'),
  ('decline_invitations(uuid, uuid)'),
  ('list_offered_customers(uuid, uuid)'),
  ('decide_offered_customer(uuid, uuid, uuid, boolean)'),
  ('list_tiers(uuid, uuid)'),
  ('prepare_checkout(uuid, uuid, text)'),
  ('prepare_portal(uuid, uuid)'),
  ('update_account(uuid, uuid, jsonb)'),
  ('get_changes(text, text, uuid, integer, bigint)'),
  ('get_contract(text, uuid, jsonb)'),
  ('get_document(text, uuid, integer, integer, integer)'),
  ('get_funder(text, uuid, jsonb)'),
  ('get_grant(text, uuid, jsonb)'),
  ('get_metrics()'),
  ('get_readiness()'),
  ('get_schema_faults()'),
  ('list_account_keys(uuid, uuid)'),
  ('list_awards(text, uuid, jsonb)'),
  ('list_addresses(text, text, text)'),
  ('get_organization(text, uuid, timestamp with time zone)'),
  ('get_funder_statistics(text, uuid)'),
  ('list_contracts(text, jsonb, jsonb, text, text)'),
  ('list_funders(text, jsonb, jsonb, text, text)'),
  ('list_grants(text, jsonb, jsonb, text, text)'),
  ('list_snapshots(text, text, text)'),
  ('read_data(text, text)'),
  ('record_billing_event(jsonb)'),
  ('record_usage(jsonb, uuid, bigint)'),
  ('revoke_account_key(uuid, uuid, uuid)'),
  ('rotate_account_key(uuid, uuid, uuid, text, text, double precision)'),
  ('semantic_search(text, text, text[], integer, jsonb, uuid, boolean, boolean)'),
  ('suggest(text, text, text[], integer)'),
  ('withdraw_request(text, date)'),
  ('announce_deadlines(integer, uuid)'),
  ('claim_deliveries(integer, integer)'),
  ('claim_embeddings(text[], integer)'),
  ('finish_embeddings(text, timestamp with time zone, jsonb, jsonb)'),
  ('continue_recoveries(integer, bigint)'),
  ('create_webhook(uuid, uuid, jsonb)'),
  ('delete_webhook(uuid, uuid, uuid)'),
  ('fan_out_events(integer)'),
  ('fan_out_to(uuid, uuid[])'),
  ('finish_deliveries(jsonb)'),
  ('finish_fan_out(uuid[])'),
  ('get_webhook(uuid, uuid, uuid)'),
  ('get_webhook_delivery(uuid, uuid, uuid, uuid)'),
  ('list_webhook_deliveries(uuid, uuid, uuid, jsonb)'),
  ('list_saved_searches(uuid, uuid)'),
  ('get_saved_search(uuid, uuid, uuid)'),
  ('create_saved_search(uuid, uuid, jsonb)'),
  ('update_saved_search(uuid, uuid, uuid, jsonb)'),
  ('delete_saved_search(uuid, uuid, uuid)'),
  ('mark_saved_search_seen(uuid, uuid, uuid, timestamp with time zone)'),
  ('issue_saved_search_address(uuid, uuid, uuid, text)'),
  ('revoke_saved_search_address(uuid, uuid, uuid)'),
  ('read_saved_search(text, text, text[], timestamp with time zone)'),
  ('unsubscribe_digest(text)'),
  ('next_digest()'),
  ('claim_digest(uuid, text)'),
  ('finish_digest(uuid, timestamp with time zone, integer, text)'),
  ('list_webhooks(uuid, uuid)'),
  ('next_deadlines()'),
  ('next_recovery()'),
  ('pending_fan_out(integer)'),
  ('preview_webhook(uuid, uuid, jsonb)'),
  ('list_overdue_tables()'),
  ('apply_due_dates(integer)'),
  ('prune_table(text, integer)'),
  ('seal_records(integer, integer)'),
  ('recover_webhook(uuid, uuid, uuid, timestamp with time zone, timestamp with time zone)'),
  ('report_endpoint_failure(uuid, text, text)'),
  ('report_fan_out_failure(uuid[], uuid[], integer, text)'),
  ('resend_webhook_delivery(uuid, uuid, uuid, uuid)'),
  ('rotate_webhook_secret(uuid, uuid, uuid, text, integer)'),
  ('send_test_event(uuid, uuid, uuid, text, json, json, json)'),
  ('write_once(uuid, uuid, text, text, text, json, text)'),
  ('update_webhook(uuid, uuid, uuid, jsonb)');

-- RPCs of monitoring, of nobody's account.
create temporary table operator_rpc (name text);
insert into operator_rpc values ('get_metrics'), ('get_readiness'), ('get_schema_faults');

-- RPCs of the dispatcher, for all accounts at once.
create temporary table dispatcher_rpc (name text);
insert into dispatcher_rpc values ('announce_deadlines'), ('claim_deliveries'), ('continue_recoveries'), ('fan_out_events'),
  ('fan_out_to'), ('finish_deliveries'), ('finish_fan_out'), ('next_deadlines'), ('next_recovery'), ('pending_fan_out'),
  ('apply_due_dates'), ('list_overdue_tables'), ('prune_table'), ('report_endpoint_failure'), ('report_fan_out_failure'), ('seal_records'),
  ('next_digest'), ('claim_digest'), ('finish_digest'), ('claim_embeddings'), ('finish_embeddings');

-- The functions that are ours: not an extension's, and not in a schema that Supabase looks after.
create temporary view own_function as
  select proc.oid, namespace.nspname as schema_name, proc.proname as name, proc.prosecdef, proc.proconfig, proc.prosrc,
         format('%s(%s)', proc.proname, pg_get_function_identity_arguments(proc.oid)) as described,
         format('%s(%s)', proc.proname, (
           select coalesce(string_agg(format_type(argument.type, null), ', ' order by argument.place), '')
           from unnest(proc.proargtypes) with ordinality as argument(type, place))) as signature
  from pg_proc as proc
  join pg_namespace as namespace on namespace.oid = proc.pronamespace
  where namespace.nspname not like 'pg\_%'
    and namespace.nspname not in ('information_schema', 'extensions', 'auth', 'storage', 'realtime', '_realtime', 'vault', 'graphql',
      'graphql_public', 'pgbouncer', 'pgsodium', 'net', 'cron', 'pgmq', 'supabase_functions', 'supabase_migrations')
    and not exists (
      select from pg_depend where classid = 'pg_proc'::regclass and objid = proc.oid and deptype = 'e');

create temporary view own_relation as
  select relation.oid, relation.relname as name, relation.relkind, relation.relrowsecurity, namespace.nspname as schema_name
  from pg_class as relation
  join pg_namespace as namespace on namespace.oid = relation.relnamespace
  where namespace.nspname in ('public', 'funding')
    and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = relation.oid and deptype = 'e');

-- The settings of `set search_path` that a function carries, as a list of schemas.
create function pg_temp.pinned_path(settings text[]) returns text[] language sql as $$
  select string_to_array(replace(replace(substr(setting, length('search_path=') + 1), '"', ''), ' ', ''), ',')
  from unnest(settings) as setting
  where setting like 'search\_path=%'
$$;

-- Tables.
select cmp_ok(count(*)::int, '>', 10, 'there are tables in funding to speak of')
  from own_relation where schema_name = 'funding' and relkind in ('r', 'p');
select is_empty(
  $$select name from own_relation where schema_name = 'funding' and relkind in ('r', 'p') and not relrowsecurity$$,
  'every table in funding has row level security on');
select is_empty($$select policyname from pg_policies where schemaname in ('funding', 'public')$$,
  'no policy lets anybody past row level security');
select is_empty($$select name from own_relation where schema_name = 'funding' and relkind in ('v', 'm', 'f')$$,
  'no view or foreign table in funding goes around row level security');

select ok(not has_schema_privilege(name, 'funding', 'usage'), format('%s has no usage of schema funding', name)) from api_role;
select ok(not has_schema_privilege(name, 'funding', 'create'), format('%s can create nothing in schema funding', name)) from api_role;
select ok(not has_schema_privilege(name, 'public', 'create'), format('%s can create nothing in schema public', name)) from api_role;
select ok(not has_schema_privilege(name, 'extensions', 'create'), format('%s can create nothing in schema extensions', name))
  from api_role;
select is_empty(
  format($$select name from own_relation where relkind in ('r', 'p', 'v', 'm', 'f')
    and (has_table_privilege(%1$L, oid, 'select, insert, update, delete, truncate, references, trigger')
         or has_any_column_privilege(%1$L, oid, 'select, insert, update, references'))$$, name),
  format('%s has no privilege on any table or view of ours', name)) from api_role;
select is_empty(
  format($$select name from own_relation where case relkind when 'S' then has_sequence_privilege(%L, oid, 'usage, select, update')
    else false end$$, name),
  format('%s has no privilege on any sequence of ours', name)) from api_role;

-- Functions.
select is_empty(
  format($$select described from own_function where schema_name in ('public', 'funding') and has_function_privilege(%L, oid, 'execute')$$, name),
  format('%s can execute no function in public or funding', name)) from api_role where name <> 'service_role';
select set_eq(
  $$select signature from own_function where schema_name in ('public', 'funding') and has_function_privilege('service_role', oid, 'execute')$$,
  $$select signature from rpc$$,
  'service_role can execute exactly the RPCs');
select set_eq(
  $$select signature from own_function where schema_name = 'public'$$,
  $$select signature from rpc$$,
  'public holds exactly the RPCs');
select is_empty($$select name from own_relation where schema_name = 'public'$$, 'public holds no table, view, sequence or index');
select is_empty(
  $$select typname from pg_type as type where typnamespace = 'public'::regnamespace
    and not exists (select from pg_depend where classid = 'pg_type'::regclass and objid = type.oid and deptype = 'e')$$,
  'public holds no type');
select is_empty($$select described from own_function where schema_name = 'public' and not prosecdef$$,
  'every function in public is a security definer');
select is_empty($$select described from own_function where schema_name = 'public' and pg_temp.pinned_path(proconfig) is null$$,
  'every function in public pins its search_path');
select is_empty(
  $$select schema_name, described from own_function where prosecdef and pg_temp.pinned_path(proconfig) is null$$,
  'every security definer function anywhere pins its search_path');
select is_empty(
  $$select schema_name, described from own_function
    where prosecdef and (pg_temp.pinned_path(proconfig))[cardinality(pg_temp.pinned_path(proconfig))] is distinct from 'pg_temp'$$,
  'every security definer function looks in pg_temp last, so that a temporary table cannot stand in for one of ours');
select is_empty(
  $$select described, path.schema_name from own_function, unnest(pg_temp.pinned_path(proconfig)) as path(schema_name), api_role
    where prosecdef and path.schema_name <> 'pg_temp'
      and has_schema_privilege(api_role.name, path.schema_name, 'create')$$,
  'no security definer function looks in a schema in which an API role could put something');
-- `read_data` calls others of these.
select is_empty(
  $$select described from own_function where schema_name = 'public'
    and prosrc !~ '\mfunding\.admit(_list)?\(key_hash' and prosrc not like '%account\_of(%' and name not in ('record_usage', 'record_billing_event', 'read_data')
    and prosrc !~ format('^\s*declare\s+search constant funding\.saved_searches := funding\.search_at_address\(%s\.token_hash\);', name)
    and prosrc !~ format('^\s*declare\s+mail constant funding\.digest_mails := funding\.digest_mail_of\(%s\.token_hash\);', name)
    and name not in (select name from dispatcher_rpc union all select name from operator_rpc)$$,
  'every RPC that answers a caller admits the caller, or finds the account of who is signed in, or the search at a secret address, or the mail that a token is in');
select is_empty(
  $$select described from own_function, regexp_matches(prosrc, '\mreturn\M[^;]{0,30}', 'g') as given
    where schema_name = 'public' and prosrc ~ '\mfunding\.admit\(key_hash' and given[1] !~ '^return funding\.rpc_result\('$$,
  'every RPC that admits a caller ends with funding.rpc_result, which counts the request');
select is_empty(
  $$select described from own_function where schema_name = 'public' and prosrc like '%account\_of(%'
    and prosrc !~ format('^\s*declare\s+own_id constant uuid := funding\.(owned_)?account_of\(%s\.user_id, %s\.session_id\);', name, name)$$,
  'every RPC of the account API starts with finding the account of the user and session');
select set_eq(
  $$select name from own_function where schema_name = 'public' and prosrc like '%funding.owned\_account\_of(%'$$,
  array['update_account', 'create_invitation', 'withdraw_invitation', 'update_member', 'prepare_checkout', 'prepare_portal', 'decide_offered_customer'],
  'these take an owner of the account; remove_member does unless the caller leaves');

-- Owners, defaults and ways around.
select is_empty(
  $$select schema_name, described from own_function join pg_proc as proc using (oid)
    where proc.prosecdef and proc.proowner <> (select nspowner from pg_namespace where nspname = 'funding')$$,
  'every security definer function belongs to the owner of schema funding, and runs as nobody else');
select is_empty(
  $$select described from own_function join pg_proc as proc using (oid), aclexplode(coalesce(proc.proacl, acldefault('f', proc.proowner))) as granted
    where proc.prosecdef and schema_name = 'funding' and granted.grantee <> proc.proowner$$,
  'a security definer function behind the RPCs is its owner''s alone');
select is_empty(
  $$select described from own_function join pg_proc using (oid), aclexplode(coalesce(proacl, acldefault('f', proowner))) as granted
    where schema_name in ('public', 'funding') and granted.grantee = 0$$,
  'nobody can execute a function in public or funding just because they are somebody');
select is_empty(
  $$select described from own_function join pg_proc using (oid) join pg_language on pg_language.oid = prolang
    where schema_name in ('public', 'funding') and lanname not in ('sql', 'plpgsql')$$,
  'no function is in a language that reaches outside the database');
select is_empty(
  $$select schema_name, described from own_function
    where schema_name in ('public', 'funding')
      and prosrc ~* '\m(dblink|pg_read_file|pg_read_binary_file|pg_ls_dir|lo_import|lo_export|pg_execute_server_program|copy)\M\s*\('$$,
  'no function reads files or other servers');
select is_empty(
  $$select 1 from pg_default_acl join pg_namespace on pg_namespace.oid = defaclnamespace where nspname = 'funding'$$,
  'nothing new in schema funding is granted to anybody by itself');
select is_empty(
  $$select rolname from pg_roles join api_role on api_role.name = rolname where rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolcanlogin$$,
  'no API role is a superuser, logs in, or makes roles or databases');
select is_empty(
  $$select member.rolname, granted.rolname from pg_auth_members
    join pg_roles as member on member.oid = pg_auth_members.member join pg_roles as granted on granted.oid = pg_auth_members.roleid
    join api_role on api_role.name = member.rolname
    where granted.rolname not like 'supabase%'$$,
  'no API role is a member of another role');
create table funding.of_tomorrow (id integer);
create function funding.function_of_tomorrow() returns integer language sql as 'select 1';
select ok(not has_schema_privilege(name, 'funding', 'usage') and not has_table_privilege(name, 'funding.of_tomorrow', 'select, insert, update, delete'),
  format('%s cannot reach a table that is new in funding', name)) from api_role;
set local role service_role;
select throws_ok('select funding.function_of_tomorrow()', '42501', 'permission denied for schema funding',
  'service_role cannot call a function that is new in funding');
reset role;
drop table funding.of_tomorrow;
drop function funding.function_of_tomorrow();

-- The same, tried.
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000001', 'A funder', now(), 'test', 'privileges', '');

set local role anon;
select throws_ok('select * from funding.grants', '42501', 'permission denied for schema funding', 'anon cannot read grants');
select throws_ok('select * from funding.contracts', '42501', 'permission denied for schema funding', 'anon cannot read contracts');
select throws_ok('select * from funding.funders', '42501', 'permission denied for schema funding', 'anon cannot read funders');
select throws_ok('select * from funding.api_keys', '42501', 'permission denied for schema funding', 'anon cannot read keys');
select throws_ok('delete from funding.settings', '42501', 'permission denied for schema funding', 'anon cannot delete settings');
select throws_ok($$update funding.tiers set api_access = true$$, '42501', 'permission denied for schema funding', 'anon cannot change tiers');
select throws_ok($$select funding.create_key('a@example.org', 'k', repeat('0', 64), 'k')$$, '42501',
  'permission denied for schema funding', 'anon cannot create a key');
select throws_ok($$select public.list_grants('x', '{}')$$, '42501', 'permission denied for function list_grants', 'anon cannot call list_grants');
select throws_ok($$select public.semantic_search('x', 'water', '{grants}', 1)$$, '42501',
  'permission denied for function semantic_search', 'anon cannot call semantic_search');
select throws_ok($$select public.record_usage('[]')$$, '42501', 'permission denied for function record_usage', 'anon cannot write usage');
select throws_ok($$select public.record_billing_event('{}')$$, '42501', 'permission denied for function record_billing_event',
  'anon cannot say what somebody paid');
select throws_ok('create table public.mine (id int)', '42501', 'permission denied for schema public', 'anon cannot create a table in public');
reset role;

set local role authenticated;
select throws_ok('select * from funding.accounts', '42501', 'permission denied for schema funding', 'authenticated cannot read accounts');
select throws_ok('select * from funding.usage', '42501', 'permission denied for schema funding', 'authenticated cannot read usage');
select throws_ok($$insert into funding.subscriptions (account_id, tier) values (gen_random_uuid(), 'developer')$$, '42501',
  'permission denied for schema funding', 'authenticated cannot write itself a subscription');
select throws_ok($$select public.get_funder('x', gen_random_uuid())$$, '42501', 'permission denied for function get_funder',
  'authenticated cannot call get_funder');
select throws_ok($$select public.admit_request('x')$$, '42501', 'permission denied for function admit_request',
  'authenticated cannot call admit_request');
select throws_ok($$select public.get_account(gen_random_uuid(), gen_random_uuid())$$, '42501', 'permission denied for function get_account',
  'authenticated cannot ask for an account of its choice');
reset role;

set local role service_role;
select throws_ok('select * from funding.funders', '42501', 'permission denied for schema funding', 'service_role cannot read a table');
select throws_ok('select * from funding.api_keys', '42501', 'permission denied for schema funding', 'service_role cannot read keys');
select throws_ok($$select funding.admit('x')$$, '42501', 'permission denied for schema funding', 'service_role cannot call what is behind the RPCs');
select throws_ok($$select funding.revoke_key(gen_random_uuid())$$, '42501', 'permission denied for schema funding', 'service_role cannot revoke a key');
select throws_ok($$select public.list_grants('x', '{}')$$, 'PT401', 'unknown key', 'service_role can call an RPC, which decides for itself');
select throws_ok($$select public.get_contract('x', gen_random_uuid())$$, 'PT401', 'unknown key', 'service_role can call a single-record RPC');
select lives_ok($$select public.record_usage('[]')$$, 'service_role can write usage');
create temporary table api_keys (id uuid, account_id uuid, key_hash text, revoked_at timestamptz, expires_at timestamptz);
insert into api_keys values (gen_random_uuid(), gen_random_uuid(), 'x', null, null);
select throws_ok($$select public.admit_request('x')$$, 'PT401', 'unknown key', 'a temporary table of keys deceives nobody');
reset role;

-- A grant that slipped in by mistake is still stopped by row level security.
grant usage on schema funding to anon;
grant select, insert, delete on funding.funders to anon;
set local role anon;
select is_empty('select * from funding.funders', 'row level security shows anon no row of a table that was granted by mistake');
select throws_ok(
  $$insert into funding.funders (id, name, created_at, source, source_id, content_hash) values (gen_random_uuid(), 'B', now(), 'b', 'b', '')$$,
  '42501', null, 'row level security lets anon add no row to a table that was granted by mistake');
reset role;

select * from finish();
rollback;
