-- Events of records that somebody subscribes to, written in the transaction of the change. The dispatcher makes deliveries of the events later
-- (fan_out.sql).

-- Name of an event: the kind of the record, and what happened to it.
create or replace function funding.event_name(dataset text, what text) returns text
language sql immutable parallel safe as $$
  select rtrim(dataset, 's') || '.' || what
$$;

-- Trigger of new records: fires once a statement, however many records are new.
create or replace function funding.note_created() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  event_name text := funding.event_name(tg_table_name, 'created');
begin
  if exists (select from funding.webhook_endpoints where events @> array[event_name]) then
    insert into funding.events (event, dataset, record_id)
    select event_name, tg_table_name, id from new_records;
  end if;
  return null;
end
$$;

-- Whether an endpoint is to be sent an event, where its filter matches. The endpoint has to be subscribed to the event. Of an update, one of the
-- fields that the endpoint asks for has to have changed. A change of details alone is for endpoints that ask for details, or for a changed field
-- among them. A new version of a known opportunity is created for filters that include versions, and updated for the others. (An expression without a subquery, so that queries inline it: it is evaluated for each event and endpoint.)
create or replace function funding.wants_event(endpoint funding.webhook_endpoints, event funding.events) returns boolean
language sql immutable parallel safe as $$
  select endpoint.events @> array[event.event]
    and (event.version_of is null
      or (event.event like '%.created') = coalesce((endpoint.filters->event.dataset->'parameters'->>'include_versions')::boolean, false))
    and case
    when event.changed_fields is null then true
    when endpoint.updated_fields <> '{}' then endpoint.updated_fields && event.changed_fields
    else not event.details_only or endpoint.expand @> array['details']
  end
$$;

-- Trigger of a record whose content changed; with the argument `details`, of a record whose details alone changed. Its condition is checked on each
-- row before anything is queued. So a refit, which updates every record and the content of none, pays nothing; a transition table would be a copy of
-- all records.
create or replace function funding.note_updated() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  event funding.events;
  before jsonb;
  after jsonb;
begin
  event.event := funding.event_name(tg_table_name, 'updated');
  event.details_only := coalesce(tg_argv[0] = 'details', false);
  if not exists (select from funding.webhook_endpoints where events @> array[event.event]) then
    return null;
  end if;
  before := to_jsonb(old);
  after := to_jsonb(new);
  -- Details that are known for the first time have not changed.
  if before->'details' = 'null' then
    before := before || jsonb_build_object('details', after->'details');
  end if;
  event.changes := funding.changes_between(funding.flat_record(before), funding.flat_record(after));
  event.changed_fields := array(select change->>'field' from json_array_elements(event.changes) as change);
  if not event.details_only
    or exists (select from funding.webhook_endpoints as endpoint where funding.wants_event(endpoint, event))
  then
    insert into funding.events (event, dataset, record_id, changes, changed_fields, details_only)
    values (event.event, tg_table_name, new.id, event.changes, event.changed_fields, event.details_only);
  end if;
  return null;
end
$$;

-- Record of an event as a delivery has it.
create or replace function funding.event_data(event funding.events, has_details boolean) returns json
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
  return case when has_details and event.details is not null then funding.with_member(event.data, 'details', event.details) else event.data end;
end
$$;

-- Changes of an event as a delivery has them: the stored changes of an update; null for other events.
create or replace function funding.event_changes(event funding.events) returns json
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
  return case when event.event like '%.updated' then coalesce(event.changes, '[]') end;
end
$$;

-- Trigger of a record in whose place lists show another one from now on. Where either came with the same write, the subscribers know of the opportunity:
-- the event that a record was created is for those alone whose filter includes versions (`wants_event`). The others get an update of the opportunity with
-- the new record, whose changes are those since the former one; they begin with the id.
create or replace function funding.note_version() returns trigger
language plpgsql security definer set search_path = funding, pg_catalog, pg_temp as $$
declare
  created constant text := funding.event_name(tg_table_name, 'created');
  updated constant text := funding.event_name(tg_table_name, 'updated');
  -- Of the version that came: this record, where it was superseded at once.
  later jsonb := to_jsonb(new);
  changes jsonb;
begin
  if not exists (select from funding.webhook_endpoints as endpoint where endpoint.events && array[created, updated]) then
    return null;
  end if;
  if new.first_seen_at is distinct from new.updated_at then
    execute format('select to_jsonb(record) from funding.%I as record where record.id = $1 and record.first_seen_at = $2', tg_table_name)
    into later using new.superseded_by, new.updated_at;
    if later is null then
      return null;
    end if;
  end if;
  update funding.events as known set version_of = case when new.id = known.record_id then new.superseded_by else new.id end
  where known.fanned_out_at is null and known.record_id = (later->>'id')::uuid and known.event = created and known.version_of is null;
  if later->>'id' <> new.id::text and not exists (
    select from funding.events as known
    where known.fanned_out_at is null and known.record_id = (later->>'id')::uuid and known.event = updated and known.version_of is not null)
  then
    changes := jsonb_build_array(jsonb_build_object('field', 'id', 'from', new.id, 'to', later->>'id'))
      || funding.changes_between(funding.flat_record(to_jsonb(new)), funding.flat_record(later))::jsonb;
    insert into funding.events (event, dataset, record_id, changes, changed_fields, version_of)
    values (updated, tg_table_name, (later->>'id')::uuid, changes,
      array(select change->>'field' from jsonb_array_elements(changes) as change), new.id);
  end if;
  return null;
end
$$;
