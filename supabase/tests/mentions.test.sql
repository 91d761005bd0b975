-- Places and agencies that a question mentions: they weigh as fields. Explanations of a ranked list.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(62);

truncate funding.grants, funding.contracts, funding.funders, funding.lexicon, funding.synonyms;
create function pg_temp.direction(x real, y real) returns vector language sql as $$
  select array_cat(array[x, y], array_fill(0::real, array[382]))::vector
$$;
insert into funding.lexicon (generation, term, document_frequency, vector)
select fit.generation, known.term, known.document_frequency, known.vector
from funding.lexicon_fit as fit, (values
  ('bridg', 20, pg_temp.direction(1, 0)), ('repair', 30, pg_temp.direction(0.8, 0.6)), ('ohio', 2, null),
  ('train', 10, pg_temp.direction(0.6, 0.8))) as known(term, document_frequency, vector);
update funding.settings set value = '1' where name = 'fusion_field_weight';
update funding.lexicon_fit set documents = 100, average_length = 4, dimensions = 2, has_singular_order = false, fitted_at = now();
insert into funding.synonyms (word, means) values ('fix', 'repair');

insert into funding.funders (id, name, summary, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-0000000000f1', 'Department of Bridges', 'Repairs bridges in Ohio', now(), 'test', 'f1', '');
create function pg_temp.id(number integer) returns uuid language sql as $$
  select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid
$$;
insert into funding.contracts (id, title, description, status, classification, states, details, funder_id, created_at, source, source_id, content_hash)
select pg_temp.id(number), title, 'text', 'open', 'opportunity', states, details::jsonb, '00000000-0000-8000-a000-0000000000f1',
  '2026-01-01', 'test', number::text, ''
from (values
  (1, 'Bridge repair', '{PA}'::text[], '{"agency": ["DEPT OF DEFENSE"]}'),
  (2, 'Bridge repair of a long river crossing in the hills', '{OH}', '{"agency": ["Department of the Interior", "National Park Service"]}'),
  (3, 'Bridge training', '{}', '{"agency": ["HEALTH AND HUMAN SERVICES, DEPARTMENT OF", "National Institutes of Health"]}'),
  (4, 'Ohio Ohio Ohio', '{}', null),
  (5, 'Quantum cells', '{}', '{"agency": ["Department of Transportation"]}')
) as contract(number, title, states, details);

create function pg_temp.mentions(query text, mode text default 'hybrid', dataset text default 'contracts', more jsonb default '{}') returns jsonb language sql as $$
  select funding.mentions_of(dataset, jsonb_build_object('search', query, 'search_mode', mode) || more, mode)
$$;
create function pg_temp.found(query text, mode text default 'hybrid', more jsonb default '{}') returns text language sql as $$
  select coalesce(string_agg(ltrim(right(record->>'id', 12), '0'), ' ' order by place), '')
  from json_array_elements(funding.list('contracts',
    jsonb_build_object('search', query, 'search_mode', mode, 'limit', 100, 'offset', 0) || more)->'results') with ordinality as item(record, place)
$$;

select is(pg_temp.mentions('bridge repair in Ohio'), null, 'before bitmaps know a record in Ohio, Ohio is a word');
select cmp_ok(funding.seal('contracts', 1), '>', 0, 'the records are sealed');

-- Places.
select is(pg_temp.mentions('bridge repair in Ohio')->'places', '["OH"]', 'a state that is named is a place');
select is(pg_temp.mentions('bridge repair in Ohio')->'filters', '[{"states": ["OH"]}]', 'which is a filter of its records');
select is(pg_temp.mentions('bridges, OH')->'places', '["OH"]', 'a code behind a comma is one as well');
select is(pg_temp.mentions('bridges in OHIO or pennsylvania')->'places', '["OH", "PA"]', 'several, in upper or lower case');
select is(pg_temp.mentions(query), null, query || ': mentions no place')
from unnest(array['Ohio River bridges', 'bridges of Ohio County', 'Ohio Street bridge', 'Ohio University bridges', 'bridges of the University of Ohio', 'City of Ohio bridges', 'repair -Ohio', 'bridges "in Ohio"',
  'bridges ohioan', 'oh, bridges', 'bridges in Texas', 'Ohio State University bridges', 'ohio northern university bridges', 'bridges of Ohio Central State University',
  'Ohio A&M bridges', 'Ohio A & M University']) as query;
select is(pg_temp.mentions(query)->'places', '["OH"]', query || ': mentions a place')
from unnest(array['Ohio rural community college programs', 'Ohio state bridges', 'Ohio medical bridges of a college']) as query;
select is(pg_temp.mentions('bridges in Ohio', 'hybrid', 'contracts', '{"similar_to": "00000000-0000-8000-a000-000000000001"}'), null,
  'beside a record, the words are a filter');
select is(pg_temp.mentions('bridges of the State of Ohio')->'places', '["OH"]', 'a state may be called one');
select is(pg_temp.mentions('bridges in Ohio', 'semantic'), null, 'in a hybrid search alone');
select is(pg_temp.mentions('bridges in Ohio', 'hybrid', 'funders'), null, 'funders are in no state');
select is(pg_temp.mentions('bridges in Ohio', 'hybrid', 'contracts', '{"states": ["PA"]}')->'filters', '[]', 'who filters by states decides what counts');

-- Agencies.
select is(pg_temp.mentions('NIH bridge training')->'agencies', '["NIH"]', 'a known abbreviation is an agency');
select is(pg_temp.mentions('nih bridge training')->'filters', '[{"agency": ["national institutes of health"]}]', 'in lower case as well');
select is(pg_temp.mentions('bridges of the National Park Service')->'agencies', '["National Park Service"]', 'the whole name of an agency that records have');
select is(pg_temp.mentions('bridges of the Department of Defense')->'filters', '[{"agency": ["dept of defense"]}]', 'in each of a department''s spellings');
select is(pg_temp.mentions('DOD bridges')->'filters', '[{"agency": ["dept of defense"]}]', 'and an abbreviation stands for each of its spellings');
select is(pg_temp.mentions('HHS bridges')->'filters', '[{"agency": ["health and human services department of"]}]', 'with the department behind');
select is(pg_temp.mentions('DOT cells')->'agencies', '["DOT"]', 'one that is a word counts in upper case');
select is(pg_temp.mentions('quantum dot cells'), null, 'and in lower case is the word');
create temporary table version_before as select version from funding.data_versions where dataset = 'search';
insert into funding.agency_abbreviations (abbreviation, name) values ('usdot', 'Department of Transportation');
select cmp_ok((select version from funding.data_versions where dataset = 'search'), '>', (select version from version_before),
  'a new abbreviation makes a new version of the data, which caches follow');
select is(pg_temp.mentions('usdot cells')->'agencies', '["usdot"]', 'and counts at once');
select is(pg_temp.mentions('NASA bridges'), null, 'an agency that no record has is none');
select is(pg_temp.mentions('NIH or DOI bridges in Ohio')->'filters',
  '[{"states": ["OH"]}, {"agency": ["national institutes of health", "department of the interior"]}]', 'a place and agencies are two fields');
select is(pg_temp.mentions('NIH bridges', 'hybrid', 'contracts', '{"agency": "National Park Service"}')->'filters', '[]', 'unless the request filters by one');

-- Ranking.
select is(pg_temp.found('bridge repair'), '1 2 3', 'without a mention, the shorter title is first');
select is(pg_temp.found('bridge repair in Ohio'), '2 1 3 4', 'the record in Ohio comes first, before one that only says so, and no other is left out');
select is(pg_temp.found('bridge repair NIH'), '3 1 2', 'so does the agency''s');
select is(pg_temp.found('bridge repair in Ohio', 'keyword', '{"sort_by": "relevance"}'), pg_temp.found('bridge repair in Ohio', 'keyword', '{"sort_by": "relevance"}'),
  'a keyword search ranks by the words');
update funding.settings set value = '0' where name = 'fusion_field_weight';
select is(pg_temp.found('bridge repair in Ohio '), '1 2 3 4', 'the weight is a setting');
update funding.settings set value = '1' where name = 'fusion_field_weight';

-- Explanations.
create function pg_temp.explained(query text, mode text, more jsonb default '{}') returns jsonb language sql as $$
  select funding.list('contracts', jsonb_build_object('search', query, 'search_mode', mode, 'limit', 100, 'offset', 0, 'explain', true) || more)::jsonb
$$;
select is(pg_temp.explained('Fix bridges -tunnels in Ohio', 'hybrid')->'understood'->'words'->0->'matches', '["fix", "repair"]', 'a synonym counts as its word');
select results_eq($$select word->>'word', (word->>'is_known')::boolean
    from jsonb_array_elements(pg_temp.explained('Fix zeppelins and bridges -tunnels in Ohio', 'hybrid')->'understood'->'words') as word$$,
  $$values ('Fix', true), ('zeppelins', false), ('bridges', true), ('Ohio', true)$$, 'words as they are said, and whether a record has them');
select is(pg_temp.explained('bridges -tunnels -"toll road" in Ohio', 'hybrid')->'understood'->'excluded', '["tunnels", "toll road"]', 'what is excluded');
select is((pg_temp.explained('"long -river crossing" bridges -tunnels', 'keyword', '{"sort_by": "relevance"}')->'understood') - '{words,known_share,places,agencies}'::text[],
  '{"excluded": ["tunnels"], "phrases": ["long -river crossing"]}', 'a dash in a phrase excludes nothing');
select is(pg_temp.found('"long -river crossing" bridges', 'keyword', '{"sort_by": "relevance"}'), '2', 'and the phrase is found');
select is((pg_temp.explained('bridge repair in Ohio', 'hybrid')->'results'->0->'explanation') - '{keyword,semantic,sum}'::text[],
  '{"identifier": false, "mentions": 1}', 'the record that a mention put first says so');
select is(pg_temp.explained('bridge repair', 'hybrid')->'results'->0->'explanation'->part->'rank', '1', 'the best is first by ' || part)
from unnest(array['keyword', 'sum']) as part;
select is(pg_temp.explained('bridge repair', 'semantic')->'results'->1->'explanation'->'semantic'->'rank', '2', 'a semantic search has one ranking');
select is(pg_temp.explained('bridge repair', 'semantic')->'results'->1->'explanation'->'keyword', 'null', 'and no other');

-- A national record counts as one of the states that the request filters by, and not as one in a place that the search mentions.
update funding.contracts set is_national = true, states = '{}' where id = pg_temp.id(1);
select is(pg_temp.found('bridge repair in Ohio', 'hybrid', '{"include_national": true}'), '2 1 3 4',
  'include_national does not put a national record into the place that is mentioned');
select is((pg_temp.explained('bridge repair in Ohio', 'hybrid', '{"include_national": true}')->'results'->1->'explanation'->>'mentions')::integer, 0,
  'nor does an explanation say so');
select is((pg_temp.explained('bridge repair in Ohio', 'hybrid', '{"include_national": true}')->'results'->0->'explanation'->>'mentions')::integer, 1,
  'while the record there has the place');
update funding.contracts set details = '{"agency": ["National Institutes of Health"]}' where id = pg_temp.id(1);
select is(pg_temp.explained('bridge repair NIH', 'hybrid', '{"states": ["PA"], "include_national": true}')->'results'->0->'explanation'->>'mentions', '1',
  'beside states, a national record of an agency that is mentioned counts');

select * from finish();
rollback;
