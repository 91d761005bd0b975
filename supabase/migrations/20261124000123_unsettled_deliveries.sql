-- An endpoint's failed or pending deliveries (`funding.list_webhook_deliveries`, supabase/schemas/webhook_log.sql), without reading those that succeeded.
create index webhook_deliveries_unsettled on funding.webhook_deliveries (endpoint_id, created_at, event_id)
  where state <> 'succeeded';
