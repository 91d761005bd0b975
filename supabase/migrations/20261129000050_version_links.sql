-- Numbers whose opportunities are to be linked anew (supabase/schemas/records/versions.sql).
create table funding.version_links_due (
  id bigint generated always as identity,
  dataset text not null,
  key text not null,
  constraint version_links_due_pkey primary key (id)
);
alter table funding.version_links_due enable row level security;
create index version_links_due_key on funding.version_links_due (dataset, key);
