-- Records that match a filter, from the bitmap index, without reading the records.

-- Conditions of a filter, the same as in `funding.predicate`. Null where the bitmaps cannot answer one of them. The legs of a ranked search match the
-- search's words: such a filter has conditions only for the words that the search excludes and the phrases that it requires.
create or replace function funding.bitmap_conditions(dataset text, filter jsonb) returns funding.bitmap_condition[]
language plpgsql stable
set search_path = funding, extensions, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  rule record;
  found funding.bitmap_condition[];
  -- Every record of the segments.
  conditions funding.bitmap_condition[] := array[('', 'value', 'all', null)];
  wanted_fields text[] := '{}';
begin
  perform funding.require_rules(dataset, filter);
  for rule in
    select known.* from funding.filter_rules(bitmap_conditions.dataset) as known
    where (filter ? known.name or known.is_always) and known.kind <> 'modifier'
  loop
    -- One by one: each branch of a `case` with a subquery would be begun for every rule.
    if rule.kind = 'own' then
      found := funding.own_bitmaps(dataset, rule.name, filter);
    elsif rule.kind = 'value' then
      found := array(
        select (rule.name, case when rule.is_excluding then 'lacks' else 'value' end, wanted, null)::funding.bitmap_condition
        from unnest(funding.wanted_names(rule.field, rule.form, filter->rule.name)) as wanted);
    elsif rule.kind = 'within' then
      found := funding.range_bitmaps(rule.name, rule.field, rule.form, filter->rule.name);
    elsif rule.kind = 'condition' then
      found := null;
    else
      found := funding.rank_bitmaps(rule.name, rule.kind, rule.field, rule.form, filter->rule.name);
    end if;
    -- A filter that wants no value at all leaves no record, and has no bitmap.
    if found is null or not rule.is_ranked or found = '{}' and rule.kind = 'value' then
      return null;
    end if;
    conditions := conditions || found;
    if found <> '{}' and rule.field is not null then
      wanted_fields := array_append(wanted_fields, rule.field);
      if exists (select from funding.listed_values(filter->rule.name) as code where char_length(code) = any (rule.beginnings)) then
        wanted_fields := array_append(wanted_fields, rule.field || ' beginnings');
      end if;
    end if;
  end loop;
  -- A segment that an earlier version made lacks the fields that came since, until the next fit.
  return case when not exists (select from funding.blocks_of(bitmap_conditions.dataset) as known where not known.fields @> wanted_fields) then conditions end;
end
$$;

-- Bound of a measured field, as its ranks have it.
create or replace function funding.rank_bound(form text, bound text) returns double precision
language plpgsql immutable as $$
begin
  return case form when 'day' then extract(epoch from bound::date) when 'moment' then extract(epoch from bound::timestamptz) else bound::double precision end;
end
$$;

-- Condition of a bound. Null while sources' time zones have different days.
create or replace function funding.rank_bitmaps(name text, kind text, field text, form text, bound jsonb) returns funding.bitmap_condition[]
language plpgsql immutable as $$
begin
  return case when jsonb_typeof(bound) <> 'object' then array[(name, kind, field, funding.rank_bound(form, bound #>> '{}'))]::funding.bitmap_condition[] end;
end
$$;

-- Conditions of a range. Null for `outside`: ranks separate values above a bound from values below it, but do not separate records without a value from
-- either.
create or replace function funding.range_bitmaps(name text, field text, form text, bounds jsonb) returns funding.bitmap_condition[]
language plpgsql immutable as $$
begin
  return case when bounds->>'operator' <> 'outside' then array[
    (name || ' min', 'from', field, funding.rank_bound(form, bounds->>'min')),
    (name || ' max', 'upto', field, funding.rank_bound(form, bounds->>'max'))]::funding.bitmap_condition[] end;
end
$$;

-- Conditions of a filter that no rule of shared/catalogue expresses: those of `funding.own_condition`.
create or replace function funding.own_bitmaps(dataset text, name text, filter jsonb) returns funding.bitmap_condition[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  wanted text[];
begin
  case name
    when 'search' then
      return funding.search_bitmaps(dataset, filter);
    when 'opportunity_type' then
      wanted := case coalesce(filter->>'opportunity_type', 'open')
        when 'open' then array['classification=opportunity'] when 'awarded' then array['classification=awarded_project'] else '{}' end;
    when 'include_archived' then
      wanted := case when coalesce((filter->>'include_archived')::boolean, false) then '{}'
        when coalesce((filter->>'include_versions')::boolean, false) then array['current', 'current version'] else array['current'] end;
    -- `current` leaves them out already.
    when 'include_versions' then
      return case when coalesce((filter->>'include_archived')::boolean, false) and not coalesce((filter->>'include_versions')::boolean, false)
        then array[(own_bitmaps.name, 'lacks', 'version', null)]::funding.bitmap_condition[] else '{}' end;
    when 'states' then
      wanted := array(
        select funding.bitmap_name('state', state) from unnest(funding.text_array(filter->'states')) as state
        union
        select 'national' where (filter->>'include_national')::boolean);
    when 'closing_within' then
      if jsonb_typeof(filter->'closing_within'->'from') = 'object' or jsonb_typeof(filter->'closing_within'->'upto') = 'object' then
        return null;
      end if;
      return funding.rank_bitmaps('closing_within from', 'from', 'deadline_date', 'day', filter->'closing_within'->'from')
        || funding.rank_bitmaps('closing_within upto', 'upto', 'deadline_date', 'day', filter->'closing_within'->'upto')
        || array[('closing_within status', 'value', 'status=open', null), ('closing_within status', 'value', 'status=posted', null)]::funding.bitmap_condition[];
    when 'geography' then
      wanted := null;
    when 'applicant_type' then
      wanted := funding.wanted_applicant_types(filter);
  end case;
  return case when wanted is not null then array(
    select (own_bitmaps.name, 'value', wanted_name, null)::funding.bitmap_condition from unnest(wanted) as wanted_name) end;
end
$$;

-- Conditions of a filter's search. Null for phrases and alternatives, and where the search is an identifier or a stored one in documents: those have no
-- bitmaps.
create or replace function funding.search_bitmaps(dataset text, filter jsonb) returns funding.bitmap_condition[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- A word costs as much as ten values.
  most_words constant integer := 8;
  mode constant text := coalesce(filter->>'search_mode', 'keyword');
  words text;
  wanted text[];
begin
  if mode <> 'keyword' then
    return case when not (filter->>'search' like '%-%' and funding.excluded_words(filter->>'search') is not null
      or mode = 'ranked_keyword' and funding.required_phrases(filter->>'search') is not null) then '{}'::funding.bitmap_condition[] end;
  end if;
  if filter ? 'passage_search' or funding.identifier_condition(dataset, filter) is not null then
    return null;
  end if;
  words := funding.parse_query(filter->>'search')::text;
  if words !~ $c$\A!?'[^'\\]+'( & !?'[^'\\]+')*\Z$c$ then
    return null;
  end if;
  wanted := string_to_array(words, ' & ');
  if cardinality(wanted) > most_words then
    return null;
  end if;
  return array(
    select ('search ' || position, case when word like '!%' then 'without' else 'word' end, btrim(word, '!'''), null)::funding.bitmap_condition
    from unnest(wanted) with ordinality as item(word, position));
end
$$;

-- Records of a dataset's segments that meet the conditions.
create or replace function funding.bitmap_matches(dataset text, conditions funding.bitmap_condition[]) returns funding.slot_bitmaps
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  generation constant integer := (select fit.generation from funding.lexicon_fit as fit);
  first_block constant integer := funding.first_block(generation);
  last_block constant integer := funding.last_block(generation);
  parameters integer;
  are_values boolean;
begin
  select count(distinct parameter) filter (where kind not in ('without', 'lacks')), bool_and(kind in ('value', 'lacks')) into parameters, are_values
  from unnest(conditions);
  -- Most lists and searches have conditions without words and bounds: a special case of the query below, in half of its time.
  if are_values then
    return (
      -- Evaluated once, not for each block.
      with lacks as materialized (
        select block, bit_or(bits) as bits
        from (
          select retired.block, retired.bits from funding.retired_bits(bitmap_matches.dataset) as retired
          union all
          select bitmaps.block, bitmaps.bits
          from unnest(conditions) as item
          join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = item.name
            and bitmaps.block between first_block and last_block
          where item.kind = 'lacks'
        ) as excluded
        group by block
      )
      select (array_agg(met.block), array_agg(case when lacks.bits is null then met.bits else met.bits & ~ lacks.bits end))::funding.slot_bitmaps
      from (
        select has.block, bit_and(has.bits) as bits
        from (
          select item.parameter, bitmaps.block, bit_or(bitmaps.bits) as bits
          from unnest(conditions) as item
          join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = item.name
            and bitmaps.block between first_block and last_block
          where item.kind = 'value'
          group by item.parameter, bitmaps.block
        ) as has
        group by has.block
        having count(*) = parameters
      ) as met
      left join lacks using (block)
    );
  end if;
  return (
    with condition as materialized (
      -- A frequent word has a bitmap, as a value has.
      select item.parameter, item.bound, coalesce(frequent.name, item.name) as name,
             case when frequent.name is null and item.kind <> 'lacks' then item.kind else 'value' end as kind,
             item.kind in ('without', 'lacks') as is_excluded
      from unnest(conditions) as item
      left join lateral (
        select bitmaps.name from funding.bitmaps
        where item.kind in ('word', 'without') and bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = funding.bitmap_name('word', item.name)
          and bitmaps.block between first_block and last_block
        limit 1
      ) as frequent on true
    ), valued as materialized (
      -- Blocks that have values of each of these parameters: of the others, whose number may be ten times theirs, nothing is read below.
      select bitmaps.block
      from condition join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = condition.name
        and bitmaps.block between first_block and last_block
      where condition.kind = 'value' and not condition.is_excluded
      group by bitmaps.block
      having count(distinct condition.parameter) = (select count(distinct parameter) from condition where kind = 'value' and not is_excluded)
    ), bound as materialized (
      -- Rank that divides a field's values in a segment at the bound; 0 where all values are above it.
      select condition.parameter, condition.name, segment.segment, segment.size, condition.kind in ('above', 'from') as is_above, coalesce((
          select known.rank from funding.segment_values as known
          where known.dataset = bitmap_matches.dataset and known.field = condition.name and known.segment = segment.segment
            and known.value <= condition.bound and (condition.kind in ('above', 'upto') or known.value <> condition.bound)
          order by known.value desc
          limit 1), 0)::real as rank
      from condition
      cross join (select distinct blocks.segment, blocks.size from funding.blocks_of(bitmap_matches.dataset) as blocks) as segment
      where condition.bound is not null
    ), ranged as materialized (
      -- The lowest and highest rank of a block (a zone map) show whether all its values are on one side of the bound. If they are, the block's ranks
      -- (64 KB) are not read: this query has only the pointer to them.
      select bound.parameter, ranks.block, bound.is_above, bound.rank, bound.size, ranks.ranks, ranks.valued,
             coalesce(case when bound.is_above then ranks.lowest > bound.rank else ranks.highest <= bound.rank end, false) as is_all
      from bound
      join funding.blocks on blocks.dataset = bitmap_matches.dataset and blocks.segment = bound.segment and blocks.size = bound.size
      join funding.ranks on ranks.dataset = bitmap_matches.dataset and ranks.field = bound.name and ranks.block = blocks.block
      where not coalesce(case when bound.is_above then ranks.highest <= bound.rank else ranks.lowest > bound.rank end, false)
        and (not exists (select from condition where kind = 'value' and not is_excluded) or blocks.block in (select block from valued))
    ), divided as materialized (
      -- Most blocks have one bound and one size, for which the vector is made once.
      select given.rank, given.size, funding.filled_vector(given.rank, given.size) as ranks
      from (select distinct ranged.rank, ranged.size from ranged where not ranged.is_all) as given
    ), has as (
      select parameter, block, bit_or(bits) as bits
      from (
        select condition.parameter, bitmaps.block, bitmaps.bits
        from condition join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = condition.name
          and bitmaps.block between first_block and last_block
        where condition.kind = 'value' and not condition.is_excluded and bitmaps.block in (select block from valued)
        union all
        select condition.parameter, postings.block, binary_quantize(postings.weights::vector)
        from condition join funding.postings on postings.dataset = bitmap_matches.dataset and postings.term = condition.name
          and postings.block between first_block and last_block
        where condition.kind = 'word'
          and (not exists (select from condition as other where other.kind = 'value' and not other.is_excluded) or postings.block in (select block from valued))
        union all
        select ranged.parameter, ranged.block, ranged.valued from ranged where ranged.is_all
        union all
        select ranged.parameter, ranged.block, case
            when ranged.is_above then binary_quantize(ranged.ranks - divided.ranks)
            else coalesce(ranged.valued, binary_quantize(ranged.ranks)) & ~ binary_quantize(ranged.ranks - divided.ranks)
          end
        from ranged
        join divided using (rank, size)
        where not ranged.is_all
      ) as alternative
      group by parameter, block
    ), lacks as (
      select block, bit_or(bits) as bits
      from (
        select postings.block, binary_quantize(postings.weights::vector) as bits
        from condition join funding.postings on postings.dataset = bitmap_matches.dataset and postings.term = condition.name
          and postings.block between first_block and last_block
        where condition.kind = 'without'
        union all
        select bitmaps.block, bitmaps.bits
        from condition join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = condition.name
          and bitmaps.block between first_block and last_block
        where condition.kind = 'value' and condition.is_excluded
        union all
        select retired.block, retired.bits from funding.retired_bits(bitmap_matches.dataset) as retired
      ) as excluded
      group by block
    )
    select (array_agg(met.block), array_agg(case when lacks.bits is null then met.bits else met.bits & ~ lacks.bits end))::funding.slot_bitmaps
    from (
      select block, bit_and(bits) as bits from has group by block having count(*) = parameters
    ) as met left join lacks using (block)
  );
end
$$;

-- Number of ones among the bits of blocks.
create or replace function funding.count_of(found funding.slot_bitmaps) returns bigint
language plpgsql immutable as $$
begin
  return (select coalesce(sum(bit_count(bits)), 0) from unnest(found.bits) as bits);
end
$$;

-- Records that match a filter, by the bitmaps, and the number of records in no segment. Null where the bitmaps cannot answer the filter, or would not
-- be quicker. A stable caller has one snapshot, so both are of one moment.
create or replace function funding.match_by_bitmaps(dataset text, filters jsonb) returns funding.bitmap_matches
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- Counting more records than this is as slow as counting all.
  most_unsealed constant integer := 5000;
  conditions funding.bitmap_condition[];
  found funding.bitmap_matches;
begin
  found.sealed_end := funding.sealed_end(dataset);
  if found.sealed_end = 1 then
    return null;
  end if;
  found.unsealed := funding.count_unsealed(dataset, found.sealed_end, most_unsealed);
  if found.unsealed > most_unsealed then
    return null;
  end if;
  conditions := funding.bitmap_conditions(dataset, filters);
  if conditions is null then
    return null;
  end if;
  found.sealed := funding.bitmap_matches(dataset, conditions);
  return found;
end
$$;
