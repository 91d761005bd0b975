-- Batches of records coming in.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(133);

truncate funding.grants, funding.contracts, funding.funders;

create function pg_temp.opportunity(changes jsonb default '{}') returns jsonb language sql as $$
  select '{"source": "test", "source_id": "1", "title": "Water", "description": "Clean water", "amount_min": 10, "amount_max": 20.5,
    "deadline_date": "2091-07-01", "project_end_date": null, "status": "open", "classification": "opportunity", "states": ["OH"],
    "is_national": false, "geography": "Ohio", "funder_name": "Water Office", "funder_source_id": null, "listing_url": "https://x.example/1",
    "created_at": "2026-06-01T00:00:00Z", "archived_at": null, "categories": ["Environment"], "identifiers": ["EPA-1"]}'::jsonb || changes
$$;

create function pg_temp.contract(changes jsonb default '{}') returns jsonb language sql as $$
  select pg_temp.opportunity() || '{"document_url": "https://x.example/d", "naics": "237310", "primary_contact_email": "a@x.example",
    "set_aside_code": "8A"}' || changes
$$;

create function pg_temp.funder(changes jsonb default '{}') returns jsonb language sql as $$
  select '{"source": "test", "source_id": "F1", "name": "Water Office", "summary": "Water.", "website": "https://w.example",
    "created_at": "2026-01-01T00:00:00Z"}'::jsonb || changes
$$;

-- Outcome of a batch: inserted, updated, unchanged.
create function pg_temp.loaded(dataset text, variadic items jsonb[]) returns text language sql as $$
  select format('%s %s %s', counts->>'inserted', counts->>'updated', counts->>'unchanged')
  from (select funding.upsert_records(dataset, to_jsonb(items)) as counts) as load
$$;

-- The same, or the reason that it was refused.
create function pg_temp.outcome(dataset text, variadic items jsonb[]) returns text language plpgsql as $$
begin
  return pg_temp.loaded(dataset, variadic items);
exception when others then
  return sqlstate || ' ' || sqlerrm;
end
$$;

create function pg_temp.versions() returns text language sql as $$
  select string_agg(version::text, ' ' order by dataset) from funding.data_versions
$$;

create function pg_temp.stored(source_id text) returns funding.grants language sql as $$
  select grants from funding.grants where grants.source = 'test' and grants.source_id = stored.source_id
$$;

create temporary table before (versions text, ctid_ tid);

-- Opportunities.
select is(pg_temp.loaded('grants', pg_temp.opportunity(), pg_temp.opportunity('{"source_id": "2", "title": "Fire"}')), '2 0 0', 'new records are inserted');
select is(to_jsonb(pg_temp.stored('1')) - array['lexemes', 'bm25', 'embedding', 'embedding_model', 'slot', 'content_hash', 'updated_at', 'first_seen_at', 'funder_id', 'id', 'created_at'],
  '{"title": "Water", "details": null, "description": "Clean water", "amount_min": 10, "amount_max": 20.5, "deadline_date": "2091-07-01",
    "project_end_date": null, "status": "open", "classification": "opportunity", "geography": "Ohio", "states": ["OH"], "is_national": false,
    "listing_url": "https://x.example/1", "categories": ["Environment"], "category_keys": ["environment"], "identifiers": ["EPA-1"],
    "source": "test", "source_id": "1", "archived_at": null, "superseded_by": null, "stated_status": "open", "stated_archived_at": null}', 'every field of a record is stored');
select is((pg_temp.stored('1')).id, funding.record_id('grants', 'test', '1'), 'a record has the id that its source gives it');
select is((pg_temp.stored('1')).created_at, '2026-06-01T00:00:00Z'::timestamptz, 'a record was created when its source says');
select ok((pg_temp.stored('1')).lexemes @@ to_tsquery('funding.english', 'clean'), 'a record is indexed as it comes in');
insert into before select pg_temp.versions(), (select ctid from funding.grants where source_id = '1');
select is(pg_temp.loaded('grants', pg_temp.opportunity(), pg_temp.opportunity('{"source_id": "2", "title": "Fire"}')), '0 0 2', 'the same batch again changes nothing');
select is(pg_temp.versions(), (select versions from before), 'the same batch again moves no data version');
select is((select ctid from funding.grants where source_id = '1'), (select ctid_ from before), 'the same batch again writes no row');
select is((select count(*) from funding.grants), 2::bigint, 'the same batch again adds no record');
select is(pg_temp.loaded('grants', (select jsonb_object_agg(key, value order by key desc) from jsonb_each(pg_temp.opportunity()))), '0 0 1',
  'the order of a record''s fields is no change');
update funding.grants set updated_at = '2026-01-01';
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"title": "Waters", "amount_max": 30}'), pg_temp.opportunity('{"source_id": "2", "title": "Fire"}'),
  pg_temp.opportunity('{"source_id": "3"}')), '1 1 1', 'a batch tells what was new, what changed and what did not');
select is((pg_temp.stored('1')).amount_max, 30::double precision, 'a changed record is changed');
select ok((pg_temp.stored('1')).lexemes @@ to_tsquery('funding.english', 'waters'), 'a changed record is indexed anew');
-- Each change has a millisecond of its own, so that it may be ahead of the clock.
select ok((pg_temp.stored('1')).updated_at between date_trunc('milliseconds', now()) and clock_timestamp() + interval '1 s', 'a changed record says when');
select is((pg_temp.stored('2')).updated_at, '2026-01-01'::timestamptz, 'a record that did not change is not touched');
select isnt(pg_temp.versions(), (select versions from before), 'a change moves the data version');
select is((select count(*) from (select version from funding.data_versions where dataset = 'contracts') as contracts, before
  where split_part(versions, ' ', 1) = version::text), 1::bigint, 'a change to grants does not move the version of contracts');
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"title": "Waters", "amount_max": 30, "archived_at": "2026-07-01T00:00:00Z"}')), '0 1 0', 'a record can be archived');
select is((pg_temp.stored('1')).archived_at, '2026-07-01T00:00:00Z'::timestamptz, 'an archived record says when');
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"title": "Waters", "amount_max": null, "geography": null, "states": [], "categories": []}')), '0 1 0', 'a field can be emptied');
select is(row((pg_temp.stored('1')).amount_max, (pg_temp.stored('1')).geography, (pg_temp.stored('1')).states, (pg_temp.stored('1')).category_keys,
  (pg_temp.stored('1')).archived_at)::text, '(,,{},{},)', 'what a source no longer gives is gone');
select is(funding.upsert_records('grants', '[]')::jsonb, '{"inserted": 0, "updated": 0, "unchanged": 0}', 'an empty batch changes nothing');
select is(pg_temp.loaded('contracts', pg_temp.contract()), '1 0 0', 'a contract of the same source id is another record');
select is((select row(document_url, naics, primary_contact_email, set_aside_code)::text from funding.contracts where source_id = '1'),
  '(https://x.example/d,237310,a@x.example,8A)', 'a contract''s own fields are stored');
select is(pg_temp.loaded('contracts', pg_temp.contract()), '0 0 1', 'the same contract again changes nothing');
select is(pg_temp.loaded('contracts', pg_temp.contract('{"set_aside_code": null}')), '0 1 0', 'a contract''s own fields are looked at too');

-- Batches that are refused, whole.
select throws_ok($$select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "8"}'), pg_temp.opportunity('{"source_id": "9", "status": "draft"}'))$$,
  '23514', null, 'a record that breaks a rule is refused');
select is_empty($$select from funding.grants where source_id in ('8', '9')$$, 'a batch with a refused record stores none of it');
select throws_ok($$select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "9", "deadline_date": "2091-02-30"}'))$$, '22008', null, 'a day that there is not is refused');
select throws_ok($$select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "9", "amount_min": "much"}'))$$, '22P02', null, 'an amount that is no number is refused');
select throws_ok($$select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "9", "title": null}'))$$, '23502', null, 'a record without a title is refused');
select throws_ok($$select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": null}'))$$, '23502', null, 'a record without a source id is refused');
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "id", "id": "00000000-0000-4000-8000-000000000000", "content_hash": "x"}')), '1 0 0', 'a record can bring fields of no meaning');
select is((pg_temp.stored('id')).id, funding.record_id('grants', 'test', 'id'), 'a record cannot choose its id');
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "''; drop table funding.grants; --", "title": "''; drop table funding.grants; --"}')), '1 0 0',
  'SQL in a record is text');
select is((pg_temp.stored('''; drop table funding.grants; --')).title, '''; drop table funding.grants; --', 'SQL in a record is stored as text');
select throws_ok($$select funding.upsert_records('grants; drop table funding.grants', jsonb_build_array(pg_temp.opportunity('{"source_id": "z"}')))$$, '42P01', null,
  'SQL in a dataset''s name is no dataset');

-- Funders of opportunities.
truncate funding.grants, funding.contracts, funding.funders;
create function pg_temp.funder_of(source_id text) returns uuid language sql as $$
  select (pg_temp.stored(source_id)).funder_id
$$;
select pg_temp.loaded('grants', pg_temp.opportunity(), pg_temp.opportunity('{"source_id": "2"}'), pg_temp.opportunity('{"source_id": "3", "funder_name": "WATER   Office."}'),
  pg_temp.opportunity('{"source_id": "4", "funder_name": "Fire Office"}'));
create temporary table first_name as select name from funding.funders where id = pg_temp.funder_of('1');
select is((select count(*) from funding.funders), 2::bigint, 'the funders of a batch are created once each');
select is(pg_temp.funder_of('2'), pg_temp.funder_of('1'), 'two records of one funder share it');
select is(pg_temp.funder_of('3'), pg_temp.funder_of('1'), 'a funder spelt otherwise in the same batch is the same funder');
select isnt(pg_temp.funder_of('4'), pg_temp.funder_of('1'), 'another name is another funder');
select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "5", "funder_name": "Wáter, OFFICE"}'));
select is(pg_temp.funder_of('5'), pg_temp.funder_of('1'), 'a funder spelt otherwise in a later batch is the same funder');
select pg_temp.loaded('contracts', pg_temp.contract('{"source": "other", "funder_name": "water office"}'));
select is((select funder_id from funding.contracts), pg_temp.funder_of('1'), 'another source''s record that names a known funder shares it');
select is((select count(*) from funding.funders), 2::bigint, 'a known funder is not created again');
select is((select name from funding.funders where id = pg_temp.funder_of('1')), (select name from first_name), 'another spelling does not rename a funder');

truncate funding.grants, funding.contracts, funding.funders;
select is(pg_temp.loaded('funders', pg_temp.funder(), pg_temp.funder('{"source_id": "F2", "name": "Water Office", "summary": "A namesake."}')), '2 0 0', 'funders are inserted');
select pg_temp.loaded('grants', pg_temp.opportunity('{"funder_source_id": "F2", "funder_name": "W. Office"}'), pg_temp.opportunity('{"source_id": "2", "funder_source_id": "F1"}'),
  pg_temp.opportunity('{"source_id": "3", "funder_source_id": "F3", "funder_name": "Third Office"}'));
select is(pg_temp.funder_of('1'), funding.record_id('funders', 'test', 'F2'), 'a funder is known by its code, however the record names it');
select is(pg_temp.funder_of('2'), funding.record_id('funders', 'test', 'F1'), 'a code tells namesakes apart');
select is(pg_temp.funder_of('3'), funding.record_id('funders', 'test', 'F3'), 'a new code is a new funder, which has that code');
select is(pg_temp.loaded('funders', pg_temp.funder('{"source_id": "F3", "name": "Third Office", "summary": "Now known."}')), '0 1 0', 'a funder met in a record first is completed when it comes itself');
select is((select summary from funding.funders where id = pg_temp.funder_of('3')), 'Now known.', 'a completed funder is the one that the records have');
select pg_temp.loaded('contracts', pg_temp.contract('{"source": "other", "funder_source_id": "F1", "funder_name": "Unrelated"}'));
select isnt((select funder_id from funding.contracts), funding.record_id('funders', 'test', 'F1'), 'another source''s code is another funder');
select throws_ok($$select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "9", "funder_name": null}'))$$, '23502', null, 'a record that names no funder is refused');
select throws_ok($$select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "9", "funder_name": ""}'))$$, '23514', null, 'a record whose funder has an empty name is refused');
select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "10", "funder_name": "財団"}'), pg_temp.opportunity('{"source_id": "11", "funder_name": "基金"}'));
select isnt(pg_temp.funder_of('10'), pg_temp.funder_of('11'), 'funders named in other scripts are told apart');

-- Funders themselves.
truncate funding.grants, funding.contracts, funding.funders;
select is(pg_temp.loaded('funders', pg_temp.funder(), pg_temp.funder('{"source_id": "F2"}')), '2 0 0', 'new funders are inserted');
delete from before;
insert into before select pg_temp.versions(), null;
select is(pg_temp.loaded('funders', pg_temp.funder(), pg_temp.funder('{"source_id": "F2"}')), '0 0 2', 'the same funders again change nothing');
select is(pg_temp.versions(), (select versions from before), 'the same funders again move no data version');
select is(pg_temp.loaded('funders', pg_temp.funder('{"website": null}'), pg_temp.funder('{"source_id": "F2"}')), '0 1 1', 'one changed funder is one change');
select is((select website from funding.funders where source_id = 'F1'), null, 'a changed funder is changed');
select is(funding.upsert_records('funders', '[]')::jsonb, '{"inserted": 0, "updated": 0, "unchanged": 0}', 'an empty batch of funders changes nothing');
select throws_ok($$select pg_temp.loaded('funders', pg_temp.funder('{"source_id": "F9", "name": ""}'))$$, '23514', null, 'a funder without a name is refused');

-- A funder is one, however and in whatever order it comes.
truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes;
create function pg_temp.funder_count() returns bigint language sql as $$ select count(*) from funding.funders $$;
select pg_temp.loaded('grants', pg_temp.opportunity('{"funder_source_id": "EPA-1"}'));
select pg_temp.loaded('grants', pg_temp.opportunity('{"source": "other", "funder_source_id": "X", "funder_name": "WATER  office"}'));
select is(pg_temp.funder_count(), 1::bigint, 'a source''s new code with a name that is known is that funder');
select pg_temp.loaded('grants', pg_temp.opportunity('{"source": "other", "source_id": "2", "funder_source_id": "X", "funder_name": "Office of Water"}'));
select is(pg_temp.funder_count(), 1::bigint, 'a code stays its funder''s when the source calls it otherwise');
select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "3", "funder_source_id": "N1", "funder_name": "New"}'), pg_temp.opportunity('{"source_id": "4", "funder_source_id": "N2", "funder_name": "NEW"}'),
  pg_temp.opportunity('{"source_id": "5", "funder_name": "new"}'));
select is(pg_temp.funder_count(), 2::bigint, 'a new funder that one batch names in three ways is one');
select is(pg_temp.loaded('funders', pg_temp.funder('{"source": "directory", "source_id": "D1"}'), pg_temp.funder('{"source": "directory", "source_id": "D2"}')), '1 1 0',
  'a funder that only opportunities named is completed by a directory''s, and its namesake is another');
select is((select source_id || ' ' || summary from funding.funders where id = pg_temp.funder_of('1')), 'D1 Water.', 'a completed funder is the directory''s, and keeps its opportunities');
select is(pg_temp.loaded('funders', pg_temp.funder('{"source": "directory", "source_id": "D1"}'), pg_temp.funder('{"source": "directory", "source_id": "D2"}')), '0 0 2', 'a completed funder again is unchanged');
select pg_temp.loaded('grants', pg_temp.opportunity('{"source_id": "6", "funder_source_id": "EPA-1", "funder_name": "Renamed"}'));
select is((select source_id from funding.funders where id = pg_temp.funder_of('6')), 'D1', 'a completed funder is still found by the code it had before');
truncate funding.grants, funding.contracts, funding.funders;
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"source": "other", "funder_source_id": "X"}')), '1 0 0', 'a code whose funder is gone is a new funder''s');

-- Records of which a source knows a part.
truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes;
select pg_temp.loaded('grants', pg_temp.opportunity());
select is(pg_temp.loaded('grants', '{"source": "test", "source_id": "1", "status": "open", "deadline_date": "2091-07-01"}'), '0 0 1', 'a part that says nothing new changes nothing');
select is(pg_temp.loaded('grants', '{"source": "test", "source_id": "1", "deadline_date": "2091-08-01"}'), '0 1 0', 'a part that differs changes the record');
select is(row((pg_temp.stored('1')).deadline_date, (pg_temp.stored('1')).description, (pg_temp.stored('1')).states, (pg_temp.stored('1')).amount_max)::text,
  '(2091-08-01,"Clean water",{OH},20.5)', 'a part leaves the other fields as they are stored');
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"deadline_date": "2091-08-01"}')), '0 0 1', 'the whole record is unchanged when it says what the part said');
select throws_ok($$select pg_temp.loaded('grants', '{"source": "test", "source_id": "9", "title": "New"}')$$, '23502', null, 'a part of a record that is not stored is refused where it is too little');
select is(pg_temp.loaded('grants', '{"source": "test", "source_id": "9", "title": "New", "status": "open", "funder_name": "Water Office"}'), '1 0 0', 'a part of a record that is not stored is one where it is enough');

-- Changes are recorded.
truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes;
create function pg_temp.last_change() returns text language sql as $$ select previous::text from funding.record_changes order by id desc limit 1 $$;
select pg_temp.loaded('grants', pg_temp.opportunity(), pg_temp.opportunity('{"source_id": "2"}'));
select is_empty('select from funding.record_changes', 'a new record is no change');
select pg_temp.loaded('grants', pg_temp.opportunity('{"deadline_date": "2091-08-01", "amount_max": null}'), pg_temp.opportunity('{"source_id": "2"}'));
select is((select count(*) from funding.record_changes), 1::bigint, 'one changed record is one change');
select is(pg_temp.last_change(), '{"amount_max": 20.5, "deadline_date": "2091-07-01"}', 'a change says what the fields that changed held before');
select is((select record_id from funding.record_changes), (pg_temp.stored('1')).id, 'a change says of which record');
select pg_temp.loaded('funders', pg_temp.funder());
delete from funding.record_changes;
select pg_temp.loaded('funders', pg_temp.funder('{"website": null}'));
select is(pg_temp.last_change(), '{"website": "https://w.example"}', 'a change of a funder is recorded, too');

-- Details.
truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes;
create function pg_temp.details() returns text language sql as $$ select (pg_temp.stored('1')).details::text $$;
select pg_temp.loaded('grants', pg_temp.opportunity());
select is(pg_temp.details(), null, 'a record that comes without details has none');
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"details": {"cost_sharing": true}}')), '0 1 0', 'details that come later are stored');
select is_empty('select from funding.record_changes', 'which is no change, since nothing was known of them');
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"details": {"cost_sharing": true}}')), '0 0 1', 'the same details again change nothing');
select is(pg_temp.loaded('grants', pg_temp.opportunity()), '0 0 1', 'a record that comes without details keeps those that it has');
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"details": {"agency": ["A", "B"]}}')), '0 1 0', 'other details are a change');
select is(pg_temp.details(), '{"agency": ["A", "B"]}', 'they replace those that were stored');
select is(pg_temp.last_change(), '{"agency": null, "cost_sharing": true}', 'the change says what each held before');
select is(pg_temp.loaded('grants', '{"source": "test", "source_id": "1", "details": {"psc": "R499"}}'), '0 1 0', 'a part of a record can be of its details');
select is(pg_temp.details(), '{"psc": "R499", "agency": ["A", "B"]}', 'of which the others stay');
select is(pg_temp.last_change(), '{"psc": null}', 'and are in no change');
select is(pg_temp.loaded('grants', '{"source": "test", "source_id": "1", "details": {"psc": "R499"}}'), '0 0 1', 'a part that says nothing new changes nothing');
select is(pg_temp.loaded('grants', '{"source": "test", "source_id": "2", "title": "New", "status": "open", "funder_name": "Water Office", "details": {"psc": "R499"}}'), '1 0 0',
  'a new record of which a part is known has those details');
select is((pg_temp.stored('2')).details, '{"psc": "R499"}', 'and no others');

select pg_temp.loaded('grants', pg_temp.opportunity('{"details": {"documents": [{"url": "https://x.example/a"}], "assistance_listings": [{"number": "10.557", "title": "WIC"}], "psc": "R499"}}'));
select pg_temp.loaded('grants', pg_temp.opportunity('{"details": {"assistance_listings": [{"number": "10.558", "title": null}, {"number": "10.557", "title": null}]}}'));
select is((pg_temp.stored('1')).details, '{"documents": [{"url": "https://x.example/a"}], "assistance_listings": [{"number": "10.558", "title": null}, {"number": "10.557", "title": "WIC"}]}',
  'documents and titles of listings stay where an import has none');

-- Records that their source no longer lists.
truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes;
select pg_temp.loaded('grants', pg_temp.opportunity(), pg_temp.opportunity('{"source_id": "2"}'), pg_temp.opportunity('{"source_id": "3", "archived_at": "2026-01-01T00:00:00Z", "status": "closed"}'),
  pg_temp.opportunity('{"source": "other", "source_id": "4"}'));
select results_eq($$select funding.current_source_ids('grants', 'test', '', 10)$$, array['1', '2'], 'a source''s current records are listed, and no others');
select results_eq($$select funding.current_source_ids('grants', 'test', '1', 10)$$, array['2'], 'they are listed in pages');
select is(funding.archive_records('grants', 'test', array['1', '3', '4', '5']), 1, 'of a source''s current records, those named are archived');
select is(row((pg_temp.stored('1')).archived_at, (pg_temp.stored('1')).status)::text, row(now(), 'closed')::text, 'an archived record says since when, and is closed');
select is((pg_temp.stored('3')).archived_at, '2026-01-01T00:00:00Z'::timestamptz, 'a record that was archived before keeps its date');
select is(pg_temp.last_change(), '{"status": "open", "archived_at": null}', 'leaving the catalogue is a change');
select is(funding.archive_records('grants', 'test', array['1']), 0, 'archiving again changes nothing');
select is(pg_temp.loaded('grants', pg_temp.opportunity()), '0 1 0', 'a record that its source lists again comes back');
select is(row((pg_temp.stored('1')).archived_at, (pg_temp.stored('1')).status)::text, '(,open)', 'a record that came back is as its source says');
select pg_temp.loaded('contracts', pg_temp.contract('{"status": "cancelled"}'));
select funding.archive_records('contracts', 'test', array['1']);
select is((select status from funding.contracts), 'cancelled', 'a contract that was over keeps its status');

-- Runs of the importer.
truncate funding.imports;
create temporary table run as select funding.start_import('s', 'csv', array['grants'], 'a.csv', true, '2026-01-01') as id;
select is(funding.data_as_of('grants'), (select changed_at from funding.data_versions where dataset = 'grants'), 'without a finished import, data is as fresh as its last change');
select funding.finish_import((select id from run), 'completed', '{"read": 1}', null);
select is((select row(outcome, counts, finished_at is not null)::text from funding.imports), '(completed,"{""read"": 1}",t)', 'an import says how it ended');
select is(funding.data_as_of('grants'), '2026-01-01'::timestamptz, 'data is as fresh as the file that it came from');
select isnt(funding.data_as_of('contracts'), '2026-01-01'::timestamptz, 'a dataset that an import had no part in is not fresher for it');
select funding.start_import('s', 'csv', array['grants'], 'b.csv', true, now() + interval '1 day');
select is((select as_of from funding.imports where file = 'b.csv'), now(), 'no file is from the future');
select funding.start_import('s', 'csv', array['grants'], 'c.csv', true, now());
select is((select outcome from funding.imports where file = 'b.csv'), 'interrupted', 'an import that never ended was interrupted, says the next one');

-- A long log: each answer tells the freshness, from an index.
insert into funding.imports (source, importer, datasets, file, is_full, as_of, started_at, finished_at, outcome)
  select 's', 'csv', array['grants'], 'run ' || run, false, '2026-01-02'::timestamptz + run * interval '1 second', now(), now(), 'completed'
  from generate_series(1, 5000) as run;
analyze funding.imports;
create temporary table read_before as select seq_scan + seq_tup_read as read from pg_stat_xact_user_tables where relid = 'funding.imports'::regclass;
select is(funding.data_as_of('grants'), '2026-01-02 01:23:20'::timestamptz, 'of many runs, the newest file counts');
select isnt(funding.data_as_of('contracts'), '2026-01-02 01:23:20'::timestamptz, 'and a dataset that none of them had stays as it was');
select isnt(funding.data_as_of('funders'), '2026-01-02 01:23:20'::timestamptz, 'and another');
select is((select seq_scan + seq_tup_read from pg_stat_xact_user_tables where relid = 'funding.imports'::regclass), (select read from read_before), 'none of them is found by reading the log');

-- Runs with newer files.
truncate funding.imports;
insert into funding.imports (source, importer, datasets, file, is_full, as_of, started_at, finished_at, outcome) values
  ('s', 'csv', '{grants}', 'this', true, '2026-01-02', '2026-01-03', '2026-01-03', 'completed'),
  ('s', 'csv', '{grants}', 'older', true, '2026-01-01', '2026-01-04', '2026-01-04', 'completed'),
  ('s', 'csv', '{contracts}', 'other dataset', true, '2026-01-05', '2026-01-04', '2026-01-04', 'completed'),
  ('r', 'csv', '{grants}', 'other source', true, '2026-01-05', '2026-01-04', '2026-01-04', 'completed');
create function pg_temp.newer() returns text language sql as $$
  select newer::text from funding.imports, funding.newer_runs(id) as newer where file = 'this'
$$;
select is(pg_temp.newer(), '(,,)', 'an import of the source''s newest file has no newer runs');
insert into funding.imports (source, importer, datasets, file, is_full, as_of, started_at, finished_at, outcome) values
  ('s', 'ndjson', '{funders,grants}', 'a part', false, '2026-01-04', '2026-01-06 10:00:00.0009', '2026-01-06', 'completed'),
  ('s', 'csv', '{grants}', 'cut', true, '2026-01-05', '2026-01-07', '2026-01-07', 'failed');
select is(pg_temp.newer(), '("2026-01-06 10:00:00+00","2026-01-05 00:00:00+00",f)', 'newer runs are those of any importer, also failed ones; a full list is one that ended');
update funding.imports set outcome = 'refused' where file = 'cut';
select matches(pg_temp.newer(), ',t\)$', 'a newer full list that was imported is told');

-- Records that newer data brought.
truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes, funding.record_changes;
select pg_temp.loaded('grants', pg_temp.opportunity(), pg_temp.opportunity('{"source_id": "2"}'));
create function pg_temp.kept(since timestamptz) returns text language sql as $$
  select format('%s %s %s', counts->>'inserted', counts->>'updated', counts->>'unchanged')
  from funding.upsert_records('grants', jsonb_build_array(pg_temp.opportunity('{"title": "Older"}'), pg_temp.opportunity('{"source_id": "2", "title": "Older"}'),
    pg_temp.opportunity('{"source_id": "3"}')), since) as counts
$$;
update funding.grants set updated_at = '2026-01-01' where source_id = '2';
select is(pg_temp.kept((pg_temp.stored('1')).updated_at), '1 1 1', 'a record that changed since newer data came stays, and others are written');
select is((pg_temp.stored('1')).title, 'Water', 'it is as the newer data have it');
select results_eq($$select funding.current_source_ids('grants', 'test', '', 10, (select updated_at from funding.grants where source_id = '2'))$$, array['1'],
  'records that changed since newer data came are not looked for in an older list');
select is(pg_temp.kept(null), '0 1 2', 'without that, all are written');

-- When a record was created.
truncate funding.grants, funding.contracts, funding.funders, funding.funder_codes;
select pg_temp.loaded('funders', pg_temp.funder(), pg_temp.funder('{"source_id": "F2"}'));
select pg_temp.loaded('grants', pg_temp.opportunity('{"created_at": null}'));
select is((pg_temp.stored('1')).created_at, now()::timestamptz(3), 'a record of which the source does not say when was created at its import');
select pg_temp.loaded('grants', pg_temp.opportunity('{"created_at": "2026-01-01T00:00:00Z"}'));
select is(pg_temp.loaded('grants', pg_temp.opportunity('{"created_at": null}')), '0 0 1', 'a record without a date is unchanged at a later import');
select pg_temp.loaded('grants', pg_temp.opportunity('{"created_at": null, "title": "Changed"}'));
select is((pg_temp.stored('1')).created_at, '2026-01-01T00:00:00Z'::timestamptz, 'a changed record without a date keeps that of its first import');
select pg_temp.loaded('grants', pg_temp.opportunity('{"created_at": "2026-02-02T00:00:00Z", "title": "Changed"}'));
select is((pg_temp.stored('1')).created_at, '2026-02-02T00:00:00Z'::timestamptz, 'a date that the source gives later is taken');
update funding.funders set created_at = '2026-01-01T00:00:00Z' where source_id = 'F1';
select pg_temp.loaded('funders', pg_temp.funder('{"created_at": null, "summary": "Changed."}'));
select is((select created_at from funding.funders where source_id = 'F1'), '2026-01-01T00:00:00Z'::timestamptz, 'a changed funder without a date keeps that of its first import');

-- Large and odd.
select is(pg_temp.outcome('grants', pg_temp.opportunity(jsonb_build_object('source_id', 'long', 'description', repeat('word ', 100000)))), '1 0 0', 'a text of 500,000 characters is stored');
select is(length((pg_temp.stored('long')).description), 500000, 'a long text is stored whole');
select is(pg_temp.outcome('grants', pg_temp.opportunity(jsonb_build_object('source_id', 'rich', 'description',
  (select string_agg('w' || number, ' ') from generate_series(1, 20000) as number)))), '1 0 0', 'a text of 20,000 different words is stored');
select is(pg_temp.outcome('grants', pg_temp.opportunity('{"source_id": "empty", "title": "…", "description": ""}')), '1 0 0', 'a record without a word is stored');
-- Importers do not let a repetition through: see ingest/seen-ids.ts.
select is(left(pg_temp.outcome('grants', pg_temp.opportunity('{"source_id": "twin", "title": "First"}'), pg_temp.opportunity('{"source_id": "twin", "title": "Last"}')), 5),
  '21000', 'a batch that has a record twice is refused, since neither can be told to be the right one');

select * from finish();
rollback;
