-- Totals of lists: from the bitmap index, or counted one by one and cached.

-- Number of records that match a filter, by the bitmaps, and by reading those in no segment. Null where the bitmaps cannot tell.
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

-- Number of records that match a filter: counted by the bitmaps or, where they cannot tell, one by one, and then cached.
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
  -- Each new total evicts up to four old ones, so the table stays the size of an hour's use.
  perform funding.evict_stale('totals', dataset, current_version, interval '1 hour');
  return counted;
end
$$;

-- Whether this transaction may cache a value under a key: false while another does, and where it may not write (replicas.sql). Their row would
-- stay locked until that one has counted its request, for which it may wait; the value is in the answer without the cache, too.
create or replace function funding.may_cache(cache text, dataset text, key text) returns boolean
language sql volatile as $$
  select case when funding.may_write() then pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', cache, dataset, key), 0)) else false end
$$;

-- Evicts from a cache two rows of an older version, and two that are too old. Each insert into a cache calls it, so it must go by the
-- indexes however the table has grown since the planner last looked at it.
create or replace function funding.evict_stale(cache text, dataset text, version bigint, longest interval) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set enable_seqscan = off set enable_sort = off as $$
begin
  -- Two statements, so that the plans are cached.
  if cache = 'totals' then
    delete from funding.totals where ctid = any (array(
      select ctid from funding.totals as old where old.dataset = evict_stale.dataset and old.version < evict_stale.version
      order by old.version limit 2 for update skip locked
    ) || array(
      select ctid from funding.totals as old where old.remembered_at < now() - longest
      order by old.remembered_at limit 2 for update skip locked
    ));
  else
    delete from funding.pages where ctid = any (array(
      select ctid from funding.pages as old where old.dataset = evict_stale.dataset and old.version < evict_stale.version
      order by old.version limit 2 for update skip locked
    ) || array(
      select ctid from funding.pages as old where old.remembered_at < now() - longest
      order by old.remembered_at limit 2 for update skip locked
    ));
  end if;
end
$$;
