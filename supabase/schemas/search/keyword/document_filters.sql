-- Stored filters, of webhooks and of saved searches, whose search looks into documents.

-- Filter with what its search looks for in documents, as `funding.predicate` reads it: `passage_search`, { terms, weights, least_score }. So the search is
-- analysed once, and not for each record. The filter looks at one record, and so it does not rank. Any other filter stays as it is.
create or replace function funding.with_passage_search(filter jsonb) returns jsonb
language plpgsql stable as $$
declare
  analysis funding.query_analysis;
begin
  if not coalesce(funding.is_in_documents(filter), false) then
    return filter;
  end if;
  if exists (select from funding.document_parts) then
    analysis := funding.analyze_query(filter->>'search');
  end if;
  return filter - 'search_mode' || jsonb_build_object('passage_search', jsonb_build_object(
    'terms', coalesce(to_jsonb(analysis.terms), '[]'), 'weights', coalesce(analysis.term_weights, '{}')::text,
    'least_score', coalesce(funding.least_passage_score(analysis), 0)));
end
$$;
