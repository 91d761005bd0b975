-- Records' vectors move into tables of their own, by slot. Each dataset has two: searches read one, and a fit fills the other, with its
-- indexes, before anybody sees it. So a fit changes no record.
--
-- Nothing reads these tables yet. What changes while they are filled is made up for in 20261124000899, when records have their slots.
do $$
declare
  dataset text;
  is_usual text;
  had_index boolean;
  index record;
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    for generation in 0..1 loop
      execute format('create table funding.%I (
        slot integer primary key,
        embedding extensions.halfvec(384) not null,
        -- Whether the record is of the usual scope, in which nearly every search looks: an opportunity that is not archived.
        is_usual boolean not null)', format('%s_vectors_%s', dataset, generation));
      execute format('alter table funding.%I enable row level security', format('%s_vectors_%s', dataset, generation));
      execute format('alter table funding.%I alter column embedding set storage plain', format('%s_vectors_%s', dataset, generation));
    end loop;

    is_usual := case when dataset = 'funders' then 'true' else 'record.classification = ''opportunity'' and record.archived_at is null' end;
    execute format('insert into funding.%I (slot, embedding, is_usual)
      select record.posting_number, record.embedding, %s from funding.%I as record
      where record.posting_number is not null and record.embedding is not null
        and record.embedding_model = funding.setting(''embedding_model'')#>>''{}''', dataset || '_vectors_0', is_usual, dataset);

    execute format('select coalesce((select indisvalid from pg_index where indexrelid = to_regclass(%L)), false)',
      format('funding.%I', dataset || '_embedding')) into had_index;
    if had_index then
      for index in select * from funding.vector_indexes(dataset) where lists is not null loop
        perform set_config('maintenance_work_mem', funding.vector_index_memory(index.lists), true);
        execute format('create index %I on funding.%I using ivfflat (embedding extensions.halfvec_cosine_ops) with (lists = %s) %s',
          dataset || '_vectors_0' || case when index.condition = 'true' then '_all' else '_usual' end, dataset || '_vectors_0', index.lists,
          case when index.condition <> 'true' then 'where is_usual' end);
      end loop;
    end if;
  end loop;
end
$$;
