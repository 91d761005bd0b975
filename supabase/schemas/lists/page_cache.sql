-- Cache of pages, facets and counted totals.

-- Version of the data that a dataset's pages show. With `of_all`, of every dataset: a record that results are to be similar to may be in any of them.
-- Versions only grow, so their sum is the same only when each version is. The version has to be read before the records.
create or replace function funding.page_version(dataset text, of_all boolean default false) returns bigint
language plpgsql stable as $$
begin
  return (
    select sum(data_versions.version)::bigint from funding.data_versions
    where of_all or data_versions.dataset in (page_version.dataset, 'funders', 'search'));
end
$$;

-- Whether this transaction may cache a page under a key: false while another transaction does so, and where it may not write (replicas.sql). The
-- other transaction's row stays locked until that transaction has counted its request, for which it may wait. The page is in the answer without the
-- cache, too.
create or replace function funding.may_cache(dataset text, key text) returns boolean
language sql volatile as $$
  select case when funding.may_write() then pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', 'pages', dataset, key), 0)) else false end
$$;

-- Evicts the stale pages among some eight, sampled at random as Redis samples keys that expire: those of an older version of their dataset after a
-- minute, all others after ten. Each insert calls it, so in the long run about a quarter of the cache is stale. Half of the calls sample the other
-- datasets, for which nobody may ask any more.
--
-- In the order of age, each call would pass all rows that were evicted before, for as long as an open transaction (a dump, a forgotten session) keeps
-- vacuum from removing them: 1.2 ms after 16,000 calls. Between two keys, a call passes only the evicted rows there: for each row that is left, as
-- many as in the whole cache.
--
-- Called last in a transaction. Another transaction that caches an evicted row again waits for this one; if this one then waited for a row of the
-- other, they would deadlock.
create or replace function funding.evict_stale(dataset text, version bigint) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set enable_seqscan = off set enable_sort = off as $$
declare
  sampled_dataset constant text := (array[dataset, 'grants', 'contracts', 'funders'])[1 + floor(random() * 4)::integer];
  -- Keys are MD5 hashes, of which the first 32 bits are enough. The table has a guess of its rows from its last vacuum; 0 or less before the first.
  keys constant bigint := 4294967296;
  width constant bigint := keys * least(1, 8 / greatest(1,
    (select relation.reltuples from pg_catalog.pg_class as relation where relation.oid = 'funding.pages'::regclass)));
  -- From before the lowest key, so that each has the same chance.
  first_number constant bigint := floor(random() * (keys + width)) - width;
  first_key constant text := lpad(to_hex(greatest(0, first_number)), 8, '0');
  last_key constant text := case when first_number + width >= keys then 'g' else lpad(to_hex(first_number + width), 8, '0') end;
  -- So that enough rows are left beside the evicted ones, however fast the data change.
  stale_after constant interval := '1 minute';
begin
  delete from funding.pages where ctid = any (array(
    select ctid from funding.pages as old
    where old.dataset = sampled_dataset
      and old.request_key = any (array(
        select sampled.request_key from funding.pages as sampled
        where sampled.dataset = sampled_dataset and sampled.request_key >= first_key and sampled.request_key < last_key
        order by sampled.request_key limit 32))
      and (old.remembered_at < now() - interval '10 minutes'
        or old.dataset = evict_stale.dataset and old.version < evict_stale.version and old.remembered_at < now() - stale_after)
    for update skip locked));
end
$$;

-- Caches a page that was just made, if the request came before, up to the setting `page_memory_megabytes`. (Pages are evicted after ten
-- minutes, but until then a caller without a quota could fill the disk with pages that nobody else asks for.) Then evicts stale pages, if this page
-- `is_last` to be cached in its transaction.
create or replace function funding.cache_page(
  dataset text, request_key text, version bigint, came_before boolean, listed funding.listed_page, is_last boolean) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- Size of a page of a hundred long records; a larger one is not worth its memory.
  most_characters constant integer := 400000;
  most_bytes constant bigint := funding.setting('page_memory_megabytes')::bigint * 1048576;
begin
  if not funding.may_write() then
    return;
  end if;
  if pg_table_size('funding.pages') < most_bytes and funding.may_cache(dataset, request_key) then
    insert into funding.pages as cached (dataset, request_key, version, page, next, total)
    values (cache_page.dataset, cache_page.request_key, cache_page.version,
            case when came_before and length(listed.page::text) <= most_characters then listed.page end, listed.next, listed.total)
    on conflict on constraint pages_pkey do update
      set version = excluded.version, page = excluded.page, next = excluded.next, total = excluded.total, remembered_at = excluded.remembered_at
      where cached.version < excluded.version or cached.page is null;
  end if;
  if is_last then
    -- By the version of this dataset alone: that of a list of similar records counts all datasets, and would make the others' pages look old.
    perform funding.evict_stale(dataset, funding.page_version(dataset));
  end if;
end
$$;
