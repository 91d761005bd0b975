-- A bitmap index (O'Neil and Quass, 1997) over what lists are filtered by: one bitmap for each value that a filter may ask for. A
-- filter is some `and`s and `or`s of them, and its total the bits that are left.
--
-- A record's place in them is its `posting_number`, as in the inverted index, whose words are bitmaps too: those of the weights
-- that are not zero; of frequent words they are kept. What is compared by size is kept as ranks, a vector to a block. All of it is made whole by a fit. A
-- record that comes, or changes in anything that a filter sees, has no number until the next fit, and is counted by itself.

create table funding.bitmaps (
  dataset text not null,
  -- What its records have: see `funding.bitmap_name`.
  name text not null,
  block integer not null,
  bits bit varying not null,
  primary key (dataset, name, block)
);
alter table funding.bitmaps enable row level security;

-- For each record of a block, in the order of their numbers: which of the different values of `field` it has, counted from the
-- smallest, which is 1. 0 where it has none. (A vector's numbers are exact up to 2^24.)
create table funding.ranks (
  dataset text not null,
  field text not null,
  block integer not null,
  ranks extensions.vector not null,
  primary key (dataset, field, block)
);
alter table funding.ranks enable row level security;
alter table funding.ranks alter column ranks set storage external;

create table funding.ranked_values (
  dataset text not null,
  field text not null,
  value double precision not null,
  rank integer not null,
  primary key (dataset, field, value)
);
alter table funding.ranked_values enable row level security;

-- A bit-sliced index (O'Neil and Quass) of the orders that a list may have. Each record has a place by `field` and, of one value, by
-- id; a slice is one binary digit of those places, of all records in the order of their numbers. The highest says which records have
-- a value at all. See `funding.first_of`.
create table funding.order_slices (
  dataset text not null,
  field text not null,
  slice integer not null,
  bits bit varying not null,
  primary key (dataset, field, slice)
);
alter table funding.order_slices enable row level security;
alter table funding.order_slices alter column bits set storage external;

-- Numbers whose records have gone, or have changed since the fit.
create table funding.retired_numbers (
  dataset text not null,
  number integer not null,
  primary key (dataset, number)
);
alter table funding.retired_numbers enable row level security;

-- What is next, while a fit prepares it: see the refit.
create unlogged table funding.next_bitmaps (like funding.bitmaps including all);
create unlogged table funding.next_ranks (like funding.ranks including all);
create unlogged table funding.next_ranked_values (like funding.ranked_values including all);
create unlogged table funding.next_order_slices (like funding.order_slices including all);
alter table funding.next_bitmaps enable row level security;
alter table funding.next_ranks enable row level security;
alter table funding.next_ranked_values enable row level security;
alter table funding.next_order_slices enable row level security;

-- The name of the bitmap of a field's value. What is too long for an index stands for itself by its digest.
create function funding.bitmap_name(field text, value text) returns text
language sql immutable parallel safe as $$
  select field || case when octet_length(value) <= 200 then '=' || value else '#' || md5(value) end
$$;

-- The names of the bitmaps that the row named `record` is in, as SQL: an array, of which some may be null or repeated. `all` has
-- every record that has a number.
create function funding.bitmap_names(dataset text) returns text
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

-- The fields that are compared and ordered by size, and their values as SQL.
create function funding.ranked_fields(dataset text) returns table (field text, value text)
language sql immutable as $$
  select ranked.field, ranked.value
  from (values
    ('amount_min', 'record.amount_min'), ('amount_max', 'record.amount_max'),
    ('deadline_date', 'extract(epoch from record.deadline_date)::double precision'),
    ('created_at', 'extract(epoch from record.created_at)::double precision')) as ranked(field, value)
  where dataset <> 'funders'
$$;

-- The columns that these are of.
create function funding.filtered_columns(dataset text) returns setof text
language sql immutable as $$
  select unnest(array['classification', 'status', 'archived_at', 'is_national', 'states', 'categories', 'amount_min', 'amount_max',
    'deadline_date', 'created_at'])
  union all
  select unnest(array['naics', 'set_aside_code']) where dataset = 'contracts'
$$;

-- As many bits as a block has records, from their places in it.
create function funding.bits_at(places integer[], size integer) returns bit varying
language sql immutable parallel safe
set search_path = funding, extensions, pg_temp as $$
  select binary_quantize(format('{%s:1}/%s', array_to_string(places, ':1,'), size)::sparsevec::vector)
$$;

-- Makes a dataset's next bitmaps, of the records that are prepared as they now are, after its inverted index.
create function funding.prepare_bitmaps(fit uuid, dataset text) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  -- A word that so many records have is frequent. (Its weights take 50 microseconds to become a bitmap, in each block.)
  frequent constant real := (select documents * 0.01 from funding.fit_in_preparation(fit));
  records integer;
  -- As wide as a block of the inverted index.
  size integer;
  ranked record;
  -- The binary digits of the highest number.
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
        select ready.posting_number as number, %2$s as value, dense_rank() over (order by %2$s) as rank
        from %1$s where ready.dataset = $1 and %2$s is not null
      ), noted as (
        insert into funding.next_ranked_values (dataset, field, value, rank)
        select distinct $1, $2, ranked.value, ranked.rank from ranked
      )
      insert into funding.next_ranks (dataset, field, block, ranks)
      select $1, $2, (number - 1) / $3, array_agg(rank order by number)::vector
      from (
        -- No join: the planner knows neither side, and may compare each with each.
        select number, max(rank)::real as rank
        from (
          select number, rank from ranked
          union all
          select number, 0 from generate_series(1, $3 * (($4 - 1) / $3 + 1)) as number
        ) as given
        group by number
      ) as numbered
      group by 3
    $ranks$, prepared, ranked.value) using dataset, ranked.field, size, records;

    execute format($slices$
      with placed as materialized (
        select array_agg(given.place order by given.number) as places
        from (
          select number, sum(place)::integer as place
          from (
            select ready.posting_number as number,
                   row_number() over (order by record.%2$I, record.id) + case when record.%2$I is null then 0 else 1 << $5 end as place
            from %1$s where ready.dataset = $1
            union all
            select number, 0 from generate_series(1, $3 * (($4 - 1) / $3 + 1)) as number
          ) as numbered
          group by number
        ) as given
      )
      insert into funding.next_order_slices (dataset, field, slice, bits)
      select $1, $2, slice, (select string_agg((place >> slice & 1)::text, '') from unnest(placed.places) as place)::bit varying
      from placed, generate_series(0, $5) as slice
    $slices$, prepared, ranked.field) using dataset, ranked.field, size, records, digits;
  end loop;
end
$$;

-- Puts a dataset's next bitmaps in force, once its records have their numbers. What changed since it was prepared has none.
create function funding.adopt_bitmaps(dataset text) returns void
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

-- Takes a dataset's bitmaps away: it is counted without them until the next fit.
create function funding.drop_bitmaps(dataset text) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  delete from funding.bitmaps where bitmaps.dataset = drop_bitmaps.dataset;
  delete from funding.ranks where ranks.dataset = drop_bitmaps.dataset;
  delete from funding.ranked_values where ranked_values.dataset = drop_bitmaps.dataset;
  delete from funding.order_slices where order_slices.dataset = drop_bitmaps.dataset;
  delete from funding.retired_numbers where retired_numbers.dataset = drop_bitmaps.dataset
$$;

-- Takes a record's number away when it changes in what a filter sees. (A change of its text does so in `index_record`.)
create function funding.take_number() returns trigger
language plpgsql as $$
begin
  new.posting_number := null;
  return new;
end
$$;

create function funding.retire_number() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into funding.retired_numbers (dataset, number) values (tg_table_name, old.posting_number) on conflict do nothing;
  return null;
end
$$;

create function funding.drop_bitmaps_of_table() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform funding.drop_bitmaps(tg_table_name);
  return null;
end
$$;

do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    if dataset <> 'funders' then
      execute format($create$
        create trigger %1$s_take_number before update on funding.%1$I
          for each row when (old.posting_number is not null and (%2$s) is distinct from (%3$s))
          execute function funding.take_number();
      $create$, dataset,
        (select string_agg('old.' || name, ', ') from funding.filtered_columns(dataset) as name),
        (select string_agg('new.' || name, ', ') from funding.filtered_columns(dataset) as name));
    end if;
    execute format($create$
      create trigger %1$s_retire_number after update on funding.%1$I
        for each row when (old.posting_number is not null and new.posting_number is null)
        execute function funding.retire_number();
      create trigger %1$s_retire_number_of_deleted after delete on funding.%1$I
        for each row when (old.posting_number is not null)
        execute function funding.retire_number();
      create trigger %1$s_drop_bitmaps after truncate on funding.%1$I
        for each statement execute function funding.drop_bitmaps_of_table();
    $create$, dataset);
  end loop;
end
$$;
