-- Begins a transaction (database/migrate.ts).
alter table funding.events validate constraint events_event_known;
