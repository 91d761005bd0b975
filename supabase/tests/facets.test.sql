-- Facets of a list.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(15);

truncate funding.grants, funding.contracts, funding.funders, funding.pages;
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000001', 'Bureau of Tests', now(), 'test', 'funder', '');
insert into funding.contracts (id, title, description, status, classification, states, categories, naics, set_aside_code, funder_id, created_at,
  archived_at, source, source_id, content_hash)
select ('00000000-0000-8000-a000-00000000000' || number)::uuid, title, 'text', status, 'opportunity', states, categories, naics, set_aside_code,
  '00000000-0000-8000-a000-000000000001', now(), archived_at, 'test', number::text, ''
from (values
  (1, 'Water mains', 'open', '{OH,PA}'::text[], '{Water,Public Works}'::text[], '237110', 'SBA', null::timestamptz),
  (2, 'Water towers', 'open', '{OH}', '{Water}', '237110', null, null),
  (3, 'Roads', 'closed', '{}', '{}', null, null, null),
  (4, 'Water rights', 'open', '{OH}', '{Water}', '541110', '8A', now())
) as contract(number, title, status, states, categories, naics, set_aside_code, archived_at);

create function pg_temp.facets(asked text, more jsonb default '{}') returns jsonb language sql as $$
  select (funding.list('contracts', jsonb_build_object('limit', 1, 'offset', 0, 'facets', string_to_array(asked, ',')) || more)->'facets')::jsonb
$$;

select is(pg_temp.facets('status'), '{"status": [{"value": "open", "count": 2}, {"value": "closed", "count": 1}]}', 'most frequent first');
select is(pg_temp.facets('states'), '{"states": [{"value": "OH", "count": 2}, {"value": "PA", "count": 1}]}', 'each of a record''s states counts');
select is(pg_temp.facets('category'), '{"category": [{"value": "Water", "count": 2}, {"value": "Public Works", "count": 1}]}', 'categories, as they are written');
select is(pg_temp.facets('naics,set_aside'), '{"naics": [{"value": "237110", "count": 2}], "set_aside": [{"value": "SBA", "count": 1}]}', 'several at once; none is no value');
select is(pg_temp.facets('naics', '{"include_archived": true}'), '{"naics": [{"value": "237110", "count": 2}, {"value": "541110", "count": 1}]}', 'filters apply');
select is(pg_temp.facets('status', '{"search": "water", "states": ["PA"]}'), '{"status": [{"value": "open", "count": 1}]}', 'all of them');
select is(pg_temp.facets('status', '{"search": "nothing"}'), '{"status": []}', 'of no records');
select is(pg_temp.facets('status', '{"search": "water", "search_mode": "keyword", "sort_by": "relevance"}'), '{"status": [{"value": "open", "count": 2}]}', 'of a ranked search');
select is(pg_temp.facets('status', '{"limit": 100, "offset": 2}'), pg_temp.facets('status'), 'a page''s facets are the list''s');
select is(funding.list('contracts', '{"limit": 1, "offset": 0, "count_only": true, "facets": ["status"]}')::jsonb,
  '{"total": 3, "facets": {"status": [{"value": "open", "count": 2}, {"value": "closed", "count": 1}]}}', 'with a total alone');
update funding.contracts set status = 'cancelled' where source_id = '3';
select is(pg_temp.facets('status')->'status'->1->>'value', 'cancelled', 'they are of now after a change');

-- Cache, and most values.
set local session_replication_role = replica;
update funding.contracts set status = 'unseen' where source_id = '3';
set local session_replication_role = origin;
select is(pg_temp.facets('status')->'status'->1->>'value', 'cancelled', 'they are remembered at once');
insert into funding.contracts (id, title, description, status, classification, naics, funder_id, created_at, source, source_id, content_hash)
select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid, 'many', 'text', 'open', 'opportunity', number::text,
  '00000000-0000-8000-a000-000000000001', now(), 'test', number::text, '' from generate_series(100000, 100149) as number;
select is(jsonb_array_length(pg_temp.facets('naics')->'naics'), 100, 'the hundred most frequent values');

select throws_ok($$select funding.list('contracts', '{"limit": 1, "offset": 0, "facets": ["status", "title"]}')$$, '22023', null,
  'a facet must be one that is offered');
select throws_ok($$select funding.list('grants', '{"limit": 1, "offset": 0, "facets": ["naics"]}')$$, '22023', null,
  'grants have no facet of contracts');

select * from finish();
rollback;
