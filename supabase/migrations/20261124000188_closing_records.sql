-- Records that time closes next (due_dates.sql): those whose deadline has passed leave the index when they are closed.
create index grants_closing on funding.grants (deadline_date)
  where archived_at is null and classification = 'opportunity' and status in ('open', 'posted', 'forecasted', 'upcoming');
create index contracts_closing on funding.contracts (deadline_date)
  where archived_at is null and classification = 'opportunity' and status in ('open', 'posted', 'forecasted', 'upcoming');

-- Time zones of sources whose publisher is elsewhere than on the US East coast.
create table funding.source_time_zones (
  source text primary key,
  time_zone text not null
);
alter table funding.source_time_zones enable row level security;

-- Records that were archived at once although their archive date is ahead. Without their content hash, the next import of them writes the planned date.
update funding.grants set archived_at = null, content_hash = '', updated_at = clock_timestamp() where archived_at > now();
update funding.contracts set archived_at = null, content_hash = '', updated_at = clock_timestamp() where archived_at > now();
