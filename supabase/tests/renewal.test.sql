-- Renewal: documents that an earlier version made are made anew, which is no change of the records.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(29);

truncate funding.grants, funding.contracts, funding.funders, funding.lexicon, funding.record_changes;
delete from funding.events;
delete from funding.document_renewals;

create function pg_temp.id(number integer) returns uuid language sql as $$
  select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid
$$;
insert into funding.funders (id, name, created_at, source, source_id, content_hash)
values (pg_temp.id(0), 'Bureau of HIV/AIDS', now(), 'test', 'funder', '');
-- Of 200, each fourth has a word that is read otherwise.
insert into funding.grants (id, title, description, status, classification, funder_id, created_at, source, source_id, content_hash, updated_at)
select pg_temp.id(number), 'Care ' || number, case when number % 4 = 0 then 'for HIV/AIDS' else 'for measles' end, 'open', 'opportunity', pg_temp.id(0),
  now(), 'test', number::text, '', '2026-01-01T00:00:00Z'
from generate_series(1, 200) as number;
-- As the version before indexed them, and a fit of that.
select set_config('funding.moves_records', 'on', true);
update funding.grants set lexemes = setweight(to_tsvector('funding.english', title), 'A') || setweight(to_tsvector('funding.english', description), 'B');
update funding.funders set lexemes = setweight(to_tsvector('funding.english', name), 'A');
select set_config('funding.moves_records', 'off', true);
insert into funding.lexicon (generation, term, document_frequency, vector)
select fit.generation, word.term, 50, array_fill(word.weight, array[384])::vector
from funding.lexicon_fit as fit, (values ('hiv', 1::real), ('care', 2), ('measl', 3)) as word(term, weight);
update funding.lexicon_fit set documents = 200, dimensions = 2, fitted_at = now();
select funding.reindex_records();

-- Somebody who would be told of a change, and has been told of the records.
with account as (insert into funding.accounts (email) values ('renewal@example.com') returning id)
insert into funding.webhook_endpoints (id, account_id, url, events, secret)
select pg_temp.id(1), id, 'https://hooks.example', '{grant.created,grant.updated,funder.updated}', 'sealed' from account;
delete from funding.events;
truncate funding.record_changes;

create temporary table before as
  select record.id, record.slot, record.xmin::text as version, to_jsonb(record) - 'lexemes' - 'slot' as content from funding.grants as record;
create temporary table versions as select dataset, version, changed_at from funding.data_versions;
create function pg_temp.total(search text) returns bigint language sql as $$
  select (funding.list('grants', jsonb_build_object('search', search, 'limit', 1, 'offset', 0))->>'total')::bigint
$$;
create function pg_temp.outdated() returns bigint language sql as $$
  select count(*) from funding.grants where lexemes <> funding.record_lexemes(title, description)
$$;

select is(pg_temp.outdated(), 50::bigint, 'an upgrade leaves records with documents of the version before');
select is(pg_temp.total('HIV/AIDS'), 0::bigint, 'which searches miss');
select is(funding.has_outdated_documents(), false, 'until it is noted');
select is(funding.renew_documents('grants'), 0, 'nothing is made anew');

insert into funding.document_renewals (dataset) values ('grants'), ('funders');
select is(array[funding.has_outdated_documents(), funding.has_outdated_documents('funders'), funding.has_outdated_documents('contracts')], '{true,true,false}',
  'once it is, of those datasets');
-- Twenty of each four: the batch is 5 of 25 looked at.
select is(funding.renew_documents('grants', 5), 23, 'a batch comes as far as the records that it may write');
select is(pg_temp.outdated(), 45::bigint, 'and writes no more');
select is((select after_id from funding.document_renewals where dataset = 'grants'), pg_temp.id(23), 'the next one begins behind it');
select is(pg_temp.total('HIV/AIDS'), 5::bigint, 'what was made anew is found');
select is((select version from funding.data_versions where dataset = 'grants'), (select version + 1 from versions where dataset = 'grants'), 'caches are of the data before');
select is((select changed_at from funding.data_versions where dataset = 'grants'), (select changed_at from versions where dataset = 'grants'), 'but the data is as fresh as it was');
select is_empty($$select from funding.grants as record join before using (id) where record.lexemes = funding.record_lexemes(title, 'for measles') and record.xmin::text <> before.version
  and description = 'for measles'$$, 'other records are not written');
select is((select count(*) from funding.grants join before using (id) where grants.slot <> before.slot), 5::bigint, 'those that are get new slots');
select is((select count(*) from funding.retired_slots where dataset = 'grants'), 5::bigint, 'and their old ones are retired');

select is((public.seal_records(1000)->>'renewed')::integer, 1, 'the dispatcher goes on, a dataset at a time');
select is((public.seal_records(1000)->>'renewed')::integer, 177, 'until all are through');
select is(funding.has_outdated_documents('funders'), false, 'and says of each that it is');
select is((public.seal_records(1000)->>'renewed')::integer, 0, 'then it has nothing to do');
select is(funding.has_outdated_documents(), false, 'and nothing is outdated');
select is(pg_temp.outdated(), 0::bigint, 'every record has the document of this version');
select is(pg_temp.total('HIV/AIDS'), 50::bigint, 'and is found');
select is(pg_temp.total('hiv'), 50::bigint, 'by a part, too');
select is(pg_temp.total('measles'), 150::bigint, 'as the others are');
select is((select count(*) from funding.funders where lexemes @@ funding.parse_query('hiv')), 1::bigint, 'funders are as well');
select is_empty($$select from funding.grants as record join before using (id) where to_jsonb(record) - 'lexemes' - 'slot' <> before.content$$,
  'nothing else of a record has changed, and not when it changed');
select is_empty('select from funding.events union all select from funding.record_changes', 'nobody is told of a change');
create function pg_temp.vectors() returns table (slot integer, embedding halfvec) language sql as $$
  select known.slot, known.embedding from funding.grants_vectors_0 as known where (select vectors from funding.lexicon_fit) = 0
  union all select known.slot, known.embedding from funding.grants_vectors_1 as known where (select vectors from funding.lexicon_fit) = 1
$$;
select is_empty($$select from funding.grants as record left join pg_temp.vectors() as known on known.slot = record.slot
  where known.embedding is distinct from funding.lexicon_embedding(record.lexemes, (select generation from funding.lexicon_fit))::halfvec$$,
  'the lexicon''s vectors are of the new documents');

-- Under a model outside the database, whose vectors are of the texts themselves.
create temporary table vectors_before as select record.id, known.embedding from funding.grants as record join pg_temp.vectors() as known on known.slot = record.slot;
update funding.settings set value = '"openai/test"' where name = 'embedding_model';
select set_config('funding.moves_records', 'on', true);
update funding.grants set lexemes = setweight(to_tsvector('funding.english', title), 'A') || setweight(to_tsvector('funding.english', description), 'B');
select set_config('funding.moves_records', 'off', true);
insert into funding.document_renewals (dataset) values ('grants');
select is(funding.renew_documents('grants', 1000), 200, 'records may be made anew again');
select is_empty($$select from funding.grants join vectors_before using (id) left join pg_temp.vectors() as known on known.slot = grants.slot
  where known.embedding is distinct from vectors_before.embedding$$, 'and keep the vectors of such a model');

select * from finish();
rollback;
