-- Reads on replicas: what a replica knows of how far behind it is.

-- One row, written on the primary while requests come (`funding.beat`). A replica has it as of the last commit that it has replayed.
create table funding.replication_heartbeat (
  singleton boolean primary key default true,
  at timestamptz not null default now(),
  -- `funding.settled_until` at that moment, which a replica cannot find out.
  settled_until timestamptz not null,
  constraint replication_heartbeat_singleton check (singleton)
) with (fillfactor = 50);
alter table funding.replication_heartbeat enable row level security;
insert into funding.replication_heartbeat (at, settled_until) values ('2000-01-01 00:00Z', '2000-01-01 00:00Z');

insert into funding.settings (name, value, default_value, unit, schema, description) values
  ('replica_lag_seconds', '5', '5', 'seconds', '{"type": "integer", "minimum": 2, "maximum": 3600}',
   'How far behind the primary a replica may be and answer requests. Those of one that is further behind go to the primary.');
