-- Suggestions: what may complete the words that somebody types, with the number of current records that it finds.

-- Words by which a text is found: in lower case, without accents and punctuation.
create or replace function funding.words_of_name(name text) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select array(select distinct left(word, 60) from unnest(string_to_array(funding.name_key(name), ' ')) as word where word <> '')
$$;

-- SQL for the suggestions of a dataset: (dataset, kind, form, value, label, others, current, weight). `others` are words that find it besides those
-- of its label, `current` its current records. A record counts once, however many spellings of a value it has: records are taken together by the
-- whole of a field first, which also makes the names to compare few.
--
-- An agency is found by its abbreviation and by those of the organizations that it is within: "usda rur" finds the Rural Utilities Service.
create or replace function funding.suggestions_of(dataset text) returns text
language sql immutable as $suggestions$
  select case when dataset = 'funders' then $funders$
    select null::text as dataset, 'funder' as kind, record.id::text as form, record.id::text as value, record.name as label,
           funding.abbreviations_of(record.name) as others, 0::bigint as current, null::integer as weight
    from funding.funders as record
  $funders$ else format($records$
    (
      with record as materialized (
        select record.id, record.title, record.created_at, record.funder_id, record.categories, record.details->'agency' as agency,
               record.details->'assistance_listings' as listings, %3$s, %2$s as is_current
        from funding.%1$I as record
      )
      select %1$L, 'agency', named.form, named.name, named.name, named.others, given.current, null::integer
      from (select agency, count(*) filter (where is_current) as current from record where agency is not null group by agency) as given
      cross join lateral (
        select distinct on (form) form, name, others
        from (
          select funding.name_key(item.name) as form, item.name,
                 string_agg(funding.abbreviations_of(item.name), ' ') over (order by item.level) as others, item.level
          from jsonb_array_elements_text(given.agency) with ordinality as item(name, level)
        ) as item
        order by form, level
      ) as named
      union all
      select %1$L, 'category', given.form, given.category, given.category, null, given.current, null
      from (
        select form, category, count(*) filter (where is_current) as current
        from record cross join lateral (select distinct on (lower(category)) lower(category) as form, category from unnest(record.categories) as category) as item
        group by form, category
      ) as given
      union all
      select %1$L, 'assistance_listing', listing.number, listing.number, concat_ws(' ', listing.number, listing.title), null, given.current, null
      from (select listings, count(*) filter (where is_current) as current from record where listings is not null group by listings) as given
      cross join lateral (
        select distinct on (item->>'number') item->>'number' as number, item->>'title' as title from jsonb_array_elements(given.listings) as item
      ) as listing
      union all
      select %1$L, 'funder', funder_id::text, funder_id::text, null, null, count(*) filter (where is_current), null from record group by funder_id
      union all
      select %1$L, 'naics', naics, naics, naics, null, count(*) filter (where is_current), null from record where naics is not null group by naics
      union all
      select %1$L, 'set_aside', given.code, given.code, concat_ws(' ', given.code, known.name), null, given.current, null
      from (select upper(set_aside_code) as code, count(*) filter (where is_current) as current from record where set_aside_code is not null group by 1) as given
      left join funding.set_aside_names as known on known.code = given.code
      union all
      select %1$L, 'title', id::text, id::text, title, null, 1, (extract(epoch from created_at) / 86400)::integer from record where is_current
    )
  $records$, dataset, funding.usual_condition(dataset),
    case dataset when 'contracts' then 'record.naics, record.set_aside_code' else 'null::text as naics, null::text as set_aside_code' end) end
$suggestions$;

-- Abbreviations of a name of an organization, or of the one that it begins with: "Department of Energy - Office of Science".
create or replace function funding.abbreviations_of(name text) returns text
language sql stable
set search_path = pg_catalog, pg_temp as $$
  select string_agg(known.abbreviation, ' ' order by known.abbreviation) from funding.agency_abbreviations as known
  where starts_with(funding.name_key(abbreviations_of.name) || ' ', funding.name_key(known.name) || ' ')
$$;

-- Makes the suggestions anew where the data has changed: only the rows that differ are written. It takes a few seconds at 100,000 records, and so is
-- left out until twenty times as long has passed since the last time. Returns whether it made them.
create or replace function funding.renew_suggestions() returns boolean
language plpgsql
set search_path = funding, extensions, pg_temp set work_mem = '64MB' as $$
declare
  started constant timestamptz := clock_timestamp();
  current_version constant bigint := funding.page_version(null, true);
  known record;
begin
  select renewal.version, renewal.renewed_at, renewal.duration into known from funding.suggestion_renewal as renewal;
  if known.version = current_version or started >= known.renewed_at and started < known.renewed_at + 20 * known.duration
    or not pg_try_advisory_xact_lock(hashtextextended('suggestions', 0)) then
    return false;
  end if;
  execute format($renewal$
    with found as materialized (
      select kind, form, (array_agg(value order by current desc, value))[1] as value,
             (array_agg(label order by current desc, char_length(label) desc, label) filter (where label is not null))[1] as label,
             string_agg(distinct others, ' ') as others, max(weight) as weight,
             sum(current) filter (where dataset = 'grants')::integer as grants,
             sum(current) filter (where dataset = 'contracts')::integer as contracts
      from (%s) as found
      where char_length(value) between 1 and 200 and octet_length(form) <= 1000
      group by kind, form
    ), worded as materialized (
      select found.kind, found.form, found.value, found.label, found.grants, found.contracts,
             coalesce(found.weight, coalesce(found.grants, 0) + coalesce(found.contracts, 0)) as weight,
             -- Titles are most of them, and mostly the same as before.
             coalesce(before.words, array_to_tsvector(funding.words_of_name(concat_ws(' ', found.label, found.others)) || ('=' || found.kind))) as words
      from found
      left join funding.suggestions as before
        on found.kind = 'title' and before.kind = found.kind and before.form = found.form and before.label = found.label
      where found.label is not null
    ), gone as (
      delete from funding.suggestions as before
      where before.kind <> 'word' and not exists (select from worded where worded.kind = before.kind and worded.form = before.form)
    )
    insert into funding.suggestions as before (kind, form, value, label, words, grants, contracts, weight)
    select kind, form, value, label, words, grants, contracts, weight from worded
    on conflict (kind, form) do update
    set value = excluded.value, label = excluded.label, words = excluded.words, grants = excluded.grants, contracts = excluded.contracts,
        weight = excluded.weight
    where (before.value, before.label, before.words, before.grants, before.contracts, before.weight)
      is distinct from (excluded.value, excluded.label, excluded.words, excluded.grants, excluded.contracts, excluded.weight)
  $renewal$, (select string_agg(funding.suggestions_of(dataset), ' union all ') from unnest(array['funders', 'grants', 'contracts']) as dataset));

  -- The words of titles, each in the spelling that most titles have, with the records that have it anywhere: what a search for it finds.
  with spelled as materialized (
    select word, count(*) as titles, (ts_lexize('english_stem', word))[1] as lexeme
    from funding.suggestions, unnest(tsvector_to_array(suggestions.words)) as word
    where suggestions.kind = 'title' and word ~ '^[a-z]{3,}$'
    group by word
  ), counted as materialized (
    select 'grants' as dataset, stat.word as lexeme, stat.ndoc from ts_stat(format('select record.lexemes from funding.grants as record where %s', funding.usual_condition('grants'))) as stat
    union all
    select 'contracts', stat.word, stat.ndoc from ts_stat(format('select record.lexemes from funding.contracts as record where %s', funding.usual_condition('contracts'))) as stat
    union all
    select 'funders', stat.word, stat.ndoc from ts_stat('select lexemes from funding.funders') as stat
  ), found as materialized (
    select usual.word, sum(counted.ndoc) filter (where counted.dataset = 'grants')::integer as grants,
           sum(counted.ndoc) filter (where counted.dataset = 'contracts')::integer as contracts,
           sum(counted.ndoc) filter (where counted.dataset = 'funders')::integer as funders
    from (select distinct on (lexeme) lexeme, word from spelled where lexeme is not null order by lexeme, titles desc, word) as usual
    join counted using (lexeme)
    group by usual.word
  ), gone as (
    delete from funding.suggestions as before
    where before.kind = 'word' and not exists (select from found where found.word = before.form)
  )
  insert into funding.suggestions as before (kind, form, value, label, words, grants, contracts, funders, weight)
  select 'word', word, word, word, array_to_tsvector(array[word, '=word']), coalesce(grants, 0), coalesce(contracts, 0), coalesce(funders, 0),
         coalesce(grants, 0) + coalesce(contracts, 0) + coalesce(funders, 0)
  from found
  on conflict (kind, form) do update
  set grants = excluded.grants, contracts = excluded.contracts, funders = excluded.funders, weight = excluded.weight
  where (before.grants, before.contracts, before.funders) is distinct from (excluded.grants, excluded.contracts, excluded.funders);

  with found as materialized (
    select word, count(*)::integer as suggestions from funding.suggestions, unnest(tsvector_to_array(suggestions.words)) as word where word not like '=%' group by word
  ), gone as (
    delete from funding.suggestion_words as before where not exists (select from found where found.word = before.word)
  )
  insert into funding.suggestion_words as before (word, suggestions)
  select word, suggestions from found
  on conflict (word) do update set suggestions = excluded.suggestions where before.suggestions <> excluded.suggestions;

  perform funding.note_renewal(current_version, started);
  return true;
end
$$;

-- Notes when the suggestions were made, of which version of the data, and how long that took. An attempt that failed has the version -1: it is made again
-- after twenty times as long as it took.
create or replace function funding.note_renewal(version bigint, started timestamptz) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
begin
  insert into funding.suggestion_renewal as renewal (is_only, version, renewed_at, duration)
  values (true, note_renewal.version, started, clock_timestamp() - started)
  on conflict (is_only) do update set version = excluded.version, renewed_at = excluded.renewed_at, duration = excluded.duration;
end
$$;

-- Beginnings of words that some suggestion has, at edit distance 1 of a word's beginning: one letter inserted, deleted or replaced, or two neighbours
-- swapped. The eight that most suggestions have. Each possible one is looked up, some 500 for a word of ten letters.
create or replace function funding.respelled_beginnings(word text) returns text[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return (
    with given as (
      select left(word, 12) as word, least(char_length(word), 12) as size
    ), letter as (
      select chr(code) as letter from generate_series(97, 122) as code
    ), variant as (
      select left(given.word, place - 1) || letter || substr(given.word, place + 1) as variant from given, generate_series(1, given.size) as place, letter
      union
      select left(given.word, place - 1) || letter || substr(given.word, place) from given, generate_series(1, given.size) as place, letter
      union
      select left(given.word, place - 1) || substr(given.word, place + 1) from given, generate_series(1, given.size) as place
      union
      select left(given.word, place - 1) || reverse(substr(given.word, place, 2)) || substr(given.word, place + 2)
      from given, generate_series(1, given.size - 1) as place
    )
    select coalesce(array_agg(variant), '{}')
    from (
      select variant.variant
      from variant
      cross join lateral (
        select known.suggestions from funding.suggestion_words as known
        where known.word >= variant.variant collate "C" and known.word < (variant.variant || '~') collate "C"
        order by known.word
        limit 1
      ) as known
      order by known.suggestions desc, variant.variant
      limit 8
    ) as nearest);
end
$$;

-- Number of current records in these datasets that a suggestion finds; null where they have none, archived ones included.
create or replace function funding.found_in(datasets text[], grants integer, contracts integer, funders integer) returns integer
language sql immutable parallel safe as $$
  select case when 'grants' = any (datasets) and grants is not null or 'contracts' = any (datasets) and contracts is not null
      or 'funders' = any (datasets) and funders is not null
    then case when 'grants' = any (datasets) then coalesce(grants, 0) else 0 end
      + case when 'contracts' = any (datasets) then coalesce(contracts, 0) else 0 end
      + case when 'funders' = any (datasets) then coalesce(funders, 0) else 0 end
  end
$$;

-- Suggestions of these kinds for what somebody has typed: a JSON array of { kind, value, label, records, datasets }. Those with current records in
-- these datasets come first, then those spelt so, then the best of each kind in turn. Each word that was typed is the beginning of one of the
-- suggestion's words. Where fewer than five suggestions have them all, those follow that have them with one typo, in a word of four letters or more.
create or replace function funding.suggested(typed text, kinds text[], datasets text[], maximum integer) returns json
language plpgsql stable
-- Plans need not know the words. These are found by their index alone.
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  fewest constant integer := 5;
  typed_form constant text := funding.name_key(typed);
  typed_words constant text[] := array(select left(word, 60) from unnest(string_to_array(typed_form, ' ')) as word where word <> '');
  wanted constant tsquery := (select string_agg(funding.quoted_lexeme(word) || ':*', ' & ') from unnest(typed_words) as word)::tsquery;
  near tsquery;
  -- Those that were found, by their key.
  found_kinds text[];
  found_forms text[];
  exact integer;
  -- No more suggestions have all words than have the rarest.
  at_most bigint;
begin
  if typed_words = '{}' then
    return '[]';
  end if;
  at_most := (
    select min((select coalesce(sum(known.suggestions), 0) from funding.suggestion_words as known where known.word >= typed_word collate "C" and known.word < (typed_word || '~') collate "C"))
    from unnest(typed_words) as typed_word);
  select coalesce(array_agg(given.kind), '{}'), coalesce(array_agg(given.form), '{}') into found_kinds, found_forms
  from funding.suggestions_with(wanted, kinds, datasets, maximum, at_most) as given;
  exact := cardinality(found_forms);
  if exact < fewest then
    select string_agg(others.words || '(' || respelled.beginnings || ')', ' | ')::tsquery, sum(respelled.suggestions) into near, at_most
    from unnest(typed_words) with ordinality as word(word, place)
    cross join lateral (
      select string_agg(funding.quoted_lexeme(beginning) || ':*', ' | ') as beginnings, sum(known.suggestions) as suggestions
      from unnest(funding.respelled_beginnings(word.word)) as beginning
      cross join lateral (
        select sum(known.suggestions) as suggestions from funding.suggestion_words as known
        where known.word >= beginning collate "C" and known.word < (beginning || '~') collate "C"
      ) as known
    ) as respelled
    cross join lateral (
      select coalesce(string_agg(funding.quoted_lexeme(other) || ':* & ', ''), '') as words
      from unnest(typed_words) with ordinality as other(other, place) where other.place <> word.place
    ) as others
    where word.word ~ '^[a-z]{4,}$' and respelled.beginnings is not null;
    if near is not null then
      select found_kinds || coalesce(array_agg(given.kind), '{}'), found_forms || coalesce(array_agg(given.form), '{}') into found_kinds, found_forms
      from funding.suggestions_with(near, kinds, datasets, maximum, at_most) as given;
    end if;
  end if;
  return (
    select coalesce(json_agg(json_build_object('kind', chosen.kind, 'value', chosen.value, 'label', chosen.label, 'records', chosen.records, 'datasets',
      json_strip_nulls(json_build_object(
        'grants', case when 'grants' = any (datasets) then chosen.grants end,
        'contracts', case when 'contracts' = any (datasets) then chosen.contracts end,
        'funders', case when 'funders' = any (datasets) then chosen.funders end))) order by chosen.place), '[]')
    from (
      select ranked.*, row_number() over (
        order by ranked.records = 0, ranked.is_near, ranked.place_in_kind, array_position(kinds, ranked.kind)) as place
      from (
        select item.*, row_number() over (
          partition by item.kind, item.records = 0, item.is_near
          order by not starts_with(lower(item.label), lower(typed)), item.records desc, item.weight desc, item.label, item.form) as place_in_kind
        from (
          select one.*, known.place > exact as is_near, funding.found_in(datasets, one.grants, one.contracts, one.funders) as records
          from (
            -- Those with a typo may have the words as they are, too.
            select kind, form, min(place) as place from unnest(found_kinds, found_forms) with ordinality as given(kind, form, place) group by kind, form
          ) as known
          join funding.suggestions as one using (kind, form)
        ) as item
      ) as ranked
      order by place
      limit maximum
    ) as chosen);
end
$$;

-- Keys of the suggestions with these words: of each kind those of most weight, so many at most. What is frequent is found among the first of its kind,
-- the rest by the index of words, which has the kinds as well. `at_most`: no more suggestions have the words; null where that is not known.
create or replace function funding.suggestions_with(wanted tsquery, kinds text[], datasets text[], maximum integer, at_most bigint)
returns table (kind text, form text)
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  first_looks constant integer := 400;
  -- As many are read by the index in the time of the first looks.
  few constant integer := 4000;
  wanted_kind text;
  forms text[];
  kind_words text[] := '{}';
begin
  foreach wanted_kind in array kinds loop
    if at_most <= few then
      kind_words := kind_words || funding.quoted_lexeme('=' || wanted_kind);
      continue;
    end if;
    forms := array(
      select looked.form
      from (
        select * from funding.suggestions where suggestions.kind = wanted_kind order by suggestions.weight desc limit first_looks
      ) as looked
      where looked.words @@ wanted and funding.found_in(datasets, looked.grants, looked.contracts, looked.funders) is not null
      limit maximum);
    if cardinality(forms) = maximum or not exists (
      select from funding.suggestions where suggestions.kind = wanted_kind order by suggestions.weight desc offset first_looks limit 1
    ) then
      return query select wanted_kind, found from unnest(forms) as found;
    else
      kind_words := kind_words || funding.quoted_lexeme('=' || wanted_kind);
    end if;
  end loop;
  if kind_words <> '{}' then
    return query
      select ranked.kind, ranked.form
      from (
        select suggestion.kind, suggestion.form, row_number() over (partition by suggestion.kind order by suggestion.weight desc, suggestion.form) as place
        from funding.suggestions as suggestion
        where suggestion.words @@ (array_to_string(kind_words, ' | ')::tsquery && wanted)
          and funding.found_in(datasets, suggestion.grants, suggestion.contracts, suggestion.funders) is not null
      ) as ranked
      where ranked.place <= maximum;
  end if;
end
$$;
