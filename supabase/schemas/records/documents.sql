-- Documents of opportunities: files that their publishers link.

-- Addresses of the documents of current opportunities that are not over, each once.
create or replace function funding.current_documents() returns setof text
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  with record as (
    select grants.details, null::text as document_url from funding.grants
    where classification = 'opportunity' and archived_at is null and superseded_by is null and not funding.has_ended(status)
    union all
    select contracts.details, contracts.document_url from funding.contracts
    where classification = 'opportunity' and archived_at is null and superseded_by is null and not funding.has_ended(status)
  ), linked as (
    select document->>'url' as url from record cross join jsonb_array_elements(record.details->'documents') as document
    union
    select record.document_url from record
  )
  select linked.url from linked where linked.url ~* '^https?://' order by linked.url
$$;
