-- Tables. Written by npm run schema from the migrations; comments are kept.

-- Snapshots that `npm run snapshot` published to a bucket (cli/snapshot). Those in a folder are listed by the folder.
create table funding.snapshots (
  -- Where its files are: `supabase:BUCKET` or `r2:BUCKET`.
  location text,
  -- Its name there. Names sort by time.
  id text,
  -- As in its manifest.json: see shared/responses/snapshots.ts.
  manifest json not null,
  -- False while its files are sent there, and while they are removed: it is not listed then.
  is_complete boolean not null default false,
  -- When it was noted, or last changed.
  changed_at timestamptz not null default funding.latest_now(),
  constraint snapshots_pkey primary key (location, id),
  constraint snapshots_location_known check (location ~ '^(supabase|r2):.+$')
);
alter table funding.snapshots enable row level security;
