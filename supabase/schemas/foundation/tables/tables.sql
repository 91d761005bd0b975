-- Tables. Written by npm run schema from the migrations; comments are kept.

-- What an operator may change without a release. One row a setting; the value's type is the
-- default's type.
create table funding.settings (
  name text,
  value jsonb not null,
  description text not null,
  default_value jsonb,
  unit text,
  schema jsonb,
  constraint settings_pkey primary key (name)
);
alter table funding.settings enable row level security;

-- The dispatcher's own time. It runs as the server's clock does, never backwards, and over a gap it moves on by no more
-- than `webhook_clock_step_seconds`: neither a clock that jumps nor a day without a dispatcher makes every retry due at
-- once, and one that is set back stops nothing. Waits and leases are in this time; what people see is in the server's.
create table funding.dispatch_clock (
  only_row boolean default true,
  wall timestamptz not null,
  dispatch_time timestamptz not null,
  bounded timestamptz not null,
  even_for interval not null,
  constraint dispatch_clock_pkey primary key (only_row),
  constraint dispatch_clock_has_one_row check (only_row)
);
alter table funding.dispatch_clock enable row level security;

-- One row, written on the primary while requests come (`funding.beat`). A replica has it as of the last commit that it has replayed.
create table funding.replication_heartbeat (
  singleton boolean default true,
  at timestamptz not null default now(),
  -- `funding.settled_until` at that moment, which a replica cannot find out.
  settled_until timestamptz not null,
  constraint replication_heartbeat_pkey primary key (singleton),
  constraint replication_heartbeat_singleton check (singleton)
) with (fillfactor=50);
alter table funding.replication_heartbeat enable row level security;

create sequence funding.change_moments as bigint;

-- A number that moves with every committed change to a dataset, and one (`search`) to what ranks them. Whatever is
-- remembered about a dataset is remembered with these numbers, and so can never be wrong.
create table funding.data_versions (
  dataset text,
  version bigint not null default 0,
  changed_at timestamptz not null default now(),
  constraint data_versions_pkey primary key (dataset)
);
alter table funding.data_versions enable row level security;
