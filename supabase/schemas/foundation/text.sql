-- Text, prepared for Postgres' parser.

-- Text prepared for Postgres' parser: characters that join words are replaced by space. By itself the parser takes words with a slash or dots between
-- them for a path or a host's name ("HIV/AIDS", "water.Soil"), and a dash before a number for its sign ("COVID-19").
-- * Angle brackets become space: text between two is no tag ("<Title of Project>"), since importers have taken tags out.
-- * A slash becomes space. An address on the web is read as its host and the words of its path; "https" is none of them.
-- * Initials lose their dots ("U.S." becomes "US").
-- * A dot before a capital letter becomes space: there the next sentence lacks its space. Not before "Gov" and its like.
-- * A dash before a digit becomes space.
-- Dashes between letters stay: the parser knows them, and makes "low-income" three words. E-mail addresses, the names of hosts ("grants.gov") and
-- decimals stay as well. A text that has been separated stays the same.
--
-- Patterns that take no memory first check for such a dot or dash: replacing by a pattern takes several microseconds for each match. No pattern looks
-- further ahead than four characters: to look from each dot of a text of 200,000 to its end would take a minute.
create or replace function funding.separate_words(body text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  separated text := body;
  addresses constant text := '\S*@\S*';
begin
  if separated ~ '[<>]' then
    separated := translate(separated, '<>', '  ');
  end if;
  if strpos(separated, '@') > 0 then
    return (
      select string_agg(funding.separate_words(part) || coalesce(address, ''), '' order by position)
      from unnest(
        regexp_split_to_array(separated, addresses),
        array(select matched[1] from regexp_matches(separated, '(' || addresses || ')', 'g') as matched)
      ) with ordinality as cut(part, address, position));
  end if;
  if strpos(separated, '/') > 0 then
    separated := translate(replace(replace(separated, 'https://', ' '), 'http://', ' '), '/', ' ');
  end if;
  if separated ~ '(?:^|[^A-Za-z0-9])[A-Za-z]\.[A-Za-z]' then
    separated := regexp_replace(separated, '\m([A-Za-z])\.(?=[A-Za-z]\M)', '\1', 'g');
  end if;
  if separated ~ '[a-z0-9]\.[A-Z]|[A-Z]\.[A-Z][a-z]' then
    separated := regexp_replace(separated,
      '(?:([a-z0-9])\.(?=[A-Z])|([A-Z])\.(?=[A-Z][a-z]))(?!(?:G[Oo][Vv]|C[Oo][Mm]|O[Rr][Gg]|E[Dd][Uu]|N[Ee][Tt]|M[Ii][Ll])\M)', '\1\2 ', 'g');
  end if;
  if separated ~ '-[0-9]' then
    for digit in 0..9 loop
      separated := replace(separated, '-' || digit, ' ' || digit);
    end loop;
  end if;
  return separated;
end
$$;

-- Text in which acronyms and letters that would be stop words are words of their own, such as `acronym0it` (a word with a digit in it is never stemmed,
-- corrected or left out): IT, WHO and DON in capitals, and a single capital I or A after a word that such a letter numbers ("Title I", "Part A",
-- "Hepatitis A"). The number of words stays the same.
create or replace function funding.with_acronyms(body text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  numbered constant text :=
    'appendix|category|class|grade|group|hepatitis|influenza|level|option|part|phase|schedule|section|stage|tier|title|track|type|vitamin';
begin
  if body !~ '\m(?:IT|WHO|DON|I|A)\M' then
    return body;
  end if;
  return regexp_replace(
    regexp_replace(body, '\m(IT|WHO|DON)\M(?![''’]\w)', 'acronym0\1', 'g'),
    '\m((?:' || numbered || '|' || initcap(numbered) || '|' || upper(numbered) || ')[ \u00a0-]+)(I|A)\M(?![.''’]\w)', '\1acronym0\2', 'g');
end
$$;

-- Word of a text as it is shown to people: an acronym without its mark.
create or replace function funding.shown_word(word text) returns text
language sql immutable parallel safe as $$
  select regexp_replace(word, '^acronym0', '')
$$;

-- `with_acronyms` of a search. Quotes say what capitals do: `"it"` and `"title i"`. A search of three or more words in capitals alone says nothing by them.
create or replace function funding.with_asked_acronyms(query text) returns text
language plpgsql immutable strict parallel safe as $$
begin
  if query ~ '\w\W+\w+\W+\w' and query !~ '[[:lower:]]' then
    return with_asked_acronyms.query;
  end if;
  if query ~* '"(?:it|who|don|[^"]* [ia])"' then
    query := regexp_replace(query, '"it"', '"IT"', 'gi');
    query := regexp_replace(query, '"who"', '"WHO"', 'gi');
    query := regexp_replace(query, '"don"', '"DON"', 'gi');
    query := regexp_replace(query, '("[^"]* )i"', '\1I"', 'g');
    query := regexp_replace(query, '("[^"]* )a"', '\1A"', 'g');
  end if;
  return funding.with_acronyms(query);
end
$$;
