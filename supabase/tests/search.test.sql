-- Ranked search over a lexicon fitted by hand: two dimensions, in which similarities are known.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(227);

truncate funding.grants, funding.contracts, funding.funders, funding.lexicon, funding.synonyms;
update funding.settings set value = wanted.value::jsonb
from (values ('bm25_k1', '1.2'), ('bm25_b', '0.75'), ('bm25_k3', '8'), ('bm25_title_weight', '1'), ('floor_words', '100'), ('embedding_model', '"lexicon"'), ('search_candidates', '200'), ('fusion_k', '60'), ('fusion_sum_weight', '0'), ('feedback_weight', '{"lexicon": 0}'),
  ('fusion_keyword_weight', '1'), ('fusion_semantic_weight', '1'), ('floor_similarity', '{"lexicon": 0.3}'), ('floor_coverage', '0.25'),
  ('synonym_weight', '0.5')) as wanted(name, value)
where settings.name = wanted.name;

create function pg_temp.direction(x real, y real) returns vector language sql as $$
  select array_cat(array[x, y], array_fill(0::real, array[382]))::vector
$$;
insert into funding.lexicon (generation, term, document_frequency, vector)
select fit.generation, known.term, known.document_frequency, known.vector
from funding.lexicon_fit as fit, (values
  ('water', 40, pg_temp.direction(1, 0)),
  ('river', 20, pg_temp.direction(0.8, 0.6)),
  ('school', 30, pg_temp.direction(0, 1)),
  ('park', 1, null),
  ('right', 20, pg_temp.direction(0.6, -0.8))) as known(term, document_frequency, vector);
update funding.lexicon_fit set documents = 100, average_length = 4, dimensions = 2, bm25_k1 = 1.2, bm25_b = 0.75, bm25_title_weight = 1,
  has_singular_order = false, fitted_at = now();

insert into funding.funders (id, name, summary, created_at, source, source_id, content_hash)
values ('00000000-0000-8000-a000-0000000000f1', 'River Fund', 'Gives for water', now(), 'test', 'f1', '');

create function pg_temp.id(number integer) returns uuid language sql as $$
  select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid
$$;
create function pg_temp.add(dataset text, number integer, title text, description text, status text default 'open') returns void language plpgsql as $$
begin
  execute format($insert$
    insert into funding.%I (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
    values ($1, $2, $3, $4, 'opportunity', '00000000-0000-8000-a000-0000000000f1', '2026-01-01T00:00:00Z', 'test', $1::text, '')
  $insert$, dataset) using pg_temp.id(number), title, description, status;
end
$$;

-- Gives a grant another vector, or none.
create function pg_temp.set_vector(number integer, vector halfvec) returns void language plpgsql as $$
declare
  vectors text := funding.vectors_table('grants', (select fit.vectors from funding.lexicon_fit as fit));
begin
  execute format('delete from funding.%I where slot = (select slot from funding.grants where id = $1) and $2 is null', vectors)
  using pg_temp.id(number), vector;
  execute format('update funding.%I set embedding = $2 where slot = (select slot from funding.grants where id = $1) and $2 is not null', vectors)
  using pg_temp.id(number), vector;
end
$$;
-- Last digits of the ids of the records that a search gives, in its order.
create function pg_temp.found(query text, mode text, more jsonb default '{}', dataset text default 'grants') returns text language sql as $$
  select coalesce(string_agg(ltrim(right(record->>'id', 12), '0'), ' ' order by place), '')
  from json_array_elements(funding.list(dataset,
    jsonb_build_object('search', query, 'search_mode', mode, 'limit', 100, 'offset', 0) || more)->'results') with ordinality as item(record, place)
$$;
create function pg_temp.answer(query text, mode text, more jsonb default '{}') returns json language sql as $$
  select funding.list('grants', jsonb_build_object('search', query, 'search_mode', mode, 'limit', 100, 'offset', 0) || more)
$$;
create function pg_temp.score(query text, mode text, number integer) returns numeric language sql as $$
  select (record->>'relevance_score')::numeric from json_array_elements(pg_temp.answer(query, mode)->'results') as record
  where record->>'id' = pg_temp.id(number)::text
$$;
create function pg_temp.set(setting_name text, new_value jsonb) returns void language sql as $$
  update funding.settings set value = new_value where name = setting_name
$$;

-- BM25 as the textbook has it (Robertson and Zaragoza, 2009), with Lucene's inverse document frequency.
create function pg_temp.idf(document_frequency double precision) returns double precision language sql as $$
  select ln(1 + (100 - document_frequency + 0.5) / (document_frequency + 0.5))
$$;
create function pg_temp.bm25(document_frequency double precision, term_frequency double precision, length double precision,
  average_length double precision default 4) returns double precision language sql as $$
  select pg_temp.idf(document_frequency) * term_frequency * (1.2 + 1) / (term_frequency + 1.2 * (1 - 0.75 + 0.75 * length / average_length))
$$;
-- A leg of a search by itself: the records it gives, best first, with their own scores.
create function pg_temp.leg(query text, leg text) returns table (number text, score double precision, place bigint) language plpgsql as $$
begin
  return query execute format($leg$
    select ltrim(right(found.id::text, 12), '0'), found.score, row_number() over (order by found.score desc, found.id)
    from funding.scope_of('grants', jsonb_build_object('search', $1, 'search_mode', 'hybrid')) as scope,
         funding.%I(scope, funding.analyze_query($1), $2) as leg, unnest(funding.ids_of('grants', leg.slots), leg.scores) as found(id, score)
  $leg$, leg || '_candidates') using query, funding.setting('search_candidates')::int;
end
$$;
create function pg_temp.bm25_score(query text, of_number integer) returns numeric language sql as $$
  select round(score::numeric, 4) from pg_temp.leg(query, 'keyword') where number = of_number::text
$$;

-- BM25.
select pg_temp.add('grants', 1, 'Water', 'water river school');
select pg_temp.add('grants', 2, 'River', 'school school school school school school school');
select pg_temp.add('grants', 3, 'Water', 'school');
select pg_temp.add('grants', 4, 'School', 'rights of the park');
select is(pg_temp.bm25_score('water', 1), round(pg_temp.bm25(40, 2, 4)::numeric, 4), 'the score of one word is the textbook''s');
select is(pg_temp.bm25_score('water', 3), round(pg_temp.bm25(40, 1, 2)::numeric, 4), 'the score of a short record is the textbook''s');
select is(pg_temp.bm25_score('school', 2), round(pg_temp.bm25(30, 7, 8)::numeric, 4), 'the score of a word that is said often is the textbook''s');
select is(pg_temp.bm25_score('water rivers', 1), round((pg_temp.bm25(40, 2, 4) + pg_temp.bm25(20, 1, 4))::numeric, 4), 'the score of two words is their sum');
select is(pg_temp.bm25_score('water water rivers', 1), round((2 * (8 + 1) / (2 + 8.0) * pg_temp.bm25(40, 2, 4) + pg_temp.bm25(20, 1, 4))::numeric, 4),
  'a word that the query says twice counts nearly twice');
select is(pg_temp.bm25_score('park', 4), round(pg_temp.bm25(1, 1, 3)::numeric, 4), 'words that say nothing do not count towards a record''s length');
select is(pg_temp.bm25_score('park unheard', 4), pg_temp.bm25_score('park', 4), 'a word that no record has adds nothing to a score');
select is(pg_temp.bm25_score('school', 1) is null or pg_temp.bm25_score('school', 1) > 0, true, 'a score is never negative');
select is(pg_temp.bm25_score('river', 3), null, 'a record without a word of the query is no candidate');
select is((select string_agg(number, ' ' order by place) from pg_temp.leg('school', 'keyword')),
  (select string_agg(number::text, ' ' order by pg_temp.bm25(30, frequency, length) desc)
   from (values (1, 1, 4), (2, 7, 8), (3, 1, 2), (4, 1, 3)) as document(number, frequency, length)),
  'candidates are in the textbook''s order');
select pg_temp.add('grants', 5, 'Water', 'school');
select pg_temp.add('grants', 6, 'Water', 'school');
select is((select string_agg(number, ' ' order by place) from pg_temp.leg('water', 'keyword')),
  case when pg_temp.bm25(40, 2, 4) > pg_temp.bm25(40, 1, 2) then '1 3 5 6' else '3 5 6 1' end, 'candidates alike are in the order of their ids');
select is(pg_temp.found('water', 'keyword', '{"sort_by": "relevance", "order": "desc"}'), '1 3 5 6', 'a keyword list by relevance is in BM25 order, ties in the order in which they came');
select is(pg_temp.found('water', 'keyword', '{"sort_by": "relevance", "order": "asc"}'), '6 5 3 1', 'a keyword list by relevance ascending is the reverse');
select is(pg_temp.found('water', 'keyword', '{"sort_by": "relevance"}'), '1 3 5 6', 'relevance is in descending order unless asked otherwise');
select is(pg_temp.found('water river', 'keyword'), '1', 'a keyword list needs every word');
select is(pg_temp.found('water river', 'keyword', '{"sort_by": "relevance"}'), '1 3 5 6 2', 'a keyword list by relevance needs enough of them, and the best have all');
select is(pg_temp.answer('water river', 'keyword', '{"sort_by": "relevance"}')->>'total', '5', 'its total counts what it lists');
select is(pg_temp.answer('water river', 'keyword', '{"sort_by": "relevance", "count_only": true}')->>'total', '5', 'and so does its count');
select is(pg_temp.found('"water river" school', 'keyword', '{"sort_by": "relevance"}'), '1', 'a phrase in quotes must be there');
select is(pg_temp.found('"water river"' || repeat(' school', 11), 'keyword', '{"sort_by": "relevance"}') like '% %', true, 'but not one in the middle of a long text');
select is(pg_temp.found('school -"water river"', 'keyword', '{"sort_by": "relevance"}'), '2 3 5 6 4', 'an excluded phrase must not');
select is(pg_temp.answer('water', 'keyword')->'results'->0->>'relevance_score', null, 'a keyword list in another order has no scores');
select is((pg_temp.answer('water', 'keyword', '{"sort_by": "relevance"}')->'results'->0->>'relevance_score')::numeric, 1.0, 'the best of a keyword list by relevance has a score of 1');

-- Words of the title.
select is((select string_agg(term || ' ' || frequency, ', ' order by term) from funding.term_frequencies(funding.record_lexemes('Water', 'water river'), 3)),
  'river 1, water 4', 'a word of the title counts as many words as the setting says');
update funding.lexicon_fit set bm25_title_weight = 3;
update funding.grants set title = 'River' where id = pg_temp.id(1);
select is(pg_temp.bm25_score('river', 1), round(pg_temp.bm25(20, 4, 6)::numeric, 4), 'a record''s score and length count them so');
select funding.reindex_records();
select is(pg_temp.bm25_score('river', 1), round(pg_temp.bm25(20, 4, 6)::numeric, 4), 'and the inverted index does');
update funding.lexicon_fit set bm25_title_weight = 1;
update funding.grants set title = 'Water' where id = pg_temp.id(1);
select funding.reindex_records();

-- Records in no segment.
create function pg_temp.unsealed_leg(of_query text, waiting bigint) returns text language plpgsql as $$
declare
  scope funding.search_scope := funding.scope_of('grants', '{}');
  found funding.ranked_slots;
begin
  scope.sealed_end := 1;
  scope.unsealed := waiting;
  found := funding.keyword_unsealed(scope, funding.analyze_query(of_query), 0, 10);
  return (select string_agg(slot || ' ' || round(score::numeric, 4), ', ' order by score desc, slot) from unnest(found.slots, found.scores) as item(slot, score));
end
$$;
select isnt(pg_temp.unsealed_leg('water school', 5), null, 'records in no segment are scored by their words');
select is(pg_temp.unsealed_leg('water school', 5001), pg_temp.unsealed_leg('water school', 5), 'and so are the best of very many');

-- The parts of it.
select is(round(funding.inverse_document_frequency(100, 40)::numeric, 4), round(pg_temp.idf(40)::numeric, 4), 'the inverse document frequency is Lucene''s');
select cmp_ok(funding.inverse_document_frequency(100, 100), '>', 0::real, 'a word that every record has is worth something still');
select is(array[funding.record_length('', 3), funding.record_length(funding.record_lexemes('Water', 'water river'), 3)], '{0,5}', 'a record''s length is the number of its words, those of the title weighted');
select is(funding.count_words(to_tsvector('funding.english', repeat('water river ', 400) || 'park')), 511::double precision, 'a word counts as often as the text index knows, 255 times at most');
select is_empty($$select document from (
    select to_tsvector('funding.english', string_agg('word' || number % (length / 3 + 1), ' ')) as document
    from generate_series(1, 30001, 15000) as length, generate_series(1, length) as number group by length
  ) as long where funding.count_words(document) <> (select sum(frequency) from funding.term_frequencies(document, 1))$$,
  'the words of a long record are counted as well');
select is((select string_agg(funding.quoted_lexeme(lexeme), ' | ') from unnest(array['a''b', 'c\d', 'e|f', 'g h', '!', '(', ':*']) as lexeme)::tsquery::text, $$'a''b' | 'c\\d' | 'e|f' | 'g h' | '!' | '(' | ':*'$$,
  'any characters can be in a lexeme');

-- The coverage floor: park is worth more than twice as much as water.
create temporary table share as select (pg_temp.idf(40) / (pg_temp.idf(40) + pg_temp.idf(1)))::numeric as of_water;
select pg_temp.set('floor_coverage', to_jsonb((select of_water + 0.01 from share)));
select is(pg_temp.bm25_score('water park', 1), null, 'a candidate that has too small a share of the query is left out');
select isnt(pg_temp.bm25_score('water park', 4), null, 'a candidate that has a large enough share of the query is kept');
select pg_temp.set('floor_coverage', to_jsonb((select of_water - 0.01 from share)));
select isnt(pg_temp.bm25_score('water park', 1), null, 'the floor is a setting');
select pg_temp.set('floor_coverage', '0.25');
select is(pg_temp.found('park right water river school', 'keyword', '{"sort_by": "relevance"}'), '4 1 2', 'the floor is a share of the whole query');
select pg_temp.set('floor_words', '1');
select is(pg_temp.found('park right water river school', 'keyword', '{"sort_by": "relevance"}'), '4 1 2 3 5 6', 'or of its rarest words, as many as the setting says');
select pg_temp.set('floor_words', '100');
select is(pg_temp.found('park ash birch cedar elm fir gum hazel larch maple oak pine water', 'keyword', '{"sort_by": "relevance"}'), '',
  'of a query of more than twelve words, the score itself must be as high');
select pg_temp.set('floor_coverage', to_jsonb((select pg_temp.bm25(40, 1, 4) - 0.01 from share) / (select sum(idf) from unnest((funding.analyze_query('park ash birch cedar elm fir gum hazel larch maple oak pine water')).word_idfs) as idf)));
select is(pg_temp.found('park ash birch cedar elm fir gum hazel larch maple oak pine water', 'keyword', '{"sort_by": "relevance"}') <> '', true, 'and then a record is found');
select pg_temp.set('floor_coverage', '0.25');
select is(pg_temp.bm25_score('water unheard unseen unknown', 1), null, 'words that no record has count towards what a query asks');

-- A word that is enough alone beside one that is not, in the posting lists: as by the records' own vectors.
truncate funding.grants;
select pg_temp.add('grants', 1, 'Park', 'water school');
select pg_temp.add('grants', 2, 'Water', 'water water');
select pg_temp.add('grants', 3, 'School', 'park');
select pg_temp.add('grants', 4, 'Water', 'school');
select pg_temp.set('floor_coverage', '0.4');
create temporary table by_vectors as select query, pg_temp.found(query, 'keyword', '{"sort_by": "relevance"}') as ids
from unnest(array['water park', 'park', 'water school', 'water school park', 'parks -school water']) as query;
select funding.reindex_records();
select is((select count(*) from funding.grants where slot is not null), 4::bigint, 'every record is in the inverted index');
select is(pg_temp.found(query, 'keyword', '{"sort_by": "relevance"}'), ids, format('%s: the inverted index finds what the records'' own vectors find', query)) from by_vectors;
select is((select ids from by_vectors where query = 'water park'), '1 3', 'the rare word must be there');
select is((select ids from by_vectors where query = 'water school'), '4 1 2 3', 'of two words alike, either is enough');
select pg_temp.set('floor_coverage', '0.25');

-- Scope of a search.
select is(funding.predicate(dataset, '{}'), funding.usual_condition(dataset), format('what every list of %s has is the usual condition', dataset))
from unnest(array['grants', 'contracts', 'funders']) as dataset;
select is(funding.filled_vector(1.5, 5)::text, '[1.5,1.5,1.5,1.5,1.5]', 'a filled vector has one value everywhere');
select is(vector_dims(funding.filled_vector(1, 15999)), 15999, 'and as many places as asked for');
select is(funding.positions_of(b'0010011'), '{3,6,7}', 'the positions of the ones among bits');
select is(funding.positions_of(b'1010'), '{1,3}', 'the first and one that is not the last');
select is(funding.positions_of(b'000'), '{}', 'no ones have no positions');
select is(funding.positions_of(''), '{}', 'no bits, neither');
select is(funding.positions_of((repeat('0', 4095) || '11' || repeat('0', 8000) || '1' || repeat('0', 20000) || '1' || repeat('0', 90))::bit varying), '{4096,4097,12098,32099}',
  'the ones of a large bitmap, at the ends of its parts and beyond empty ones');
select results_eq('select block_position, share from funding.largest_of(array[1, 3, 0])', 'values (2, 0.75::double precision)', 'the largest of some counts, and its share of all');
select results_eq('select block_position, share from funding.largest_of(array[0, 0])', 'values (1, 0.5::double precision)', 'and of zeros the first, which is like the others');
truncate funding.grants;
select pg_temp.add('grants', 1, 'Water', '', 'closed');
select pg_temp.add('grants', 2, 'Water', '');
select pg_temp.add('grants', 3, 'Water', 'school', 'closed');
select pg_temp.add('grants', 4, 'School', '');
select funding.reindex_records();
select is((funding.scope_of('grants', '{"status": "closed"}')).matching_records, 2::double precision, 'the bitmaps tell what a filter keeps');
select is(pg_temp.found('water', 'keyword', '{"sort_by": "relevance", "status": "closed"}'), '1 3', 'a ranking finds what the bitmaps of its filters keep');
select is(pg_temp.found('water', 'semantic', '{"status": "closed"}'), '1 3', 'and so does a semantic search');
update funding.grants set status = 'closed' where id = pg_temp.id(2);
select is(pg_temp.found('water', 'keyword', '{"sort_by": "relevance", "status": "closed"}'), '1 2 3', 'a record that changed since is found by what it is now');
select is(pg_temp.found('water', 'keyword', '{"sort_by": "relevance", "status": "open"}'), '', 'and no more by what it was');
delete from funding.grants where id = pg_temp.id(1);
select is(pg_temp.found('water', 'hybrid', '{"status": "closed"}'), '2 3', 'a deleted record is not found');
select is((funding.scope_of('grants', '{"search": "water -school", "search_mode": "hybrid"}')).bits, null, 'the bitmaps do not know a word that is excluded');
select is(pg_temp.found('water -school', 'hybrid', '{"status": "closed"}'), '2', 'which is excluded all the same');

-- The best of a ranking, with ids looked up for them alone: the same as of the whole. Many are tied, some have no slot.
truncate funding.grants;
select pg_temp.add('grants', number, case when number % 3 = 0 then 'River' else 'Water' end, case when number % 5 = 0 then 'school' else '' end)
from generate_series(1, 20) as number;
select funding.reindex_records();
update funding.grants set description = 'school rights' where id in (pg_temp.id(2), pg_temp.id(9));
update funding.grants set status = 'closed', identifiers = array['WATER-12'] where id = pg_temp.id(12);
delete from funding.grants where id = pg_temp.id(4);
select pg_temp.add('grants', 21, 'Water', '');
create temporary table ranking as
  select query, mode, array_agg(ranked.id) as ids, array_agg(ranked.score) as scores, max(ranked.total) as total
  from unnest(array['river', 'water 12', 'water school']) as query, unnest(array['keyword', 'semantic', 'hybrid']) as mode,
       funding.ranked('grants', funding.filter_of('grants', jsonb_build_object('search', query, 'search_mode', mode, 'sort_by', 'relevance')), mode) as ranked
  group by query, mode;
select is(funding.count_unsealed('grants', funding.sealed_end('grants'), 100), 4::bigint, 'some records are in no segment');
select is((select count(*) from ranking where cardinality(ids) >= 6), 9::bigint, 'each ranking has several records');
select is(total, cardinality(ids)::bigint, format('%s, %s: the total is of all', query, mode)) from ranking;
select is((select count(*) from ranking where ids[1] = pg_temp.id(12) and query = 'water 12'), 3::bigint, 'a record that is named comes first');
select is_empty($$
  select query, mode, places from ranking, generate_series(1, 22) as places
  where (ids[1:places], scores[1:places], total) is distinct from (
    select (array_agg(ranked.id), array_agg(ranked.score), max(ranked.total))
    from funding.ranked('grants', funding.filter_of('grants', jsonb_build_object('search', query, 'search_mode', mode, 'sort_by', 'relevance')), mode, null, places) as ranked)
$$, 'the first places of a ranking are those of the whole, however many are asked for');

-- Semantic search.
truncate funding.grants;
select pg_temp.add('grants', 1, 'School', '');
select pg_temp.add('grants', 2, 'River', '');
select pg_temp.add('grants', 3, 'Water', '');
select pg_temp.add('grants', 4, 'Park', '');
select pg_temp.add('grants', 5, 'Right', '');
select pg_temp.add('grants', 6, 'River', '');
select is(pg_temp.found('school', 'semantic'), '1 2 6', 'a semantic search is in the order of similarity, ties by id');
select is(round(pg_temp.score('school', 'semantic', 1), 3), 1.000, 'the same meaning has a score of 1');
select is(round(pg_temp.score('school', 'semantic', 2), 3), 0.600, 'a score is the cosine of the angle between meanings');
select is(round(pg_temp.score('water school', 'semantic', 2), 3),
  round(((0.8 * pg_temp.idf(40) + 0.6 * pg_temp.idf(30)) / sqrt(pg_temp.idf(40) ^ 2 + pg_temp.idf(30) ^ 2))::numeric, 3),
  'a query''s meaning is the sum of its words'', the rarer the more');
select is(round(pg_temp.score('schools Schools', 'semantic', 2), 3), 0.600, 'saying a word twice changes no meaning');
select is(round(pg_temp.score('water water school', 'semantic', 2), 3), 
  round((((1 + ln(2)) * 0.8 * pg_temp.idf(40) + 0.6 * pg_temp.idf(30)) / sqrt(((1 + ln(2)) * pg_temp.idf(40)) ^ 2 + pg_temp.idf(30) ^ 2))::numeric, 3),
  'a word said twice weighs more beside another, by the logarithm');
select pg_temp.add('grants', 7, 'Water', 'water school');
select is(round(pg_temp.score('school', 'semantic', 7), 2), round((1 / sqrt((1 + ln(2)) ^ 2 + 1))::numeric, 2),
  'a record''s meaning is the sum of its words'', repeated ones by the logarithm');
delete from funding.grants where id = pg_temp.id(7);
select pg_temp.set('floor_similarity', '{"lexicon": 0.7}');
select is(pg_temp.found('school', 'semantic'), '1', 'a record below the floor is left out');
select is(pg_temp.answer('school', 'semantic')->>'total', '1', 'a record below the floor is not in the total');
select is(pg_temp.found('rights', 'semantic'), '5', 'a meaning opposite is left out');
select pg_temp.set('floor_similarity', '{"lexicon": 0.3}');
select is(pg_temp.found('school unheard unseen unknown', 'semantic'), '', 'a query that is mostly unknown finds nothing');
select pg_temp.set('floor_similarity', '{"lexicon": 0.1}');
select is(round(pg_temp.score('school unheard', 'semantic', 1), 3), round(sqrt(1.0 / 5), 3),
  'a word that no record has counts as twice a known one, and lowers the score by what the known words speak for');
select pg_temp.set('floor_similarity', '{"lexicon": 0.3}');
select is(pg_temp.found('school', 'semantic', '{"limit": 1}'), '1', 'a page of a semantic search');
select is(pg_temp.answer('school', 'semantic')->'results'->0->>'title', 'School', 'a result is the record with its score');
select is((select array_agg(key) from json_object_keys(pg_temp.answer('school', 'semantic')->'results'->0) as key),
  array['id', 'title', 'description', 'amount_min', 'amount_max', 'deadline_date', 'status', 'geography', 'funder_id', 'funder_name', 'listing_url',
    'created_at', 'categories', 'relevance_score'], 'the score comes after the record''s own fields');
select is(pg_temp.found('water', 'semantic', '{}', 'funders'), 'f1', 'funders are searched by meaning too');
update funding.grants set status = 'closed' where id = pg_temp.id(1);
select is(pg_temp.found('school', 'semantic', '{"status": "open"}'), '2 6', 'a semantic search is subject to the filters');
select is(pg_temp.found('school', 'semantic', '{"geography": "Ohio"}'), '', 'a semantic search is subject to geography');
update funding.grants set archived_at = now() where id = pg_temp.id(2);
select is(pg_temp.found('school', 'semantic'), '1 6', 'a semantic search shows no archived records');
select pg_temp.set_vector(6, null);
select is(pg_temp.found('school', 'semantic'), '1', 'a record without a vector is not found by its meaning');
update funding.grants set title = 'Rights' where id = pg_temp.id(1);
select is(pg_temp.found('school', 'semantic'), '', 'a changed text has a new meaning at once');
select is(pg_temp.found('right', 'semantic'), '1 5 3', 'a changed text is found by its new meaning at once');
select pg_temp.set_vector(5, pg_temp.direction(0, 1)::halfvec);
update funding.grants set status = 'posted' where id = pg_temp.id(5);
select is(pg_temp.found('school', 'semantic'), '5', 'a change to another field leaves the meaning as it was');
select is(funding.reindex_records(), 7::bigint, 'reindexing tells how many records it went through');
select is(pg_temp.found('right', 'semantic'), '1 5 3', 'reindexing gives every record the meaning that its text has now');
update funding.lexicon_fit set average_length = 8;
select funding.reindex_records();
select is(pg_temp.bm25_score('park', 4), round(pg_temp.bm25(1, 1, 1, 8)::numeric, 4), 'reindexing scores every record anew');
update funding.lexicon_fit set average_length = 4;

-- Hybrid search.
truncate funding.grants;
select pg_temp.add('grants', 1, 'River', 'water school');
select pg_temp.add('grants', 2, 'School', 'river');
select pg_temp.add('grants', 3, 'River', '');
select pg_temp.add('grants', 4, 'Water', '');
select pg_temp.add('grants', 5, 'Right', '');
select pg_temp.add('grants', 6, 'River', 'park park park park park park park park');
select pg_temp.add('grants', 7, 'School', 'park');
create function pg_temp.fused(query text, keyword_weight numeric, semantic_weight numeric, k numeric) returns table (number text, score numeric) language sql as $$
  select number, round(sum(weight / (k + place)) / ((keyword_weight + semantic_weight) / (k + 1)), 6)
  from (
    select number, place, keyword_weight as weight from pg_temp.leg(query, 'keyword')
    union all
    select number, place, semantic_weight from pg_temp.leg(query, 'semantic')
  ) as leg group by number
$$;
create function pg_temp.shown(query text) returns table (number text, score numeric) language sql as $$
  select ltrim(right(record->>'id', 12), '0'), (record->>'relevance_score')::numeric
  from json_array_elements(pg_temp.answer(query, 'hybrid')->'results') with ordinality as item(record, place) order by place
$$;
select cmp_ok((select count(*) from pg_temp.shown('river')), '>', 4::bigint, 'a hybrid search finds what either leg finds');
select results_eq($$select * from pg_temp.shown('river')$$, $$select * from pg_temp.fused('river', 1, 1, 60) order by score desc, number$$,
  'a hybrid score is the sum of reciprocal ranks, divided by the greatest there can be; the order is that of the score, ties by id');
select results_eq($$select * from pg_temp.shown('school river')$$, $$select * from pg_temp.fused('school river', 1, 1, 60) order by score desc, number$$,
  'the same for a query of two words');
select is(pg_temp.score('river', 'hybrid', 3), 1.000000, 'the first of both legs has a score of 1');
select is((select max(score) from pg_temp.shown('park')), 0.500000, 'the first of one leg alone has its share of 1');
select ok((select bool_and(score > 0 and score <= 1) from pg_temp.shown('school river')), 'every hybrid score is above 0 and at most 1');
select pg_temp.set('fusion_keyword_weight', '2');
select pg_temp.set('fusion_semantic_weight', '0.5');
select pg_temp.set('fusion_k', '10');
select results_eq($$select * from pg_temp.shown('school river')$$, $$select * from pg_temp.fused('school river', 2, 0.5, 10) order by score desc, number$$,
  'weights and the constant of the fusion are settings');
select is((select max(score) from pg_temp.shown('park')), 0.800000, 'a leg''s share of 1 is its weight');
select pg_temp.set('fusion_keyword_weight', '1');
select pg_temp.set('fusion_semantic_weight', '1');
select pg_temp.set('fusion_k', '60');

-- The third ranking: by the sum of both scores, with a keyword score as its share of the best.
select pg_temp.set('fusion_sum_weight', '4');
select pg_temp.set('fusion_similarity_weight', '{"lexicon": 2}');
create function pg_temp.summed(query text) returns table (number text, total numeric, sum_rank bigint) language sql as $$
  select ltrim(right(record.id::text, 12), '0'), round(given.total::numeric, 6), row_number() over (order by given.total desc, leg.slot)
  from funding.scope_of('grants', jsonb_build_object('search', query, 'search_mode', 'hybrid')) as scope,
       funding.hybrid_legs(scope, funding.read_query(query, null), 200, true) as leg
  join funding.grants as record on record.slot = leg.slot
  cross join lateral (select max(score) as best from unnest((funding.keyword_candidates(scope, funding.read_query(query, null), 200)).scores) as score) as most
  cross join lateral (
    select coalesce(leg.keyword_score / most.best, 0) + 2 * greatest(0,
      (1 - (known.embedding <=> (funding.read_query(query, null)).embedding)) * (funding.read_query(query, null)).known_share) as total
    from (table funding.grants_vectors_0 union all table funding.grants_vectors_1) as known where known.slot = leg.slot
  ) as given
$$;
create function pg_temp.fused_of_three(query text, k numeric) returns table (number text, score numeric) language sql as $$
  select number, round(sum(weight / (k + place)) / (6 / (k + 1)), 6)
  from (
    select number, place, 1::numeric as weight from pg_temp.leg(query, 'keyword')
    union all
    select number, place, 1 from pg_temp.leg(query, 'semantic')
    union all
    select number, sum_rank, 4 from pg_temp.summed(query)
  ) as leg group by number
$$;
select results_eq($$select * from pg_temp.shown('school river')$$, $$select * from pg_temp.fused_of_three('school river', 60) order by score desc, number$$,
  'the sum of both scores is a third ranking, with its own weight');
select is(pg_temp.score('river', 'hybrid', 3), 1.000000, 'the first of all three has a score of 1');
select pg_temp.set('fusion', '"sum"');
select results_eq($$select number from pg_temp.shown('school river')$$, $$select number from pg_temp.summed('school river') order by total desc, number$$,
  'the order can be by the sum alone');
select ok((select bool_and(score > 0 and score <= 1) and max(score) > 0.9 from pg_temp.shown('school river')), 'then, too, scores are from 0 to 1');
select pg_temp.set('fusion', '"reciprocal_rank"');
select pg_temp.set('fusion_semantic_weight', '0');
select is((select string_agg(number, ' ' order by number) from pg_temp.shown('school river') where score = 0),
  (select string_agg(number, ' ' order by number) from (select number from pg_temp.leg('school river', 'semantic') except select number from pg_temp.leg('school river', 'keyword')) as other),
  'what only a leg of weight 0 has found has the score 0');
select pg_temp.set('fusion_semantic_weight', '1');
select pg_temp.set('fusion_keyword_weight', '0');
select pg_temp.set_vector(6, null);
select is(pg_temp.score('school river', 'hybrid', 6), 0.000000, 'what only the keyword leg has found, at its weight 0, too');
select is(pg_temp.score('school', 'hybrid', 7), 1.000000, 'then the first in meaning has a score of 1');
delete from funding.grants where id = pg_temp.id(6);
select pg_temp.add('grants', 6, 'River', 'park park park park park park park park');
select pg_temp.set('fusion_keyword_weight', '1');
select pg_temp.set('fusion_sum_weight', '0');

-- Feedback: the query moves towards what its words find best.
create temporary table without_feedback as select pg_temp.score('river', 'semantic', 4) as water, pg_temp.score('river', 'semantic', 2) as school;
select pg_temp.set('feedback_weight', '{"lexicon": 1}');
create temporary table feedback as
select funding.with_feedback(funding.scope_of('grants', '{}'), funding.read_query('school', null), array_to_slots.found) as asked
from (select (array[record.slot], array[1.0])::funding.ranked_slots as found from funding.grants as record where record.id = pg_temp.id(4)) as array_to_slots;
select is(round((1 - ((asked).embedding <=> l2_normalize(pg_temp.direction(1, 1))::halfvec))::numeric, 4), 1.0000,
  'at a weight of 1, a query is half-way between itself and what its words find') from feedback;
select is((funding.with_feedback(funding.scope_of('grants', '{"status": "closed", "search": "unheard"}'), funding.read_query('school', null))).embedding is null, false,
  'a query has a meaning after feedback as before');
select is((funding.with_feedback(funding.scope_of('grants', '{"search": "school"}'), funding.read_query('unheard', null))).embedding, (funding.read_query('unheard', null)).embedding,
  'where its words find nothing, a query stays as it is');
select is((funding.with_feedback(funding.scope_of('grants', jsonb_build_object('search', 'river', 'search_mode', 'hybrid') || filter), funding.read_query('river', null))).embedding,
  (funding.with_feedback(funding.scope_of('grants', '{"search": "river", "search_mode": "hybrid"}'), funding.read_query('river', null))).embedding,
  'filters do not change what a query means') from unnest(array['{"status": "closed"}', '{"include_archived": true}', '{"states": ["OH"]}']::jsonb[]) as filter;
select pg_temp.set('feedback_weight', '{"lexicon": 0}');
select is((funding.with_feedback(funding.scope_of('grants', '{}'), funding.read_query('school', null), (select (array_agg(slot), array_agg(1.0))::funding.ranked_slots from funding.grants))).embedding,
  (funding.read_query('school', null)).embedding, 'at a weight of 0, a query stays as it is');

-- Prefixes: the mean of the cosines over the first dimensions, where these say most.
create temporary table spread as
select (select slot from funding.grants where id = pg_temp.id(4)) as slot,
  array_cat(array_cat(array[0.6::real], array_fill(0::real, array[99])), array_cat(array[0.8::real], array_fill(0::real, array[283])))::halfvec as embedding;
select pg_temp.set_vector(4, spread.embedding) from spread;
create function pg_temp.similarity() returns numeric language sql as $$
  select round((funding.similarities('grants', funding.read_query('water', null), array[slot]))[1]::numeric, 3) from spread
$$;
select is(pg_temp.similarity(), 0.600, 'a similarity is the cosine over all dimensions, where they have no order');
update funding.lexicon_fit set has_singular_order = true;
select is(pg_temp.similarity(), 0.800, 'where the first dimensions say most, it is the mean of those over the first 48 and 192');
select is(funding.similarities('grants', funding.read_query('water', null), array[-1, slot])::numeric(4, 3)[], array[null, 0.800], 'in the order of the slots; null without a vector') from spread;
select pg_temp.set_vector(4, array_cat(array_fill(0::real, array[383]), array[1::real])::halfvec);
select is(pg_temp.similarity(), 0.000, 'a prefix of zeros is like nothing');
update funding.lexicon_fit set has_singular_order = false;

-- A word in common is noise where neither the other words nor the meaning agree.
select pg_temp.add('grants', 8, 'School', repeat('park ', 40));
select is(pg_temp.found('school water right', 'hybrid') ~ '\m8\M', false, 'a hybrid search leaves out what has little of its words and not its meaning');
select is(pg_temp.found('school', 'hybrid') ~ '\m8\M', true, 'a query of one word finds every record with it');
select is((pg_temp.answer('school water right', 'hybrid')->>'total')::integer, cardinality(string_to_array(pg_temp.found('school water right', 'hybrid'), ' ')), 'the total is that of what is left');
select pg_temp.set('floor_keyword', '0');
select is(pg_temp.found('school water right', 'hybrid') ~ '\m8\M', true, 'the setting floor_keyword says how much is little');
select pg_temp.set('floor_keyword', '0.1');
delete from funding.grants where id = pg_temp.id(8);

-- Pages.
create temporary table whole as select mode, pg_temp.found('school river', mode) as ids, pg_temp.answer('school river', mode)->>'total' as total
from unnest(array['semantic', 'hybrid']) as mode;
select is((select string_agg(nullif(pg_temp.found('school river', mode, jsonb_build_object('limit', 2, 'offset', start)), ''), ' ' order by start)
  from unnest(array[0, 2, 4, 6]) as start), ids, mode || ': pages one after the other neither repeat nor skip a record') from whole;
select is(total::int, cardinality(string_to_array(ids, ' ')), mode || ': the total is that of all pages') from whole;
select is(pg_temp.answer('school river', mode, '{"limit": 1, "offset": 1}')->>'total', total, mode || ': the total is the same on every page') from whole;
select is(pg_temp.answer('school river', mode, '{"count_only": true}')::jsonb, jsonb_build_object('total', total::int), mode || ': count_only gives the total alone') from whole;
select is(pg_temp.answer('school river', mode, '{"offset": 10000}')->>'results', '[]', mode || ': a page beyond the last is empty') from whole;
select is(pg_temp.answer('school river', mode)->>'sort_by' || ' ' || (pg_temp.answer('school river', mode)->>'order') || ' '
  || (pg_temp.answer('school river', mode)->>'search_mode'), 'relevance desc ' || mode, mode || ': an answer says its order and its mode') from whole;
select is(pg_temp.found('school river', mode, '{"sort_by": "title", "order": "asc"}'),
  (select string_agg(number, ' ' order by lower(title) collate "C", id) from unnest(string_to_array(ids, ' ')) as number
   join funding.grants on grants.id = pg_temp.id(number::int)), mode || ': a ranked search can be shown in the order of a field') from whole;
select is(pg_temp.found('school river', mode, '{"order": "asc"}') <> ids, true, mode || ': a ranked search can be shown worst first') from whole;
select pg_temp.set('search_candidates', '1');
select is(pg_temp.answer('river', 'semantic')->>'total', '1', 'a leg gives its best candidates, as many as the setting says');

-- Five words of equal worth: one of them alone is below the floor, two are not.
truncate funding.grants;
insert into funding.lexicon (generation, term, document_frequency) select fit.generation, word, 10 from funding.lexicon_fit as fit, unnest(array['ash', 'birch', 'cedar', 'elm', 'fir']) as word;
select pg_temp.add('grants', 1, 'Ash', 'ash ash ash ash ash ash ash ash ash');
select pg_temp.add('grants', 2, 'Birch', 'cedar ' || repeat('river ', 40));
select is(pg_temp.found('ash birch cedar elm fir', 'hybrid'), '2', 'a record below the coverage floor does not take a candidate''s place');
select pg_temp.set('search_candidates', '200');

-- Excluded words.
truncate funding.grants;
select pg_temp.add('grants', 1, 'Water', 'river');
select pg_temp.add('grants', 2, 'Water', 'school park');
select pg_temp.add('grants', 3, 'Water', 'park school');
select is(pg_temp.found('water -river', mode), '2 3', mode || ': an excluded word excludes') from unnest(array['semantic', 'hybrid']) as mode;
select is(pg_temp.found('water -rivers -"school park"', mode), '3', mode || ': an excluded phrase excludes as a phrase') from unnest(array['semantic', 'hybrid']) as mode;
select is(pg_temp.found('-river -school water', mode), '', mode || ': several words can be excluded, before what is wanted') from unnest(array['semantic', 'hybrid']) as mode;
select is(pg_temp.found('water -the', mode), pg_temp.found('water', mode), mode || ': excluding a word that says nothing excludes nothing')
from unnest(array['semantic', 'hybrid']) as mode;
select is(pg_temp.found('water-river', mode) <> '' and position('1' in pg_temp.found('water-river', mode)) > 0, true, mode || ': a hyphen inside a word excludes nothing')
from unnest(array['semantic', 'hybrid']) as mode;
select is(pg_temp.found('-water', mode), '', mode || ': a query that only excludes finds nothing') from unnest(array['semantic', 'hybrid']) as mode;
select is(pg_temp.found('water -', mode), pg_temp.found('water', mode), mode || ': a hyphen alone excludes nothing') from unnest(array['semantic', 'hybrid']) as mode;
select is(pg_temp.score('water -river', 'semantic', 2), pg_temp.score('water', 'semantic', 2), 'an excluded word is no part of the query''s meaning');
select is(pg_temp.score('water -"school park"', 'semantic', 3), pg_temp.score('water', 'semantic', 3), 'an excluded phrase is no part of the query''s meaning');

-- Synonyms.
insert into funding.synonyms (word, means) values ('creek', 'river'), ('water', 'park');
select is(pg_temp.found('creeks', 'hybrid') <> '', true, 'a word that no record has is found by its synonym');
select is(pg_temp.bm25_score('creek', 1), round((0.5 * pg_temp.bm25(20, 1, 2))::numeric, 4), 'a synonym counts by its weight');
select is(pg_temp.bm25_score('water', 2), round(pg_temp.bm25(40, 1, 3)::numeric, 4), 'a synonym that records use less than the word is not looked for');
select is(pg_temp.found('creek', 'keyword'), '', 'a keyword list looks for the words themselves');
select pg_temp.set('synonym_weight', '0');
select is(pg_temp.bm25_score('water river', 1), round((pg_temp.bm25(40, 1, 2) + pg_temp.bm25(20, 1, 2))::numeric, 4), 'synonyms can be switched off');
select pg_temp.set('synonym_weight', '0.5');
truncate funding.synonyms;

-- Nothing to find.
select is(pg_temp.answer(query, mode)->>'total' || (pg_temp.answer(query, mode)->>'results'), '0[]', format('%s: %s finds nothing', mode, says))
from unnest(array['keyword', 'semantic', 'hybrid']) as mode, (values
  ('qzxv wvutk brrrp', 'nonsense'), ('the of and to', 'a query of words that say nothing'), ('!!! ... ???', 'a query of marks'),
  ('🌊🌊', 'a query of pictures'), ('-', 'a hyphen')) as nothing(query, says);
select is(pg_temp.found('qzxv wvutk brrrp water', mode), '', mode || ': nonsense with one known word in it is below the floor') from unnest(array['hybrid']) as mode;

-- Queries of any characters.
create temporary table odd as select query from unnest(array['''', '''''', '"', '""', '\', '\\', '\''', $q$a'b\c"d$q$, '''; drop table funding.grants; --', '%', '_',
  '&|!():*<->', 'water:*', 'water & !river', 'or', 'or or or', '-or', '- -', '--', '-"', '-"water', '"water', 'water"', '$1', '$$', E'water\triver\nschool',
  'http://example.org/a?b=''c\d', 'C:\water\river', 'user@example.org', '-5', '3.14', '1e400', 'água', U&'\FFFD\200B', repeat('water ', 660), repeat('x', 4000),
  repeat('\', 4000), repeat('"', 4000), repeat('-a ', 1300), (select string_agg('w' || number, ' ') from generate_series(1, 800) as number)]) as query;
select lives_ok(format('select pg_temp.found(query, %L, %L) from odd', mode, sort), format('%s by %s: no character in a query is special', mode, sort->>'sort_by'))
from unnest(array['keyword', 'semantic', 'hybrid']) as mode, unnest(array['{"sort_by": "relevance"}', '{"sort_by": "title"}']::jsonb[]) as sort;
select is((select count(*) from funding.grants), 3::bigint, 'after all that every record is there');
select isnt(pg_temp.found(repeat('water ', 660), 'hybrid'), '', 'a word said very often is still found');
select pg_temp.add('grants', 8, 'O''Brien \ "quoted"', 'see http://example.org/a?b=''c\d and C:\water\river');
select is(position('8' in pg_temp.found($q$http://example.org/a?b='c\d$q$, 'hybrid')) > 0, true, 'a word with a quote and a backslash in it is found');

-- Over several datasets.
truncate funding.grants;
select pg_temp.add('grants', 1, 'School', '');
select pg_temp.add('contracts', 2, 'River', '');
select pg_temp.add('grants', 3, 'River', 'school');
select pg_temp.add('contracts', 4, 'Right', '');
insert into funding.accounts (id, email) values ('00000000-0000-4000-8000-00000000000a', 'search@search.test');
insert into funding.subscriptions (account_id, tier) values ('00000000-0000-4000-8000-00000000000a', 'developer');
insert into funding.api_keys (account_id, name, key_hash, display) values ('00000000-0000-4000-8000-00000000000a', 'k', repeat('5', 64), 'k');
create function pg_temp.across(query text, datasets text[], maximum integer) returns text language sql as $$
  select coalesce(string_agg((record->>'type') || ' ' || ltrim(right(record->>'id', 12), '0'), ', ' order by place), '')
  from json_array_elements(public.semantic_search(repeat('5', 64), query, datasets, maximum)->'body'->'results') with ordinality as item(record, place)
$$;
select is(pg_temp.across('school', '{grants,contracts}', 10), 'grants 1, grants 3, contracts 2', 'semantic_search ranks the records of both datasets together');
select is(pg_temp.across('school', '{contracts}', 10), 'contracts 2', 'semantic_search can look in one dataset');
select is(pg_temp.across('school', '{grants,contracts}', 2), 'grants 1, grants 3', 'semantic_search gives as many as asked, the best ones');
select is(pg_temp.across('qzxv', '{grants,contracts}', 10), '', 'semantic_search finds nothing in nonsense');
select is((select array_agg(key) from json_object_keys(public.semantic_search(repeat('5', 64), 'school', '{grants}', 1)->'body') as key),
  array['results', 'search_mode', 'marks', 'understood', 'data_as_of'], 'semantic_search''s answer has the members that are promised');
select throws_ok($$select pg_temp.across('school', '{"grants; drop table funding.grants"}', 10)$$, '22023', null, 'semantic_search refuses a dataset that there is not');

-- Before the first fit.
-- What stands out: forty records whose similarities to a school are 1/40 to 1.
truncate funding.contracts;
alter sequence funding.contracts_slots restart;
select pg_temp.add('contracts', 100 + number, 'Water', '', case when number % 2 = 0 then 'open' else 'closed' end) from generate_series(1, 40) as number;
update funding.contracts_vectors_0 as known set embedding = pg_temp.direction(sqrt(1 - (known.slot / 40.0) ^ 2)::real, (known.slot / 40.0)::real)::halfvec;
update funding.contracts_vectors_1 as known set embedding = pg_temp.direction(sqrt(1 - (known.slot / 40.0) ^ 2)::real, (known.slot / 40.0)::real)::halfvec;
create function pg_temp.outstanding(more jsonb) returns integer[] language sql as $$
  select array_agg(right(number, 2)::integer order by number) from unnest(string_to_array(pg_temp.found('school', 'semantic', more, 'contracts'), ' ')) as number
$$;
select pg_temp.set('semantic_share', '1');
select is(pg_temp.outstanding('{}'), array(select generate_series(13, 40)), 'at a share of 1, a query finds all that is above the other floor');
select pg_temp.set('semantic_share', '0.16');
select is(pg_temp.outstanding('{}'), array(select generate_series(16, 40)), 'a query finds the nearest sixth, and 25 of few records');
select is(pg_temp.outstanding('{"status": "closed"}'), array(select generate_series(17, 39, 2)), 'a filter leaves of them what meets it');

truncate funding.lexicon;
update funding.lexicon_fit set documents = 0, average_length = 100, dimensions = 0, fitted_at = null;
select funding.reindex_records();
select throws_ok($$select pg_temp.found('school', 'semantic')$$, 'PT503', 'semantic search has no vectors yet', 'without a lexicon a semantic list says that it cannot');
select throws_ok($$select pg_temp.across('school', '{grants,contracts}', 10)$$, 'PT503', 'semantic search has no vectors yet', 'without a lexicon semantic_search says that it cannot');
select is(pg_temp.answer('school', 'hybrid')->>'search_mode', 'keyword', 'without a lexicon a hybrid search says that it answered from keywords');
select is(pg_temp.found('school', 'hybrid'), '1 3', 'without a lexicon a hybrid search answers from keywords');
select is(pg_temp.answer('school river', 'hybrid')->>'total', '2', 'without a lexicon a hybrid search still looks for any of the words');
select ok((select bool_and((record->>'relevance_score')::numeric between 0 and 1)
  from json_array_elements(pg_temp.answer('school river', 'hybrid')->'results') as record), 'without a lexicon every score is still between 0 and 1');
select is((select max((record->>'relevance_score')::numeric) from json_array_elements(pg_temp.answer('school river', 'hybrid')->'results') as record), 1.000000,
  'without a lexicon the first keyword result has a score of 1');
select is(pg_temp.found('qzxv', 'hybrid'), '', 'without a lexicon nonsense finds nothing');
select is(pg_temp.found('school', 'keyword', '{"sort_by": "relevance"}'), '1 3', 'without a lexicon keywords can be ranked');
truncate funding.contracts;
select is(funding.list('contracts', '{"search": "school", "search_mode": "semantic", "limit": 1, "offset": 0}')->>'results', '[]',
  'without a lexicon and without records a semantic list is empty');

-- Bounds of every search.
select is(funding.without_repeats(repeat('water ', 30)), repeat('water ', 30), 'a query of ordinary length is left as it is');
select is(funding.without_repeats(repeat('water "old well" -fire ', 40)), 'water "old well" -fire', 'a long query says each word and phrase once');
select is(funding.without_repeats(repeat('water ', 40) || '("rural health care" or clinics) ("mental health care" or clinics) ("old well") ("new well")'),
  'water ("rural health care" or clinics) ("mental health care" or clinics) ("old well") ("new well")', 'a phrase behind a bracket stays whole');
select is(funding.without_repeats(repeat('well ', 50) || 'or fire well or well'), 'well well or fire well or well',
  'what or binds is left as it is');
select is(cardinality((funding.analyze_query((select string_agg('word' || number, ' ') from generate_series(1, 500) as number))).words), 200,
  'a query is read by two hundred of its words');

select * from finish();
rollback;
