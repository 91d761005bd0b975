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

-- Number of records that match a filter: by the bitmaps or, where these cannot answer the filter, one by one.
create or replace function funding.total(dataset text, filter jsonb) returns bigint
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  counted bigint := funding.bitmap_total(dataset, filter);
begin
  if counted is null then
    execute format('select count(*) from funding.%I as record where %s', dataset, funding.predicate(dataset, filter)) into counted using filter;
  end if;
  return counted;
end
$$;
