-- Totals of lists: from the bitmap index, or counted one by one.

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

-- Number of records that match a filter: by the bitmaps or, where these cannot answer the filter, one by one, and then cached beside the pages.
-- `is_last` is that of `funding.cache_page`.
create or replace function funding.total(dataset text, filter jsonb, is_last boolean default true) returns bigint
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  counted bigint := funding.bitmap_total(dataset, filter);
  key constant text := md5('total ' || filter::text);
  current_version bigint;
  known funding.pages;
begin
  if counted is not null then
    return counted;
  end if;
  current_version := funding.page_version(dataset);
  if funding.has_caches() then
    select * into known from funding.pages where pages.dataset = total.dataset and pages.request_key = key;
  end if;
  if known.version = current_version then
    return known.total;
  end if;
  execute format('select count(*) from funding.%I as record where %s', dataset, funding.predicate(dataset, filter)) into counted using filter;
  perform funding.cache_page(dataset, key, current_version, false, (null, null, counted)::funding.listed_page, is_last);
  return counted;
end
$$;
