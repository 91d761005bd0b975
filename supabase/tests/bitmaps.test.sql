-- Totals and pages from bitmaps: the same as from reading every record, after each kind of change.
begin;
create extension if not exists pgtap with schema extensions;
set local search_path = public, extensions;
select plan(47);

truncate funding.grants, funding.contracts, funding.funders;
insert into funding.funders (id, name, summary, created_at, source, source_id, content_hash)
select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid, 'Bureau ' || number,
       case when number % 2 = 0 then 'Bridges and roads' else 'Rivers' end, now(), 'test', 'funder ' || number, ''
from generate_series(1, 7) as number;

-- Records of which every filter matches some, few of them alike, with values at and beside the filters' bounds.
create function pg_temp.add(dataset text, numbers int4range) returns void language plpgsql as $$
begin
  execute format($insert$
    insert into funding.%1$I (id, title, description, status, classification, archived_at, amount_min, amount_max, deadline_date,
      states, is_national, categories, funder_id, created_at, source, source_id, content_hash, details %2$s)
    select ('00000000-0000-8000-a000-' || lpad(number::text, 12, '0'))::uuid,
      (array['Bridge', 'River crossing', 'Bridge over a river', 'O''Neil''s "bridges"', 'School-based health'])[number %% 5 + 1], 'Record ' || number,
      (array['open', 'posted', 'closed', 'forecasted', 'upcoming'])[number %% 5 + 1],
      case when number %% 3 = 0 then 'awarded_project' else 'opportunity' end,
      case when number %% 11 = 0 then now() end,
      case when number %% 4 > 0 then number * 0.1 end, case when number %% 4 > 0 then number * 0.1 + (number %% 7) end,
      case when number %% 3 > 0 and number %% 13 > 0 then date '2026-12-01' + number %% 9 end,
      case when number %% 6 = 0 then '{}' when number %% 6 = 1 then '{TX,TX,CA}'::text[] else array[(array['CA', 'TX', 'NY', 'WY'])[number %% 4 + 1]] end,
      number %% 6 = 0,
      case when number %% 5 = 0 then '{}' else array[(array['Health', 'HEALTH', repeat('long', 300), 'it''s = "x"'])[number %% 4 + 1], 'Health'] end,
      '00000000-0000-8000-a000-000000000001', timestamptz '2026-10-01 00:00:00.001Z' + number %% 5 * interval '1 ms',
      case when number %% 8 = 0 then 'other' else 'test' end, number::text, '',
      case when number %% 7 > 0 then jsonb_build_object(
        'applicant_types', (array['["individual"]', '["unrestricted"]', '["individual", "government_county"]', '[]'])[number %% 4 + 1]::jsonb,
        'assistance_listings', case when number %% 5 > 0 then jsonb_build_array(jsonb_build_object('number', '10.55' || number %% 3, 'title', 'Title')) else '[]' end,
        'funding_instrument', (array['["grant"]', '["grant", "other"]', '[]'])[number %% 3 + 1]::jsonb,
        'agency', (array['["Department of the Interior", "Parks"]', '["DEPARTMENT of the  Interior"]', '["Labor"]'])[number %% 3 + 1]::jsonb)
        || case when number %% 3 > 0 then jsonb_build_object('cost_sharing', number %% 2 = 0) else '{}' end end %3$s
    from generate_series(lower($1), upper($1) - 1) as number
  $insert$, dataset,
    case when dataset = 'contracts' then ', naics, set_aside_code' else '' end,
    case when dataset = 'contracts'
      then $c$, (array['541511', '236220', null])[number % 3 + 1], (array['HZC', 'sba', null, 'SBA'])[number % 4 + 1]$c$ else '' end)
  using numbers;
end
$$;

create function pg_temp.counted(dataset text, filters jsonb) returns bigint language plpgsql as $$
declare
  answer bigint;
begin
  execute format('select count(*) from funding.%I as record where %s', dataset, funding.predicate(dataset, filters)) into answer using filters;
  return answer;
end
$$;

create temporary table asked (filters jsonb, datasets text[]);
insert into asked
select filters, '{grants,contracts}' from unnest(array[
  '{}', '{"opportunity_type": "awarded"}', '{"opportunity_type": "all"}', '{"include_archived": true, "opportunity_type": "all"}',
  '{"status": "open"}', '{"status": "POSTED"}', '{"status": "forecasted", "opportunity_type": "all"}', '{"status": "closed"}',
  '{"states": ["TX"]}', '{"states": ["CA", "WY", "GU"]}', '{"states": ["CA"], "include_national": true}', '{"states": ["CA"], "include_national": false}',
  '{"category": "health"}', '{"category": "it''s = \"x\""}', '{"category": "none such"}',
  '{"min_amount": 0.1}', '{"min_amount": 4.7}', '{"max_amount": 4.7}', '{"max_amount": 4.699999999}', '{"min_amount": 2, "max_amount": 3.5}',
  '{"min_amount": 1e300}', '{"max_amount": 0}',
  '{"deadline_after": "2026-12-03"}', '{"deadline_before": "2026-12-03"}', '{"deadline_after": "2026-12-03", "deadline_before": "2026-12-05"}',
  '{"deadline_after": "2026-12-05", "deadline_before": "2026-12-03"}',
  '{"posted_after": "2026-10-01T00:00:00.003Z"}', '{"posted_after": "2026-10-01T00:00:00.003001Z"}', '{"posted_after": "2026-09-01"}', '{"posted_after": "2030-01-01"}',
  '{"search": "bridges"}', '{"search": "river bridge"}', '{"search": "bridge -river"}', '{"search": "-river"}', '{"search": "bridge unheard"}',
  '{"search": "bridge -unheard"}', '{"search": "7"}',
  '{"search": "bridge", "status": "open", "states": ["CA", "TX"], "category": "Health", "min_amount": 1, "deadline_after": "2026-12-02"}'
]::jsonb[]) as filters;
insert into asked select jsonb_build_object('category', repeat('LONG', 300)), '{grants,contracts}';
insert into asked
select filters, '{grants,contracts}' from unnest(array[
  '{"applicant_type": ["individual"]}', '{"applicant_type": ["government_county", "individual"], "include_unrestricted": false}',
  '{"applicant_type": ["government_tribal"]}', '{"applicant_type": ["government_tribal"], "include_unrestricted": false}',
  '{"funding_instrument": ["other"]}', '{"funding_instrument": ["grant", "other"]}', '{"assistance_listing": "10.551"}', '{"assistance_listing": "99.999"}',
  '{"agency": "department of the interior"}', '{"agency": "Parks"}', '{"agency": "Department"}', '{"cost_sharing": true}', '{"cost_sharing": false}',
  '{"source": "other"}', '{"source": "none"}', '{"agency": "Labor", "cost_sharing": false, "search": "bridge", "states": ["TX"], "applicant_type": ["individual"]}'
]::jsonb[]) as filters;
insert into asked
select filters, '{grants}' from unnest(array[
  '{"statuses": ["open", "posted"]}', '{"statuses": ["closed", "upcoming", "forecasted"], "search": "bridge"}', '{"statuses": ["none such"]}',
  '{"deadline_range": {"operator": "between", "min": "2026-12-03", "max": "2026-12-05"}}', '{"deadline_range": {"operator": "between", "min": "2026-12-05", "max": "2026-12-03"}}',
  '{"amount_min_range": {"operator": "between", "min": 2, "max": 3.5}}', '{"amount_max_range": {"operator": "between", "min": 4.7, "max": 4.7}}',
  '{"amount_min_range": {"operator": "between", "min": -1e308, "max": 1e308}}',
  '{"amount_min_range": {"operator": "between", "min": 1, "max": 4}, "amount_max_range": {"operator": "between", "min": 3, "max": 6}, "min_amount": 4, "deadline_range": {"operator": "between", "min": "2026-12-02", "max": "2027-12-05"}, "deadline_after": "2026-12-03", "statuses": ["open"]}'
]::jsonb[]) as filters;
insert into asked values ('{"naics": "541511"}', '{contracts}'), ('{"naics": "1"}', '{contracts}'), ('{"set_aside": "Sba"}', '{contracts}'),
  ('{"set_aside": "HZC", "naics": "236220", "states": ["CA"], "include_national": true}', '{contracts}'),
  ('{}', '{funders}'), ('{"search": "bridge"}', '{funders}'), ('{"search": "river -bridge"}', '{funders}');

-- Totals in which the bitmaps differ from a count.
create function pg_temp.wrong_totals() returns table (dataset text, filters jsonb, by_bitmaps bigint, counted bigint) language sql as $$
  select *
  from (
    select dataset, asked.filters, funding.bitmap_total(dataset, funding.filter_of(dataset, asked.filters)) as by_bitmaps,
           pg_temp.counted(dataset, asked.filters) as counted
    from asked, unnest(datasets) as dataset
    offset 0
  ) as compared
  where by_bitmaps is distinct from compared.counted
$$;

-- Lists with each filter, each in some of the orders that bitmaps know, with one of some pages: those that end before, in and
-- behind the records that match.
create temporary table listed as
select dataset, parameters || (array[
    '{"limit": 5, "offset": 0}', '{"limit": 3, "offset": 17}', '{"limit": 40, "offset": 0}', '{"limit": 1, "offset": 60}', '{"limit": 4, "offset": 90}'
  ]::jsonb[])[row_number() over () % 5 + 1] as parameters
from (
  select dataset, asked.filters || jsonb_build_object('sort_by', sort_by, 'order', direction) as parameters, row_number() over () as place
  from asked, unnest(datasets) as dataset, unnest(array['created_at', 'deadline_date', 'amount_min', 'amount_max']) as sort_by, unnest(array['asc', 'desc']) as direction
  where dataset <> 'funders'
) as every
where place % 19 = 0;

-- { ids, total }, from reading every record, as `funding.bitmap_page` gives them.
create function pg_temp.looked_up(dataset text, parameters jsonb) returns funding.found_page language plpgsql as $$
declare
  answer funding.found_page;
begin
  execute format('select array(select record.id from funding.%I as record where %s order by %s limit $2 offset $3)', dataset,
    funding.predicate(dataset, funding.filter_of(dataset, parameters)), funding.sort_order(parameters->>'sort_by', parameters->>'order'))
  into answer.ids using parameters, (parameters->>'limit')::bigint + 1, (parameters->>'offset')::bigint;
  answer.total := pg_temp.counted(dataset, funding.filter_of(dataset, parameters));
  return answer;
end
$$;

-- Pages in which the bitmaps differ from that.
create function pg_temp.wrong_pages() returns table (dataset text, parameters jsonb, by_bitmaps funding.found_page, looked_up funding.found_page) language sql as $$
  select *
  from (
    select dataset, parameters, funding.bitmap_page(dataset, funding.list_request_of(dataset, parameters)) as by_bitmaps,
           pg_temp.looked_up(dataset, parameters) as looked_up
    from listed
    offset 0
  ) as compared
  where (by_bitmaps).total is distinct from (looked_up).total
    -- Pages that an index finds as soon are left to it.
    or (by_bitmaps).ids is distinct from case when (by_bitmaps).ids is not null or parameters->>'sort_by' <> 'created_at' then (looked_up).ids end
$$;

create function pg_temp.wrong() returns table (dataset text, parameters jsonb) language sql as $$
  select dataset, filters from pg_temp.wrong_totals()
  union all
  select dataset, parameters from pg_temp.wrong_pages()
$$;

create function pg_temp.retired() returns bigint language sql as $$ select count(*) from funding.retired_slots $$;

select pg_temp.add(dataset, '[1,200]') from unnest(array['grants', 'contracts']) as dataset;
select is(funding.bitmap_total('grants', '{}'), null, 'before a fit there are no bitmaps');
select is(funding.total('grants', '{}'), pg_temp.counted('grants', '{}'), 'and each record is counted');

select funding.reindex_records();
select is_empty('select * from pg_temp.wrong()', 'after a fit each filter counts what it keeps, and gives its first');
select cmp_ok((select min(pg_temp.counted('grants', asked.filters)) from asked where asked.filters->>'min_amount' = '4.7'), '>', 0::bigint, 'the filters keep some');
select cmp_ok((
  select count(*) from listed
  where cardinality((funding.bitmap_page(dataset, funding.list_request_of(dataset, parameters))).ids) > 0 and (pg_temp.looked_up(dataset, parameters)).total > 50
), '>', 10::bigint, 'which bitmaps tell of many lists that are longer than a page');
select is((funding.bitmap_page('grants', funding.list_request_of('grants', '{"limit": 5, "offset": 0, "sort_by": "created_at", "order": "desc"}'))).ids, null, 'the newest of many are left to an index');
select is((funding.bitmap_page('grants', funding.list_request_of('grants', '{"limit": 5, "offset": 0, "sort_by": "title", "order": "desc"}'))).ids, null, 'so is another order');
select is((funding.bitmap_page('grants', funding.list_request_of('grants', '{"limit": 5, "offset": 0, "cursor": {}, "sort_by": "amount_min", "order": "desc"}'))).ids, null, 'and a page that begins after a record');
select is(funding.bitmap_total('grants', '{"search": "\"river crossing\""}'), null, 'no bitmap tells a phrase');
select is(funding.bitmap_total('grants', '{"search": "river or health"}'), null, 'nor alternatives');
select is(funding.bitmap_total('grants', '{"search": "school-based"}'), null, 'nor a word of several');
select is(funding.bitmap_total('grants', '{"search": "the"}'), null, 'nor a query without words');
select is(funding.bitmap_total('grants', '{"geography": "Texas"}'), null, 'nor a part of a text');
select throws_ok($$select funding.bitmap_total('grants', '{"status": "open", "a_filter_of_later": 1}')$$, '22023', 'grants have no filter a_filter_of_later',
  'a filter that nobody knows is refused');
select is(funding.total('grants', '{"search": "\"river crossing\""}'), pg_temp.counted('grants', '{"search": "\"river crossing\""}'), 'which are counted without');

update funding.grants set status = 'closed' where source_id::integer % 10 = 1;
select is(pg_temp.retired(), 20::bigint, 'a record that a filter sees otherwise loses its number');
select is_empty('select * from pg_temp.wrong()', 'and pages and totals are exact after a change of status');
update funding.grants set status = status, updated_at = now(), listing_url = 'https://example.org' where source_id::integer % 10 = 2;
select is(pg_temp.retired(), 20::bigint, 'one that filters see as before keeps it');
update funding.grants set archived_at = case when archived_at is null then now() end where source_id::integer % 10 = 3;
update funding.contracts set naics = '999999', set_aside_code = 'HZC' where source_id::integer % 10 = 4;
update funding.contracts set amount_max = amount_max + 5, deadline_date = deadline_date + 1 where source_id::integer % 10 = 5;
update funding.grants set states = '{GU}', categories = '{Health}', is_national = false where source_id::integer % 10 = 6;
update funding.contracts set created_at = created_at + interval '1 day', classification = 'opportunity', project_end_date = null where source_id::integer % 10 = 7;
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact after changes of every field that is filtered by');
update funding.grants set details = '{"cost_sharing": true, "agency": ["Parks"]}' where source_id::integer % 10 = 5;
update funding.contracts set details = null, source = 'third' where source_id::integer % 10 = 3;
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact after changes of details');
update funding.grants set title = 'Nothing of the kind' where source_id::integer % 10 = 8;
update funding.funders set summary = 'Bridges' where source_id = 'funder 1';
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact after a change of text');
delete from funding.grants where source_id::integer % 10 = 9;
delete from funding.grants where source_id::integer % 10 = 1;
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact after deletes, of changed records too');
select pg_temp.add(dataset, '[301,330]') from unnest(array['grants', 'contracts']) as dataset;
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact after inserts');
select cmp_ok(funding.seal('grants', 1, 20), '>', 0, 'records that came or changed are sealed');
select funding.seal('contracts', 1);
select is((select count(*) from funding.retired_slots where dataset <> 'funders'), 0::bigint, 'and retired slots masked');
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact after records were sealed');
update funding.grants set status = 'open' where source_id::integer % 7 = 1;
select cmp_ok(funding.seal('grants', 1), '>', 0, 'more records are sealed');
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact with several segments');
select cmp_ok(funding.merge_segments('grants'), '>', 1, 'segments are merged');
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact after segments were merged');
savepoint before;
delete from funding.contracts;
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact when nothing is left');
rollback to before;
select is_empty('select * from pg_temp.wrong()', 'and after that was undone');

select funding.reindex_records();
select is(pg_temp.retired(), 0::bigint, 'a fit masks retired slots');
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact after another fit, with numbers that nobody has');
select is((select count(*) from funding.bitmaps where dataset = 'grants' and name = 'status=posted'), 1::bigint, 'a value has a bitmap in each block');

-- Blocks of 16 records, so that a segment has many: of most, a bound has all values on one side. Asked at the first blocks' lowest and highest.
do $$
declare
  fit constant funding.lexicon_fit := (select lexicon_fit from funding.lexicon_fit);
  first_block constant integer := funding.first_block(fit.generation);
  known_dataset text;
  slots record;
begin
  foreach known_dataset in array array['grants', 'contracts'] loop
    select min(first_slot) as first, max(first_slot + size) - min(first_slot) as number into slots from funding.blocks where blocks.dataset = known_dataset;
    perform funding.drop_segments(known_dataset);
    perform funding.index_words((known_dataset, first_block, first_block, slots.first, slots.number, 16)::funding.segment,
      funding.slotted_records(known_dataset, slots.first, slots.first + slots.number - 1), fit);
    perform funding.index_fields((known_dataset, first_block, first_block, slots.first, slots.number, 16)::funding.segment,
      funding.slotted_records(known_dataset, slots.first, slots.first + slots.number - 1), fit);
  end loop;
end
$$;
select cmp_ok((select count(*) from funding.ranks where dataset = 'grants' and field = 'created_at' and lowest > 1), '>', 3::bigint, 'a segment of several blocks');
savepoint small_blocks;
insert into asked
select distinct jsonb_build_object(parameter, case field when 'deadline_date' then to_jsonb(to_timestamp(value)::date) when 'created_at' then to_jsonb(to_timestamp(value)) else to_jsonb(value) end),
  array[ranks.dataset]
from funding.ranks
join funding.segment_values as known using (dataset, field)
join (values ('min_amount', 'amount_max'), ('max_amount', 'amount_min'), ('deadline_after', 'deadline_date'), ('deadline_before', 'deadline_date'), ('posted_after', 'created_at')) as side(parameter, name)
  on side.name = field
where known.rank in (lowest, highest) and block % 1000 < 6;
select cmp_ok((select count(*) from asked), '>', 120::bigint, 'bounds at the ends of blocks');
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact where bounds are the least or greatest value of a block');
rollback to small_blocks;

-- Ranks that an earlier version made tell nothing of what they have.
create temporary table told as select count(*) filter (where valued is null or lowest is null and valued::text like '%1%') as untold, count(*) as blocks from funding.ranks;
select ok(blocks > 0 and untold = 0, 'each block of ranks says what it has') from told;
update funding.ranks set lowest = null, highest = null, valued = null;
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact where ranks do not say so, too');

-- A fit while records change. (Within a savepoint, so that their rows are of another transaction than those that were prepared.)
create temporary table begun as select funding.begin_fit(documents, average_length, dimensions) as fit from funding.lexicon_fit;
insert into funding.lexicon (generation, term, document_frequency, vector)
select 1 - known.generation, known.term, known.document_frequency, known.vector from funding.lexicon as known;
select funding.start_filling(fit) from begun;
select funding.prepare_vectors(fit, dataset, 0, null),
       funding.prepare_postings(fit, dataset, funding.last_slot_to_prepare(dataset)), funding.prepare_bitmaps(fit, dataset)
from begun, unnest(array['grants', 'contracts', 'funders']) as dataset;
savepoint prepared;
update funding.grants set status = 'upcoming', amount_max = amount_max + 1 where source_id::integer % 10 = 2;
update funding.contracts set title = 'Bridge' where source_id::integer % 10 = 3;
delete from funding.grants where source_id::integer % 10 = 4;
select pg_temp.add('contracts', '[401,410]');
select is_empty('select * from pg_temp.wrong()', 'pages and totals are exact while a fit is prepared');
select funding.adopt_fit(fit) from begun;
select is(pg_temp.retired(), 0::bigint, 'those of what changed while it was prepared, too');
select is_empty('select * from pg_temp.wrong()', 'and pages and totals are exact when it is in force');

select pg_temp.add('grants', '[1000,6000]');
select is(funding.bitmap_total('grants', '{}'), null, 'where too many have no number, all are counted');
select is(funding.total('grants', '{}'), pg_temp.counted('grants', '{}'), 'exactly');
truncate funding.grants;
select is(funding.total('grants', '{}'), 0::bigint, 'a total is exact after a truncate');
select pg_temp.add('grants', '[1,10]');
select is(funding.total('grants', '{}'), pg_temp.counted('grants', '{}'), 'and after inserts that follow it');

select * from finish();
rollback;
