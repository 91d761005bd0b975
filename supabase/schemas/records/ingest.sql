-- Writing records: batches of JSON in the shape of ingest/record.ts. The same batch twice changes nothing, and a change writes
-- only the records that differ.

-- Defaults of the fields that a new record leaves out.
create or replace function funding.least_record() returns jsonb
language sql immutable parallel safe as $$
  select '{"description": "", "classification": "opportunity", "states": [], "is_national": false, "categories": [], "identifiers": []}'::jsonb
$$;

-- SQL for the new value of a record's column within upsert_records, as its source states it.
create or replace function funding.merged_column(name text) returns text
language sql immutable as $$
  select case name
    when 'funder_id' then 'coalesce($3[item.position], stored.funder_id)'
    -- Under an alias, the record has an address of its own already.
    when 'listing_url' then
      'case when funding.is_alias(item.value->>''source'', item.value->>''source_id'') then coalesce(stored.listing_url, given.listing_url) else given.listing_url end'
    -- A source that gives no date keeps the one from its first import.
    when 'created_at' then 'coalesce(given.created_at, stored.created_at, now()::timestamptz(3))'
    -- A part of a record that says "posted" does not know of the archive date that is planned.
    when 'archived_at' then $c$case when given.archived_at is null and not item.value ?& $4 and stored.stated_archived_at > funding.bounded_now()
      then stored.stated_archived_at else given.archived_at end$c$
    else format('given.%I', name)
  end
$$;

-- SQL for the new values of a record as its source states them, column by column.
create or replace function funding.merged_columns(columns text[]) returns text
language sql immutable as $$
  select string_agg(funding.merged_column(name), ', ' order by position) from unnest(columns) with ordinality as listed(name, position)
$$;

-- New details of an opportunity. The details of a whole record replace the stored ones; those of a part of a record change the fields that they have.
-- Documents, and titles of assistance listings, stay where a source gives none: Grants.gov's daily extract has neither, and its API has both.
create or replace function funding.merged_details(stored jsonb, given jsonb, is_whole boolean) returns jsonb
language plpgsql immutable parallel safe as $$
declare
  merged jsonb := case when is_whole then given else coalesce(stored, '{}') || given end;
begin
  if given is null or stored is null then
    return coalesce(given, stored);
  end if;
  if stored ? 'documents' and not given ? 'documents' then
    merged := merged || jsonb_build_object('documents', stored->'documents');
  end if;
  if jsonb_typeof(given->'assistance_listings') = 'array' and jsonb_typeof(stored->'assistance_listings') = 'array' then
    merged := merged || jsonb_build_object('assistance_listings', (
      select jsonb_agg(
        case when item->>'title' is null then item || coalesce((
          select jsonb_build_object('title', known->'title') from jsonb_array_elements(stored->'assistance_listings') as known
          where known->>'number' = item->>'number' limit 1), '{}')
        else item end order by position)
      from jsonb_array_elements(given->'assistance_listings') with ordinality as listed(item, position)));
  end if;
  return merged;
end
$$;

-- Writes a batch of records in the shape of ingest/record.ts, and returns { inserted, updated, unchanged }. A field that a record leaves out keeps
-- its stored value. The status and the archive date that are shown follow from the stated ones (due_dates.sql); a record whose statement alone changed
-- counts as unchanged. A record that was changed at `kept_since` or later stays as it is. A batch that changes nothing touches no table and fires no
-- trigger. Time zone and date style are pinned because a record's content is compared as text.
create or replace function funding.upsert_records(dataset text, batch jsonb, kept_since timestamptz default null) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  columns text[] := funding.content_columns(dataset);
  has_details constant boolean := dataset <> 'funders';
  -- New statement about a record: from the item and, for the fields that the item leaves out, from the stored record.
  given constant text := format($given$
    jsonb_populate_record(
      case when item.value ?& $4 then null::funding.%1$I else %2$s end,
      case when stored.id is null and not item.value ?& $4 then funding.least_record() || item.value else item.value end) as given
  $given$, dataset, case when has_details then $stated$
    jsonb_populate_record(stored, jsonb_build_object(
      'status', coalesce(stored.stated_status, stored.status), 'archived_at', coalesce(stored.stated_archived_at, stored.archived_at)))
  $stated$ else 'stored' end);
  merged constant text := funding.merged_columns(columns);
  merged_details constant text := $merge$funding.merged_details(stored.details, item.value->'details', item.value ?& $4)$merge$;
  state constant text := format('cross join lateral funding.state_at(%s) as state', concat_ws(', ', 'item.value->>''source''',
    'given.classification', funding.merged_column('status'), funding.merged_column('archived_at'), 'given.deadline_date', merged_details,
    funding.merged_column('created_at'), 'stored.archived_at', '$8'));
  -- Columns that a write compares and notes: what is shown, not what is stated.
  shown constant text := (select string_agg(case when has_details and name in ('status', 'archived_at') then 'state.' || name
    else funding.merged_column(name) end, ', ' order by position) from unnest(columns) with ordinality as listed(name, position));
  -- Positions of the records to write, among those at $5 (null: all).
  compare constant text := format($compare$
    select array_agg(item.position order by item.position)
    from jsonb_array_elements($1) with ordinality as item(value, position)
    left join funding.%1$I as stored on stored.id = $2[item.position]
    where ($5 is null or item.position = any ($5))
      and ($6 is null or stored.id is null or stored.updated_at < $6)
      and (stored.id is null
        or (stored.source_id <> item.value->>'source_id' and not funding.is_alias(item.value->>'source', item.value->>'source_id'))
        or stored.content_hash <> (select md5(row(%2$s)::text) from %3$s) %4$s)
  $compare$, dataset, merged, given, case when has_details then 'or stored.details is distinct from ' || merged_details end);
  ids uuid[];
  funder_ids uuid[];
  changed bigint[];
  locked integer;
  inserted bigint := 0;
  updated bigint := 0;
  changed_at timestamptz;
begin
  perform funding.require_room();
  if dataset = 'funders' then
    ids := funding.funder_record_ids(batch);
  else
    ids := funding.record_ids(dataset, batch);
    funder_ids := funding.match_funders(batch);
  end if;

  execute compare into changed using batch, ids, funder_ids, array_remove(columns, 'funder_id'), changed, kept_since;
  if changed is not null then
    -- Locked in the order of their ids, before the write's foreign keys lock them in the write's own order: an import of a directory may be adopting
    -- several of these funders.
    if dataset <> 'funders' then
      perform from funding.funders
      where id in (select funder_ids[position] from unnest(changed) as position) order by id for key share;
    end if;
    -- From here on no other transaction is writing one of these records, and a part of a record is merged with the latest stored state.
    execute format('select from funding.%I where id = any ($1) order by id for update', dataset)
    using array(select ids[position] from unnest(changed) as position);
    get diagnostics locked = row_count;
    if locked > 0 then
      execute compare into changed using batch, ids, funder_ids, array_remove(columns, 'funder_id'), changed, kept_since;
    end if;
  end if;

  if changed is not null then
    changed_at := funding.change_moment();
    execute format($write$
      with item as (
        select $2[position] as id, $1->(position - 1)::integer as value, position from unnest($5) as position
      ), before as (
        select * from funding.%1$I where id in (select id from item)
      ), written as (
        insert into funding.%1$I as record (id, source, source_id, updated_at, first_seen_at, content_hash, %4$s %8$s)
        select item.id, item.value->>'source', item.value->>'source_id', $7, $7, md5(row(%2$s)::text), %14$s %9$s
        from item left join funding.%1$I as stored on stored.id = item.id cross join lateral %3$s %15$s
        order by item.id
        on conflict (id) do update set source = excluded.source,
          source_id = case when funding.is_alias(excluded.source, excluded.source_id) then record.source_id else excluded.source_id end,
          content_hash = excluded.content_hash, %5$s %10$s,
          updated_at = case when (%16$s) is distinct from (%17$s) then excluded.updated_at else record.updated_at end
        returning record.xmax = 0 as is_new, record.xmax <> 0 and record.updated_at = $7 as is_updated, record.id,
          case when record.xmax <> 0 then jsonb_build_object(%6$s) %11$s end as content %13$s
      ), difference as (
        select written.id, (
          select jsonb_object_agg(old.key, old.value)
          from jsonb_each(jsonb_build_object(%7$s) %12$s) as old
          where old.value is distinct from coalesce(written.content->old.key, 'null')) as previous
        from written join before on before.id = written.id
        where not written.is_new
      ), noted as (
        insert into funding.record_changes (dataset, record_id, previous)
        select $6, id, previous from difference where previous is not null
      )
      select count(*) filter (where is_new), count(*) filter (where is_updated) from written
    $write$, dataset, merged, given,
      (select string_agg(format('%I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$I = excluded.%1$I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$L, record.%1$I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$L, before.%1$I', name), ', ') from unnest(columns) as name),
      case when has_details then ', details, stated_status, stated_archived_at' end,
      case when has_details then concat(', ', merged_details, ', ', funding.merged_column('status'), ', ', funding.merged_column('archived_at')) end,
      case when has_details then
        ', details = excluded.details, stated_status = excluded.stated_status, stated_archived_at = excluded.stated_archived_at' end,
      case when has_details then '|| coalesce(record.details, ''{}'')' end,
      -- Details that the record did not have before were null, unless nothing was known of its details.
      case when has_details then $before$
        || case when before.details is null then '{}'
             else (select coalesce(jsonb_object_agg(name, null), '{}') from jsonb_object_keys(record_details) as name) || before.details
           end
      $before$ end,
      case when has_details then ', coalesce(record.details, ''{}'') as record_details' end,
      shown, case when has_details then state end,
      (select string_agg(format('record.%I', name), ', ') from unnest(columns || case when has_details then 'details' end) as name where name is not null),
      (select string_agg(format('excluded.%I', name), ', ') from unnest(columns || case when has_details then 'details' end) as name where name is not null))
    into inserted, updated
    using batch, ids, funder_ids, array_remove(columns, 'funder_id'), changed, dataset, changed_at, funding.bounded_now();
    if has_details then
      perform funding.link_versions(dataset, array(select ids[position] from unnest(changed) as position), changed_at);
    end if;
  end if;
  if dataset = 'grants' then
    perform funding.note_aliases(dataset, batch, ids);
  end if;
  return json_build_object('inserted', inserted, 'updated', updated,
    'unchanged', jsonb_array_length(batch) - inserted - updated);
end
$$;

-- Identifiers of a source's records in the current catalogue, in pages: those after `after`, in their order. Records that were changed at
-- `kept_since` or later are left out, as are those that are known by an alias alone: no full list can have them.
create or replace function funding.current_source_ids(
  dataset text, source text, after text, page integer, kept_since timestamptz default null) returns setof text
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($ids$
    select source_id from funding.%I where source = $1 and archived_at is null and source_id > $2 and ($4 is null or updated_at < $4)
      and not funding.is_alias(source, source_id)
    order by source_id limit $3
  $ids$, dataset) using source, after, page, kept_since;
end
$$;

-- Takes records that their source no longer lists out of the current catalogue; returns their number. Their content hash is cleared, so each comes
-- back as soon as its source lists it again.
create or replace function funding.archive_records(dataset text, source text, source_ids text[]) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  archived uuid[];
  changed_at constant timestamptz := funding.change_moment();
begin
  execute format($archive$
    with before as (
      select id, status from funding.%1$I where source = $1 and source_id = any ($2) and archived_at is null
    ), written as (
      update funding.%1$I as record
      set archived_at = now(), stated_archived_at = now(), stated_status = coalesce(record.stated_status, record.status), updated_at = $4, content_hash = '',
          status = case when record.status in ('open', 'posted', 'forecasted', 'upcoming') then 'closed' else record.status end
      from before where before.id = record.id
      returning record.id, before.status as old_status, record.status as new_status
    ), noted as (
      insert into funding.record_changes (dataset, record_id, previous)
      select $3, id, '{"archived_at": null}'::jsonb
        || case when old_status <> new_status then jsonb_build_object('status', old_status) else '{}' end
      from written
    )
    select coalesce(array_agg(id), '{}') from written
  $archive$, dataset) into archived using source, source_ids, dataset, changed_at;
  perform funding.link_versions(dataset, archived, changed_at);
  return cardinality(archived);
end
$$;
