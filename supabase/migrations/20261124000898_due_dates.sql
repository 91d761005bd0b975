-- Statuses and archive dates that come with time (due_dates.sql).

create index grants_planned on funding.grants (stated_archived_at) where archived_at is null and stated_archived_at is not null;
create index contracts_planned on funding.contracts (stated_archived_at) where archived_at is null and stated_archived_at is not null;

-- A status that time changed is a change of the record, too. Its content, as the source gives it, stays the same.
do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    execute format('create or replace trigger %1$s_updated after update on funding.%1$I
      for each row when ((old.content_hash, old.status) is distinct from (new.content_hash, new.status) and (%2$s) is distinct from (%3$s))
      execute function funding.note_updated()', dataset,
      (select string_agg('old.' || name, ', ') from unnest(array_remove(funding.content_columns(dataset), 'archived_at')) as name),
      (select string_agg('new.' || name, ', ') from unnest(array_remove(funding.content_columns(dataset), 'archived_at')) as name));
    execute format('create or replace trigger %1$s_details_updated after update on funding.%1$I
      for each row when (old.details is not null and old.details is distinct from new.details
        and not ((old.content_hash, old.status) is distinct from (new.content_hash, new.status) and (%2$s) is distinct from (%3$s)))
      execute function funding.note_updated(''details'')', dataset,
      (select string_agg('old.' || name, ', ') from unnest(array_remove(funding.content_columns(dataset), 'archived_at')) as name),
      (select string_agg('new.' || name, ', ') from unnest(array_remove(funding.content_columns(dataset), 'archived_at')) as name));
  end loop;
end
$$;
