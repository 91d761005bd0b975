-- The order of lists, and their pages.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(44);

truncate funding.grants, funding.contracts, funding.funders;
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
select ('00000000-0000-8000-a000-00000000000' || number)::uuid, name, created_at, 'test', number::text, ''
from (values
  (1, 'b', '2026-01-01T00:00:00Z'::timestamptz),
  (2, 'B', '2026-01-02T00:00:00Z'),
  (3, 'a', '2026-01-02T00:00:00Z'),
  (4, 'Zebra', '2026-01-03T00:00:00Z'),
  (5, '8 Trees', '2026-01-01T00:00:00Z')
) as funder(number, name, created_at);

create temporary table opportunity (
  number integer, created_at timestamptz, deadline_date date, amount_min double precision, amount_max double precision, title text);
-- Ties in every field, nulls wherever there may be some, and ids in another order than the rows.
insert into opportunity values
  (4, '2026-01-03T00:00:00Z', null, 0, null, 'Zebra'),
  (2, '2026-01-02T00:00:00Z', '2026-02-01', 10, 100, 'B'),
  (6, '2026-01-04T00:00:00Z', '2026-03-01', 5, 100, 'émile'),
  (1, '2026-01-01T00:00:00Z', null, null, null, 'b'),
  (3, '2026-01-02T00:00:00Z', '2026-02-01', 10, 100, 'a'),
  (5, '2026-01-01T00:00:00Z', '2026-01-01', null, 50, 'zebra');
insert into funding.grants (id, title, description, amount_min, amount_max, deadline_date, status, classification, funder_id, created_at,
  source, source_id, content_hash)
select ('00000000-0000-8000-a000-00000000000' || number)::uuid, title, 'same text', amount_min, amount_max, deadline_date, 'open', 'opportunity',
  '00000000-0000-8000-a000-000000000001', created_at, 'test', number::text, '' from opportunity;
insert into funding.contracts (id, title, description, amount_min, amount_max, deadline_date, status, classification, funder_id, created_at,
  source, source_id, content_hash)
select id, title, description, amount_min, amount_max, deadline_date, status, classification, funder_id, created_at, source, source_id, content_hash
from funding.grants;

-- The last digits of a page's ids, in its order.
create function pg_temp.page(dataset text, parameters jsonb) returns text language sql as $$
  select coalesce(string_agg(right(record->>'id', 1), '' order by place), '')
  from json_array_elements(funding.list(dataset, '{"limit": 100, "offset": 0}' || parameters)->'results') with ordinality as item(record, place)
$$;

create temporary table expected (sort_by text, direction text, ids text, says text);
insert into expected values
  ('created_at', 'asc', '152346', 'oldest first, ties by id upwards'),
  ('created_at', 'desc', '643251', 'newest first, ties by id downwards'),
  ('deadline_date', 'asc', '523614', 'soonest first, records without a deadline last, ties by id upwards'),
  ('deadline_date', 'desc', '632541', 'latest first, records without a deadline last, ties by id downwards'),
  ('amount_min', 'asc', '462315', 'least first, 0 before all else, records without an amount last'),
  ('amount_min', 'desc', '326451', 'most first, records without an amount last, ties by id downwards'),
  ('amount_max', 'asc', '523614', 'least first, records without an amount last, ties by id upwards'),
  ('amount_max', 'desc', '632541', 'most first, records without an amount last, ties by id downwards'),
  ('title', 'asc', '312456', 'alphabetical whatever the case, accented letters after z, ties by id upwards'),
  ('title', 'desc', '654213', 'against the alphabet whatever the case, ties by id downwards');

select is(pg_temp.page(dataset, jsonb_build_object('sort_by', sort_by, 'order', direction)), ids,
  format('%s by %s %s: %s', dataset, sort_by, direction, says))
from expected, unnest(array['grants', 'contracts']) as dataset;
select is(pg_temp.page('funders', '{"sort_by": "name", "order": "asc"}'), '53124', 'funders by name asc: digits, then letters whatever the case, ties by id upwards');
select is(pg_temp.page('funders', '{"sort_by": "name", "order": "desc"}'), '42135', 'funders by name desc: the reverse, ties by id downwards');
select is(pg_temp.page('funders', '{"sort_by": "created_at", "order": "asc"}'), '15234', 'funders by created_at asc: oldest first, ties by id upwards');
select is(pg_temp.page('funders', '{"sort_by": "created_at", "order": "desc"}'), '43251', 'funders by created_at desc: newest first, ties by id downwards');

-- Defaults, and the order that a response names.
select is(pg_temp.page('grants', '{}'), '643251', 'grants are listed newest first unless asked otherwise');
select is(pg_temp.page('contracts', '{}'), '643251', 'contracts are listed newest first unless asked otherwise');
select is(pg_temp.page('funders', '{}'), '53124', 'funders are listed by name unless asked otherwise');
select is(pg_temp.page('grants', '{"sort_by": "title"}'), '654213', 'grants are in descending order unless asked otherwise');
select is(pg_temp.page('grants', '{"order": "asc"}'), '152346', 'a direction alone is that of the default order');
select is(funding.list('grants', '{"limit": 1, "offset": 0}')->>'sort_by' || ' ' || (funding.list('grants', '{"limit": 1, "offset": 0}')->>'order'),
  'created_at desc', 'an answer says the default order of grants');
select is(funding.list('funders', '{"limit": 1, "offset": 0}')->>'sort_by' || ' ' || (funding.list('funders', '{"limit": 1, "offset": 0}')->>'order'),
  'name asc', 'an answer says the default order of funders');
select is(funding.list('grants', '{"limit": 1, "offset": 0, "sort_by": "amount_max", "order": "asc"}')->>'sort_by', 'amount_max', 'an answer says the order asked for');
select is(funding.list('grants', '{"limit": 1, "offset": 0}')->>'search_mode', 'keyword', 'an answer says its search mode');
select is((select array_agg(key) from json_object_keys(funding.list('grants', '{"limit": 1, "offset": 0}')) as key),
  array['results', 'archived', 'last_updated_at', 'total', 'next', 'facets', 'sort_by', 'order', 'search_mode', 'data_as_of', 'understood', 'marks', 'tag'], 'an answer has the members that are promised');
select throws_like($$select funding.sort_order('nothing', 'asc')$$, 'no such order: nothing', 'an unknown order is refused');
select throws_like($$select funding.sort_order('title', 'ASC')$$, 'no such order: title ASC', 'a direction in capitals is refused');
select throws_ok($$select funding.sort_order(null, 'asc')$$, '22023', null, 'an absent order is refused');

-- Pages.
select is(pg_temp.page('grants', '{"limit": 2, "sort_by": "amount_max", "order": "asc"}')
  || pg_temp.page('grants', '{"limit": 2, "offset": 2, "sort_by": "amount_max", "order": "asc"}')
  || pg_temp.page('grants', '{"limit": 2, "offset": 4, "sort_by": "amount_max", "order": "asc"}'),
  '523614', 'pages one after the other are the list, though records tie');
select is(pg_temp.page('grants', '{"limit": 1, "offset": 5}'), '1', 'a page can begin at the last record');
select is(pg_temp.page('grants', '{"offset": 6}'), '', 'a page beyond the last record is empty');
select is(pg_temp.page('grants', '{"offset": 10000}'), '', 'a page far beyond the last record is empty');
select is(funding.list('grants', '{"limit": 1, "offset": 10000}')->>'results', '[]', 'an empty page is a list of nothing, not null');
select is(funding.list('grants', '{"limit": 2, "offset": 4}')->>'total', '6', 'the total is that of all pages');
select is(funding.list('grants', '{"limit": 2, "offset": 10000}')->>'total', '6', 'the total is the same on a page beyond the last');

select * from finish();
rollback;
