-- Texts of documents: storing and deleting them, with the facts that they state.

-- Id of a file by its address, or by its name where it has none.
create or replace function funding.file_id(url text, file text) returns uuid
language sql immutable parallel safe as $$
  select md5(coalesce('url ' || url, 'file ' || file))::uuid
$$;

-- Key of the advisory lock of whoever changes documents.
create or replace function funding.documents_lock() returns bigint
language sql immutable parallel safe as $$
  select hashtextextended('documents', 0)
$$;

-- Deletes the documents of files, with their passages and words; returns their number.
create or replace function funding.delete_documents(files uuid[]) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  ids constant uuid[] := array(select documents.id from funding.documents where documents.file_id = any (files));
begin
  perform funding.unindex_documents(ids);
  delete from funding.documents where documents.id = any (ids);
  return cardinality(ids);
end
$$;

-- Stores what was read of files, in place of what was stored of each: [{ url, file, sha256, reader, fetched_at, checked_at, documents: [{ member,
-- media_type, pages, is_cut, reason, facts, passages: [{ number, first_page, last_page, heading, body }] }] }]. `url` is null of a file without an
-- address, whose name is `file`. Returns the number of documents.
create or replace function funding.store_documents(files jsonb) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  file_ids constant uuid[] := array(select funding.file_id(given->>'url', given->>'file') from jsonb_array_elements(files) as given);
  -- Records keep a document that changes: which have it is said anew at the end of a load.
  links funding.document_records[];
  ids uuid[];
begin
  perform pg_advisory_xact_lock(funding.documents_lock());
  links := array(
    select linked from funding.documents as known join funding.document_records as linked on linked.document_id = known.id
    where known.file_id = any (file_ids));
  perform funding.delete_documents(file_ids);
  with given as (
    select file.body as file, document.body as document, funding.file_id(file.body->>'url', file.body->>'file') as file_id
    from jsonb_array_elements(files) as file(body) cross join jsonb_array_elements(file.body->'documents') as document(body)
  ), stored as (
    insert into funding.documents (
      id, file_id, url, file, member, sha256, reader, media_type, pages, passages, is_cut, facts, fetched_at, checked_at, reason)
    select case when document->>'member' is null then file_id else md5(file_id || ' ' || (document->>'member'))::uuid end, file_id,
           file->>'url', file->>'file', document->>'member', file->>'sha256', (file->>'reader')::integer, document->>'media_type',
           (document->>'pages')::integer, jsonb_array_length(document->'passages'), (document->>'is_cut')::boolean, document->'facts',
           (file->>'fetched_at')::timestamptz, (file->>'checked_at')::timestamptz, document->>'reason'
    from given
    on conflict do nothing
    returning documents.id, documents.file_id, documents.member
  ), passage as (
    insert into funding.document_passages (document_id, number, first_page, last_page, heading, body)
    select stored.id, item.number, item.first_page, item.last_page, item.heading, item.body
    from stored
    join given on given.file_id = stored.file_id and given.document->>'member' is not distinct from stored.member
    cross join jsonb_to_recordset(given.document->'passages') as item(number integer, first_page integer, last_page integer, heading text, body text)
    order by 1, 2
    on conflict do nothing
  )
  select array_agg(stored.id) into ids from stored;
  insert into funding.document_records
  select linked.* from unnest(links) as linked where linked.document_id = any (ids);
  perform funding.index_documents(ids);
  return coalesce(cardinality(ids), 0);
end
$$;

-- Notes of files that were looked at what came of it, without reading them anew: [{ url, file, fetched_at, checked_at, reason }]. A file with a text
-- keeps it, and `reason` says why it could not be had again; one that was had and cannot be read keeps the reason for that.
create or replace function funding.note_documents(files jsonb) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  update funding.documents
  set checked_at = given.checked_at, fetched_at = given.fetched_at,
      reason = case
        when documents.passages > 0 then given.reason
        when documents.sha256 is null then coalesce(given.reason, documents.reason)
        else documents.reason
      end
  from jsonb_to_recordset(files) as given(url text, file text, fetched_at timestamptz, checked_at timestamptz, reason text)
  where documents.file_id = funding.file_id(given.url, given.file)
    and (documents.checked_at, documents.fetched_at) is distinct from (given.checked_at, given.fetched_at)
$$;

-- Address of a page of a document: that of its file, with the page where its format has pages.
create or replace function funding.page_url(url text, media_type text, page integer) returns text
language sql immutable parallel safe as $$
  select case when media_type = 'application/pdf' and page is not null then regexp_replace(url, '#.*$', '') || '#page=' || page else url end
$$;

-- A document as the API shows it: { id, name, url, media_type, pages, fetched_at, checked_at, problem }.
create or replace function funding.shown_document(document funding.documents) returns json
language sql stable as $$
  select json_build_object(
    'id', document.id, 'name', coalesce(document.member, document.file), 'url', document.url, 'media_type', document.media_type, 'pages', document.pages,
    'fetched_at', funding.moment(document.fetched_at), 'checked_at', funding.moment(document.checked_at), 'problem', document.reason)
$$;

-- A fact that a document states, with its proof, as the API shows it: { name, value, sentence, page, url, document_id }.
create or replace function funding.shown_fact(document funding.documents, fact jsonb) returns json
language sql stable as $$
  select json_build_object(
    'name', fact->'name', 'value', fact->'value', 'sentence', fact->'sentence', 'page', fact->'page',
    'url', funding.page_url(document.url, document.media_type, (fact->>'page')::integer), 'document_id', document.id)
$$;

-- Documents of a record that were read, or looked at (`funding.shown_document`).
create or replace function funding.documents_read(dataset text, record_id uuid) returns json
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(json_agg(funding.shown_document(document) order by document.url, document.file, document.member nulls first), '[]')
    from funding.document_records as linked join funding.documents as document on document.id = linked.document_id
    where linked.record_id = documents_read.record_id and linked.dataset = documents_read.dataset);
end
$$;

-- Facts that a record's documents state (`funding.shown_fact`).
create or replace function funding.document_facts(dataset text, record_id uuid) returns json
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select coalesce(json_agg(funding.shown_fact(document, fact)
      order by fact->>'name', document.url, document.file, document.member nulls first), '[]')
    from funding.document_records as linked
    join funding.documents as document on document.id = linked.document_id
    cross join jsonb_array_elements(document.facts) as fact
    where linked.record_id = document_facts.record_id and linked.dataset = document_facts.dataset);
end
$$;
