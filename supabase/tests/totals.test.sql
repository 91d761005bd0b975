-- Totals: exact after every kind of change.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(26);

truncate funding.grants, funding.contracts, funding.funders;
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000001', 'Bureau of Tests', now(), 'test', 'funder', '');

create function pg_temp.add(dataset text, numbers int4range, status text default 'open') returns void language plpgsql as $$
begin
  execute format($insert$
    insert into funding.%I (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
    select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid, 'Record ' || number, 'text', $1, 'opportunity',
      '00000000-0000-8000-a000-000000000001', now(), 'test', number::text, ''
    from generate_series(lower($2), upper($2) - 1) as number
    on conflict (id) do update set status = excluded.status
  $insert$, dataset) using status, numbers;
end
$$;

create function pg_temp.version(named text) returns bigint language sql as $$
  select version from funding.data_versions where dataset = named
$$;

-- Totals after changes.
select is(funding.total('grants', '{}'), 0::bigint, 'an empty dataset has a total of 0');
select pg_temp.add('grants', '[1,5]');
select is(funding.total('grants', '{}'), 5::bigint, 'a total is exact after an insert');
select is(funding.total('grants', '{"status": "closed"}'), 0::bigint, 'a filter that matches nothing has a total of 0');
select is(funding.total('grants', '{"status": "open"}'), 5::bigint, 'a filter that matches everything has the whole total');
update funding.grants set status = 'closed' where source_id in ('1', '2');
select is(funding.total('grants', '{"status": "closed"}'), 2::bigint, 'a total is exact after an update that moves records in');
select is(funding.total('grants', '{"status": "open"}'), 3::bigint, 'a total is exact after an update that moves records out');
select is(funding.total('grants', '{}'), 5::bigint, 'a total is exact after an update that moves nothing in or out');
update funding.grants set archived_at = now() where source_id = '1';
select is(funding.total('grants', '{}'), 4::bigint, 'a total is exact after a record is archived');
update funding.grants set archived_at = null where source_id = '1';
select is(funding.total('grants', '{}'), 5::bigint, 'a total is exact after a record comes back');
delete from funding.grants where source_id = '3';
select is(funding.total('grants', '{}'), 4::bigint, 'a total is exact after a delete');
select pg_temp.add('grants', '[4,7]', 'closed');
select is(funding.total('grants', '{"status": "closed"}'), 6::bigint, 'a total is exact after records are inserted and updated in one statement');
with moved as (delete from funding.grants where source_id = '7' returning 1) select count(*) from moved;
select is(funding.total('grants', '{}'), 5::bigint, 'a total is exact after a delete inside another statement');
update funding.grants set title = 'Bridge' where source_id = '6';
select is(funding.total('grants', '{"search": "bridges"}'), 1::bigint, 'a total is exact after the text that is searched changed');
truncate funding.grants;
select is(funding.total('grants', '{}'), 0::bigint, 'a total is exact after a truncate');
select pg_temp.add('grants', '[1,5]');
select pg_temp.add('contracts', '[1,3]');
select is(funding.total('contracts', '{}'), 3::bigint, 'each dataset has totals of its own');
select is(funding.total('funders', '{}'), 1::bigint, 'funders have a total too');
select is(funding.total('grants', '{}'), 5::bigint, 'the total before a truncate of another table');
truncate funding.funders cascade;
select is(funding.total('grants', '{}') + funding.total('contracts', '{}') + funding.total('funders', '{}'), 0::bigint,
  'totals are exact after a truncate that reaches other tables');
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000001', 'Bureau of Tests', now(), 'test', 'funder', '');
select pg_temp.add('grants', '[1,5]');
select funding.total('grants', '{}');
savepoint before_change;
delete from funding.grants where source_id <> '1';
select is(funding.total('grants', '{}'), 1::bigint, 'a total counts what its own transaction did');
rollback to before_change;
select is(funding.total('grants', '{}'), 5::bigint, 'and nothing that was rolled back');

select is(funding.total('grants', '{"opportunity_type": "all"}'), 5::bigint, 'the absence of a filter is not its value');

-- Versions.
create temporary table seen as select pg_temp.version('grants') as version;
select pg_temp.add('grants', '[8,9]');
select cmp_ok(pg_temp.version('grants'), '>', (select version from seen), 'an insert moves the version');
update seen set version = pg_temp.version('grants');
update funding.grants set status = 'open' where source_id = '8';
select cmp_ok(pg_temp.version('grants'), '>', (select version from seen), 'an update moves the version');
update seen set version = pg_temp.version('grants');
delete from funding.grants where source_id = '8';
select cmp_ok(pg_temp.version('grants'), '>', (select version from seen), 'a delete moves the version');
update seen set version = pg_temp.version('grants');
truncate funding.grants;
select cmp_ok(pg_temp.version('grants'), '>', (select version from seen), 'a truncate moves the version');
update seen set version = pg_temp.version('grants');
select count(*) from funding.grants;
select funding.list('grants', '{"limit": 1, "offset": 0}');
select is(pg_temp.version('grants'), (select version from seen), 'reading does not move the version');

select * from finish();
rollback;
