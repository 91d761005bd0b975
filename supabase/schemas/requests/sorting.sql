-- Orders of lists, and cursors, as SQL.

-- An order by its name.
create or replace function funding.list_order(sort_by text) returns table (key text, cursor_key text, type text, has_nulls boolean)
language plpgsql immutable as $$
begin
  return query select known.key, known.cursor_key, known.type, known.has_nulls from funding.list_orders() as known where known.name = sort_by;
  if not found then
    raise invalid_parameter_value using message = format('no such order: %s', sort_by);
  end if;
end
$$;

-- Keys of a list's order. Of several ("deadline_date,-amount_max"), each has its direction, which `-` makes descending.
create or replace function funding.sort_keys(sort_by text, direction text) returns table (place integer, name text, direction text)
language sql immutable as $$
  select named.place::integer, ltrim(named.key, '-'),
    case when strpos(sort_keys.sort_by, ',') = 0 then sort_keys.direction when named.key like '-%' then 'desc' else 'asc' end
  from unnest(coalesce(nullif(string_to_array(sort_by, ','), '{}'), array[''])) with ordinality as named(key, place)
$$;

-- SQL for the order of a list. Nulls are last in both directions. Ties are by id in the same direction, but those of a ranking and of several keys
-- always upwards.
create or replace function funding.sort_order(sort_by text, direction text) returns text
language plpgsql immutable set plan_cache_mode = force_generic_plan as $$
begin
  if sort_by is null or direction is null or direction not in ('asc', 'desc') then
    raise invalid_parameter_value using message = format('no such order: %s %s', sort_by, direction);
  end if;
  return (
    select string_agg(format('%s %s', known.key, asked.direction) || case when known.has_nulls then ' nulls last' else '' end, ', ' order by asked.place)
      || case when sort_by = 'relevance' then ', found.id asc' when count(*) > 1 then ', record.id asc' else format(', record.id %s', sort_order.direction) end
    from funding.sort_keys(sort_by, direction) as asked, funding.list_order(asked.name) as known);
end
$$;

-- SQL for the key in the cursor of the row named `record`; of several, an array. `after_cursor` reads the key.
create or replace function funding.cursor_key(sort_by text) returns text
language sql immutable as $$
  select case when count(*) = 1 then max(known.cursor_key)
    else format('json_build_array(%s)', string_agg(known.cursor_key, ', ' order by asked.place)) end
  from funding.sort_keys(sort_by, 'asc') as asked, funding.list_order(asked.name) as known
$$;

-- The conditions of `after_cursor` for several keys. The first is for the records with the same first key, which are ordered by the others; the rest
-- come after them, nulls last.
create or replace function funding.after_cursor_of_keys(cursor jsonb) returns text[]
language plpgsql immutable as $$
declare
  asked record;
  seen text;
  is_same text;
  is_after text[];
  -- After the cursor by the keys from this one on: made from the last key to the first.
  following text := $c$record.id > ($2->>'id')::uuid$c$;
begin
  for asked in
    select keys.place, keys.direction, known.key, known.type, known.has_nulls, cursor->'key'->>(keys.place - 1) is null as is_null
    from funding.sort_keys(cursor->>'sort_by', cursor->>'order') as keys, funding.list_order(keys.name) as known
    order by keys.place desc
  loop
    seen := format($c$($2->'key'->>%s)::%s$c$, asked.place - 1, asked.type);
    is_same := case when asked.is_null then format('%s is null', asked.key) else format('%s = %s', asked.key, seen) end;
    is_after := case when asked.is_null then '{}'::text[] else array_remove(array[
      format('%s %s %s', asked.key, case asked.direction when 'asc' then '>' else '<' end, seen),
      case when asked.has_nulls then format('%s is null', asked.key) end], null) end;
    if asked.place = 1 then
      return format('%s and (%s)', is_same, following) || is_after;
    end if;
    following := array_to_string(format('%s and (%s)', is_same, following) || is_after, ' or ');
  end loop;
end
$$;

-- Keyset paging: conditions of the records after a cursor, `$2` ({ sort_by, order, key, id } of the last record seen). The records of each
-- condition come before those of the next. The index of the order, or of its first key, serves each condition.
create or replace function funding.after_cursor(cursor jsonb) returns text[]
language plpgsql immutable as $$
declare
  known record;
  seen_key text;
  seen_id constant text := $c$($2->>'id')::uuid$c$;
  further text := case cursor->>'order' when 'asc' then '>' else '<' end;
begin
  if strpos(cursor->>'sort_by', ',') > 0 then
    return funding.after_cursor_of_keys(cursor);
  end if;
  known := funding.list_order(cursor->>'sort_by');
  seen_key := format($c$($2->>'key')::%s$c$, known.type);
  if cursor->>'sort_by' = 'relevance' then
    return array[format('(%1$s %2$s %3$s or %1$s = %3$s and found.id > %4$s)', known.key, further, seen_key, seen_id)];
  end if;
  -- The feed ends where changes are not settled (change_moments.sql). Its first page has no record before it, and so no key.
  if cursor ? 'until' then
    return array[concat_ws(' and ', $c$record.updated_at < ($2->>'until')::timestamptz$c$,
      case when cursor ? 'key' then format('(%s, record.id) %s (%s, %s)', known.key, further, seen_key, seen_id) end)];
  end if;
  -- Nulls are last, and ordered by id.
  if cursor->>'key' is null then
    return array[format('%s is null and record.id %s %s', known.key, further, seen_id)];
  end if;
  return array_remove(array[
    format('(%s, record.id) %s (%s, %s)', known.key, further, seen_key, seen_id),
    case when known.has_nulls then format('%s is null', known.key) end
  ], null);
end
$$;
