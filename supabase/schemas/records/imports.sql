-- Log of imports.

-- Logs the beginning of an import, and returns its number. An earlier import of the same source without an end was interrupted.
create or replace function funding.start_import(source text, importer text, datasets text[], file text, is_full boolean, as_of timestamptz)
returns bigint
language sql security definer set search_path = funding, extensions, pg_temp as $$
  select funding.follow_unwatched_clock();
  update funding.imports set outcome = 'interrupted', finished_at = now()
  where imports.source = start_import.source and outcome = 'running';
  insert into funding.imports (source, importer, datasets, file, is_full, as_of)
  values (source, importer, datasets, file, is_full, least(as_of, now()))
  returning id
$$;

-- Logs the end of an import.
create or replace function funding.finish_import(
  import_id bigint, outcome text, counts jsonb, message text, has_final_line_break boolean default null
) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  update funding.imports
  set outcome = finish_import.outcome, counts = finish_import.counts, message = finish_import.message,
      has_final_line_break = finish_import.has_final_line_break, finished_at = clock_timestamp()
  where id = import_id
$$;

-- Runs of the same source and dataset whose files are newer than those of an import, by more than an hour (files that came together are of one time):
-- the start of the first run, the time of the newest file, and whether a full list is among the runs that ended. Failed runs count: they may have
-- written records. Nulls where there is no such run.
create or replace function funding.newer_runs(import_id bigint, out since timestamptz, out as_of timestamptz, out has_full_list boolean)
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  -- Records have times of whole milliseconds.
  select date_trunc('milliseconds', min(newer.started_at)), max(newer.as_of), bool_or(newer.is_full and newer.outcome in ('completed', 'refused'))
  from funding.imports as run
  join funding.imports as newer
    on newer.source = run.source and newer.datasets && run.datasets and newer.as_of > run.as_of + interval '1 hour' and newer.id <> run.id
  where run.id = import_id
$$;

-- Locks a source for this transaction, unless another import has locked it; returns whether it did. The lock is not the session's: a pooler in
-- transaction mode would keep such a lock for ever.
create or replace function funding.lock_source(source text) returns boolean
language sql as $$
  select pg_try_advisory_xact_lock(hashtextextended('import of ' || source, 0))
$$;

-- Whether the files of a source's newest finished run by this importer ended with a line break. A file of lines that was cut between two values looks
-- complete, except that this line break is missing. Where the source's files had it before, a file without it was cut.
create or replace function funding.had_final_line_break(source text, importer text) returns boolean
language sql stable security definer set search_path = funding, extensions, pg_temp as $$
  select coalesce((
    select has_final_line_break from funding.imports
    where imports.source = had_final_line_break.source and imports.importer = had_final_line_break.importer
      and outcome in ('completed', 'refused') and has_final_line_break is not null
    order by id desc limit 1), false)
$$;
