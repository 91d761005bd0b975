-- Names of funders, present and former, and the funder that a record's name means.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(26);

truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes;

create function pg_temp.id(number integer) returns uuid language sql as $$
  select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid
$$;

create function pg_temp.add(number integer, name text, source text default 'test', content_hash text default 'directory') returns void language sql as $$
  insert into funding.funders (id, name, created_at, source, source_id, content_hash)
  values (pg_temp.id(number), name, timestamptz '2026-01-01' + number * interval '1 day', source, 'F' || number, content_hash)
$$;

-- Funder that an opportunity of a source means by a name, as its number.
create function pg_temp.meant(name text, source text default 'test') returns integer language sql as $$
  select right(funder_id::text, 12)::integer
  from funding.funder_mentions(jsonb_build_array(jsonb_build_object('source', source, 'funder_source_id', null, 'funder_name', name)))
$$;

-- Names of a funder: "name" for the present one, "(name)" for former ones, the oldest first.
create function pg_temp.names(number integer) returns text language sql as $$
  select string_agg(case when former_order is null then name else format('(%s)', name) end, ', ' order by former_order nulls last)
  from funding.funder_names where funder_id = pg_temp.id(number)
$$;

select pg_temp.add(1, 'Water Office');
select is(pg_temp.names(1), 'Water Office', 'a new funder has its name');
update funding.funders set name = 'Office of Water' where id = pg_temp.id(1);
select is(pg_temp.names(1), '(Water Office), Office of Water', 'a renamed funder keeps its former name');
select is(pg_temp.meant('water office'), 1, 'by which it is found');
update funding.funders set name = 'Office of Water.' where id = pg_temp.id(1);
select is(pg_temp.names(1), '(Water Office), Office of Water.', 'another spelling is the same name, spelt anew');
update funding.funders set name = 'Rivers' where id = pg_temp.id(1);
select is(pg_temp.names(1), '(Water Office), (Office of Water.), Rivers', 'each former name stays, in the order in which they were given up');
update funding.funders set name = 'Water Office' where id = pg_temp.id(1);
select is(pg_temp.names(1), '(Office of Water.), (Rivers), Water Office', 'a former name can become the present one again');
update funding.funders set id = pg_temp.id(11) where id = pg_temp.id(1);
select is(pg_temp.names(1), null, 'names follow an id that changes');
select is(pg_temp.names(11), '(Office of Water.), (Rivers), Water Office', 'all of them');
update funding.funders set id = pg_temp.id(1), name = 'Lakes' where id = pg_temp.id(11);
select is(pg_temp.names(1), '(Office of Water.), (Rivers), (Water Office), Lakes', 'with a new name at the same time, too');
delete from funding.funders;
select is((select count(*) from funding.funder_names), 0::bigint, 'a deleted funder leaves no name');

-- Of several funders, the one that is meant.
select pg_temp.add(1, 'Parks');
select pg_temp.add(2, 'Woods');
update funding.funders set name = 'Woods and Parks' where id = pg_temp.id(1);
update funding.funders set name = 'Parks' where id = pg_temp.id(2);
select is(pg_temp.meant('Parks'), 2, 'who is called so now comes before who was');
select is(pg_temp.meant('Woods'), 2, 'a name that nobody has now is its former bearer''s');
select pg_temp.add(3, 'Woods', 'other');
update funding.funders set name = 'Forests' where id = pg_temp.id(3);
select is(pg_temp.meant('Woods', 'test'), 2, 'of two that were called so, the source''s own');
select is(pg_temp.meant('Woods', 'other'), 3, 'for each source');
select is(pg_temp.meant('Woods', 'third'), 3, 'for other sources, the one that was called so last');
select pg_temp.add(4, 'Parks', 'other');
select is(pg_temp.meant('Parks', 'third'), 2, 'of two that are called so, the one that was first');
select is(pg_temp.meant('Parks', 'other'), 4, 'but for the source''s own');
select is(pg_temp.meant('Deserts'), null, 'nobody has a name that is not known');

-- A directory's funders, of which opportunities named some before.
delete from funding.funders;
create function pg_temp.ids(variadic funders text[]) returns text language sql as $$
  select string_agg(coalesce((select funders.name from funding.funders where funders.id = given.id), 'new'), ', ' order by position)
  from unnest(funding.funder_record_ids((
    select jsonb_agg(jsonb_build_object('source', 'directory', 'source_id', split_part(funder, ' ', 1), 'name', substr(funder, strpos(funder, ' ') + 1)) order by position)
    from unnest(funders) with ordinality as given(funder, position)))) with ordinality as given(id, position)
$$;
select pg_temp.add(1, 'Water', content_hash => '');
select pg_temp.add(2, 'Fire');
select is(pg_temp.ids('D1 water', 'D2 Fire', 'D3 Air'), 'Water, new, new', 'a directory''s funder is the one that opportunities named so, and no other directory''s');
select is((select array_agg((source, code, funder_id) order by code) from funding.funder_codes)::text,
  (array[row('test'::text, 'F1'::text, pg_temp.id(1))])::text, 'whose former code stays known');
select is(pg_temp.ids('D1 Water', 'D4 Water'), 'Water, new', 'of two with the name, the first in the batch is it');
update funding.funders set name = 'Waters' where id = pg_temp.id(1);
select is(pg_temp.ids('D1 Water'), 'new', 'a former name adopts nobody');
select pg_temp.add(5, 'Earth', content_hash => '');
select pg_temp.add(6, 'Earth', content_hash => '');
select is(right(funding.funder_record_ids('[{"source": "directory", "source_id": "D5", "name": "Earth"}]')::text, 13), '000000000005}', 'of two that opportunities named so, the first');
update funding.funders set source = 'directory', source_id = 'D6', name = 'Stone' where id = pg_temp.id(6);
select is(pg_temp.ids('D6 Earth', 'D7 Earth'), 'Stone, Earth', 'a code says more than a name, and leaves the name to another');
select pg_temp.add(7, 'Sand', content_hash => '');
update funding.funders set source_id = 'name:sand' where id = pg_temp.id(7);
select is(pg_temp.ids('D8 Sand'), 'Sand', 'a funder that was known by its name alone is adopted');
select is_empty($$select from funding.funder_codes where code like 'name:%'$$, 'and had no code to keep');

select * from finish();
rollback;
