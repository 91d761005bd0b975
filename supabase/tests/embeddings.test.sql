-- Embedding models outside the database: queries whose vectors the edge has to get, records whose vectors a
-- command makes, and the change from one model to another.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(85);

truncate funding.grants, funding.contracts, funding.funders, funding.lexicon, funding.query_embeddings, funding.next_embeddings;

create function pg_temp.set(setting_name text, new_value jsonb) returns void language sql as $$
  update funding.settings set value = new_value where name = setting_name
$$;
create function pg_temp.direction(x real, y real) returns vector language sql as $$
  select array_cat(array[x, y], array_fill(0::real, array[382]))::vector
$$;
create function pg_temp.given(model text, vector vector, is_second_call boolean) returns jsonb language sql as $$
  select jsonb_build_object('model', model, 'vector', vector::text, 'is_second_call', is_second_call)
$$;
create function pg_temp.id(number integer) returns uuid language sql as $$
  select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid
$$;
create function pg_temp.add(number integer, title text, description text default '') returns void language sql as $$
  insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash)
  values (pg_temp.id(number), title, description, 'open', 'opportunity', pg_temp.id(0), '2026-01-01T00:00:00Z', 'test', number::text, '')
$$;
create function pg_temp.found(query text, mode text, query_vector jsonb default null) returns text language sql as $$
  select coalesce(string_agg(ltrim(right(record->>'id', 12), '0'), ' ' order by place), '')
  from json_array_elements(funding.list('grants',
    jsonb_build_object('search', query, 'search_mode', mode, 'limit', 100, 'offset', 0), query_vector)->'results')
    with ordinality as item(record, place)
$$;
-- Vector of a grant that is searched.
create function pg_temp.vector_of(number integer) returns halfvec language sql as $$
  select known.embedding
  from funding.lexicon_fit as fit cross join funding.grants as record
  join (select known.*, 0 as vectors from funding.grants_vectors_0 as known union all select known.*, 1 from funding.grants_vectors_1 as known) as known
    on known.vectors = fit.vectors and known.slot = record.slot
  where record.id = pg_temp.id(number)
$$;
-- A batch for store_embeddings: the texts as they are now, or as `text` says, with a vector for each.
create function pg_temp.batch(numbers integer[], vector vector, body text default null) returns jsonb language sql as $$
  select jsonb_agg(jsonb_build_object('id', id, 'vector', vector::text,
    'text_hash', md5(coalesce(body, (funding.embedded_texts(title, description))[1]))))
  from funding.grants where id = any (array(select pg_temp.id(number) from unnest(numbers) as number))
$$;

insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values (pg_temp.id(0), 'Fund', now(), 'test', 'f', '');
select pg_temp.add(1, 'Water');
select pg_temp.add(2, 'School', 'By the water');
select pg_temp.add(3, 'Bridge');

-- Settings.
select is(funding.external_model(), null, 'the lexicon is no external model');
select pg_temp.set('embedding_model', '"openai/a"');
select is(funding.external_model(), 'openai/a', 'any other model is');
select pg_temp.set('floor_similarity', '{"lexicon": 0.2, "openai/a": 0.4, "default": 0.3}');
select is(funding.model_setting('floor_similarity', 'openai/a'), 0.4::double precision, 'a calibrated model has its own floor');
select is(funding.model_setting('floor_similarity', 'openai/b'), 0.3::double precision, 'a model that is not calibrated has the default floor');
select pg_temp.set('floor_similarity', '{"lexicon": 0.2}');
select is(funding.model_setting('floor_similarity', 'openai/b'), 0::double precision, 'without a default there is no floor');
select pg_temp.set('floor_similarity', '{"openai/a": 0.5, "default": 0.3}');
select is(funding.mode_without_vectors('hybrid', 'why'), 'keyword', 'without vectors a hybrid search has its keyword leg');
select throws_ok($$select funding.mode_without_vectors('semantic', 'why')$$, 'PT503', 'why', 'without vectors a semantic search cannot be');

-- Text that a query is embedded by.
select is(funding.embedded_query(E'  clean \n water -rights  -"old dams" '), 'clean water', 'a query is embedded without what it excludes, in one spacing');
select is(funding.embedded_query(U&'Pen\0303a'), 'Pe' || U&'\00F1' || 'a', 'a letter and its accent are one letter');
select is(funding.embedded_query('US aid'), 'US aid', 'capitals stay, since a model may read them');
select is(funding.embedded_query('-rights'), '', 'a query of what it excludes has no text');

-- The meaning of a query.
select is((funding.meaning_of('water', null)).wanted::text, json_build_object('model', 'openai/a', 'text', 'water')::text,
  'a query that nobody knows wants a vector of its model');
select is((funding.meaning_of('water', null)).vector, null, 'and has none');
select is(funding.meaning_of('-water', null)::text, '(,,f)', 'a query without a text wants none');
select is((funding.meaning_of('water', pg_temp.given('openai/a', pg_temp.direction(1, 0), false))).vector, pg_temp.direction(1, 0)::halfvec,
  'a vector that the edge remembers is taken');
select is_empty('select from funding.query_embeddings', 'a vector that came with a first call is not stored');
select is((funding.meaning_of('water', pg_temp.given('openai/b', pg_temp.direction(1, 0), false))).vector, null, 'a vector of another model is not taken');
select is((funding.meaning_of('water', pg_temp.given('openai/b', pg_temp.direction(1, 0), false))).wanted->>'model', 'openai/a',
  'instead the current model''s is wanted');
select is(funding.meaning_of('water', pg_temp.given('openai/a', null, true))::text, '(,,t)',
  'after a second call without a vector it is missing');
select is(funding.meaning_of('water', pg_temp.given('openai/b', pg_temp.direction(1, 0), true))::text, '(,,t)',
  'and after one with another model''s');
select is((funding.meaning_of('water', pg_temp.given('openai/a', pg_temp.direction(1, 0), true))).vector, pg_temp.direction(1, 0)::halfvec,
  'a vector that comes with a second call is taken');
select is((select count(*) from funding.query_embeddings), 1::bigint, 'and stored');
select is((funding.meaning_of(' water ', null)).vector, pg_temp.direction(1, 0)::halfvec, 'the same query, however spaced, has it from then on');
select is((funding.meaning_of('water', pg_temp.given('openai/a', null, true))).vector, pg_temp.direction(1, 0)::halfvec,
  'also on a second call without one');
select is((funding.meaning_of('Water', null)).vector, null, 'another query has not');
select throws_ok($$select funding.meaning_of('mud', jsonb_build_object('model', 'openai/a', 'vector', '[1,2]', 'is_second_call', true))$$, 'P0001', 'a vector of openai/a has 384 numbers, and not 2',
  'a vector of another size is refused');
select pg_temp.set('embedding_model', '"lexicon"');
select is(funding.meaning_of('water', pg_temp.given('openai/a', pg_temp.direction(1, 0), true))::text, '(,,f)',
  'under the lexicon no vector is taken or wanted');
select pg_temp.set('embedding_model', '"openai/a"');

-- Eviction of query vectors.
update funding.query_embeddings set used_on = current_date - 10;
select funding.meaning_of('water', null);
select is((select used_on from funding.query_embeddings), (now() at time zone 'UTC')::date, 'a vector that is used is marked as used that day');
select funding.cache_query_vector('openai/a', sha256(number::text::bytea), pg_temp.direction(0, 1)::halfvec) from generate_series(1, 3) as number;
update funding.query_embeddings set used_on = current_date - 40 where text_hash = sha256('1');
select funding.cache_query_vector('openai/a', sha256('4'), pg_temp.direction(0, 1)::halfvec);
select is((select count(*) from funding.query_embeddings), 4::bigint, 'a new vector takes one that was not used for long with it');
select is(funding.cached_query_vector('openai/a', sha256('1')), null, 'which is gone');
select pg_temp.set('query_vectors_kept', '3');
update funding.query_embeddings set used_on = current_date - 5 where text_hash in (sha256('2'), sha256('3'));
select funding.cache_query_vector('openai/a', sha256('5'), pg_temp.direction(0, 1)::halfvec);
select is(funding.cached_query_vector('openai/a', sha256('2')), null, 'when there are too many the least recently used go');
select isnt(funding.cached_query_vector('openai/a', sha256('4')), null, 'the others stay');
select pg_temp.set('query_vectors_kept', '0');
select funding.cache_query_vector('openai/a', sha256('6'), pg_temp.direction(0, 1)::halfvec);
select isnt(funding.cached_query_vector('openai/a', sha256('6')), null, 'the new one itself stays until the next');
select pg_temp.set('query_vectors_kept', '20000');
truncate funding.query_embeddings;

-- Text that a record is embedded by.
select is(funding.embedded_texts('Title', 'Body'), array[E'Title\n\nBody'], 'a record is embedded as its title and its text');
select is(funding.embedded_texts('Name', null), array['Name'], 'a funder without a summary as its name');
select is(length((funding.embedded_texts('Title', repeat('x', 10000)))[1]), 8000, 'a long record by its beginning');

-- Filling in, beside the vectors that search uses.
select is((select array_agg(row(dataset, records, lacking, characters)::text order by dataset) from funding.embedding_backlog('openai/b')),
  array['(contracts,0,0,0)', '(funders,1,1,4)', '(grants,3,3,31)'], 'the backlog is what lacks a vector of the model');
select is((select array_agg(ltrim(right(id::text, 12), '0') || ' ' || body) from funding.texts_lacking_vectors('grants', 'openai/b', pg_temp.id(1), 1)),
  array[E'2 School\n\nBy the water'], 'records to embed come in id order, as many as asked');
select is(funding.store_embeddings('grants', 'openai/b', pg_temp.batch('{1,2}', pg_temp.direction(1, 0))), 2, 'storing tells how many were stored');
select is(pg_temp.vector_of(1), null, 'vectors of a model that search does not use are not searched');
select is((select array_agg(ltrim(right(id::text, 12), '0')) from funding.texts_lacking_vectors('grants', 'openai/b', pg_temp.id(0), 10)), array['3'],
  'what is stored is not embedded again');
select is(funding.store_embeddings('grants', 'openai/b', pg_temp.batch('{1,3}', pg_temp.direction(0, 1), 'Another text')), 0,
  'a vector of a text that has changed is not stored');
select is(funding.store_embeddings('grants', 'openai/b', jsonb_build_array(jsonb_build_object('id', pg_temp.id(9), 'text_hash', 'x', 'vector', pg_temp.direction(1, 0)::text))), 0,
  'nor one of a record that is gone');
update funding.grants set title = 'Clear water' where id = pg_temp.id(1);
select is((select array_agg(ltrim(right(id::text, 12), '0')) from funding.texts_lacking_vectors('grants', 'openai/b', pg_temp.id(0), 10)), array['1', '3'],
  'a record whose text has changed is to be embedded again');
select is(funding.store_embeddings('grants', 'openai/b', pg_temp.batch('{1}', pg_temp.direction(0.8, 0.6))), 1, 'and its new vector takes the old one''s place');
update funding.grants set status = 'closed' where id = pg_temp.id(1);
select is((select lacking from funding.embedding_backlog('openai/b') where dataset = 'grants'), 1::bigint, 'another change than the text''s needs no new vector');
select throws_like($$select funding.store_embeddings('grants', 'lexicon', '[]')$$, '%made in the database%', 'nobody brings the lexicon''s vectors');

-- Filling in where search uses the model already.
select is(funding.store_embeddings('grants', 'openai/a', pg_temp.batch('{1,2}', pg_temp.direction(1, 0))), 2, 'vectors of the current model are stored');
select is(pg_temp.vector_of(1), pg_temp.direction(1, 0)::halfvec, 'where they are searched');
select is((select count(*) from funding.next_embeddings), 2::bigint, 'and wait for nothing');
select is(funding.store_embeddings('grants', 'openai/a', pg_temp.batch('{3}', pg_temp.direction(1, 0), 'Another text')), 0,
  'also there not for a text that has changed');
update funding.grants set title = 'Clean water' where id = pg_temp.id(1);
select is(pg_temp.vector_of(1), null, 'a changed text loses its external vector at once');
select is(funding.count_without_vector('grants', 10), 2::bigint, 'and is counted as waiting for another');
update funding.grants set status = 'open' where id = pg_temp.id(2);
select is(pg_temp.vector_of(2), pg_temp.direction(1, 0)::halfvec, 'another change leaves it');

-- Search under an external model.
select funding.store_embeddings('grants', 'openai/a', pg_temp.batch('{1}', pg_temp.direction(0.6, 0.8)));
select is(funding.list('grants', '{"search": "x", "search_mode": "semantic", "limit": 5, "offset": 0}')->'wanted_embedding'->>'text', 'x',
  'a list that needs a vector asks for it in place of an answer');
select is(pg_temp.found('nothing of the kind', 'semantic', pg_temp.given('openai/a', pg_temp.direction(1, 0), false)), '2 1',
  'a semantic search goes by the vector given, whatever the words');
select is(pg_temp.found('nothing of the kind', 'semantic', pg_temp.given('openai/a', pg_temp.direction(0, 1), false)), '1', 'down to the model''s floor');
select is(pg_temp.found('bridge', 'hybrid', pg_temp.given('openai/a', pg_temp.direction(1, 0), false)), '2 3 1', 'a hybrid search fuses it with the words');
select is(pg_temp.found('bridge', 'hybrid', pg_temp.given('openai/a', null, true)), '3', 'which are all it has when the vector could not be had');
select is(funding.list('grants', '{"search": "bridge", "search_mode": "hybrid", "limit": 5, "offset": 0}', pg_temp.given('openai/a', null, true))->>'search_mode',
  'keyword', 'and the mode says so');
select throws_ok($$select pg_temp.found('bridge', 'semantic', pg_temp.given('openai/a', null, true))$$, 'PT503', 'the query has no vector',
  'a semantic search then has no answer');

-- The change from one model to another.
select is(funding.adopt_embedding_model('openai/b'), 3::bigint, 'a model is not adopted while records lack its vectors, and says how many do');
select is(funding.external_model(), 'openai/a', 'search goes on with the old one');
select funding.store_embeddings('grants', 'openai/b', pg_temp.batch('{1,2,3}', pg_temp.direction(0, 1)));
insert into funding.next_embeddings
  select 'openai/b', 'funders', id, md5('Fund'), pg_temp.direction(0, 1)::halfvec from funding.funders;
insert into funding.next_embeddings values ('openai/c', 'grants', pg_temp.id(1), 'x', pg_temp.direction(0, 1)::halfvec);
select is(funding.adopt_embedding_model('openai/b'), 0::bigint, 'a model whose vectors all records have is adopted');
select is(funding.external_model(), 'openai/b', 'search uses it');
select is((select count(*) from generate_series(1, 3) as number where pg_temp.vector_of(number) = pg_temp.direction(0, 1)::halfvec), 3::bigint,
  'with the vectors that waited');
select is_empty('select from funding.next_embeddings where kept_since is null', 'none waits any longer');
select set_eq('select distinct model from funding.next_embeddings', array['openai/a', 'openai/c'],
  'those of the former model, and of a change that was given up, are kept');
update funding.lexicon_fit set dimensions = 0;
select throws_ok($$select funding.adopt_embedding_model('lexicon')$$, 'PT400', 'the lexicon has not been fitted: run npm run lexicon first',
  'the lexicon is not adopted before it has been fitted');
insert into funding.lexicon (generation, term, document_frequency, vector) select generation, 'water', 2, pg_temp.direction(1, 0) from funding.lexicon_fit;
update funding.lexicon_fit set dimensions = 2;
select funding.reindex_records();
select is((select count(*) from generate_series(1, 3) as number where pg_temp.vector_of(number) = pg_temp.direction(0, 1)::halfvec), 3::bigint, 'a refit of the lexicon leaves external vectors as they are');
select is(funding.adopt_embedding_model('lexicon'), 0::bigint, 'the lexicon can be adopted at any time');
select is(pg_temp.vector_of(1), pg_temp.direction(1, 0)::halfvec, 'and its vectors are made on the spot');

-- A request of two round trips counts once, and not at all when it fails.
insert into funding.tiers (name, api_access, daily_quota) values ('test-two', true, 2);
select funding.create_account('asker@embeddings.test', 'test-two');
select funding.create_key('asker@embeddings.test', 'k', repeat('a', 64), 'k');
create function pg_temp.counted(is_second boolean) returns bigint language sql as $$
  select (funding.rpc_result(funding.admit(repeat('a', 64), is_second), null)->'admission'->>'remaining')::bigint
$$;
select is(pg_temp.counted(false), 1::bigint, 'the first call of a request counts');
select is(pg_temp.counted(true), 1::bigint, 'the second does not');
select is((public.withdraw_request(repeat('a', 64))->'admission'->>'remaining')::bigint, 2::bigint, 'a request that failed is given back');
select is((public.withdraw_request(repeat('a', 64))->'admission'->>'remaining')::bigint, 2::bigint, 'and never more than were counted');
select pg_temp.counted(false), pg_temp.counted(false);
select is(pg_temp.counted(true), 0::bigint, 'the last request of a quota has its second call');
select throws_ok($$select funding.admit(repeat('a', 64))$$, 'PT429', 'quota exceeded', 'and the next has not even its first');
update funding.api_keys set revoked_at = now() where key_hash = repeat('a', 64);
select throws_ok($$select funding.admit(repeat('a', 64), true)$$, 'PT401', 'unknown key', 'a key that was revoked in between has no second call');
select throws_ok($$select public.withdraw_request(repeat('a', 64))$$, 'PT401', 'unknown key', 'and nothing to give back');
select pg_temp.set('embedding_model', '"openai/b"');
update funding.api_keys set revoked_at = null where key_hash = repeat('a', 64);
update funding.daily_quota set used = 1;
select is(public.semantic_search(repeat('a', 64), 'water', '{grants,contracts}', 5)->'body'->'wanted_embedding'->>'model', 'openai/b',
  'semantic_search asks for one vector, whatever the datasets');
select is((public.semantic_search(repeat('a', 64), 'water', '{grants,contracts}', 5,
    pg_temp.given('openai/b', pg_temp.direction(0, 1), true))->'admission'->>'remaining')::bigint, 0::bigint, 'and counts once');
select throws_ok($$select public.semantic_search(repeat('a', 64), 'mud', '{grants}', 5, pg_temp.given('openai/b', null, true))$$, 'PT503',
  'the query has no vector', 'without the vector it has no answer');
select pg_temp.set('embedding_model', '"lexicon"');

-- The vector indexes.
select pg_temp.set('vector_index_minimum', '2');
select funding.refresh_vector_indexes();
select is(funding.has_vector_index('grants'), true, 'a dataset that is large enough has a vector index');
select funding.drop_vector_indexes();
select is(funding.has_vector_index('grants'), false, 'which can be dropped');

select * from finish();
rollback;
