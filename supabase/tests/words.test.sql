-- Words that are joined by slashes, dots and dashes: records and searches have them in the same parts.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(62);

select is(funding.separate_words(given), wanted, format('"%s" is read as "%s"', given, wanted))
from (values
  ('HIV/AIDS', 'HIV AIDS'), ('state/local/tribal and/or', 'state local tribal and or'), ('05/01/2026', '05 01 2026'),
  ('https://www.grants.gov/view/123', ' www.grants.gov view 123'),
  ('the U.S. Army', 'the US. Army'), ('U.S.C.', 'USC.'), ('U.S.Army', 'US Army'), ('P.L. 117-58', 'PL. 117 58'), ('e.g., D.C.', 'eg., DC.'),
  ('water.Soil', 'water Soil'), ('by FEMA.The next', 'by FEMA The next'), ('in 2026.The next', 'in 2026 The next'),
  ('COVID-19', 'COVID 19'), ('10-20 years', '10 20 years'), ('2026-05-01', '2026 05 01'), ('at -5', 'at  5'),
  ('low-income', 'low-income'), ('1.5 of 10.001', '1.5 of 10.001'), ('grants.gov, Grants.Gov and SAM.GOV', 'grants.gov, Grants.Gov and SAM.GOV'),
  ('to John.Smith-2@epa.gov or j.r.smith@epa.gov', 'to John.Smith-2@epa.gov or j.r.smith@epa.gov'), ('HIV/AIDS: a@b.gov, U.S.', 'HIV AIDS: a@b.gov, US.'),
  ('', ''), ('Plain words.', 'Plain words.')
) as example(given, wanted);
select is(funding.separate_words(null), null, 'no text is none');

-- Texts of parts that the rules look at, drawn anew for each number.
create temporary table texts as
select string_agg((array['a', 'B', 'Gov', 'gov', '1', '.', '-', '/', '@', ' ', 'http://', 'x', 'é', '_', 'US', '"', E'\n'])[1 + abs(hashtext(format('%s %s', seed, place))) % 17], '' order by place) as body
from generate_series(1, 4000) as seed, generate_series(1, 12) as place group by seed;
select is((select count(distinct body) > 3500 from texts), true, 'thousands of texts');
select is_empty('select body from texts where funding.separate_words(funding.separate_words(body)) <> funding.separate_words(body)',
  'what has been separated stays as it is');
select lives_ok('select count(funding.parse_query(body)), count(funding.excluded_words(''x -'' || body)) from texts', 'and can be read as a search');

-- Ten times the text takes ten times as long, not a hundred. The bounds are for a slow machine: looking ahead to the end took a minute.
set local statement_timeout = '30s';
select lives_ok(format('select length(funding.separate_words(repeat(%L, 20000)))', part), format('a long text of "%s" is read in time', part))
from unnest(array['a.Ba', 'a.', '1-', '@ ', 'a.B@', '/', 'x', 'a.G.O', '://']) as part;
select lives_ok(format('select length(funding.record_lexemes(repeat(%L, 5000), repeat(%1$L, 50000)))', part), format('and a record of "%s" has lexemes', part))
from unnest(array['é.B', 'a/B-1.']) as part;
set local statement_timeout = 0;

select ok(funding.record_lexemes('x', said) @@ funding.parse_query(asked), format('"%s" finds "%s"', asked, said))
from (values
  ('HIV/AIDS care', 'hiv'), ('HIV/AIDS care', 'AIDS'), ('HIV/AIDS care', 'HIV/AIDS'), ('HIV AIDS care', 'HIV/AIDS'), ('HIV/AIDS care', '"HIV AIDS care"'),
  ('U.S. Army Corps', 'US Army Corps'), ('US Army Corps', 'U.S. Army Corps'), ('U.S. Army Corps', '"US Army"'), ('under P.L. 117-58', 'PL 117 58'),
  ('the COVID-19 pandemic', 'COVID 19'), ('COVID 19', 'COVID-19'), ('low income housing', 'low-income housing'), ('low-income housing', 'low income housing'),
  ('low-income housing', 'low-income'), ('for water.Soil too', 'soil'), ('See https://www.grants.gov/view/123.', 'https://www.grants.gov/view/123'),
  ('to help@low-income.gov', 'help@low-income.gov')
) as example(said, asked);
select ok(not funding.record_lexemes('x', said) @@ funding.parse_query(asked), format('"%s" does not find "%s"', asked, said))
from (values
  ('low income housing', 'housing -low-income'), ('low-income housing', 'housing -low-income'), ('HIV/AIDS care', 'care -HIV/AIDS'), ('income that is low', 'low-income')
) as example(said, asked);
select is(funding.excluded_words('care -low-income -HIV/AIDS')::text, $$'low' <-> 'incom' | 'hiv' <-> 'aid'$$, 'a ranking excludes the same');
select is(funding.parse_query('water and/or sewer')::text, $$'water' & 'sewer'$$, 'a part is no operator');
select is(funding.stem('U.S.'), 'us', 'a word has the lexeme of its parts');

select * from finish();
rollback;
