-- Passages of documents in the results of a search (`passages=true`), and the one that found a record (`explain=true`).

-- Best passages of the documents of some records, up to `most` of each record, as the API shows them.
create or replace function funding.passages_of_records(
  dataset text, ids uuid[], analysis funding.query_analysis, filter jsonb, most integer)
returns table (record_id uuid, "position" bigint, score double precision, passage json)
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  parts constant integer[] := array(
    select distinct part.slot
    from funding.document_records as linked join funding.document_parts as part on part.document_id = linked.document_id
    where linked.record_id = any (ids) and linked.dataset = passages_of_records.dataset);
begin
  return query
  select ranked.record_id, ranked.position, ranked.score, json_build_object(
    'document_id', document.id, 'name', coalesce(document.member, document.file), 'url', funding.page_url(document.url, document.media_type, text.first_page),
    'page', text.first_page, 'last_page', text.last_page, 'heading', nullif(text.heading, ''), 'text', text.body)
  from (
    select linked.record_id, found.document_id, found.number, found.score,
           row_number() over (partition by linked.record_id order by found.score desc, found.document_id, found.number) as position
    from funding.found_passages(parts, analysis, filter, most) as found
    join funding.document_records as linked on linked.document_id = found.document_id and linked.dataset = passages_of_records.dataset
    where linked.record_id = any (ids)
  ) as ranked
  join funding.documents as document on document.id = ranked.document_id
  join funding.document_passages as text on text.document_id = ranked.document_id and text.number = ranked.number
  where ranked.position <= most;
end
$$;

-- Page of a search, each record with up to three passages of its documents as its member `passages`.
create or replace function funding.with_passages(dataset text, filter jsonb, query_vector extensions.halfvec, page json) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  analysis constant funding.query_analysis := funding.query_of(dataset, filter, query_vector);
begin
  return (
    select coalesce(json_agg(funding.with_member(item.body, 'passages', coalesce(found.passages, '[]')) order by item.position), '[]')
    from json_array_elements(page) with ordinality as item(body, position)
    left join (
      select best.record_id, json_agg(best.passage order by best.position) as passages
      from funding.passages_of_records(dataset, array(select (item->>'id')::uuid from json_array_elements(page) as item), analysis, filter, 3) as best
      group by best.record_id
    ) as found on found.record_id = (item.body->>'id')::uuid);
end
$$;
