-- Begins a transaction (database/migrate.ts).
-- Opportunities that are in already are linked by upkeep, number by number (supabase/schemas/records/versions.sql).
insert into funding.version_links_due (dataset, key)
select 'grants', funding.version_key(details) from funding.grants
where classification = 'opportunity' and details ? 'opportunity_number' and funding.version_key(details) is not null
group by 2 having count(*) > 1
union all
select 'contracts', funding.version_key(details) from funding.contracts
where classification = 'opportunity' and details ? 'opportunity_number' and funding.version_key(details) is not null
group by 2 having count(*) > 1;
