-- Begins a transaction (database/migrate.ts).
-- Events of opportunities whose documents change, and when a file is read again. Requests wait for moments.
select funding.lock_tables(array['events', 'documents', 'document_parts', 'document_records']);

-- When a file is read again whose reading came to no end.
alter table funding.documents add column retry_at timestamptz;

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

create trigger document_parts_added after insert on funding.document_parts
  referencing new table as changed for each statement execute function funding.note_documents_changed();
create trigger document_parts_removed after delete on funding.document_parts
  referencing old table as changed for each statement execute function funding.note_documents_changed();
create trigger document_records_added after insert on funding.document_records
  referencing new table as changed for each statement execute function funding.note_documents_changed();
create trigger document_records_removed after delete on funding.document_records
  referencing old table as changed for each statement execute function funding.note_documents_changed();

alter table funding.events drop constraint events_event_known;
alter table funding.events add constraint events_event_known check (event in (
  'grant.created', 'grant.updated', 'grant.deadline_approaching', 'grant.documents_changed', 'contract.created', 'contract.updated',
  'contract.deadline_approaching', 'contract.documents_changed', 'funder.created', 'funder.updated')) not valid;
