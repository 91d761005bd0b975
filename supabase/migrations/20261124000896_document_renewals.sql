-- Datasets whose records have documents that an earlier version made (renewal.sql): this one reads words with slashes, initials and dashes before
-- numbers in their parts. `after_id` is the last record that was looked at.
create table funding.document_renewals (
  dataset text primary key constraint document_renewals_dataset_known check (dataset in ('grants', 'contracts', 'funders')),
  after_id uuid not null default '00000000-0000-0000-0000-000000000000'
);
alter table funding.document_renewals enable row level security;

insert into funding.document_renewals (dataset)
select dataset
from (values
  ('funders', exists (select from funding.funders)), ('grants', exists (select from funding.grants)),
  ('contracts', exists (select from funding.contracts))
) as known(dataset, has_records)
where has_records;

-- Searches are read otherwise from now on: what is remembered was found by the rules before.
update funding.data_versions set version = version + 1;
update funding.data_versions set changed_at = clock_timestamp() where dataset = 'search';
