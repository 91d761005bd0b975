-- Cached pages: never stale after any kind of change, and evicted in time.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(61);

truncate funding.grants, funding.contracts, funding.funders, funding.pages;
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000001', 'Bureau of Tests', now(), 'test', 'funder', '');
create function pg_temp.add(numbers int4range) returns void language sql as $$
  insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
  select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid, 'Record ' || number, 'text', 'open', 'opportunity',
    '00000000-0000-8000-a000-000000000001', now(), 'test', number::text, ''
  from generate_series(lower(numbers), upper(numbers) - 1) as number
$$;
create function pg_temp.titles(more jsonb default '{}') returns text language sql as $$
  select coalesce(string_agg(record->>'title', ', '), '')
  from json_array_elements(funding.list('grants', '{"limit": 2, "offset": 0, "sort_by": "title", "order": "asc"}' || more)->'results') as record
$$;
create function pg_temp.remembered() returns bigint language sql as $$
  select count(*) from funding.pages where page is not null
$$;

select pg_temp.add('[1,3]');
select is(pg_temp.titles(), 'Record 1, Record 2', 'a page');
select is(pg_temp.remembered(), 0::bigint, 'a page that was asked for once is not remembered');
select is(pg_temp.titles(), 'Record 1, Record 2', 'the page again');
select is(pg_temp.remembered(), 1::bigint, 'a page that was asked for twice is');
select is(pg_temp.titles(), 'Record 1, Record 2', 'the page from memory');

-- Only the cache can give this: no trigger noticed that the record changed.
set local session_replication_role = replica;
update funding.grants set title = 'Unseen' where source_id = '1';
set local session_replication_role = origin;
select is(pg_temp.titles(), 'Record 1, Record 2', 'it is what answers');
select is(pg_temp.titles('{"offset": 1}'), 'Record 3, Unseen', 'another page is another request');
select is(pg_temp.titles('{"limit": 3}'), 'Record 2, Record 3, Unseen', 'another size is another request');
select is(pg_temp.titles('{"order": "desc"}'), 'Unseen, Record 3', 'another order is another request');
select is(pg_temp.titles('{"search": "unseen"}'), '', 'a filter is another request');

-- After changes.
update funding.grants set title = 'Record 0' where source_id = '1';
select is(pg_temp.titles(), 'Record 0, Record 2', 'a page is that of now after an update');
select is(pg_temp.titles(), 'Record 0, Record 2', 'and again');
select pg_temp.add('[10,10]');
update funding.grants set title = 'A record' where source_id = '10';
select is(pg_temp.titles(), 'A record, Record 0', 'a page is that of now after an insert');
update funding.grants set archived_at = now() where source_id = '10';
select is(pg_temp.titles(), 'Record 0, Record 2', 'a page is that of now after a record is archived');
delete from funding.grants where source_id = '1';
select is(pg_temp.titles(), 'Record 2, Record 3', 'a page is that of now after a delete');
select is(pg_temp.titles(), 'Record 2, Record 3', 'and again, from memory');
update funding.funders set name = 'Office of Tests';
select is(funding.list('grants', '{"limit": 2, "offset": 0, "sort_by": "title", "order": "asc"}')->'results'->0->>'funder_name', 'Office of Tests',
  'a page shows the funder''s name of now');
truncate funding.grants;
select is(pg_temp.titles(), '', 'a page is that of now after a truncate');
select is(pg_temp.titles(), '', 'an empty page can be remembered');

-- A request that read the data before a change, and ends after one that read it since.
create function pg_temp.cached(page json, version bigint) returns text language plpgsql as $$
begin
  perform funding.cache_page('grants', 'key', version, true, (page, null, 1)::funding.listed_page, true);
  return (select format('%s of %s', stored.page, stored.version) from funding.pages as stored where request_key = 'key');
end
$$;
select is(pg_temp.cached('"newer"', 1002), '"newer" of 1002', 'a page is stored with its version');
select is(pg_temp.cached('"older"', 1001), '"newer" of 1002', 'an older page does not replace a newer one');
select is(pg_temp.cached('"newest"', 1003), '"newest" of 1003', 'a newer one replaces an older one');
select is(pg_temp.cached('"again"', 1003), '"newest" of 1003', 'one of the same version is left as it is');
delete from funding.pages;

-- Ranked searches.
create function pg_temp.found(more jsonb default '{}') returns text language sql as $$
  select coalesce(string_agg(record->>'title', ', '), '') || ' of ' || (answer->>'total')
  from (select funding.list('grants', '{"limit": 1, "offset": 0, "search": "record", "search_mode": "keyword", "sort_by": "relevance"}' || more) as answer) as asked
  left join lateral json_array_elements(answer->'results') as record on true
  group by answer->>'total'
$$;
select pg_temp.add('[1,3]');
truncate funding.pages;
select is(pg_temp.found(), 'Record 1 of 3', 'a ranked search');
select is(pg_temp.remembered(), 0::bigint, 'one that was asked for once is not remembered');
select is(pg_temp.found(), 'Record 1 of 3', 'the search again');
select is(pg_temp.remembered(), 1::bigint, 'one that was asked for twice is, page and total');
set local session_replication_role = replica;
update funding.grants set title = 'Unseen' where source_id = '1';
set local session_replication_role = origin;
select is(pg_temp.found(), 'Record 1 of 3', 'and memory answers');
select is(pg_temp.found('{"limit": 2}'), 'Unseen, Record 2 of 3', 'another page is another request');
select is(funding.list('grants', '{"search": "record", "search_mode": "hybrid", "limit": 1, "offset": 0}')->>'total', '3', 'another mode is another request');
select is(funding.list('grants', '{"search": "record", "search_mode": "keyword", "sort_by": "relevance", "count_only": true, "limit": 1, "offset": 0}')->>'total', '3',
  'a count is a request of its own');
update funding.settings set value = value where name = 'fusion_k';
select is(pg_temp.found(), 'Unseen of 3', 'a setting that may move the ranking makes it anew');
update funding.grants set title = 'Record 1' where source_id = '1';
-- The three are alike, and a record that changed has the highest slot.
select is(pg_temp.found(), 'Record 2 of 3', 'so does a record that changed');
delete from funding.grants where source_id = '1';
select is(pg_temp.found(), 'Record 2 of 2', 'and one that went');
truncate funding.grants;

-- Revalidation: the list that a caller has already.
create function pg_temp.asked(if_none_match text, more jsonb default '{}') returns json language sql as $$
  select funding.list('grants', '{"limit": 2, "offset": 0, "sort_by": "title", "order": "asc"}' || more, null, if_none_match)
$$;
select pg_temp.add('[1,3]');
select is((select array_agg(key) from json_object_keys(pg_temp.asked(pg_temp.asked(null)->>'tag')) as key), array['data_as_of'],
  'to a caller who has the page only what may have moved is said');
select is(json_array_length(pg_temp.asked('field.0')->'results'), 2, 'a caller with an older page gets the page');
select is(json_array_length(pg_temp.asked('')->'results'), 2, 'so does one whose tag means nothing');
select is(json_array_length(pg_temp.asked(pg_temp.asked(null)->>'tag', '{"search_mode": "hybrid", "search": "record"}')->'results'), 2,
  'a list''s tag is none of a ranked search');
create temp table known as select pg_temp.asked(null)->>'tag' as tag;
update funding.grants set title = 'Record 0' where source_id = '2';
select is(pg_temp.asked((select tag from known))->'results'->0->>'title', 'Record 0', 'a change makes the tag an old one');
update known set tag = pg_temp.asked(null)->>'tag';
update funding.funders set name = 'Bureau of Tests';
select is(pg_temp.asked((select tag from known))->'results'->0->>'funder_name', 'Bureau of Tests', 'so does a funder''s new name');
select is(pg_temp.asked((select tag from known), '{"count_only": true}')::jsonb, '{"total": 3}', 'a total has no tag');
truncate funding.grants;

-- Rows of the cache. It is sampled: so many calls find all of it.
truncate funding.pages;
select pg_temp.add('[1,3]');
create function pg_temp.evict(version bigint) returns void language sql as $$
  select funding.evict_stale('grants', evict.version) from generate_series(1, 400)
$$;
select count(*) from (select pg_temp.titles(jsonb_build_object('offset', number)) from generate_series(1, 20) as number) as asked;
select is((select count(*) from funding.pages where page is null), 21::bigint, 'a request that comes once leaves a note, and its filter the total');
create temporary table now_at as select max(version) as version from funding.pages;
select pg_temp.evict((select version + 1 from now_at));
select is((select count(*) from funding.pages), 21::bigint, 'what data that have moved on left stays for a minute');
update funding.pages set remembered_at = now() - interval '2 minutes';
select pg_temp.evict((select version from now_at));
select is((select count(*) from funding.pages), 21::bigint, 'and what they have not, for longer');
do $$
begin
  for round in 1..100 loop
    perform pg_temp.evict((select version + 1 from now_at));
    exit when not exists (select from funding.pages);
  end loop;
end
$$;
select is((select count(*) from funding.pages), 0::bigint, 'then it goes');
insert into funding.pages (dataset, request_key, version, total, remembered_at)
  select dataset, md5(number::text), (select version from now_at), 1, now() - age
  from unnest(array['grants', 'contracts', 'funders']) as dataset, (values (1, interval '9 minutes'), (2, interval '11 minutes')) as row(number, age);
select pg_temp.evict((select version from now_at));
select is((select count(*) from funding.pages), 3::bigint, 'what is old goes, also of datasets that nobody asks for');
truncate funding.pages;
-- Pages with facets, which are cached once for all of them.
insert into funding.pages (dataset, request_key, version, total, remembered_at)
  select 'grants', md5(number::text), 0, 1, now() - interval '11 minutes' from generate_series(1, 40) as number;
select count(*) from (
  select funding.list('grants', jsonb_build_object('limit', 1, 'offset', number, 'facets', array['status']))
  from generate_series(1, 200) as number) as asked;
select cmp_ok((select count(*) from funding.pages where remembered_at < now()), '<=', 10::bigint, 'their pages evict as others do');
truncate funding.pages;
-- Two transactions that each cached a row after they evicted one would wait for each other where it is the other's.
create temporary table done (position integer generated always as identity, what text);
create function pg_temp.note_done() returns trigger language plpgsql as $$
begin
  insert into done (what) values (tg_op);
  return null;
end
$$;
create trigger note_done after insert or delete on funding.pages for each row execute function pg_temp.note_done();
create function pg_temp.cached_after_evicting(more jsonb) returns bigint language plpgsql as $$
declare
  wrong bigint := 0;
  before integer;
begin
  truncate done;
  for number in 1..60 loop
    insert into funding.pages (dataset, request_key, version, total, remembered_at)
      select 'grants', md5(gen_random_uuid()::text), 0, 1, now() - interval '11 minutes' from generate_series(1, 20);
    before := (select coalesce(max(position), 0) from done);
    -- No bitmap answers `geography`: the total is counted, and cached.
    perform funding.list('grants', jsonb_build_object('limit', 1, 'offset', 0, 'facets', array['status'], 'geography', gen_random_uuid()) || more);
    wrong := wrong + (select count(*) from done
      where what = 'INSERT' and position > (select min(position) from done where what = 'DELETE' and position > before));
  end loop;
  return wrong;
end
$$;
select is(pg_temp.cached_after_evicting('{}'), 0::bigint, 'a page caches nothing after it evicts');
select is(pg_temp.cached_after_evicting('{"count_only": true}'), 0::bigint, 'nor does a total with facets');
select is(pg_temp.cached_after_evicting('{"sort_by": "updated_at", "order": "asc"}'), 0::bigint, 'nor does the feed');
select is((select count(distinct what) from done), 2::bigint, 'which caches and evicts');
drop trigger note_done on funding.pages;
truncate funding.pages;
-- A list of similar records has the versions of all datasets together.
select pg_temp.titles();
update funding.pages set remembered_at = now() - interval '2 minutes';
select count(*) from (
  select funding.cache_page('grants', md5('similar ' || number), funding.page_version('grants', true), false, ('[]', null, 0)::funding.listed_page, true)
  from generate_series(1, 200) as number) as asked;
select is((select count(*) from funding.pages where remembered_at < now()), 2::bigint, 'it evicts no page of the data as they are, and no total');
truncate funding.pages;
-- Rows that were evicted stay in the index for as long as a transaction is open, as in this one. Of contracts none is left.
insert into funding.pages (dataset, request_key, version, total, remembered_at)
  select dataset, md5(number::text), number % 2, 1, now() - age
  from unnest(array['grants', 'contracts'], array[interval '2 minutes', interval '11 minutes']) as row(dataset, age), generate_series(1, 8000) as number;
analyze funding.pages;
create function pg_temp.read() returns bigint language sql as $$
  select pg_stat_get_xact_tuples_returned('funding.pages'::regclass) + sum(pg_stat_get_xact_tuples_returned(indexrelid))::bigint
  from pg_index where indrelid = 'funding.pages'::regclass
$$;
select count(*) from (select funding.evict_stale('grants', 1) from generate_series(1, 6000)) as called;
select cmp_ok((select count(*) from funding.pages where dataset = 'grants'), '<=', 5000::bigint, 'thousands of rows were evicted');
create temporary table read_before as select pg_temp.read() as entries;
select count(*) from (select funding.evict_stale('grants', 1) from generate_series(1, 100)) as called;
select cmp_ok(pg_temp.read() - (select entries from read_before), '<=', 10000::bigint, 'and the next hundred calls do not pass them all');
truncate funding.pages;
update funding.grants set description = repeat('long ', 100000);
select is(pg_temp.titles(), 'Record 1, Record 2', 'a page too long to keep');
select is(pg_temp.titles(), 'Record 1, Record 2', 'and again');
select is(pg_temp.remembered(), 0::bigint, 'is not kept');
select is(pg_temp.titles(), 'Record 1, Record 2', 'and is answered all the same');

-- Its size has a bound.
truncate funding.grants, funding.pages;
select pg_temp.add('[1,60]');
-- Of characters that do not compress.
update funding.grants set description = (
  select string_agg(md5(grants.id::text || number), '') from generate_series(1, 300) as number);
update funding.settings set value = '1' where name = 'page_memory_megabytes';
select pg_temp.titles(format('{"limit": 10, "offset": %s}', place)::jsonb)
from generate_series(1, 50) as place, generate_series(1, 2) as time_;
select ok(pg_temp.remembered() > 5, 'pages are remembered');
select ok(pg_table_size('funding.pages') < 2 * 1048576, 'until the table has the size that is set');
update funding.settings set value = '0' where name = 'page_memory_megabytes';
truncate funding.pages;
select is(pg_temp.titles() || pg_temp.titles() || pg_temp.remembered(), 'Record 1, Record 10Record 1, Record 100', 'at 0 nothing is remembered');

select * from finish();
rollback;
