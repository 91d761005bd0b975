-- Begins a transaction (database/migrate.ts).
-- Without statistics of a new column, Postgres takes a two-hundredth of the records for listed, and plans lists for that.
analyze funding.grants (superseded_by);
analyze funding.contracts (superseded_by);
