-- Bitmap index (O'Neil and Quass, 1997) over what lists are filtered by: one bitmap for each value that a filter may ask for.
-- A filter is some `and`s and `or`s of bitmaps, and its total the bits that are left.
--
-- A fit makes the whole index, and gives each record a slot in it: its column `posting_number`. (`retired_numbers.number` and the
-- `numbers` of the type `funding.ranking` are slots, too.) Posting lists have the same slots. They are bitmaps too, of the weights
-- that are not zero; those of frequent words are stored. Values that are compared by size are stored as ranks, one vector a block.
-- A record that comes, or changes in anything that a filter sees, has no slot until the next fit, and is counted by itself.

-- Name of the bitmap of a field's value. A value too long for an index is named by its digest.
create or replace function funding.bitmap_name(field text, value text) returns text
language sql immutable parallel safe as $$
  select field || case when octet_length(value) <= 200 then '=' || value else '#' || md5(value) end
$$;

-- Names of the bitmaps that the row named `record` is in, as SQL: an array, with some null or repeated. `all` has every record
-- that has a slot.
create or replace function funding.bitmap_names(dataset text) returns text
language sql immutable as $$
  select case when dataset = 'funders' then $c$array['all']$c$
    else $c$array['all', 'classification=' || record.classification, 'status=' || record.status,
        case when record.archived_at is null then 'current' end, case when record.is_national then 'national' end]
      || array(select funding.bitmap_name('state', state) from unnest(record.states) as state)
      || array(select funding.bitmap_name('category', category) from unnest(record.category_keys) as category)$c$
      || case when dataset = 'contracts'
        then $c$ || array[funding.bitmap_name('naics', record.naics), funding.bitmap_name('set_aside', upper(record.set_aside_code))]$c$
        else '' end
  end
$$;

-- Fields that are compared and ordered by size, and their values as SQL.
create or replace function funding.ranked_fields(dataset text) returns table (field text, value text)
language sql immutable as $$
  select ranked.field, ranked.value
  from (values
    ('amount_min', 'record.amount_min'), ('amount_max', 'record.amount_max'),
    ('deadline_date', 'extract(epoch from record.deadline_date)::double precision'),
    ('created_at', 'extract(epoch from record.created_at)::double precision')) as ranked(field, value)
  where dataset <> 'funders'
$$;

-- Columns that the bitmaps are made of.
create or replace function funding.filtered_columns(dataset text) returns setof text
language sql immutable as $$
  select unnest(array['classification', 'status', 'archived_at', 'is_national', 'states', 'categories', 'amount_min', 'amount_max',
    'deadline_date', 'created_at'])
  union all
  select unnest(array['naics', 'set_aside_code']) where dataset = 'contracts'
$$;

-- Bits of a block with ones at these positions.
create or replace function funding.bits_at(positions integer[], size integer) returns bit varying
language sql immutable parallel safe
set search_path = funding, extensions, pg_temp as $$
  select binary_quantize(format('{%s:1}/%s', array_to_string(positions, ':1,'), size)::sparsevec::vector)
$$;

-- Makes a dataset's next bitmaps, of the records that are prepared as they now are, after its posting lists.
create or replace function funding.prepare_bitmaps(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  -- A word is frequent from so many records on. (Its weights take 50 microseconds to become a bitmap, in each block.)
  frequent constant real := (select documents * 0.01 from funding.fit_in_preparation(fit));
  records integer;
  -- As wide as a block of the posting lists.
  size integer;
  ranked record;
  -- Binary digits of the highest slot.
  digits integer;
  prepared constant text := format(
    'funding.next_vectors as ready join funding.%I as record on record.id = ready.id and record.xmin = ready.row_version', dataset);
begin
  select max(posting_number) into records from funding.next_vectors where next_vectors.dataset = prepare_bitmaps.dataset;
  if records is null then
    return;
  end if;
  size := least(records, 16000);
  digits := length(ltrim(records::bit(32)::text, '0'));
  execute format($bitmaps$
    insert into funding.next_bitmaps (dataset, name, block, bits)
    select $1, named.name, (ready.posting_number - 1) / $2, funding.bits_at(array_agg((ready.posting_number - 1) %% $2 + 1), $2)
    from %s cross join lateral (select distinct unnest(%s) as name) as named
    where ready.dataset = $1 and named.name is not null
    group by 2, 3
  $bitmaps$, prepared, funding.bitmap_names(dataset)) using dataset, size;

  insert into funding.next_bitmaps (dataset, name, block, bits)
  select postings.dataset, funding.bitmap_name('word', postings.term), postings.block, binary_quantize(postings.weights::vector)
  from funding.next_lexicon as lexicon join funding.next_postings as postings using (term)
  where postings.dataset = prepare_bitmaps.dataset and lexicon.document_frequency >= frequent;

  for ranked in select * from funding.ranked_fields(dataset) loop
    execute format($ranks$
      with ranked as materialized (
        select ready.posting_number as slot, %2$s as value, dense_rank() over (order by %2$s) as rank
        from %1$s where ready.dataset = $1 and %2$s is not null
      ), noted as (
        insert into funding.next_ranked_values (dataset, field, value, rank)
        select distinct $1, $2, ranked.value, ranked.rank from ranked
      )
      insert into funding.next_ranks (dataset, field, block, ranks)
      select $1, $2, (slot - 1) / $3, array_agg(rank order by slot)::vector
      from (
        -- No join: the planner knows neither side, and may compare each with each.
        select slot, max(rank)::real as rank
        from (
          select slot, rank from ranked
          union all
          select slot, 0 from generate_series(1, $3 * (($4 - 1) / $3 + 1)) as slot
        ) as given
        group by slot
      ) as slotted
      group by 3
    $ranks$, prepared, ranked.value) using dataset, ranked.field, size, records;

    execute format($slices$
      with placed as materialized (
        select array_agg(given.position order by given.slot) as positions
        from (
          select slot, sum(position)::integer as position
          from (
            select ready.posting_number as slot,
                   row_number() over (order by record.%2$I, record.id) + case when record.%2$I is null then 0 else 1 << $5 end as position
            from %1$s where ready.dataset = $1
            union all
            select slot, 0 from generate_series(1, $3 * (($4 - 1) / $3 + 1)) as slot
          ) as slotted
          group by slot
        ) as given
      )
      insert into funding.next_order_slices (dataset, field, slice, bits)
      select $1, $2, slice, (select string_agg((position >> slice & 1)::text, '') from unnest(placed.positions) as position)::bit varying
      from placed, generate_series(0, $5) as slice
    $slices$, prepared, ranked.field) using dataset, ranked.field, size, records, digits;
  end loop;
end
$$;

-- Puts a dataset's next bitmaps in force, once its records have their slots. A record that changed since it was prepared has none.
create or replace function funding.adopt_bitmaps(dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  perform funding.drop_bitmaps(dataset);
  insert into funding.bitmaps (dataset, name, block, bits)
  select next.dataset, name, block, bits from funding.next_bitmaps as next where next.dataset = adopt_bitmaps.dataset;
  insert into funding.ranks (dataset, field, block, ranks)
  select next.dataset, field, block, ranks from funding.next_ranks as next where next.dataset = adopt_bitmaps.dataset;
  insert into funding.ranked_values (dataset, field, value, rank)
  select next.dataset, field, value, rank from funding.next_ranked_values as next where next.dataset = adopt_bitmaps.dataset;
  insert into funding.order_slices (dataset, field, slice, bits)
  select next.dataset, field, slice, bits from funding.next_order_slices as next where next.dataset = adopt_bitmaps.dataset;
  execute format($retired$
    insert into funding.retired_numbers (dataset, number)
    select $1, ready.posting_number from funding.next_vectors as ready
    where ready.dataset = $1 and not exists (
      select from funding.%I as record where record.id = ready.id and record.posting_number = ready.posting_number)
  $retired$, dataset) using dataset;
end
$$;

-- Deletes a dataset's bitmaps: it is counted without them until the next fit.
create or replace function funding.drop_bitmaps(dataset text) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  delete from funding.bitmaps where bitmaps.dataset = drop_bitmaps.dataset;
  delete from funding.ranks where ranks.dataset = drop_bitmaps.dataset;
  delete from funding.ranked_values where ranked_values.dataset = drop_bitmaps.dataset;
  delete from funding.order_slices where order_slices.dataset = drop_bitmaps.dataset;
  delete from funding.retired_numbers where retired_numbers.dataset = drop_bitmaps.dataset
$$;

-- Trigger: takes a record's slot away when it changes in what a filter sees. (`index_record` does so for a change of its text.)
create or replace function funding.take_number() returns trigger
language plpgsql as $$
begin
  new.posting_number := null;
  return new;
end
$$;

-- Trigger: retires the slot of a record that lost it or was deleted.
create or replace function funding.retire_number() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into funding.retired_numbers (dataset, number) values (tg_table_name, old.posting_number) on conflict do nothing;
  return null;
end
$$;

-- Trigger of a truncated dataset.
create or replace function funding.drop_bitmaps_of_table() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform funding.drop_bitmaps(tg_table_name);
  return null;
end
$$;
