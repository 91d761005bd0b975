-- The newest file of each dataset (`funding.data_as_of`, supabase/schemas/records.sql), which every answer tells: from the end of an index, however
-- long the log of imports has become.
create index imports_of_grants on funding.imports (as_of)
  where outcome in ('completed', 'refused') and datasets @> array['grants'];
create index imports_of_contracts on funding.imports (as_of)
  where outcome in ('completed', 'refused') and datasets @> array['contracts'];
create index imports_of_funders on funding.imports (as_of)
  where outcome in ('completed', 'refused') and datasets @> array['funders'];
