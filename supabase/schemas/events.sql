-- Events: what happened to records that somebody subscribes to, written in the transaction in which it happened. The dispatcher
-- makes deliveries of them later (fan_out.sql).

-- Name of an event: what became of a record of a dataset.
create or replace function funding.event_name(dataset text, what text) returns text
language sql immutable parallel safe as $$
  select rtrim(dataset, 's') || '.' || what
$$;

-- Trigger of new records: once a statement, however many there are.
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

-- Trigger of a record whose content changed. Its condition looks at each row before anything is queued, so that a refit, which updates
-- every record and the content of none, pays nothing; a transition table would be a copy of them all.
create or replace function funding.note_updated() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  event_name text := funding.event_name(tg_table_name, 'updated');
begin
  if exists (select from funding.webhook_endpoints where events @> array[event_name]) then
    insert into funding.events (event, dataset, record_id) values (event_name, tg_table_name, new.id);
  end if;
  return null;
end
$$;

-- Deletes events older than the retention, with their deliveries and attempts: at most `maximum`. Returns { events }.
create or replace function public.prune_events(maximum integer) returns json
language plpgsql security definer set search_path = funding, extensions, pg_temp set statement_timeout = '7s' as $$
declare
  pruned bigint;
  oldest timestamptz := funding.wall_clock() - (funding.setting('webhook_retention_days')::text || ' days')::interval;
begin
  delete from funding.events where id in (
    select event.id from funding.events as event where event.created_at < oldest
    order by event.created_at limit maximum for update skip locked);
  get diagnostics pruned = row_count;
  return json_build_object('events', pruned);
end
$$;
