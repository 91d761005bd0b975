-- Records without vectors, with details.

-- Vectors are no longer in the records, which no fit changes any more.
drop index if exists funding.grants_embedding, funding.grants_listed_embedding, funding.contracts_embedding,
  funding.contracts_listed_embedding, funding.funders_embedding, funding.grants_without_vector, funding.contracts_without_vector,
  funding.funders_without_vector;
-- A page keeps a tenth for changes of what no index has. It was half, for the vectors of the next fit.
alter table funding.funders set (fillfactor = 90);
alter table funding.grants set (fillfactor = 90);
alter table funding.contracts set (fillfactor = 90);

-- What `expand=details` shows beside a record's own fields, as far as its source says it: { FIELD: VALUE }. Null until an import or an
-- embedded server's demo data filled it: to be filled for the first time is no change of the record.
alter table funding.grants add column details jsonb;
alter table funding.contracts add column details jsonb;

-- What the following indexes are over. (The functions' migration has them again, with the others.)
create function funding.agency_key(name text) returns text
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select funding.bitmap_name('agency', funding.name_key(name))
$$;
create function funding.detail_keys(details jsonb) returns text[]
language sql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
  select case when details is null then '{}' else
    array(
      select field || '=' || value
      from unnest(array['applicant_type', 'funding_instrument'], array['applicant_types', 'funding_instrument']) as listed(field, name),
           jsonb_array_elements_text(coalesce(details->listed.name, '[]')) as value)
    || array(select 'assistance_listing=' || (item->>'number') from jsonb_array_elements(coalesce(details->'assistance_listings', '[]')) as item)
    || array(select funding.agency_key(name) from jsonb_array_elements_text(coalesce(details->'agency', '[]')) as name)
    || case when details->>'cost_sharing' is null then '{}' else array['cost_sharing=' || (details->>'cost_sharing')] end
  end
$$;

do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    execute format('create index %1$s_detail_keys on funding.%1$I using gin (funding.detail_keys(details))', dataset);
    -- A record gets another slot when it changes in what a filter sees, its details among them.
    execute format('create or replace trigger %1$s_take_number before update on funding.%1$I
      for each row when (new.posting_number is null or (%2$s, old.source, old.details) is distinct from (%3$s, new.source, new.details))
      execute function funding.take_number()', dataset,
      (select string_agg('old.' || name, ', ') from funding.filtered_columns(dataset) as name),
      (select string_agg('new.' || name, ', ') from funding.filtered_columns(dataset) as name));
    -- Where the content changed as well, that is noted with it.
    execute format('create trigger %1$s_details_updated after update on funding.%1$I
      for each row when (old.details is not null and old.details is distinct from new.details
        and not (old.content_hash is distinct from new.content_hash and (%2$s) is distinct from (%3$s)))
      execute function funding.note_updated(''details'')', dataset,
      (select string_agg('old.' || name, ', ') from unnest(array_remove(funding.content_columns(dataset), 'archived_at')) as name),
      (select string_agg('new.' || name, ', ') from unnest(array_remove(funding.content_columns(dataset), 'archived_at')) as name));
  end loop;
end
$$;
