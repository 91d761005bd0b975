-- Acronyms that would be stop words are words of their own from now on: records' lexemes are made anew once, in small batches (renewal.sql).
insert into funding.document_renewals (dataset)
select dataset
from (values
  ('funders', exists (select from funding.funders)), ('grants', exists (select from funding.grants)),
  ('contracts', exists (select from funding.contracts))
) as known(dataset, has_records)
where has_records
on conflict (dataset) do update set after_id = excluded.after_id;

update funding.data_versions set version = version + 1;
update funding.data_versions set changed_at = clock_timestamp() where dataset = 'search';
