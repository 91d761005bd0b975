-- Each record has a slot, whose index and vectors the functions of this version read. Those of 1.1 look for records by filters among those that have
-- none: so this comes last before the functions, which `supabase db push` applies in a transaction of their own.
--
-- Slots end before integers do, so that the slot after the last one of a segment is an integer as well: where none is left, records can not be
-- written until a fit gives them anew, but they are found.

-- A record gets a slot when it comes, and another one when it changes in anything that a filter sees.
create or replace function funding.take_number() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.posting_number := nextval(format('funding.%I', tg_table_name || '_slots'));
  return new;
end
$$;

do $$
declare
  dataset text;
  highest integer;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('select greatest(coalesce(max(posting_number), 0), (select coalesce(max(first_slot + size - 1), 0) from funding.blocks where dataset = %L))
      from funding.%I', dataset, dataset) into highest;
    execute format('create sequence funding.%I as integer start with %s maxvalue 2147000000', dataset || '_slots', highest + 1);
    execute format('create or replace trigger %1$s_retire_number after update on funding.%1$I
      for each row when (old.posting_number <> new.posting_number) execute function funding.retire_number()', dataset);
    -- Both after `index_record`, by their names, which takes the slot of a record whose text changed.
    execute format('create trigger %1$s_new_slot before insert on funding.%1$I for each row execute function funding.take_number()', dataset);
    execute format('create or replace trigger %1$s_take_number before update on funding.%1$I
      for each row when (new.posting_number is null %2$s) execute function funding.take_number()', dataset, case when dataset <> 'funders' then
      format('or (%s, old.source, old.details) is distinct from (%s, new.source, new.details)',
        (select string_agg('old.' || name, ', ') from funding.filtered_columns(dataset) as name),
        (select string_agg('new.' || name, ', ') from funding.filtered_columns(dataset) as name)) else '' end);
    execute format('update funding.%1$I set posting_number = nextval(%2$L) where posting_number is null', dataset, format('funding.%I', dataset || '_slots'));
  end loop;
end
$$;

-- Trigger: keeps a record's vector in step, by its slot. (Until the functions of this version are there, those of 1.1 make vectors, in the
-- record.)
create function funding.store_vector() returns trigger
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  is_usual boolean := true;
begin
  if tg_op <> 'INSERT' then
    execute format('delete from funding.%I where slot = $1', tg_table_name || '_vectors_0') using old.posting_number;
  end if;
  if tg_op <> 'DELETE' and new.embedding is not null then
    if tg_table_name <> 'funders' then
      is_usual := new.classification = 'opportunity' and new.archived_at is null;
    end if;
    execute format('insert into funding.%I (slot, embedding, is_usual) values ($1, $2, $3) on conflict do nothing', tg_table_name || '_vectors_0')
    using new.posting_number, new.embedding, is_usual;
  end if;
  return null;
end
$$;

do $$
declare
  dataset text;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('create trigger %1$s_vector after insert on funding.%1$I for each row execute function funding.store_vector()', dataset);
    execute format('create trigger %1$s_vector_of_changed after update on funding.%1$I
      for each row when (old.posting_number <> new.posting_number) execute function funding.store_vector()', dataset);
    execute format('create trigger %1$s_vector_of_deleted after delete on funding.%1$I for each row execute function funding.store_vector()', dataset);
    -- What came, changed or went since the vectors were copied, or got its vector by another fit of version 1.1.
    execute format('delete from funding.%I as known where not exists (
        select from funding.%I as record where record.posting_number = known.slot and record.embedding operator(extensions.=) known.embedding)',
      dataset || '_vectors_0', dataset);
    execute format('insert into funding.%I (slot, embedding, is_usual)
      select record.posting_number, record.embedding, %s from funding.%I as record
      where record.embedding is not null and record.embedding_model = funding.setting(''embedding_model'')#>>''{}''
        and not exists (select from funding.%1$I as known where known.slot = record.posting_number)
      on conflict do nothing', dataset || '_vectors_0',
      case when dataset = 'funders' then 'true' else 'record.classification = ''opportunity'' and record.archived_at is null' end, dataset);
  end loop;
end
$$;

-- Names of slots. What the functions of 1.1 read while this release is applied keeps its own until the next: `numbered_records`, which is
-- `slot_bitmaps` now, `posting_number` and `retired_numbers` (docs/database.md).
alter function funding.take_number() rename to take_slot;
alter function funding.retire_number() rename to retire_slot;
