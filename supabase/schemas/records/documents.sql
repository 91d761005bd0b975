-- Documents of opportunities: files that their publishers link, or that an operator has put beside them.

-- Addresses of the documents of current opportunities, once for each record.
create or replace function funding.linked_documents() returns table (dataset text, record_id uuid, url text, has_ended boolean)
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  with record as (
    select 'grants' as dataset, grants.id, grants.status, grants.details, null::text as document_url from funding.grants
    where classification = 'opportunity' and archived_at is null and superseded_by is null
    union all
    select 'contracts', contracts.id, contracts.status, contracts.details, contracts.document_url from funding.contracts
    where classification = 'opportunity' and archived_at is null and superseded_by is null
  )
  select distinct record.dataset, record.id, linked.url, funding.has_ended(record.status)
  from record
  cross join lateral (
    select document->>'url' from jsonb_array_elements(record.details->'documents') as document
    union all
    select record.document_url
  ) as linked(url)
  where linked.url ~* '^https?://'
$$;

-- Addresses of the documents of current opportunities that are not over, each once.
create or replace function funding.current_documents() returns setof text
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select distinct linked.url from funding.linked_documents() as linked where not linked.has_ended order by linked.url
$$;

-- Records that have the files of a load: [{ url, file, records: [{ dataset, id }] }], by a file's address and by those named. Only current opportunities.
create or replace function funding.records_of_files(files jsonb) returns table (file_id uuid, dataset text, record_id uuid)
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  with given as materialized (
    select funding.file_id(item.url, item.file) as file_id, item.url, item.records
    from jsonb_to_recordset(files) as item(url text, file text, records jsonb)
  )
  select given.file_id, linked.dataset, linked.record_id
  from given join funding.linked_documents() as linked on linked.url = given.url
  union
  select given.file_id, named.dataset, named.id
  from given cross join jsonb_to_recordset(given.records) as named(dataset text, id uuid)
  where exists (
    select from funding.grants
    where named.dataset = 'grants' and grants.id = named.id and classification = 'opportunity' and archived_at is null and superseded_by is null
    union all
    select from funding.contracts
    where named.dataset = 'contracts' and contracts.id = named.id and classification = 'opportunity' and archived_at is null and superseded_by is null)
$$;

-- Begins a load of files, as `funding.records_of_files` takes them: deletes the documents of all others, and of those that no current opportunity has.
-- Returns the files to have, each with the digest and the reader of what is stored of it; without a digest where it is time to read it again.
create or replace function funding.expect_documents(files jsonb) returns table (url text, file text, sha256 text, reader integer)
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  wanted uuid[];
begin
  perform pg_advisory_xact_lock(funding.documents_lock());
  wanted := array(select distinct linked.file_id from funding.records_of_files(files) as linked);
  perform funding.delete_documents(array(select distinct known.file_id from funding.documents as known where known.file_id <> all (wanted)));
  return query
  select item.url, item.file, case when min(known.retry_at) <= funding.latest_now() then null else min(known.sha256) end, min(known.reader)
  from unnest(wanted) as listed(file_id)
  join jsonb_to_recordset(files) as item(url text, file text) on funding.file_id(item.url, item.file) = listed.file_id
  left join funding.documents as known on known.file_id = listed.file_id
  group by item.url, item.file;
end
$$;

-- Ends a load: says which records have which documents.
create or replace function funding.link_documents(files jsonb) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  gone funding.document_records[];
  added funding.document_records[];
begin
  with wanted as materialized (
    select known.id as document_id, linked.dataset, linked.record_id
    from funding.records_of_files(files) as linked join funding.documents as known on known.file_id = linked.file_id
  )
  select array(select row(known.*)::funding.document_records from (select * from funding.document_records except select * from wanted) as known),
         array(select row(missing.*)::funding.document_records from (select * from wanted except select * from funding.document_records) as missing)
  into gone, added;
  -- A statement without rows would make a new version of the data, too.
  if gone <> '{}' then
    delete from funding.document_records as known using unnest(gone) as link
    where (known.document_id, known.dataset, known.record_id) = (link.document_id, link.dataset, link.record_id);
  end if;
  if added <> '{}' then
    insert into funding.document_records (document_id, dataset, record_id)
    select link.document_id, link.dataset, link.record_id from unnest(added) as link order by 1, 2, 3
    on conflict do nothing;
  end if;
end
$$;
