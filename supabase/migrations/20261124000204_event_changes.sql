-- What changed, in events of updates; what a webhook asks for beside its events; and the clock of changes.

-- Latest moment of a change, in milliseconds since 1970 (supabase/schemas/feed.sql).
create sequence funding.change_moments as bigint;

alter table funding.events
  -- [{ field, from, to }] of an update. Null in the other events, and in those from before this was noted.
  add column changes json,
  -- Their fields.
  add column changed_fields text[],
  -- Whether the update changed details alone, of which webhooks are told that ask for details.
  add column details_only boolean not null default false,
  -- The record's details as the API showed them when they were first delivered.
  add column details json;

alter table funding.webhook_endpoints
  -- What is added to the records of its events.
  add column expand text[] not null default '{}',
  -- Fields of which one must have changed for an update to be sent. Empty for any.
  add column updated_fields text[] not null default '{}',
  add constraint webhook_endpoints_expand_known check (expand <@ array['details']);

-- Whether the delivery has the record's details: every attempt sends the same, whatever becomes of its endpoint.
alter table funding.webhook_deliveries add column has_details boolean not null default false;
