-- Paging by cursor: every order, both directions, nulls and ties; and records that come and go meanwhile.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(45);

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
insert into funding.grants (id, title, description, amount_min, amount_max, deadline_date, status, classification, funder_id, created_at,
  source, source_id, content_hash)
select ('00000000-0000-8000-a000-00000000000' || number)::uuid, title, 'water', amount_min, amount_max, deadline_date, 'open', 'opportunity',
  '00000000-0000-8000-a000-000000000001', created_at, 'test', number::text, ''
from (values
  (4, '2026-01-03T00:00:00.123Z'::timestamptz, null::date, 0, null, 'Zebra'),
  (2, '2026-01-02T00:00:00Z', '2026-02-01', 10, 100.1, 'B'),
  (6, '2026-01-04T00:00:00Z', '2026-03-01', 5, 100.1, 'émile'),
  (1, '2026-01-01T00:00:00Z', null, null, null, 'b'),
  (3, '2026-01-02T00:00:00Z', '2026-02-01', 10, 100.1, repeat('a', 400) || '1'),
  (7, '2026-01-02T00:00:00Z', '2026-02-01', 10, 100.1, repeat('a', 400) || '0'),
  (5, '2026-01-01T00:00:00Z', '2026-01-01', null, 50, 'zebra')
) as opportunity(number, created_at, deadline_date, amount_min, amount_max, title);
insert into funding.contracts (id, title, description, amount_min, amount_max, deadline_date, status, classification, funder_id, created_at,
  source, source_id, content_hash)
select id, title, description, amount_min, amount_max, deadline_date, status, classification, funder_id, created_at, source, source_id, content_hash
from funding.grants;
-- Three in one millisecond, of which a record shows no more.
update funding.grants set updated_at = '2026-06-01T00:00:00.001Z'::timestamptz + ((source_id::integer * 3) % 7) * interval '300 microseconds';
update funding.contracts set updated_at = '2026-06-01T00:00:00.001Z'::timestamptz + ((source_id::integer * 3) % 7) * interval '300 microseconds';

create function pg_temp.digits(answer json) returns text language sql as $$
  select coalesce(string_agg(right(record->>'id', 1), '' order by place), '')
  from json_array_elements(answer->'results') with ordinality as item(record, place)
$$;
-- The last digits of the ids of all pages of a size, each after the one before.
create function pg_temp.walk(dataset text, parameters jsonb, size integer) returns text language plpgsql as $$
declare
  asked jsonb := parameters || jsonb_build_object('limit', size, 'offset', 0);
  answer json;
  seen text := '';
begin
  for turn in 1..20 loop
    answer := funding.list(dataset, asked);
    seen := seen || pg_temp.digits(answer) || '.';
    exit when answer->>'next' is null;
    asked := asked || jsonb_build_object('cursor', (answer->'next')::jsonb);
  end loop;
  return seen;
end
$$;
create function pg_temp.whole(dataset text, parameters jsonb) returns text language sql as $$
  select pg_temp.digits(funding.list(dataset, parameters || '{"limit": 100, "offset": 0}'))
$$;

select is(replace(pg_temp.walk(dataset, parameters, 2), '.', ''), pg_temp.whole(dataset, parameters),
  format('%s by %s %s, two at a time', dataset, sort_by, direction))
from unnest(array['grants', 'contracts']) as dataset,
     unnest(array['created_at', 'updated_at', 'deadline_date', 'amount_min', 'amount_max', 'title']) as sort_by,
     unnest(array['asc', 'desc']) as direction,
     jsonb_build_object('sort_by', sort_by, 'order', direction) as parameters;
select is(replace(pg_temp.walk('funders', parameters, 2), '.', ''), pg_temp.whole('funders', parameters), format('funders by %s %s', sort_by, direction))
from unnest(array['name', 'created_at']) as sort_by, unnest(array['asc', 'desc']) as direction,
     jsonb_build_object('sort_by', sort_by, 'order', direction) as parameters;

select is(pg_temp.walk('grants', '{"sort_by": "deadline_date", "order": "asc"}', 1), '5.2.3.7.6.1.4.', 'the last page says that it is the last');
select is(pg_temp.walk('grants', '{"sort_by": "deadline_date", "order": "asc"}', 7), '5237614.', 'also when it is full');
select is(pg_temp.walk('grants', '{"sort_by": "deadline_date", "order": "asc", "search": "nothing"}', 7), '.', 'and when it is empty');
select is(pg_temp.walk('grants', '{"sort_by": "amount_max", "order": "desc", "search": "water", "min_amount": 60}', 3), '763.2.', 'within a filter');
select is(pg_temp.digits(funding.list('grants', '{"sort_by": "created_at", "order": "asc", "limit": 2, "offset": 2,
  "cursor": {"sort_by": "created_at", "order": "asc", "key": "2026-01-01T00:00:00.000Z", "id": "00000000-0000-8000-a000-000000000001"}}')), '37',
  'an offset counts from the cursor');
select is(pg_temp.digits(funding.list('grants', jsonb_build_object('sort_by', 'deadline_date', 'order', direction, 'limit', 3, 'offset', 3,
    'cursor', funding.list('grants', jsonb_build_object('sort_by', 'deadline_date', 'order', direction, 'limit', 1, 'offset', 0))->'next'))),
  substr(pg_temp.whole('grants', jsonb_build_object('sort_by', 'deadline_date', 'order', direction)), 5, 3),
  format('also from records with a deadline to those without: %s', direction))
from unnest(array['asc', 'desc']) as direction;
select is((funding.list('grants', '{"limit": 2, "offset": 0, "cursor": {"sort_by": "created_at", "order": "desc", "key": "2026-01-04T00:00:00.000Z", "id": "00000000-0000-8000-a000-000000000006"}}')->>'total')::integer, 7,
  'the total is that of the whole list');

-- Ranked.
select is(replace(pg_temp.walk('grants', '{"search": "water", "sort_by": "relevance"}', 2), '.', ''),
  pg_temp.whole('grants', '{"search": "water", "sort_by": "relevance"}'), 'a keyword ranking');
select is(replace(pg_temp.walk('grants', '{"search": "water", "sort_by": "relevance", "order": "asc"}', 3), '.', ''),
  pg_temp.whole('grants', '{"search": "water", "sort_by": "relevance", "order": "asc"}'), 'a keyword ranking, the worst first');
select is(replace(pg_temp.walk('grants', '{"search": "water", "search_mode": "hybrid"}', 2), '.', ''),
  pg_temp.whole('grants', '{"search": "water", "search_mode": "hybrid"}'), 'a hybrid search');
select is(replace(pg_temp.walk('grants', '{"search": "water", "search_mode": "hybrid", "sort_by": "deadline_date", "order": "desc"}', 2), '.', ''),
  pg_temp.whole('grants', '{"search": "water", "search_mode": "hybrid", "sort_by": "deadline_date", "order": "desc"}'), 'a hybrid search in another order');

select is(pg_temp.walk('grants', '{"search": "water", "sort_by": "relevance"}', 7), pg_temp.whole('grants', '{"search": "water", "sort_by": "relevance"}') || '.',
  'the last page of a ranking says that it is the last, also when it is full');
select is(replace(pg_temp.walk('grants', '{"search": "water", "search_mode": "hybrid", "sort_by": "updated_at", "order": "asc"}', 2), '.', ''),
  pg_temp.whole('grants', '{"search": "water", "search_mode": "hybrid", "sort_by": "updated_at", "order": "asc"}'), 'a hybrid search by its last changes');

-- While records come and go.
create temporary table halfway as
select (funding.list('grants', '{"sort_by": "created_at", "order": "desc", "limit": 2, "offset": 0}')->'next')::jsonb as cursor;
insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000008', 'new', 'text', 'open', 'opportunity', '00000000-0000-8000-a000-000000000001', '2026-02-01', 'test', '8', '');
select is(pg_temp.digits(funding.list('grants', jsonb_build_object('limit', 2, 'offset', 0, 'sort_by', 'created_at', 'order', 'desc', 'cursor', cursor))), '73',
  'a record that came to the front moves nothing') from halfway;
delete from funding.grants where source_id = '4';
select is(pg_temp.digits(funding.list('grants', jsonb_build_object('limit', 2, 'offset', 0, 'sort_by', 'created_at', 'order', 'desc', 'cursor', cursor))), '73',
  'nor does one that went, even the one the cursor is of') from halfway;

-- An index entry is bounded, a title is not.
select lives_ok($$insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
  select '00000000-0000-8000-a000-000000000009', string_agg(md5(number::text), ''), 'text', 'open', 'opportunity',
    '00000000-0000-8000-a000-000000000001', now(), 'test', '9', '' from generate_series(1, 300) as number$$, 'a title of 9,600 characters is stored');

select * from finish();
rollback;
