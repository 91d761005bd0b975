-- The names that each funder is or was known by. A funder that is renamed is still found by the name that its sources
-- go on using, and two imports at once do not make one funder twice.

-- Nothing is unique in a name alone: two foundations of one name, told apart by their codes, are two funders. What is unique
-- is the funder that is made for a name which no funder has or had: `match_funders` and `funder_record_ids` take turns
-- for each such name (`lock_funders`).
--
-- Kept by triggers on `funders`, whoever writes it. (No foreign key: the funders can be truncated and loaded anew.)
create sequence funding.funder_name_order;
create table funding.funder_names (
  funder_id uuid not null,
  -- Of the name as it is compared. A name may be longer than an index takes.
  name_hash uuid not null,
  -- As it was spelt last.
  name text not null,
  -- Which funder had the name first: a moment would not tell apart those of one transaction.
  known_order bigint not null default nextval('funding.funder_name_order'),
  -- In which order names were given up; null while the funder is called so.
  former_order bigint,
  primary key (funder_id, name_hash)
);
alter table funding.funder_names enable row level security;
create index funder_names_hash on funding.funder_names (name_hash);

-- Empty but for what transactions under way are writing: see `lock_funders`.
create table funding.funder_locks (
  key uuid primary key
);
alter table funding.funder_locks enable row level security;

-- Names that are compared as equal (`name_key`) have the same hash, and others another.
create function funding.name_hash(name text) returns uuid
language sql immutable parallel safe as $$
  select md5(funding.name_key(name))::uuid
$$;

-- Notes the names of new funders.
create function funding.note_new_funder_names() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into funding.funder_names as known (funder_id, name_hash, name)
  select id, funding.name_hash(name), name from inserted order by created_at, id
  on conflict (funder_id, name_hash) do update set name = excluded.name, former_order = null;
  return null;
end
$$;

-- Notes the new name of a funder, and that it was called otherwise before. (A row trigger: a statement's would be given
-- copies of all the records that a refit updates.)
create function funding.note_funder_rename() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.id <> old.id then
    update funding.funder_names set funder_id = new.id where funder_id = old.id;
  end if;
  insert into funding.funder_names as known (funder_id, name_hash, name)
  values (new.id, funding.name_hash(new.name), new.name)
  on conflict (funder_id, name_hash) do update set name = excluded.name, former_order = null;
  update funding.funder_names set former_order = nextval('funding.funder_name_order')
  where funder_id = new.id and former_order is null and name_hash <> funding.name_hash(new.name);
  return null;
end
$$;

-- Forgets the names of funders that are gone.
create function funding.forget_funder_names() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from funding.funder_names;
  else
    delete from funding.funder_names where funder_id in (select id from deleted);
  end if;
  return null;
end
$$;

-- From here to the end of the migration nobody writes a funder; reading goes on.
create trigger funders_names_insert after insert on funding.funders
  referencing new table as inserted
  for each statement execute function funding.note_new_funder_names();
create trigger funders_names_update after update of id, name on funding.funders
  for each row when ((old.id, old.name) is distinct from (new.id, new.name))
  execute function funding.note_funder_rename();
create trigger funders_names_delete after delete on funding.funders
  referencing old table as deleted
  for each statement execute function funding.forget_funder_names();
create trigger funders_names_truncate after truncate on funding.funders
  for each statement execute function funding.forget_funder_names();

-- The funders that are there. Those of one name, which two imports at once made, stay as they are: clients have their
-- ids, and nothing says which are namesakes. A name without a code means the source's own, then the one that was created first.
insert into funding.funder_names (funder_id, name_hash, name)
select id, funding.name_hash(name), name from funding.funders order by created_at, id;

-- The names that imports took from them, so that a funder that was renamed before this migration has its grants again.
insert into funding.funder_names (funder_id, name_hash, name, former_order)
select funder_id, name_hash, name, nextval('funding.funder_name_order')
from (
  select distinct on (changes.record_id, funding.name_hash(changes.previous->>'name'))
    changes.record_id as funder_id, funding.name_hash(changes.previous->>'name') as name_hash,
    changes.previous->>'name' as name, changes.id as change_id
  from funding.record_changes as changes
  join funding.funders on funders.id = changes.record_id
  where changes.dataset = 'funders' and changes.previous->>'name' <> ''
  order by 1, 2, changes.id desc
) as former
order by change_id
on conflict (funder_id, name_hash) do nothing;

-- Makes transactions that bring the same funders take turns: who comes second waits until the first has committed, and
-- then sees its funders. A key is a name's hash, or an id that a funder may be given. All lock in the order of the keys, so
-- two cannot wait for each other. A row that another transaction under way has inserted is waited for although it has
-- deleted it again, so none stays.
create function funding.lock_funders(keys uuid[]) returns void
language plpgsql as $$
begin
  insert into funding.funder_locks (key)
  select distinct key from unnest(keys) as key where key is not null order by key
  on conflict (key) do nothing;
  delete from funding.funder_locks where key = any (keys);
end
$$;

-- The funder that each opportunity of a batch names, in its order: by its code within the source, else by its name
-- however spelt, which may be one that it had before; a new one where there is none. Null where an item names none.
-- A batch is as its opportunities one by one.
create or replace function funding.match_funders(batch jsonb) returns uuid[]
language plpgsql as $$
declare
  matched uuid[];
  keys uuid[];
  is_locked boolean := false;
begin
  loop
    -- What is to be remembered: a funder that there is not, or that was found by its name and has a code.
    select array_agg(funder_id order by position),
           array_agg(funding.name_hash(name)) filter (where is_new)
             || array_agg(funding.mentioned_id(source, code, name_key)) filter (where is_new)
    into matched, keys
    from funding.funder_mentions(batch), unnest(positions) as position,
         lateral (select name is not null and (funder_id is null or is_by_name and code is not null) as is_new) as novelty;
    exit when keys is null;
    if not is_locked then
      -- Locks in an order that all imports have: names and codes, then the funders that are there, then new ones, then
      -- the version of the data, which an insert holds to the end.
      perform funding.lock_funders(keys);
      perform from funding.funders
      where id in (select funder_id from funding.funder_mentions(batch)) order by id for key share;
      is_locked := true;
      -- Another import may have made them while this one waited.
      continue;
    end if;
    -- The code is remembered, so that the funder is found by it when the source calls it otherwise.
    insert into funding.funder_codes (source, code, funder_id)
    select source, code, funder_id
    from (
      select *, row_number() over (partition by source, code order by positions[1]) as code_place
      from funding.funder_mentions(batch)
      where name is not null and code is not null and (funder_id is null or is_by_name)
    ) as mention
    where is_by_name and code_place = 1
    order by source, code
    on conflict (source, code) do update set funder_id = excluded.funder_id;
    -- An insert of nothing would count as a change to the funders.
    if exists (select from funding.funder_mentions(batch) where funder_id is null and name is not null) then
      -- One for each name and code; what else has the name, or the code, is looked up again.
      insert into funding.funders (id, name, created_at, source, source_id, content_hash)
      select funding.mentioned_id(source, code, name_key), name, now(), source, coalesce(code, 'name:' || name_key), ''
      from (
        select *, row_number() over (partition by source, code order by positions[1]) as code_place,
               row_number() over (partition by funder_id is null, name_key order by positions[1]) as name_place
        from funding.funder_mentions(batch)
        where name is not null and (funder_id is null or is_by_name)
      ) as mention
      where funder_id is null and name_place = 1 and (code is null or code_place = 1)
      order by 1
      on conflict (id) do nothing;
    end if;
  end loop;
  return matched;
end
$$;

-- The id of the funder that is made where a source names one that is not known.
create function funding.mentioned_id(source text, code text, name_key text) returns uuid
language sql immutable parallel safe as $$
  select funding.record_id('funders', source, coalesce(code, 'name:' || name_key))
$$;

-- The different ways in which a batch's opportunities name their funders, where they do so, and the funder that is
-- meant, where it is stored.
create or replace function funding.funder_mentions(batch jsonb)
returns table (source text, code text, name text, name_key text, positions bigint[], funder_id uuid, is_by_name boolean)
language sql stable as $$
  select mention.source, mention.code, mention.name, mention.name_key, mention.positions,
         coalesce(by_code.id, by_other_code.id, by_name.id, made.id),
         coalesce(by_code.id, by_other_code.id) is null and coalesce(by_name.id, made.id) is not null
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
    select funders.id
    from funding.funder_names as known join funding.funders on funders.id = known.funder_id
    where known.name_hash = funding.name_hash(mention.name)
    -- Before those that were called so, those that are. Of these the source's own, then the one that had the name last,
    -- or first if it still has it.
    order by known.former_order is null desc, funders.source = mention.source desc, known.former_order desc, known.known_order
    limit 1
  ) as by_name on true
  -- The one that was made for this very mention, should its name and code be forgotten: its id is taken.
  left join funding.funders as made on made.id = funding.mentioned_id(mention.source, mention.code, mention.name_key)
$$;

-- The ids of a batch of funder records, in its order. A funder of which only its name was known, from an opportunity,
-- is the one that comes now: it keeps its id, which the opportunities and the API's clients have.
create or replace function funding.funder_record_ids(batch jsonb) returns uuid[]
language plpgsql as $$
declare
  ids uuid[];
  keys uuid[];
begin
  -- Locks in the order that `match_funders` has.
  select array_agg(funding.name_hash(value->>'name'))
         || array_agg(funding.record_id('funders', value->>'source', value->>'source_id'))
  into keys
  from jsonb_array_elements(batch)
  left join funding.funders as own on own.source = value->>'source' and own.source_id = value->>'source_id'
  where own.id is null or own.name <> value->>'name';
  if keys is not null then
    perform funding.lock_funders(keys);
    perform from funding.funders
    where content_hash = '' and id in (
      select known.funder_id from funding.funder_names as known
      where known.name_hash = any (keys) and known.former_order is null)
    order by id for update;
  end if;
  with item as (
    select value->>'source' as source, value->>'source_id' as source_id, position,
           funding.name_hash(value->>'name') as name_hash
    from jsonb_array_elements(batch) with ordinality as item(value, position)
  ), known as (
    select item.*, own.id as own_id, namesake.id as namesake_id,
           row_number() over (partition by namesake.id, own.id is null order by position) as place
    from item
    left join funding.funders as own on own.source = item.source and own.source_id = item.source_id
    left join lateral (
      select funders.id
      from funding.funder_names as known join funding.funders on funders.id = known.funder_id
      where known.name_hash = item.name_hash and known.former_order is null and funders.content_hash = ''
      order by known.known_order limit 1
    ) as namesake on true
  ), adopted as (
    -- Its source knew it by a code, and will again.
    insert into funding.funder_codes (source, code, funder_id)
    select funders.source, funders.source_id, funders.id
    from known join funding.funders on funders.id = known.namesake_id
    where known.own_id is null and known.place = 1 and funders.source_id not like 'name:%'
    order by 1, 2
    on conflict (source, code) do update set funder_id = excluded.funder_id
  )
  select array_agg(coalesce(own_id, case when place = 1 then namesake_id end,
    funding.record_id('funders', source, source_id)) order by position)
  into ids from known;
  return ids;
end
$$;

-- Writes a batch of records in the shape of ingest/record.ts, and returns { inserted, updated, unchanged }. A field
-- that a record leaves out stays as it is stored. A batch that changes nothing touches no table and fires no trigger.
-- Time zone and date style are pinned because a record's content is compared as text.
create or replace function funding.upsert_records(dataset text, batch jsonb) returns json
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
    -- In order, before the write's foreign keys lock them in its own: a directory may be adopting several of them.
    if dataset <> 'funders' then
      perform from funding.funders
      where id in (select funder_ids[position] from unnest(changed) as position) order by id for key share;
    end if;
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

-- Names are found by their hashes now.
drop index funding.funders_name_key;

revoke execute on all functions in schema funding from public;
