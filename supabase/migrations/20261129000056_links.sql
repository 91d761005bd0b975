-- Checks of the addresses that records have (links.sql).
create table funding.links (
  url_hash uuid,
  url text not null,
  checked_at timestamptz not null,
  status text not null,
  reason text,
  failures smallint not null default 0,
  failed_at timestamptz,
  constraint links_pkey primary key (url_hash),
  constraint links_status_known check (status = any (array['ok', 'failing', 'broken', 'unknown']))
);
alter table funding.links enable row level security;
