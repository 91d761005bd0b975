-- Explanations of a ranked list.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(10);

truncate funding.grants, funding.contracts, funding.funders, funding.lexicon, funding.synonyms;
create function pg_temp.direction(x real, y real) returns vector language sql as $$
  select array_cat(array[x, y], array_fill(0::real, array[382]))::vector
$$;
insert into funding.lexicon (generation, term, document_frequency, vector)
select fit.generation, known.term, known.document_frequency, known.vector
from funding.lexicon_fit as fit, (values
  ('bridg', 20, pg_temp.direction(1, 0)), ('repair', 30, pg_temp.direction(0.8, 0.6)), ('ohio', 2, null),
  ('train', 10, pg_temp.direction(0.6, 0.8))) as known(term, document_frequency, vector);
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

create function pg_temp.found(query text, mode text default 'hybrid', more jsonb default '{}') returns text language sql as $$
  select coalesce(string_agg(ltrim(right(record->>'id', 12), '0'), ' ' order by place), '')
  from json_array_elements(funding.list('contracts',
    jsonb_build_object('search', query, 'search_mode', mode, 'limit', 100, 'offset', 0) || more)->'results') with ordinality as item(record, place)
$$;

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
select is(pg_temp.explained('bridge repair in Ohio', 'hybrid')->'results'->0->'explanation'->'mentions', '0', 'a place is a word as others');
select is(pg_temp.explained('bridge repair', 'hybrid')->'results'->0->'explanation'->part->'rank', '1', 'the best is first by ' || part)
from unnest(array['keyword', 'sum']) as part;
select is(pg_temp.explained('bridge repair', 'semantic')->'results'->1->'explanation'->'semantic'->'rank', '2', 'a semantic search has one ranking');
select is(pg_temp.explained('bridge repair', 'semantic')->'results'->1->'explanation'->'keyword', 'null', 'and no other');

select * from finish();
rollback;
