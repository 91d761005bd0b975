-- Objects that the migrations make, as they are after the last of them. The functions' migration writes the table, and
-- `funding.schema_faults` compares the database with it.
create table funding.schema_objects (
  kind text not null check (kind in ('function', 'table', 'type', 'sequence', 'index', 'constraint', 'trigger')),
  -- With its schema; of constraints and triggers, with their table.
  name text not null,
  -- Of its definition: the start of an MD5 hash.
  digest text not null,
  primary key (kind, name)
);
alter table funding.schema_objects enable row level security;
