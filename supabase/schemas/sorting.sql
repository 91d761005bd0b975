-- Orders of lists, and cursors, as SQL.

-- SQL expression by which a list is sorted.
create or replace function funding.sort_key(sort_by text) returns text
language plpgsql immutable as $$
declare
  sort_key text := case sort_by
    when 'created_at' then 'record.created_at'
    when 'updated_at' then 'record.updated_at'
    when 'deadline_date' then 'record.deadline_date'
    when 'amount_min' then 'record.amount_min'
    when 'amount_max' then 'record.amount_max'
    when 'title' then 'funding.title_key(record.title) collate "C"'
    when 'name' then 'funding.title_key(record.name) collate "C"'
    when 'relevance' then 'found.score'
    -- Orders of the CommonGrants search alone, whose pages have no cursors: a status in that search's words, and two details.
    when 'status' then $k$case when record.status in ('open', 'posted') then 'open' when record.status = 'closed' then 'closed' else 'forecasted' end collate "C"$k$
    when 'total_funding' then $k$(record.details->>'total_funding')::double precision$k$
    when 'expected_awards' then $k$(record.details->>'expected_awards')::double precision$k$
  end;
begin
  if sort_key is null then
    raise invalid_parameter_value using message = format('no such order: %s', sort_by);
  end if;
  return sort_key;
end
$$;

-- SQL for the order of a list. Nulls are last in both directions. Ties are by id in the same direction, but those of a ranking always upwards.
create or replace function funding.sort_order(sort_by text, direction text) returns text
language plpgsql immutable as $$
begin
  if direction is null or direction not in ('asc', 'desc') then
    raise invalid_parameter_value using message = format('no such order: %s %s', sort_by, direction);
  end if;
  return format(case
    when sort_by = 'relevance' then '%1$s %2$s, found.id asc'
    when sort_by in ('deadline_date', 'amount_min', 'amount_max', 'total_funding', 'expected_awards') then '%1$s %2$s nulls last, record.id %2$s'
    else '%1$s %2$s, record.id %2$s'
  end, funding.sort_key(sort_by), direction);
end
$$;

-- SQL for the key in the cursor of the row named `record`. `after_cursor` reads the key.
create or replace function funding.cursor_key(sort_by text) returns text
language sql immutable as $$
  select case sort_by
    when 'created_at' then 'funding.moment(record.created_at)'
    when 'updated_at' then 'funding.exact_moment(record.updated_at)'
    else funding.sort_key(sort_by)
  end
$$;

-- Keyset paging: conditions of the records after a cursor, `$2` ({ sort_by, order, key, id } of the last record seen). The records of the first
-- condition come before those of the second. The index of the order serves each condition.
create or replace function funding.after_cursor(cursor jsonb) returns text[]
language plpgsql immutable as $$
declare
  sort_key text := funding.sort_key(cursor->>'sort_by');
  key_type text := case cursor->>'sort_by'
    when 'created_at' then 'timestamptz'
    when 'updated_at' then 'timestamptz'
    when 'deadline_date' then 'date'
    when 'title' then 'text'
    when 'name' then 'text'
    else 'double precision'
  end;
  seen_key text := format($c$($2->>'key')::%s$c$, key_type);
  seen_id constant text := $c$($2->>'id')::uuid$c$;
  further text := case cursor->>'order' when 'asc' then '>' else '<' end;
begin
  if cursor->>'sort_by' = 'relevance' then
    return array[format('(%1$s %2$s %3$s or %1$s = %3$s and found.id > %4$s)', sort_key, further, seen_key, seen_id)];
  end if;
  -- The feed ends where changes are not settled (feed.sql). Its first page has no record before it, and so no key.
  if cursor ? 'until' then
    return array[concat_ws(' and ', $c$record.updated_at < ($2->>'until')::timestamptz$c$,
      case when cursor ? 'key' then format('(%s, record.id) %s (%s, %s)', sort_key, further, seen_key, seen_id) end)];
  end if;
  -- Nulls are last, and ordered by id.
  if cursor->>'key' is null then
    return array[format('%s is null and record.id %s %s', sort_key, further, seen_id)];
  end if;
  return array_remove(array[
    format('(%s, record.id) %s (%s, %s)', sort_key, further, seen_key, seen_id),
    case when cursor->>'sort_by' in ('deadline_date', 'amount_min', 'amount_max') then format('%s is null', sort_key) end
  ], null);
end
$$;
