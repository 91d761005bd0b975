-- Records as the API shows them, and pages of them: of a list, of a ranked search, and from memory.
--
-- What every request calls is in PL/pgSQL, which keeps its plans: an SQL function that cannot be inlined is planned for
-- each request, and together these took as long as the rest of a remembered list.

-- A JSON object with one more member at its end. (jsonb would reorder the members.)
create function funding.with_member(body json, name text, value json) returns json
language sql immutable parallel safe as $$
  select (left(body::text, -1) || ', ' || to_json(name)::text || ' : ' || value::text || '}')::json
$$;

-- RFC 3339 in UTC with milliseconds, whatever the session's time zone and date style.
create function funding.moment(at timestamptz) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end
$$;

create function funding.iso_date(day date) returns text
language plpgsql immutable parallel safe as $$
begin
  return to_char(day, 'YYYY-MM-DD');
end
$$;

-- A record as the API shows it, as SQL: a query of one column, `body`, that reads the row named `record`. `further` is
-- what else it is to show, as `, EXPRESSION as NAME`. (Text in the statement rather than a function of the record, which
-- would be called for each: twice as fast.)
create function funding.shown(dataset text, further text default '') returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then format($f$
      select to_json(shown) as body
      from (select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at %s) as shown
    $f$, further)
    else format($o$
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(listed) end as body
      from (
        select record.id, record.title, record.description, record.amount_min, record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography, %s
               record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               %s funding.moment(record.created_at) as created_at, record.categories
      ) as shown
      cross join lateral (select shown.* %s) as listed
      cross join lateral (select shown.*, funding.iso_date(record.project_end_date) as project_end_date %s) as awarded
    $o$,
      case dataset when 'contracts' then 'record.document_url, record.listing_url, record.naics, record.primary_contact_email, record.set_aside_code,' else '' end,
      case dataset when 'contracts' then '' else 'record.listing_url,' end,
      further, further)
  end
$$;

-- A page of a list: the records as JSON, the cursor that the next page begins after (null at the end), and how many records
-- the list has or, where it is a ranked search, that found.
create type funding.listed_page as (page json, next json, total bigint);

-- GRANTS_listed and so on: a page of the records that have the ids, in their order. One more than the page has says that another
-- follows.
do $do$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($create$
      create function funding.%1$s_listed(ids uuid[], page_size bigint, sort_by text, direction text) returns funding.listed_page
      language plpgsql stable set plan_cache_mode = force_generic_plan as $body$
      declare
        answer funding.listed_page;
      begin
        answer.page := (
          select coalesce(json_agg(shown.body order by found.place), '[]')
          from unnest(ids[:page_size]) with ordinality as found(id, place)
          join funding.%1$I as record using (id)
          cross join lateral (%2$s) as shown);
        if cardinality(ids) > page_size then
          answer.next := (
            select json_build_object('sort_by', sort_by, 'order', direction, 'key', case sort_by %3$s end, 'id', record.id)
            from funding.%1$I as record where record.id = ids[page_size]);
        end if;
        return answer;
      end
      $body$
    $create$, dataset, funding.shown(dataset), (
      select string_agg(format('when %L then to_json(%s)', sort_by, funding.cursor_key(sort_by)), ' ')
      from unnest(case dataset when 'funders' then array['name', 'created_at']
        else array['created_at', 'deadline_date', 'amount_min', 'amount_max', 'title'] end) as sort_by));
  end loop;
end
$do$;

-- The records of a page of a list, and one more where another follows, by an index in the order of the list or of its filter. Each is
-- looked at (`xmin` is in no index): where an index has all that is asked for, the planner would rather sort everything that is
-- listed than go through a list in its order, which takes 70 ms in place of 20 for a page at 10,000.
create function funding.page_by_index(dataset text, parameters jsonb, sort_by text, direction text) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  sort_order constant text := funding.sort_order(sort_by, direction);
  after constant text[] := case when parameters ? 'cursor' then funding.after_cursor(parameters->'cursor') else array['true'] end;
  -- One more than the page has, to know whether there is a next one. What is passed over may be in both parts.
  part constant text := '(select %s as part, record.* from funding.%I as record where (%s) and %s and record.xmin is not null order by %s %s)';
  ids uuid[];
begin
  execute case cardinality(after)
    when 1 then format('select array(select record.id from funding.%I as record where (%s) and %s and record.xmin is not null order by %s limit $2 + 1 offset $3)',
      dataset, funding.predicate(dataset, parameters), after[1], sort_order)
    else format('select array(select record.id from (%s union all %s) as record order by part, %s limit $2 + 1 offset $3)',
      format(part, 1, dataset, funding.predicate(dataset, parameters), after[1], sort_order, 'limit $2 + 1 + $3'),
      format(part, 2, dataset, funding.predicate(dataset, parameters), after[2], sort_order, 'limit $2 + 1 + $3'),
      sort_order)
  end
  into ids using parameters, (parameters->>'limit')::bigint, (parameters->>'offset')::bigint;
  return ids;
end
$$;

-- A page of a list in the order of one of its fields. Its total is null where that has to be counted.
create function funding.field_page(dataset text, parameters jsonb, sort_by text, direction text) returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  page constant funding.found_page := funding.bitmap_page(dataset, parameters, sort_by, direction);
  ids constant uuid[] := coalesce(page.ids, funding.page_by_index(dataset, parameters, sort_by, direction));
  page_size constant bigint := (parameters->>'limit')::bigint;
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

-- Pages that were asked for more than once, remembered like totals: per request and data version, the funders' too,
-- since records show their names. A page that is asked for once leaves only a note that it was. Losing this table
-- loses nothing, hence unlogged.
create unlogged table funding.pages (
  dataset text not null,
  request_key text not null,
  version bigint not null,
  -- Null until the request comes a second time.
  page json,
  next json,
  total bigint,
  remembered_at timestamptz not null default now(),
  primary key (dataset, request_key)
);
alter table funding.pages enable row level security;
alter table funding.pages alter column page set storage external;
create index pages_version on funding.pages (dataset, version);
create index pages_remembered_at on funding.pages (remembered_at);

-- The version of all that a dataset's pages show. Versions only grow, so their sum is the same only when each is. It
-- has to be read before the records are.
create function funding.page_version(dataset text) returns bigint
language plpgsql stable as $$
begin
  return (
    select sum(data_versions.version)::bigint from funding.data_versions
    where data_versions.dataset in (page_version.dataset, 'funders', 'search'));
end
$$;

-- Remembers a page that was just made, if the request came before.
create function funding.remember_page(
  dataset text, request_key text, version bigint, came_before boolean, listed funding.listed_page) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- What a page of a hundred long records comes to; more is not worth its place.
  most_characters constant integer := 400000;
begin
  insert into funding.pages as remembered (dataset, request_key, version, page, next, total)
  values (remember_page.dataset, remember_page.request_key, remember_page.version,
          case when came_before and length(listed.page::text) <= most_characters then listed.page end, listed.next, listed.total)
  on conflict on constraint pages_pkey do update
    set version = excluded.version, page = excluded.page, next = excluded.next, total = excluded.total, remembered_at = excluded.remembered_at
    where remembered.version < excluded.version or remembered.page is null;
  -- Each page takes up to four old ones with it, so the table stays the size of what some minutes' requests repeat.
  perform funding.forget_stale('pages', dataset, version, interval '10 minutes');
end
$$;

-- GRANTS_scored and so on: records of a dataset as the API shows them, each with its relevance_score, in the order given.
do $do$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format($create$
      create function funding.%1$s_scored(ids uuid[], scores double precision[]) returns json
      language plpgsql stable set plan_cache_mode = force_generic_plan as $body$
      begin
        return (
          select coalesce(json_agg(shown.body order by found.place), '[]')
          from unnest(ids, scores) with ordinality as found(id, score, place)
          join funding.%1$I as record using (id)
          cross join lateral (%2$s) as shown);
      end
      $body$
    $create$, dataset, funding.shown(dataset, ', found.score as relevance_score'));
  end loop;
end
$do$;

-- A page of a ranked search, each record with its relevance_score.
create function funding.ranked_page(
  dataset text, parameters jsonb, mode text, query_vector extensions.halfvec, sort_by text, direction text)
returns funding.listed_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  first_place bigint := (parameters->>'offset')::bigint + 1;
  last_place bigint := (parameters->>'offset')::bigint + (parameters->>'limit')::bigint;
  ids uuid[];
  scores double precision[];
  listed funding.listed_page;
  is_own_order boolean := sort_by = 'relevance' and direction = 'desc' and not parameters ? 'cursor';
begin
  select array_agg(ranked.id), array_agg(ranked.score), max(ranked.total) into ids, scores, listed.total
  from funding.ranked(dataset, parameters, mode, query_vector, case when is_own_order then last_place end) as ranked;

  -- In the ranking's own order, a page is a part of it.
  if is_own_order then
    listed.total := coalesce(listed.total, 0);
    if listed.total > last_place then
      listed.next := json_build_object('sort_by', sort_by, 'order', direction, 'key', scores[last_place], 'id', ids[last_place]);
    end if;
    ids := ids[first_place:last_place];
    scores := scores[first_place:last_place];
    listed.page := case dataset
      when 'grants' then funding.grants_scored(ids, scores)
      when 'contracts' then funding.contracts_scored(ids, scores)
      else funding.funders_scored(ids, scores)
    end;
    return listed;
  end if;

  execute format($page$
    with found as materialized (
      select id, score from unnest($2, $3) as found(id, score)
    ), listed as materialized (
      select found.id, found.score, row_number() over (order by %3$s) as place, count(*) over () as following
      from found %4$s
      where %5$s
      order by place
      limit $4 offset $5
    )
    select coalesce(json_agg(shown.body order by found.place), '[]'),
           (array_agg(json_build_object('sort_by', %7$L, 'order', %8$L, 'key', %6$s, 'id', record.id) order by found.place desc) filter (where found.following > $4 + $5))[1],
           (select count(*) from found)
    from listed as found join funding.%1$I as record using (id)
    cross join lateral (%2$s) as shown
  $page$, dataset, funding.shown(dataset, ', found.score as relevance_score'), funding.sort_order(sort_by, direction),
    -- Only another order than the ranking's own needs the records themselves.
    case sort_by when 'relevance' then '' else format('join funding.%I as record using (id)', dataset) end,
    case when parameters ? 'cursor' then array_to_string(funding.after_cursor(parameters->'cursor'), ' or ') else 'true' end,
    funding.cursor_key(sort_by), sort_by, direction)
  into listed
  using parameters, ids, scores, (parameters->>'limit')::bigint, first_place - 1;
  return listed;
end
$$;

-- A page of a list, from memory when neither data nor ranking has moved since. Without a `mode` it is a list in the
-- order of a field, else a ranked search. `current_version` is what `funding.page_version` says.
create function funding.remembered_page(
  dataset text, parameters jsonb, mode text, query_vector extensions.halfvec, sort_by text, direction text, current_version bigint)
returns funding.listed_page
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- The mode may be another than was asked for, while there are no vectors.
  key text := md5(coalesce(mode, '') || parameters::text);
  known funding.pages;
  listed funding.listed_page;
begin
  -- Looked up by the primary key alone: an index on versions looks as good to the planner, and is not.
  select * into known from funding.pages where pages.dataset = remembered_page.dataset and pages.request_key = key;
  if known.version = current_version and known.page is not null then
    return (known.page, known.next, known.total);
  end if;
  if mode is null then
    listed := funding.field_page(dataset, parameters, sort_by, direction);
    listed.total := coalesce(listed.total, funding.total(dataset, parameters));
  else
    listed := funding.ranked_page(dataset, parameters, mode, query_vector, sort_by, direction);
  end if;
  perform funding.remember_page(dataset, key, current_version, coalesce(known.version = current_version, false), listed);
  return listed;
end
$$;

revoke execute on all functions in schema funding from public;
