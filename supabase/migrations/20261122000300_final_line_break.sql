-- A file of lines (CSV, ndjson) that was cut between two values looks whole, but for the line break at its end. So a
-- run remembers whether its files had one: a file that lacks it where the source's files had it before was cut.

alter table funding.imports
  -- Null of runs that failed, and of those before this column.
  add column has_final_line_break boolean;

-- Another parameter is another function; with a default, callers of the old one find the new one.
drop function funding.finish_import(bigint, text, jsonb, text);

-- Notes how an import ended.
create function funding.finish_import(
  import_id bigint, outcome text, counts jsonb, message text, has_final_line_break boolean default null
) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  update funding.imports
  set outcome = finish_import.outcome, counts = finish_import.counts, message = finish_import.message,
      has_final_line_break = finish_import.has_final_line_break, finished_at = clock_timestamp()
  where id = import_id
$$;

-- Whether the files of a source's newest run by this importer that came to its end had a line break at their end.
create function funding.had_final_line_break(source text, importer text) returns boolean
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select coalesce((
    select has_final_line_break from funding.imports
    where imports.source = had_final_line_break.source and imports.importer = had_final_line_break.importer
      and outcome in ('completed', 'refused') and has_final_line_break is not null
    order by id desc limit 1), false)
$$;

revoke execute on function funding.finish_import(bigint, text, jsonb, text, boolean) from public;
revoke execute on function funding.had_final_line_break(text, text) from public;
