-- Places and agencies that a question mentions: "bridge repair in Ohio", "NIH training grants". In a hybrid search they have weight as fields of a
-- record, beside the words, and exclude nothing.

-- Names of states and territories with their USPS codes. Washington alone may be the city. "Kansas City", "Delaware River" and "Georgia Street" need
-- not be in the states that they name: `funding.state_pattern` leaves them out.
create or replace function funding.state_names() returns table (name text, code text)
language sql immutable parallel safe as $$
  values ('alabama', 'AL'), ('alaska', 'AK'), ('arizona', 'AZ'), ('arkansas', 'AR'), ('california', 'CA'), ('colorado', 'CO'), ('connecticut', 'CT'),
    ('delaware', 'DE'), ('district of columbia', 'DC'), ('washington dc', 'DC'), ('washington d.c.', 'DC'), ('washington, dc', 'DC'),
    ('washington, d.c.', 'DC'), ('florida', 'FL'), ('georgia', 'GA'), ('hawaii', 'HI'), ('idaho', 'ID'), ('illinois', 'IL'), ('indiana', 'IN'),
    ('iowa', 'IA'), ('kansas', 'KS'), ('kentucky', 'KY'), ('louisiana', 'LA'), ('maine', 'ME'), ('maryland', 'MD'), ('massachusetts', 'MA'),
    ('michigan', 'MI'), ('minnesota', 'MN'), ('mississippi', 'MS'), ('missouri', 'MO'), ('montana', 'MT'), ('nebraska', 'NE'), ('nevada', 'NV'),
    ('new hampshire', 'NH'), ('new jersey', 'NJ'), ('new mexico', 'NM'), ('new york', 'NY'), ('north carolina', 'NC'), ('north dakota', 'ND'),
    ('ohio', 'OH'), ('oklahoma', 'OK'), ('oregon', 'OR'), ('pennsylvania', 'PA'), ('rhode island', 'RI'), ('south carolina', 'SC'),
    ('south dakota', 'SD'), ('tennessee', 'TN'), ('texas', 'TX'), ('utah', 'UT'), ('vermont', 'VT'), ('virginia', 'VA'), ('washington state', 'WA'),
    ('west virginia', 'WV'), ('wisconsin', 'WI'), ('wyoming', 'WY'), ('puerto rico', 'PR'), ('guam', 'GU'), ('american samoa', 'AS'),
    ('virgin islands', 'VI'), ('u.s. virgin islands', 'VI'), ('us virgin islands', 'VI'), ('northern mariana islands', 'MP')
$$;

-- Regular expression for the names of states and territories in a text, in lower case. Of two names that begin in one place, the longer one matches.
--
-- Universities are named after a state and up to two words ("Ohio State University", "North Carolina A&T State University"). Only words that
-- stand in such names may be between: "Ohio rural community college programs" are programs in Ohio.
create or replace function funding.state_pattern() returns text
language sql immutable parallel safe as $$
  select '(?<!\m(university|college|city|county|town|port) of )(?<![\w''-])(' || (select string_agg(replace(name, '.', '\.'), '|') from funding.state_names()) || ')(?![\w-])'
    || '(?!\s+(river|basin|bay|delta|lakes?|valley|sound|sea|gulf|street|st|avenue|ave|road|rd|boulevard|blvd|highway|hwy|drive|city|county|parish|university|college|tech|institute|tribe|nation|a ?& ?[mt])\M)'
    || '(?!(\s+(state|a ?& ?[mt]|tech|technological|polytechnic|international|northern|southern|eastern|western|central|atlantic|pacific|coast|commonwealth'
    || '|military|maritime|medical|christian|lutheran|baptist|methodist|wesleyan|dominican|wom[ae]n''s)){1,2}\s+(university|college|institute)\M)'
$$;

-- Regular expression for a USPS code behind a comma ("Columbus, OH"), in upper case. Elsewhere IN, OR and ME are words.
create or replace function funding.state_code_pattern() returns text
language sql immutable parallel safe as $$
  select ',\s*(' || (select string_agg(distinct code, '|') from funding.state_names()) || ')(?![\w-])'
$$;

-- Names that an agency may have in a catalogue, in the form of `funding.name_key`: "Department of Energy" is also "Energy, Department of" and
-- "Dept of Energy".
create or replace function funding.agency_spellings(name text) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select array_remove(array[key.name, case when topic.name is not null then topic.name || ' department of' end,
    case when topic.name is not null then topic.name || ' department of the' end, case when topic.name is not null then 'dept of ' || topic.name end,
    case when topic.name is not null then 'dept of the ' || topic.name end], null)
  from (select funding.name_key(name) as name) as key
  cross join lateral (select substring(key.name from '^(?:u s |us )?department of (?:the )?(.+)$') as name) as topic
$$;

-- Agencies that a text mentions, as { said, names }: by a known abbreviation, or by a name of three words or more that records of the dataset have.
-- Of names within each other, only the longest counts.
create or replace function funding.mentioned_agencies(dataset text, query text) returns table (said text, names text[])
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  words constant text[] := regexp_split_to_array(btrim(query), '\s+');
  -- A question has few words: a text with many words is no question.
  most_words constant integer := 30;
  -- Words that names of agencies have.
  name_words constant text := '\m(department|dept|agency|administration|service|services|bureau|institutes?|foundation|endowment|corps|commission|centers?|office|council|authority|corporation|board|command|library)\M';
begin
  if cardinality(words) > most_words
    or query !~* name_words and not exists (
      select from funding.agency_abbreviations where abbreviation = any (regexp_split_to_array(lower(query), '[^a-z]+'))) then
    return;
  end if;
  return query
  with named as materialized (
    select word.position as first, word.position as last, word.said, spelling
    from unnest(words) with ordinality as word(said, position)
    join funding.agency_abbreviations as abbreviation on abbreviation.abbreviation = btrim(lower(word.said), '.,;:?!()')
      and (not abbreviation.is_word or word.said = upper(word.said))
    cross join lateral unnest(funding.agency_spellings(abbreviation.name)) as spelling
    union all
    select part.first, part.last, part.said, spelling
    from (
      select first, last, array_to_string(words[first:last], ' ') as said
      from generate_series(1, cardinality(words) - 2) as first, lateral generate_series(first + 2, least(first + 9, cardinality(words))) as last
    ) as part
    cross join lateral unnest(funding.agency_spellings(part.said)) as spelling
    where query ~* name_words
  ), known as materialized (
    select named.first, named.last, named.said, array_agg(distinct named.spelling) as names
    from named
    where exists (
      select from funding.bitmaps where bitmaps.dataset = mentioned_agencies.dataset and bitmaps.name = funding.bitmap_name('agency', named.spelling))
    group by named.first, named.last, named.said
  )
  select known.said, known.names
  from known
  where not exists (
    select from known as longer
    where longer.first <= known.first and longer.last >= known.last and (longer.first, longer.last) <> (known.first, known.last))
  order by known.first;
end
$$;

-- Mentions of a hybrid search: { filters, places, agencies }, or null where the search mentions nothing, has quotes, is a filter beside a record, or
-- is in another mode. `filters` has a filter for the places and one for the agencies, unless the request has such a filter anyway. Only places and
-- agencies that records of the dataset have in their fields count. The words stay in the search: many a record names its place or agency in its text
-- alone.
create or replace function funding.mentions_of(dataset text, filter jsonb, mode text) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  query constant text := filter->>'search';
  places text[];
  agency record;
  agencies text[] := '{}';
  spellings text[] := '{}';
  filters jsonb := '[]';
begin
  if mode is distinct from 'hybrid' or query is null or filter ? 'similar_to' or dataset = 'funders' or strpos(query, '"') > 0 then
    return null;
  end if;
  for agency in select * from funding.mentioned_agencies(dataset, query) loop
    agencies := agencies || agency.said;
    spellings := spellings || agency.names;
  end loop;
  select array_agg(distinct said.code) into places
  from (
    select state.code
    from regexp_matches(query, funding.state_pattern(), 'gi') as matched join funding.state_names() as state on state.name = lower(matched[1])
    union
    select matched[1] from regexp_matches(query, funding.state_code_pattern(), 'g') as matched
  ) as said
  where exists (
    select from funding.bitmaps where bitmaps.dataset = mentions_of.dataset and bitmaps.name = funding.bitmap_name('state', said.code));
  if places is not null then
    if not filter ?| array['states', 'geography'] then
      filters := filters || jsonb_build_object('states', places);
    end if;
  end if;
  if spellings <> '{}' and not filter ?| array['agency', 'funder_id'] then
    filters := filters || jsonb_build_object('agency', spellings);
  end if;
  if places is null and spellings = '{}' then
    return null;
  end if;
  return jsonb_build_object('filters', filters, 'places', coalesce(places, '{}'), 'agencies', agencies);
end
$$;
