-- Records: ids, keys that texts are compared by, the columns that sources fill, and the version of the data.

-- Stable id of a record. The same source and source id give the same UUID on every machine, so a client's stored ids survive
-- a database rebuilt from the same sources. (RFC 9562 version 8.)
create or replace function funding.record_id(dataset text, source text, source_id text) returns uuid
language sql immutable parallel safe as $$
  select overlay(overlay(hash placing '8' from 13) placing 'a' from 17)::uuid
  -- A slash inside a source is escaped, so that it cannot be taken for the slash after the source.
  from md5(dataset || '/' || replace(replace(source, '%', '%25'), '/', '%2F') || '/' || source_id) as hash
$$;

-- Key that names are compared by: case, accents, punctuation and spacing do not matter. Letters of every script do, so only
-- known punctuation is dropped.
create or replace function funding.name_key(name text) returns text
language plpgsql immutable parallel safe as $$
begin
  return btrim(regexp_replace(lower(extensions.unaccent('extensions.unaccent'::regdictionary, name)), '[\s\u00a0\u2000-\u200b\u202f\u3000!-/:-@\[-`{-~]+', ' ', 'g'));
end
$$;

-- Keys by which an opportunity's number is found in other spellings: `=` and its letters and digits without a version in words ("Amendment 2", "Rev. 1"),
-- and, where it ends like "-01", `~` and those before that. A number of fewer than five letters and digits is compared as it is.
create or replace function funding.number_keys(number text) returns text[]
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
declare
  base constant text := regexp_replace(btrim(upper(left(number, 200))),
    '[\s(,;:_./-]+((AMENDMENT|MODIFICATION|REVISION|AMENDED|MODIFIED|REVISED)[\s.#:_-]*((NO|NUMBER)[\s.#:_-]*)?\d{0,3}|(AMEND|AMDT|AMD|MOD|REV|VERSION|VER|V)[\s.#:_-]*\d{1,3})[\s).]*$', '');
  spelling constant text := regexp_replace(base, '[^[:alnum:]]', '', 'g');
  unversioned constant text := regexp_replace(regexp_replace(base, '[\s_./-]+\d{1,2}$', ''), '[^[:alnum:]]', '', 'g');
begin
  return case
    when number is null then '{}'
    when char_length(spelling) < 5 then array['=' || btrim(upper(left(number, 200)))]
    when unversioned <> spelling and char_length(unversioned) >= 5 then array['=' || spelling, '~' || unversioned]
    else array['=' || spelling]
  end;
end
$$;

-- Key of the number by which an opportunity's versions are looked for: letters and digits, without a version in words. Null for a number of fewer than six
-- letters and digits, or without a digit, such as "TBD": many opportunities have those.
create or replace function funding.version_key(details jsonb) returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
declare
  key constant text := (funding.number_keys(details->>'opportunity_number'))[1];
begin
  return case when char_length(key) > 6 and key ~ '\d' then key end;
end
$$;

-- Key that titles and names are sorted by: their beginning. That is enough, and no index takes a text of any length.
create or replace function funding.title_key(title text) returns text
language sql immutable parallel safe as $$
  select left(lower(title), 300)
$$;

-- Texts in lower case, in their order.
create or replace function funding.lowercased(values_ text[]) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(lower(value) order by position), '{}')
  from unnest(values_) with ordinality as item(value, position)
$$;

-- Columns that a source fills, in the order in which they are compared.
create or replace function funding.content_columns(dataset text) returns text[]
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then array['name', 'summary', 'website', 'created_at']
    else array['title', 'description', 'amount_min', 'amount_max', 'deadline_date', 'project_end_date', 'status',
      'classification', 'geography', 'states', 'is_national', 'funder_id', 'listing_url', 'created_at', 'categories',
      'identifiers', 'archived_at'] || case dataset
        when 'contracts' then array['document_url', 'naics', 'primary_contact_email', 'set_aside_code']
        else '{}'
      end
  end
$$;

-- Trigger of the datasets and of the tables that ranking depends on: makes a new version of the data. Records that only move to other slots make
-- none.
create or replace function funding.note_data_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if current_setting('funding.moves_records', true) in ('on', 'all') then
    return null;
  end if;
  update funding.data_versions
  set version = version + 1, changed_at = clock_timestamp()
  where dataset = coalesce(tg_argv[0], tg_table_name);
  return null;
end
$$;

-- Freshness of a dataset: the time of the newest file whose records are all in. Records that no import brought are as fresh as the last change to the
-- dataset. Each dataset has an index of its own (`imports_of_grants`), whose condition has to be repeated here word for word: the log has 100,000
-- imports in a year of one every five minutes, and each answer of a list reads this.
create or replace function funding.data_as_of(dataset text) returns timestamptz
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
begin
  return coalesce(
    case dataset
      when 'grants' then (
        select max(as_of) from funding.imports where outcome in ('completed', 'refused') and datasets @> array['grants'])
      when 'contracts' then (
        select max(as_of) from funding.imports where outcome in ('completed', 'refused') and datasets @> array['contracts'])
      when 'funders' then (
        select max(as_of) from funding.imports where outcome in ('completed', 'refused') and datasets @> array['funders'])
    end,
    (select changed_at from funding.data_versions where data_versions.dataset = data_as_of.dataset));
end
$$;
