-- Pages of lists and of ranked searches, and their cache.

-- Records of a page of a list, and one more where another page follows, by an index in the order of the list or of its filter. Each record is read
-- (`xmin` is in no index). Where an index has every column of the query, the planner would otherwise sort the whole list instead of going through it
-- in its order. That takes 70 ms in place of 20 for a page at 10,000.
create or replace function funding.page_by_index(dataset text, request funding.list_request) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  sort_order constant text := funding.sort_order((request.list_order).sort_by, (request.list_order).direction);
  condition constant text := funding.predicate(dataset, request.filter);
  after constant text[] := case when (request.page).after_cursor is null then array['true'] else funding.after_cursor((request.page).after_cursor) end;
  -- One record more than the page has, to know whether another page follows. The records of the offset may be in both parts.
  part constant text := '(select %s as part, record.* from funding.%I as record where (%s) and %s and record.xmin is not null order by %s %s)';
  ids uuid[];
begin
  execute case cardinality(after)
    when 1 then format('select array(select record.id from funding.%I as record where (%s) and %s and record.xmin is not null order by %s limit $3 + 1 offset $4)',
      dataset, condition, after[1], sort_order)
    else format('select array(select record.id from (%s union all %s) as record order by part, %s limit $3 + 1 offset $4)',
      format(part, 1, dataset, condition, after[1], sort_order, 'limit $3 + 1 + $4'),
      format(part, 2, dataset, condition, after[2], sort_order, 'limit $3 + 1 + $4'),
      sort_order)
  end
  into ids using request.filter, (request.page).after_cursor, (request.page).page_size, (request.page).page_offset;
  return ids;
end
$$;

-- Page of a list in the order of one of its fields. Its total is null where the total has to be counted.
create or replace function funding.field_page(dataset text, request funding.list_request) returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  page constant funding.found_page := funding.bitmap_page(dataset, request);
  ids constant uuid[] := coalesce(page.ids, funding.page_by_index(dataset, request));
  page_size constant bigint := (request.page).page_size;
  sort_by constant text := (request.list_order).sort_by;
  direction constant text := (request.list_order).direction;
  listed funding.listed_page := case dataset
    when 'grants' then funding.grants_listed(ids, page_size, sort_by, direction)
    when 'contracts' then funding.contracts_listed(ids, page_size, sort_by, direction)
    else funding.funders_listed(ids, page_size, sort_by, direction)
  end;
begin
  listed.total := page.total;
  return listed;
end
$$;

-- Page of a ranked search, each record with its relevance_score.
create or replace function funding.ranked_page(
  dataset text, request funding.list_request, mode text, query_vector extensions.halfvec)
returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  sort_by constant text := (request.list_order).sort_by;
  direction constant text := (request.list_order).direction;
  after_cursor constant jsonb := (request.page).after_cursor;
  page_size constant bigint := (request.page).page_size;
  first_position constant bigint := (request.page).page_offset + 1;
  last_position constant bigint := (request.page).page_offset + page_size;
  ids uuid[];
  scores double precision[];
  listed funding.listed_page;
  is_own_order boolean := sort_by = 'relevance' and direction = 'desc' and after_cursor is null;
begin
  select array_agg(ranked.id), array_agg(ranked.score), max(ranked.total) into ids, scores, listed.total
  from funding.ranked(dataset, request.filter, mode, query_vector, case when is_own_order then last_position end) as ranked;

  -- In the ranking's own order, a page is a part of it.
  if is_own_order then
    listed.total := coalesce(listed.total, 0);
    if listed.total > last_position then
      listed.next := json_build_object('sort_by', sort_by, 'order', direction, 'key', scores[last_position], 'id', ids[last_position]);
    end if;
    ids := ids[first_position:last_position];
    scores := scores[first_position:last_position];
    listed.page := case dataset
      when 'grants' then funding.grants_scored(ids, scores)
      when 'contracts' then funding.contracts_scored(ids, scores)
      else funding.funders_scored(ids, scores)
    end;
    return listed;
  end if;

  execute format($page$
    with found as materialized (
      select id, score from unnest($1, $5) as found(id, score)
    ), listed as materialized (
      select found.id, found.score, row_number() over (order by %3$s) as position, count(*) over () as following
      from found %4$s
      where %5$s
      order by position
      limit $3 offset $4
    )
    select coalesce(json_agg(rendered.body order by found.position), '[]'),
           (array_agg(json_build_object('sort_by', %7$L, 'order', %8$L, 'key', %6$s, 'id', record.id) order by found.position desc) filter (where found.following > $3 + $4))[1],
           (select count(*) from found)
    from listed as found join funding.%1$I as record using (id)
    cross join lateral (%2$s) as rendered
  $page$, dataset, funding.record_query(dataset, ', found.score as relevance_score'), funding.sort_order(sort_by, direction),
    -- Only another order than the ranking's own needs the records themselves.
    case sort_by when 'relevance' then '' else format('join funding.%I as record using (id)', dataset) end,
    case when after_cursor is null then 'true' else array_to_string(funding.after_cursor(after_cursor), ' or ') end,
    funding.cursor_key(sort_by), sort_by, direction)
  into listed
  using ids, after_cursor, page_size, first_position - 1, scores;
  return listed;
end
$$;

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

-- Page of a list, from the cache while neither the data nor the ranking has changed. Without a `mode` it is a list in the order of a field, else a
-- ranked search. `current_version` is `funding.page_version`.
create or replace function funding.cached_page(
  dataset text, request funding.list_request, mode text, query_vector extensions.halfvec, current_version bigint)
returns funding.listed_page
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- While there are no vectors, the mode may be another than the request's.
  key text := md5(coalesce(mode, '') || request::text);
  known funding.pages;
  listed funding.listed_page;
begin
  -- Looked up by the primary key alone: an index on versions looks as good to the planner, and is not.
  if funding.has_caches() then
    select * into known from funding.pages where pages.dataset = cached_page.dataset and pages.request_key = key;
  end if;
  if known.version = current_version and known.page is not null then
    return (known.page, known.next, known.total);
  end if;
  if mode is null then
    listed := funding.field_page(dataset, request);
    listed.total := coalesce(listed.total, funding.total(dataset, request.filter));
  else
    listed := funding.ranked_page(dataset, request, mode, query_vector);
  end if;
  perform funding.cache_page(dataset, key, current_version, coalesce(known.version = current_version, false), listed, true);
  return listed;
end
$$;
