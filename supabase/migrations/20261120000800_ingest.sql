-- How records get in: batches of JSON in the shape of ingest/record.ts, written so that the same
-- batch twice changes nothing, and a change moves only the records that differ.

-- What a record's content amounts to, for telling whether it changed.
create function funding.content_hash(item jsonb) returns text
language sql immutable parallel safe as $$
  select md5((item - '{source,source_id}'::text[])::text)
$$;

-- The part of a batch that is new or differs from what is stored, as a JSON array; null when
-- nothing does, so that an unchanged batch touches no table and fires no trigger.
create function funding.changed_items(dataset text, batch jsonb) returns jsonb
language plpgsql stable as $$
declare
  changed jsonb;
begin
  execute format($changed$
    select jsonb_agg(item.value || jsonb_build_object('id', item.id, 'content_hash', item.hash,
      -- A source that gives no date keeps the one from its first import.
      'created_at', coalesce((item.value->>'created_at')::timestamptz,
        (select stored.created_at from funding.%1$I as stored where stored.id = item.id), now())))
    from (
      select value, funding.record_id($2, value->>'source', value->>'source_id') as id,
             funding.content_hash(value) as hash
      from jsonb_array_elements($1)
    ) as item
    where not exists (
      select from funding.%1$I as stored where stored.id = item.id and stored.content_hash = item.hash)
  $changed$, dataset)
  into changed using batch, dataset;
  return changed;
end
$$;

-- Writes a batch of funders. Returns { inserted, updated, unchanged }.
create function funding.upsert_funders(batch jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  changed jsonb := funding.changed_items('funders', batch);
  inserted bigint := 0;
  updated bigint := 0;
begin
  if changed is not null then
    with written as (
      insert into funding.funders as stored (id, name, summary, website, created_at, source, source_id, content_hash)
      select item.id, item.name, item.summary, item.website, item.created_at,
             item.source, item.source_id, item.content_hash
      from jsonb_populate_recordset(null::funding.funders, changed) as item
      order by item.id
      on conflict (id) do update set
        name = excluded.name, summary = excluded.summary, website = excluded.website,
        created_at = excluded.created_at, content_hash = excluded.content_hash, updated_at = now()
      returning stored.xmax = 0 as is_new
    )
    select count(*) filter (where is_new), count(*) filter (where not is_new) into inserted, updated from written;
  end if;
  return json_build_object('inserted', inserted, 'updated', updated,
    'unchanged', jsonb_array_length(batch) - inserted - updated);
end
$$;

-- The funder that each opportunity names: by its code within the source where the source gives one,
-- else by its name however spelt; a new one where there is none. Returns the items with funder_id added.
create function funding.with_funders(items jsonb) returns jsonb
language plpgsql as $$
declare
  result jsonb;
begin
  -- Without this test an insert of nothing would count as a change to the funders.
  if exists (select from jsonb_array_elements(items) as item(value) where funding.funder_of(value) is null) then
    insert into funding.funders (id, name, created_at, source, source_id, content_hash)
    select distinct on (1)
      funding.record_id('funders', missing.source, missing.code), missing.name, now(), missing.source, missing.code, ''
    from (
      select value->>'source' as source, value->>'funder_name' as name,
             coalesce(value->>'funder_source_id', 'name:' || funding.name_key(value->>'funder_name')) as code
      from jsonb_array_elements(items)
      where funding.funder_of(value) is null
    ) as missing
    order by 1, missing.name
    on conflict (id) do nothing;
  end if;

  select jsonb_agg(value || jsonb_build_object('funder_id', funding.funder_of(value)))
  into result from jsonb_array_elements(items);
  return result;
end
$$;

-- The stored funder that an item means, or null.
create function funding.funder_of(item jsonb) returns uuid
language sql stable as $$
  select coalesce(
    (select funders.id from funding.funders
     where funders.source = item->>'source' and funders.source_id = item->>'funder_source_id'),
    (select funders.id from funding.funders
     where item->>'funder_source_id' is null
       and funding.name_key(funders.name) = funding.name_key(item->>'funder_name')
     order by funders.created_at, funders.id limit 1))
$$;

-- Writes a batch of grants or contracts. Returns { inserted, updated, unchanged }.
create function funding.upsert_opportunities(dataset text, batch jsonb) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  changed jsonb := funding.changed_items(dataset, batch);
  inserted bigint := 0;
  updated bigint := 0;
  columns text[] := array['title', 'description', 'amount_min', 'amount_max', 'deadline_date', 'project_end_date',
    'status', 'classification', 'geography', 'states', 'is_national', 'funder_id', 'listing_url', 'categories',
    'identifiers', 'archived_at', 'content_hash'];
begin
  if dataset = 'contracts' then
    columns := columns || array['document_url', 'naics', 'primary_contact_email', 'set_aside_code'];
  end if;
  if changed is not null then
    execute format($upsert$
      with written as (
        insert into funding.%1$I as stored (id, source, source_id, created_at, %2$s)
        select item.id, item.source, item.source_id, item.created_at, %3$s
        from jsonb_populate_recordset(null::funding.%1$I, $1) as item
        order by item.id
        on conflict (id) do update set
          created_at = excluded.created_at,
          updated_at = now(), %4$s
        returning stored.xmax = 0 as is_new
      )
      select count(*) filter (where is_new), count(*) filter (where not is_new) from written
    $upsert$, dataset,
      (select string_agg(format('%I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('item.%I', name), ', ') from unnest(columns) as name),
      (select string_agg(format('%1$I = excluded.%1$I', name), ', ') from unnest(columns) as name))
    into inserted, updated using funding.with_funders(changed);
  end if;
  return json_build_object('inserted', inserted, 'updated', updated,
    'unchanged', jsonb_array_length(batch) - inserted - updated);
end
$$;

revoke execute on all functions in schema funding from public;
