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
