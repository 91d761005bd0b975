-- Checks of the addresses that records have: whether somebody who follows one finds anything.

-- Key of an address.
create or replace function funding.link_hash(url text) returns uuid
language sql immutable parallel safe as $$
  select md5(url)::uuid
$$;

-- Addresses that are checked, each once: those of opportunities that are current, and of funders.
create or replace function funding.current_links() returns setof text
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select listing_url from funding.grants where archived_at is null and classification = 'opportunity' and listing_url ~* '^https?://'
  union
  select listing_url from funding.contracts where archived_at is null and classification = 'opportunity' and listing_url ~* '^https?://'
  union
  select website from funding.funders where website ~* '^https?://'
$$;

-- Addresses that were not checked for so many days, those that were never checked first, then the oldest: at most `maximum`.
create or replace function funding.due_links(days double precision, maximum integer) returns setof text
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select listed.url
  from funding.current_links() as listed(url)
  left join funding.links as known on known.url_hash = funding.link_hash(listed.url)
  where known.url_hash is null or known.checked_at < funding.bounded_now() - days * interval '1 day'
  order by known.checked_at nulls first, listed.url
  limit maximum
$$;

-- Stores what was found at addresses: [{ url, result, reason }], the result `ok`, `failing` or `unknown`. A failure counts if it is six days after the one
-- that counted before: three in a row, in three weeks of weekly checks, make a link `broken`. One that a host does not let us check is `unknown`, which
-- neither mends nor breaks it.
create or replace function funding.note_links(results jsonb) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  insert into funding.links as known (url_hash, url, checked_at, status, reason, failures, failed_at)
  select funding.link_hash(item->>'url'), item->>'url', funding.bounded_now(), item->>'result', item->>'reason',
         case when item->>'result' = 'failing' then 1 else 0 end, case when item->>'result' = 'failing' then funding.bounded_now() end
  from jsonb_array_elements(results) as item
  order by 1
  on conflict (url_hash) do update set
    checked_at = excluded.checked_at, reason = excluded.reason,
    (status, failures, failed_at) = (
      select case when excluded.status = 'failing' and counted.failures >= 3 then 'broken' else excluded.status end, counted.failures, counted.failed_at
      from (
        select case
            when excluded.status = 'ok' then 0
            when excluded.status = 'failing' and counts.is_new then known.failures + 1
            else known.failures
          end as failures,
          case when excluded.status = 'failing' and counts.is_new then excluded.checked_at when excluded.status <> 'ok' then known.failed_at end as failed_at
        from (select known.failed_at is null or excluded.checked_at >= known.failed_at + interval '6 days' as is_new) as counts
      ) as counted)
$$;

-- Forgets addresses that no current record has; returns their number.
create or replace function funding.forget_links() returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  forgotten integer;
begin
  delete from funding.links where url_hash not in (select funding.link_hash(listed.url) from funding.current_links() as listed(url));
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;

-- SQL for the checks of a record, over the row named `record`: when an import last had it, what was found at its address, and what of its documents was read.
create or replace function funding.checks_expression(dataset text) returns text
language sql immutable parallel safe as $$
  select format($checks$(
    select json_build_object('first_seen_at', funding.moment(record.first_seen_at), 'last_seen_at', funding.moment(funding.last_seen(%1$L, record.id, record.source)),
      'link_status', link.status, 'link_checked_at', funding.moment(link.checked_at)%3$s)
    from (values (1)) as one left join funding.links as link on link.url_hash = funding.link_hash(record.%2$I))
  $checks$, dataset, case dataset when 'funders' then 'website' else 'listing_url' end,
    case when dataset <> 'funders' then format($c$, 'documents_read', funding.documents_read(%1$L, record.id),
      'document_facts', funding.document_facts(%1$L, record.id)$c$, dataset) else '' end)
$$;

-- Current records whose links are broken, by their addresses.
create or replace function funding.broken_links() returns table (dataset text, id uuid, url text, reason text)
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select record.dataset, record.id, link.url, link.reason
  from funding.links as link
  join (
    select 'grants' as dataset, grants.id, grants.listing_url as url from funding.grants where archived_at is null and classification = 'opportunity'
    union all
    select 'contracts', contracts.id, contracts.listing_url from funding.contracts where archived_at is null and classification = 'opportunity'
    union all
    select 'funders', funders.id, funders.website from funding.funders
  ) as record on record.url = link.url
  where link.status = 'broken'
  order by link.url, record.id
$$;
