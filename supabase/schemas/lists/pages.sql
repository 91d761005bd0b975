-- Pages of lists and of ranked searches.

-- Records of a page of a list, and one more where another page follows, by an index in the order of the list or of its filter. Each record is read
-- (`xmin` is in no index). Where an index has every column of the query, the planner would otherwise sort the whole list instead of going through it
-- in its order. That takes 70 ms in place of 20 for a page at 10,000. Of an order by several keys, the index of the first gives the records in its
-- order, and those with the same are sorted by the others. A part after the cursor is read where those before it do not fill the page.
create or replace function funding.page_by_index(dataset text, request funding.list_request) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  sort_order constant text := funding.sort_order((request.list_order).sort_by, (request.list_order).direction);
  condition constant text := funding.predicate(dataset, request.filter);
  page_offset constant bigint := (request.page).page_offset;
  -- One record more than the page has, to know whether another page follows. The records of the offset may be in several parts.
  last_position constant bigint := (request.page).page_size + 1 + page_offset;
  after_this text;
  more uuid[];
  ids uuid[] := '{}';
begin
  if (request.page).after_cursor is null then
    execute format('select array(select record.id from funding.%I as record where (%s) and record.xmin is not null order by %s limit $2 offset $3)',
      dataset, condition, sort_order)
    into ids using request.filter, last_position - page_offset, page_offset;
    return ids;
  end if;
  foreach after_this in array funding.after_cursor((request.page).after_cursor) loop
    execute format('select array(select record.id from funding.%I as record where (%s) and %s and record.xmin is not null order by %s limit $3)',
      dataset, condition, after_this, sort_order)
    into more using request.filter, (request.page).after_cursor, last_position - cardinality(ids);
    ids := ids || more;
    exit when cardinality(ids) = last_position;
  end loop;
  return ids[page_offset + 1:];
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
  -- The functions of pages know the keys of single orders.
  if listed.next is not null and strpos(sort_by, ',') > 0 then
    execute format('select json_build_object(''sort_by'', $1, ''order'', $2, ''key'', %s, ''id'', record.id) from funding.%I as record where id = $3',
      funding.cursor_key(sort_by), dataset)
    into listed.next using sort_by, direction, ids[page_size];
  end if;
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
    case when after_cursor is null then 'true' else '(' || array_to_string(funding.after_cursor(after_cursor), ') or (') || ')' end,
    funding.cursor_key(sort_by), sort_by, direction)
  into listed
  using ids, after_cursor, page_size, first_position - 1, scores;
  return listed;
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
    listed.total := coalesce(listed.total, funding.total(dataset, request.filter, false));
  else
    listed := funding.ranked_page(dataset, request, mode, query_vector);
  end if;
  perform funding.cache_page(dataset, key, current_version, coalesce(known.version = current_version, false), listed, true);
  return listed;
end
$$;
