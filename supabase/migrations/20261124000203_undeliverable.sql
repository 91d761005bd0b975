-- Events that cannot be delivered as they are: they are set aside alone, so that nothing else waits for them.
alter table funding.events
  -- Why. The event has no data then, unless somebody had it before.
  add column undeliverable text,
  -- Fan-outs that failed with this event among theirs, and until when, in the dispatcher's time, others go before it.
  add column fan_out_failures smallint not null default 0,
  add column fan_out_after timestamptz;
create index events_undeliverable on funding.events (created_at) where undeliverable is not null;
