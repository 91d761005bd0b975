-- When an import's input last had a record. A run that saw a record again changes neither the record nor its feed, and a full list writes one row for
-- all of its records.

-- Notes that an input that is no full list had these records, by their sources and source_ids. `seen_at` is when the input was written.
create or replace function funding.note_seen(dataset text, sources text[], source_ids text[], seen_at timestamptz) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  execute format($note$
    insert into funding.sightings as known (record_id, seen_at)
    select distinct coalesce(record.id, alias.record_id) as id, $3
    from unnest($1, $2) as given(source, source_id)
    left join funding.%I as record on record.source = given.source and record.source_id = given.source_id
    left join funding.record_aliases as alias on alias.dataset = $4 and alias.source = given.source and alias.alias = given.source_id
    where coalesce(record.id, alias.record_id) is not null
    order by id
    on conflict (record_id) do update set seen_at = excluded.seen_at where coalesce(known.seen_at < excluded.seen_at, true)
  $note$, dataset) using sources, source_ids, seen_at, dataset;
end
$$;

-- Identifiers of a source's records, archived ones too, in pages: those after `after`, in their order, and whether the last full list lacked them.
create or replace function funding.sighted_ids(dataset text, source text, after text, page integer)
returns table (source_id text, is_missing boolean)
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($ids$
    select record.source_id, coalesce(known.is_missing, false)
    from funding.%I as record left join funding.sightings as known on known.record_id = record.id
    where record.source = $1 and record.source_id > $2
    order by record.source_id limit $3
  $ids$, dataset) using source, after, page;
end
$$;

-- Notes records of a source that its full list lacks, or has again. One that it lacks was last seen when it was before this list.
create or replace function funding.note_missing(dataset text, source text, source_ids text[], is_missing boolean) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  execute format($note$
    insert into funding.sightings as known (record_id, seen_at, is_missing)
    select record.id, funding.last_seen($3, record.id, $1), $4 from funding.%I as record where record.source = $1 and record.source_id = any ($2)
    order by 1
    on conflict (record_id) do update set seen_at = excluded.seen_at, is_missing = excluded.is_missing
  $note$, dataset) using source, source_ids, dataset, is_missing;
end
$$;

-- Notes that a full list of a source was imported, and forgets the sightings before it, which it tells of. `seen_at` is when it was written.
create or replace function funding.note_full_list(dataset text, source text, seen_at timestamptz) returns void
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
begin
  insert into funding.full_lists as known (dataset, source, seen_at) values (note_full_list.dataset, note_full_list.source, note_full_list.seen_at)
  on conflict on constraint full_lists_pkey do update set seen_at = greatest(known.seen_at, excluded.seen_at);
  execute format($forget$
    delete from funding.sightings as known using funding.%I as record
    where record.id = known.record_id and record.source = $1 and not known.is_missing and coalesce(known.seen_at <= $2, true)
  $forget$, dataset) using source, seen_at;
end
$$;

-- When the input of an import last had a record; null where none did since this is noted.
create or replace function funding.last_seen(dataset text, record_id uuid, source text) returns timestamptz
language sql stable as $$
  select greatest(known.seen_at, case when known.is_missing is not true then full_list.seen_at end)
  from (values (1)) as one
  left join funding.sightings as known on known.record_id = last_seen.record_id
  left join funding.full_lists as full_list on full_list.dataset = last_seen.dataset and full_list.source = last_seen.source
$$;
