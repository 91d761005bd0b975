-- Names that each funder has or had. A renamed funder is still found by the name that its sources go on using, and two imports at once do not make
-- one funder twice.

-- Hash of a name: the same for names that `name_key` compares as equal.
create or replace function funding.name_hash(name text) returns uuid
language sql immutable parallel safe as $$
  select md5(funding.name_key(name))::uuid
$$;

-- Trigger of new funders: stores their names.
create or replace function funding.note_new_funder_names() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into funding.funder_names as known (funder_id, name_hash, name)
  select id, funding.name_hash(name), name from inserted order by created_at, id
  on conflict (funder_id, name_hash) do update set name = excluded.name, former_order = null;
  return null;
end
$$;

-- Trigger of a changed funder: stores its new name, and marks its other names as former ones. (A row trigger: a statement's trigger would be given
-- copies of all the records that a refit updates.)
create or replace function funding.note_funder_rename() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.id <> old.id then
    update funding.funder_names set funder_id = new.id where funder_id = old.id;
  end if;
  insert into funding.funder_names as known (funder_id, name_hash, name)
  values (new.id, funding.name_hash(new.name), new.name)
  on conflict (funder_id, name_hash) do update set name = excluded.name, former_order = null;
  if new.name <> old.name then
    perform funding.touch_opportunities_of(new.id);
  end if;
  update funding.funder_names set former_order = nextval('funding.funder_name_order')
  where funder_id = new.id and former_order is null and name_hash <> funding.name_hash(new.name);
  return null;
end
$$;

-- Trigger of deleted funders: deletes their names.
create or replace function funding.forget_funder_names() returns trigger
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

-- Makes transactions that bring the same funders take turns: the second waits until the first has committed, and then sees its funders. A key is a
-- name's hash, or an id that a funder may be given. All transactions lock in the order of the keys, so two cannot wait for each other. Postgres waits
-- for a row that another running transaction has inserted, even if that transaction has deleted the row again. So no row stays.
create or replace function funding.lock_funders(keys uuid[]) returns void
language plpgsql as $$
begin
  insert into funding.funder_locks (key)
  select distinct key from unnest(keys) as key where key is not null order by key
  on conflict (key) do nothing;
  delete from funding.funder_locks where key = any (keys);
end
$$;

-- Id of the new funder for an unknown funder that a source names.
create or replace function funding.mentioned_id(source text, code text, name_key text) returns uuid
language sql immutable parallel safe as $$
  select funding.record_id('funders', source, coalesce(code, 'name:' || name_key))
$$;

-- The different ways in which the opportunities of a batch name their funders, where they name one, and the stored funder for each.
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
    -- Present names come before former ones, then funders of the same source. Of former names, the last that was given up comes first; of present
    -- ones, the oldest.
    order by known.former_order is null desc, funders.source = mention.source desc, known.former_order desc, known.known_order
    limit 1
  ) as by_name on true
  -- The funder that was made for this very mention, in case its name and code were forgotten: its id is taken.
  left join funding.funders as made on made.id = funding.mentioned_id(mention.source, mention.code, mention.name_key)
$$;

-- Funder that each opportunity of a batch names, in the order of the batch. It is found by its code within the source, else by its name in any
-- spelling, also a former name; where none is found, a new funder is made. Null where an opportunity names none. A batch gives the same as its
-- opportunities one by one.
create or replace function funding.match_funders(batch jsonb) returns uuid[]
language plpgsql as $$
declare
  matched uuid[];
  keys uuid[];
  is_locked boolean := false;
  made_at timestamptz;
begin
  loop
    -- To be stored: a new funder, or the code of a funder that was found by its name.
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
      -- Another import may have made these funders while this one waited.
      continue;
    end if;
    -- The code is stored, so that it finds the funder when the source uses another name.
    insert into funding.funder_codes (source, code, funder_id)
    select source, code, funder_id
    from (
      select *, row_number() over (partition by source, code order by positions[1]) as code_position
      from funding.funder_mentions(batch)
      where name is not null and code is not null and (funder_id is null or is_by_name)
    ) as mention
    where is_by_name and code_position = 1
    order by source, code
    on conflict (source, code) do update set funder_id = excluded.funder_id;
    -- An insert of nothing would count as a change to the funders.
    if exists (select from funding.funder_mentions(batch) where funder_id is null and name is not null) then
      -- One funder for each name and code; other mentions of the name, or the code, are looked up again.
      made_at := funding.change_moment();
      insert into funding.funders (id, name, created_at, updated_at, first_seen_at, source, source_id, content_hash)
      select funding.mentioned_id(source, code, name_key), name, now(), made_at, made_at, source, coalesce(code, 'name:' || name_key), ''
      from (
        select *, row_number() over (partition by source, code order by positions[1]) as code_position,
               row_number() over (partition by funder_id is null, name_key order by positions[1]) as name_position
        from funding.funder_mentions(batch)
        where name is not null and (funder_id is null or is_by_name)
      ) as mention
      where funder_id is null and name_position = 1 and (code is null or code_position = 1)
      order by 1
      on conflict (id) do nothing;
    end if;
  end loop;
  return matched;
end
$$;

-- Ids of a batch of funder records, in its order. A funder that was known by its name alone, from an opportunity, keeps its id when its record comes:
-- the opportunities and the API's clients have that id.
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
           row_number() over (partition by namesake.id, own.id is null order by position) as turn
    from item
    left join funding.funders as own on own.source = item.source and own.source_id = item.source_id
    left join lateral (
      select funders.id
      from funding.funder_names as known join funding.funders on funders.id = known.funder_id
      where known.name_hash = item.name_hash and known.former_order is null and funders.content_hash = ''
      order by known.known_order limit 1
    ) as namesake on true
  ), adopted as (
    -- The funder's source used a code for it, and will use the code again.
    insert into funding.funder_codes (source, code, funder_id)
    select funders.source, funders.source_id, funders.id
    from known join funding.funders on funders.id = known.namesake_id
    where known.own_id is null and known.turn = 1 and funders.source_id not like 'name:%'
    order by 1, 2
    on conflict (source, code) do update set funder_id = excluded.funder_id
  )
  select array_agg(coalesce(own_id, case when turn = 1 then namesake_id end,
    funding.record_id('funders', source, source_id)) order by position)
  into ids from known;
  return ids;
end
$$;

-- Moves the opportunities of a renamed funder in the feed: they show the funder's name.
create or replace function funding.touch_opportunities_of(renamed uuid) returns void
language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  changed_at timestamptz;
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    -- Locked in the order in which imports lock them.
    execute format('select from funding.%I where funder_id = $1 order by id for no key update', dataset) using renamed;
    changed_at := coalesce(changed_at, funding.change_moment());
    execute format('update funding.%I set updated_at = $2 where funder_id = $1', dataset) using renamed, changed_at;
  end loop;
end
$$;
