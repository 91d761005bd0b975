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

-- Deletes documents, with their passages and words. Links to records go first: the trigger that writes the records' events reads what is left
-- (document_events.sql).
create or replace function funding.remove_documents(ids uuid[]) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  -- A statement without rows would make a new version of the data, too.
  if cardinality(ids) = 0 then
    return;
  end if;
  delete from funding.document_records as linked where linked.document_id = any (ids);
  perform funding.unindex_documents(ids);
  delete from funding.documents where documents.id = any (ids);
end
$$;

-- Deletes the documents of files; returns their number.
create or replace function funding.delete_documents(files uuid[]) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  ids constant uuid[] := array(select documents.id from funding.documents where documents.file_id = any (files));
begin
  perform funding.remove_documents(ids);
  return cardinality(ids);
end
$$;

-- Documents of files as `funding.store_documents` takes them, each once: its id and its file's, with both bodies.
create or replace function funding.given_documents(files jsonb) returns table (id uuid, file_id uuid, file jsonb, document jsonb)
language sql immutable as $$
  select distinct on (id)
         case when given.document->>'member' is null then given.file_id else md5(given.file_id || ' ' || (given.document->>'member'))::uuid end as id,
         given.file_id, given.file, given.document
  from (
    select item.body as file, funding.file_id(item.body->>'url', item.body->>'file') as file_id, listed.document
    from jsonb_array_elements(files) as item(body) cross join jsonb_array_elements(item.body->'documents') as listed(document)
  ) as given
$$;

-- Whether a document's stored passages are other ones than these.
create or replace function funding.has_other_passages(document_id uuid, passages jsonb) returns boolean
language sql stable as $$
  select exists (
    select
    from (select * from funding.document_passages as known where known.document_id = has_other_passages.document_id) as known
    full join jsonb_to_recordset(passages) as item(number integer, first_page integer, last_page integer, heading text, body text)
      on item.number = known.number
    where (known.number, known.first_page, known.last_page, known.heading, known.body)
      is distinct from (item.number, item.first_page, item.last_page, item.heading, item.body))
$$;

-- Stores what was read of files, in place of what was stored of each: [{ url, file, sha256, reader, retry_at, fetched_at, checked_at, documents: [{
-- member, media_type, pages, is_cut, reason, facts, passages: [{ number, first_page, last_page, heading, body }] }] }]. `url` is null of a file without an
-- address, whose name is `file`. Returns the number of documents. A document that has the passages it had keeps its index; which records have which
-- document is said at the end of a load.
create or replace function funding.store_documents(files jsonb) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  ids uuid[];
  changed uuid[];
begin
  perform pg_advisory_xact_lock(funding.documents_lock());
  select array_agg(given.id), array_agg(given.id) filter (where funding.has_other_passages(given.id, given.document->'passages'))
  into ids, changed
  from funding.given_documents(files) as given;
  perform funding.remove_documents(array(
    select known.id from funding.documents as known
    where known.file_id in (select funding.file_id(item.body->>'url', item.body->>'file') from jsonb_array_elements(files) as item(body))
      and known.id <> all (coalesce(ids, '{}'))));
  insert into funding.documents as known (
    id, file_id, url, file, member, sha256, reader, media_type, pages, passages, is_cut, facts, fetched_at, checked_at, reason, retry_at)
  select given.id, given.file_id, given.file->>'url', given.file->>'file', given.document->>'member', given.file->>'sha256',
         (given.file->>'reader')::integer, given.document->>'media_type', (given.document->>'pages')::integer,
         jsonb_array_length(given.document->'passages'), (given.document->>'is_cut')::boolean, given.document->'facts',
         (given.file->>'fetched_at')::timestamptz, (given.file->>'checked_at')::timestamptz, given.document->>'reason',
         (given.file->>'retry_at')::timestamptz
  from funding.given_documents(files) as given
  on conflict on constraint documents_pkey do update set
    sha256 = excluded.sha256, reader = excluded.reader, media_type = excluded.media_type, pages = excluded.pages, passages = excluded.passages,
    is_cut = excluded.is_cut, facts = excluded.facts, fetched_at = excluded.fetched_at, checked_at = excluded.checked_at, reason = excluded.reason,
    retry_at = excluded.retry_at;
  if changed is null then
    return coalesce(cardinality(ids), 0);
  end if;
  perform funding.unindex_documents(changed);
  delete from funding.document_passages as known where known.document_id = any (changed);
  insert into funding.document_passages (document_id, number, first_page, last_page, heading, body)
  select given.id, item.number, item.first_page, item.last_page, item.heading, item.body
  from funding.given_documents(files) as given
  cross join jsonb_to_recordset(given.document->'passages') as item(number integer, first_page integer, last_page integer, heading text, body text)
  where given.id = any (changed)
  order by 1, 2
  on conflict do nothing;
  perform funding.index_documents(changed);
  return cardinality(ids);
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
