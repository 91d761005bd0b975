-- Numbers that people quote (opportunity and solicitation numbers, assistance listings, NAICS codes, EINs), compared
-- whatever their case, hyphens and spaces. Before this, they were looked up as they are written.
--
-- An index over what is stored, and no column of its own: that would rewrite the tables. Writers wait while it is
-- made, 2 to 9 s at 35,500 records on a machine that others used too; readers do not.

-- A number without its case and punctuation: "ZX99-26-R-0043" and "zx99 26 r 0043" are "zx9926r0043". Letters of every
-- script stay. No index takes a text of any length. (A regular expression takes ten times as long, and few need it.)
create function funding.identifier_form(identifier text) returns text
language sql immutable parallel safe as $$
  select left(lower(case
    when octet_length(identifier) = char_length(identifier) then translate(identifier, E' -./_:#()[]{}<>"''`,;!?$%&*+=@^|~\\\t\n\r\f\x0b', '')
    else regexp_replace(identifier, '[\s!-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u206f\u2212\u3000-\u3003\ufe58\ufe63\ufeff\uff0d]+', '', 'g')
  end), 200)
$$;

-- A number without the label that people put before it ("CFDA 93.243", "Solicitation No. W912-24"), or null where it has
-- none. Words that also begin names ("grant", "award") are a label only with "number" or the like.
create function funding.without_label(identifier text) returns text
language sql immutable parallel safe as $$
  -- What few identifiers begin with is looked for first: the rest takes many times as long.
  select case when identifier ~* '^\W*(?:federal|assis|cfda|aln|naics|ein|fain|piid|foa|nofo|fund|oppo|soli|noti|award|grant|cont|refe)' then
    substring(identifier from '(?i)^\W*(?:'
    || '(?:(?:federal\s+)?assistance\s+listings?|cfda|aln|naics|ein|fain|piid|foa|nofo)(?:\s+(?:numbers?|no|nos|codes?|id))?'
    || '|(?:funding\s+opportunity|opportunity|solicitation|notice|award|grant|contract|reference)(?:\s+(?:number|no|id)|\s*#)'
    || ')(?:[\s.:#-]+|(?=[0-9]))(\S.*)$') end
$$;

-- Whether a number is written as an assistance listing is, "93.243". Its dot is what tells it from the other numbers that
-- have its digits.
create function funding.is_assistance_listing(identifier text) returns boolean
language sql immutable parallel safe as $$
  select btrim(identifier) like '__.___' and identifier ~* '^\s*[0-9]{2}\.[0-9a-z]{3}\s*$'
$$;

-- What a record is found by, from its identifiers: the form of each, with and without a label; an assistance listing as it
-- is written, too. An identifier without a digit is none, so that no word is taken for one.
--
-- A list that many match is read in its order, and this called for each record: 16 microseconds for two identifiers, where an own search
-- path and a whole look for a label took 70. (A cost would not spare that: the planner adds it to what the index finds as well.)
create function funding.identifier_forms(identifiers text[]) returns text[]
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

-- What the records are found by that a query names: the forms of the query or, where it has `or`, of each alternative.
-- Empty where it is no number: a number among words is words. What the query excludes is no part of it.
create function funding.query_identifiers(query text) returns text[]
language plpgsql immutable parallel safe
set search_path = funding, pg_temp as $$
declare
  -- No number is longer with its label, and most texts that are have some digits.
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
      -- Quotes are around it, and no part of it.
      written := btrim(written, E' \t\n\r"''\u201c\u201d\u2018\u2019');
      forms := forms || case when funding.is_assistance_listing(written) then lower(written) else funding.identifier_form(written) end;
    end loop;
  end loop;
  return forms;
end
$$;

-- The identifiers of the row named `record`, as SQL: what its index is over.
create function funding.identifiers_of(dataset text) returns text
language sql immutable as $$
  select case dataset
    when 'grants' then 'record.identifiers'
    when 'contracts' then 'array_append(record.identifiers, record.naics)'
    -- A foundation's is its EIN, an agency's its code.
    else 'array[record.source_id]'
  end
$$;

do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format('create index %1$s_identifier_forms on funding.%1$I using gin (funding.identifier_forms(%2$s))',
      dataset, replace(funding.identifiers_of(dataset), 'record.', ''));
  end loop;
end
$$;

-- GRANTS_identified and so on: ids of the records that have any of the forms, `most` at the most. Whether an index is worth its
-- while the planner cannot know of an array that it does not see; without one, each record would be looked at.
do $do$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($create$
      create function funding.%1$s_identified(forms text[], most integer) returns uuid[]
      language plpgsql stable set enable_seqscan = off set enable_indexscan = off set plan_cache_mode = force_generic_plan as $body$
      begin
        return array(
          select record.id from funding.%1$I as record
          where funding.identifier_forms(%2$s) && forms
          limit most);
      end
      $body$
    $create$, dataset, funding.identifiers_of(dataset));
  end loop;
end
$do$;

-- So that the planner knows how often each is quoted.
analyze funding.grants, funding.contracts, funding.funders;

revoke execute on all functions in schema funding from public;
