-- Set-asides that were stored by a name, since the importer did not know it ("Competitive 8(a)", "Total HUB Zone"), get the
-- code that `shared/validation/set-aside.ts` reads in the name today. The filter reads the same table, and would no longer
-- find them by their names.
--
-- The content hash stays, so that no webhook tells of it: the record is the same, and its publisher changed nothing. The
-- next import of it writes the hash. Rows are touched only where a name has a code; there are few names, and each is one
-- statement, so that this may run beside the service.
do $$
declare
  stored text;
  rest text;
  piece text;
  names text[];
  word record;
  known text;
begin
  create temporary table set_aside_words (position integer generated always as identity, pattern text, part text);
  insert into set_aside_words (pattern, part) values
    ('econ(?:omically)?disadvantaged(?:wom[ae]ns?owned(?:smallbusiness(?:es)?|business(?:es)?)?|wosb(?:s(?!etaside|ole|pecific|mall))?)|edwosb(?:s(?!etaside|ole|pecific|mall))?', 'edwosb'),
    ('wom[ae]ns?owned(?:smallbusiness(?:es)?|business(?:es)?)?|wosb(?:s(?!etaside|ole|pecific|mall))?', 'wosb'),
    ('(?:servicedisabled|sd)veterans?owned(?:smallbusiness(?:es)?|business(?:es)?)?|sdvosb(?:s(?!etaside|ole|pecific|mall))?', 'sdvosb'),
    ('veterans?owned(?:smallbusiness(?:es)?|business(?:es)?)?|vosb(?:s(?!etaside|ole|pecific|mall))?', 'vosb'),
    ('historicallyunderutilized(?:smallbusiness(?:es)?|business(?:es)?)(?:zone(?:s(?!etaside|ole|pecific|mall))?)?|hubzone(?:s(?!etaside|ole|pecific|mall))?', 'hubzone'),
    ('indiansmallbusinesseconomicenterprise(?:s(?!etaside|ole|pecific|mall))?|isbee(?:s(?!etaside|ole|pecific|mall))?', 'isbee'),
    ('indianeconomicenterprise(?:s(?!etaside|ole|pecific|mall))?|iee(?:s(?!etaside|ole|pecific|mall))?', 'iee'),
    ('buyindian(?:act)?', 'buy-indian'),
    ('historicallyblackcollege(?:s(?!etaside|ole|pecific|mall))?(?:and|or)?(?:universit(?:y|ies))?|minorityinstitution(?:s(?!etaside|ole|pecific|mall))?|hbcu(?:s(?!etaside|ole|pecific|mall))?(?:(?:and|or)?mi(?:s(?!etaside|ole|pecific|mall))?)?', 'hbcu'),
    ('verysmallbusiness(?:es)?', 'very-small'),
    ('emergingsmallbusiness(?:es)?', 'emerging-small'),
    ('reservedforsmallbusiness(?:es)?(?:\d+(?:to\d+k?)?)?', 'reserved-small'),
    ('smallbusiness(?:es)?', 'small'),
    ('(?:section)?8a', '8a'),
    ('localarea', 'local'),
    ('solesource(?:s(?!etaside|ole|pecific|mall))?', 'sole'),
    ('partial', 'partial'),
    ('total', 'total'),
    ('specificto[a-z]+$', ''),
    ('far(?:sub)?(?:part)?\d+', ''),
    ('setaside(?:s(?!etaside|ole|pecific|mall))?|program(?:s(?!etaside|ole|pecific|mall))?|sbacertified|certified|compet(?:ed|itive|ition)|concern(?:s(?!etaside|ole|pecific|mall))?|100percent|only|the|or|and|for|in|of', '');
  create temporary table set_aside_parts (parts text, code text);
  insert into set_aside_parts values
    ('small', 'SBA'), ('small total', 'SBA'), ('partial small', 'SBP'), ('8a', '8A'),
    ('8a sole', '8AN'), ('hubzone', 'HZC'), ('hubzone sole', 'HZS'), ('sdvosb', 'SDVOSBC'),
    ('sdvosb sole', 'SDVOSBS'), ('wosb', 'WOSB'), ('sole wosb', 'WOSBSS'), ('edwosb', 'EDWOSB'),
    ('edwosb sole', 'EDWOSBSS'), ('local', 'LAS'), ('iee', 'IEE'), ('isbee', 'ISBEE'),
    ('buy-indian', 'BICIV'), ('vosb', 'VSA'), ('sole vosb', 'VSS'), ('hbcu', 'HMT'),
    ('hbcu total', 'HMT'), ('hbcu partial', 'HMP'), ('very-small', 'VSB'), ('emerging-small', 'ESB'),
    ('reserved-small', 'RSB');
  for stored in select distinct set_aside_code from funding.contracts where length(set_aside_code) between 2 and 300 loop
    rest := regexp_replace(lower(stored), '[^a-z0-9]', '', 'g');
    names := array[]::text[];
    known := (select code from set_aside_parts where lower(code) = rest limit 1);
    known := coalesce(known, case rest when 'bi' then 'BICIV' when 'sdvosbss' then 'SDVOSBS' end);
    while known is null and rest <> '' loop
      piece := null;
      for word in select pattern, part from set_aside_words order by position loop
        piece := substring(rest from '^(?:' || word.pattern || ')');
        exit when piece <> '';
      end loop;
      -- What is not a word of set-asides makes the text something else.
      if coalesce(piece, '') = '' then
        names := null;
        exit;
      end if;
      if word.part <> '' and not word.part = any (names) then
        names := names || word.part;
      end if;
      rest := substr(rest, length(piece) + 1);
    end loop;
    if known is null and names is not null then
      if 'edwosb' = any (names) then names := array_remove(names, 'wosb'); end if;
      if 'sdvosb' = any (names) then names := array_remove(names, 'vosb'); end if;
      if names && '{8a,hubzone,sdvosb,vosb,wosb,edwosb,isbee,iee,buy-indian,local}'::text[] then
        names := array_remove(array_remove(names, 'small'), 'total');
        if not 'sole' = any (names) then names := array_remove(names, 'partial'); end if;
      end if;
      known := (
        select code from set_aside_parts
        where set_aside_parts.parts = (select string_agg(part, ' ' order by part collate "C") from unnest(names) as part)
      );
    end if;
    if known is not null and known <> stored then
      update funding.contracts set set_aside_code = known where set_aside_code = stored;
    end if;
  end loop;
  drop table set_aside_words;
  drop table set_aside_parts;
end
$$;
