-- Totals of lists: from the bitmap index, or counted one by one and cached.

-- Number of records that match a filter, by the bitmaps, and by reading the records in no segment. Null where the bitmaps cannot answer the filter.
create or replace function funding.bitmap_total(dataset text, filters jsonb) returns bigint
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  found constant funding.bitmap_matches := funding.match_by_bitmaps(dataset, filters);
  others bigint := 0;
begin
  if found.unsealed > 0 then
    execute format('select count(*) from %s where %s', funding.unsealed_records(dataset, '$2', found.unsealed), funding.predicate(dataset, filters))
    into others using filters, found.sealed_end;
  end if;
  return case when found.sealed_end is not null then funding.count_of(found.sealed) + others end;
end
$$;

-- Number of records that match a filter: counted by the bitmaps or, where these cannot answer the filter, one by one, and then cached.
create or replace function funding.total(dataset text, filter jsonb) returns bigint
language plpgsql as $$
declare
  key text := md5(filter::text);
  current_version bigint;
  -- Looked up by the primary key alone: an index on versions looks as good to the planner, and is not.
  known funding.totals;
  counted bigint := funding.bitmap_total(dataset, filter);
begin
  if counted is not null then
    return counted;
  end if;
  select data_versions.version into current_version
  from funding.data_versions where data_versions.dataset = total.dataset;

  if funding.has_caches() then
    select * into known from funding.totals where totals.dataset = total.dataset and totals.filter_key = key;
    if known.version = current_version then
      return known.total;
    end if;
  end if;

  execute format('select count(*) from funding.%I as record where %s', dataset, funding.predicate(dataset, filter))
  into counted using filter;

  if not funding.may_cache('totals', dataset, key) then
    return counted;
  end if;
  insert into funding.totals as cached (dataset, filter_key, version, total)
  values (total.dataset, key, current_version, counted)
  on conflict on constraint totals_pkey do update
    set version = excluded.version, total = excluded.total, remembered_at = excluded.remembered_at
    where cached.version < excluded.version;
  perform funding.evict_stale('totals', dataset, current_version, interval '1 hour');
  return counted;
end
$$;

-- Whether this transaction may cache a value under a key: false while another transaction does so, and where it may not write (replicas.sql). The
-- other transaction's row stays locked until that transaction has counted its request, for which it may wait. The value is in the answer without the
-- cache, too.
create or replace function funding.may_cache(cache text, dataset text, key text) returns boolean
language sql volatile as $$
  select case when funding.may_write() then pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', cache, dataset, key), 0)) else false end
$$;

-- Evicts the stale rows among some eight of a cache, sampled at random as Redis samples keys that expire: those of an older version of their dataset
-- after a minute, all others after `longest`. Each insert into a cache calls it, so in the long run about a quarter of a cache is stale. Half of
-- the calls sample the other datasets, for which nobody may ask any more.
--
-- In the order of age, each call would pass all rows that were evicted before, for as long as an open transaction (a dump, a forgotten session) keeps
-- vacuum from removing them: 1.2 ms after 16,000 calls. Between two keys, a call passes only the evicted rows there: for each row that is left, as
-- many as in the whole cache.
--
-- Called last in a transaction. Another transaction that caches an evicted row again waits for this one; if this one then waited for a row of the
-- other, they would deadlock.
create or replace function funding.evict_stale(cache text, dataset text, version bigint, longest interval) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set enable_seqscan = off set enable_sort = off as $$
declare
  sampled_dataset constant text := (array[dataset, 'grants', 'contracts', 'funders'])[1 + floor(random() * 4)::integer];
  -- Keys are MD5 hashes, of which the first 32 bits are enough. The table has a guess of its rows from its last vacuum; 0 or less before the first.
  keys constant bigint := 4294967296;
  width constant bigint := keys * least(1, 8 / greatest(1,
    (select relation.reltuples from pg_catalog.pg_class as relation where relation.oid = format('funding.%I', cache)::regclass)));
  -- From before the lowest key, so that each has the same chance.
  first_number constant bigint := floor(random() * (keys + width)) - width;
  first_key constant text := lpad(to_hex(greatest(0, first_number)), 8, '0');
  last_key constant text := case when first_number + width >= keys then 'g' else lpad(to_hex(first_number + width), 8, '0') end;
  -- So that enough rows are left beside the evicted ones, however fast the data change.
  stale_after constant interval := '1 minute';
begin
  -- Two statements, so that the plans are cached.
  if cache = 'totals' then
    delete from funding.totals where ctid = any (array(
      select ctid from funding.totals as old
      where old.dataset = sampled_dataset
        and old.filter_key = any (array(
          select sampled.filter_key from funding.totals as sampled
          where sampled.dataset = sampled_dataset and sampled.filter_key >= first_key and sampled.filter_key < last_key
          order by sampled.filter_key limit 32))
        and (old.remembered_at < now() - longest
          or old.dataset = evict_stale.dataset and old.version < evict_stale.version and old.remembered_at < now() - stale_after)
      for update skip locked));
  else
    delete from funding.pages where ctid = any (array(
      select ctid from funding.pages as old
      where old.dataset = sampled_dataset
        and old.request_key = any (array(
          select sampled.request_key from funding.pages as sampled
          where sampled.dataset = sampled_dataset and sampled.request_key >= first_key and sampled.request_key < last_key
          order by sampled.request_key limit 32))
        and (old.remembered_at < now() - longest
          or old.dataset = evict_stale.dataset and old.version < evict_stale.version and old.remembered_at < now() - stale_after)
      for update skip locked));
  end if;
end
$$;
