-- Begins a transaction (database/migrate.ts).
-- Indexes of what requests write: nothing else is in a transaction with these, because whoever writes there waits for its end.

-- An endpoint's failed or pending deliveries (`funding.list_webhook_deliveries`, supabase/schemas/webhook_log.sql), without reading those that succeeded.
create index webhook_deliveries_unsettled on funding.webhook_deliveries (endpoint_id, created_at, event_id)
  where state <> 'succeeded';
create index events_undeliverable on funding.events (created_at) where undeliverable is not null;
-- The oldest rows, for retention (20261124000013).
create index usage_day on funding.usage (day);
