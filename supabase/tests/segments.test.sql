-- Segments: when records are sealed, segments merged, cleaned and dropped, at the bounds of each.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(36);

truncate funding.grants, funding.contracts, funding.funders;
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000001', 'Bureau of Tests', now(), 'test', 'funder', '');

create function pg_temp.add(numbers int4range) returns void language sql as $$
  insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
  select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid, 'Record ' || number, 'text', 'open', 'opportunity',
    '00000000-0000-8000-a000-000000000001', now(), 'test', number::text, ''
  from generate_series(lower(numbers), upper(numbers) - 1) as number
$$;
-- Deletes the first records of a segment, so that so many are left.
create function pg_temp.leave(segment_position integer, few integer) returns void language sql as $$
  delete from funding.grants where slot in (
    select record.slot
    from (select * from funding.segment_shares('grants') order by first_slot offset segment_position - 1 limit 1) as share
    join funding.grants as record on record.slot between share.first_slot and share.last_slot
    order by record.slot desc offset few)
$$;
-- Live records and slots of each segment, oldest first.
create function pg_temp.shares() returns text language sql as $$
  select string_agg(format('%s/%s', live, slots), ' ' order by first_slot) from funding.segment_shares('grants')
$$;
-- Segments that do not begin after the one before, and those whose live records are not as the bitmaps count them.
create function pg_temp.wrong_shares() returns table (segment integer) language sql as $$
  select share.segment
  from (select *, lag(share.last_slot) over (order by share.first_slot) as before from funding.segment_shares('grants') as share) as share
  where share.first_slot <= share.before or share.slots <> share.last_slot - share.first_slot + 1 or share.live <> (
    select count(*) from funding.grants where slot between share.first_slot and share.last_slot)
$$;

select pg_temp.add('[1,40]');
select funding.reindex_records();
select is(pg_temp.shares(), '40/40', 'a fit makes one segment');
select is(funding.seal('grants', 1), 0, 'where nothing came or changed, nothing is sealed');

select pg_temp.add('[101,163]');
select is(funding.seal('grants'), 0, 'fewer than 64 records are not sealed');
select is(funding.count_unsealed('grants', funding.sealed_end('grants'), 100), 63::bigint, 'they wait');
select is(funding.count_unsealed('grants', funding.sealed_end('grants'), 62), 63::bigint, 'and are counted up to one more than asked');
select is(funding.count_unsealed('grants', funding.sealed_end('grants'), 10), 11::bigint, 'but no further');
select pg_temp.add('[164,164]');
select is(funding.seal('grants'), 64, '64 are');
select is(pg_temp.shares(), '40/40 64/64', 'as a segment of their own');
select pg_temp.add('[201,360]');
select is(funding.seal('grants', 64, 100), 100, 'of more, so many as a segment may have');
select is(funding.seal('grants', 64, 100), 0, 'the rest waits for others');
select is(funding.seal('grants', 60, 100), 60, 'or until fewer are asked for');
select is(pg_temp.shares(), '40/40 64/64 100/100 60/60', 'segments are in the order of their slots');
select is_empty('select pg_temp.wrong_shares()', 'their shares are those of the records');

-- Masking. Searches take out what is retired, each time, for as long as it is not masked.
savepoint before;
delete from funding.grants where source_id in ('1', '101', '201');
select is((select count(*) from funding.retired_slots), 3::bigint, 'the slots of deleted records are retired');
select is(funding.bitmap_total('grants', '{}'), 261::bigint, 'and not counted');
select is(funding.seal('grants'), 0, 'with nothing to seal');
select is((select count(*) from funding.retired_slots), 0::bigint, 'they are masked all the same');
select is(funding.bitmap_total('grants', '{}'), 261::bigint, 'and not counted then');
rollback to before;

-- Merging.
select is(funding.merge_segments('grants'), 0, 'the newest segments are not merged while the one before is larger than all after it');
select pg_temp.add('[401,439]');
select is(funding.seal('grants', 39), 39, 'one more');
select is(funding.merge_segments('grants', 98), 0, 'segments are not merged to more slots than a segment may have');
savepoint before;
select pg_temp.add('[440,440]');
select funding.seal('grants', 1);
select is(funding.merge_segments('grants'), 0, 'nor with one that is smaller than the one before');
rollback to before;
select pg_temp.add('[501,521]');
select funding.seal('grants', 1);
select is(pg_temp.shares(), '40/40 64/64 100/100 60/60 39/39 21/21', 'of six segments');
select is(funding.merge_segments('grants'), 0, 'none is merged while each is larger than the next');
select pg_temp.add('[601,621]');
select funding.seal('grants', 1);
savepoint before;
select is(funding.merge_segments('grants', 41), 0, 'as many as there is room for');
select is(funding.merge_segments('grants', 42), 2, 'which may be full');
rollback to before;
select is(funding.merge_segments('grants'), 6, 'one that is no larger than those after it is merged with them, and so all before');
-- A rollback above left a slot that is nobody's.
select is(pg_temp.shares(), '40/40 305/306', 'but for the fit''s');
select is_empty('select pg_temp.wrong_shares()', 'their shares are those of the records');

-- Cleaning.
select pg_temp.add('[701,764]');
select funding.seal('grants');
select pg_temp.leave(1, 10);
select is(funding.clean_segments('grants', 100, 100), 0, 'a segment with a quarter of its records left is not cleaned');
select pg_temp.leave(1, 9);
select is(funding.clean_segments('grants', 5, 10000), 0, 'nor one that a merge may still reach, however few are left');
select is(funding.clean_segments('grants', 5, 100), 5, 'of one with fewer, so many as asked for are moved at once');
select is(funding.clean_segments('grants', 5, 100), 4, 'until none is left');
select is(pg_temp.shares(), '0/40 305/306 64/64', 'then it is dead');
select is(funding.drop_dead_segments('grants'), 1, 'and is dropped');
select is_empty('select pg_temp.wrong_shares()', 'their shares are those of the records');

select * from finish();
rollback;
