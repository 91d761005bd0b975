-- confirm_lists: many requests for lists that their callers know, each answered as if it were alone.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(47);

truncate funding.grants, funding.contracts, funding.funders, funding.pages, funding.totals;
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000001', 'Bureau of Tests', now(), 'test', 'funder', '');
insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid, 'Record ' || number, 'text', 'open', 'opportunity',
  '00000000-0000-8000-a000-000000000001', now(), 'test', number::text, ''
from generate_series(1, 3) as number;

insert into funding.tiers (name, api_access, daily_quota) values ('test-three', true, 3), ('test-unlimited', true, -1), ('test-closed', false, 0);

create function pg_temp.hash(label text) returns text language sql as $$
  select encode(sha256(convert_to(label, 'UTF8')), 'hex')
$$;
create function pg_temp.add_key(label text, holder text, revoked timestamptz default null) returns void language sql as $$
  insert into funding.api_keys (account_id, name, key_hash, display, revoked_at)
  select id, label, pg_temp.hash(label), 'fo_live_...', revoked from funding.accounts where email = holder || '@confirmations.test'
$$;
-- An account with a key of the same name.
create function pg_temp.add_holder(holder text, tier text) returns void language sql as $$
  insert into funding.accounts (email) values (holder || '@confirmations.test');
  insert into funding.subscriptions (account_id, tier) select id, add_holder.tier from funding.accounts where email = holder || '@confirmations.test';
  select pg_temp.add_key(holder, holder);
$$;
create function pg_temp.used(holder text) returns bigint language sql as $$
  select used from funding.daily_quota join funding.accounts on id = account_id
  where email = holder || '@confirmations.test' and day = (now() at time zone 'UTC')::date
$$;

create function pg_temp.parameters(more jsonb default '{}') returns jsonb language sql as $$
  select '{"limit": 2, "offset": 0}' || more
$$;
-- The tag that a list has now.
create function pg_temp.tag(dataset text, more jsonb default '{}') returns text language sql as $$
  select funding.list(dataset, pg_temp.parameters(more))->>'tag'
$$;
-- A request for a list by a caller who knows it as it is now, or as a tag says.
create function pg_temp.known(holder text, dataset text default 'grants', more jsonb default '{}', tag text default null)
returns jsonb language sql as $$
  select jsonb_build_object('dataset', dataset, 'key_hash', pg_temp.hash(holder), 'parameters', pg_temp.parameters(more),
    'known_tag', coalesce(tag, pg_temp.tag(dataset, more)))
$$;
-- What became of each: its remaining quota, its failure's code, or `ask`.
create function pg_temp.outcomes(variadic requests jsonb[]) returns text language sql as $$
  select string_agg(coalesce(answer->'admission'->>'remaining', answer->'failure'->>'code', 'ask'), ' ' order by place)
  from json_array_elements(public.confirm_lists(to_jsonb(requests))) with ordinality as given(answer, place)
$$;

select pg_temp.add_holder('plain', 'test-unlimited');
select pg_temp.add_holder('metered', 'test-three');
select pg_temp.add_holder('neighbour', 'test-three');
select pg_temp.add_holder('closed', 'test-closed');
select pg_temp.add_key('revoked', 'plain', now());
select pg_temp.add_key('metered, second key', 'metered');

-- One request.
select is((public.confirm_lists(jsonb_build_array(pg_temp.known('plain')))->0)::text,
  public.list_grants(pg_temp.hash('plain'), pg_temp.parameters(), null, pg_temp.tag('grants'))::text,
  'a list that is what it was is answered as its own RPC answers it');
select is(public.confirm_lists(jsonb_build_array(pg_temp.known('plain', tag => 'field.0')))::text, '[null]', 'a list that has changed is not answered');
select is(pg_temp.outcomes(pg_temp.known('plain', tag => '')), 'ask', 'nor one of a tag that means nothing');
select is(pg_temp.outcomes(pg_temp.known('plain') - 'known_tag'), 'ask', 'nor one without a tag');
select is(pg_temp.outcomes(pg_temp.known('plain') || '{"dataset": "api_keys"}'), 'ask', 'nor one of a dataset that there is not');
select is(pg_temp.outcomes(pg_temp.known('plain', 'funders'), pg_temp.known('plain', 'contracts')), '-1 -1', 'each dataset has lists');
select is(pg_temp.outcomes(pg_temp.known('plain', 'funders', tag => pg_temp.tag('grants'))), 'ask', 'each dataset has versions of its own');
select is(public.confirm_lists('[]')::text, '[]', 'no requests have no answers');
select is(public.confirm_lists(null)::text, '[]', 'nor has nothing');
select throws_ok($$select public.confirm_lists('{}')$$, '22023', null, 'what is no array is an error');
select throws_ok($$select public.confirm_lists('[1]')$$, '22023', null, 'so is what is no request');

-- Refusals are those of the list RPC.
create function pg_temp.refusal(holder text) returns jsonb language plpgsql as $$
declare
  details text;
begin
  perform public.list_grants(pg_temp.hash(holder), pg_temp.parameters());
  return null;
exception when others then
  get stacked diagnostics details = pg_exception_detail;
  return jsonb_build_object('failure', jsonb_build_object('code', sqlstate, 'message', sqlerrm, 'details', details, 'hint', null));
end
$$;
select is(public.confirm_lists(jsonb_build_array(pg_temp.known(holder)))::jsonb->0, pg_temp.refusal(holder), format('the key "%s" is refused as alone', holder))
from unnest(array['never made', 'revoked', 'closed']) as holder;
select is(pg_temp.outcomes(pg_temp.known('plain') - 'key_hash'), 'PT401', 'a request without a key is refused');
select is(pg_temp.outcomes(pg_temp.known('never made', tag => 'field.0')), 'ask', 'whose list has changed is refused by the list''s own RPC');
select is(pg_temp.outcomes(pg_temp.known('plain', 'grants', '{"search_mode": "telepathy", "search": "water"}', 'field.0'), pg_temp.known('plain')), 'ask -1',
  'parameters that are none are for the list''s own RPC to refuse');

-- Many requests.
select is(
  pg_temp.outcomes(pg_temp.known('revoked'), pg_temp.known('plain'), pg_temp.known('plain', tag => 'field.0'), pg_temp.known('never made'),
    pg_temp.known('plain', 'funders'), pg_temp.known('closed'), pg_temp.known('plain', 'contracts')),
  'PT401 -1 ask PT401 -1 PT403 -1', 'each has its own answer, in the order of asking');
select is(
  pg_temp.outcomes(variadic array(select pg_temp.known('metered') from generate_series(1, 5))), '2 1 0 PT429 PT429',
  'of five requests of an account with three places, three are admitted');
select is(pg_temp.used('metered'), 3::bigint, 'and three are counted');
select is(public.confirm_lists(jsonb_build_array(pg_temp.known('metered')))::jsonb->0, pg_temp.refusal('metered'), 'a used-up quota is told as alone');
select is(pg_temp.used('metered'), 3::bigint, 'and not counted');
update funding.daily_quota set used = 1 from funding.accounts where id = account_id and email = 'metered@confirmations.test';
select is(
  pg_temp.outcomes(pg_temp.known('metered, second key'), pg_temp.known('neighbour'), pg_temp.known('metered'), pg_temp.known('plain'),
    pg_temp.known('metered, second key'), pg_temp.known('neighbour')),
  '1 2 0 -1 PT429 1', 'the keys of an account share its quota, first come, first served, and other accounts have theirs');
select is(array[pg_temp.used('metered'), pg_temp.used('neighbour')], array[3, 2]::bigint[], 'each admitted request is counted once');
select is(pg_temp.outcomes(pg_temp.known('neighbour', tag => 'field.0'), pg_temp.known('neighbour')), 'ask 0', 'a list that has changed leaves the place');
select is(pg_temp.used('neighbour'), 3::bigint, 'and is not counted');
select is(public.list_grants(pg_temp.hash('plain'), pg_temp.parameters(), null, 'field.0')->'body'->>'total', '3', 'the list''s own RPC answers it');

-- After changes.
create temp table request as select pg_temp.known('plain') as known, pg_temp.known('plain', 'contracts') as other;
update funding.grants set title = 'Record 0' where source_id = '2';
select is(pg_temp.outcomes(known, other), 'ask -1', 'a record that changed makes the lists of its dataset old ones, and no others') from request;
update request set known = pg_temp.known('plain');
select is(pg_temp.outcomes(known, other), '-1 -1', 'the list of now is one that is known again') from request;
update funding.funders set name = 'Bureau of Trials';
select is(pg_temp.outcomes(known, other), 'ask ask', 'a funder''s new name makes all lists old ones that show funders') from request;

-- Ranked searches.
create function pg_temp.search(mode text, holder text default 'plain', tag text default null) returns jsonb language sql as $$
  select pg_temp.known(holder, 'grants', jsonb_build_object('search', 'record', 'sort_by', 'relevance', 'search_mode', mode), tag)
$$;
update funding.lexicon_fit set dimensions = 0;
select is(pg_temp.outcomes(pg_temp.search('keyword')), '-1', 'a ranking by words');
create temp table degraded as select pg_temp.search('hybrid') as known;
select is(known->>'known_tag' like 'keyword.%', true, 'before the first fit a hybrid search is one by words') from degraded;
select is(pg_temp.outcomes(known), '-1', 'which is confirmed as that') from degraded;
select is(pg_temp.outcomes(pg_temp.search('semantic', tag => replace(known->>'known_tag', 'keyword', 'semantic')), known), 'ask -1',
  'that there is no semantic search is for the list''s own RPC to say') from degraded;
update funding.lexicon_fit set dimensions = 384;
select is(pg_temp.outcomes(known), 'ask', 'once there is a fit it is not what a hybrid search would be') from degraded;
select is(pg_temp.outcomes(pg_temp.search('hybrid', tag => replace(known->>'known_tag', 'keyword', mode))),
  case mode when 'hybrid' then '-1' else 'ask' end, format('to a hybrid search, a list that was ranked in the mode %s', mode))
from degraded, unnest(array['hybrid', 'semantic', 'field']) as mode;
select is(pg_temp.outcomes(known, pg_temp.search('semantic', tag => replace(known->>'known_tag', 'keyword', 'semantic'))), 'ask -1',
  'each mode has a tag of its own') from degraded;
update funding.settings set value = value where name = 'fusion_k';
select is(pg_temp.outcomes(pg_temp.search('hybrid', tag => replace(known->>'known_tag', 'keyword', 'hybrid'))), 'ask',
  'a setting that may move the ranking makes it an old one') from degraded;

-- Under an external model, whose vectors are had elsewhere.
update funding.settings set value = '"openai/some-model"' where name = 'embedding_model';
create temp table external as select pg_temp.search('hybrid', tag => 'hybrid.' || funding.page_version('grants')) as known;
select is(public.list_grants(pg_temp.hash('plain'), known->'parameters')->'body'->'wanted_embedding'->>'model', 'openai/some-model',
  'a list whose query''s vector is not at hand needs it') from external;
select is(pg_temp.outcomes(known), '-1', 'to say that it is what it was does not') from external;
select is(pg_temp.outcomes(jsonb_set(known, '{known_tag}', to_jsonb(replace(known->>'known_tag', 'hybrid', 'keyword')))), 'ask',
  'one that was made without the vector may be made with it now') from external;

-- Locks.
create temp table lock_order (place serial, account_id uuid);
create function pg_temp.note_lock() returns trigger language plpgsql as $$
begin
  insert into lock_order (account_id) values (new.account_id);
  return null;
end
$$;
create trigger note_lock after insert or update on funding.daily_quota for each row execute function pg_temp.note_lock();
select pg_temp.add_holder('holder ' || number, 'test-three') from generate_series(1, 8) as number;
select is(pg_temp.outcomes(variadic array(select pg_temp.known('holder ' || number) from generate_series(8, 1, -1) as number)),
  '2 2 2 2 2 2 2 2', 'accounts that are asked for in any order');
select is(array(select account_id from lock_order order by place),
  array(select id from funding.accounts where email like 'holder%@confirmations.test' order by id),
  'are counted in the order in which all calls lock them');
select is(
  (select string_agg(setting, ', ' order by setting) from pg_proc, unnest(proconfig) as setting
   where proname = 'confirm_lists' and setting not like 'search\_path=%'),
  'lock_timeout=5s, statement_timeout=5s', 'it has the time limit of the list RPCs, and one for locks that it makes shorter');
select is(current_setting('lock_timeout'), '0', 'which is over with the call');

select * from finish();
rollback;
