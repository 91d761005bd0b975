-- Totals from the bitmap index, without a look at the records.

-- A condition of a filter, as the bitmaps answer it. Those that one parameter makes are alternatives.
create type funding.bitmap_condition as (
  parameter text,
  -- 'value' (in the bitmap `name`), 'word' (has the lexeme `name`), 'without' (has it not), or how the field `name` compares
  -- with the bound: 'above', 'from', 'below', 'upto'.
  kind text,
  name text,
  bound double precision
);

-- The conditions of a list that is not ranked, as `funding.predicate` has them. Null where the bitmaps cannot answer one.
create function funding.bitmap_conditions(dataset text, filters jsonb) returns funding.bitmap_condition[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- Every record that has a number.
  conditions funding.bitmap_condition[] := array[('', 'value', 'all', null)];
  -- A word costs as much as ten values.
  most_words constant integer := 8;
  words text;
  wanted text[];
begin
  if filters - '{search,search_mode,opportunity_type,include_archived,status,category,states,include_national,min_amount,max_amount,deadline_after,deadline_before,posted_after,naics,set_aside}'::text[] <> '{}' then
    return null;
  end if;

  if filters ? 'search' then
    words := websearch_to_tsquery('funding.english', funding.without_repeats(funding.without_dashes(filters->>'search')))::text;
    -- No phrases, and no alternatives.
    if words !~ $c$\A!?'[^'\\]+'( & !?'[^'\\]+')*\Z$c$ then
      return null;
    end if;
    wanted := string_to_array(words, ' & ');
    if cardinality(wanted) > most_words then
      return null;
    end if;
    conditions := conditions || array(
      select ('search ' || place, case when word like '!%' then 'without' else 'word' end, btrim(word, '!'''), null)::funding.bitmap_condition
      from unnest(wanted) with ordinality as item(word, place));
  end if;

  if dataset = 'funders' then
    return conditions;
  end if;
  case coalesce(filters->>'opportunity_type', 'open')
    when 'open' then conditions := conditions || ('opportunity_type', 'value', 'classification=opportunity', null)::funding.bitmap_condition;
    when 'awarded' then conditions := conditions || ('opportunity_type', 'value', 'classification=awarded_project', null)::funding.bitmap_condition;
    else null;
  end case;
  if not coalesce((filters->>'include_archived')::boolean, false) then
    conditions := conditions || ('include_archived', 'value', 'current', null)::funding.bitmap_condition;
  end if;
  if filters ? 'status' then
    conditions := conditions || array(
      select ('status', 'value', 'status=' || status, null)::funding.bitmap_condition
      from unnest(funding.statuses_meant(filters->>'status')) as status);
  end if;
  if filters ? 'category' then
    conditions := conditions || ('category', 'value', funding.bitmap_name('category', lower(filters->>'category')), null)::funding.bitmap_condition;
  end if;
  if filters ? 'states' then
    conditions := conditions || array(
      select ('states', 'value', name, null)::funding.bitmap_condition
      from (
        select funding.bitmap_name('state', state) as name from unnest(funding.text_array(filters->'states')) as state
        union
        select 'national' where (filters->>'include_national')::boolean
      ) as alternative);
  end if;
  if filters ? 'min_amount' then
    conditions := conditions || ('min_amount', 'from', 'amount_max', filters->>'min_amount')::funding.bitmap_condition;
  end if;
  if filters ? 'max_amount' then
    conditions := conditions || ('max_amount', 'upto', 'amount_min', filters->>'max_amount')::funding.bitmap_condition;
  end if;
  if filters ? 'deadline_after' then
    conditions := conditions || ('deadline_after', 'above', 'deadline_date', extract(epoch from (filters->>'deadline_after')::date))::funding.bitmap_condition;
  end if;
  if filters ? 'deadline_before' then
    conditions := conditions || ('deadline_before', 'below', 'deadline_date', extract(epoch from (filters->>'deadline_before')::date))::funding.bitmap_condition;
  end if;
  if filters ? 'posted_after' then
    conditions := conditions || ('posted_after', 'above', 'created_at', extract(epoch from (filters->>'posted_after')::timestamptz))::funding.bitmap_condition;
  end if;
  if dataset = 'contracts' then
    if filters ? 'naics' then
      conditions := conditions || ('naics', 'value', funding.bitmap_name('naics', filters->>'naics'), null)::funding.bitmap_condition;
    end if;
    if filters ? 'set_aside' then
      conditions := conditions || ('set_aside', 'value', funding.bitmap_name('set_aside', upper(filters->>'set_aside')), null)::funding.bitmap_condition;
    end if;
  end if;
  return conditions;
end
$$;

-- Numbered records, as bits of blocks. A block that has none may be missing; without any, both are null.
create type funding.numbered_records as (blocks integer[], bits bit varying[]);

-- The numbers whose records have gone or changed, as bits of blocks. (In SQL, so that it becomes part of the statement.)
create function funding.retired_bits(dataset text, size integer) returns table (block integer, bits bit varying)
language sql stable as $$
  select (retired.number - 1) / retired_bits.size, funding.bits_at(array_agg((retired.number - 1) % retired_bits.size + 1), retired_bits.size)
  from funding.retired_numbers as retired where retired.dataset = retired_bits.dataset
  group by 1
$$;

-- The records of a dataset that have a number and meet the conditions. `size` is how many records a block has.
create function funding.bitmap_matches(dataset text, conditions funding.bitmap_condition[], size integer) returns funding.numbered_records
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  parameters integer;
  are_values boolean;
begin
  select count(distinct parameter) filter (where kind <> 'without'), bool_and(kind = 'value') and count(*) = count(distinct parameter)
  into parameters, are_values
  from unnest(conditions);
  -- One value of each parameter, as most lists and searches ask for: what follows would come to this.
  if are_values then
    return (
      select (array_agg(met.block), array_agg(case when retired.bits is null then met.bits else met.bits & ~ retired.bits end))::funding.numbered_records
      from (
        select bitmaps.block, bit_and(bitmaps.bits) as bits
        from funding.bitmaps
        where bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = any (array(select asked.name from unnest(conditions) as asked))
        group by bitmaps.block
        having count(*) = parameters
      ) as met
      left join funding.retired_bits(bitmap_matches.dataset, size) as retired using (block)
    );
  end if;
  return (
    with condition as materialized (
      -- A frequent word has a bitmap, as a value has.
      select asked.parameter, asked.bound, coalesce(frequent.name, asked.name) as name,
             case when frequent.name is null then asked.kind else 'value' end as kind,
             asked.kind = 'without' as is_excluded
      from unnest(conditions) as asked
      left join lateral (
        select bitmaps.name from funding.bitmaps
        where asked.kind in ('word', 'without') and bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = funding.bitmap_name('word', asked.name)
        limit 1
      ) as frequent on true
    ), bound as materialized (
      -- The rank that divides a field's values at the bound, once for each record of a block; null where all values are above it.
      select condition.parameter, condition.kind, condition.name, (
          select funding.filled_vector(known.rank::real, size) from funding.ranked_values as known
          where known.dataset = bitmap_matches.dataset and known.field = condition.name
            and known.value <= condition.bound and (condition.kind in ('above', 'upto') or known.value <> condition.bound)
          order by known.value desc
          limit 1) as ranks,
          -- Whether another parameter asks for a value above some bound, and so for a value.
          bool_or(condition.kind in ('above', 'from')) over (partition by condition.name) as has_value
      from condition where condition.bound is not null
    ), has as (
      select parameter, block, bit_or(bits) as bits
      from (
        select condition.parameter, bitmaps.block, bitmaps.bits
        from condition join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = condition.name
        where condition.kind = 'value' and not condition.is_excluded
        union all
        select condition.parameter, postings.block, binary_quantize(postings.weights::vector)
        from condition join funding.postings on postings.dataset = bitmap_matches.dataset and postings.term = condition.name
        where condition.kind = 'word'
        union all
        select bound.parameter, ranks.block, case
            when bound.kind in ('above', 'from') then binary_quantize(coalesce(ranks.ranks - bound.ranks, ranks.ranks))
            when bound.has_value then ~ binary_quantize(coalesce(ranks.ranks - bound.ranks, ranks.ranks))
            else binary_quantize(ranks.ranks) & ~ binary_quantize(coalesce(ranks.ranks - bound.ranks, ranks.ranks))
          end
        from bound join funding.ranks on ranks.dataset = bitmap_matches.dataset and ranks.field = bound.name
      ) as alternative
      group by parameter, block
    ), lacks as (
      select block, bit_or(bits) as bits
      from (
        select postings.block, binary_quantize(postings.weights::vector) as bits
        from condition join funding.postings on postings.dataset = bitmap_matches.dataset and postings.term = condition.name
        where condition.kind = 'without'
        union all
        select bitmaps.block, bitmaps.bits
        from condition join funding.bitmaps on bitmaps.dataset = bitmap_matches.dataset and bitmaps.name = condition.name
        where condition.kind = 'value' and condition.is_excluded
        union all
        select retired.block, retired.bits from funding.retired_bits(bitmap_matches.dataset, size) as retired
      ) as excluded
      group by block
    )
    select (array_agg(met.block), array_agg(case when lacks.bits is null then met.bits else met.bits & ~ lacks.bits end))::funding.numbered_records
    from (
      select block, bit_and(bits) as bits from has group by block having count(*) = parameters
    ) as met left join lacks using (block)
  );
end
$$;

-- How many numbered records there are among bits.
create function funding.count_of(found funding.numbered_records) returns bigint
language plpgsql immutable as $$
begin
  return (select coalesce(sum(bit_count(bits)), 0) from unnest(found.bits) as bits);
end
$$;

-- How many records a block of a dataset's bitmaps has; null where there are none.
create function funding.bitmap_size(dataset text) returns integer
language plpgsql stable as $$
begin
  return (select length(bits) from funding.bitmaps where bitmaps.dataset = bitmap_size.dataset and name = 'all' limit 1);
end
$$;

-- What the bitmaps say of a filter: which of the numbered records it keeps, and how many records have no number.
create type funding.bitmap_answer as (size integer, matches funding.numbered_records, unnumbered bigint);

-- Null where the bitmaps cannot tell, or would not be quicker. Who asks sees the data of one moment if he is stable, and so has
-- one snapshot.
create function funding.bitmap_answer(dataset text, filters jsonb) returns funding.bitmap_answer
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  -- More records without a number than this are as slow to count as all.
  most_unnumbered constant integer := 5000;
  conditions funding.bitmap_condition[];
  answer funding.bitmap_answer;
begin
  answer.size := funding.bitmap_size(dataset);
  if answer.size is null then
    return null;
  end if;
  answer.unnumbered := case dataset
    when 'grants' then (select count(*) from (select from funding.grants where posting_number is null limit most_unnumbered + 1) as record)
    when 'contracts' then (select count(*) from (select from funding.contracts where posting_number is null limit most_unnumbered + 1) as record)
    when 'funders' then (select count(*) from (select from funding.funders where posting_number is null limit most_unnumbered + 1) as record)
  end;
  if answer.unnumbered > most_unnumbered then
    return null;
  end if;
  conditions := funding.bitmap_conditions(dataset, filters);
  if conditions is null then
    return null;
  end if;
  answer.matches := funding.bitmap_matches(dataset, conditions, answer.size);
  return answer;
end
$$;

-- How many records match the filters, by the bitmaps and, where records have no number, by a look at those. Null where the
-- bitmaps cannot tell.
create function funding.bitmap_total(dataset text, filters jsonb) returns bigint
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  answer constant funding.bitmap_answer := funding.bitmap_answer(dataset, filters);
  others bigint := 0;
begin
  if answer.unnumbered > 0 then
    execute format('select count(*) from funding.%I as record where record.posting_number is null and %s', dataset,
      funding.predicate(dataset, filters))
    into others using filters;
  end if;
  return case when answer.size is not null then funding.count_of(answer.matches) + others end;
end
$$;

revoke execute on all functions in schema funding from public;
