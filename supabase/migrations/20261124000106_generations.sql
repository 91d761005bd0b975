-- Generations: whatever a fit makes is there twice while it makes it. Searches use what belongs to the generation that `lexicon_fit`
-- names (20261124000205); a fit writes the other one, and comes into force by naming it.

truncate funding.next_fit;
alter table funding.next_fit
  add column generation integer not null,
  add column vectors integer not null,
  -- Whether its lexicon is complete, so that whoever writes a record writes its vector, too.
  add column is_filling boolean not null default false,
  -- When anything was last done for it.
  add column prepared_at timestamptz not null default now(),
  alter column keeps_numbers drop not null;

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
