-- Request log: an account's latest requests, one by one.

-- Writes the requests of a batch of usage into the log: each item of `events` may have `lines`, its requests one by one: { request_id, at, method,
-- duration_ms, problem, detail, errors, head, parameters, searches }. Of each account, the first answered requests of an hour are kept, and as many failed ones, so
-- that a flood of answers hides no failure. All accounts together have a maximum. Beyond it each account still has its first requests, a
-- five-hundredth of the maximum, so that busy accounts leave something for the others. The last statement of `record_usage`, and in the order of
-- accounts, so that two batches cannot deadlock.
create or replace function funding.log_requests(events jsonb) returns void
language plpgsql as $$
declare
  present constant timestamptz := funding.latest_now();
  -- A time from a clock that is far behind must not make a request too old to be kept.
  earliest constant timestamptz := funding.bounded_now() - interval '1 day';
  this_hour constant timestamptz := date_trunc('hour', present, 'UTC');
  maximum constant bigint := funding.setting('request_log_account_maximum')::bigint;
  overall constant bigint := funding.setting('request_log_maximum')::bigint;
  guaranteed constant bigint := overall / 500;
  room bigint;
begin
  if maximum = 0 then
    return;
  end if;
  select overall - coalesce(sum(least(known.answered, maximum) + least(known.failed, maximum)), 0)
  into room from funding.request_log_counts as known where known.hour = this_hour;

  with line as materialized (
    select api_key.account_id, api_key.id as api_key_id, api_key.name as key_name, account.keeps_search_text, event.endpoint, event.status,
           greatest(least(item.at, present), earliest) as at, item.request_id, item.method, item.duration_ms, item.problem, item.detail, item.errors, item.head, item.parameters, item.searches,
           row_number() over of_kind as position,
           count(*) over (partition by api_key.account_id, event.status >= 400) as in_batch
    from jsonb_to_recordset(events) as event(api_key_id uuid, key_hash text, endpoint text, status smallint, lines jsonb)
    join funding.api_keys as api_key on api_key.id = event.api_key_id or api_key.key_hash = event.key_hash
    join funding.accounts as account on account.id = api_key.account_id
    cross join lateral jsonb_to_recordset(event.lines) as item(
      request_id text, at timestamptz, method text, duration_ms real, problem text, detail text, errors jsonb, head jsonb, parameters jsonb, searches jsonb)
    window of_kind as (partition by api_key.account_id, event.status >= 400 order by item.at)
  ), counted as (
    insert into funding.request_log_counts as known (hour, account_id, answered, failed)
    select this_hour, line.account_id, count(*) filter (where line.status < 400), count(*) filter (where line.status >= 400)
    from line group by line.account_id order by line.account_id
    on conflict on constraint request_log_counts_pkey do update
      set answered = known.answered + excluded.answered, failed = known.failed + excluded.failed
    returning known.account_id, known.answered, known.failed
  ), placed as (
    -- Number of the request among the account's requests of this hour and kind: the number in earlier batches, and its place in this one.
    select line.*, case when line.status >= 400 then counted.failed else counted.answered end - line.in_batch + line.position as in_hour
    from line join counted on counted.account_id = line.account_id
  ), ranked as (
    select placed.*, row_number() over (order by placed.status >= 400 desc, placed.at) as in_room
    from placed where placed.in_hour <= maximum
  )
  insert into funding.request_log
    (account_id, at, request_id, api_key_id, key_name, method, endpoint, status, duration_ms, problem, detail, errors, head, parameters, searches)
  select ranked.account_id, ranked.at, ranked.request_id, ranked.api_key_id, ranked.key_name, ranked.method, ranked.endpoint, ranked.status,
         ranked.duration_ms, ranked.problem, ranked.detail, ranked.errors, ranked.head, coalesce(ranked.parameters, '{}'),
         case when ranked.keeps_search_text then coalesce(ranked.searches, '{}') else funding.search_lengths(ranked.searches) end
  from ranked where ranked.in_room <= room or ranked.in_hour <= guaranteed;
end
$$;

-- Searches by name with the number of characters in place of each text.
create or replace function funding.search_lengths(searches jsonb) returns jsonb
language sql immutable as $$
  select coalesce(jsonb_object_agg(item.key, case jsonb_typeof(item.value)
    when 'string' then to_jsonb(length(item.value #>> '{}')) else item.value end), '{}')
  from jsonb_each(coalesce(searches, '{}')) as item
$$;

-- A request as its account sees it. Stored texts are left out once the account does not keep texts any more.
create or replace function funding.request_body(request funding.request_log) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'request_id', request.request_id,
    'at', funding.moment(request.at),
    'key', jsonb_build_object('id', request.api_key_id, 'name', coalesce(
      (select api_key.name from funding.api_keys as api_key where api_key.id = request.api_key_id), request.key_name)),
    'method', request.method,
    'endpoint', request.endpoint,
    'status', request.status,
    'duration_ms', round(request.duration_ms::numeric, 2),
    'problem', case when request.problem is not null then
      jsonb_build_object('name', request.problem, 'detail', coalesce(request.detail, ''), 'errors', coalesce(request.errors, '[]')) end,
    'head', coalesce(request.head, '{}'),
    'parameters', request.parameters || coalesce((
      select jsonb_object_agg(item.key, item.value)
      from jsonb_each(request.searches) as item
      where account.keeps_search_text and jsonb_typeof(item.value) = 'string'), '{}'),
    'withheld', coalesce((
      select jsonb_object_agg(item.key, item.value)
      from jsonb_each(funding.search_lengths(request.searches)) as item
      where not (account.keeps_search_text and jsonb_typeof(request.searches -> item.key) = 'string')), '{}'))
  from (select coalesce(
    (select accounts.keeps_search_text from funding.accounts where accounts.id = request.account_id), false) as keeps_search_text) as account
$$;

-- The account's requests, newest first: { requests, next }, with `next` as the `page` of the next call, or null. `filter` may have request_id,
-- status_class (2 to 5), endpoint, key_id, since, until, page: { at, id } and limit.
create or replace function public.list_account_requests(user_id uuid, session_id uuid, filter jsonb) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(list_account_requests.user_id, list_account_requests.session_id);
  page_size constant integer := least(coalesce((filter->>'limit')::integer, 50), 100);
  result json;
begin
  with found as (
    select logged, logged.at, logged.id
    from funding.request_log as logged
    where logged.account_id = own_id
      and (not filter ? 'request_id' or logged.request_id = filter->>'request_id')
      and (not filter ? 'status_class' or logged.status / 100 = (filter->>'status_class')::integer)
      and (not filter ? 'endpoint' or logged.endpoint = filter->>'endpoint')
      and (not filter ? 'key_id' or logged.api_key_id = (filter->>'key_id')::uuid)
      and (not filter ? 'since' or logged.at >= (filter->>'since')::timestamptz)
      and (not filter ? 'until' or logged.at < (filter->>'until')::timestamptz)
      and (not filter ? 'page' or (logged.at, logged.id) < ((filter->'page'->>'at')::timestamptz, (filter->'page'->>'id')::bigint))
    order by logged.at desc, logged.id desc
    limit page_size + 1
  ), numbered as (
    select found.*, row_number() over (order by found.at desc, found.id desc) as position from found
  )
  select json_build_object(
    'requests', coalesce(json_agg(funding.request_body(numbered.logged) order by numbered.position)
      filter (where numbered.position <= page_size), '[]'),
    'next', case when count(*) > page_size then
      (select json_build_object('at', to_char(last.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'id', last.id::text) from numbered as last where last.position = page_size) end)
  into result from numbered;
  return result;
end
$$;

-- The account's latest request with this id, or PT404. A client may send an id of its own more than once.
create or replace function public.get_account_request(user_id uuid, session_id uuid, request_id text) returns json
language plpgsql security definer set search_path = funding, pg_temp set statement_timeout = '5s' as $$
declare
  own_id constant uuid := funding.account_of(get_account_request.user_id, get_account_request.session_id);
  found_request funding.request_log;
begin
  select * into found_request from funding.request_log as logged
  where logged.account_id = own_id and logged.request_id = get_account_request.request_id
  order by logged.at desc, logged.id desc limit 1;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no request %s', get_account_request.request_id);
  end if;
  return funding.request_body(found_request);
end
$$;
