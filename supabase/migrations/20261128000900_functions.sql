-- Begins a transaction (database/migrate.ts).
-- Stands for the functions in supabase/schemas. A release has them here. Written by npm run schema.
do $$ begin
  raise exception 'this version is not released: npm run schema -- --whole writes its functions into this migration, then begin again';
end $$;
drop function if exists funding.about_all(text);
drop function if exists funding.about_matching(text, jsonb, text);
drop function if exists funding.agency_key(text);
drop function if exists funding.agency_spellings(text);
drop function if exists funding.bm25_scores(tsvector, funding.query_analysis, funding.lexicon_fit);
drop function if exists funding.contracts_identified(text[], integer);
drop function if exists funding.contracts_ids(integer[]);
drop function if exists funding.contracts_in_order(integer[], text, text, bigint, bigint);
drop function if exists funding.count_words(tsvector);
drop function if exists funding.covering_score(funding.query_analysis, real);
drop function if exists funding.covering_words(funding.query_analysis, real);
drop function if exists funding.detail_parameters();
drop function if exists funding.document_length(tsvector, real);
drop function if exists funding.every_word(funding.query_analysis);
drop function if exists funding.evict_stale(text, text, bigint, interval);
drop function if exists funding.funders_identified(text[], integer);
drop function if exists funding.funders_ids(integer[]);
drop function if exists funding.grants_identified(text[], integer);
drop function if exists funding.grants_ids(integer[]);
drop function if exists funding.grants_in_order(integer[], text, text, bigint, bigint);
drop function if exists funding.hybrid_candidates(funding.search_scope, funding.query_analysis, integer, boolean, jsonb);
drop function if exists funding.hybrid_legs(funding.search_scope, funding.query_analysis, integer, boolean, jsonb);
drop function if exists funding.hybrid_scores(funding.search_scope, funding.query_analysis, integer, boolean, jsonb);
drop function if exists funding.keyword_candidates(funding.search_scope, funding.query_analysis, integer);
drop function if exists funding.keyword_matches(funding.search_scope, funding.query_analysis, real, integer);
drop function if exists funding.keyword_postings(funding.search_scope, funding.query_analysis, real, integer);
drop function if exists funding.keyword_unsealed(funding.search_scope, funding.query_analysis, real, integer);
drop function if exists funding.lexicon_drift();
drop function if exists funding.lexicon_embedding(tsvector, integer);
drop function if exists funding.may_cache(text, text, text);
drop function if exists funding.mentioned_agencies(text, text);
drop function if exists funding.mentions_of(text, jsonb, text);
drop function if exists funding.merged(funding.ranked_slots, funding.ranked_slots);
drop function if exists funding.nearest(funding.search_scope, extensions.halfvec, integer, real, boolean);
drop function if exists funding.needs_a_strong_word(funding.query_analysis, real);
drop function if exists funding.range_condition(jsonb, text, text, text);
drop function if exists funding.ranked_fields(text);
drop function if exists funding.record_document(text, text);
drop function if exists funding.semantic_candidates(funding.search_scope, funding.query_analysis, integer);
drop function if exists funding.set_aside(uuid[], text);
drop function if exists funding.similarities(text, funding.query_analysis, integer[]);
drop function if exists funding.similarities_to_best(text, funding.query_analysis, funding.ranked_slots, integer[], double precision[]);
drop function if exists funding.sort_key(text);
drop function if exists funding.state_code_pattern();
drop function if exists funding.state_names();
drop function if exists funding.state_pattern();
drop function if exists funding.term_frequencies(tsvector, real);
drop function if exists funding.total(text, jsonb);
drop function if exists funding.unknown_words(text, integer[]);
drop function if exists funding.wanted_detail_keys(jsonb, text);
drop function if exists funding.with_feedback(funding.search_scope, funding.query_analysis, funding.ranked_slots);
drop function if exists public.prune_events(integer);
-- Renames what the functions of the release before name otherwise.
do $$
declare
  dataset text;
begin
  if to_regclass('funding.retired_numbers') is null then
    return;
  end if;
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('alter table funding.%I rename column posting_number to slot', dataset);
    execute format('alter table funding.%I rename column document to lexemes', dataset);
    execute format('alter index funding.%I rename to %I', dataset || '_posting_number', dataset || '_slot');
    execute format('alter index funding.%I rename to %I', dataset || '_document', dataset || '_lexemes');
    execute format('alter trigger %I on funding.%I rename to %I', dataset || '_take_number', dataset, dataset || '_take_slot');
    execute format('alter trigger %I on funding.%I rename to %I', dataset || '_retire_number', dataset, dataset || '_retire_slot');
    execute format('alter trigger %I on funding.%I rename to %I', dataset || '_retire_number_of_deleted', dataset, dataset || '_retire_slot_of_deleted');
  end loop;
  alter table funding.retired_numbers rename to retired_slots;
  alter table funding.retired_slots rename column number to slot;
  alter table funding.retired_slots rename constraint retired_numbers_pkey to retired_slots_pkey;
end
$$;
