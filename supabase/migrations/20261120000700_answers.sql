-- Records as the API shows them, and the RPCs that the edge calls.

-- A JSON object with one more member at its end. (jsonb would reorder the members.)
create function funding.with_member(body json, name text, value json) returns json
language sql immutable parallel safe as $$
  select (left(body::text, -1) || ', ' || to_json(name)::text || ' : ' || value::text || '}')::json
$$;

-- RFC 3339 in UTC with milliseconds, whatever the session's time zone and date style.
create function funding.moment(at timestamptz) returns text
language sql immutable parallel safe as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

create function funding.iso_date(day date) returns text
language sql immutable parallel safe as $$
  select to_char(day, 'YYYY-MM-DD')
$$;

-- A record as the API shows it, as SQL: a query of one column, `body`, that reads the row named `record`. (Text
-- in the statement rather than a function of the record, which would be called for each: twice as fast.)
create function funding.shown(dataset text) returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then $f$
      select to_json(shown) as body
      from (select record.id, record.name, record.summary, record.website, funding.moment(record.created_at) as created_at) as shown
    $f$
    else format($o$
      select case record.classification when 'awarded_project' then to_json(awarded) else to_json(shown) end as body
      from (
        select record.id, record.title, record.description, record.amount_min, record.amount_max,
               funding.iso_date(record.deadline_date) as deadline_date, record.status, record.geography, %s
               record.funder_id, (select funders.name from funding.funders where funders.id = record.funder_id) as funder_name,
               %s funding.moment(record.created_at) as created_at, record.categories
      ) as shown
      cross join lateral (select shown.*, funding.iso_date(record.project_end_date) as project_end_date) as awarded
    $o$,
      case dataset when 'contracts' then 'record.document_url, record.listing_url, record.naics, record.primary_contact_email, record.set_aside_code,' else '' end,
      case dataset when 'contracts' then '' else 'record.listing_url,' end)
  end
$$;

-- A page of a list in the order of one of its fields.
create function funding.field_page(dataset text, parameters jsonb, sort_by text, direction text) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  page json;
begin
  execute format($page$
    select coalesce(json_agg(shown.body), '[]')
    from (
      select record.* from funding.%I as record
      where %s
      order by %s
      limit $2 offset $3
    ) as record
    cross join lateral (%s) as shown
  $page$, dataset, funding.predicate(dataset, parameters), funding.sort_order(sort_by, direction), funding.shown(dataset))
  into page
  using parameters, (parameters->>'limit')::bigint, (parameters->>'offset')::bigint;
  return page;
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
  -- How many records a ranked search found; null for a list, whose total is remembered for all of its pages.
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
language sql stable
set search_path = funding, extensions, pg_temp as $$
  select sum(data_versions.version)::bigint from funding.data_versions
  where data_versions.dataset in (page_version.dataset, 'funders', 'search')
$$;

-- Remembers a page that was just made, if the request came before.
create function funding.remember_page(
  dataset text, request_key text, version bigint, came_before boolean, page json, total bigint default null) returns void
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- What a page of a hundred long records comes to; more is not worth its place.
  most_characters constant integer := 400000;
begin
  insert into funding.pages as remembered (dataset, request_key, version, page, total)
  values (remember_page.dataset, remember_page.request_key, remember_page.version,
          case when came_before and length(remember_page.page::text) <= most_characters then remember_page.page end, remember_page.total)
  on conflict on constraint pages_pkey do update
    set version = excluded.version, page = excluded.page, total = excluded.total, remembered_at = excluded.remembered_at
    where remembered.version < excluded.version or remembered.page is null;
  -- Each page takes two old ones with it, so the table stays the size of what some minutes' requests repeat.
  delete from funding.pages
  where ctid = any (array(
    select stale.ctid from funding.pages as stale
    where stale.dataset = remember_page.dataset and stale.version < remember_page.version
       or stale.remembered_at < now() - interval '10 minutes'
    limit 2
    for update skip locked));
end
$$;

-- A page of a list in the order of one of its fields, from memory when the data has not moved since.
create function funding.remembered_page(dataset text, parameters jsonb, sort_by text, direction text) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  key text := md5(parameters::text);
  current_version bigint := funding.page_version(dataset);
  known funding.pages;
  answer json;
begin
  select * into known from funding.pages
  where pages.dataset = remembered_page.dataset and pages.request_key = key and pages.version = current_version;
  if known.page is not null then
    return known.page;
  end if;
  answer := funding.field_page(dataset, parameters, sort_by, direction);
  perform funding.remember_page(dataset, key, current_version, known.version is not null, answer);
  return answer;
end
$$;

-- A page of a ranked search, each record with its relevance_score, and the search's total.
create function funding.ranked_page(
  dataset text, parameters jsonb, mode text, query_vector extensions.halfvec, sort_by text, direction text,
  out page json, out total bigint)
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  execute format($page$
    with found as materialized (
      select ranked.id, ranked.score from funding.ranked($2, $1, $3, $6) as ranked
    ), listed as materialized (
      select found.id, found.score, row_number() over (order by %3$s) as position
      from found %4$s
      order by position
      limit $4 offset $5
    )
    select (select coalesce(json_agg(
              funding.with_member(shown.body, 'relevance_score', to_json(listed.score))
              order by listed.position), '[]')
            from listed join funding.%1$I as record using (id)
            cross join lateral (%2$s) as shown),
           (select count(*) from found)
  $page$, dataset, funding.shown(dataset),
    case sort_by
      when 'relevance' then format('found.score %s, found.id asc', direction)
      else funding.sort_order(sort_by, direction)
    end,
    -- Only another order than the ranking's own needs the records themselves.
    case sort_by when 'relevance' then '' else format('join funding.%I as record using (id)', dataset) end)
  into page, total
  using parameters, dataset, mode, (parameters->>'limit')::bigint, (parameters->>'offset')::bigint, query_vector;
end
$$;

-- A page of a ranked search and its total, from memory when neither data nor ranking has moved since.
create function funding.remembered_ranking(
  dataset text, parameters jsonb, mode text, query_vector extensions.halfvec, sort_by text, direction text,
  out page json, out total bigint)
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  -- The mode may be another than was asked for, while there are no vectors.
  key text := md5(mode || parameters::text);
  current_version bigint := funding.page_version(dataset);
  known funding.pages;
begin
  select * into known from funding.pages
  where pages.dataset = remembered_ranking.dataset and pages.request_key = key and pages.version = current_version;
  if known.page is not null then
    page := known.page;
    total := known.total;
    return;
  end if;
  select ranked.page, ranked.total into page, total
  from funding.ranked_page(dataset, parameters, mode, query_vector, sort_by, direction) as ranked;
  perform funding.remember_page(dataset, key, current_version, known.version is not null, page, total);
end
$$;

-- The answer to a list request: { results, total, sort_by, order, search_mode, data_as_of }, or
-- { total } with count_only, or { wanted_embedding } when the query's vector has to be got first.
create function funding.list(dataset text, parameters jsonb, query_vector jsonb default null) returns json
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  asked_mode text := coalesce(parameters->>'search_mode', 'keyword');
  mode text := asked_mode;
  sort_by text := coalesce(parameters->>'sort_by',
    case when asked_mode <> 'keyword' then 'relevance' when dataset = 'funders' then 'name' else 'created_at' end);
  direction text := coalesce(parameters->>'order',
    case when sort_by = 'relevance' then 'desc' when dataset = 'funders' then 'asc' else 'desc' end);
  counting boolean := coalesce((parameters->>'count_only')::boolean, false);
  meaning funding.query_meaning;
  page json;
  matches bigint;
begin
  -- The direction becomes part of a statement.
  if direction not in ('asc', 'desc') then
    raise exception 'no such direction: %', direction;
  end if;
  if asked_mode = 'keyword' and sort_by <> 'relevance' then
    matches := funding.total(dataset, parameters);
    if not counting then
      page := funding.remembered_page(dataset, parameters, sort_by, direction);
    end if;
  else
    if asked_mode <> 'keyword' then
      meaning := funding.meaning_of(parameters->>'search', query_vector);
    end if;
    if meaning.wanted is not null then
      return json_build_object('wanted_embedding', meaning.wanted);
    end if;
    mode := case
      when meaning.is_missing then funding.mode_without_vectors(asked_mode, 'the query has no vector')
      else funding.available_mode(dataset, asked_mode)
    end;
    select ranked.page, ranked.total into page, matches
    from funding.remembered_ranking(dataset, parameters, mode, meaning.vector, sort_by, direction) as ranked;
  end if;

  if counting then
    return json_build_object('total', matches);
  end if;
  return json_build_object(
    'results', page, 'total', matches, 'sort_by', sort_by, 'order', direction, 'search_mode', mode,
    'data_as_of', funding.moment(funding.data_as_of(dataset)));
end
$$;

create function funding.single(dataset text, record_id uuid) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  found_record json;
begin
  execute format('select shown.body from funding.%I as record cross join lateral (%s) as shown where record.id = $1',
    dataset, funding.shown(dataset))
  into found_record using record_id;
  return found_record;
end
$$;

-- What every RPC returns: who was admitted, and the answer.
create function funding.answer(admitted funding.admission, body json) returns json
language sql immutable as $$
  select json_build_object(
    'admission', json_build_object(
      'api_key_id', admitted.api_key_id,
      'daily_quota', admitted.daily_quota,
      'remaining', admitted.remaining),
    'body', body)
$$;

-- Admits and counts a request that needs no data, such as one whose parameters are wrong.
create function public.admit_request(key_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  return funding.answer(funding.admit(key_hash), null);
end
$$;

-- Takes back the count of a request that failed on our side after the RPC that counted it.
create function public.withdraw_request(key_hash text) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  admitted funding.admission := funding.admit(key_hash, true);
begin
  update funding.daily_quota as quota set used = quota.used - 1
  where quota.account_id = admitted.account_id and quota.day = (now() at time zone 'UTC')::date and quota.used > 0;
  return funding.answer(funding.admit(key_hash, true), null);
end
$$;

-- A list and a single-record RPC for each dataset: list_grants, get_grant and so on. Single-record RPCs
-- answer a null body for an id that no record has. `query_vector` is what `funding.meaning_of` says.
do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($create$
      create function public.list_%1$s(key_hash text, parameters jsonb, query_vector jsonb default null) returns json
      language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $body$
      declare
        admitted funding.admission := funding.admit(key_hash, funding.is_second_call(query_vector));
      begin
        return funding.answer(admitted, funding.list(%1$L, parameters, query_vector));
      end
      $body$;

      create function public.get_%2$s(key_hash text, id uuid) returns json
      language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $body$
      declare
        admitted funding.admission := funding.admit(key_hash);
      begin
        return funding.answer(admitted, funding.single(%1$L, id));
      end
      $body$;
    $create$, dataset, rtrim(dataset, 's'));
  end loop;
end
$$;

-- The opportunities nearest in meaning, over one dataset or both: { results, search_mode, data_as_of }, or
-- { wanted_embedding } when the query's vector has to be got first.
create function public.semantic_search(
  key_hash text, query text, datasets text[], maximum integer, query_vector jsonb default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  admitted funding.admission := funding.admit(key_hash, funding.is_second_call(query_vector));
  parameters jsonb := jsonb_build_object('search', query, 'search_mode', 'semantic');
  meaning funding.query_meaning := funding.meaning_of(query, query_vector);
  dataset text;
  results json;
begin
  if meaning.wanted is not null then
    return funding.answer(admitted, json_build_object('wanted_embedding', meaning.wanted));
  end if;
  if meaning.is_missing then
    perform funding.mode_without_vectors('semantic', 'the query has no vector');
  end if;
  foreach dataset in array datasets loop
    perform funding.available_mode(dataset, 'semantic');
  end loop;
  with found as (
    select asked.dataset, ranked.id, ranked.score
    from unnest(datasets) as asked(dataset), funding.ranked(asked.dataset, parameters, 'semantic', meaning.vector) as ranked
    order by ranked.score desc, ranked.id
    limit maximum
  )
  select coalesce(json_agg(
    funding.with_member(
      funding.with_member(funding.single(found.dataset, found.id), 'type', to_json(found.dataset)),
      'relevance_score', to_json(found.score))
    order by found.score desc, found.id), '[]')
  into results from found;
  return funding.answer(admitted, json_build_object(
    'results', results,
    'search_mode', 'semantic',
    -- As fresh as the staler of them.
    'data_as_of', (select funding.moment(min(funding.data_as_of(asked.dataset))) from unnest(datasets) as asked(dataset))));
end
$$;

do $$
declare
  rpc text;
begin
  foreach rpc in array array[
    'admit_request(text)', 'withdraw_request(text)',
    'list_grants(text, jsonb, jsonb)', 'list_contracts(text, jsonb, jsonb)', 'list_funders(text, jsonb, jsonb)',
    'get_grant(text, uuid)', 'get_contract(text, uuid)', 'get_funder(text, uuid)',
    'semantic_search(text, text, text[], integer, jsonb)'
  ] loop
    execute format('revoke execute on function public.%s from public, anon, authenticated', rpc);
    execute format('grant execute on function public.%s to service_role', rpc);
  end loop;
end
$$;
revoke execute on all functions in schema funding from public;
