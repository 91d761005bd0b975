-- Operators in the text of a search: -words, "phrases" and or.

-- Returns the query without the dashes that are punctuation. A dash excludes when it stands directly before a word or phrase.
-- Several dashes in a row, and one before space or other operators, are punctuation ("Clean Water - Round 2"); so no run is
-- left for the parser.
create or replace function funding.without_stray_dashes(query text) returns text
language plpgsql immutable parallel safe as $$
begin
  if strpos(query, '-') = 0 then
    return without_stray_dashes.query;
  end if;
  return regexp_replace(query,
    -- Quoted text stays as it is. The spaces beside \s are those that \s matches only in some locales.
    '("[^"]*"?)|(?<![^\s\u0085\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff!&|()<"])(?:--+|-(?=[\s\u0085\u00a0\u1680\u180e\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff!&|()<]|$))',
    '\1 ', 'g');
end
$$;

-- Query in which words that are joined by dashes, slashes or dots are phrases of their parts: "low-income" finds "low income" as well, since the two
-- words follow each other in both, and a dash before the phrase excludes both. Quotes also protect a part that would be an operator otherwise
-- ("and/or"). Of several parts, only the first one loses its dashes: records have "low-income" as a word before its parts, so behind another part it
-- is a place further away. Angle brackets and slashes by themselves become space, as in records.
create or replace function funding.joined_as_phrases(query text) returns text
language plpgsql immutable parallel safe as $$
begin
  if query !~ '[-./<>]' then
    return joined_as_phrases.query;
  end if;
  return (
    select string_agg(case
        when cut.piece like '"%' then parts.words
        when cut.piece !~ '\w' then translate(cut.piece, '<>/', '   ')
        -- A host's name or an e-mail address stays one word.
        when parts.first ~ '\w-+\w' and parts.first !~ '@|\.\w' then '"' || replace(parts.first, '-', ' ') || substr(parts.words, length(parts.first) + 1) || '"'
        when parts.words <> cut.piece then '"' || parts.words || '"'
        else cut.piece
      end, '' order by cut.position)
    from regexp_matches(query, '("[^"]*"?|\w[\w@+:./-]*|[^"\w]+)', 'g') with ordinality as found(matched, position)
    cross join lateral (select found.matched[1] as piece, found.position) as cut
    cross join lateral (select said.words, split_part(said.words, ' ', 1) as first from funding.separate_words(cut.piece) as said(words)) as parts);
end
$$;

-- Query without dashes between words: they are punctuation ("Clean Water - Round 2"), and exclude nothing.
create or replace function funding.without_dashes(query text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(query, '(^|\s)-+(?=\s|$)', ' ', 'g')
$$;

-- A long query with each word and phrase once, except those next to `or`: each is looked up by itself, and a word that occurs 450 times took fifteen
-- times as long as a single one.
create or replace function funding.without_repeats(query text) returns text
language plpgsql immutable parallel safe as $$
begin
  if length(query) <= 200 then
    return without_repeats.query;
  end if;
  return (
    select string_agg(token, ' ' order by position)
    from (
      select token, position, is_bound, row_number() over (partition by token, is_bound order by position) as occurrence
      from (
        select token, position,
               coalesce('or' in (lower(token), lower(lag(token, 1, '') over words), lower(lead(token, 1, '') over words)), false) as is_bound
        from (
          select matched[1] as token, position
          from regexp_matches(query, '(?:[^\s"]*"[^"]*")+[^\s"]*|\S+', 'g') with ordinality as found(matched, position)
        ) as token
        window words as (order by position)
      ) as neighbour
    ) as counted
    where is_bound or occurrence = 1);
end
$$;

-- Words, phrases and alternatives of a search. Only this function hands user text to Postgres' parser. Raises PT400, which names the parameter in its
-- hint, where the parser gives up all the same. A time limit or want of memory is not the text's fault and passes through. The planner calls the
-- function once for a statement: values are constants to it (`execute ... using`).
--
-- Postgres' parser stacks a run of operators, and forty dashes before a word overflowed its stack. This internal error was answered with 500 and, in
-- a webhook's filter, stopped everybody's deliveries.
create or replace function funding.parse_query(query text) returns tsquery
language plpgsql immutable strict parallel restricted as $$
begin
  -- Stray dashes go last, because leaving out a repetition can open or close a quote.
  return websearch_to_tsquery('funding.english', funding.with_asked_acronyms(funding.without_stray_dashes(
    funding.joined_as_phrases(funding.without_repeats(funding.without_dashes(query))))));
exception when data_exception or syntax_error or program_limit_exceeded or internal_error then
  raise sqlstate 'PT400' using message = 'cannot be read as a search: use words, phrases in quotes, -words and or', hint = 'search';
end
$$;

-- Query without the words and phrases that it excludes. A dash in quotes excludes nothing: quoted text is matched first, and stays.
create or replace function funding.wanted_words(query text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(query, '("[^"]*"?)|(^|\s)-("[^"]+"?|\w[^\s"]*)', '\1\2', 'g')
$$;

-- Words and phrases that a ranked search excludes, as they are written: those that `wanted_words` leaves out.
create or replace function funding.excluded_texts(query text) returns setof text
language sql immutable parallel safe as $$
  select excluded[1]
  from regexp_matches(query, '"[^"]*"?|(?:^|\s)-("[^"]+"?|\w[^\s"]*)', 'g') as excluded
  where excluded[1] is not null
$$;

-- Words that a ranked search excludes ("water -rights"), or null when it excludes none.
create or replace function funding.excluded_words(query text) returns tsquery
language sql immutable parallel restricted as $$
  select case when numnode(words) > 0 then words end
  from (
    select funding.parse_query(string_agg(excluded, ' or ')) as words
    from funding.excluded_texts(query) as excluded
  ) as given
$$;

-- Phrases in quotes that a keyword ranking must find, or null when the query has none. Quotes in a text of more than twelve words are no requirement.
create or replace function funding.required_phrases(query text) returns tsquery
language sql immutable parallel restricted as $$
  select case when numnode(phrases) > 0 then phrases end
  from (
    select funding.parse_query(string_agg(quoted[1], ' ')) as phrases
    from regexp_matches(query, '(?:^|\s)("[^"]+")', 'g') as quoted
    where cardinality(regexp_split_to_array(btrim(query), '\s+')) <= 12
  ) as given
$$;

-- What a passage must have or lack beside enough words: phrases in quotes, in a ranking by words, and words that the search excludes. Null for most.
create or replace function funding.passage_condition(filter jsonb) returns tsquery
language plpgsql immutable as $$
declare
  phrases constant tsquery := case when filter->>'search_mode' = 'ranked_keyword' then funding.required_phrases(filter->>'search') end;
  excluded constant tsquery := funding.excluded_words(filter->>'search');
begin
  return case when phrases is null then !! excluded when excluded is null then phrases else phrases && !! excluded end;
end
$$;

-- Lexeme as it is written in a tsquery's text, whatever characters it has.
create or replace function funding.quoted_lexeme(lexeme text) returns text
language sql immutable parallel safe as $$
  select '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''
$$;
