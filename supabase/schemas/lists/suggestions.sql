-- Suggestions: what may complete the words that somebody types, with the number of current records that it finds.

-- Words by which a text is found: in lower case, without accents and punctuation.
create or replace function funding.words_of_name(name text) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select array(select distinct left(word, 60) from unnest(string_to_array(funding.name_key(name), ' ')) as word where word <> '')
$$;

-- Bucket of a word: its first letter and a class of the second; '' before 'a'. The letters after 'z' are with it. A word and its lexeme are in the same
-- one, since the stemmer keeps the first letter, and of the second ("dying", "die") makes at most 'y' an 'i'.
create or replace function funding.word_bucket(word text) returns text
language sql immutable parallel safe as $$
  select case when word < 'a' collate "C" then ''
    else (case when word >= 'z' collate "C" then 'z' else left(word, 1) end) || ascii(replace(substr(word, 2, 1), 'y', 'i')) % 5 end
$$;

-- The bucket after this one; null after the last.
create or replace function funding.next_bucket(bucket text) returns text
language sql immutable parallel safe as $$
  select case when bucket = '' then 'a0' when right(bucket, 1) < '4' then left(bucket, 1) || right(bucket, 1)::integer + 1
    when bucket < 'z' collate "C" then chr(ascii(bucket) + 1) || '0' end
$$;

-- Abbreviations of names of organizations, each with those of the one that the name begins with: "Department of Energy - Office of Science".
create or replace function funding.abbreviations_of(names text[]) returns table (name text, form text, abbreviations text)
language sql stable
set search_path = pg_catalog, pg_temp as $$
  with known as materialized (
    select known.abbreviation, funding.name_key(known.name) || ' ' as beginning from funding.agency_abbreviations as known
  ), named as materialized (
    select one.name, funding.name_key(one.name) as form from unnest(names) as one(name)
  )
  select named.name, named.form,
         (select string_agg(known.abbreviation, ' ' order by known.abbreviation) from known where starts_with(named.form || ' ', known.beginning))
  from named
$$;

-- SQL for the values of records of a dataset, `record`: (kind, form, value, label, others, current). `others` are words that find one besides those of
-- its label, `current` its current records. A record counts once, however many spellings of a value it has: records are taken together by the whole
-- of a field first, which also makes the names to compare few.
--
-- An agency is found by its abbreviation and by those of the organizations that it is within: "usda rur" finds the Rural Utilities Service.
create or replace function funding.suggested_values(dataset text) returns text
language sql immutable as $values$
  select case when dataset = 'funders' then $funders$
    select 'funder' as kind, record.id::text as form, record.id::text as value, record.name as label, named.abbreviations as others, 0::bigint as current
    from record join funding.abbreviations_of(array(select distinct name from record)) as named using (name)
  $funders$ else format($records$
    select 'agency' as kind, named.form, named.name as value, named.name as label, named.others, given.current
    from (select agency, count(*) filter (where is_current) as current from record where agency is not null group by agency) as given
    cross join lateral (
      select distinct on (form) form, name, others
      from (
        select known.form, item.name, string_agg(known.abbreviations, ' ') over (order by item.level) as others, item.level
        from jsonb_array_elements_text(given.agency) with ordinality as item(name, level)
        join abbreviated as known using (name)
      ) as item
      order by form, level
    ) as named
    union all
    select 'category', given.form, given.category, given.category, null, given.current
    from (
      select form, category, count(*) filter (where is_current) as current
      from record cross join lateral (select distinct on (lower(category)) lower(category) as form, category from unnest(record.categories) as category) as item
      group by form, category
    ) as given
    union all
    select 'assistance_listing', listing.number, listing.number, concat_ws(' ', listing.number, listing.title), null, given.current
    from (select listings, count(*) filter (where is_current) as current from record where listings is not null group by listings) as given
    cross join lateral (
      select distinct on (item->>'number') item->>'number' as number, item->>'title' as title from jsonb_array_elements(given.listings) as item
    ) as listing
    union all
    select 'funder', funder_id::text, funder_id::text, null, null, count(*) filter (where is_current) from record group by funder_id
    %s
  $records$, case dataset when 'contracts' then $contracts$
    union all
    select 'naics', naics, naics, naics, null, count(*) filter (where is_current) from record where naics is not null group by naics
    union all
    select 'psc', psc, psc, psc, null, count(*) filter (where is_current) from record where psc is not null group by psc
    union all
    select 'set_aside', given.code, given.code, concat_ws(' ', given.code, known.name), null, given.current
    from (select upper(set_aside_code) as code, count(*) filter (where is_current) as current from record where set_aside_code is not null group by 1) as given
    left join funding.set_aside_names as known on known.code = given.code
  $contracts$ end) end
$values$;

-- A step of a renewal: reads the next records of a dataset by id, so many at most. Writes their titles, and notes their values and words as the part of
-- this number. Returns the id of the last one; null at the dataset's end.
create or replace function funding.read_for_suggestions(dataset text, after_id uuid, most integer, part integer) returns uuid
language plpgsql
set search_path = funding, extensions, pg_temp set work_mem = '64MB' as $$
declare
  first constant uuid := coalesce(after_id, '00000000-0000-0000-0000-000000000000');
  last uuid;
begin
  execute format('select record.id from funding.%I as record where record.id > $1 order by record.id offset $2 - 1 limit 1', dataset)
  into last using first, most;

  if dataset <> 'funders' then
    execute format($titles$
      with titled as materialized (
        select record.id::text as form, record.title, (extract(epoch from record.created_at) / 86400)::integer as weight,
               -- Mostly the same as before.
               coalesce(before.words, array_to_tsvector(funding.words_of_name(record.title) || '=title'::text)) as words
        from funding.%1$I as record
        left join funding.suggestions as before
          on before.kind = 'title' and before.form = record.id::text and before.form > $1::text and before.form <= $2::text and before.label = record.title
        where record.id > $1 and record.id <= $2 and %2$s
      ), gone as (
        delete from funding.suggestions as before
        where before.kind = 'title' and before.form > $1::text and before.form <= $2::text and before.%1$I is not null
          and before.form not in (select titled.form from titled)
      ), written as (
        insert into funding.suggestions as before (kind, form, value, label, words, %1$I, weight)
        select 'title', form, form, title, words, 1, weight from titled
        on conflict (kind, form) do update
        set label = excluded.label, words = excluded.words, %1$I = excluded.%1$I, weight = excluded.weight
        where (before.label, before.words, before.%1$I, before.weight) is distinct from (excluded.label, excluded.words, excluded.%1$I, excluded.weight)
      ), spelled as (
        select word, count(*)::integer as titles from titled, unnest(tsvector_to_array(titled.words)) as word where word <> '=title' group by word
      )
      insert into funding.suggestion_parts (kind, bucket, part, dataset, forms, spellings, counts)
      select 'spelling', funding.word_bucket(word), $3, $4,
             array_agg(case when word ~ '^[a-z]{3,}$' then (ts_lexize('english_stem', word))[1] end), array_agg(word), array_agg(titles)
      from spelled
      group by 2
    $titles$, dataset, funding.usual_condition(dataset)) using first, coalesce(last, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), part, dataset;
  end if;

  execute format($values$
    with record as materialized (
      select %s from funding.%I as record where record.id > $1 and record.id <= $2
    ), abbreviated as materialized (
      select known.* from funding.abbreviations_of(%s) as known
    )
    insert into funding.suggestion_parts (kind, bucket, part, dataset, forms, spellings, labels, others, counts)
    select found.kind, '', $3, $4, array_agg(form), array_agg(value), array_agg(label), array_agg(others), array_agg(current::integer)
    from (%s) as found
    where char_length(value) between 1 and 200 and octet_length(form) <= 1000
    group by found.kind
  $values$, case when dataset = 'funders' then 'record.id, record.name' else format(
      $c$record.funder_id, record.categories, record.details->'agency' as agency, record.details->'assistance_listings' as listings, %s %s as is_current$c$,
      case dataset when 'contracts' then $n$record.naics, record.details->>'psc' as psc, record.set_aside_code,$n$ end, funding.usual_condition(dataset)) end,
    dataset,
    case when dataset = 'funders' then '''{}''' else 'array(select distinct name from record, jsonb_array_elements_text(record.agency) as name)' end,
    funding.suggested_values(dataset))
  using first, coalesce(last, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), part, dataset;

  insert into funding.suggestion_parts (kind, bucket, part, dataset, forms, counts)
  select 'lexeme', funding.word_bucket(stat.word), read_for_suggestions.part, read_for_suggestions.dataset, array_agg(stat.word), array_agg(stat.ndoc)
  from ts_stat(format('select record.lexemes from funding.%I as record where record.id > %L and record.id <= %L and %s',
    dataset, first, coalesce(last, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), funding.usual_condition(dataset))) as stat
  where stat.word ~ '^[a-z]'
  group by 2;
  return last;
end
$$;

-- A step of a renewal: makes the suggestions of a kind of value of the parts. Notes their words as a part of this number.
create or replace function funding.merge_suggested_values(kind text, part integer) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set work_mem = '64MB' as $$
begin
  with item as materialized (
    select parts.dataset, item.form, item.value, item.label, item.others, sum(item.current)::integer as current
    from funding.suggestion_parts as parts
    cross join lateral unnest(parts.forms, parts.spellings, parts.labels, parts.others, parts.counts) as item(form, value, label, others, current)
    where parts.kind = merge_suggested_values.kind
    group by parts.dataset, item.form, item.value, item.label, item.others
  ), found as materialized (
    select item.form, (array_agg(item.value order by item.current desc, item.value))[1] as value,
           (array_agg(item.label order by item.current desc, char_length(item.label) desc, item.label) filter (where item.label is not null))[1] as label,
           string_agg(distinct item.others, ' ') as others,
           sum(item.current) filter (where item.dataset = 'grants')::integer as grants,
           sum(item.current) filter (where item.dataset = 'contracts')::integer as contracts
    from item
    group by item.form
  ), worded as materialized (
    select found.*, coalesce(found.grants, 0) + coalesce(found.contracts, 0) as weight,
           array_to_tsvector(funding.words_of_name(concat_ws(' ', found.label, found.others)) || ('=' || merge_suggested_values.kind)) as words
    from found
    where found.label is not null
  ), gone as (
    delete from funding.suggestions as before
    where before.kind = merge_suggested_values.kind and before.form not in (select worded.form from worded)
  ), written as (
    insert into funding.suggestions as before (kind, form, value, label, words, grants, contracts, weight)
    select merge_suggested_values.kind, worded.form, worded.value, worded.label, worded.words, worded.grants, worded.contracts, worded.weight from worded
    on conflict on constraint suggestions_pkey do update
    set value = excluded.value, label = excluded.label, words = excluded.words, grants = excluded.grants, contracts = excluded.contracts,
        weight = excluded.weight
    where (before.value, before.label, before.words, before.grants, before.contracts, before.weight)
      is distinct from (excluded.value, excluded.label, excluded.words, excluded.grants, excluded.contracts, excluded.weight)
  ), counted as (
    select word, count(*)::integer as suggestions from worded, unnest(tsvector_to_array(worded.words)) as word where word not like '=%' group by word
  )
  insert into funding.suggestion_parts (kind, bucket, part, dataset, spellings, counts)
  select 'value word', funding.word_bucket(word), merge_suggested_values.part, '', array_agg(word), array_agg(suggestions) from counted group by 2;
end
$$;

-- A step of a renewal: makes the suggestions of words of a bucket of the parts, and the words in which mistyped ones are looked for.
create or replace function funding.merge_suggested_words(bucket text) returns void
language plpgsql
set search_path = funding, extensions, pg_temp set work_mem = '64MB' as $$
declare
  -- Its words begin with this letter, and those of the next letter with that; null after the last.
  letter constant text := left(bucket, 1);
  until constant text := case letter when '' then 'a' when 'z' then null else chr(ascii(letter) + 1) end;
begin
  -- The words of titles, each in the spelling that most titles have, with the records that have it anywhere: what a search for it finds.
  with spelled as materialized (
    select item.lexeme, item.word, sum(item.titles) as titles
    from funding.suggestion_parts as parts cross join lateral unnest(parts.forms, parts.spellings, parts.counts) as item(lexeme, word, titles)
    where parts.kind = 'spelling' and parts.bucket = merge_suggested_words.bucket
    group by item.lexeme, item.word
  ), counted as materialized (
    select item.lexeme, sum(item.records) filter (where parts.dataset = 'grants')::integer as grants,
           sum(item.records) filter (where parts.dataset = 'contracts')::integer as contracts,
           sum(item.records) filter (where parts.dataset = 'funders')::integer as funders
    from funding.suggestion_parts as parts cross join lateral unnest(parts.forms, parts.counts) as item(lexeme, records)
    where parts.kind = 'lexeme' and parts.bucket = merge_suggested_words.bucket
    group by item.lexeme
  ), found as materialized (
    select usual.word, coalesce(counted.grants, 0) as grants, coalesce(counted.contracts, 0) as contracts, coalesce(counted.funders, 0) as funders
    from (select distinct on (lexeme) lexeme, word from spelled where lexeme is not null order by lexeme, titles desc, word) as usual
    join counted using (lexeme)
  ), gone as (
    delete from funding.suggestions as before
    where before.kind = 'word' and before.form >= letter and (until is null or before.form < until)
      and funding.word_bucket(before.form) = bucket and before.form not in (select found.word from found)
  ), written as (
    insert into funding.suggestions as before (kind, form, value, label, words, grants, contracts, funders, weight)
    select 'word', word, word, word, array_to_tsvector(array[word, '=word']), grants, contracts, funders, grants + contracts + funders
    from found
    on conflict (kind, form) do update
    set grants = excluded.grants, contracts = excluded.contracts, funders = excluded.funders, weight = excluded.weight
    where (before.grants, before.contracts, before.funders) is distinct from (excluded.grants, excluded.contracts, excluded.funders)
  ), worded as materialized (
    select word, sum(suggestions)::integer as suggestions
    from (
      select word, titles as suggestions from spelled
      union all
      select item.word, item.suggestions
      from funding.suggestion_parts as parts cross join lateral unnest(parts.spellings, parts.counts) as item(word, suggestions)
      where parts.kind = 'value word' and parts.bucket = merge_suggested_words.bucket
      union all
      select word, 1 from found
    ) as item
    group by word
  ), unused as (
    delete from funding.suggestion_words as before
    where before.word >= letter and (until is null or before.word < until)
      and funding.word_bucket(before.word) = bucket and before.word not in (select worded.word from worded)
  )
  insert into funding.suggestion_words as before (word, suggestions)
  select word, suggestions from worded
  on conflict (word) do update set suggestions = excluded.suggestions where before.suggestions <> excluded.suggestions;
end
$$;

-- Empties the parts of a renewal. A dump that reads them, which holds a truncation back, does not hold the renewal back.
create or replace function funding.drop_suggestion_parts() returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
begin
  lock table funding.suggestion_parts in access exclusive mode nowait;
  truncate funding.suggestion_parts;
exception when lock_not_available then
  delete from funding.suggestion_parts;
end
$$;

-- Makes the suggestions anew where the data has changed, a step of some 100 ms in each call: the caller calls again while it returns true. First it
-- reads all records, up to `most` in a step, as many as the last step's pace allows; then it makes the values of each kind; then the words, bucket
-- by bucket. Only the rows that differ are written, and until then readers have those of before. What changes meanwhile has another version, and so is
-- for the next renewal: that begins when twenty times as long has passed as all steps of this one took.
--
-- The state is in unlogged tables, which a crash empties together: the renewal begins anew then, and where these functions have another `method` than
-- those that began it.
create or replace function funding.renew_suggestions(most integer) returns boolean
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  -- Count it up when a change of these functions makes earlier parts useless.
  method constant integer := 1;
  step_ms constant integer := 100;
  first_size constant integer := 100;
  stages constant text[] := array['funders', 'grants', 'contracts', 'agency', 'category', 'assistance_listing', 'funder', 'naics', 'psc', 'set_aside', 'words'];
  began constant timestamptz := clock_timestamp();
  known record;
  state record;
  took_ms double precision;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('suggestions', 0)) then
    return false;
  end if;
  select * into state from funding.suggestion_progress;
  if state.method is distinct from method then
    select funding.page_version(null, true) as version, interval '0' as duration, 1 as stage, null::text as after, 0 as part, first_size as size into state;
    select renewal.version, renewal.renewed_at, renewal.duration into known from funding.suggestion_renewal as renewal;
    if known.version = state.version or began >= known.renewed_at and began < known.renewed_at + 20 * known.duration then
      return false;
    end if;
    perform funding.drop_suggestion_parts();
  end if;
  state.part := state.part + 1;
  case
    when state.stage <= 3 then
      state.after := funding.read_for_suggestions(stages[state.stage], state.after::uuid, least(state.size, greatest(most, 1)), state.part);
      took_ms := extract(epoch from clock_timestamp() - began) * 1000;
      state.size := greatest(20, least(2 * state.size, state.size * step_ms / greatest(took_ms, 1), most));
    when stages[state.stage] <> 'words' then
      perform funding.merge_suggested_values(stages[state.stage], state.part);
    else
      state.after := coalesce(state.after, '');
      loop
        perform funding.merge_suggested_words(state.after);
        state.after := funding.next_bucket(state.after);
        exit when state.after is null or clock_timestamp() > began + step_ms / 2 * interval '1 millisecond';
      end loop;
  end case;
  if state.after is null then
    state.stage := state.stage + 1;
    state.size := first_size;
  end if;
  state.duration := state.duration + (clock_timestamp() - began);
  delete from funding.suggestion_progress;
  if state.stage <= cardinality(stages) then
    insert into funding.suggestion_progress (method, version, duration, stage, after, part, size)
    values (method, state.version, state.duration, state.stage, state.after, state.part, state.size);
  else
    perform funding.drop_suggestion_parts();
    perform funding.note_renewal(state.version, state.duration);
  end if;
  return true;
end
$$;

-- Notes that a renewal of the suggestions of this version of the data ended, and how long it took.
create or replace function funding.note_renewal(version bigint, duration interval) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
begin
  insert into funding.suggestion_renewal as renewal (is_only, version, renewed_at, duration)
  values (true, note_renewal.version, clock_timestamp(), note_renewal.duration)
  on conflict (is_only) do update set version = excluded.version, renewed_at = excluded.renewed_at, duration = excluded.duration;
end
$$;

-- Ends a renewal of which a step, begun then, failed. It has the version -1: another begins after twenty times as long as it took.
create or replace function funding.abandon_renewal(began timestamptz) returns void
language plpgsql set search_path = funding, extensions, pg_temp as $$
declare
  before interval;
begin
  delete from funding.suggestion_progress as progress returning progress.duration into before;
  perform funding.note_renewal(-1, coalesce(before, '0') + (clock_timestamp() - began));
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
