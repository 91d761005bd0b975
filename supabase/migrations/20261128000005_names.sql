-- Begins a transaction (database/migrate.ts).
-- Names of functions that tables call, and no function of the release before does.
alter function funding.lower_all(text[]) rename to lowercased;
