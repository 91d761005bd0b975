-- Identifiers that people quote: opportunity and solicitation numbers, assistance listings, NAICS codes, EINs. They are compared
-- without their case, hyphens and spaces.

-- Identifier without its case and punctuation: "ZX99-26-R-0043" and "zx99 26 r 0043" are "zx9926r0043". Letters of every script stay. The form is
-- cut, since no index takes a text of any length. (A regular expression takes ten times as long, and few identifiers need it.)
create or replace function funding.identifier_form(identifier text) returns text
language sql immutable parallel safe as $$
  select left(lower(case
    when octet_length(identifier) = char_length(identifier) then translate(identifier, E' -./_:#()[]{}<>"''`,;!?$%&*+=@^|~\\\t\n\r\f\x0b', '')
    else regexp_replace(identifier, '[\s!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u206f\u2212\u3000-\u3003\ufe58\ufe63\ufeff\uff0d]+', '', 'g')
  end), 200)
$$;

-- Identifier without the label that people put before it ("CFDA 93.243", "Solicitation No. W912-24"), or null where it has none. Words
-- that also begin names ("grant", "award") are a label only with "number" or the like.
create or replace function funding.without_label(identifier text) returns text
language sql immutable parallel safe as $$
  -- The beginnings of labels are matched first, and few identifiers have one: the whole pattern takes many times as long.
  select case when identifier ~* '^\W*(?:federal|assis|cfda|aln|naics|ein|fain|piid|foa|nofo|fund|oppo|soli|noti|award|grant|cont|refe)' then
    substring(identifier from '(?i)^\W*(?:'
    || '(?:(?:federal\s+)?assistance\s+listings?|cfda|aln|naics|ein|fain|piid|foa|nofo)(?:\s+(?:numbers?|no|nos|codes?|id))?'
    || '|(?:funding\s+opportunity|opportunity|solicitation|notice|award|grant|contract|reference)(?:\s+(?:number|no|id)|\s*#)'
    || ')(?:[\s.:#-]+|(?=[0-9]))(\S.*)$') end
$$;

-- Whether an identifier is written like an assistance listing, "93.243". The dot distinguishes it from other numbers with the same digits.
create or replace function funding.is_assistance_listing(identifier text) returns boolean
language sql immutable parallel safe as $$
  select btrim(identifier) like '__.___' and identifier ~* '^\s*[0-9]{2}\.[0-9a-z]{3}\s*$'
$$;

-- Forms by which a record is found, from its identifiers: each with and without its label; an assistance listing also as it is written. An identifier
-- without a digit has no form, so that no word is taken for an identifier.
--
-- A list that many records match is read in its order, and this function is called for each record. It takes 16 microseconds for two identifiers;
-- with a search path of its own and the whole pattern of labels it took 70. (A higher cost of the function would not avoid the calls: the planner
-- adds the cost to index searches as well.)
create or replace function funding.identifier_forms(identifiers text[]) returns text[]
language plpgsql immutable parallel safe as $$
declare
  identifier text;
  written text;
  forms text[] := '{}';
begin
  foreach identifier in array identifiers loop
    foreach written in array array[identifier, funding.without_label(identifier)] loop
      continue when coalesce(written !~ '[0-9]', true);
      forms := forms || funding.identifier_form(written);
      if funding.is_assistance_listing(written) then
        forms := forms || lower(btrim(written));
      end if;
    end loop;
  end loop;
  return forms;
end
$$;

-- Identifiers of the row named `record`, as SQL: the expression of its index.
create or replace function funding.identifiers_of(dataset text) returns text
language sql immutable as $$
  select case dataset
    when 'grants' then 'record.identifiers'
    when 'contracts' then 'array_append(record.identifiers, record.naics)'
    -- The identifier of a foundation is its EIN, that of an agency its code.
    else 'array[record.source_id]'
  end
$$;

-- Forms of a query that is an identifier or, with `or`, of each alternative. Empty where the query is no identifier: a number among words is a word.
-- Words that the query excludes do not count.
create or replace function funding.query_identifiers(query text) returns text[]
language plpgsql immutable parallel safe
set search_path = funding, pg_temp as $$
declare
  -- No identifier with its label is longer, and most longer texts have some digits.
  longest constant integer := 300;
  wanted text;
  named text;
  written text;
  forms text[] := '{}';
begin
  if coalesce(query !~ '[0-9]' or char_length(query) > longest, true) then
    return forms;
  end if;
  wanted := funding.wanted_words(funding.without_dashes(query));
  for named in select wanted union select regexp_split_to_table(wanted, '\s+or\s+', 'i') loop
    foreach written in array array[named, funding.without_label(named)] loop
      continue when coalesce(written !~ '[0-9]', true);
      -- Quotes around an identifier are no part of it.
      written := btrim(written, E' \t\n\r"''\u201c\u201d\u2018\u2019');
      forms := forms || case when funding.is_assistance_listing(written) then lower(written) else funding.identifier_form(written) end;
    end loop;
  end loop;
  return forms;
end
$$;

-- SQL condition on the row named `record`: the filter's search is one of the record's identifiers. Null where the search is no identifier. The
-- condition depends on the record alone, unless `identifier_matches` lists the records.
create or replace function funding.identifier_condition(dataset text, filter jsonb) returns text
language plpgsql immutable
set search_path = funding, pg_temp as $$
begin
  if filter ? 'identifier_matches' then
    return case when filter->'identifier_matches' <> '[]' then $c$record.id = any (funding.uuid_array($1->'identifier_matches'))$c$ end;
  elsif cardinality(funding.query_identifiers(filter->>'search')) > 0 then
    return format(case when funding.query_ids(filter->>'search') = '{}' then '%1$s' else '(%1$s or %2$s)' end,
      format($c$funding.identifier_forms(%s) && funding.query_identifiers($1->>'search')$c$, funding.identifiers_of(dataset)),
      $c$record.id = any (funding.query_ids($1->>'search'))$c$);
  end if;
  return null;
end
$$;

-- Ids of records that a search or its alternatives may be: a record's id is an identifier, too.
create or replace function funding.query_ids(query text) returns uuid[]
language sql immutable parallel safe as $$
  select array(select form::uuid from unnest(funding.query_identifiers(query)) as form where form ~ '^[0-9a-f]{32}$')
$$;

-- Ids of the records that have the search as an identifier, as JSON, `[]` where no record has it. Null where the search is no identifier, and where
-- so many records have it that an index of identifiers finds them as soon. Sequential and plain index scans are off: the planner cannot know how many
-- records match an array that it does not see, and without the identifiers' index each record would be read.
create or replace function funding.identified_ids(dataset text, query text) returns jsonb
language plpgsql stable
set search_path = funding, extensions, pg_temp set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $$
declare
  most constant integer := 100;
  forms constant text[] := funding.query_identifiers(query);
  ids uuid[];
begin
  if forms = '{}' then
    return null;
  end if;
  ids := case dataset
    when 'grants' then array(
      select record.id from funding.grants as record where funding.identifier_forms(record.identifiers) && forms limit most + 1)
    when 'contracts' then array(
      select record.id from funding.contracts as record where funding.identifier_forms(array_append(record.identifiers, record.naics)) && forms limit most + 1)
    when 'funders' then array(
      select record.id from funding.funders as record where funding.identifier_forms(array[record.source_id]) && forms limit most + 1)
  end;
  if cardinality(ids) > most then
    return null;
  end if;
  return to_jsonb(ids || funding.query_ids(query));
end
$$;

-- Records of a search's scope that have the query as an identifier: an opportunity or solicitation number, an assistance listing, a NAICS code, an
-- EIN.
create or replace function funding.identifier_matches(scope funding.search_scope, maximum integer) returns uuid[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  identified constant text := funding.identifier_condition(scope.dataset, scope.parameters);
  ids uuid[];
begin
  -- Few queries are identifiers.
  if identified is null then
    return '{}';
  end if;
  execute format('select array(select record.id from funding.%I as record where (%s) and (%s) order by record.id limit $2)',
    scope.dataset, identified, scope.condition)
  into ids using scope.parameters, maximum;
  return ids;
end
$$;
