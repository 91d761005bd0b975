-- Records as the API shows them, the rules they must keep, and their ids.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(99);

truncate funding.grants, funding.contracts, funding.funders;
insert into funding.funders (id, name, summary, website, created_at, source, source_id, content_hash) values
  ('00000000-0000-8000-a000-000000000001', 'Bureau of Tests', 'Tests.', 'https://tests.example', '2026-01-01T05:00:00.007Z', 'test', '1', ''),
  ('00000000-0000-8000-a000-000000000002', 'Quiet Fund', null, null, '2026-01-01T00:00:00Z', 'test', '2', '');

-- Adds a record; fields that are not given are a plain open opportunity's.
create function pg_temp.add(dataset text, fields jsonb default '{}') returns uuid language plpgsql as $$
declare
  item jsonb := jsonb_build_object('id', gen_random_uuid(), 'title', 'A title', 'description', 'text', 'status', 'open',
    'classification', 'opportunity', 'funder_id', '00000000-0000-8000-a000-000000000001', 'created_at', '2026-06-01T00:00:00Z',
    'source', 'test', 'source_id', gen_random_uuid(), 'content_hash', '') || fields;
  columns text := (select string_agg(quote_ident(key), ', ') from jsonb_object_keys(item) as key);
begin
  execute format('insert into funding.%1$I (%2$s) select %2$s from jsonb_populate_record(null::funding.%1$I, $1)', dataset, columns) using item;
  return item->>'id';
end
$$;

create function pg_temp.keys(shown json) returns text language sql as $$
  select string_agg(key, ' ') from json_object_keys(shown) as key
$$;

-- Grants.
create temporary table example as select 'grants' as dataset, 'open' as kind, pg_temp.add('grants', '{"title": "Water \"and\" {braces}",
  "description": "Zeile\nünïcode \\ 🌊", "amount_min": 1000, "amount_max": 2500000.5, "deadline_date": "2026-07-04", "status": "posted",
  "geography": "Ohio", "states": ["OH"], "listing_url": "https://grants.example/1", "created_at": "2026-06-10T14:00:00.123456+02:00",
  "categories": ["Health", "Education"], "identifiers": ["EPA-1"]}') as id;
insert into example select 'grants', 'awarded', pg_temp.add('grants', '{"classification": "awarded_project", "project_end_date": "2027-12-31"}');
insert into example select 'grants', 'awarded without an end', pg_temp.add('grants', '{"classification": "awarded_project"}');
insert into example select 'grants', 'bare', pg_temp.add('grants');
insert into example select 'contracts', 'open', pg_temp.add('contracts', '{"title": "Road", "amount_max": 5, "deadline_date": "2026-07-04",
  "document_url": "https://sam.example/doc", "naics": "237310", "primary_contact_email": "a@example.gov", "set_aside_code": "8A"}');
insert into example select 'contracts', 'awarded', pg_temp.add('contracts', '{"classification": "awarded_project", "project_end_date": "2027-12-31"}');

create function pg_temp.shown(named text, of_kind text) returns json language sql as $$
  select funding.single(named, id) from example where dataset = named and kind = of_kind
$$;

select is(pg_temp.keys(pg_temp.shown('grants', 'open')),
  'id title description amount_min amount_max deadline_date status geography funder_id funder_name listing_url created_at categories',
  'a grant has the contract''s fields, in its order, and no other');
select is(pg_temp.shown('grants', 'open')::jsonb - 'id',
  '{"title": "Water \"and\" {braces}", "description": "Zeile\nünïcode \\ 🌊", "amount_min": 1000, "amount_max": 2500000.5,
    "deadline_date": "2026-07-04", "status": "posted", "geography": "Ohio", "funder_id": "00000000-0000-8000-a000-000000000001",
    "funder_name": "Bureau of Tests", "listing_url": "https://grants.example/1", "created_at": "2026-06-10T12:00:00.123Z",
    "categories": ["Health", "Education"]}',
  'a grant is shown as it was stored, with its funder''s name, dates as days and moments in UTC');
select is(pg_temp.shown('grants', 'open')->>'id', (select id::text from example where dataset = 'grants' and kind = 'open'), 'a grant is found by its id');
select is(pg_temp.keys(pg_temp.shown('grants', 'awarded')),
  'id title description amount_min amount_max deadline_date status geography funder_id funder_name listing_url created_at categories project_end_date',
  'an awarded grant also has its project_end_date');
select is(pg_temp.shown('grants', 'awarded')->>'project_end_date', '2027-12-31', 'a project_end_date is a day');
select is(pg_temp.shown('grants', 'awarded')::jsonb->'deadline_date', 'null', 'an awarded grant''s deadline_date is null');
select is(pg_temp.shown('grants', 'awarded without an end')::jsonb->'project_end_date', 'null', 'an unknown project_end_date is null, and there');
select is(pg_temp.shown('grants', 'bare')::jsonb - array['id', 'title', 'description', 'status', 'funder_id', 'funder_name', 'created_at'],
  '{"amount_min": null, "amount_max": null, "deadline_date": null, "geography": null, "listing_url": null, "categories": []}',
  'what a grant does not have is null, and its categories an empty list');
select is(funding.single('grants', gen_random_uuid())::text, null, 'an id that no record has shows nothing');

-- Contracts.
select is(pg_temp.keys(pg_temp.shown('contracts', 'open')),
  'id title description amount_min amount_max deadline_date status geography document_url listing_url naics primary_contact_email '
  || 'set_aside_code funder_id funder_name created_at categories',
  'a contract has the contract''s fields, in its order, and no other');
select is(pg_temp.shown('contracts', 'open')::jsonb - 'id',
  '{"title": "Road", "description": "text", "amount_min": null, "amount_max": 5, "deadline_date": "2026-07-04", "status": "open",
    "geography": null, "document_url": "https://sam.example/doc", "listing_url": null, "naics": "237310",
    "primary_contact_email": "a@example.gov", "set_aside_code": "8A", "funder_id": "00000000-0000-8000-a000-000000000001",
    "funder_name": "Bureau of Tests", "created_at": "2026-06-01T00:00:00.000Z", "categories": []}',
  'a contract is shown as it was stored');
select is(pg_temp.shown('contracts', 'awarded')->>'project_end_date', '2027-12-31', 'an awarded contract also has its project_end_date');

-- Funders.
select is(funding.single('funders', '00000000-0000-8000-a000-000000000001')::text,
  '{"id":"00000000-0000-8000-a000-000000000001","name":"Bureau of Tests","summary":"Tests.","website":"https://tests.example",'
  || '"created_at":"2026-01-01T05:00:00.007Z"}', 'a funder has five fields');
select is(funding.single('funders', '00000000-0000-8000-a000-000000000002')::jsonb - 'id',
  '{"name": "Quiet Fund", "summary": null, "website": null, "created_at": "2026-01-01T00:00:00.000Z"}', 'what a funder does not have is null');
update funding.funders set name = 'Bureau of Trials' where id = '00000000-0000-8000-a000-000000000001';
select is(pg_temp.shown('grants', 'open')->>'funder_name', 'Bureau of Trials', 'a grant shows the name that its funder has now');

-- The session's settings do not show.
create temporary table plainly as select kind, dataset, funding.single(dataset, id)::text as body from example;
set local timezone = 'America/New_York';
set local datestyle = 'SQL, DMY';
set local extra_float_digits = 0;
set local intervalstyle = 'sql_standard';
select is(funding.single(dataset, id)::text, plainly.body, format('%s, %s: time zone, date style and float digits change nothing', dataset, kind))
from example join plainly using (dataset, kind) where kind in ('open', 'awarded');
select is(funding.moment('2026-03-08T07:30:00Z'), '2026-03-08T07:30:00.000Z', 'a moment is in UTC through a change to summer time');
select is(funding.iso_date('2026-02-03'::date), funding.iso_date(make_date(2026, 2, 3)), 'a day is year, month, day');
reset timezone;
reset datestyle;
reset extra_float_digits;
reset intervalstyle;
select is(funding.moment(null), null, 'no moment is null');
select is(funding.moment('2026-12-31T23:59:59.9996Z'), '2026-12-31T23:59:59.999Z', 'a moment is not rounded into another year');

-- with_member
select is(funding.with_member('{"a" : "}"}', 'b', '1')::text, '{"a" : "}", "b" : 1}', 'a member is added at the end, whatever the text before it');
select is(funding.with_member('{"a" : 1}', 'quote"d', '"x\\y"')::jsonb, '{"a": 1, "quote\"d": "x\\y"}', 'a member''s name is escaped');

-- Rows that the tables refuse.
create temporary table refused (dataset text, fields jsonb, rule text, says text);
insert into refused values
  ('grants', '{"classification": "awarded_project", "deadline_date": "2026-07-01"}', 'awarded_has_no_deadline', 'an awarded project has no deadline'),
  ('grants', '{"project_end_date": "2026-07-01"}', 'opportunity_has_no_project_end', 'an opportunity has no project end'),
  ('grants', '{"status": "draft"}', 'status_known', 'a grant''s status is one of five'),
  ('grants', '{"status": "Open"}', 'status_known', 'a grant''s status is in lower case'),
  ('contracts', '{"status": "Open"}', 'status_lower_case', 'a contract''s status is in lower case'),
  ('contracts', '{"status": ""}', 'status_lower_case', 'a contract has a status'),
  ('contracts', '{"naics": "54151"}', 'naics_six_digits', 'a NAICS code has six digits, not five'),
  ('contracts', '{"naics": "5415110"}', 'naics_six_digits', 'a NAICS code has six digits, not seven'),
  ('contracts', '{"naics": "54151a"}', 'naics_six_digits', 'a NAICS code has digits alone'),
  ('contracts', '{"naics": "541511\n"}', 'naics_six_digits', 'a NAICS code has no line break');
insert into refused
select dataset, fields::jsonb, rule, dataset || ': ' || says
from unnest(array['grants', 'contracts']) as dataset, (values
  ('{"classification": "won"}', 'classification_known', 'a classification is one of two'),
  ('{"is_national": true, "states": ["OH"]}', 'national_names_no_state', 'a national record names no state'),
  ('{"amount_min": 2, "amount_max": 1}', 'amounts_in_order', 'the least amount is not above the most'),
  ('{"amount_min": -1}', 'amounts_not_negative', 'the least amount is not negative'),
  ('{"amount_max": -0.01}', 'amounts_not_negative', 'the most is not negative'),
  ('{"title": ""}', 'title_present', 'a record has a title'),
  ('{"funder_id": "00000000-0000-4000-8000-000000000000"}', 'funder_id_fkey', 'a record has a funder that there is'),
  ('{"source": "twice", "source_id": "1"}', 'source_unique', 'a source''s record is there once')
) as rule(fields, rule, says);
select pg_temp.add('grants', '{"source": "twice", "source_id": "1"}');
select pg_temp.add('contracts', '{"source": "twice", "source_id": "1"}');
select throws_like(format('select pg_temp.add(%L, %L)', dataset, fields), '%"' || dataset || '_' || rule || '"%', says) from refused;
select throws_ok(format('select pg_temp.add(%L, %L)', dataset, jsonb_build_object(name, null)), '23502', null, format('%s: %s is not null', dataset, name))
from unnest(array['grants', 'contracts']) as dataset, unnest(array['title', 'description', 'created_at', 'funder_id', 'categories', 'states']) as name;
select throws_like($$insert into funding.funders (id, name, created_at, source, source_id, content_hash) values (gen_random_uuid(), '', now(), 'a', 'b', '')$$,
  '%"funders_name_present"%', 'a funder has a name');
select throws_ok($$delete from funding.funders where id = '00000000-0000-8000-a000-000000000001'$$, '23503', null, 'a funder that a record names cannot go');
select throws_ok(format('select pg_temp.add(%L, %L)', dataset, jsonb_build_object(name, 'NaN')), '23514', null, format('%s: %s is a number', dataset, name))
from unnest(array['grants', 'contracts']) as dataset, unnest(array['amount_min', 'amount_max']) as name;
select throws_ok(format('select pg_temp.add(%L, %L)', dataset, '{"amount_max": "Infinity"}'), '23514', null, dataset || ': an amount is finite')
from unnest(array['grants', 'contracts']) as dataset;

-- Rows that they accept.
select lives_ok(format('select pg_temp.add(%L, %L)', dataset, fields), dataset || ': ' || says)
from unnest(array['grants', 'contracts']) as dataset, (values
  ('{"amount_min": 5, "amount_max": 5}', 'both amounts can be the same'),
  ('{"amount_min": 0, "amount_max": 0}', 'an amount can be 0'),
  ('{"amount_min": 5}', 'the most can be unknown'),
  ('{"is_national": true}', 'a record can be national'),
  ('{"states": ["OH", "IN"]}', 'a record can be of several states'),
  ('{"status": "upcoming"}', 'a record can be upcoming'),
  ('{"source": "thrice", "source_id": "1"}', 'two datasets can have the same source id')
) as accepted(fields, says);

-- Ids.
select is(funding.record_id('grants', 'grants-gov', '350123'),
  -- md5 of "grants/grants-gov/350123", with its version and variant written over
  overlay(overlay(md5('grants/grants-gov/350123') placing '8' from 13) placing 'a' from 17)::uuid, 'an id is made of the dataset, the source and its id');
select is(funding.record_id('grants', 'test', 'stable'), 'ec41819e-3aa1-8a1e-a23a-8839d939d520'::uuid, 'an id is the same on every machine, and for ever');
select is_empty($$select id from (select funding.record_id('grants', 'test', number::text)::text as id from generate_series(1, 1000) as number) as made
  where substr(id, 15, 1) <> '8'$$, 'every id is of RFC 9562''s version 8');
select is_empty($$select id from (select funding.record_id('grants', 'test', number::text)::text as id from generate_series(1, 1000) as number) as made
  where substr(id, 20, 1) not in ('8', '9', 'a', 'b')$$, 'every id is of RFC 9562''s variant');
select is((select count(distinct funding.record_id(dataset, source, number::text))
  from unnest(array['grants', 'contracts', 'funders']) as dataset, unnest(array['one', 'two']) as source, generate_series(1, 500) as number),
  3000::bigint, 'dataset, source and source id each make another id');
select isnt(funding.record_id('grants', 'a', 'b/c'), funding.record_id('grants', 'a/b', 'c'), 'two sources'' records do not share an id, whatever characters they use');

-- Names.
select is(funding.name_key('  The Peña-Núñez   Fund, Inc. '), 'the pena nunez fund inc', 'names are compared without case, accents, punctuation and spacing');
select is(funding.name_key('Fund & Trust'), funding.name_key('FUND   TRUST'), 'an ampersand is punctuation');
select isnt(funding.name_key('Fund 1'), funding.name_key('Fund 2'), 'digits tell names apart');
select is(funding.name_key(E'Fund\u00a0One'), 'fund one', 'a space that does not break is a space');
select is(funding.name_key('Children’s Fund – West'), funding.name_key('Children''s Fund - West'), 'typographic quotes and dashes are those of a typewriter');
select is(funding.name_key(E'Fund\tOne\n'), 'fund one', 'tabs and line breaks are spaces');
select is(funding.name_key('...'), '', 'a name of punctuation alone has an empty key');
select isnt(funding.name_key('財団'), funding.name_key('基金'), 'names in other scripts are told apart');

select * from finish();
rollback;
