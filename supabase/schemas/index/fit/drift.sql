-- Drift of the records from the fit that they are searched by.

-- Share of records that came or changed since the fit, or were moved by the cleaning, once three quarters had changed: of the dataset where it is
-- largest. A dataset counts as at least a twenty-fifth of all records, so that a small one does not cause a fit of all. Null where there are no records.
create or replace function funding.lexicon_drift() returns double precision
language plpgsql stable security definer set search_path = funding, extensions, pg_temp as $$
declare
  dataset text;
  records bigint;
  changed bigint;
  all_records bigint[];
  all_changed bigint[];
begin
  foreach dataset in array array['funders', 'grants', 'contracts'] loop
    execute format('select count(*), count(*) filter (where slot >= $1) from funding.%I', dataset)
    into records, changed using funding.fitted_end(dataset);
    all_records := all_records || records;
    all_changed := all_changed || changed;
  end loop;
  return (
    select max(counted.changed / nullif(greatest(counted.records, counted.every / 25), 0)::double precision)
    from (select *, sum(known.records) over () as every from unnest(all_records, all_changed) as known(records, changed)) as counted);
end
$$;
