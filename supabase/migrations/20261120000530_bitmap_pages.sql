-- The page of a list from the bitmap index: which records are first in its order, without a look at the others that match.

-- Of the records among `matching`, one bit for each number, those that are first in the order of a field: `wanted` of them, or more up
-- to `most`, or all. Each slice of the order divides those of which it is open in two; where the first half is too few, it is in, and the
-- question is which of the second half. So ties and nulls are nothing special, and a slice costs as much whatever matches.
create function funding.first_of(
  dataset text, field text, direction text, matching bit varying, wanted integer, most integer) returns bit varying
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  first_ones bit varying := matching # matching;
  how_many integer := 0;
  open_ones bit varying := matching;
  half bit varying;
  in_half integer;
  sliced record;
begin
  if bit_count(matching) <= most then
    return matching;
  end if;
  for sliced in
    select slice, bits, slice = max(slice) over () as is_highest
    from funding.order_slices where order_slices.dataset = first_of.dataset and order_slices.field = first_of.field
    order by slice desc
  loop
    half := open_ones & sliced.bits;
    -- Records without a value, which the highest tells, are last in both directions.
    if direction = 'asc' and not sliced.is_highest then
      half := open_ones # half;
    end if;
    in_half := bit_count(half);
    if how_many + in_half >= wanted then
      open_ones := half;
    else
      first_ones := first_ones | half;
      how_many := how_many + in_half;
      open_ones := open_ones # half;
      in_half := bit_count(open_ones);
    end if;
    exit when how_many + in_half <= most;
  end loop;
  return first_ones | open_ones;
end
$$;

-- The numbers of these records, and of some more, in no order; without the very first, `passed_over` of them.
create function funding.first_numbers(
  dataset text, field text, direction text, matches funding.numbered_records, size integer, wanted integer, passed_over integer)
returns integer[]
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  records constant integer := (
    select length(bits) from funding.order_slices
    where order_slices.dataset = first_numbers.dataset and order_slices.field = first_numbers.field and slice = 0);
  none constant bit varying := repeat('0', size)::bit varying;
  matching bit varying := '';
  block_bits bit varying;
  first_ones bit varying;
begin
  for block_bits in
    select coalesce(kept.bits, none)
    from generate_series(0, records / size - 1) as block left join unnest(matches.blocks, matches.bits) as kept(block, bits) using (block)
    order by block
  loop
    matching := matching || block_bits;
  end loop;
  -- A slice takes as long as a look at about twenty records.
  first_ones := funding.first_of(dataset, field, direction, matching, wanted, wanted + 20);
  if passed_over > 0 then
    first_ones := first_ones # funding.first_of(dataset, field, direction, matching, passed_over, passed_over);
  end if;
  return funding.places_of(first_ones);
end
$$;

-- GRANTS_in_order and so on: a part of the records that have the numbers or ids, in the order of a list.
do $do$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    execute format($create$
      create function funding.%1$s_in_order(
        numbers integer[], ids uuid[], sort_by text, direction text, page_size bigint, page_offset bigint) returns uuid[]
      language plpgsql stable set plan_cache_mode = force_generic_plan as $body$
      begin
        case sort_by || ' ' || direction %2$s end case;
      end
      $body$
    $create$, dataset, (
      select string_agg(format($branch$
        when '%s %s' then
          return array(
            select record.id from funding.%I as record
            where record.posting_number = any (numbers) or record.id = any (ids)
            order by %s limit page_size offset page_offset);
      $branch$, ranked.field, direction, dataset, funding.sort_order(ranked.field, direction)), '')
      from funding.ranked_fields(dataset) as ranked, unnest(array['asc', 'desc']) as direction));
  end loop;
end
$do$;

-- Which records a page of a list has, in order, and one more where another page follows; and how many the list has. Either is
-- null where it has to be found otherwise.
create type funding.found_page as (ids uuid[], total bigint);

-- A page, and the total, by one evaluation of the bitmaps. Records without a number are looked at.
create function funding.bitmap_page(dataset text, parameters jsonb, sort_by text, direction text) returns funding.found_page
language plpgsql stable
set search_path = funding, extensions, pg_temp as $$
declare
  filters constant jsonb := funding.filters_of(parameters);
  answer constant funding.bitmap_answer := funding.bitmap_answer(dataset, filters);
  page_size constant bigint := (parameters->>'limit')::bigint + 1;
  page_offset constant bigint := (parameters->>'offset')::bigint;
  last_place constant bigint := page_offset + page_size;
  passed_over integer := 0;
  is_sliced boolean;
  numbered bigint;
  others bigint := 0;
  other_ids uuid[] := '{}';
  numbers integer[];
  page funding.found_page;
begin
  if answer.size is null then
    return null;
  end if;
  numbered := funding.count_of(answer.matches);
  is_sliced := not parameters ? 'cursor' and not funding.is_soon_found(dataset, sort_by, numbered, page_size, page_offset)
    and exists (select from funding.order_slices where order_slices.dataset = bitmap_page.dataset and field = sort_by);
  if answer.unnumbered > 0 then
    execute format('select count(*), %s from funding.%I as record where record.posting_number is null and %s',
      case when is_sliced then format('coalesce((array_agg(record.id order by %s))[:$2], ''{}'')', funding.sort_order(sort_by, direction)) else 'null' end,
      dataset, funding.predicate(dataset, filters))
    into others, other_ids using filters, last_place;
  end if;
  page.total := numbered + others;
  if is_sliced then
    -- However the others lie among them, so many numbered records are before the page. To leave a few out is not worth it.
    if page_offset - others > 50 then
      passed_over := least(page_offset - others, numbered);
    end if;
    numbers := funding.first_numbers(dataset, sort_by, direction, answer.matches, answer.size, last_place::integer, passed_over);
    page.ids := case dataset
      when 'grants' then funding.grants_in_order(numbers, other_ids, sort_by, direction, page_size, page_offset - passed_over)
      when 'contracts' then funding.contracts_in_order(numbers, other_ids, sort_by, direction, page_size, page_offset - passed_over)
    end;
  end if;
  return page;
end
$$;

-- Whether an index in the order of a list finds a page as soon: of the first thousand places, where the filter keeps an eighth of
-- the records, and the order is by when they were posted, which tells little of anything else: 0.2 ms at 79,700 grants, where the
-- bitmaps take 0.5 to 1. (By deadline or amount the first records of an index may be just those that a filter excludes, 10 to
-- 100 ms; and all that is before a page at 10,000 is read, 20 ms.) A page of thousands is looked at as a whole.
create function funding.is_soon_found(dataset text, sort_by text, matching bigint, page_size bigint, page_offset bigint) returns boolean
language plpgsql stable as $$
begin
  return page_size > 1000 or sort_by = 'created_at' and page_offset + page_size <= 1000 and matching * 8 >= (
    select length(bits) from funding.order_slices
    where order_slices.dataset = is_soon_found.dataset and order_slices.field = 'created_at' and slice = 0);
end
$$;

revoke execute on all functions in schema funding from public;
