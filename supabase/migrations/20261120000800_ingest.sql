-- How records get in: batches of JSON in the shape of ingest/record.ts, written so that the same
-- batch twice changes nothing, and a change moves only the records that differ.

-- Each run of the importer.
create table funding.imports (
  id bigint primary key generated always as identity,
  -- Where the records are from, and what read them: several importers may know one source's records.
  source text not null,
  importer text not null,
  datasets text[] not null,
  file text not null,
  -- Whether the file was all that the source lists, so that what it lacked was archived.
  is_full boolean not null,
  -- When the file was written: what it says may have changed since.
  as_of timestamptz not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- 'refused': all was imported, but so many records are not in the file that none was archived.
  -- 'interrupted': nobody said how it ended; the process was killed.
  outcome text not null default 'running',
  -- { read, repeated, rejected, grants: { inserted, updated, unchanged, archived }, ... }
  counts jsonb not null default '{}',
  message text,
  constraint imports_outcome_known check (outcome in ('running', 'completed', 'refused', 'failed', 'interrupted')),
  constraint imports_finished_has_time check ((outcome = 'running') = (finished_at is null))
);
alter table funding.imports enable row level security;
create index imports_source on funding.imports (source, started_at);

-- What an import changed in records that were there before: the fields that changed, with what they held.
-- What they hold since is in the record, or in its next change.
create table funding.record_changes (
  id bigint primary key generated always as identity,
  dataset text not null,
  record_id uuid not null,
  changed_at timestamptz not null default now(),
  previous jsonb not null
);
alter table funding.record_changes enable row level security;
create index record_changes_record on funding.record_changes (dataset, record_id, changed_at);

-- Other codes by which sources know a funder than its own source_id. (No foreign key: the funders can then be
-- truncated and loaded anew, and a code whose funder is gone is passed over.)
create table funding.funder_codes (
  source text not null,
  code text not null,
  funder_id uuid not null,
  primary key (source, code)
);
alter table funding.funder_codes enable row level security;

-- Notes the beginning of an import, and returns its number. One of the same source that never said how it
-- ended was interrupted.
create function funding.start_import(source text, importer text, datasets text[], file text, is_full boolean, as_of timestamptz)
returns bigint
language sql security definer set search_path = funding, extensions, pg_temp as $$
  update funding.imports set outcome = 'interrupted', finished_at = now()
  where imports.source = start_import.source and outcome = 'running';
  insert into funding.imports (source, importer, datasets, file, is_full, as_of)
  values (source, importer, datasets, file, is_full, least(as_of, now()))
  returning id
$$;

-- Notes how an import ended.
create function funding.finish_import(import_id bigint, outcome text, counts jsonb, message text) returns void
language sql security definer set search_path = funding, extensions, pg_temp as $$
  update funding.imports
  set outcome = finish_import.outcome, counts = finish_import.counts, message = finish_import.message,
      finished_at = clock_timestamp()
  where id = import_id
$$;

-- How fresh a dataset is: when the newest file of which it has everything was written. Records that no import
-- brought are as fresh as the last change to the dataset.
create function funding.data_as_of(dataset text) returns timestamptz
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
begin
  return coalesce(
    (select max(as_of) from funding.imports where outcome in ('completed', 'refused') and datasets @> array[data_as_of.dataset]),
    (select changed_at from funding.data_versions where data_versions.dataset = data_as_of.dataset));
end
$$;

-- The columns that a source fills, in the order in which they are compared.
create function funding.content_columns(dataset text) returns text[]
language sql immutable parallel safe as $$
  select case dataset
    when 'funders' then array['name', 'summary', 'website', 'created_at']
    else array['title', 'description', 'amount_min', 'amount_max', 'deadline_date', 'project_end_date', 'status',
      'classification', 'geography', 'states', 'is_national', 'funder_id', 'listing_url', 'created_at', 'categories',
      'identifiers', 'archived_at'] || case dataset
        when 'contracts' then array['document_url', 'naics', 'primary_contact_email', 'set_aside_code']
        else '{}'
      end
  end
$$;

-- Writes a batch of records in the shape of ingest/record.ts, and returns { inserted, updated, unchanged }. A field
-- that a record leaves out stays as it is stored. A batch that changes nothing touches no table and fires no trigger.
-- Time zone and date style are pinned because a record's content is compared as text.
create function funding.upsert_records(dataset text, batch jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
declare
  columns text[] := funding.content_columns(dataset);
  -- A record as it will be, from the item and, for the fields that it leaves out, from what is stored.
  given constant text := format($given$
    jsonb_populate_record(
      case when item.value ?& $4 then null::funding.%1$I else stored end,
      case when stored.id is null and not item.value ?& $4 then funding.least_record() || item.value else item.value end) as given
  $given$, dataset);
  merged constant text := funding.merged_columns(columns);
  ids uuid[];
  funder_ids uuid[];
  changed bigint[];
  inserted bigint := 0;
  updated bigint := 0;
begin
  if dataset = 'funders' then
    ids := funding.funder_record_ids(batch);
  else
    select array_agg(funding.record_id(dataset, value->>'source', value->>'source_id') order by position)
    into ids from jsonb_array_elements(batch) with ordinality as item(value, position);
    funder_ids := funding.match_funders(batch);
  end if;

  execute format($compare$
    select array_agg(item.position order by item.position)
    from jsonb_array_elements($1) with ordinality as item(value, position)
    left join funding.%1$I as stored on stored.id = $2[item.position]
    where stored.id is null or stored.content_hash <> (select md5(row(%2$s)::text) from %3$s)
  $compare$, dataset, merged, given)
  into changed using batch, ids, funder_ids, array_remove(columns, 'funder_id');

  if changed is not null then
    execute format($write$
      with item as (
        select $2[position] as id, $1->(position - 1)::integer as value, position from unnest($5) as position
      ), before as (
        select * from funding.%1$I where id in (select id from item)
      ), written as (
        insert into funding.%1$I as record (id, source, source_id, content_hash, %4$s)
        select item.id, item.value->>'source', item.value->>'source_id', md5(row(%2$s)::text), %2$s
        from item left join funding.%1$I as stored on stored.id = item.id cross join lateral %3$s
        order by item.id
        on conflict (id) do update set source = excluded.source, source_id = excluded.source_id,
          content_hash = excluded.content_hash, updated_at = now(), %5$s
        returning record.xmax = 0 as is_new, record.id,
          case when record.xmax <> 0 then jsonb_build_object(%6$s) end as content
      ), difference as (
        select written.id, (
          select jsonb_object_agg(old.key, old.value)
          from jsonb_each(jsonb_build_object(%7$s)) as old
          where old.value <> written.content->old.key) as previous
        from written join before on before.id = written.id
        where not written.is_new
      ), noted as (
        insert into funding.record_changes (dataset, record_id, previous)
        select $6, id, previous from difference where previous is not null
      )
      select count(*) filter (where is_new), count(*) filter (where not is_new) from written
    $write$, dataset, merged, given,
      (select string_agg(format('%I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$I = excluded.%1$I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$L, record.%1$I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$L, before.%1$I', name), ', ') from unnest(columns) as name))
    into inserted, updated
    using batch, ids, funder_ids, array_remove(columns, 'funder_id'), changed, dataset;
  end if;
  return json_build_object('inserted', inserted, 'updated', updated,
    'unchanged', jsonb_array_length(batch) - inserted - updated);
end
$$;

-- What a record is that says nothing of these fields and is not stored.
create function funding.least_record() returns jsonb
language sql immutable parallel safe as $$
  select '{"description": "", "classification": "opportunity", "states": [], "is_national": false, "categories": [], "identifiers": []}'::jsonb
$$;

-- The values of a record as it will be, column by column, within upsert_records.
create function funding.merged_columns(columns text[]) returns text
language sql immutable as $$
  select string_agg(case name
    when 'funder_id' then 'coalesce($3[item.position], stored.funder_id)'
    -- A source that gives no date keeps the one from its first import.
    when 'created_at' then 'coalesce(given.created_at, stored.created_at, now()::timestamptz(3))'
    else format('given.%I', name)
  end, ', ' order by position)
  from unnest(columns) with ordinality as listed(name, position)
$$;

-- The funder that each opportunity of a batch names, in its order: by its code within the source, else by its name
-- however spelt; a new one where there is none. Null where an item names none.
create function funding.match_funders(batch jsonb) returns uuid[]
language plpgsql as $$
declare
  matched uuid[];
  missing boolean;
  coded boolean;
begin
  select array_agg(funder_id order by position), bool_or(funder_id is null and name is not null),
         bool_or(is_by_name and code is not null)
  into matched, missing, coded from funding.funder_mentions(batch), unnest(positions) as position;
  if not missing and not coded then
    return matched;
  end if;
  -- Without this test an insert of nothing would count as a change to the funders.
  if missing then
    insert into funding.funders (id, name, created_at, source, source_id, content_hash)
    select distinct on (name_key)
      funding.record_id('funders', source, coalesce(code, 'name:' || name_key)), name, now(),
      source, coalesce(code, 'name:' || name_key), ''
    from funding.funder_mentions(batch)
    where funder_id is null and name is not null
    order by name_key, positions[1]
    on conflict (id) do nothing;
  end if;
  -- The code is remembered, so that the funder is found by it when the source calls it otherwise.
  insert into funding.funder_codes (source, code, funder_id)
  select distinct on (source, code) source, code, funder_id
  from funding.funder_mentions(batch) where is_by_name and code is not null
  order by source, code, positions[1]
  on conflict (source, code) do update set funder_id = excluded.funder_id;
  select array_agg(funder_id order by position)
  into matched from funding.funder_mentions(batch), unnest(positions) as position;
  return matched;
end
$$;

-- The different ways in which a batch's opportunities name their funders, where they do so, and the funder that is
-- meant, where it is stored.
create function funding.funder_mentions(batch jsonb)
returns table (source text, code text, name text, name_key text, positions bigint[], funder_id uuid, is_by_name boolean)
language sql stable as $$
  select mention.source, mention.code, mention.name, mention.name_key, mention.positions,
         coalesce(by_code.id, by_other_code.id, by_name.id),
         coalesce(by_code.id, by_other_code.id) is null and by_name.id is not null
  from (
    select value->>'source' as source, value->>'funder_source_id' as code, value->>'funder_name' as name,
           funding.name_key(value->>'funder_name') as name_key, array_agg(position order by position) as positions
    from jsonb_array_elements(batch) with ordinality as item(value, position)
    group by 1, 2, 3
  ) as mention
  left join funding.funders as by_code on by_code.source = mention.source and by_code.source_id = mention.code
  left join (funding.funder_codes as other_code join funding.funders as by_other_code on by_other_code.id = other_code.funder_id)
    on other_code.source = mention.source and other_code.code = mention.code
  left join lateral (
    select funders.id from funding.funders
    where funding.name_key(funders.name) = mention.name_key
    -- Of namesakes, the source's own, then the one that was there first.
    order by funders.source = mention.source desc, funders.created_at, funders.id limit 1
  ) as by_name on true
$$;

-- The ids of a batch of funder records, in its order. A funder of which only its name was known, from an opportunity,
-- is the one that comes now: it keeps its id, which the opportunities and the API's clients have.
create function funding.funder_record_ids(batch jsonb) returns uuid[]
language plpgsql as $$
declare
  ids uuid[];
begin
  with item as (
    select value->>'source' as source, value->>'source_id' as source_id, position,
           funding.name_key(value->>'name') as name_key
    from jsonb_array_elements(batch) with ordinality as item(value, position)
  ), known as (
    select item.*, own.id as own_id, namesake.id as namesake_id,
           row_number() over (partition by namesake.id, own.id is null order by position) as place
    from item
    left join funding.funders as own on own.source = item.source and own.source_id = item.source_id
    left join lateral (
      select funders.id from funding.funders
      where funding.name_key(funders.name) = item.name_key and funders.content_hash = ''
      order by funders.created_at, funders.id limit 1
    ) as namesake on true
  ), adopted as (
    -- Its source knew it by a code, and will again.
    insert into funding.funder_codes (source, code, funder_id)
    select funders.source, funders.source_id, funders.id
    from known join funding.funders on funders.id = known.namesake_id
    where known.own_id is null and known.place = 1 and funders.source_id not like 'name:%'
    on conflict (source, code) do update set funder_id = excluded.funder_id
  )
  select array_agg(coalesce(own_id, case when place = 1 then namesake_id end,
    funding.record_id('funders', source, source_id)) order by position)
  into ids from known;
  return ids;
end
$$;

-- The identifiers of a source's records in the current catalogue, in pages: those after `after`, in their order.
create function funding.current_source_ids(dataset text, source text, after text, page integer) returns setof text
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
begin
  return query execute format($ids$
    select source_id from funding.%I where source = $1 and archived_at is null and source_id > $2
    order by source_id limit $3
  $ids$, dataset) using source, after, page;
end
$$;

-- Takes records that their source no longer lists out of the current catalogue; returns how many. Without a content
-- hash, each comes back as soon as its source lists it again.
create function funding.archive_records(dataset text, source text, source_ids text[]) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  archived integer;
begin
  execute format($archive$
    with before as (
      select id, status from funding.%1$I where source = $1 and source_id = any ($2) and archived_at is null
    ), written as (
      update funding.%1$I as record
      set archived_at = now(), updated_at = now(), content_hash = '',
          status = case when record.status in ('open', 'posted', 'forecasted', 'upcoming') then 'closed' else record.status end
      from before where before.id = record.id
      returning record.id, before.status as old_status, record.status as new_status
    ), noted as (
      insert into funding.record_changes (dataset, record_id, previous)
      select $3, id, '{"archived_at": null}'::jsonb
        || case when old_status <> new_status then jsonb_build_object('status', old_status) else '{}' end
      from written
    )
    select count(*) from written
  $archive$, dataset) into archived using source, source_ids, dataset;
  return archived;
end
$$;

revoke execute on all functions in schema funding from public;
