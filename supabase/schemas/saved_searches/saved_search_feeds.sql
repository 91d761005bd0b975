-- Feed and calendar of a saved search, for clients that have its secret address.

-- SQL condition that the deadline of `record` is in a saved search's calendar, with $2, today: deadlines of the last thirty days, and all future ones.
-- Archived records are left out, and so are records that their publisher closed before their deadline.
create or replace function funding.calendar_condition() returns text
language sql immutable parallel safe as $$
  select $c$record.deadline_date >= $2 - 30 and record.archived_at is null and (not funding.has_ended(coalesce(record.stated_status, record.status)) or record.deadline_date < $2)$c$
$$;

-- Records of a saved search's feed: the fifty that came or changed last, as a list with `sort_by=updated_at&order=desc` finds them. A list that looks
-- into documents ranks, and would have the best matches alone.
create or replace function funding.saved_search_entries(search funding.saved_searches) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter jsonb;
  listed json;
  entries json;
begin
  if funding.is_in_documents(search.filter) then
    filter := funding.saved_filter(search, funding.wall_clock());
    execute format($entries$
      select coalesce(json_agg(%1$s order by record.updated_at desc, record.id desc), '[]')
      from (select * from funding.%2$I as record where %3$s order by record.updated_at desc, record.id desc limit 50) as record
    $entries$, funding.entry_expression(search.dataset), search.dataset, funding.predicate(search.dataset, filter))
    into entries using filter;
    return entries;
  end if;
  listed := funding.list(search.dataset, search.filter || '{"sort_by": "updated_at", "order": "desc", "limit": 50, "offset": 0}')->'results';
  execute format('select coalesce(json_agg(%s order by record.updated_at desc, record.id desc), ''[]'') from funding.%I as record where record.id = any ($1)',
    funding.entry_expression(search.dataset), search.dataset)
  into entries using array(select (item->>'id')::uuid from json_array_elements(listed) as item);
  return entries;
end
$$;

-- Records of a saved search's calendar, by their deadlines: at most five hundred. The next deadlines go before the last ones that passed. Funders
-- have no deadlines.
create or replace function funding.saved_search_deadlines(search funding.saved_searches, today date) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  filter constant jsonb := funding.saved_filter(search, funding.wall_clock());
  entries json;
begin
  if search.dataset = 'funders' then
    return '[]';
  end if;
  execute format($deadlines$
    with coming as materialized (
      select * from funding.%2$I as record where record.deadline_date >= $2 and %3$s and (%4$s)
      order by record.deadline_date, record.id limit 500
    ), past as (
      select * from funding.%2$I as record where record.deadline_date < $2 and %3$s and (%4$s)
      order by record.deadline_date desc, record.id limit 500 - (select count(*) from coming)
    )
    select coalesce(json_agg(%1$s order by record.deadline_date, record.id), '[]')
    from (select * from coming union all select * from past) as record
  $deadlines$, funding.entry_expression(search.dataset), search.dataset, funding.calendar_condition(), funding.predicate(search.dataset, filter))
  into entries using filter, today;
  return entries;
end
$$;

-- SQL for a record as a feed and a calendar show it, on the row `record`. Descriptions are cut after a thousand characters.
create or replace function funding.entry_expression(dataset text) returns text
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then $f$json_build_object('id', record.id, 'title', record.name, 'description', left(record.summary, 1000), 'url', record.website,
      'funder_name', null, 'deadline_date', null, 'deadline_at', null, 'created_at', funding.moment(record.created_at), 'updated_at', funding.moment(record.updated_at))$f$
    else format($o$json_build_object('id', record.id, 'title', record.title, 'description', left(record.description, 1000), 'url', %s,
      'funder_name', (select funders.name from funding.funders where funders.id = record.funder_id),
      'deadline_date', funding.iso_date(record.deadline_date),
      'deadline_at', case when record.details->'deadline_assumed' is distinct from 'true' then record.details->>'deadline_at' end,
      'created_at', funding.moment(record.created_at), 'updated_at', funding.moment(record.updated_at))$o$,
      case dataset when 'contracts' then 'coalesce(record.listing_url, record.document_url)' else 'record.listing_url' end)
  end
$$;

-- Saved search at a secret address, by its token's hash. PT404 where there is none, PT403 where its account has no API access.
create or replace function funding.search_at_address(token_hash text) returns funding.saved_searches
language plpgsql stable as $$
declare
  search funding.saved_searches;
begin
  select * into search from funding.saved_searches where address_hash = token_hash;
  if not found then
    raise sqlstate 'PT404' using message = 'no saved search has this address';
  end if;
  if not funding.has_webhooks(search.account_id) then
    raise sqlstate 'PT403' using message = 'no api access';
  end if;
  return search;
end
$$;

-- Feed (`kind` = feed) or calendar (calendar) at a secret address, by its token's hash: { search: { id, name, dataset }, entries, tag, last_modified,
-- read_limit }. `entries` is null where the caller has the entries already: `known_tags` has the tag of the caller's copy, or `known_since` is not
-- before the last change. Every read counts against the address's limit of a day, and against no quota. Raises:
--   PT404  no saved search has this address
--   PT403  the account's subscription has no API access
--   PT429  the address was read too often on this UTC day
create or replace function public.read_saved_search(
  token_hash text, kind text, known_tags text[] default null, known_since timestamptz default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' set lock_timeout = '1s' as $$
declare
  search constant funding.saved_searches := funding.search_at_address(read_saved_search.token_hash);
  today constant date := funding.today_in(funding.default_time_zone());
  maximum constant integer := funding.setting('saved_search_reads')::integer;
  -- Read before the records.
  version bigint;
  last_modified timestamptz;
  tag text;
  is_known boolean;
  entries json;
  reads integer;
begin
  if kind is null or kind not in ('feed', 'calendar') then
    raise invalid_parameter_value using message = 'kind is feed or calendar';
  end if;
  if funding.saved_search_reads(search) >= maximum then
    perform funding.refuse_saved_search_read(maximum);
  end if;

  version := funding.page_version(search.dataset);
  select greatest(max(known.changed_at), search.updated_at, case when kind = 'calendar' then today::timestamp at time zone funding.default_time_zone() end)
  into last_modified
  from funding.data_versions as known where known.dataset in (search.dataset, 'funders', 'search');
  -- A calendar changes with the day.
  tag := concat_ws('.', kind, version, (extract(epoch from search.updated_at) * 1000000)::bigint, case when kind = 'calendar' then today end);
  is_known := coalesce(tag = any (known_tags), last_modified <= known_since, false);
  if not is_known then
    entries := case kind when 'feed' then funding.saved_search_entries(search) else funding.saved_search_deadlines(search, today) end;
  end if;

  -- No read waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  update funding.saved_searches as counted
  set reads_on_day = funding.saved_search_reads(counted) + 1, last_read_at = now()
  where counted.id = search.id and counted.address_hash = token_hash and funding.saved_search_reads(counted) < maximum
  returning reads_on_day into reads;
  if reads is null then
    perform funding.refuse_saved_search_read(maximum);
  end if;
  return json_build_object(
    'search', json_build_object('id', search.id, 'name', search.name, 'dataset', search.dataset),
    'entries', entries, 'tag', tag, 'last_modified', funding.moment(last_modified),
    'read_limit', json_build_object('limit', maximum, 'remaining', maximum - reads));
end
$$;

-- Refuses a read of an address that was read too often: PT429.
create or replace function funding.refuse_saved_search_read(maximum integer) returns void
language plpgsql stable as $$
begin
  raise sqlstate 'PT429' using message = 'read too often',
    detail = json_build_object('limit', maximum, 'remaining', 0, 'resets_at', funding.quota_resets_at());
end
$$;
