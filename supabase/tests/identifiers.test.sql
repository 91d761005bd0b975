-- Identifiers: their forms, and the records that a search finds by them.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(68);

-- The same identifier.
create temporary table same (query text, identifier text);
insert into same values
  ('ZX99-26-R-0043', 'ZX99-26-R-0043'), ('zx99 26 r 0043', 'ZX99-26-R-0043'), ('ZX9926R0043', 'ZX99-26-R-0043'),
  ('ZX99-26-R-0043', 'zx9926r0043'), (U&'ZX99\201126\2013R\20140043', 'ZX99-26-R-0043'), ('ZX99 - 26 - R - 0043', 'ZX99-26-R-0043'),
  (U&'\00A0ZX99-26-R-0043\200B', 'ZX99-26-R-0043'), ('"ZX99-26-R-0043"', 'ZX99-26-R-0043'), (U&'\201CZX99-26-R-0043\201D.', 'ZX99-26-R-0043'),
  ('ZX99-26-R-0043 -water', 'ZX99-26-R-0043'), ('water or ZX99-26-R-0043', 'ZX99-26-R-0043'), ('1 or 2', '1 OR 2'),
  ('93.243', '93.243'), ('CFDA 93.243', '93.243'), ('cfda number: 93.243', '93.243'), ('ALN# 93.243', '93.243'),
  ('Assistance Listing 93.243', '93.243'), ('assistance listings number 93.243', '93.243'), ('93.243', 'CFDA 93.243'), ('93243', '93.243'),
  ('"93.243"', '93.243'), ('10.U01', '10.u01'),
  ('12-3456789', '123456789'), ('EIN 12-3456789', '12-3456789'), ('123456789', '12-3456789'),
  ('NAICS 541511', '541511'), ('naics code: 541511', '541511'), ('Solicitation No. W912DY-24-R-0012', 'W912DY24R0012'),
  ('Notice ID: abc123', 'ABC123'), ('solicitation #12-34', '1234'), ('FAIN R01CA123456', 'R01CA123456'), ('2024', '2024'),
  (repeat('9', 250), repeat('9', 250));
select ok(funding.query_identifiers(query) && funding.identifier_forms(array[identifier]), format('%s is %s', left(query, 60), left(identifier, 40))) from same;

-- Another identifier, or none.
create temporary table other (query text, identifier text);
insert into other values
  ('93.243', '93243'), ('93.243', '932.43'), ('93.243', '93.244'), ('PA-12-295', 'PA-12-296'), ('PA-12-295 deadline', 'PA-12-295'),
  ('PA', 'PA-12-295'), ('12-295', 'PA-12-295'), ('-12', '12'), ('water', 'WATER'), ('grant 2024', '2024'), ('award 12', '12'), ('', '1'), ('...', '1');
select ok(not funding.query_identifiers(query) && funding.identifier_forms(array[identifier]), format('%s is not %s', query, identifier)) from other;
select is(funding.identifier_form('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'), repeat('abcdefghijklmnopqrstuvwxyz', 2) || '0123456789', 'every letter and digit counts');
select is(funding.identifier_form((select string_agg(chr(code), '') from unnest(array[9, 10, 11, 12, 13, 32] || array(select generate_series(33, 47)) || array(select generate_series(58, 64))
  || array(select generate_series(91, 96)) || array(select generate_series(123, 126))) as code)), '', 'and no mark does');
select is(funding.query_identifiers(null), '{}', 'no search is no number');
select is(funding.query_identifiers(repeat('9 ', 200)), '{}', 'nor is a long text');
select is(funding.identifier_forms('{}'), '{}', 'a record may have none');
select is(funding.identifier_forms(array[null, '', 'CFDA']), '{}', 'or only what is none');

-- More records than a filter lists one by one.
truncate funding.grants, funding.contracts, funding.funders;
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-000000000001', 'Bureau of Tests', '2026-01-01T00:00:00Z', 'test', '12-3456789', '');
insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash, identifiers)
select md5(serial::text)::uuid, 'Pens', 'Blue', case when serial % 2 = 0 then 'open' else 'closed' end, 'opportunity', '00000000-0000-8000-a000-000000000001',
       '2026-06-01T00:00:00Z', 'test', serial::text, '', array['FO-' || serial, '93.243']
from generate_series(1, 150) as serial;
create function pg_temp.total(parameters jsonb, dataset text default 'grants') returns bigint language sql as $$
  select (funding.list(dataset, '{"limit": 1, "offset": 0}' || parameters)->>'total')::bigint
$$;
select is(funding.filter_of('grants', '{"search": "fo 7"}'), jsonb_build_object('search', 'fo 7', 'identifier_matches', array[md5('7')::uuid]), 'a filter has the few that a search names');
select is(funding.filter_of('grants', '{"search": "fo 777"}'), '{"search": "fo 777", "identifier_matches": []}', 'or that it names none');
select is(funding.filter_of('grants', '{"search": "93.243"}'), '{"search": "93.243"}', 'and leaves many to the index');
select is(funding.filter_of('grants', '{"search": "pens", "sort_by": "relevance", "order": "asc", "limit": 5, "facets": ["status"]}'),
  '{"search": "pens", "search_mode": "ranked_keyword"}', 'a filter has how its search finds, and nothing of order or page');
create temporary table way as select * from unnest(array['{}', '{"sort_by": "title"}', '{"sort_by": "relevance"}', '{"search_mode": "hybrid"}']::jsonb[]) as way;
select is(pg_temp.total('{"search": "93.243", "status": "open"}' || way), 75::bigint, format('many are counted, %s', way)) from way;
select is(pg_temp.total('{"search": "FO7"}' || way), 1::bigint, format('one is, %s', way)) from way;
select is(pg_temp.total('{"search": "EIN 12-3456789"}', 'funders'), 1::bigint, 'a funder has its EIN');
select matches(funding.predicate('grants', '{"search": "fo-7"}'), 'identifier_forms', 'a stored filter asks each record for its numbers');
select doesnt_match(funding.predicate('grants', '{"search": "pens"}'), 'identifier_forms', 'unless its search is none');
select is((select count(*) from pg_indexes where schemaname = 'funding' and indexname ~ '_identifier_forms$'), 3::bigint, 'each dataset has an index of its numbers');

select * from finish();
rollback;
