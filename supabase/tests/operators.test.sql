-- Searches with operators in runs: read by the one function that hands text to the parser, and never an internal error.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(37);

create function pg_temp.parsed(query text) returns text language sql as $$
  select funding.parse_query(query)::text
$$;

-- A run of signs, drawn anew for each number.
create function pg_temp.run(seed integer) returns text language sql as $$
  select string_agg(
    case when hash % 5 < 2 then (array['water', 'health', '"clean water"', 'or', 'the'])[1 + hash / 5 % 5]
    else repeat((array['-', '-(', '-!', '- ', '"', ' or ', '<->', '&', '|', '!', '(', ')', ':*', '''', '\', '–', '—', E'-\u00a0', E'-\u2003', E'-\u200b', '-"'])[1 + hash / 5 % 21],
      1 + hash / 105 % 60) end, (array['', ' '])[1 + seed % 2] order by place)
  from (select place, abs(hashtext(format('%s %s', seed, place))) as hash from generate_series(1, 1 + seed % 7) as place) as part
$$;

select lives_ok($$select count(funding.parse_query(pg_temp.run(seed))) from generate_series(1, 4000) as seed$$, '4,000 generated runs are read');
select lives_ok($$select count(funding.excluded_words('water -x' || pg_temp.run(seed))) from generate_series(1, 1000) as seed$$, 'and as what a ranking excludes');
select lives_ok($$select count(funding.required_phrases('"x" ' || pg_temp.run(seed) || ' "y"')) from generate_series(1, 1000) as seed$$, 'and as what it must find');
select ok((select count(distinct pg_temp.parsed(pg_temp.run(seed))) > 200 from generate_series(1, 4000) as seed), 'which are many different queries');
select ok(exists (
  select from generate_series(1, 200) as seed
  cross join lateral (select pg_temp.run(seed) as query) as generated
  where query ~ '-{33}' and strpos(query, '"') = 0), 'some of which no stack would hold');

-- Every run of two or three signs with a dash among them: the signs of a query's syntax.
select lives_ok($$
  with signs as (select chr(code) as sign from generate_series(32, 126) as code where chr(code) !~ '[a-z0-9]')
  select count(funding.parse_query(repeat(run, 40) || word))
  from (
    select one.sign || other.sign as run from signs as one cross join signs as other
    union select replace(one.sign || '-' || other.sign, ' ', E'\u00a0') from signs as one cross join signs as other
    union select '-' || one.sign || other.sign from signs as one cross join signs as other
  ) as runs
  cross join (values (''), ('water')) as words (word)$$, 'runs of any two or three signs are read');
select is(pg_temp.parsed(repeat('<-', 40) || 'right'), $$!'right'$$, 'a dash excludes behind an angle bracket, as it does behind others');

select is(pg_temp.parsed('water -right'), $$'water' & !'right'$$, 'a dash right before a word excludes it');
select is(pg_temp.parsed('water -"clean air"'), $$'water' & !( 'clean' <-> 'air' )$$, 'and a phrase');
select is(pg_temp.parsed('water (-right)'), $$'water' & !'right'$$, 'after a bracket, too');
select is(pg_temp.parsed('water -- -right'), $$'water' & !'right'$$, 'and after other dashes');
select is(pg_temp.parsed(run || 'right'), $$'right'$$, format('%s means nothing', left(run, 6)))
from unnest(array['--', '---', repeat('-', 40), repeat('-(', 40), repeat('-!', 40), repeat('- ', 40), repeat(E'-\u2003', 40)]) as run;
select is(pg_temp.parsed('water - right'), $$'water' & 'right'$$, 'a dash between words is punctuation');
select is(pg_temp.parsed('"water -- right" -air'), $$'water' <-> 'right' & !'air'$$, 'what is in quotes stays as it is');
select is(pg_temp.parsed(repeat('-', 40)), '', 'nothing but dashes asks for nothing');
select is(funding.parse_query(null), null, 'and no text for null');

select throws_ok(
  $$select funding.parse_query((select string_agg(repeat('w', 1000) || place, ' ') from generate_series(1, 1100) as place))$$,
  'PT400', 'cannot be read as a search: use words, phrases in quotes, -words and or', 'what the parser cannot read is PT400');

-- What a ranking excludes, and what is left of the search.
create function pg_temp.excluded(query text) returns text language sql as $$
  select concat_ws(' / ', btrim(regexp_replace(funding.wanted_words(query), '\s+', ' ', 'g')), funding.excluded_words(query)::text)
$$;
select is(pg_temp.excluded(query), expected, format('a ranking of %s', query))
from (values
  ('water -rights law', $$water law / 'right'$$),
  ('-rights water', $$water / 'right'$$),
  ('water -"air rights" law', $$water law / 'air' <-> 'right'$$),
  ('water -air -rights', $$water / 'air' | 'right'$$),
  ('"clean water -round 2"', '"clean water -round 2"'),
  ('"clean -water" -air', $$"clean -water" / 'air'$$),
  ('-air "clean -water"', $$"clean -water" / 'air'$$),
  ('"a" -air "b"', $$"a" "b" / 'air'$$),
  ('-"air -rights" water', $$water / 'air' <-> 'right'$$),
  ('-air"clean -water"', $$"clean -water" / 'air'$$),
  ('"clean -water', '"clean -water'),
  ('water -"air -rights', $$water / 'air' <-> 'right'$$),
  ('"" -air', $$"" / 'air'$$)) as search (query, expected);

select is(
  (select array_agg(proname::text) from pg_proc where pronamespace in ('funding'::regnamespace, 'public'::regnamespace)
    and prosrc ~ '\m(websearch_|plain|phrase)?to_tsquery\s*\('),
  '{parse_query}', 'one function alone hands text to the parser');

select * from finish();
rollback;
