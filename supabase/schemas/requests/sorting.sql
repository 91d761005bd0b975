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

-- SQL for the order of a list. Nulls are last in both directions. Ties are by id in the same direction, but those of a ranking always upwards.
create or replace function funding.sort_order(sort_by text, direction text) returns text
language plpgsql immutable as $$
begin
  if direction is null or direction not in ('asc', 'desc') then
    raise invalid_parameter_value using message = format('no such order: %s %s', sort_by, direction);
  end if;
  return (
    select format(case
      when sort_by = 'relevance' then '%1$s %2$s, found.id asc'
      when known.has_nulls then '%1$s %2$s nulls last, record.id %2$s'
      else '%1$s %2$s, record.id %2$s'
    end, known.key, direction)
    from funding.list_order(sort_by) as known);
end
$$;

-- SQL for the key in the cursor of the row named `record`. `after_cursor` reads the key.
create or replace function funding.cursor_key(sort_by text) returns text
language sql immutable as $$
  select known.cursor_key from funding.list_order(sort_by) as known
$$;

-- Keyset paging: conditions of the records after a cursor, `$2` ({ sort_by, order, key, id } of the last record seen). The records of the first
-- condition come before those of the second. The index of the order serves each condition.
create or replace function funding.after_cursor(cursor jsonb) returns text[]
language plpgsql immutable as $$
declare
  known constant record := funding.list_order(cursor->>'sort_by');
  seen_key constant text := format($c$($2->>'key')::%s$c$, known.type);
  seen_id constant text := $c$($2->>'id')::uuid$c$;
  further text := case cursor->>'order' when 'asc' then '>' else '<' end;
begin
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
