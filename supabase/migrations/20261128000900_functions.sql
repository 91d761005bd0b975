-- Begins a transaction (database/migrate.ts).
-- Stands for the functions in supabase/schemas. A release has them here. Written by npm run schema.
do $$ begin
  raise exception 'this version is not released: npm run schema -- --whole writes its functions into this migration, then begin again';
end $$;
drop function if exists funding.about_all(text);
drop function if exists funding.about_matching(text, jsonb, text);
drop function if exists funding.agency_key(text);
drop function if exists funding.bm25_scores(tsvector, funding.query_analysis, funding.lexicon_fit);
drop function if exists funding.covering_score(funding.query_analysis, real);
drop function if exists funding.covering_words(funding.query_analysis, real);
drop function if exists funding.detail_parameters();
drop function if exists funding.every_word(funding.query_analysis);
drop function if exists funding.keyword_candidates(funding.search_scope, funding.query_analysis, integer);
drop function if exists funding.keyword_matches(funding.search_scope, funding.query_analysis, real, integer);
drop function if exists funding.keyword_postings(funding.search_scope, funding.query_analysis, real, integer);
drop function if exists funding.keyword_unsealed(funding.search_scope, funding.query_analysis, real, integer);
drop function if exists funding.nearest(funding.search_scope, extensions.halfvec, integer, real, boolean);
drop function if exists funding.needs_a_strong_word(funding.query_analysis, real);
drop function if exists funding.range_condition(jsonb, text, text, text);
drop function if exists funding.ranked_fields(text);
drop function if exists funding.semantic_candidates(funding.search_scope, funding.query_analysis, integer);
drop function if exists funding.set_aside(uuid[], text);
drop function if exists funding.similarities(text, funding.query_analysis, integer[]);
drop function if exists funding.similarities_to_best(text, funding.query_analysis, funding.ranked_slots, integer[], double precision[]);
drop function if exists funding.sort_key(text);
drop function if exists funding.wanted_detail_keys(jsonb, text);
drop function if exists funding.with_feedback(funding.search_scope, funding.query_analysis, funding.ranked_slots);
