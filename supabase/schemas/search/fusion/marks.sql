-- Highlights (`highlight=true`): what to mark in the results of a search. The edge function cuts the passages of the texts that are in the answer.

-- Marks for a page of a search: { words, phrases, near, passages, identifiers }. `words` has stems with their weights. In the mode null and in `keyword`, words
-- that have to follow each other are in `phrases`, as [[{ stem, gap }]], instead. A ranked search also marks synonyms and corrections, as
-- `funding.analyze_query` takes them. `near` has, for each record of the page whose texts have none of the words, those of its own that are nearest to the
-- query's vector, the nearest first. `passages` has, for each record whose nearest vector is that of a passage, where that begins and ends in its text, in
-- characters from 0; and `identifiers`, where the search is an identifier, those of each record that it is.
create or replace function funding.marks(dataset text, filter jsonb, mode text, query_vector extensions.halfvec, page json) returns json
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  wanted constant tsquery := funding.parse_query(funding.wanted_words(filter->>'search'));
  -- Lexemes in quotes with `follows` between them: 'clean' <-> 'water'. No lexeme has a line break.
  phrase_pattern constant text := $c$'(?:[^']|'')*'(?: <(?:-|\d+)> '(?:[^']|'')*')+$c$;
  stem_pattern constant text := $c$(?:<(-|\d+)> )?'((?:[^']|'')*)'$c$;
  written text := wanted::text;
  phrases json := '[]';
  stems text[];
  ids uuid[];
  without_words uuid[];
  beginnings text;
  weights json;
  near json;
  passages json;
  identifiers json;
  forms constant text[] := funding.query_identifiers(filter->>'search');
  fit_generation integer;
  documents integer;
  embedding extensions.vector;
  has_space constant boolean := mode in ('semantic', 'hybrid') and funding.external_model() is null;
  has_passages constant boolean := mode in ('semantic', 'hybrid') and query_vector is not null;
begin
  select fit.generation, greatest(fit.documents, 1) into fit_generation, documents from funding.lexicon_fit as fit;
  if mode is null or mode = 'keyword' then
    select coalesce(json_agg(phrase.stems), '[]') into phrases
    from regexp_matches(written, '(' || phrase_pattern || ')', 'g') as matched
    cross join lateral (
      select json_agg(json_build_object('stem', replace(part[2], '''''', ''''), 'gap', coalesce(nullif(part[1], '-'), '1')::integer)) as stems
      from regexp_matches(matched[1], stem_pattern, 'g') as part
    ) as phrase;
    written := regexp_replace(written, phrase_pattern, '', 'g');
  end if;
  stems := array(select distinct replace(matched[2], '''''', '''') from regexp_matches(written, stem_pattern, 'g') as matched);
  if mode is not null then
    with word as materialized (
      select word.stem, coalesce(lexicon.document_frequency, 0) as document_frequency,
             exists (select from funding.synonyms where synonyms.term = word.stem) as has_synonyms
      from unnest(stems) as word(stem)
      left join funding.lexicon on lexicon.generation = fit_generation and lexicon.term = word.stem
    )
    select stems || coalesce(array_agg(other.stem), '{}') into stems
    from (
      select known.term as stem
      from word
      join funding.synonyms on synonyms.term = word.stem
      cross join lateral unnest(tsvector_to_array(to_tsvector('funding.english', funding.separate_words(synonyms.means)))) as meant
      join funding.lexicon as known on known.generation = fit_generation and known.term = meant
      where word.has_synonyms and known.document_frequency > word.document_frequency and funding.setting('synonym_weight')::real > 0
      union
      select funding.respelled(word.stem) from word
      where word.document_frequency = 0 and not word.has_synonyms and funding.setting('spelling_weight')::real > 0
    ) as other
    where other.stem is not null;
  end if;
  select coalesce(json_object_agg(word.stem, round(funding.inverse_document_frequency(documents, coalesce(lexicon.document_frequency, 0))::numeric, 2)), '{}')
  into weights
  from unnest(stems) as word(stem)
  left join funding.lexicon on lexicon.generation = fit_generation and lexicon.term = word.stem;

  if forms <> '{}' or has_passages then
    ids := array(select (item->>'id')::uuid from json_array_elements(page) as item);
  end if;
  if has_space then
    -- By the texts of the page, which are at hand: to read the records' lexemes for it took two thirds of the time of this function. A word begins as
    -- its stem does, but for the stem's last letter.
    beginnings := (
      select '\m(?:' || string_agg(regexp_replace(left(stem, greatest(2, length(stem) - 1)), '([^[:alnum:]])', '\\\1', 'g'), '|') || ')'
      from unnest(stems) as stem);
    without_words := array(
      select (item->>'id')::uuid from json_array_elements(page) as item
      where concat_ws(' ', item->>'title', item->>'name', item->>'description', item->>'summary') !~* beginnings);
  end if;
  if without_words <> '{}' then
    embedding := (funding.query_of(dataset, filter, query_vector)).embedding::extensions.vector;
    execute format($c$
      select json_object_agg(record.id, nearest.stems)
      from funding.%I as record
      cross join lateral (
        select json_agg(term.term order by term.distance) as stems
        from (
          select lexicon.term, lexicon.vector <=> $2 as distance
          from unnest(tsvector_to_array(record.lexemes)) as lexeme join funding.lexicon on lexicon.generation = $3 and lexicon.term = lexeme
          where lexicon.vector is not null
          order by distance
          limit 5
        ) as term
      ) as nearest
      where record.id = any ($1) and nearest.stems is not null
    $c$, dataset)
    into near using without_words, embedding, fit_generation;
  end if;
  if has_passages then
    embedding := (funding.query_of(dataset, filter, query_vector)).embedding::extensions.vector;
    execute format($c$
      select json_object_agg(record.id, json_build_array(passage.start - 1, passage.start - 1 + passage.length))
      from funding.%1$I as record
      cross join lateral (
        select known.passage from funding.vectors_of_slots(%1$L, $3, array[record.slot]) as known order by known.embedding <=> $2::halfvec, known.passage limit 1
      ) as nearest
      cross join lateral (
        select known.start, known.length from funding.passages(record.%2$I) with ordinality as known(start, length, number)
        where known.number = nearest.passage
      ) as passage
      where record.id = any ($1) and nearest.passage > 0
    $c$, dataset, case when dataset = 'funders' then 'summary' else 'description' end)
    into passages using ids, embedding, (select fit.vectors from funding.lexicon_fit as fit);
  end if;
  if forms <> '{}' then
    execute format($c$
      select json_object_agg(record.id, named.identifiers)
      from funding.%I as record
      cross join lateral (
        select json_agg(identifier) as identifiers from unnest(%s) as identifier where funding.identifier_forms(array[identifier]) && $2
      ) as named
      where record.id = any ($1) and named.identifiers is not null
    $c$, dataset, funding.identifiers_of(dataset)) into identifiers using ids, forms;
  end if;
  return json_build_object('words', weights, 'phrases', phrases, 'near', coalesce(near, '{}'), 'passages', coalesce(passages, '{}'),
    'identifiers', coalesce(identifiers, '{}'));
end
$$;
