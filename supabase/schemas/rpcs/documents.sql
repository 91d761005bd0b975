-- RPC of GET /documents/{id}.

-- Grants and contracts that have a document, of some datasets (null: of both): [{ type, id, title }], by title, the first hundred. A form that many
-- notices link has thousands.
create or replace function funding.records_of_document(document_id uuid, datasets text[]) returns json
language plpgsql stable as $$
begin
  return (
    select coalesce(json_agg(json_build_object('type', record.dataset, 'id', record.id, 'title', record.title) order by record.title, record.id), '[]')
    from (
      select linked.dataset, linked.record_id as id, coalesce(grants.title, contracts.title) as title
      from funding.document_records as linked
      left join funding.grants on linked.dataset = 'grants' and grants.id = linked.record_id
      left join funding.contracts on linked.dataset = 'contracts' and contracts.id = linked.record_id
      where linked.document_id = records_of_document.document_id and linked.dataset = any (coalesce(datasets, array['grants', 'contracts']))
        and coalesce(grants.id, contracts.id) is not null
      order by title, id
      limit 100
    ) as record);
end
$$;

-- A document's text, for a caller whose key reads one of its records' datasets: { document: { id, name, url, media_type, pages, fetched_at, checked_at,
-- problem, is_cut, records, facts }, passages: [{ number, page, last_page, heading, text, url }], total }. With `page`, the passages that are at least
-- partly on it; `maximum` (by default 20, at most 100) after the first `skipped`; `total` counts all. The body is null for an id that no document of a
-- record has.
create or replace function public.get_document(key_hash text, id uuid, page integer default null, maximum integer default null, skipped integer default null)
returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '5s' as $$
declare
  datasets constant text[] := array(
    select distinct linked.dataset from funding.document_records as linked where linked.document_id = get_document.id order by 1);
  admitted constant funding.admission := funding.admit(key_hash, false, funding.datasets_if_unread(key_hash, datasets));
begin
  return funding.rpc_result(admitted, (
    select json_build_object(
      'document', funding.with_members(funding.shown_document(document), json_build_object(
        'is_cut', document.is_cut,
        'records', funding.records_of_document(document.id, admitted.datasets),
        'facts', (
          select coalesce(json_agg(funding.shown_fact(document, fact) order by fact->>'name', position), '[]')
          from jsonb_array_elements(document.facts) with ordinality as stated(fact, position)))),
      'passages', (
        select coalesce(json_agg(json_build_object(
            'number', passage.number, 'page', passage.first_page, 'last_page', passage.last_page, 'heading', nullif(passage.heading, ''),
            'text', passage.body, 'url', funding.page_url(document.url, document.media_type, passage.first_page))
          order by passage.number), '[]')
        from (
          select * from funding.document_passages as listed
          where listed.document_id = document.id and (get_document.page is null or get_document.page between listed.first_page and listed.last_page)
          order by listed.number
          limit least(coalesce(maximum, 20), 100) offset skipped
        ) as passage),
      'total', (
        select count(*) from funding.document_passages as listed
        where listed.document_id = document.id and (get_document.page is null or get_document.page between listed.first_page and listed.last_page)))
    from funding.documents as document
    where document.id = get_document.id and cardinality(datasets) > 0));
end
$$;
