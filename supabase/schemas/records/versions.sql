-- Versions of an opportunity: the notices of one solicitation (presolicitation, solicitation, amendments), and the same opportunity from several sources.
-- Lists show one of them. The others have its id in `superseded_by`, and stay what they are: they answer by their ids, and lists with
-- `include_versions=true` have them. Whatever writes records links those that it wrote, in its transaction; a request never does.
--
-- A wrong link hides an opportunity, which is worse than a duplicate. So two records are linked only where number, agency and title agree.

-- Department and agency of an opportunity, as they are compared: by full names, without the offices below. Of a record without a path, its funder.
create or replace function funding.version_agencies(details jsonb, funder_name text) returns text[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
begin
  return array(
    select coalesce((select funding.name_key(known.name) from funding.agency_abbreviations as known where known.abbreviation = lower(given.name)),
                    funding.name_key(given.name))
    from jsonb_array_elements_text(case when jsonb_typeof(details->'agency') = 'array' and details->'agency' <> '[]' then details->'agency'
      else jsonb_build_array(funder_name) end) with ordinality as given(name, position)
    where given.name <> '' and given.position <= 2);
end
$$;

-- Words of a title that tell an opportunity from others. `marks` are those that tell a part, a year or a lot, and have to be the same: with a digit, Roman
-- numerals, single letters. `words` are the others, without what names a kind of notice. The opportunity's own number, numbers of amendments and
-- the code of a product before `--` are neither.
create or replace function funding.title_parts(title text, number text, out words text[], out marks text[])
language plpgsql immutable
set search_path = funding, extensions, pg_temp as $$
declare
  kinds constant text[] := regexp_split_to_array('a an the of for and or to in on at by with from no number new notice notices special solicitation solicitations
    presolicitation pre combined synopsis sources source sought sole intent award request requests information proposal proposals quote quotes quotation quotations
    application applications rfi rfp rfq rfa nofo foa baa draft final update updated amended amendment amendments modification mod addendum revised revision
    correction corrected reissue reissued repost reposted extension extended cancelled canceled cancellation market research announcement opportunity', '\s+');
  spelling text := ' ' || funding.name_key(regexp_replace(title, '^\s*[A-Z0-9]{1,4}\s*--\s*', '')) || ' ';
begin
  spelling := replace(spelling, ' ' || funding.name_key(number) || ' ', ' ');
  spelling := regexp_replace(spelling,
    '\m(amendment|amend|amdt|modification|mod|revision|rev|addendum|version)( (no|number))? (\d{1,4}|[ivx]+|one|two|three|four|five|six)\M', ' ', 'g');
  select coalesce(array_agg(word) filter (where not is_mark and word <> all (kinds)), '{}'), coalesce(array_agg(word order by word) filter (where is_mark), '{}')
  into words, marks
  from (
    select distinct word, word ~ '\d|^([ivx]+|[b-z])$' as is_mark from regexp_split_to_table(btrim(spelling), '\s+') as word where word <> ''
  ) as told;
end
$$;

-- Whether titles are alike: the same marks, and at least 0.6 of their words in common (Sorensen and Dice). A title without a word of its own is like none.
create or replace function funding.are_alike(words text[], marks text[], other_words text[], other_marks text[]) returns boolean
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
  return marks = other_marks and words <> '{}' and other_words <> '{}'
    and 2 * cardinality(array(select unnest(words) intersect select unnest(other_words))) >= 0.6 * (cardinality(words) + cardinality(other_words));
end
$$;

-- Records of a dataset under these keys, each with the version that lists show in its place: null for that one itself, and for a record without others.
-- Current records come first, then the newest by the publisher's date. A record is a version of the first one before it that it is like: each is
-- compared with what is shown in its place. The agencies of one have to be among those of the other. A number that more than 200 opportunities have links
-- none.
create or replace function funding.versions_under(dataset text, keys text[]) returns table (id uuid, key text, shown uuid)
language plpgsql stable rows 50
set search_path = funding, extensions, pg_temp as $$
declare
  record record;
  heads jsonb[];
  head jsonb;
begin
  for record in execute format($members$
    select member.id, member.key, member.is_alone, parts.words, parts.marks, agencies.names as agencies
    from (
      select given.*, count(*) over (partition by given.key) not between 2 and 200 as is_alone
      from (
        select known.id, known.title, known.details, known.funder_id, known.archived_at, known.created_at, known.deadline_date,
               funding.version_key(known.details) as key
        from funding.%I as known
        where funding.version_key(known.details) = any ($1) and known.classification = 'opportunity' and known.details ? 'opportunity_number'
        offset 0
      ) as given
    ) as member
    left join lateral funding.title_parts(member.title, member.details->>'opportunity_number') as parts on not member.is_alone
    left join lateral (
      select funding.version_agencies(member.details, funders.name) as names from funding.funders where funders.id = member.funder_id
    ) as agencies on not member.is_alone
    order by member.key, member.archived_at is not null, member.created_at desc, member.deadline_date desc nulls last, member.id
  $members$, dataset) using keys
  loop
    if record.key is distinct from key then
      key := record.key;
      heads := '{}';
    end if;
    id := record.id;
    shown := null;
    if not record.is_alone then
      foreach head in array heads loop
        if funding.are_alike(record.words, record.marks, funding.text_array(head->'words'), funding.text_array(head->'marks'))
          and record.agencies <> '{}' and (record.agencies <@ funding.text_array(head->'agencies') or record.agencies @> funding.text_array(head->'agencies'))
        then
          shown := (head->>'id')::uuid;
          exit;
        end if;
      end loop;
      if shown is null and record.agencies <> '{}' then
        heads := heads || jsonb_build_object('id', record.id, 'words', record.words, 'marks', record.marks, 'agencies', record.agencies);
      end if;
    end if;
    return next;
  end loop;
end
$$;

-- Links the opportunities under these keys anew, and frees those of `freed` that are under none of them. Returns the number of records that are shown
-- or left out from now on. Waits for no record: a number with one that somebody is writing is left to upkeep. The version of the data is locked until the
-- transaction ends, as by each write, so that no other importer decides at the same time.
create or replace function funding.link_numbers(dataset text, keys text[], freed uuid[], changed_at timestamptz) returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  ids uuid[];
  known_keys text[];
  shown uuid[];
  linked integer;
begin
  perform from funding.data_versions where data_versions.dataset = link_numbers.dataset for update;
  select array_agg(decided.id), array_agg(decided.key), array_agg(decided.shown) into ids, known_keys, shown
  from funding.versions_under(dataset, keys) as decided;
  execute format($write$
    with decided as materialized (
      select * from unnest($1, $2, $3) as item(id, key, shown)
      union all
      select given.id, null, null from unnest($4) as given(id) where given.id <> all ($1)
    ), record as materialized (
      select known.id, known.superseded_by from funding.%1$I as known where known.id = any ($1 || $4)
    ), differing as materialized (
      select decided.* from decided join record using (id) where record.superseded_by is distinct from decided.shown
    ), locked as materialized (
      select known.id from funding.%1$I as known where known.id = any (array(select id from differing)) order by known.id for no key update skip locked
    ), written as (
      update funding.%1$I as known set superseded_by = differing.shown, updated_at = $5
      from differing join locked on locked.id = differing.id
      where known.id = differing.id and known.id = any (array(select id from locked))
      returning known.id
    ), left_over as (
      insert into funding.version_links_due (dataset, key)
      select distinct %1$L, key from differing where key is not null and id not in (select id from locked)
    )
    select count(*) from written
  $write$, dataset) into linked using coalesce(ids, '{}'), known_keys, shown, freed, changed_at;
  return linked;
end
$$;

-- Links the opportunities that a transaction wrote, with all that have or had their numbers. To be called after the write, with its moment. (The records
-- are read by their ids first: with the condition of an index over what is superseded, Postgres would read all of that.)
create or replace function funding.link_versions(dataset text, ids uuid[], changed_at timestamptz) returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  keys text[];
begin
  execute format($keys$
    with own as materialized (
      select record.details, record.superseded_by from funding.%1$I as record where record.id = any ($1)
    )
    select array_agg(distinct known.key)
    from (
      select funding.version_key(own.details) as key from own
      union all
      select funding.version_key(record.details) from funding.%1$I as record where record.superseded_by = any ($1)
      union all
      select funding.version_key(record.details) from funding.%1$I as record where record.id = any (array(select own.superseded_by from own))
    ) as known
    where known.key is not null
  $keys$, dataset) into keys using ids;
  return funding.link_numbers(dataset, coalesce(keys, '{}'), ids, changed_at);
end
$$;

-- Links what waits for it, as many numbers as 100 ms allow, and some at least. Returns how many.
create or replace function funding.renew_version_links() returns integer
language plpgsql
set search_path = funding, extensions, pg_temp as $$
declare
  ends constant timestamptz := clock_timestamp() + interval '100 milliseconds';
  renewed integer := 0;
  next_dataset text;
  keys text[];
begin
  loop
    next_dataset := (select due.dataset from funding.version_links_due as due order by due.id limit 1);
    exit when next_dataset is null;
    with taken as (
      delete from funding.version_links_due as due
      where due.id in (
        select waiting.id from funding.version_links_due as waiting
        where waiting.dataset = next_dataset order by waiting.id limit 50 for update skip locked)
      returning due.key
    )
    select array_agg(distinct taken.key) into keys from taken;
    exit when keys is null;
    perform funding.link_numbers(next_dataset, keys, '{}', funding.change_moment());
    renewed := renewed + cardinality(keys);
    exit when clock_timestamp() >= ends;
  end loop;
  return renewed;
end
$$;
