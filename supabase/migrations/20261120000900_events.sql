-- What happened to the records that somebody subscribes to, written in the transaction in which it happened.
--
-- An event is a thin row: which record, and what became of it. The dispatcher fans it out later to the endpoints whose
-- filters match (`fan_out_events`), and only then keeps the record as the API shows it.

create table funding.events (
  -- The id that receivers see. It stays the same whenever and however often the event is delivered.
  id uuid primary key default gen_random_uuid(),
  event text not null,
  dataset text not null,
  record_id uuid not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- Null until deliveries were made of it. Not a position in a sequence: transactions commit in another order than they
  -- take numbers, and a reader who remembers the last number passes over what commits later.
  fanned_out_at timestamptz,
  -- The record as the API showed it when the first delivery was made. Null while there is none.
  data json,
  -- The one endpoint that this is for: its deadline notices and tests are nobody else's.
  endpoint_id uuid,
  constraint events_event_known check (event in (
    'grant.created', 'grant.updated', 'grant.deadline_approaching',
    'contract.created', 'contract.updated', 'contract.deadline_approaching',
    'funder.created', 'funder.updated')),
  constraint events_dataset_is_the_events check (dataset = split_part(event, '.', 1) || 's')
);
alter table funding.events enable row level security;
create index events_created_at on funding.events (created_at, id);
create index events_pending on funding.events (created_at) where fanned_out_at is null;
create index events_endpoint on funding.events (endpoint_id) where endpoint_id is not null;

-- The event's name for what became of a record of a dataset.
create function funding.event_name(dataset text, what text) returns text
language sql immutable parallel safe as $$
  select rtrim(dataset, 's') || '.' || what
$$;

-- New records: once a statement, however many there are.
create function funding.note_created() returns trigger
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

-- A record whose content changed. The trigger's condition looks at each row before anything is queued, so that a refit,
-- which updates every record and the content of none, pays nothing; a transition table would be a copy of them all.
create function funding.note_updated() returns trigger
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

do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts', 'funders'] loop
    execute format($create$
      create trigger %1$s_created after insert on funding.%1$I
        referencing new table as new_records
        for each statement execute function funding.note_created();
      create trigger %1$s_updated after update on funding.%1$I
        for each row when (old.content_hash is distinct from new.content_hash and (%2$s) is distinct from (%3$s))
        execute function funding.note_updated();
    $create$, dataset,
      -- Only to be taken out of the catalogue, or put back, is no change to the record itself.
      (select string_agg('old.' || name, ', ') from unnest(array_remove(funding.content_columns(dataset), 'archived_at')) as name),
      (select string_agg('new.' || name, ', ') from unnest(array_remove(funding.content_columns(dataset), 'archived_at')) as name));
  end loop;
end
$$;

revoke execute on all functions in schema funding from public;
