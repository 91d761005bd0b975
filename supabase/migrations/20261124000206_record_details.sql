-- Details of records, and which were there first.

-- A page keeps a tenth for changes of what no index has. It was half, for the vectors of the next fit.
alter table funding.funders set (fillfactor = 90);
alter table funding.grants set (fillfactor = 90);
alter table funding.contracts set (fillfactor = 90);

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
  end loop;
end
$$;

create index grants_first_seen_at on funding.grants (first_seen_at) where first_seen_at is not null;
create index contracts_first_seen_at on funding.contracts (first_seen_at) where first_seen_at is not null;
create index funders_first_seen_at on funding.funders (first_seen_at) where first_seen_at is not null;
