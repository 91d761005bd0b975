-- Saved searches of an account, as their owner manages them. Every function takes the account of the caller, and raises PT404 for
-- another account's search as for an unknown id.

-- An account's saved search, or PT404, for functions that only read.
create or replace function funding.saved_search_of(account_id uuid, saved_search_id uuid) returns funding.saved_searches
language plpgsql as $$
declare
  search funding.saved_searches;
begin
  select * into search from funding.saved_searches
  where saved_searches.id = saved_search_id and saved_searches.account_id = saved_search_of.account_id;
  if not found then
    raise sqlstate 'PT404' using message = format('there is no saved search %s', saved_search_id);
  end if;
  return search;
end
$$;

-- An account's saved search, or PT404. No other transaction changes the search until this one ends. Waits for another transaction for two seconds, and
-- then fails with 55P03: a request that waits holds a connection, which other accounts need.
create or replace function funding.lock_saved_search(account_id uuid, saved_search_id uuid) returns funding.saved_searches
language plpgsql set lock_timeout = '2s' as $$
begin
  perform from funding.saved_searches as search
  where search.id = saved_search_id and search.account_id = lock_saved_search.account_id
  for no key update;
  return funding.saved_search_of(account_id, saved_search_id);
end
$$;

-- Filter of a saved search, as `funding.predicate` reads it: its days are those of `at`, and its search in documents is analysed.
create or replace function funding.saved_filter(search funding.saved_searches, at timestamptz) returns jsonb
language plpgsql stable as $$
begin
  return funding.with_passage_search(funding.filter_of(search.dataset, funding.with_days(search.filter, at)));
end
$$;

-- Number of records of a saved search that came from `since` to `until` (`funding.settled_until`, read before): { count, is_capped }. Looks at the
-- ten thousand records that came last, whether they match or not; at a thousand where the search looks into documents.
create or replace function funding.count_records(search funding.saved_searches, since timestamptz, until timestamptz) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  most_read constant integer := case when funding.is_in_documents(search.filter) then 1000 else 10000 end;
  filter constant jsonb := funding.saved_filter(search, funding.bounded_now());
  read_records bigint;
  matching bigint;
begin
  execute format($count$
    select count(*), count(*) filter (where %2$s)
    from (
      select * from funding.%1$I where first_seen_at >= $2 and first_seen_at < $3 order by first_seen_at desc limit $4
    ) as record
  $count$, search.dataset, funding.predicate(search.dataset, filter))
  into read_records, matching using filter, since, until, most_read;
  return json_build_object('count', matching, 'is_capped', read_records >= most_read);
end
$$;

-- Number of records of a saved search that are new to its owner: { count, is_capped }. Null where the filter cannot be evaluated.
create or replace function funding.new_records(search funding.saved_searches, until timestamptz) returns json
language plpgsql as $$
begin
  return funding.count_records(search, search.seen_until, until);
exception when others then
  if funding.is_passing_failure(sqlstate) then
    raise;
  end if;
  return null;
end
$$;

-- A saved search as its owner sees it. Of its address, it shows only when the address was made and read.
create or replace function funding.saved_search_body(search funding.saved_searches, new_records json, counted_until timestamptz) returns json
language sql volatile as $$
  select json_build_object(
    'id', search.id, 'name', search.name, 'dataset', search.dataset, 'query', search.query, 'filter', search.filter_query,
    'new_records', new_records, 'counted_until', funding.moment(counted_until), 'seen_until', funding.moment(search.seen_until),
    'address', case when search.address_hash is not null then json_build_object(
      'created_at', funding.moment(search.address_created_at),
      'last_read_at', funding.moment(search.last_read_at),
      'reads_today', funding.saved_search_reads(search)) end,
    'digest', funding.digest_body(search.id),
    'created_at', funding.moment(search.created_at), 'updated_at', funding.moment(search.updated_at))
$$;

-- Number of reads of a saved search's address on this UTC day.
create or replace function funding.saved_search_reads(search funding.saved_searches) returns integer
language sql stable as $$
  select case when (search.last_read_at at time zone 'UTC')::date = funding.quota_day() then search.reads_on_day else 0 end
$$;

-- A saved search with its count. Without API access nothing is counted.
create or replace function funding.counted_saved_search(search funding.saved_searches) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  until constant timestamptz := funding.settled_until();
begin
  return funding.saved_search_body(search, case when funding.has_webhooks(search.account_id) then funding.new_records(search, until) end, until);
end
$$;

-- The account's saved searches, by name: { saved_searches }. A search that could not be counted within two seconds has no count.
create or replace function funding.list_saved_searches(account_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  most_time constant interval := interval '2 s';
  begun constant timestamptz := clock_timestamp();
  until constant timestamptz := funding.settled_until();
  has_access constant boolean := funding.has_webhooks(account_id);
  search funding.saved_searches;
  bodies json[] := '{}';
begin
  for search in
    select * from funding.saved_searches where saved_searches.account_id = list_saved_searches.account_id
    order by lower(name), id
  loop
    bodies := bodies || funding.saved_search_body(search,
      case when has_access and clock_timestamp() < begun + most_time then funding.new_records(search, until) end, until);
  end loop;
  return json_build_object('saved_searches', to_json(bodies));
end
$$;

-- Refuses a filter that Postgres cannot evaluate: PT400.
create or replace function funding.require_saved_filter(dataset text, filter jsonb) returns void
language plpgsql as $$
begin
  perform funding.require_filters(jsonb_build_object(dataset, jsonb_build_object('parameters', filter)));
exception when sqlstate 'PT400' then
  raise sqlstate 'PT400' using message = sqlerrm, hint = 'query';
end
$$;

-- Saves a search: { name, dataset, query, filter_query, filter }, as the account API makes it. Records that are there already are not new. PT409
-- without API access, and at the account's maximum. PT400 for a filter that cannot be evaluated.
create or replace function funding.create_saved_search(account_id uuid, saved_search jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  search funding.saved_searches;
  maximum constant integer := funding.setting('saved_searches_maximum')::integer;
begin
  -- Simultaneous creations take turns, so that two cannot both be the last that the limit allows.
  perform from funding.accounts where accounts.id = create_saved_search.account_id for no key update;
  if not funding.has_webhooks(account_id) then
    raise sqlstate 'PT409' using message = 'the subscription does not include saved searches';
  end if;
  if (select count(*) from funding.saved_searches where saved_searches.account_id = create_saved_search.account_id) >= maximum then
    raise sqlstate 'PT409' using message = format('an account has at most %s saved searches', maximum);
  end if;
  perform funding.require_saved_filter(saved_search->>'dataset', saved_search->'filter');
  insert into funding.saved_searches (account_id, name, dataset, query, filter_query, filter, seen_until)
  select create_saved_search.account_id, given.name, given.dataset, given.query, given.filter_query, given.filter, funding.settled_mark()
  from jsonb_to_record(saved_search) as given(name text, dataset text, query text, filter_query text, filter jsonb)
  returning * into search;
  return funding.counted_saved_search(search);
end
$$;

-- Changes the fields that `changes` has: name; dataset, query, filter_query and filter together; digest (`funding.set_digest`).
create or replace function funding.update_saved_search(account_id uuid, saved_search_id uuid, changes jsonb) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  given funding.saved_searches := jsonb_populate_record(funding.lock_saved_search(account_id, saved_search_id),
    changes - array(select key from jsonb_object_keys(changes) as key where key not in ('name', 'dataset', 'query', 'filter_query', 'filter')));
  search funding.saved_searches;
begin
  if changes ? 'filter' then
    perform funding.require_saved_filter(given.dataset, given.filter);
  end if;
  update funding.saved_searches as changed
  set name = given.name, dataset = given.dataset, query = given.query, filter_query = given.filter_query, filter = given.filter,
      updated_at = case when changes - 'digest' = '{}' then changed.updated_at else now() end
  where changed.id = saved_search_id
  returning * into search;
  if changes ? 'digest' then
    perform funding.set_digest(search, changes->'digest');
  end if;
  return funding.counted_saved_search(search);
end
$$;

-- Deletes a saved search, and ends its address and its digest.
create or replace function funding.delete_saved_search(account_id uuid, saved_search_id uuid) returns json
language plpgsql as $$
begin
  perform funding.lock_saved_search(account_id, saved_search_id);
  delete from funding.saved_searches where id = saved_search_id;
  return json_build_object('id', saved_search_id);
end
$$;

-- Marks the records that came before a moment as seen: by default all, and never records that may still come. The mark does not go back.
create or replace function funding.mark_saved_search_seen(account_id uuid, saved_search_id uuid, until timestamptz) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  settled constant timestamptz := funding.settled_mark();
  search funding.saved_searches := funding.lock_saved_search(account_id, saved_search_id);
begin
  update funding.saved_searches as changed set seen_until = greatest(changed.seen_until, least(coalesce(until, settled), settled))
  where changed.id = saved_search_id
  returning * into search;
  return funding.counted_saved_search(search);
end
$$;

-- Gives a saved search a secret address, by its token's hash. A former address ends at once.
create or replace function funding.issue_saved_search_address(account_id uuid, saved_search_id uuid, token_hash text) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  search funding.saved_searches := funding.lock_saved_search(account_id, saved_search_id);
begin
  update funding.saved_searches as changed
  set address_hash = token_hash, address_created_at = now(), last_read_at = null, reads_on_day = 0
  where changed.id = saved_search_id
  returning * into search;
  return funding.counted_saved_search(search);
end
$$;

-- Ends a saved search's address. Ending it again is not an error.
create or replace function funding.revoke_saved_search_address(account_id uuid, saved_search_id uuid) returns json
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  search funding.saved_searches := funding.lock_saved_search(account_id, saved_search_id);
begin
  update funding.saved_searches as changed
  set address_hash = null, address_created_at = null, last_read_at = null, reads_on_day = 0
  where changed.id = saved_search_id
  returning * into search;
  return funding.counted_saved_search(search);
end
$$;
