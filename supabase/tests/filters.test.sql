-- Every filter of a list, through the page and the total at once, and hostile values.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(147);

truncate funding.grants, funding.contracts, funding.funders;
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000001', 'Bureau of Tests', '2026-01-01T00:00:00Z', 'test', 'funder', '');

-- Adds a record whose title is its name; fields that are not given are a plain open opportunity's.
create function pg_temp.add(dataset text, title text, fields jsonb default '{}') returns void language plpgsql as $$
declare
  item jsonb := jsonb_build_object('id', md5(title)::uuid, 'title', title, 'description', 'text', 'status', 'posted',
    'classification', 'opportunity', 'funder_id', '00000000-0000-8000-a000-000000000001', 'created_at', '2026-06-01T00:00:00Z',
    'source', 'test', 'source_id', title, 'content_hash', '') || fields;
  columns text := (select string_agg(quote_ident(key), ', ') from jsonb_object_keys(item) as key);
begin
  execute format('insert into funding.%1$I (%2$s) select %2$s from jsonb_populate_record(null::funding.%1$I, $1)', dataset, columns) using item;
end
$$;

-- Titles of a list, in alphabetical order; and its totals, where they differ.
create function pg_temp.found(dataset text, parameters jsonb) returns text language plpgsql as $$
declare
  answer json := funding.list(dataset, '{"limit": 100, "offset": 0}' || parameters);
  counted json := funding.list(dataset, '{"limit": 100, "offset": 0, "count_only": true}' || parameters);
  titles text[] := array(
    select shown.title from (
      select coalesce(record->>'title', record->>'name') as title from json_array_elements(answer->'results') as record
    ) as shown order by shown.title collate "C");
begin
  if cardinality(titles) <> (answer->>'total')::int or counted::jsonb <> jsonb_build_object('total', cardinality(titles)) then
    return format('%s, but totals %s and %s', titles, answer->>'total', counted);
  end if;
  return array_to_string(titles, ' ');
end
$$;

-- opportunity_type
select pg_temp.add('grants', 'applyable');
select pg_temp.add('grants', 'given', '{"classification": "awarded_project", "project_end_date": "2027-01-01"}');
select is(pg_temp.found('grants', '{}'), 'applyable', 'a list shows opportunities and no awarded projects unless asked');
select is(pg_temp.found('grants', '{"opportunity_type": "open"}'), 'applyable', 'opportunity_type=open shows opportunities alone');
select is(pg_temp.found('grants', '{"opportunity_type": "awarded"}'), 'given', 'opportunity_type=awarded shows awarded projects alone');
select is(pg_temp.found('grants', '{"opportunity_type": "all"}'), 'applyable given', 'opportunity_type=all shows both');

-- include_archived
truncate funding.grants;
select pg_temp.add('grants', 'current');
select pg_temp.add('grants', 'past', '{"archived_at": "2026-01-01T00:00:00Z"}');
select is(pg_temp.found('grants', '{}'), 'current', 'a list shows no archived records unless asked');
select is(pg_temp.found('grants', '{"include_archived": false}'), 'current', 'include_archived=false shows no archived records');
select is(pg_temp.found('grants', '{"include_archived": true}'), 'current past', 'include_archived=true shows archived records too');

-- statuses and ranges, which the CommonGrants search asks for
truncate funding.grants;
select pg_temp.add('grants', 'bare', '{"status": "closed"}');
select pg_temp.add('grants', 'low', '{"status": "open", "amount_min": 1, "amount_max": 10, "deadline_date": "2027-01-01", "details": {"total_funding": 100}}');
select pg_temp.add('grants', 'mid', '{"status": "posted", "amount_min": 2, "amount_max": 20, "deadline_date": "2027-02-01", "details": {"total_funding": 200}}');
select pg_temp.add('grants', 'top', '{"status": "upcoming", "amount_min": 3.5, "amount_max": 30, "deadline_date": "2027-03-01", "details": {"total_funding": 300.5}}');
select is(pg_temp.found('grants', '{"statuses": ["open", "posted"]}'), 'low mid', 'statuses finds records with one of them');
select is(pg_temp.found('grants', '{"statuses": ["open"]}'), 'low mid', 'statuses takes what is stored for one status together');
select is(pg_temp.found('grants', '{"statuses": []}'), '', 'no statuses are those of no record');
select is(pg_temp.found('grants', jsonb_build_object(name, jsonb_build_object('operator', operator, 'min', low, 'max', high))), expected,
  format('%s %s %s and %s, both included', name, operator, low, high))
from (values
  ('deadline_range', 'between', '2027-01-01', '2027-02-01', 'low mid'), ('deadline_range', 'outside', '2027-01-02', '2027-02-01', 'low top'),
  ('amount_min_range', 'between', '2', '3.5', 'mid top'), ('amount_min_range', 'outside', '2', '3.4', 'low top'),
  ('amount_max_range', 'between', '20', '20', 'mid'), ('amount_max_range', 'outside', '10', '20', 'top'),
  ('total_funding_range', 'between', '100', '300', 'low mid'), ('total_funding_range', 'outside', '200', '300', 'low top'),
  ('total_funding_range', 'between', '300', '200', ''), ('total_funding_range', 'outside', '300', '200', 'low mid top')
) as asked(name, operator, low, high, expected);
select is(pg_temp.found('grants', '{"total_funding_range": {"operator": "between", "min": 0, "max": 250}, "amount_max_range": {"operator": "outside", "min": 0, "max": 10}}'),
  'mid', 'ranges hold together');
select is(pg_temp.found('grants', '{"total_funding_range": {"operator": "or true", "min": 0, "max": 250}}'), 'low mid', 'another operator is between');
select is(pg_temp.found('grants', '{"total_funding_range": {}}'), '', 'a range without bounds is that of no record');
select throws_ok($$select pg_temp.found('grants', '{"amount_min_range": {"operator": "outside", "min": "1 or true", "max": 2}}')$$, '22P02', null, 'a bound must be a number');
select throws_ok($$select pg_temp.found('grants', '{"limit": 1, "offset": 1000001}')$$, '22023', null, 'an offset is bounded');
select throws_ok($$select pg_temp.found('contracts', '{"statuses": [], "deadline_range": {"operator": "between", "min": "2027-01-01", "max": "2027-02-01"}}')$$,
  '22023', 'contracts have no filter statuses, deadline_range', 'they are filters of grants alone');

-- status
truncate funding.grants;
select pg_temp.add('grants', status, jsonb_build_object('status', status))
from unnest(array['open', 'posted', 'closed', 'forecasted', 'upcoming']) as status;
select is(pg_temp.found('grants', '{}'), 'closed forecasted open posted upcoming', 'without a status every status is shown');
select is(pg_temp.found('grants', '{"status": "open"}'), 'open posted', 'status=open means posted too');
select is(pg_temp.found('grants', '{"status": "posted"}'), 'open posted', 'status=posted means open too');
select is(pg_temp.found('grants', '{"status": "upcoming"}'), 'forecasted upcoming', 'status=upcoming means forecasted too');
select is(pg_temp.found('grants', '{"status": "forecasted"}'), 'forecasted upcoming', 'status=forecasted means upcoming too');
select is(pg_temp.found('grants', '{"status": "closed"}'), 'closed', 'status=closed means closed alone');
select is(pg_temp.found('grants', '{"status": "OPEN"}'), 'open posted', 'a status is meant in any case');
select is(pg_temp.found('grants', '{"status": "ope"}'), '', 'a part of a status is no status');
select is(pg_temp.found('grants', '{"status": "o%"}'), '', 'a status is no pattern');
select pg_temp.add('contracts', status, jsonb_build_object('status', status))
from unnest(array['open', 'posted', 'closed', 'sources sought']) as status;
select is(pg_temp.found('contracts', '{"status": "open"}'), 'open posted', 'status=open means posted for contracts too');
select is(pg_temp.found('contracts', '{"status": "Sources Sought"}'), 'sources sought', 'a contract''s status may be any, in any case');

-- category
truncate funding.grants, funding.contracts;
select pg_temp.add('grants', 'health', '{"categories": ["Public Health"]}');
select pg_temp.add('grants', 'several', '{"categories": ["Education", "public health", "100% _Match_"]}');
select pg_temp.add('grants', 'accented', '{"categories": ["Énergie"]}');
select pg_temp.add('grants', 'uncategorized');
select is(pg_temp.found('grants', '{"category": "Public Health"}'), 'health several', 'a category finds the records that have it among others');
select is(pg_temp.found('grants', '{"category": "PUBLIC HEALTH"}'), 'health several', 'a category is meant in any case');
select is(pg_temp.found('grants', '{"category": "Health"}'), '', 'a part of a category is no category');
select is(pg_temp.found('grants', '{"category": "Public Health, Education"}'), '', 'two categories in one are no category');
select is(pg_temp.found('grants', '{"category": "public%"}'), '', 'a category is no pattern');
select is(pg_temp.found('grants', '{"category": "100% _match_"}'), 'several', 'a category may have the characters of a pattern');
select is(pg_temp.found('grants', '{"category": "énergie"}'), 'accented', 'the case of an accented letter does not matter');
select pg_temp.add('contracts', 'roads', '{"categories": ["Construction"]}');
select is(pg_temp.found('contracts', '{"category": "construction"}'), 'roads', 'contracts have categories too');

-- states and include_national
truncate funding.grants, funding.contracts;
select pg_temp.add('grants', 'Ohio', '{"states": ["OH"]}');
select pg_temp.add('grants', 'both', '{"states": ["OH", "IN"]}');
select pg_temp.add('grants', 'national', '{"is_national": true}');
select pg_temp.add('grants', 'nowhere');
select is(pg_temp.found('grants', '{"states": ["OH"]}'), 'Ohio both', 'a state finds the records that name it, and not the national ones');
select is(pg_temp.found('grants', '{"states": ["IN", "PA"]}'), 'both', 'several states find the records that name any of them');
select is(pg_temp.found('grants', '{"states": ["PA"]}'), '', 'a state that no record names finds none');
select is(pg_temp.found('grants', '{"states": ["IN"], "include_national": true}'), 'both national', 'include_national adds the national records');
select is(pg_temp.found('grants', '{"states": ["PA"], "include_national": true}'), 'national', 'include_national adds no record without a place');
select is(pg_temp.found('grants', '{"states": ["IN"], "include_national": false}'), 'both', 'include_national=false adds nothing');
select is(pg_temp.found('grants', '{"include_national": true}'), 'Ohio both national nowhere', 'include_national without states narrows nothing');
select is(pg_temp.found('grants', '{"states": ["oh"]}'), '', 'states are matched as they are stored, in capitals');
select is(pg_temp.found('grants', '{"states": ["IN"], "include_national": true, "status": "closed"}'), '',
  'the national records are subject to the other filters');

-- geography
truncate funding.grants;
select pg_temp.add('grants', 'ohio', '{"geography": "Ohio; Indiana", "states": ["IN", "OH"]}');
select pg_temp.add('grants', 'literal', '{"geography": "100% of Oh_o \\ \"here\""}');
select pg_temp.add('grants', 'elsewhere', '{"geography": "Pennsylvania", "states": ["OH"]}');
select pg_temp.add('grants', 'unknown', '{"states": ["OH"]}');
select is(pg_temp.found('grants', '{"geography": "ohio"}'), 'ohio', 'geography finds a part of the place, in any case');
select is(pg_temp.found('grants', '{"geography": "hio; ind"}'), 'ohio', 'geography takes the text as one');
select is(pg_temp.found('grants', '{"geography": "Oh_o"}'), 'literal', 'an underscore in geography means an underscore');
select is(pg_temp.found('grants', '{"geography": "100%"}'), 'literal', 'a percent sign in geography means a percent sign');
select is(pg_temp.found('grants', '{"geography": "O%o"}'), '', 'geography is no pattern');
select is(pg_temp.found('grants', '{"geography": "\\"}'), 'literal', 'a backslash in geography means a backslash');
select is(pg_temp.found('grants', '{"geography": "\\ \"here\""}'), 'literal', 'quotes in geography mean quotes');
select is(pg_temp.found('grants', '{"geography": "Ohio", "geography_states": ["OH"]}'), 'ohio', 'a keyword list filters by the text of geography');
select matches(funding.predicate('grants', '{"geography": "Ohio", "search": "x", "search_mode": "hybrid", "geography_states": ["OH"]}'),
  'record\.states && funding\.text_array\(\$1->''geography_states''\)', 'a hybrid list filters by the states that geography names');
select doesnt_match(funding.predicate('grants', '{"geography": "Ohio", "search": "x", "search_mode": "hybrid", "geography_states": ["OH"]}'),
  'ilike', 'a hybrid list does not filter by the text of geography where it names states');
select matches(funding.predicate('grants', '{"geography": "the north", "search": "x", "search_mode": "hybrid"}'), 'ilike',
  'a hybrid list filters by the text of geography where it names no state');
select matches(funding.predicate('grants', '{"geography": "Ohio", "search": "x", "search_mode": "semantic", "geography_states": ["OH"]}'), 'ilike',
  'a semantic list filters by the text of geography');

-- Amounts. min_amount looks at the most a record gives, max_amount at the least.
truncate funding.grants;
select pg_temp.add('grants', 'silent');
select pg_temp.add('grants', 'small', '{"amount_min": 100, "amount_max": 200}');
select pg_temp.add('grants', 'middle', '{"amount_min": 200, "amount_max": 500}');
select pg_temp.add('grants', 'from', '{"amount_min": 300}');
select pg_temp.add('grants', 'upto', '{"amount_max": 400.5}');
select pg_temp.add('grants', 'vast', '{"amount_min": 9007199254740991, "amount_max": 9007199254740991}');
select is(pg_temp.found('grants', '{"min_amount": 0}'), 'middle small upto vast', 'a record that gives no maximum matches no min_amount, not even 0');
select is(pg_temp.found('grants', '{"min_amount": 200}'), 'middle small upto vast', 'min_amount includes the amount itself');
select is(pg_temp.found('grants', '{"min_amount": 201}'), 'middle upto vast', 'min_amount leaves out what gives less at most');
select is(pg_temp.found('grants', '{"min_amount": 401}'), 'middle vast', 'min_amount minds the cents');
select is(pg_temp.found('grants', '{"max_amount": 0}'), '', 'a record that gives no minimum matches no max_amount');
select is(pg_temp.found('grants', '{"max_amount": 200}'), 'middle small', 'max_amount includes the amount itself');
select is(pg_temp.found('grants', '{"max_amount": 199}'), 'small', 'max_amount leaves out what gives more at least');
select is(pg_temp.found('grants', '{"max_amount": 300}'), 'from middle small', 'max_amount keeps a record without a maximum');
select is(pg_temp.found('grants', '{"min_amount": 300, "max_amount": 300}'), 'middle', 'both amounts need both ends');
select is(pg_temp.found('grants', '{"min_amount": 9007199254740991}'), 'vast', 'the largest amount that JavaScript counts is exact');
select is(pg_temp.found('grants', '{"max_amount": 9007199254740990}'), 'from middle small', 'one less than the largest amount is less');

-- Deadlines. Both ends are exclusive.
truncate funding.grants;
select pg_temp.add('grants', 'never');
select pg_temp.add('grants', 'first', '{"deadline_date": "2026-07-01"}');
select pg_temp.add('grants', 'second', '{"deadline_date": "2026-07-02"}');
select pg_temp.add('grants', 'third', '{"deadline_date": "2026-07-03"}');
select is(pg_temp.found('grants', '{"deadline_after": "2026-07-01"}'), 'second third', 'deadline_after leaves out the day itself');
select is(pg_temp.found('grants', '{"deadline_before": "2026-07-03"}'), 'first second', 'deadline_before leaves out the day itself');
select is(pg_temp.found('grants', '{"deadline_after": "2026-07-01", "deadline_before": "2026-07-03"}'), 'second', 'both deadlines leave what is between');
select is(pg_temp.found('grants', '{"deadline_after": "2026-07-01", "deadline_before": "2026-07-02"}'), '', 'between two days there is none');
select is(pg_temp.found('grants', '{"deadline_after": "0001-01-01"}'), 'first second third', 'a record without a deadline matches no deadline_after');
select is(pg_temp.found('grants', '{"deadline_before": "9999-12-31"}'), 'first second third', 'a record without a deadline matches no deadline_before');
set local datestyle = 'SQL, DMY';
set local timezone = 'Pacific/Kiritimati';
select is(pg_temp.found('grants', '{"deadline_after": "2026-07-01", "deadline_before": "2026-07-03", "order": "asc"}'), 'second',
  'deadlines mean the same in any date style and time zone');
select is(pg_temp.found('grants', '{"deadline_after": "2026-02-03", "limit": 99}'), 'first second third', 'a date is read year first in any date style');

-- posted_after
truncate funding.grants;
select pg_temp.add('grants', 'before', '{"created_at": "2026-06-10T13:59:59.999Z"}');
select pg_temp.add('grants', 'exactly', '{"created_at": "2026-06-10T14:00:00Z"}');
select pg_temp.add('grants', 'after', '{"created_at": "2026-06-10T14:00:00.001Z"}');
select is(pg_temp.found('grants', '{"posted_after": "2026-06-10T14:00:00.000Z"}'), 'after', 'posted_after leaves out the moment itself');
select is(pg_temp.found('grants', '{"posted_after": "2026-06-10T13:59:59.999Z"}'), 'after exactly', 'posted_after minds the milliseconds');
select is(pg_temp.found('grants', '{"posted_after": "2026-06-10T16:00:00+02:00"}'), 'after', 'posted_after minds the offset');
reset timezone;
reset datestyle;

-- naics and set_aside
truncate funding.contracts;
select pg_temp.add('contracts', 'plain');
select pg_temp.add('contracts', 'software', '{"naics": "541511", "set_aside_code": "SDVOSBC"}');
select pg_temp.add('contracts', 'design', '{"naics": "541512", "set_aside_code": "8A"}');
select pg_temp.add('contracts', 'odd', '{"set_aside_code": "50%_hZc"}');
select is(pg_temp.found('contracts', '{"naics": "541511"}'), 'software', 'a NAICS code finds the contracts that have it');
select is(pg_temp.found('contracts', '{"naics": "541513"}'), '', 'a NAICS code that no contract has finds none');
select is(pg_temp.found('contracts', '{"naics": "5415"}'), 'design software', 'a NAICS code is found by its beginning');
select is(pg_temp.found('contracts', '{"naics": "415"}'), '', 'another part of a NAICS code is no NAICS code');
select is(pg_temp.found('contracts', '{"naics": "54151_"}'), '', 'a NAICS code is no pattern');
select is(pg_temp.found('contracts', '{"set_aside": "8A"}'), 'design', 'a set-aside code finds the contracts that have it');
select is(pg_temp.found('contracts', '{"set_aside": "sdvosbc"}'), 'software', 'a set-aside code is meant in any case');
select is(pg_temp.found('contracts', '{"set_aside": "50%_Hzc"}'), 'odd', 'a set-aside code may be the publisher''s own, in any case');
select is(pg_temp.found('contracts', '{"set_aside": "SDVOSB"}'), '', 'a part of a set-aside code is no set-aside code');
select is(pg_temp.found('contracts', '{"set_aside": "%"}'), '', 'a set-aside code is no pattern');
select is(pg_temp.found('contracts', '{"set_aside": ""}'), '', 'an empty set-aside code does not mean contracts without one');

-- search, in keyword mode
truncate funding.grants;
select pg_temp.add('grants', 'water', '{"description": "Restoring the rivers of Peña county"}');
select pg_temp.add('grants', 'fire', '{"description": "Equipment and water trucks"}');
select pg_temp.add('grants', 'park', '{"description": "A quiet low-income place; city hall restored"}');
select is(pg_temp.found('grants', '{"search": "water"}'), 'fire water', 'a keyword is looked for in title and description');
select is(pg_temp.found('grants', '{"search": "WATERS"}'), 'fire water', 'a keyword is meant in any case and form');
select is(pg_temp.found('grants', '{"search": "pena"}'), 'water', 'a keyword is meant with or without accents');
select is(pg_temp.found('grants', '{"search": "Peña"}'), 'water', 'an accented keyword finds the accented word');
select is(pg_temp.found('grants', '{"search": "water trucks"}'), 'fire', 'all keywords are needed');
select is(pg_temp.found('grants', '{"search": "trucks or rivers"}'), 'fire water', 'or means any of two keywords');
select is(pg_temp.found('grants', '{"search": "water -trucks"}'), 'water', 'a keyword with a hyphen before it is excluded');
select is(pg_temp.found('grants', '{"search": "water - trucks"}'), 'fire', 'a dash between two keywords excludes nothing');
select is(pg_temp.found('grants', '{"search": "water -- trucks -"}'), 'fire', 'dashes alone exclude nothing');
select is(pg_temp.found('grants', '{"search": "low-income place"}'), 'park', 'a hyphen inside a keyword excludes nothing');
select is(pg_temp.found('grants', '{"search": "\"city hall\""}'), 'park', 'a phrase in quotes is looked for as one');
select is(pg_temp.found('grants', '{"search": "\"hall city\""}'), '', 'the order of a phrase matters');
select is(pg_temp.found('grants', '{"search": "the of"}'), '', 'words that say nothing find nothing');
select is(pg_temp.found('grants', '{"search": "tests"}'), '', 'the funder''s name is not looked in');
select is(pg_temp.found('grants', '{"search": "water", "status": "closed"}'), '', 'a search is subject to the other filters');
insert into funding.funders (id, name, summary, website, created_at, source, source_id, content_hash) values
  ('00000000-0000-8000-a000-000000000002', 'Lake Fund', 'Gives to anglers', 'https://trout.example', now(), 'test', 'f2', '');
select is(pg_temp.found('funders', '{"search": "lakes"}'), 'Lake Fund', 'funders are searched by name');
select is(pg_temp.found('funders', '{"search": "angler"}'), 'Lake Fund', 'funders are searched by summary');
select is(pg_temp.found('funders', '{"search": "trout"}'), '', 'funders are not searched by website');
select is(pg_temp.found('funders', '{}'), 'Bureau of Tests Lake Fund', 'without a search every funder is shown');

-- Together.
truncate funding.grants, funding.contracts;
create temporary table everything as select '{"search": "bridge", "search_mode": "keyword", "opportunity_type": "open", "include_archived": false,
  "status": "open", "category": "Transport", "states": ["OH"], "include_national": true, "geography": "Ohio", "min_amount": 10,
  "max_amount": 20, "deadline_after": "2026-07-01", "deadline_before": "2026-07-31", "posted_after": "2026-05-01T00:00:00.000Z",
  "naics": "237310", "set_aside": "8A"}'::jsonb as parameters;
create temporary table matching as select '{"description": "A bridge", "categories": ["Transport"], "states": ["OH"], "geography": "Ohio",
  "amount_min": 10, "amount_max": 20, "deadline_date": "2026-07-15", "naics": "237310", "set_aside_code": "8A"}'::jsonb as fields;
select pg_temp.add('contracts', 'all', fields) from matching;
select pg_temp.add('contracts', 'other' || place, fields || change) from matching, unnest(array[
  '{"description": "A tunnel"}', '{"classification": "awarded_project", "deadline_date": null}', '{"archived_at": "2026-01-01"}',
  '{"status": "closed"}', '{"categories": []}', '{"states": ["IN"]}', '{"geography": "Iowa"}', '{"amount_min": 1, "amount_max": 9}',
  '{"amount_min": 21, "amount_max": 22}', '{"deadline_date": "2026-07-01"}', '{"deadline_date": "2026-07-31"}',
  '{"created_at": "2026-05-01T00:00:00Z"}', '{"naics": "237311"}', '{"set_aside_code": null}']::jsonb[]) with ordinality as other(change, place);
select is(pg_temp.found('contracts', parameters), 'all', 'a record must match every filter at once') from everything;
select is(pg_temp.found('contracts', parameters - 'naics' - 'set_aside'), 'all other13 other14',
  'a filter that is not given narrows nothing') from everything;
select throws_ok(format('select funding.predicate(''grants'', %L)', parameters), '22023', 'grants have no filter naics, set_aside',
  'grants have no NAICS codes and no set-asides') from everything;
select throws_ok(format('select funding.predicate(''funders'', %L)', parameters), '22023', null, 'funders have none of the filters of opportunities') from everything;
select throws_ok($$select funding.bitmap_conditions('grants', '{"min_awards": 5}')$$, '22023', 'grants have no filter min_awards', 'nor are unknown filters ignored by the bitmaps');
select throws_ok($$select funding.filter_of('grants', '{"min_awards": 5, "limit": 1}')$$, '22023', 'grants have no filter min_awards', 'nor by a list');
select is(funding.predicate('funders', '{}'), 'true', 'no filter at all is a predicate too');

-- Hostile values.
create temporary table hostile as select text, name
from unnest(array['''; drop table funding.contracts; --', '%', '_', '\', '\''', '"', '''', '''''', '$1', '$$', '$c$', ') or true --',
  '{"a": 1}', E'line\nbreak', 'null', '%s %I %L', '-- ', '/*', U&'\FF07 or 1=1', repeat('x', 4000)]) as text,
  unnest(array['search', 'status', 'category', 'geography', 'naics', 'set_aside']) as name;
create temporary table hostile_answer as
  select name, text, pg_temp.found('contracts', jsonb_build_object(name, text)) as found from hostile;
select is_empty($$select * from hostile_answer where found <> ''$$, 'hostile text in any filter finds nothing, and breaks nothing');
select is_empty($$select name, text from hostile
  where funding.predicate('contracts', jsonb_build_object(name, text)) <> funding.predicate('contracts', jsonb_build_object(name, case
    when name = 'naics' then rpad('', char_length(text), 'x') when text ~ '[0-9]' then 'harmless 1' else 'harmless' end))$$,
  'a predicate depends on which filters are given, on whether a search may be a number and on how long a code is, and not on their values');
select is_empty($$select name, text from hostile, unnest(array['keyword', 'semantic', 'hybrid']) as mode where length(text) > 4
    and strpos(funding.predicate('contracts', jsonb_build_object(name, text, 'search_mode', mode)), text) > 0$$,
  'no value is in the text of a predicate');
select is_empty(
  format($$select value from jsonb_each_text(%L) as item(key, value)
    where length(value) > 2 and key not in ('search_mode', 'opportunity_type', 'include_archived', 'include_national')
      and strpos(lower(funding.predicate('contracts', %1$L)), lower(value)) > 0$$, parameters - 'states'),
  'no value of a full request is in the text of its predicate') from everything;
select is((select count(*) from funding.contracts), 15::bigint, 'after all that every record is there');
select is(pg_temp.found('contracts', '{"states": ["OH''; drop table x"]}'), '', 'hostile text in states finds nothing');
select throws_ok($$select pg_temp.found('contracts', '{"min_amount": "1; drop table funding.contracts"}')$$, '22P02', null, 'an amount must be a number');
select throws_ok($$select pg_temp.found('contracts', '{"deadline_after": "yesterday''; --"}')$$, '22007', null, 'a deadline must be a date');
select throws_ok($$select pg_temp.found('contracts', '{"posted_after": "x"}')$$, '22007', null, 'posted_after must be a moment');
select throws_ok($$select pg_temp.found('contracts', '{"include_archived": "true or true"}')$$, '22P02', null, 'include_archived must be a boolean');
select throws_ok($$select pg_temp.found('contracts', '{"limit": "1; drop table funding.contracts"}')$$, '22P02', null, 'a limit must be a number');
select throws_ok($$select pg_temp.found('contracts; drop table funding.contracts', '{}')$$, '42P01', null, 'a dataset must be a table');
select throws_ok($$select pg_temp.found('contracts', '{"sort_by": "title; drop table funding.contracts"}')$$, '22023', null, 'an order must be one we know');
select throws_ok($$select pg_temp.found('contracts', '{"sort_by": "id"}')$$, '22023', null, 'a column that is not offered is no order');
select throws_ok($$select pg_temp.found('contracts', '{"order": "asc; --"}')$$, '22023', null, 'a direction must be asc or desc');
select throws_ok(format('select funding.list(''contracts'', %L)', '{"limit": 1, "offset": 0, "sort_by": "relevance", "search": "x"}'::jsonb || mode || direction),
  '22023', null, format('a direction that is SQL is refused: relevance, %s, %s', mode->>'search_mode', direction->>'order'))
from unnest(array['{"search_mode": "keyword"}', '{"search_mode": "hybrid"}']::jsonb[]) as mode,
  unnest(array['{"order": "asc; --"}', '{"order": "desc, (select 1 / 0)"}']::jsonb[]) as direction;
select throws_ok(format('select funding.list(''grants'', %L)', wrong), '22023', null, format('a page is bounded: %s', left(wrong::text, 60)))
from unnest(array['{"offset": 0}', '{"limit": 10001, "offset": 0}', jsonb_build_object('limit', 1, 'offset', 0, 'search', repeat('a', 4001))]::jsonb[]) as wrong;

select * from finish();
rollback;
