-- Explanations of a ranked list (`explain=true`): how the search was understood, and the parts of each result's score.

-- Lexemes of a tsquery, in alphabetical order.
create or replace function funding.lexemes_of(words tsquery) returns text[]
language sql immutable parallel safe as $$
  select array(
    select replace(replace(lexeme[1], '''''', ''''), '\\', '\')
    from regexp_matches(words::text, '''((?:[^'']|'''')*)''', 'g') as lexeme order by 1)
$$;

-- Interpretation of a ranked search: { words: [{ word, matches, weight, is_known }], known_share, excluded, phrases, places, agencies }. `word` is
-- written as in the search; with `similar_to`, the words are those by which the record is compared. `matches` are the stems that count as the word:
-- its own, synonyms' and a correction's. `weight` is the inverse document frequency. `is_known`: the lexicon, as of the last fit, has one of the
-- stems. `known_share` is the share of the search that has a meaning here, from 0 to 1; null where the search has no embedding.
create or replace function funding.understood(dataset text, filter jsonb, mode text, query_vector extensions.halfvec) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  analysis funding.query_analysis := funding.query_of(dataset, filter, query_vector);
  search_text constant text := case when filter ? 'similar_to' then null else filter->>'search' end;
begin
  return json_build_object(
    'words', (
      select coalesce(json_agg(json_build_object(
          'word', funding.shown_word(coalesce(query_word.word, word.lexemes[1])),
          'matches', array(select funding.shown_word(lexeme) from unnest(word.lexemes) as lexeme), 'weight', round(word.idf::numeric, 3), 'is_known', word.is_known)
        order by query_word.position, word.position), '[]')
      from (
        select given.position, given.idf, funding.lexemes_of(given.terms) as lexemes,
               exists (
                 select from funding.lexicon
                 where lexicon.generation = (select fit.generation from funding.lexicon_fit as fit) and lexicon.term = any (funding.lexemes_of(given.terms))
               ) as is_known
        from unnest(analysis.words, analysis.word_idfs) with ordinality as given(terms, idf, position)
      ) as word
      left join lateral (
        select token.token as word, token.position
        from ts_parse('default', funding.with_asked_acronyms(funding.separate_words(funding.wanted_words(search_text)))) with ordinality as token(kind, token, position)
        where funding.stem(token.token) = any (word.lexemes)
        order by token.position limit 1
      ) as query_word on true),
    'known_share', case when analysis.embedding is not null then round(analysis.known_share::numeric, 3) end,
    'excluded', array(select btrim(excluded, '"') from funding.excluded_texts(search_text) as excluded),
    'phrases', case when filter->>'search_mode' = 'ranked_keyword' and funding.required_phrases(search_text) is not null then array(
      select btrim(quoted[1], '"') from regexp_matches(search_text, '(?:^|\s)("[^"]+")', 'g') as quoted) else '{}'::text[] end,
    'places', '{}'::text[],
    'agencies', '{}'::text[]);
end
$$;

-- Parts of the scores of these records in a ranked search, of those that it finds: whether the query is one of the record's identifiers, and rank and
-- score in each leg and in the sum of both, null where the leg has not found the record. The search is made again, which takes as long.
create or replace function funding.score_parts(dataset text, filter jsonb, mode text, query_vector extensions.halfvec, ids uuid[])
returns table (id uuid, is_identifier boolean, keyword_rank bigint, keyword_score double precision, semantic_rank bigint, similarity double precision,
  sum_rank bigint, sum_score double precision)
language plpgsql stable
set search_path = funding, extensions, pg_temp set jit = off as $$
declare
  maximum integer := funding.candidates_of(dataset, mode);
  analysis funding.query_analysis := funding.query_of(dataset, filter, query_vector);
  scope funding.search_scope := funding.scope_of(dataset, filter);
  by_meaning funding.ranked_slots;
  identifier_matches uuid[] := case when filter ? 'similar_to' then '{}' else funding.identifier_matches(scope, maximum) end;
begin
  if mode = 'semantic' then
    by_meaning := funding.semantic_candidates(scope, funding.with_feedback(scope, analysis), maximum);
  end if;
  return query
  select wanted.id, wanted.id = any (identifier_matches), part.keyword_rank, part.keyword_score, part.semantic_rank, part.similarity,
         part.sum_rank, part.sum_score
  from unnest(ids) as wanted(id)
  left join (
    select scored.slot, scored.keyword_rank, scored.keyword_score, scored.semantic_rank, scored.semantic_score as similarity,
           case when mode = 'hybrid' then scored.sum_rank end as sum_rank, scored.total as sum_score
    from funding.hybrid_scores(scope, analysis, maximum, mode = 'hybrid') as scored
    where mode <> 'semantic'
    union all
    select neighbour.slot, null, null, neighbour.rank, neighbour.score, null, null
    from unnest(by_meaning.slots, by_meaning.scores) with ordinality as neighbour(slot, score, rank)
  ) as part on part.slot = funding.slot_of(dataset, wanted.id);
end
$$;

-- Page of a ranked list with the parts of each result's score as its member `explanation`: { identifier, keyword: { rank, score }, semantic: { rank,
-- similarity }, sum: { rank, score }, mentions }, and of a search in documents `passage`: { score, document_id, page, url } of the best one. A part is null
-- where its leg has not found the record. `mentions` is always 0, since no search weighs places and agencies any more.
create or replace function funding.with_explanations(dataset text, filter jsonb, mode text, query_vector extensions.halfvec, page json) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  ids constant uuid[] := array(select (item->>'id')::uuid from json_array_elements(page) as item);
  explained json;
begin
  select coalesce(json_agg(funding.with_member(item.body, 'explanation', json_build_object(
      'identifier', coalesce(part.is_identifier, false),
      'keyword', case when part.keyword_rank is not null then
        json_build_object('rank', part.keyword_rank, 'score', round(part.keyword_score::numeric, 4)) end,
      'semantic', case when part.semantic_rank is not null then
        json_build_object('rank', part.semantic_rank, 'similarity', round(part.similarity::numeric, 4)) end,
      'sum', case when part.sum_rank is not null then
        json_build_object('rank', part.sum_rank, 'score', round(part.sum_score::numeric, 4)) end,
      'mentions', 0)) order by item.position), '[]')
  into explained
  from json_array_elements(page) with ordinality as item(body, position)
  left join funding.score_parts(dataset, filter, mode, query_vector, ids) as part on part.id = (item.body->>'id')::uuid;
  if not filter ? 'search_in' then
    return explained;
  end if;
  return (
    select coalesce(json_agg(funding.with_member(item.body, 'explanation', funding.with_member(item.body->'explanation', 'passage', case when best.passage is not null then
        json_build_object('score', round(best.score::numeric, 4), 'document_id', best.passage->'document_id', 'page', best.passage->'page', 'url', best.passage->'url')
      else 'null' end)) order by item.position), '[]')
    from json_array_elements(explained) with ordinality as item(body, position)
    left join funding.passages_of_records(dataset, ids, funding.query_of(dataset, filter, query_vector), filter, 1) as best
      on best.record_id = (item.body->>'id')::uuid);
end
$$;
