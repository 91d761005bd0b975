-- Tables. Written by npm run schema from the migrations; comments are kept.

-- Objects that the migrations make, as they are after the last of them. The functions' migration writes the table, and
-- `funding.schema_faults` compares the database with it.
create table funding.schema_objects (
  kind text,
  -- With its schema; of constraints and triggers, with their table.
  name text,
  -- Of its definition: the start of an MD5 hash.
  digest text not null,
  constraint schema_objects_pkey primary key (kind, name),
  constraint schema_objects_kind_check check (kind = any (array['function', 'table', 'type', 'sequence', 'index', 'constraint', 'trigger']))
);
alter table funding.schema_objects enable row level security;
