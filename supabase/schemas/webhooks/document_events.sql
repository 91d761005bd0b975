-- Events of opportunities whose documents a load changed (`documents_changed`), written in the transaction of the change. A load is several transactions:
-- files that go, files that are read, sixteen at a time, and links between documents and records.

-- Trigger of documents' parts and of their links to records: fires once a statement. Parts change where a document's text does. A link counts where its
-- document has parts, so that a file that could not be read gives no event. A record has one event of a transaction.
create or replace function funding.note_documents_changed() returns trigger
language plpgsql security definer set search_path = funding, pg_catalog, pg_temp as $$
begin
  if not exists (
    select from funding.webhook_endpoints as endpoint where endpoint.events && array['grant.documents_changed', 'contract.documents_changed'])
  then
    return null;
  elsif tg_table_name = 'document_parts' then
    perform funding.write_document_events(array(
      select linked from funding.document_records as linked where linked.document_id in (select changed.document_id from changed)));
  else
    perform funding.write_document_events(array(
      select row(link.document_id, link.dataset, link.record_id)::funding.document_records from changed as link
      where exists (select from funding.document_parts as part where part.document_id = link.document_id)));
  end if;
  return null;
end
$$;

-- Writes an event for each current opportunity among these links, unless this transaction has written it.
create or replace function funding.write_document_events(links funding.document_records[]) returns void
language plpgsql set search_path = funding, pg_catalog, pg_temp as $$
begin
  insert into funding.events (event, dataset, record_id)
  select funding.event_name(record.dataset, 'documents_changed'), record.dataset, record.id
  from (
    select 'grants' as dataset, grants.id, classification, status, archived_at, superseded_by from funding.grants
    where grants.id in (select link.record_id from unnest(links) as link where link.dataset = 'grants')
    union all
    select 'contracts', contracts.id, classification, status, archived_at, superseded_by from funding.contracts
    where contracts.id in (select link.record_id from unnest(links) as link where link.dataset = 'contracts')
  ) as record
  where record.classification = 'opportunity' and record.archived_at is null and record.superseded_by is null
    -- The documents of what has ended go in the end.
    and not funding.has_ended(record.status)
    and exists (
      select from funding.webhook_endpoints as endpoint
      where endpoint.events @> array[funding.event_name(record.dataset, 'documents_changed')])
    and not exists (
      select from funding.events as known
      where known.fanned_out_at is null and known.record_id = record.id and known.event = funding.event_name(record.dataset, 'documents_changed')
        and known.xmin = pg_current_xact_id()::xid)
  order by record.dataset, record.id;
end
$$;
