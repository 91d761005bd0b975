-- Events that cannot be delivered as they are: they are set aside alone, so that nothing else waits for them.
alter table funding.events
  -- Why the record cannot be shown. The event then has its id alone as data, and its deliveries have failed.
  add column undeliverable text,
  -- Fan-outs of this event alone that failed, and until when, in the dispatcher's time, others go before it.
  add column fan_out_failures smallint not null default 0,
  add column fan_out_after timestamptz;
create index events_undeliverable on funding.events (created_at) where undeliverable is not null;

-- One function for all datasets takes their place.
drop function funding.fan_out_grants(uuid[], uuid);
drop function funding.fan_out_contracts(uuid[], uuid);
drop function funding.fan_out_funders(uuid[], uuid);

-- It has one more argument.
drop function funding.announce_deadlines_of(funding.webhook_endpoints, text, date, integer);
