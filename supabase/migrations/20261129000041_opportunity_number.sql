-- Begins a transaction (database/migrate.ts).
-- Opportunities by their number. Importers wait for it.
create index grants_opportunity_number on funding.grants (upper(details->>'opportunity_number')) where (details ? 'opportunity_number');
