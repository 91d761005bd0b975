-- Begins a transaction (database/migrate.ts).
-- Opportunities and awards by their opportunity's number in any spelling. Importers wait for it; nothing else is in a transaction with it.
create index grants_number_keys on funding.grants using gin (funding.number_keys(details->>'opportunity_number')) with (fastupdate = off)
  where (details ? 'opportunity_number');
