-- Renewal of records' lexemes that an earlier version made, where this version reads texts differently. They are made anew once after the upgrade,
-- in small batches beside everything else, each in a transaction of its own. `funding.document_renewals` has the datasets that are not finished.

-- Makes the lexemes of up to `most` records of a dataset anew, in the order of the records' ids, after the last record that was looked at. Records
-- whose lexemes are those that this version makes are left alone; the function looks at five times as many records. The others get new slots with
-- their lexemes and vectors, and are sealed like records that changed. This is no change of the record: no event is written, and neither
-- `updated_at` nor the age of the data changes. Lists may find other records, so the dataset's version changes.
--
-- The function waits for nobody: it stops before the first record that another transaction has locked. A transaction that writes one of these records
-- waits for this one, some 0.1 s. Returns the number of records that it passed.
create or replace function funding.renew_documents(dataset text, most integer default 100) returns integer
language plpgsql security definer set search_path = funding, extensions, pg_temp as $$
declare
  words constant text := case dataset
    when 'funders' then 'funding.record_lexemes(record.name, record.summary)' else 'funding.record_lexemes(record.title, record.description)' end;
  size constant text := case dataset
    when 'funders' then 'length(record.name) + coalesce(length(record.summary), 0)' else 'length(record.title) + coalesce(length(record.description), 0)' end;
  after_id uuid;
  ids uuid[];
  outdated uuid[];
  renewed uuid[];
  first_left uuid;
begin
  select renewal.after_id into after_id from funding.document_renewals as renewal where renewal.dataset = renew_documents.dataset for update skip locked;
  if not found then
    return 0;
  end if;
  execute format($look$
    select array_agg(looked.id order by looked.id), (array_agg(looked.id order by looked.id) filter (where looked.is_outdated))[:$3 + 1]
    from (
      select record.id, record.lexemes is distinct from %2$s as is_outdated
      from (
        -- No further than some 2 million characters, which take a second.
        select sized.*, sum(sized.size) over (order by sized.id) - sized.size as before
        from (
          select record.*, %3$s as size from funding.%1$I as record where record.id > $1 order by record.id limit $2
        ) as sized
      ) as record
      where record.before < 2000000
    ) as looked
  $look$, dataset, words, size) into ids, outdated using after_id, most * 5, most;
  if ids is null then
    delete from funding.document_renewals as renewal where renewal.dataset = renew_documents.dataset;
    -- Callers that ask for changes since a moment get a new answer. The age of the data does not depend on this row.
    update funding.data_versions set version = version + 1, changed_at = clock_timestamp() where data_versions.dataset = 'search';
    return 0;
  end if;
  if outdated is not null then
    begin
      execute format('lock table funding.%I in row exclusive mode nowait', dataset);
    exception when lock_not_available then
      return 0;
    end;
    -- Locked before the records: a writer locks its records first, and then waits for this row.
    perform from funding.data_versions where data_versions.dataset = renew_documents.dataset for no key update skip locked;
    if not found then
      return 0;
    end if;
    perform set_config('funding.moves_records', 'on', true);
    execute format($renew$
      with renewed as (
        update funding.%1$I as record set lexemes = %2$s, slot = null
        where record.id = any (array(
          select locked.id from funding.%1$I as locked where locked.id = any ($1) for no key update skip locked))
        returning record.id
      )
      select array_agg(renewed.id) from renewed
    $renew$, dataset, words) into renewed using outdated[:most];
    perform set_config('funding.moves_records', 'off', true);
    update funding.data_versions set version = version + 1 where data_versions.dataset = renew_documents.dataset and renewed is not null;
    first_left := (select min(left_over.id::text)::uuid from unnest(outdated) as left_over(id) where renewed is null or left_over.id <> all (renewed));
    ids := array(select passed.id from unnest(ids) as passed(id) where first_left is null or passed.id < first_left order by passed.id);
  end if;
  if ids <> '{}' then
    update funding.document_renewals as renewal set after_id = ids[cardinality(ids)] where renewal.dataset = renew_documents.dataset;
  end if;
  return cardinality(ids);
end
$$;

-- Whether records of a dataset may have lexemes of an earlier version. Without a dataset, records of any.
create or replace function funding.has_outdated_documents(dataset text default null) returns boolean
language plpgsql stable security definer set search_path = funding, pg_temp as $$
begin
  return exists (
    select from funding.document_renewals as renewal where has_outdated_documents.dataset is null or renewal.dataset = has_outdated_documents.dataset);
end
$$;
